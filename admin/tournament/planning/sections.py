"""The sections of a tournament file, each checked as it is read, and the words for mistakes.

What involves several of them is checked in :mod:`acquire.admin.tournament.planning.plan_file`.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic_core import ErrorDetails

from ....game.rulebook import Rulebook, with_hidden_assets
from ....game.rulebooks import REVISED
from ....protocol.settings_file import MAX_SHOWN, MAX_TOLD, Mistake, in_brief, unknown
from ...launching.limits import Limits
from ...launching.program import find_program, why_not_found
from ...refereeing.play.dealer import SEEDS
from ...refereeing.table.clocks import REPLY_TIMEOUT
from ...refereeing.view.plain_text import printable
from ..games.checked_json import STRICT
from . import setting_values as values
from .facts import Deals, Format, Points, Rounds, Seatings, Seats


class PlanSection(BaseModel):
    """A table of the file: frozen, without unknown settings.

    What follows from several settings, or from files, is checked once each setting is right.
    """

    model_config = ConfigDict(**STRICT, frozen=True, extra="forbid", arbitrary_types_allowed=True)

    def wrong(self, folder: Path | None) -> Iterator[values.Found]:
        """Yield what is wrong with the settings together; without a folder, no file counts."""
        yield from ()

    @model_validator(mode="after")
    def _is_right(self, info: ValidationInfo) -> Self:
        values.refuse(self.wrong(values.folder_in(info)))
        return self


class GeneralSettings(PlanSection):
    """``[tournament]``: what is played.

    ``deals`` are the bags for every table (in every round of a Swiss tournament), or the blocks
    that every player of a ladder plays at least. ``workers`` are the games played at once, by
    default one per core.
    """

    name: Annotated[str, Field(min_length=1, max_length=100)] = "Tournament"
    submissions: values.SomeText | None = None  # a pattern of folders, each of them a player
    roster: values.SomeText | None = None  # a CSV file of students
    rulebook: values.RulebookValue = REVISED
    hide: Literal["cash", "certificates", "both"] | None = None
    seats: Seats = 4
    format: Annotated[Format, Field(strict=False)] = Format.ROUND_ROBIN
    challenger: str | None = None
    rounds: Rounds | None = None
    seatings: Annotated[Seatings, Field(strict=False)] = Seatings.ROTATIONS
    deals: Deals = 1
    duplicate: bool | None = None  # `Plan` has the default, which depends on the players
    points: Annotated[tuple[Points, ...], values.TOML_LIST] | None = None
    seed: Annotated[int, Field(ge=0, lt=SEEDS)] | None = None
    workers: Annotated[int, Field(ge=1, le=1024)] | None = None
    qualify: bool | None = None
    outputs: Literal["lost", "all"] = "lost"  # kept of programs that did not finish, or of all

    def wrong(self, folder: Path | None) -> Iterator[values.Found]:
        """Yield what does not fit the rulebook, the format or the seats."""
        try:
            book = self.rulebook_value()
        except ValueError as error:
            yield ("hide",), f"{error}. Remove it."
            return
        least, most = book.min_players, book.max_players
        if not least <= self.seats <= most:
            tables = f"between {least} and {most} for rulebook {book.id}"
            yield ("seats",), f"must be {tables}, not {self.seats}."
        gauntlet, swiss = self.format is Format.GAUNTLET, self.format is Format.SWISS
        if gauntlet and self.challenger is None:
            yield ("challenger",), "is missing: a gauntlet needs a player's name."
        elif not gauntlet and self.challenger is not None:
            yield ("challenger",), 'is only for format = "gauntlet". Remove it.'
        if swiss and self.rounds is None:
            yield ("rounds",), "is missing: a Swiss tournament needs a number."
        elif not swiss and self.rounds is not None:
            yield ("rounds",), 'is only for format = "swiss". Set a higher number of deals.'
        if (points := self.points) is None:
            return
        if len(points) != self.seats:
            found = f"has {len(points)} numbers for {self.seats} seats"
            yield ("points",), f"{found}. Write one for each place."
        if sorted(points, reverse=True) != list(points) or len(set(points)) < 2:
            order = "must not increase from place to place"
            yield ("points",), f"{order}, and the first must be more than the last."

    @property
    def qualifies(self) -> bool:
        """Whether programs are tried before they play: by default where folders are handed in."""
        return self.submissions is not None if self.qualify is None else self.qualify

    def rulebook_value(self) -> Rulebook:
        """Return the rulebook; ``ValueError`` if its assets cannot be hidden but should be."""
        return with_hidden_assets(self.rulebook, self.hide) if self.hide else self.rulebook


class ClockSettings(PlanSection):
    """``[clocks]``, in seconds.

    ``turn`` depends on the number of seats if it is not set, ``game`` is not less than a turn.
    """

    signup: values.Seconds = 20.0  # to sign up
    reply: values.Seconds = REPLY_TIMEOUT  # for any answer
    turn: values.Seconds | None = None  # for all the mover's thinking in a turn
    game: values.Seconds | None = None  # for all answers of a player in a game


class LobbySettings(PlanSection):
    """``[lobby]``: where players connect; with a certificate, they connect with TLS."""

    host: values.SomeText = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 0
    wait: values.Seconds = 120.0  # how many seconds a game waits for an absent remote player
    certificate: values.Text | None = None
    key: values.Text | None = None

    def wrong(self, folder: Path | None) -> Iterator[values.Found]:
        """Yield why there can be no TLS with these files."""
        if (self.certificate is None) != (self.key is None):
            missing = "key" if self.key is None else "certificate"
            yield (missing,), "is missing: TLS needs a certificate and its key (PEM files)."
        elif self.certificate is not None and self.key is not None and folder is not None:
            for name, file in (("certificate", self.certificate), ("key", self.key)):
                if not os.access(folder / file, os.R_OK):
                    yield (name,), f"{file!r} cannot be read in {folder}."
                    return
            from ...refereeing.table.listeners import CannotListen, tls_context

            try:
                tls_context(str(folder / self.certificate), str(folder / self.key))
            except CannotListen as error:
                yield ("key",), str(error)


class RemoteSettings(PlanSection):
    """A player that connects by itself; it signs up as ``NAME:SECRET``."""

    secret: values.Secret


WAYS = ("command", "strategy", "remote")
OF_A_COMMAND = frozenset({"directory", "environment", "build", "read_only", "handed_in"})


class PlayerSettings(PlanSection):
    """``[[players]]``: a name, and one of ``command``, ``strategy`` and ``remote``.

    ``read_only`` are files and folders apart from its own that a program may read in its sandbox.
    If it was ``handed_in``, its command, build and variables are a contestant's own words: then
    they open nothing.
    """

    name: values.Name
    command: values.Command | None = None
    build: values.Command | None = None  # run once for every version of a program
    directory: values.Text | None = None
    environment: values.Variables = Field(default_factory=dict)
    strategy: values.StrategyName | None = None
    remote: RemoteSettings | None = None
    read_only: Annotated[tuple[values.SomeText, ...], values.TOML_LIST] = ()
    handed_in: bool = False

    def wrong(self, folder: Path | None) -> Iterator[values.Found]:
        """Yield what is wrong with how the player plays."""
        ways = [way for way in WAYS if getattr(self, way) is not None]
        others = sorted(self.model_fields_set & OF_A_COMMAND)
        if len(ways) != 1:
            has = f"has {' and '.join(ways) or 'none of command, strategy and remote'}"
            way = "command (a list of arguments), strategy (a built-in player) or remote"
            yield (), f"{has}. A player needs exactly one: {way} (with a secret)."
        elif self.command is None and others:
            yield (), f"has {' and '.join(others)}, which only a command can have."
        yield from values.missing(self.read_only, folder)
        if self.handed_in and self.directory is None:
            yield ("handed_in",), "needs a folder. Set directory to the one that was handed in."
        if self.command is None or folder is None:
            return
        runs_in = folder / (self.directory or "")
        setting = "build" if self.build else "command"  # a build may make the program itself
        program = (self.build or self.command)[0]
        if not runs_in.is_dir():
            why = f"{self.directory!r} is not a folder in {folder}"
            yield ("directory",), f"{why}. Create it, or name another one."
        elif "{" not in program and find_program(program, runs_in) is None:
            why = " ".join(why_not_found(program, runs_in).split())
            yield (setting, 0), f"{program!r}: {why}"


class GradeStep(PlanSection):
    """A grade, and what a player has to reach for it: all conditions that are given."""

    grade: Annotated[values.Text, Field(min_length=1, max_length=40)]
    points: Annotated[float, Field(ge=0)] | None = None  # per game
    rank: Annotated[int, Field(ge=1)] | None = None  # last place, built-in players not counted
    above: values.Name | None = None  # a player that it has to be placed before
    finished: Annotated[float, Field(ge=0, le=100)] | None = None  # least % played to the end

    def wrong(self, folder: Path | None) -> Iterator[values.Found]:
        """Yield that nothing has to be reached for it."""
        if (self.points, self.rank, self.above, self.finished) == (None,) * 4:
            yield (), "has no condition. Write points, rank, above or finished beside the grade."


class GradeSettings(PlanSection):
    """``[grades]``: the grades, the best one first, and the one for whoever reaches none."""

    scale: Annotated[tuple[GradeStep, ...], values.TOML_LIST, Field(min_length=1)]
    otherwise: Annotated[values.Text, Field(max_length=40)] = ""


def _tables(players: object) -> object:
    if not isinstance(players, list) or not all(isinstance(one, dict) for one in players):
        raise values.mistake("must be a list of tables. Write [[players]] above each.")
    return players


class TournamentFile(PlanSection):
    """A whole file, of which each section is right by itself."""

    tournament: GeneralSettings = GeneralSettings()
    clocks: ClockSettings = ClockSettings()
    limits: values.CheckedLimits = Limits()
    lobby: LobbySettings = LobbySettings()
    grades: GradeSettings | None = None
    players: Annotated[
        tuple[PlayerSettings, ...], Field(strict=False), BeforeValidator(_tables)
    ] = ()


# -- mistakes in words --------------------------------------------------------------------------

TABLES: dict[str | int, type[BaseModel]] = {
    "tournament": GeneralSettings,
    "clocks": ClockSettings,
    "lobby": LobbySettings,
    "grades": GradeSettings,
    "scale": GradeStep,
    "players": PlayerSettings,
    "remote": RemoteSettings,
}
"""What is in the tables of a file, by their names."""
NOT_IN_THE_FILE = ("function-after", "function-before", "tuple", "[key]")
"""Steps to a place that only pydantic makes."""
SENTENCES = {
    "setting": "{msg}",
    "missing": "is missing.",
    "string_type": "must be a text in quotes, not {input}.",
    "int_type": "must be a whole number, not {input}.",
    "float_type": "must be a number, not {input}.",
    "bool_type": "must be true or false, not {input}.",
    "tuple_type": "must be a list in [ ], not {input}.",
    "model_type": "must be a table such as {{ ... }}, not {input}.",
    "dict_type": "must be a table such as {{ ... }}, not {input}.",
    "section": "must be a table. Write [{name}] on a line, with its settings below.",
    "greater_than": "must be more than {gt}, not {input}.",
    "greater_than_equal": "must be at least {ge}, not {input}.",
    "less_than": "must be less than {lt}, not {input}.",
    "less_than_equal": "must be at most {le}, not {input}.",
    "finite_number": "must be a finite number.",
    "string_too_short": "must have at least {min_length} characters.",
    "string_too_long": "must have at most {max_length} characters.",
    "empty": "is empty.",
    "too_short": "must have {min_length} or more.",
    "too_long": "must have at most {max_length}.",
    "empty_command": "is empty. Write the program, and each of its arguments.",
    "enum": "must be {expected}, not {input}.",
    "literal_error": "must be {expected}, not {input}.",
}
"""The sentences by the kind of mistake, with the fields of pydantic's error."""


