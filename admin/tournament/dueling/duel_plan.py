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
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from math import comb
from pathlib import Path
from typing import Any, TypeAlias

from ....game.rulebook import Rulebook
from ....protocol.user_error import UserError
from ..games.result import MAX_SEATS
from .contestants import Contestant

DEFAULT_SEATS = 4
MAX_TABLES = 60  # more tables would make blocks too long for a verdict ever to come early
File: TypeAlias = Mapping[str, Any]  # the content of a tournament file


@dataclass(frozen=True, slots=True)
class Lineup:
    """Who sits at the tables of a duel or a match."""

    contestants: tuple[Contestant, ...]  # the challenger is the first
    seats: int
    teams: tuple[tuple[str, ...], ...]  # the seat names of every contestant, in the same order
    tables: int = 1

    @property
    def mine(self) -> Contestant:
        """The challenger."""
        return self.contestants[0]

    def contestant(self, seat: str) -> Contestant:
        """Return who plays in a seat."""
        return next(
            one for one, names in zip(self.contestants, self.teams, strict=True) if seat in names
        )

    @property
    def games_in_block(self) -> int:
        """The number of games in which a deal is played at all tables in all rotations."""
        return self.tables * self.seats


def lineup(contestants: Sequence[Contestant], rulebook: Rulebook, seats: int | None) -> Lineup:
    """Seat a challenger and its opponents; ``seats`` of ``None`` takes a number that suits.

    ``UserError`` if the rulebook has no such table.
    """
    opponents = len(contestants) - 1
    least, most = rulebook.min_players, min(rulebook.max_players, MAX_SEATS)
    if seats is None:
        wanted = DEFAULT_SEATS if opponents == 1 else opponents + 1
        seats = min(max(wanted, least), most)
    if not least <= seats <= most:
        raise UserError(
            f"--seats must be between {least} and {most} for rulebook {rulebook.id}, not {seats}."
        )
    mine = seats // 2 if opponents == 1 else 1
    copies = -(-(seats - mine) // opponents)
    tables = 1 if opponents == 1 else comb(opponents * copies, seats - 1)
    if tables > MAX_TABLES:
        raise UserError(
            f"{opponents} opponents at tables of {seats} meet in {tables} ways; the maximum is "
            f"{MAX_TABLES}. Give fewer opponents, or play a tournament."
        )
    teams = _teams(contestants, [mine, *[copies] * opponents])
    return Lineup(tuple(contestants), seats, teams, tables)


def match_lineup(
    contestants: Sequence[Contestant], rulebook: Rulebook, seats: int | None
) -> Lineup:
    """Seat the players of a single match; ``UserError``.

    Without ``seats`` there is one for each, or the fewest that the rulebook has. What is left over
    goes to the opponents in turn.
    """
    least, most = rulebook.min_players, min(rulebook.max_players, MAX_SEATS)
    opponents = len(contestants) - 1
    wanted = max(least, len(contestants)) if seats is None else seats
    if not max(least, len(contestants)) <= wanted <= most:
        raise UserError(
            f"{len(contestants)} players at a table of {wanted}: rulebook {rulebook.id} has tables "
            f"of {least} to {most}, and every player needs a seat."
        )
    counts = [len(range(first, wanted - 1, opponents)) for first in range(opponents)]
    return Lineup(tuple(contestants), wanted, _teams(contestants, [1, *counts]))


def _teams(contestants: Sequence[Contestant], seats: Iterable[int]) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (one.label, *(f"{one.label}.{number}" for number in range(2, count + 1)))
        for one, count in zip(contestants, seats, strict=True)
    )


@dataclass(frozen=True, slots=True)
class DuelSettings:
    """How a duel is played."""

    rulebook: str  # an id or a file
    max_games: int  # at least a block
    clocks: Mapping[str, float]  # as in `[clocks]` of a tournament file
    limits: Mapping[str, Any]  # as in `[limits]` of a tournament file
    seed: int | None = None


