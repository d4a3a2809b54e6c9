"""Nothing that a page receives depends on tiles that its player never sees.

A game is played twice over real sockets, with the same moves, and with all tiles that the player
never sees dealt in another order: in the hands of the others, and in the bag. The page must receive
the same, wherever and in whatever form a hidden tile might be named.
"""

from __future__ import annotations

import json
import random
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias
from urllib.request import Request, urlopen

import pytest
import trio

from acquire.admin.pages.seat.browser import play_in_browser
from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.events import Event
from acquire.admin.refereeing.play.in_process import play_from
from acquire.admin.refereeing.play.referee import Segment
from acquire.admin.refereeing.table.clocks import Clocks
from acquire.admin.refereeing.table.lag import Lag
from acquire.admin.refereeing.table.run import beside
from acquire.admin.refereeing.view.sentences import Sentences
from acquire.admin.testing.trial.trial import Script, Trial
from acquire.game.rulebook import Rulebook, with_hidden_assets
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, WIKIPEDIA
from acquire.game.state import State, deal
from acquire.game.tiles import Mask, Tile
from acquire.player.program.client import Client, GameEnd
from acquire.player.strategies.simple import Random
from acquire.protocol.messages import PlayerMessage, RefereeMessage
from seat.playing import seat
from seat.test_choices import Clicker

Player: TypeAlias = Callable[[RefereeMessage], PlayerMessage]
NAMES = ("ann", "me", "bob")
GENEROUS = Clocks(600.0, 600.0)


class Answers:
    """Answers as a player does and remembers it; or, given what to answer, answers that."""

    def __init__(self, player: Player | None) -> None:
        self.player = player
        self.given: list[PlayerMessage] = []
        self.repeated = 0

    def __call__(self, message: RefereeMessage) -> PlayerMessage:
        """Answer one message."""
        if self.player is not None:
            self.given.append(self.player(message))
            return self.given[-1]
        self.repeated += 1
        return self.given[self.repeated - 1]

    def again(self) -> Answers:
        """Return a player that repeats these answers."""
        found = Answers(None)
        found.given = self.given
        return found


class Played(NamedTuple):
    """A game in this process: the deal, what happened in public, and each player's answers.

    ``seen`` is every tile that was shown to the player at the page, ``held`` the tiles that the
    others held at the end.
    """

    dealt: State
    public: list[str]
    answers: dict[str, Answers]
    seen: Mask
    held: list[Mask]


def play_here(rulebook: Rulebook, bag: tuple[Tile, ...], answers: dict[str, Answers]) -> Played:
    """Play a game with these players."""
    happened: list[Event] = []
    state = start = deal(rulebook, NAMES, bag)
    play_from(Segment(start, None), NAMES, answers, Dealer(0), emit=happened.append)
    seen: Mask = 0
    for event in happened:
        if isinstance(event, events.Answered | events.OutOfStep | events.Ranked):
            continue
        state = event.state
        seen |= state.board.occupied | state.aside
        seen |= sum(one.hand for one in state.players if one.name == "me")
    words = Sentences(rulebook)
    public = [*filter(None, (words.sentence(event, public=True) for event in happened))]
    held = [player.hand for player in state.players if player.name != "me"]
    return Played(start, public, answers, seen, held)


def play_alike(rulebook: Rulebook, bag: tuple[Tile, ...], first: Played) -> Played:
    """Play what looks the same in public, with the tiles that are never seen in another order."""
    places = [place for place, tile in enumerate(bag) if not first.seen >> tile & 1]
    chance = random.Random(7)
    for _ in range(50):
        order = chance.sample(places, len(places))
        other = list(bag)
        for place, source in zip(places, order, strict=True):
            other[place] = bag[source]
        again = {name: given.again() for name, given in first.answers.items()}
        try:
            found = play_here(rulebook, tuple(other), again)
        except IndexError:  # it takes another course
            continue
        if found.public == first.public:
            return found
    raise AssertionError("every other order of the hidden tiles changes the game")


# -- over sockets ----------------------------------------------------------------------------------


class Received(NamedTuple):
    """What a page received: the page, the frames, and each question with its suggestion."""

    page: bytes
    frames: list[Any]
    questions: dict[int, Any]
    over: Any


