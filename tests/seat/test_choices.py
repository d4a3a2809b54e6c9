"""Whole games by what the page is offered, without a page: everything offered is legal, nothing
hidden is named.
"""

import json
import random
import re
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

import pytest
import trio
from loops import for_each, in_soak
from trio.testing import MockClock, wait_all_tasks_blocked

from acquire.admin.pages.seat.choices import Refused, answer, nothing_to_decide, question_fields
from acquire.admin.pages.seat.person import PAUSE, Person, SeatFrames
from acquire.admin.refereeing.view.frames import cell_of
from acquire.game.notation import parse_position
from acquire.game.rulebook import Rulebook, with_hidden_assets
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, REVISED, WIKIPEDIA
from acquire.game.tiles import Mask, parse_tile, tiles_in
from acquire.played_games import play_game
from acquire.player.strategies.planner import Planner
from acquire.protocol import messages
from acquire.protocol.knowledge import Knowledge
from acquire.protocol.messages import PlayerMessage, RefereeMessage
from acquire.protocol.player_view import view_for
from acquire.protocol.question import Known, Question

TILE = re.compile(r"\b(?:1[0-2]|[1-9])[A-I]\b")
THREE = ("ann", "me", "bob")
TABLES = [REVISED, CORPORATIONS, CLASSIC, WIKIPEDIA, DIGEST, with_hidden_assets(DIGEST)]