def duel_file(lineup: Lineup, settings: DuelSettings, folder: Path, here: Path) -> File:
    """Return a duel's tournament file in ``folder``; relative paths are from ``here``.

    Commands run ``here``, and see what is there; a player that is a folder sees that alone.
    """
    who = {"format": "round-robin"}
    if len(lineup.contestants) > 2:
        who = {"format": "gauntlet", "challenger": lineup.mine.label}
    deals = max(1, settings.max_games // lineup.games_in_block)
    general = {"seats": lineup.seats, **who, "deals": deals, "duplicate": True}
    return _file(general, lineup, settings, folder, here)


def match_file(lineup: Lineup, settings: DuelSettings, folder: Path, here: Path) -> File:
    """Return the tournament file of a match in ``folder``: only its first game is played."""
    general = {"seats": lineup.seats, "deals": 1, "duplicate": False, "outputs": "all"}
    return _file(general, lineup, settings, folder, here)


def new_folder(parent: Path, labels: Sequence[str]) -> Path:
    """Return a folder that is not there yet, named after some contestants."""
    name = "-".join("".join(char if char.isalnum() else "-" for char in one) for one in labels)
    numbered = chain([name], (f"{name}-{number}" for number in count(2)))
    return next(parent / each for each in numbered if not (parent / each).exists())


def _file(
    general: Mapping[str, Any], lineup: Lineup, settings: DuelSettings, folder: Path, here: Path
) -> File:
    """Return a tournament file; ``general`` is what the two kinds differ in."""
    place, rulebook = os.path.relpath(here, folder), settings.rulebook
    if rulebook.endswith(".toml"):
        rulebook = os.path.relpath(here / rulebook, folder)
    first, *others = (one.label for one in lineup.contestants)
    name = f"{first} against {', '.join(others)}"[:100]
    seed = {} if settings.seed is None else {"seed": settings.seed}
    return {
        "tournament": {"name": name, "rulebook": rulebook, **general, **seed},
        "clocks": settings.clocks,
        "limits": settings.limits,
        "players": [
            {"name": name, **_place_of(one.settings, place, folder), **one.settings}
            for one, names in zip(lineup.contestants, lineup.teams, strict=True)
            for name in names
        ],
    }


def _place_of(own: File, place: str, folder: Path) -> File:
    """Return where a contestant runs, and what it sees that is not its own.

    A folder is copied, and it sees the copy, unless the files of the match are in it.
    """
    if "command" not in own:
        return {}
    directory = own.get("directory")
    if directory is None or folder.resolve().is_relative_to(Path(directory).resolve()):
        return {"directory": place, "read_only": [directory or place]}
    return {}


def continued(file: File, before: File) -> File:
    """Return a duel's file that goes on with an earlier one: with its seed, and at least its games.

    ``UserError`` if they differ in anything else.
    """
    own, earlier = file["tournament"], before["tournament"]
    seed = {"seed": earlier["seed"]} if "seed" in earlier else {}
    general = {**seed, **own, "deals": max(own["deals"], earlier["deals"])}
    unchanged = {**file, "tournament": {**general, "deals": earlier["deals"]}}
    if json.loads(json.dumps(unchanged)) != before:
        raise UserError("other players or settings")
    return {**file, "tournament": general}


def toml_text(file: File) -> str:
    """Return the text of a file of tables and lists of tables."""
    lines = []
    for name, content in file.items():
        tables = content if isinstance(content, list) else [content]
        for table in tables:
            lines.append(f"[[{name}]]" if tables is content else f"[{name}]")
            lines += [f"{setting} = {_value(value)}" for setting, value in table.items()]
            lines.append("")
    return "\n".join(lines)


def _value(value: object) -> str:
    """Return a value as TOML, whose strings, lists, numbers and booleans are those of JSON."""
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_value(name)} = {_value(of)}" for name, of in value.items())
        return f"{{{pairs}}}"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
