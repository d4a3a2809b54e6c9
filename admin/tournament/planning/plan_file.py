"""A tournament file as it is read: a plan, or all that is wrong with it, each with its place."""

import os
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from admin.launching.limits import Limits
from admin.launching.program import find_program
from admin.table.listeners import CannotListen, tls_context
from admin.tournament.planning.plan import (
    ClockSettings,
    Entrant,
    Format,
    GeneralSettings,
    LobbySettings,
    Plan,
)
from admin.tournament.planning.schedule import MAX_GAMES, Schedule
from admin.view.plain_text import printable

MAX_BYTES = 2**20
"""Bytes of a tournament file that are read."""
P = TypeVar("P", bound=BaseModel)


class Mistake(NamedTuple):
    """One thing that is wrong: where, and a sentence.

    Places are such as ``players[2] (ada).command[1]``, counted from 1; empty for the whole file.
    """

    place: str
    sentence: str


class BadPlan(Exception):
    """A tournament file cannot be used; the text is for people, ``mistakes`` are all there are."""

    def __init__(self, path: Path, mistakes: Sequence[Mistake]) -> None:
        self.path = path
        self.mistakes = tuple(mistakes)
        count = "a mistake" if len(mistakes) == 1 else f"{len(mistakes)} mistakes"
        lines = [f"{place}: {text}" if place else text for place, text in mistakes]
        super().__init__("\n  ".join([f"{path} has {count}:", *lines]))


def read_plan(path: Path) -> Plan:
    """Read a tournament file; ``BadPlan`` with every mistake in it."""
    data = _parse(path)
    reading = _Reading(path.absolute().parent)
    plan = reading.plan(data)
    if reading.mistakes or plan is None:
        raise BadPlan(path, reading.mistakes)
    return plan


