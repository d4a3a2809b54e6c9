"""A game for spectators while its log is written: what they are sent, and what they are not."""

import json
from itertools import cycle, product
from pathlib import Path
from typing import Any

import pytest
from loops import in_soak

from acquire.admin.pages.web.live_game import LiveGame
from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.view.frames import Frame, frames_of
from acquire.game.rulebook import Hands

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.xml"))
SIZES = (100, 5000)
"""Bytes in a piece; only the header is longer."""


USUAL = [*zip(GOLDEN[::2], cycle(SIZES))]
"""In `make test` every other log, and the sizes take turns."""
OTHERS = [case for case in product(GOLDEN, SIZES) if case not in USUAL]
FIRST = [*{path.stem.partition("-")[0]: path for path in reversed(GOLDEN)}.values()]
"""The first log of each rulebook."""
LATER = [path for path in GOLDEN if path not in FIRST]


def title(value: Path | int) -> str:
    return value.stem if isinstance(value, Path) else str(value)


def begun(path: Path, *, sealed: bool = False) -> LiveGame:
    """A live game of the players of a log, which has taken nothing of it."""
    return LiveGame("1", "Game 1", read(path).header.names, sealed=sealed)


def live(path: Path, size: int) -> LiveGame:
    """A live game that has taken a log in pieces of one size, not closed yet."""
    live_game, data = begun(path), path.read_bytes()
    for start in range(0, len(data), size):
        live_game.take(data[start : start + size])
    return live_game


def sent(live_game: LiveGame) -> list[dict[str, Any]]:
    """The messages, read as a browser would."""
    return [*map(taken, live_game.messages)]


def taken(message: bytes) -> dict[str, Any]:
    """A message, read as a browser would."""
    assert message.startswith(b"data: ") and message.endswith(b"}\n\n")
    fields: dict[str, Any] = json.loads(message[6:])
    return fields


def whole(path: Path) -> list[Frame]:
    """All steps of a game."""
    return frames_of(read(path))[0]


@pytest.mark.parametrize(("path", "size"), [*USUAL, *in_soak(*OTHERS)], ids=title)
def test_log_in_pieces_makes_all_steps_and_reveals_hidden_hands_at_the_end(
    path: Path, size: int
) -> None:
    header = read(path).header
    live_game = live(path, size)
    before_the_end = b"".join(live_game.messages)
    steps = [step for message in sent(live_game)[1:] for step in message["steps"]]
    if header.rulebook.hands is Hands.OPEN:
        assert b'"hand"' in before_the_end
    else:
        assert b'"hand"' not in before_the_end and b'"secret"' not in before_the_end
        draws = [step for step in steps if step["kind"] == "drew"]
        assert draws and not any("tile" in step for step in draws)

    live_game.close("It is over.")
    game, *before, last = sent(live_game)
    assert game["match"]["names"] == [*header.names]
    expected = whole(path)
    if "interrupted" in path.stem:  # whose last event answers nothing
        expected = expected[:-1]
    whole_game = taken(live_game.whole)
    assert whole_game == {"match": game["match"], "steps": expected, "over": True}
    if header.rulebook.hands is Hands.OPEN:
        assert last == {"over": True} and steps == expected
    else:
        assert last == whole_game
    assert sum(len(message["steps"]) for message in before) == len(steps) == len(expected)


@pytest.mark.parametrize("path", [*FIRST, *in_soak(*LATER)], ids=title)
def test_sealed_game_keeps_its_secrets_when_it_is_over(path: Path) -> None:
    live_game, open_to_all = begun(path, sealed=True), live(path, 5000)
    open_to_all.close("It is over.")
    live_game.take(path.read_bytes())
    live_game.close("It is over.")
    assert live_game.ending and not live_game.complete
    assert sent(live_game)[-1] == {"sealed": True}
    assert not any('"secret"' in str(message) for message in sent(live_game))
    live_game.unseal()
    assert live_game.complete
    assert sent(live_game)[-1] == sent(open_to_all)[-1]
    assert live_game.whole == open_to_all.whole


def test_game_that_is_unsealed_before_its_end_reveals_all_at_its_end() -> None:
    live_game = begun(GOLDEN[0], sealed=True)
    live_game.take(GOLDEN[0].read_bytes())
    live_game.unseal()
    assert len(sent(live_game)) > 1 and "over" not in sent(live_game)[-1]
    live_game.close("It is over.")
    assert live_game.complete and sent(live_game)[-1]["over"]