class Clicker:
    """Chooses at random among what a question offers."""

    def __init__(self, rulebook: Rulebook, seed: int) -> None:
        self.rulebook = rulebook
        self.random = random.Random(seed)
        self.kinds: set[str] = set()
        self.sent: list[tuple[str, Mask]] = []
        """Everything that the page would have been sent, and the tiles shown up to then."""
        self.seen: Mask = 0
        """All tiles that the player was ever shown."""

    def __call__(self, message: RefereeMessage) -> PlayerMessage:
        """Answer a message as a page would."""
        if isinstance(message, messages.SignUp):
            self.knowledge = Knowledge(self.rulebook, message.name)
            self.wire = SeatFrames(self.rulebook, message.name)
            return messages.VOID
        asked = self.knowledge.hear(message)
        self.wire.take(message, self.knowledge, asked)
        known = self.knowledge.known if asked is None else asked.known
        if known is not None:
            board = known.state.board
            self.seen |= board.occupied | known.state.aside | known.state.player("me").hand
        if isinstance(message, messages.NewTile | messages.MarketTile) and message.tile is not None:
            self.seen |= 1 << message.tile
        fields = None
        if asked is not None and not nothing_to_decide(asked):
            fields = question_fields(asked, self.knowledge.seated)
        self.sent.append((json.dumps([self.wire.frames[-8:], fields]), self.seen))
        if asked is None:
            return messages.VOID
        if fields is None:
            chosen = asked.simplest()
        else:
            self.kinds.add(fields["kind"])
            self.asked = asked
            chosen = answer(asked, self.choose(fields))
        self.knowledge.answered(chosen)
        self.wire.heard.answered(asked, chosen)
        return chosen

    def choose(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Fill in what the page would send."""
        match asked["kind"]:
            case "turn" | "merger":
                return self.place(asked)
            case "order":
                return self.buy(asked["purchase"])
            case "keep":
                return {"keep": [self.random.random() < 0.5 for _ in asked["hotels"]]}
            case "dispose":
                trade = 2 * self.random.randint(0, min(asked["count"] // 2, asked["left"]))
                return {"sell": self.random.randint(0, asked["count"] - trade), "trade": trade}
        return {"replace": True}

    def place(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Choose a tile and one of its options."""
        if "purchase" in asked:
            return {"tile": None, **self.buy(asked["purchase"])}
        tiles = [tile for tile in asked.get("tiles", [asked]) if "options" in tile]
        tile = self.random.choice(tiles)
        option = self.random.choice(tile["options"])
        chosen = {"tile": tile.get("cell"), "hotel": option["hotel"], "equals": option["equals"]}
        return chosen | (self.buy(option["purchase"]) if "purchase" in option else {})

    def buy(self, purchase: dict[str, Any]) -> dict[str, Any]:
        """Buy as much as possible of one hotel."""
        end = {"end": purchase["end"] is not None}
        if not purchase["hotels"]:
            return {"order": [], **end}
        row = self.random.choice(purchase["hotels"])
        count = min(purchase["limit"], row["left"], purchase["cash"] // row["price"])
        return {"order": [row["hotel"]] * count, **end}


def play(
    rulebook: Rulebook, seed: int, other: Any = "random", players: Sequence[str] = THREE
) -> Clicker:
    """Play a game of a clicker against others; those who are not built in are ejected."""
    clickers: list[Clicker] = []

    def make(rules: Rulebook, own: int) -> Clicker:
        clickers.append(Clicker(rules, own))
        return clickers[-1]

    game = play_game({**dict.fromkeys(players, other), "me": make}, rulebook, seed)
    clicker = clickers[0]
    if other != "random":
        assert {*game.ejected} == {"ann", "bob"} and game.scores["me"] > 0
        return clicker
    assert game.ejected == {}
    ranked = [frame for frame in clicker.wire.frames if frame["kind"] == "ranked"]
    names = clicker.wire.heard.names
    assert {names[one["player"]]: one["score"] for one in ranked} == game.scores
    best_first = sorted(game.scores.values(), reverse=True)
    assert [one["rank"] for one in ranked] == [best_first.index(one["score"]) + 1 for one in ranked]
    return clicker


@pytest.mark.parametrize("rulebook", TABLES, ids=lambda book: f"{book.id} {book.assets.name}")
def test_everything_offered_is_legal_and_nothing_hidden_is_named(rulebook: Rulebook) -> None:
    asked: set[str] = set()
    for seed in range(2):
        clicker = play(rulebook, seed)
        asked |= clicker.kinds
        if rulebook is REVISED:
            continue  # its hands are open
        for text, seen in clicker.sent:
            allowed = {cell_of(tile) for tile in tiles_in(seen)}
            frames, fields = json.loads(text)
            cells = {cell_of(parse_tile(name)) for name in TILE.findall(text)}
            for frame in frames:
                cells.update([frame["tile"]] if "tile" in frame else [])
                for seat, has in frame.get("players", {}).items():
                    assert seat == str(clicker.wire.heard.names.index("me")) or not has.get("hand")
                    cells.update(has.get("hand", ()))
            cells.update(tile["cell"] for tile in (fields or {}).get("tiles", ()))
            assert cells <= allowed
    assert asked >= ({"turn", "keep", "order"} if rulebook is REVISED else {"turn", "dispose"})


@pytest.mark.parametrize(
    "rulebook",
    [REVISED, CLASSIC, *in_soak(*(book for book in TABLES if book not in (REVISED, CLASSIC)))],
    ids=lambda book: f"{book.id} {book.assets.name}",
)
def test_person_whom_all_others_have_left_plays_to_the_end(rulebook: Rulebook) -> None:
    for seed in range(3):
        clicker = play(rulebook, seed, lambda *_: lambda _: messages.VOID)
        assert "turn" in clicker.kinds


def test_worth_at_the_end_is_the_score_with_the_market_too() -> None:
    wire = play(CLASSIC, 2, players=("ann", "me")).wire
    worths: dict[int, int] = {}
    scores = {one["player"]: one["score"] for one in wire.frames if one["kind"] == "ranked"}
    for frame in wire.frames:
        for seat, has in frame.get("players", {}).items():
            worths[int(seat)] = has.get("worth", worths.get(int(seat)))
    assert worths == scores and len(scores) == 2


def test_kept_certificates_are_worth_nothing_once_ones_merger_is_settled() -> None:
    wire = play(REVISED, 3).wire
    me, worths = str(wire.heard.names.index("me")), [0]
    for frame in wire.frames:
        has = frame.get("players", {}).get(me, {})
        if frame["text"] == "The merger is settled." and "worth" in has:
            assert has["worth"] < worths[-1] and not {"cash", "shares"} & has.keys()
            return
        worths.append(has.get("worth", worths[-1]))
    raise AssertionError("nothing was kept")


def test_hidden_assets_are_absent() -> None:
    clicker = play(with_hidden_assets(DIGEST), 1)
    me = str(clicker.wire.heard.names.index("me"))
    shown = [has for frame in clicker.wire.frames for has in frame.get("players", {}).items()]
    others = [has for place, has in shown if place != me]
    assert not any({"cash", "shares", "worth", "bonus"} & has.keys() for has in others)
    assert {"cash", "shares"} <= next(has for place, has in shown if place == me).keys()


def test_bag_has_what_is_neither_laid_out_nor_set_aside_nor_in_a_hand() -> None:
    state = parse_position(CLASSIC, "AA.CCC", ("ann 1B 9I", "bob 2B", "cyd"))
    aside = state._replace(aside=1 << parse_tile("12I"))
    for position, bag in ((state, 108 - 5 - 3), (aside, 108 - 5 - 3 - 1)):
        assert Known.seen(CLASSIC, view_for(position, "ann")).bag == bag


# -- what is refused ------------------------------------------------------------------------------


@cache
def heard_up_to_the_first_turn() -> list[RefereeMessage]:
    """What a player hears under `classic`; the last is the question of the turn."""
    heard: list[RefereeMessage] = []

    class Listener(Clicker):
        def __call__(self, message: RefereeMessage) -> PlayerMessage:
            heard.append(message)
            return super().__call__(message)

    play_game({"ann": "ordered", "me": Listener, "bob": "ordered"}, CLASSIC, 1)
    turn = next(at for at, one in enumerate(heard) if isinstance(one, messages.TurnView))
    return heard[: turn + 1]


@for_each(
    ("fields", "why"),
    [
        ({"tile": None}, "do not allow"),
        ({"tile": 500}, "not an answer"),
        ({"tile": -1}, "not an answer"),
        ({"tile": True}, "not an answer"),
        ({"tile": "OWN", "hotel": 3}, "do not allow"),
        ({"tile": "OWN", "order": [0]}, "do not allow"),
        ({"tile": "OWN", "order": [99]}, "do not allow"),
        ({"tile": "OWN", "order": 7}, "not an answer"),
        ({"tile": "OWN", "end": True}, "do not allow"),
        ({"tile": "OTHER"}, "do not allow"),
    ],
)
def test_illegal_answer_is_refused(fields: dict[str, Any], why: str) -> None:
    turn = heard_up_to_the_first_turn()[-1]
    assert isinstance(turn, messages.TurnView)
    asked = Question(turn, "me", Known.seen(CLASSIC, turn.view))
    tiles = question_fields(asked, 3)["tiles"]
    own = [tile["cell"] for tile in tiles if tile.get("does") == "stays alone"]
    other = next(cell for cell in range(108) if cell not in [tile["cell"] for tile in tiles])
    known = {"OWN": own[0], "OTHER": other}
    given = fields | {"tile": known.get(fields["tile"], fields["tile"])}
    with pytest.raises(Refused, match=why):
        answer(asked, given)


@asynccontextmanager
async def seated(
    rulebook: Rulebook, *heard: RefereeMessage, waits: bool = True
) -> AsyncIterator[Person]:
    """A person with a minute for each turn, who has heard some messages."""
    ours, other = socket.socketpair()
    with ours, other:
        person = Person(ours, 60.0, waits=waits)
        person.sits_down(rulebook)
        for message in heard:
            assert await person.reply(message) is messages.VOID
        yield person


@asynccontextmanager
async def before_the_first_turn(
    *, waits: bool = True
) -> AsyncIterator[tuple[Person, RefereeMessage]]:
    """A person, and the first question, which is still to be put."""
    *before, turn = heard_up_to_the_first_turn()
    async with seated(CLASSIC, *before, waits=waits) as person:
        yield person, turn


def first_answer(person: Person) -> dict[str, Any]:
    """The answer to the question of a turn that places a lonely tile and buys nothing."""
    assert person.question is not None
    tiles = person.question["tiles"]
    cell = next(tile["cell"] for tile in tiles if tile.get("does") == "stays alone")
    return {"id": person.question["id"], "tile": cell}


async def test_clock_begins_to_run_when_the_page_is_opened_if_nobody_waits(
    autojump_clock: MockClock,
) -> None:
    left: list[object] = []
    async with before_the_first_turn(waits=False) as (person, turn), trio.open_nursery() as nursery:
        nursery.start_soon(person.reply, turn)
        await trio.sleep(3600)
        assert person.time["left"] is None
        person.open_page()
        left.append(person.time["left"])
        person.take_answer(first_answer(person))
    assert left == [55.0] and person.time["stoodIn"] == 0


async def test_answer_to_another_question_is_refused() -> None:
    """A page that was asleep may send what it was asked before."""
    async with before_the_first_turn() as (person, turn):

        def send() -> None:
            right = first_answer(person)
            for wrong in (right["id"] - 1, right["id"] + 1, None):
                with pytest.raises(Refused, match="has been answered already"):
                    person.take_answer(right | {"id": wrong})
            person.take_answer(right)
            with pytest.raises(Refused, match="has been answered already"):
                person.take_answer(right)

        assert isinstance(await reply_while(person, turn, send), messages.Pbuy)
        assert person.question is None


async def test_suggestion_is_worked_out_once_for_a_question() -> None:
    """Many requests for it would keep all threads busy, also those that others wait for."""
    found: list[dict[str, Any]] = []

    async def suggest(person: Person) -> None:
        found.append(await person.suggestion())

    async with before_the_first_turn() as (person, turn), trio.open_nursery() as nursery:
        nursery.start_soon(person.reply, turn)
        await wait_all_tasks_blocked()
        async with trio.open_nursery() as asking:
            for _ in range(100):
                asking.start_soon(suggest, person)
        person.take_answer(first_answer(person))
        await wait_all_tasks_blocked()
        with pytest.raises(Refused, match="Nothing is asked"):
            await person.suggestion()
    assert len(found) == 100 and all(one is found[0] for one in found)


async def reply_while(
    person: Person, message: RefereeMessage, meanwhile: Callable[[], None]
) -> Any:
    """What a person answers, if something happens while it is asked."""
    answers: list[Any] = []

    async def ask() -> None:
        answers.append(await person.reply(message))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask)
        await wait_all_tasks_blocked()
        meanwhile()
    return answers[0]


async def test_built_in_player_plays_while_the_page_is_closed(mock_clock: MockClock) -> None:
    async with before_the_first_turn() as (person, turn):
        planner = Planner(CLASSIC, 0)
        planned = [planner(message) for message in heard_up_to_the_first_turn()]

        def leave() -> None:
            person.leave()
            mock_clock.jump(PAUSE)

        assert person.begun
        assert await reply_while(person, turn, leave) == planned[-1]
        assert person.absent == "away" and person.question is None
        person.open_page()
        asked_again = reply_while(person, turn, lambda: person.take_answer(first_answer(person)))
        assert isinstance(await asked_again, messages.Pbuy)
        assert (person.time["stoodIn"], person.time["answered"], person.absent) == (1, 2, "")


async def test_built_in_player_answers_before_the_clock_is_over(autojump_clock: MockClock) -> None:
    """The answers of one's own turn share its clock."""
    async with before_the_first_turn() as (person, turn):
        assert person.time["left"] is None
        autojump_clock.autojump_threshold = float("inf")

        def look() -> None:
            assert person.time["left"] == 55.0
            autojump_clock.jump(54.9)
            assert not person.absent
            autojump_clock.jump(0.2)

        assert isinstance(await reply_while(person, turn, look), messages.Pbuy)
        assert person.absent == "late"
        assert "planner makes a move for you" in str(person.wire and person.wire.frames[-1])


async def test_after_a_missed_question_the_next_is_the_persons_with_half_the_time(
    autojump_clock: MockClock,
) -> None:
    async with before_the_first_turn() as (person, turn):
        autojump_clock.autojump_threshold = float("inf")
        for missed, left in enumerate((55.0, 30.0, 15.0)):

            def look(left: float = left) -> None:
                assert person.time["left"] == left
                autojump_clock.jump(left)

            await reply_while(person, turn, look)
            counts = {name: person.time[name] for name in ("missed", "stoodIn", "answered")}
            assert counts == {"missed": missed + 1, "stoodIn": missed + 1, "answered": missed + 1}

        def look_and_answer() -> None:
            assert person.time["left"] == 7.5
            person.come_back()
            assert (person.time["left"], person.absent) == (55.0, "")
            person.take_answer(first_answer(person))

        await reply_while(person, turn, look_and_answer)
        assert (person.time["stoodIn"], person.time["answered"], person.absent) == (3, 4, "")


async def test_answers_of_ones_own_turn_share_its_clock(autojump_clock: MockClock) -> None:
    async with before_the_first_turn() as (person, turn):
        autojump_clock.autojump_threshold = float("inf")
        bought = parse_position(CLASSIC, "AA", ["me $6000", "ann", "bob"])
        order = messages.PlayersView(view_for(bought, "me"))
        for asked, left in ((turn, 55.0), (order, 35.0), (turn, 55.0)):

            def look(left: float = left) -> None:
                assert person.time["left"] == left
                autojump_clock.jump(20.0)
                person.leave()

            await reply_while(person, asked, look)
            person.come_back()


@pytest.mark.parametrize(
    ("own", "asked", "chosen"),
    [
        ("A1", messages.Keep((1,)), messages.KeepAnswer((True,))),
        ("A1 C2", messages.Keep((1,)), None),
        ("C2 A1", messages.Keep((1, 0)), None),
        ("$0", messages.PlayersView, messages.Order(())),
        ("$300", messages.PlayersView, None),
    ],
)
async def test_person_is_asked_only_where_there_is_a_choice(
    own: str, asked: Any, chosen: PlayerMessage | None, mock_clock: MockClock
) -> None:
    rulebook = REVISED if isinstance(asked, messages.Keep) else CLASSIC
    state = parse_position(rulebook, "AA.CCC", [f"me {own}", "ann", "bob"])
    position: RefereeMessage = messages.State(state.board, state.players)
    if rulebook is CLASSIC:
        view = view_for(state, "me")
        position, asked = messages.StateView(view), asked(view)
    async with seated(rulebook, messages.SignUp("me"), position) as person:

        def look() -> None:
            assert (person.question is None) is (chosen is not None)
            person.leave()
            mock_clock.jump(PAUSE)

        answered = await reply_while(person, asked, look)
        assert chosen in (None, answered)