def _parse(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            raise BadPlan(path, [Mistake("", f"It is larger than {MAX_BYTES} bytes.")])
        return tomllib.loads(raw.decode("utf-8-sig"))
    except OSError as error:
        sentence = (
            f"It cannot be read: {error.strerror}. `acquire tournament init FILE` makes a new one."
        )
        raise BadPlan(path, [Mistake("", sentence)]) from error
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        sentence = f"byte {raw[error.start]:#04x} is not UTF-8. Save the file as UTF-8."
        raise BadPlan(path, [Mistake(f"line {line}", sentence)]) from error
    except tomllib.TOMLDecodeError as error:
        raise BadPlan(path, [_syntax(str(error))]) from error
    except (RecursionError, ValueError) as error:  # nested too deep, or a number without end
        what = "It holds a list nested too deep, or a number of too many digits."
        raise BadPlan(path, [Mistake("", what)]) from error


def _syntax(text: str) -> Mistake:
    """Put the place that the parser tells at the end in front."""
    found = re.fullmatch(r"(.*) \(at (.*)\)", text)
    what, where = (found[1], found[2]) if found else (text, "")
    hint = " Texts stand in quotes, lists in [ ]." if "Invalid value" in what else ""
    return Mistake(where, f"this is no TOML: {what}.{hint}")


@dataclass(slots=True)
class _Found:
    """The parts of a file that are right by themselves; ``None`` for one that is not."""

    general: GeneralSettings | None
    times: ClockSettings | None
    limits: Limits | None
    lobby: LobbySettings | None
    players: list[Entrant | None]


class _Reading:
    """One reading of one file: it collects the mistakes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._bad: set[str] = set()  # settings of [tournament] that are wrong by themselves
        self.mistakes: list[Mistake] = []

    def plan(self, data: Mapping[str, Any]) -> Plan | None:
        """Check all parts, then what hangs on several of them."""
        known = ("tournament", "clocks", "limits", "lobby", "players")
        for name in data:
            if name not in known:
                self._note(name, _unknown(name, known, "part of a tournament file"))
        found = _Found(
            self._part(data, "tournament", GeneralSettings),
            self._part(data, "clocks", ClockSettings),
            self._part(data, "limits", Limits),
            self._part(data, "lobby", LobbySettings),
            self._players(data.get("players")),
        )
        self._compare(found, data.get("tournament"), data.get("players"))
        general, times, limits, lobby = found.general, found.times, found.limits, found.lobby
        players = tuple(player for player in found.players if player is not None)
        if self.mistakes or general is None or times is None or limits is None or lobby is None:
            return None
        plan = Plan(
            tournament=general,
            clocks=times,
            limits=limits,
            lobby=lobby,
            players=players,
            folder=self._folder,
        )
        if (total := Schedule(plan, 0).total) > MAX_GAMES:
            self._note(
                "tournament",
                f"asks for {total:,} games; {MAX_GAMES:,} are the most. Give fewer deals, other "
                'seatings, or format = "swiss".',
            )
        return plan

    def _note(self, place: str, sentence: str) -> None:
        self.mistakes.append(Mistake(place, sentence))

    # -- each part by itself --------------------------------------------------------------------

    def _part(self, data: Mapping[str, Any], name: str, kind: type[P]) -> P | None:
        value = data.get(name, {})
        if not isinstance(value, dict):
            self._note(name, f"is to be a table. Write [{name}] on a line, its settings below.")
            return None
        return self._checked(value, name, kind)

    def _checked(self, value: Mapping[str, Any], place: str, kind: type[P]) -> P | None:
        try:
            return kind.model_validate(value)
        except ValidationError as error:
            for detail in error.errors(include_url=False):
                self.mistakes.append(_mistake(place, detail, kind))
                if kind is GeneralSettings:
                    self._bad.add(str(detail["loc"][0]))
            return None

    def _players(self, value: object) -> list[Entrant | None]:
        if value is None or value == []:
            self._note("players", "There are none. Write a [[players]] table for each.")
            return []
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self._note("players", "is to be a list of tables. Write [[players]] above each.")
            return []
        return [
            self._checked(item, _player_place(number, item), Entrant)
            for number, item in enumerate(value, 1)
        ]

    # -- what hangs on several parts ------------------------------------------------------------

    def _right_part(self, value: object) -> GeneralSettings:
        """Return what is right of a [tournament] that has mistakes, so that the rest is checked."""
        settings = value if isinstance(value, dict) else {}
        right = {
            name: item for name, item in settings.items() if name in GeneralSettings.model_fields
        }
        return GeneralSettings.model_validate(
            {name: item for name, item in right.items() if name not in self._bad}
        )

    def _compare(self, found: _Found, raw_general: object, raw: object) -> None:
        items = [item for item in raw if isinstance(item, dict)] if isinstance(raw, list) else []
        names = [str(item.get("name", "")) for item in items]
        for name, count in Counter(names).items():
            if name and count > 1:
                self._note("players", f"{count} are called {name!r}. Give each a name of its own.")
        general = found.general or self._right_part(raw_general)
        checks = (
            (self._table, {"rulebook", "hide_assets", "seats"}),
            (self._meeting, {"format", "challenger", "rounds"}),
            (self._scoring, {"points", "seats"}),
        )
        for check, settings in checks:
            if not settings & self._bad:
                check(general, names)
        if found.lobby is not None:
            self._listening(found.lobby, any("remote" in item for item in items))
        for number, item in enumerate(items, 1):
            self._way_to_play(_player_place(number, item), item)
            self._launching(_player_place(number, item), item)

    def _table(self, general: GeneralSettings, names: Sequence[str]) -> None:
        try:
            rulebook = general.book()
        except ValueError as error:
            self._note("tournament.hide_assets", f"{error}. Leave it out.")
            return
        least, most = rulebook.min_players, rulebook.max_players
        if not least <= general.seats <= most:
            self._note(
                "tournament.seats",
                f"{general.seats} is not between {least} and {most}, which rulebook "
                f"{rulebook.id} allows.",
            )
        if names and len(names) < general.seats:
            self._note(
                "players",
                f"{len(names)} for a table of {general.seats}. Add players, or give fewer seats "
                "under [tournament].",
            )

    def _meeting(self, general: GeneralSettings, names: Sequence[str]) -> None:
        gauntlet, swiss = general.format is Format.GAUNTLET, general.format is Format.SWISS
        who = general.challenger
        if gauntlet and who is None:
            self._note("tournament.challenger", "A gauntlet needs the name of the one who runs it.")
        elif gauntlet and who not in names:
            self._note("tournament.challenger", _unknown(str(who), names, "player"))
        elif not gauntlet and who is not None:
            self._note("tournament.challenger", 'is for format = "gauntlet" only. Leave it out.')
        if swiss and general.rounds is None:
            self._note("tournament.rounds", "A Swiss tournament needs a number of rounds.")
        elif not swiss and general.rounds is not None:
            self._note(
                "tournament.rounds", 'is for format = "swiss" only. Give more deals instead.'
            )

    def _scoring(self, general: GeneralSettings, _names: Sequence[str]) -> None:
        points = general.points
        if points is None:
            return
        if len(points) != general.seats:
            self._note(
                "tournament.points",
                f"has {len(points)} numbers for {general.seats} seats. Write one for each place.",
            )
        if sorted(points, reverse=True) != list(points) or len(set(points)) < 2:
            self._note(
                "tournament.points",
                "A better place is to be worth no less, and the first more than the last.",
            )

    def _listening(self, lobby: LobbySettings, remote: bool) -> None:
        if remote and lobby.port == 0:
            self._note(
                "lobby.port",
                "Remote players have to know the port. Give one, such as 51234.",
            )
        if (lobby.certificate is None) != (lobby.key is None):
            missing = "certificate" if lobby.certificate is None else "key"
            self._note(f"lobby.{missing}", "TLS needs both a certificate and its key (PEM files).")
            return
        for name in ("certificate", "key"):
            file = getattr(lobby, name)
            if file is not None and not os.access(self._folder / file, os.R_OK):
                self._note(f"lobby.{name}", f"{file!r} cannot be read in {self._folder}.")
                return
        if lobby.certificate is not None and lobby.key is not None:
            try:
                tls_context(str(self._folder / lobby.certificate), str(self._folder / lobby.key))
            except CannotListen as error:
                self._note("lobby.key", str(error))

    def _way_to_play(self, place: str, item: Mapping[str, Any]) -> None:
        ways = [way for way in ("command", "strategy", "remote") if way in item]
        if not ways and item.keys() - Entrant.model_fields.keys():
            return  # one of them may be what was meant, and is told
        if len(ways) != 1:
            has = f"has {' and '.join(ways)}" if ways else "has none of them"
            self._note(
                place,
                f"{has}. A player needs exactly one of command (a list of arguments), strategy "
                "(a house player) and remote (with a secret).",
            )
        elif "command" not in item and ("directory" in item or "environment" in item):
            self._note(place, "has a directory or an environment, which only a command can have.")

    def _launching(self, place: str, item: Mapping[str, Any]) -> None:
        match item:
            case {"command": [str(program), *_], "directory": str(directory)}:
                folder = self._folder / directory
            case {"command": [str(program), *_]}:
                directory, folder = "", self._folder
            case _:
                return
        if not folder.is_dir():
            where = f"{directory!r} is no folder in {self._folder}."
            self._note(f"{place}.directory", f"{where} Make it, or name another.")
        elif "{" not in program and find_program(program, folder) is None:
            where = f"no program in {folder}" if "/" in program else "on no folder of PATH"
            self._note(
                f"{place}.command[1]",
                f"{program!r} is {where}. Write a program that can be run, such as 'python3', "
                "and each of its arguments as a text of its own.",
            )


def _player_place(number: int, item: Mapping[str, Any]) -> str:
    name = item.get("name")
    called = f" ({printable(name)})" if isinstance(name, str) and name else ""
    return f"players[{number}]{called}"


def _unknown(name: str, known: Sequence[str], noun: str) -> str:
    close = get_close_matches(name, known, n=1)
    meant = f" Did you mean {close[0]!r}?" if close else ""
    return f"{name!r} is no {noun}.{meant} There are {', '.join(known)}."


def _mistake(place: str, detail: ErrorDetails, kind: type[BaseModel]) -> Mistake:
    """Say in the words of the file what the check of one part found."""
    loc = [step for step in detail["loc"] if step not in ("function-after", "tuple")]
    for step in loc:
        place += f"[{step + 1}]" if isinstance(step, int) else f".{step}"
    sentence = _SENTENCES.get(detail["type"], _plain)(detail)
    if detail["type"] == "extra_forbidden":
        place, _, name = place.rpartition(".")
        known = list(_fields_at(kind, loc[:-1]))
        sentence = _unknown(name, known, "setting here")
    return Mistake(place, sentence)


def _fields_at(kind: type[BaseModel], loc: Sequence[object]) -> Iterator[str]:
    """Yield the settings of the table at a place within a part."""
    from admin.tournament.planning.plan import RemoteSettings

    yield from (RemoteSettings if loc[:1] == ["remote"] else kind).model_fields


def _plain(detail: ErrorDetails) -> str:
    return f"{detail['msg']}; it is {detail['input']!r}."


def _limit(detail: ErrorDetails, name: str) -> str:
    """Say a bound, and what is there instead where that tells anything."""
    limit, value = detail.get("ctx", {}).get(name), detail["input"]
    return f"{limit}, not {value}" if isinstance(value, int | float) else f"{limit}"


_SENTENCES: dict[str, Callable[[ErrorDetails], str]] = {
    "plan": lambda detail: detail["msg"],
    "size": lambda detail: detail["msg"],
    "missing": lambda detail: "is missing.",
    "string_type": lambda detail: f"is to be a text in quotes, not {detail['input']!r}.",
    "int_type": lambda detail: f"is to be a whole number, not {detail['input']!r}.",
    "float_type": lambda detail: f"is to be a number, not {detail['input']!r}.",
    "greater_than": lambda detail: f"is to be more than {_limit(detail, 'gt')}.",
    "greater_than_equal": lambda detail: f"is to be at least {_limit(detail, 'ge')}.",
    "less_than": lambda detail: f"is to be less than {_limit(detail, 'lt')}.",
    "less_than_equal": lambda detail: f"is to be at most {_limit(detail, 'le')}.",
    "string_too_short": lambda detail: (
        f"is to have {_limit(detail, 'min_length')} characters or more."
    ),
    "string_too_long": lambda detail: (
        f"is to have {_limit(detail, 'max_length')} characters at most."
    ),
    "too_short": lambda detail: (
        "is empty."
        if isinstance(detail["input"], str)
        else "is empty. Write the program, and each of its arguments."
    ),
    "finite_number": lambda detail: "is to be a finite number.",
    "model_type": lambda detail: f"is to be a table such as {{ ... }}, not {detail['input']!r}.",
    "bool_type": lambda detail: f"is to be true or false, not {detail['input']!r}.",
    "tuple_type": lambda detail: f"is to be a list in [ ], not {detail['input']!r}.",
    "enum": lambda detail: (
        f"{detail['input']!r} is not among {detail.get('ctx', {}).get('expected')}."
    ),
}
