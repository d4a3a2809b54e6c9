"""The oracle files: games and messages that other programs made, for tests that compare with them.

They are no part of the project. They are looked for in ``$ACQUIRE_ORACLES``, else in a folder
beside the project; a test that needs a file that is not there is skipped.
"""

from __future__ import annotations

import gzip
import json
import os
import re
from ast import literal_eval
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from acquire.protocol.conversation import Side

ORACLES = Path(
    os.environ.get("ACQUIRE_ORACLES") or Path(__file__).parents[2] / "shared" / "oracles"
)

REVISED_GAMES = "revised_games.jsonl.gz"
WIRE_GAMES = "revised_wire_games.jsonl.gz"
STUDENT_MESSAGES = "student_messages.jsonl.gz"
STREAMS = "wire/*.txt.gz"
CLASSIC_GAMES = "classic_games.jsonl.gz"
CLASSIC_RARE_GAMES = "classic_rare_games.jsonl.gz"
CLASSIC_POSITIONS = "classic_positions/*/*.txt"


def oracle_file(name: str) -> Path:
    """Return where an oracle file is; the test is skipped where there is none."""
    path = ORACLES / name
    if not path.exists():
        pytest.skip(f"no oracle file {name} in {ORACLES}; set ACQUIRE_ORACLES to its folder")
    return path


def oracle_files(pattern: str) -> list[Path]:
    """Return the oracle files of a pattern; the test is skipped where there are none."""
    paths = sorted(ORACLES.glob(pattern))
    if not paths:
        pytest.skip(f"no oracle file {pattern} in {ORACLES}; set ACQUIRE_ORACLES to its folder")
    return paths


def each_file(pattern: str) -> list[Any]:
    """Return one test parameter, a path, for each file of a pattern; else one that is skipped."""
    paths = sorted(ORACLES.glob(pattern))
    if paths:
        return [pytest.param(path, id=_below_its_folder(path)) for path in paths]
    reason = f"no oracle file {pattern} in {ORACLES}; set ACQUIRE_ORACLES to its folder"
    return [pytest.param(Path(), id="none", marks=pytest.mark.skip(reason=reason))]


def _below_its_folder(path: Path) -> str:
    """Name a file without the folder of its kind, and without what follows a point."""
    _, *below = path.relative_to(ORACLES).parts
    return "/".join(below or [path.name]).partition(".")[0]


def lines(path: Path) -> Iterator[str]:
    """Yield the lines of a gzip'd text file."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        for line in file:
            yield line.rstrip("\n")


@cache
def json_lines(name: str) -> list[Any]:
    """Return what an oracle file holds, one value a line; not to be changed."""
    return [json.loads(line) for line in lines(oracle_file(name))]


def game_count(name: str) -> int:
    """Return how many games an oracle file holds, 0 where it is missing, to number tests by."""
    path = ORACLES / name
    return sum(1 for _ in lines(path)) if path.exists() else 0


USUAL_GAMES = 3
"""How many games of a file `make test` plays; the soak has the others."""


def each_game(name: str) -> list[Any]:
    """Return one test parameter, an index, for each game of a file; else one that is skipped."""
    count = game_count(name)
    if count:
        return [
            pytest.param(
                index,
                id=f"game-{index + 1}",
                marks=() if index < USUAL_GAMES else pytest.mark.soak,
            )
            for index in range(count)
        ]
    reason = f"no oracle file {name} in {ORACLES}; set ACQUIRE_ORACLES to its folder"
    return [pytest.param(0, id="none", marks=pytest.mark.skip(reason=reason))]


class Recorded(NamedTuple):
    """Bytes that one side of a recorded connection sent: a message, or a piece of one.

    ``seat`` counts from 0, in the order of sign-up.
    """

    seat: int
    side: Side
    data: bytes


_STREAM_LINE = re.compile(r"\s*[\d.]+ seat=(\d+) (C>S|S>C) (b['\"].*)")


def stream(path: Path) -> list[Recorded]:
    """Return the chunks of a recorded stream, in order, as they were received."""
    found = []
    for line in lines(path):
        if match := _STREAM_LINE.fullmatch(line):
            seat, way, data = match.groups()
            side = Side.PLAYER if way == "C>S" else Side.ADMINISTRATOR
            found.append(Recorded(int(seat) - 1, side, literal_eval(data)))
    return found


def wire_game(index: int) -> list[Recorded]:
    """Return all messages of a recorded game, in order.

    What stands there without a player's name is from the one who was last spoken to.
    """
    names: list[str] = []
    last = -1
    found = []
    for message in json_lines(WIRE_GAMES)[index]["messages"]:
        name, data = message["player"], message["xml"].encode()
        if message["from"] == "object:remote-player%":
            if name not in names:
                names.append(name)
            last = names.index(name)
            found.append(Recorded(last, Side.ADMINISTRATOR, data))
        else:
            signs_up = data.startswith(b"<signup")
            found.append(Recorded(len(names) if signs_up else last, Side.PLAYER, data))
    return found