def play_over_sockets(rulebook: Rulebook, dealt: State, others: dict[str, Answers]) -> Received:
    """Play a game at a page; ``dealt`` is its first position, ``others`` the opponents."""
    client, connection = socket.socketpair()
    connection.setblocking(False)
    segments, repeated = (Segment(dealt, None),), {n: (lambda _, n=n: others[n]) for n in others}
    script = Script(rulebook, NAMES, "me", segments, repeated)

    async def referee() -> None:
        lag = Lag()
        async with beside(lag.run):
            await Trial(script, GENEROUS, lag).play(connection, "")

    address: list[str] = []
    ready = threading.Event()

    def on_address(found: str) -> None:
        address.append(found)
        ready.set()

    def play(make: Any) -> GameEnd:
        return Client(client).play("me", make)

    def sit() -> None:
        game = (client, play, lambda _: None, None, False)
        play_in_browser(lambda *_: game, on_address, open_browser=False, linger=0.0)

    threads = [threading.Thread(target=trio.run, args=(referee,)), threading.Thread(target=sit)]
    for thread in threads:
        thread.start()
    assert ready.wait(60)
    try:
        return _visit(rulebook, address[0])
    finally:
        for thread in threads:
            thread.join()
        connection.close()


def _visit(rulebook: Rulebook, address: str) -> Received:
    chooser = Clicker(rulebook, 5)
    page = b""
    frames: list[Any] = []
    questions: dict[int, Any] = {}
    with urlopen(f"{address}events", timeout=60) as stream:
        for update in _updates(stream):
            assert update.keys() == {"from", "frames", "question", "over", "time"}
            assert update["from"] == len(frames)
            frames += update["frames"]
            if frames and not page:
                with urlopen(address, timeout=60) as response:
                    page = response.read()
            asked = update["question"]
            if asked is not None and asked["id"] not in questions:
                with urlopen(f"{address}suggestion", timeout=60) as response:
                    questions[asked["id"]] = asked, json.load(response)
                answer = {"id": asked["id"], **chooser.choose(asked)}
                sent = json.dumps(answer).encode()
                headers = {"content-type": "application/json"}
                urlopen(Request(f"{address}answer", sent, headers), timeout=60).close()
            if update["over"] is not None:
                return Received(page, frames, questions, update["over"])
    raise AssertionError("the stream ended before the game")


def _updates(stream: Any) -> Iterator[dict[str, Any]]:
    """Read an event stream, of which every byte belongs to an update or is a comment."""
    for line in stream:
        if line in (b"\n", b":\n"):
            continue
        assert line.startswith(b"data: "), line
        yield json.loads(line.removeprefix(b"data: "))


def check(rulebook: Rulebook, seed: int) -> None:
    """Play a game twice, and compare."""
    bag = Dealer(seed).bag
    players: dict[str, Player] = {
        "ann": Random(rulebook, 1),
        "me": Clicker(rulebook, 5),
        "bob": Random(rulebook, 2),
    }
    first = play_here(rulebook, bag, {name: Answers(one) for name, one in players.items()})
    other = play_alike(rulebook, bag, first)
    for held, otherwise in zip(first.held, other.held, strict=True):  # ann's and bob's tiles
        assert held and held != otherwise and not (held | otherwise) & first.seen
    others = {name: first.answers[name] for name in ("ann", "bob")}
    one, two = (
        play_over_sockets(rulebook, position, {n: given.again() for n, given in others.items()})
        for position in (first.dealt, other.dealt)
    )
    assert one == two
    assert len(one.questions) > 10 and one.frames[-1]["kind"] == "result"


def test_page_receives_the_same_whatever_the_hidden_tiles_are() -> None:
    check(CLASSIC, 1)


@pytest.mark.soak
@pytest.mark.parametrize(
    "rulebook", [CLASSIC, CORPORATIONS, WIKIPEDIA, DIGEST, with_hidden_assets(DIGEST)], ids=repr
)
def test_page_receives_the_same_in_many_games(rulebook: Rulebook) -> None:
    for seed in range(2, 7):
        check(rulebook, seed)


def test_table_at_home_hides_what_is_asked_for(tmp_path: Path) -> None:
    options = ("--rulebook", "digest", "--hide", "both", "--opponents", "ordered,ordered")
    with seat(tmp_path, *options) as address, urlopen(f"{address}events", timeout=60) as stream:
        frames: list[Any] = []
        for update in _updates(stream):
            frames += update["frames"]
            if update["question"] is not None:
                break
    shown = [each for frame in frames for each in frame.get("players", {}).items()]
    for what in ("cash", "shares"):
        assert len({place for place, has in shown if what in has}) == 1
    assert len({place for place, _ in shown}) == 3