def mistakes_of(
    error: ValidationError, whole: type[BaseModel], data: Mapping[str, Any]
) -> list[Mistake]:
    """Return the mistakes in ``data``, which was read as a ``whole`` file, in the file's words."""
    found = [one for one in error.errors(include_url=False) if not _counts_right_ones_only(one)]
    return [_in_words(detail, whole, data) for detail in found[: MAX_TOLD + 1]]


def _counts_right_ones_only(detail: ErrorDetails) -> bool:
    """Whether a list is only too short without what is wrong in it, which is a mistake already."""
    value, least = detail["input"], detail.get("ctx", {}).get("min_length", 0)
    return detail["type"] == "too_short" and isinstance(value, list) and len(value) >= least


def _in_words(detail: ErrorDetails, whole: type[BaseModel], data: Mapping[str, Any]) -> Mistake:
    steps = [step for step in detail["loc"] if step not in NOT_IN_THE_FILE]
    kind, value = detail["type"], detail["input"]
    name = steps[-1] if steps else ""
    if kind == "extra_forbidden":
        table = next((TABLES[step] for step in reversed(steps[:-1]) if step in TABLES), whole)
        is_section = table is TournamentFile
        noun = "section of a tournament file" if is_section else "setting here"
        place = _place(steps if is_section else steps[:-1], data)
        return Mistake(place, unknown(str(name), list(table.model_fields), noun))
    if kind == "too_short" and isinstance(value, str):
        kind = "empty"
    elif kind == "too_long" and isinstance(value, str):
        kind = "string_too_long"
    elif kind == "too_short" and name in ("command", "build"):
        kind = "empty_command"
    elif kind in ("model_type", "dataclass_type") and len(steps) == 1:
        kind = "section"
    sentence = SENTENCES.get(kind, "{msg}; it is {input}.")
    fields = {**detail.get("ctx", {}), "msg": detail["msg"], "input": in_brief(value), "name": name}
    return Mistake(_place(steps, data), sentence.format(**fields))


def _place(steps: Sequence[str | int], data: Mapping[str, Any]) -> str:
    """Return a place as people count, with the name of a player."""
    words = [f"[{step + 1}]" if isinstance(step, int) else f".{step[:MAX_SHOWN]}" for step in steps]
    match steps:
        case ["players", int(number), *_]:
            name = data["players"][number].get("name")
            words[1] += f" ({printable(name)})" if isinstance(name, str) and name else ""
    return "".join(words).removeprefix(".")
