"""The tournament file of a duel.

    one opponent        each has half of the seats; with an odd number, the opponent has one more
    several opponents   the challenger has one seat; they share the others, each equally often

So a duel against one opponent at an even table is the same question from both sides. With one new
version among three old ones, ``duel new old`` and ``duel old new`` would be different questions,
and both could be lost. A game at a table of four also says a third more: the difference of two
means varies less than that of one player from three.

Whoever has several seats takes them under several names. A block is one deal at all tables, with
all rotations of the seats.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import comb
from pathlib import Path
from typing import Any

from ....game.rulebook import Rulebook
from ....protocol.strategy_file import names_file, path_of
from .contestants import Contestant

DEFAULT_SEATS = 4
MAX_SEATS = 6
MAX_TABLES = 60
"""More tables would make blocks too long for a verdict ever to come early."""


class InvalidDuel(Exception):
    """The contestants cannot be seated; user-facing message."""


@dataclass(frozen=True, slots=True)
class Lineup:
    """Who sits at the tables of a duel; the challenger is the first contestant.

    ``teams`` are the seat names of every contestant, in the same order, ``tables`` how many tables
    there are.
    """

    contestants: tuple[Contestant, ...]
    seats: int
    teams: tuple[tuple[str, ...], ...]
    tables: int

    @property
    def mine(self) -> Contestant:
        """The challenger."""
        return self.contestants[0]

    @property
    def games_in_block(self) -> int:
        """The number of games in which a deal is played at all tables in all rotations."""
        return self.tables * self.seats


def lineup(contestants: Sequence[Contestant], rulebook: Rulebook, seats: int | None) -> Lineup:
    """Seat a challenger and its opponents; ``seats`` of ``None`` takes a number that suits.

    ``InvalidDuel`` if the rulebook has no such table.
    """
    opponents = len(contestants) - 1
    least, most = rulebook.min_players, min(rulebook.max_players, MAX_SEATS)
    if seats is None:
        wanted = DEFAULT_SEATS if opponents == 1 else opponents + 1
        seats = min(max(wanted, least), most)
    if not least <= seats <= most:
        raise InvalidDuel(
            f"--seats must be between {least} and {most} for rulebook {rulebook.id}, not {seats}."
        )
    mine = seats // 2 if opponents == 1 else 1
    copies = -(-(seats - mine) // opponents)
    tables = 1 if opponents == 1 else comb(opponents * copies, seats - 1)
    if tables > MAX_TABLES:
        raise InvalidDuel(
            f"{opponents} opponents at tables of {seats} meet in {tables} ways; the maximum is "
            f"{MAX_TABLES}. Give fewer opponents, or play a tournament."
        )
    teams = tuple(
        (
            one.label,
            *(f"{one.label}.{number}" for number in range(2, 1 + (copies if place else mine))),
        )
        for place, one in enumerate(contestants)
    )
    return Lineup(tuple(contestants), seats, teams, tables)


@dataclass(frozen=True, slots=True)
class DuelSettings:
    """How a duel is played; ``rulebook`` is an id or a file, ``max_games`` at least a block.

    ``clocks`` and ``limits`` are settings of those sections of a tournament file.
    """

    rulebook: str
    max_games: int
    clocks: Mapping[str, float]
    limits: Mapping[str, Any]
    seed: int | None = None


def duel_file(lineup: Lineup, settings: DuelSettings, folder: Path, here: Path) -> str:
    """Return the text of a duel's tournament file in ``folder``; relative paths are from ``here``.

    Programs run ``here``, and see what is there.
    """
    one = len(lineup.contestants) == 2
    general = {
        "seats": lineup.seats,
        "format": "round-robin" if one else "gauntlet",
        **({} if one else {"challenger": lineup.mine.label}),
        "deals": max(1, settings.max_games // lineup.games_in_block),
        "duplicate": True,
    }
    return _file(general, settings, lineup.contestants, lineup.teams, folder, here)


def match_seats(
    contestants: Sequence[Contestant], rulebook: Rulebook, seats: int | None
) -> list[tuple[Contestant, str]]:
    """Return who sits at the table of a single match, and under which names; ``InvalidDuel``.

    Without ``seats`` there is one for each, or the fewest that the rulebook has. What is left over
    goes to the opponents in turn.
    """
    least, most = rulebook.min_players, min(rulebook.max_players, MAX_SEATS)
    wanted = max(least, len(contestants)) if seats is None else seats
    if not max(least, len(contestants)) <= wanted <= most:
        raise InvalidDuel(
            f"{len(contestants)} players at a table of {wanted}: rulebook {rulebook.id} has tables "
            f"of {least} to {most}, and every player needs a seat."
        )
    seated = [(each, each.label) for each in contestants]
    for place in range(wanted - len(contestants)):
        number, opponent = divmod(place, len(contestants) - 1)
        filler = contestants[1 + opponent]
        seated.append((filler, f"{filler.label}.{number + 2}"))
    return seated


def match_file(
    seated: Sequence[tuple[Contestant, str]], settings: DuelSettings, folder: Path, here: Path
) -> str:
    """Return the tournament file of a match in ``folder``: only its first game is played."""
    contestants, names = zip(*seated, strict=True)
    general = {"seats": len(seated), "deals": 1, "duplicate": False, "outputs": "all"}
    return _file(general, settings, contestants, [[name] for name in names], folder, here)


def new_folder(parent: Path, labels: Sequence[str]) -> Path:
    """Return a folder that is not there yet, named after some contestants."""
    name = "-".join("".join(char if char.isalnum() else "-" for char in one) for one in labels)
    number, folder = 1, parent / name
    while folder.exists():
        number += 1
        folder = parent / f"{name}-{number}"
    return folder


def _file(
    general: Mapping[str, Any],
    settings: DuelSettings,
    contestants: Sequence[Contestant],
    teams: Sequence[Sequence[str]],
    folder: Path,
    here: Path,
) -> str:
    """Return the text of a tournament file; ``general`` is what the two kinds differ in."""
    place, rulebook = os.path.relpath(here, folder), settings.rulebook
    if rulebook.endswith(".toml"):
        rulebook = os.path.relpath(here / rulebook, folder)
    first, *others = (names[0] for names in teams)
    name = f"{first} against {', '.join(others)}"[:100]
    general = {"name": name, "rulebook": rulebook, **general}
    general |= {} if settings.seed is None else {"seed": settings.seed}
    limits = {**settings.limits, "read_only": [place]}
    sections = [_section("[tournament]", general), _section("[clocks]", settings.clocks)]
    sections.append(_section("[limits]", limits))
    for contestant, names in zip(contestants, teams, strict=True):
        strategy = contestant.strategy
        if names_file(strategy):  # absolute, for it is in tracebacks
            path = os.path.abspath(path_of(strategy, here))
            strategy = f"{path}:{strategy.rpartition(':')[2]}"
        player: dict[str, Any] = {"strategy": strategy}
        if contestant.command:
            player = {"command": list(contestant.command), "directory": place}
        if contestant.folder is not None:
            player["directory"] = os.path.abspath(contestant.folder)
            player["environment"] = contestant.environment
            player |= {"build": list(contestant.build)} if contestant.build else {}
        sections += (_section("[[players]]", {"name": name, **player}) for name in names)
    return "\n".join(sections)


def _section(heading: str, settings: Mapping[str, Any]) -> str:
    lines = [f"{name} = {_value(value)}" for name, value in settings.items()]
    return "\n".join((heading, *lines, ""))


def _value(value: object) -> str:
    """Return a value as TOML, whose strings, lists, numbers and booleans are those of JSON."""
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_value(name)} = {_value(of)}" for name, of in value.items())
        return f"{{{pairs}}}"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def continued(
    settings: DuelSettings, before: Mapping[str, Any], games_in_block: int
) -> DuelSettings:
    """Return settings that go on with an earlier duel: its seed, and at least its games."""
    general = before["tournament"]
    return replace(
        settings,
        max_games=max(settings.max_games, general["deals"] * games_in_block),
        seed=general.get("seed") if settings.seed is None else settings.seed,
    )


def is_same_duel(before: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Whether two tournament files of duels differ in nothing but the number of games."""
    first, second = (
        {**file, "tournament": {**file["tournament"], "deals": 0}} for file in (before, now)
    )
    return first == second
