"""What no spectator is sent before the end: every byte, whatever is asked for."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from trio.testing import MockClock

from acquire.admin.pages.web import site as pages_site
from acquire.admin.pages.web.live_game import LiveGame
from acquire.admin.pages.web.site import live_game_page
from acquire.admin.refereeing.log.reader import read_bytes
from acquire.admin.refereeing.log.verifier import Replay
from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.events import Event
from acquire.admin.refereeing.view import frames
from acquire.game.rulebook import Rulebook, with_hidden_assets
from acquire.game.rulebooks import CORPORATIONS
from acquire.game.state import State
from acquire.game.tiles import TILE_NAMES, Tile, tiles_in
from acquire.played_games import play_game
from web.visitor import fed, visit

GOLDEN = Path(__file__).parents[1] / "golden"


# -- what is hidden --------------------------------------------------------------------------------


def until_turn(log: bytes, turn: int) -> bytes:
    """A log as it is when a turn begins."""
    return log[: log.index(b'<turn number="%d"' % turn)]


def header_of(log: bytes, seats: int) -> bytes:
    """The lines of a log as far as its seats."""
    lines = log.split(b"\n")
    return b"\n".join(lines[: 3 + seats]) + b"\n"


def position(log: bytes, turn: int) -> State:
    """The position when a turn begins."""
    seats = log.count(b"\n<seat ")
    found: list[State] = []

    def take(event: Event) -> None:
        if isinstance(event, events.TurnBegan) and event.number == turn:
            found.append(event.state)

    replay = Replay(read_bytes(Path("1"), header_of(log, seats)).header, take)
    replay.start()
    for line in until_turn(log, turn).split(b"\n")[3 + seats :]:
        if line:
            replay.take(etree.fromstring(line))
    return found[0]


def hidden_tiles(state: State) -> list[Tile]:
    """The tiles in hands and in the bag."""
    return [*state.bag, *(tile for player in state.players for tile in tiles_in(player.hand))]


def dealt_otherwise(log: bytes, turn: int) -> bytes:
    """The log of another game with another seed, the same to all eyes until a turn begins.

    What is in hands and in the bag then has changed places.
    """
    names = [TILE_NAMES[tile] for tile in hidden_tiles(position(log, turn))]
    other = dict(zip(names, reversed(names), strict=True))
    bag_found = re.search(rb"<bag>([^<]*)</bag>", log)
    assert bag_found is not None
    bag = [other.get(name, name) for name in bag_found[1].decode().split()]
    changed = log.replace(bag_found[1], " ".join(bag).encode(), 1)
    return re.sub(rb' seed="\d+"', b' seed="123456789"', changed, count=1)


async def served(log: bytes, clock: MockClock) -> bytes:
    """Every byte that a spectator can have of a game, turn by turn, whatever is requested."""
    sent, names = b"", read_bytes(Path("1"), header_of(log, log.count(b"\n<seat "))).header.names
    with fed() as (feed, site, take):
        feed.show(title="Acquire", waiting=names[:1], seats=len(names))
        feed.send("begun", match="1", title="Game 1", players=names)
        for number, piece in enumerate(log.split(b"\n<turn ")):
            feed.log("1", (b"\n<turn " if number else b"") + piece)
            take()
            clock.jump(1.0)
            for path in ("/", "/events", "/match/1", "/match/1/events"):
                _, head, body = await visit(site.app, path)
                sent += head + body
    return sent


HIDDEN = {
    "classic-large-hotel": 25,
    "classic-turn-undone": 10,
    "corporations-nothing-placed": 20,
    "digest-nobody-left": 6,
    "wikipedia-hand-replaced": 12,
}
"""Golden games with hidden hands, and a turn until which they are watched."""


@pytest.mark.parametrize("stem", HIDDEN)
async def test_every_byte_is_the_same_whatever_is_hidden(stem: str, mock_clock: MockClock) -> None:
    log, turn = (GOLDEN / f"{stem}.xml").read_bytes(), HIDDEN[stem]
    other = dealt_otherwise(log, turn)
    assert position(other, turn).board == position(log, turn).board
    hands = [[player.hand for player in position(each, turn).players] for each in (log, other)]
    assert all(one != two for one, two in zip(*hands, strict=True)), "all hands differ"
    sent = await served(until_turn(log, turn), mock_clock)
    assert sent.count(b'"kind":"turn"') > turn and b"<!DOCTYPE html>" in sent
    assert sent == await served(until_turn(other, turn), mock_clock)


def open_page(game: LiveGame, path: str) -> str:
    """The page of a game with its seed."""
    assert game.header is not None
    return live_game_page(game, path, str(game.header.seed))


@pytest.mark.parametrize(
    ("module", "name", "open_"),
    [
        (frames, "without_secrets", lambda step, rulebook: step),
        (pages_site, "live_game_page", open_page),
    ],
)
async def test_bytes_would_differ_if_secrets_were_sent(
    module: Any,
    name: str,
    open_: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    mock_clock: MockClock,
) -> None:
    monkeypatch.setattr(module, name, open_)
    log = (GOLDEN / "classic-large-hotel.xml").read_bytes()
    other = dealt_otherwise(log, 8)
    assert await served(until_turn(log, 8), mock_clock) != await served(
        until_turn(other, 8), mock_clock
    )


async def test_hidden_assets_are_in_no_byte(mock_clock: MockClock) -> None:
    for rulebook in (CORPORATIONS, with_hidden_assets(CORPORATIONS)):
        sent = await served(until_turn(played(rulebook), 30), mock_clock)
        for key in (b'"cash":', b'"shares":', b'"worth":', b'"bonus":'):
            assert (key in sent) is (rulebook is CORPORATIONS)
        assert (b'"worths":[null,null,null]' in sent) is (rulebook is not CORPORATIONS)


def played(rulebook: Rulebook) -> bytes:
    """The log of a game of random players."""
    return play_game(dict.fromkeys(("ann", "bob", "cyd"), "random"), rulebook, seed=7).log


async def test_game_that_begins_sealed_reveals_nothing_until_it_is_unsealed(
    mock_clock: MockClock,
) -> None:
    log = (GOLDEN / "classic-large-hotel.xml").read_bytes()
    names = read_bytes(Path("1"), log).header.names
    with fed() as (feed, site, take):

        async def sent() -> bytes:
            take()
            mock_clock.jump(1.0)
            paths = ("/events", "/match/1/events")
            return b"".join([(await visit(site.app, path)).body for path in paths])

        feed.send("begun", match="1", title="Game 1", players=names, sealed=True)
        feed.log("1", log)
        feed.send("over", match="1", ending="It is over.")
        before = await sent()
        feed.send("unsealed", match="1")
        after = await sent()
    assert b'"sealed":true' in before and b'"kind":"ranked"' in before
    for key in (b'"secret', b'"hand"'):
        assert key not in before and key in after
