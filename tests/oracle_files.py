"""The oracle files: messages that other programs sent, for tests that compare with them.

A sample of them is in ``tests/golden/others``. The files themselves are no part of the project.
They are looked for in ``$ACQUIRE_ORACLES``, else in a folder beside the project; a test that needs
a file that is not there is not collected.
"""

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

WIRE_GAMES = "revised_wire_games.jsonl.gz"
STUDENT_MESSAGES = "student_messages.jsonl.gz"
STREAMS = "wire/*.txt.gz"

OTHERS = Path(__file__).parent / "golden" / "others"
MESSAGES_HERE = OTHERS / "messages.jsonl.gz"
STREAM_HERE = OTHERS / "stream.jsonl.gz"
"""The sample in the repository."""


def needs(pattern: str) -> pytest.MarkDecorator:
    """Mark a test that is not collected where no oracle file has such a name."""
    return pytest.mark.larger_sets(oracle_files(pattern))


def oracle_files(pattern: str) -> list[Path]:
    """Return the oracle files of a pattern."""
    return sorted(ORACLES.glob(pattern))


def each_stream() -> list[Any]:
    """Return one test parameter, a path, for each recorded stream, first that of the sample.

    The soak has the others but one.
    """
    found = oracle_files(STREAMS)
    paths = {"here": STREAM_HERE} | {path.name.partition(".")[0]: path for path in found}
    return [
        pytest.param(path, id=name, marks=() if place < 2 else pytest.mark.soak)
        for place, (name, path) in enumerate(paths.items())
    ]


def lines(path: Path) -> Iterator[str]:
    """Yield the lines of a gzip'd text file."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        for line in file:
            yield line.rstrip("\n")


@cache
def json_lines(name: str) -> list[Any]:
    """Return what an oracle file holds, one value a line; not to be changed."""
    return [json.loads(line) for line in lines(ORACLES / name)]


def game_count(name: str) -> int:
    """Return how many games an oracle file holds, 0 where it is missing, to number tests by."""
    path = ORACLES / name
    return sum(1 for _ in lines(path)) if path.exists() else 0


USUAL_GAMES = 3
"""How many games of a file `make test` plays; the soak has the others."""


def each_game(name: str) -> list[Any]:
    """Return one test parameter, an index, for each game of a file."""
    return [
        pytest.param(
            index, id=f"game-{index + 1}", marks=() if index < USUAL_GAMES else pytest.mark.soak
        )
        for index in range(game_count(name))
    ] or [pytest.param(0, id="none", marks=needs(name))]


SIDES = {"ADMINISTRATOR": Side.REFEREE, "PLAYER": Side.PLAYER}
"""By the names in the recorded files."""


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
    if path == STREAM_HERE:
        told = map(json.loads, lines(path))
        return [Recorded(seat, SIDES[side], data.encode()) for seat, side, data in told]
    found = []
    for line in lines(path):
        if match := _STREAM_LINE.fullmatch(line):
            seat, way, data = match.groups()
            side = Side.PLAYER if way == "C>S" else Side.REFEREE
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
            found.append(Recorded(last, Side.REFEREE, data))
        else:
            signs_up = data.startswith(b"<signup")
            found.append(Recorded(len(names) if signs_up else last, Side.PLAYER, data))
    return found
