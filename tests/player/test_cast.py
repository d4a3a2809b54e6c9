"""The misbehaving cast as data, and as players: no socket, no server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import pytest
from clear_rules import HOTELS, ClearGame, neighbours
from positions import clear, named

from admin.deal import Dealer
from admin.local import Strategy, play
from admin.referee import Referee
from game.purchase import Order
from game.rulebook import REVISED
from game.state import position
from game.violation import Violation
from player.cast import (
    CAST,
    EXPECTED,
    SETUP,
    SIGNUP,
    STATE,
    STEPS,
    TURN,
    VIOLATIONS,
    Member,
    Step,
)
from player.misbehaving import Misbehaving, signs_up_with
from player.misdeeds import WAYS, Misdeed, Send
from player.registry import HOUSE, STRATEGIES, describe
from player.strategies import Ordered
from protocol import messages
from protocol.conversation import Conversation
from protocol.faults import Fault, Reason
from protocol.framing import LIMIT_FROM_PLAYER
from protocol.inbox import Inbox, Memory
from protocol.messages import AdministratorMessage, PlayerMessage
from protocol.reading import read_players_side
from protocol.writing import Writer

WRITER = Writer(REVISED)
MEMORY = Memory(read_players_side(REVISED))

EVERYWHERE = (
    "silent", "dribble", "unclosed", "goes-away", "goes-away-half", "crashes", "speaks-ahead",
    "not-xml", "mismatched", "not-utf-8", "utf-16", "nul", "doctype", "doctype-bomb",
    "doctype-file", "undefined-entity", "too-deep", "too-long", "floods", "unknown-element",
    "wrong-case", "unknown-child", "unknown-attribute", "stray-text",
)  # fmt: skip
ONLY_WITH = {
    "missing-attribute": ("signup", "turn", "order"),
    "wrong-child-order": ("turn",),
    "too-many-children": ("turn", "keep", "order"),
    "no-children": ("turn", "keep"),
    "three-certificates": ("turn", "order"),
    "column-0": ("turn",),
    "column-13": ("turn",),
    "row-j": ("turn",),
    "unknown-hotel": ("turn", "order"),
    "empty-name": ("signup",),
    "long-name": ("signup",),
}


# -- the cast as data ---------------------------------------------------------------------------


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_every_way_that_any_answer_has_room_for_is_in_the_cast_at_every_step(step: Step) -> None:
    assert {f"{step.name}-{way}" for way in EVERYWHERE} <= CAST.keys()


def test_the_other_ways_are_where_the_answer_has_room_for_them() -> None:
    found = {way: tuple(step.name for step in STEPS if f"{step.name}-{way}" in CAST)
             for way in ONLY_WITH}  # fmt: skip
    assert found == ONLY_WITH
    assert {way.name for way in WAYS} == {*EVERYWHERE, *ONLY_WITH}


@pytest.mark.parametrize(
    ("step", "due"),
    [
        ("signup", {"signup"}),
        ("setup", {"void"}),
        ("turn", {"pbuy", "placement"}),
        ("keep", {"keep"}),
        ("order", {"order"}),
        ("tile", {"void"}),
        ("state", {"void"}),
        ("score", {"void"}),
    ],
)
def test_whatever_is_not_due_at_a_step_is_said_by_one_of_the_cast(step: str, due: set[str]) -> None:
    says = f"{step}-says-"
    said = {name.removeprefix(says) for name in CAST if name.startswith(says)}
    assert said == {"signup", "void", "pbuy", "placement", "keep", "order"} - due


def test_every_violation_that_a_player_can_commit_is_in_the_cast() -> None:
    # the schema refuses three certificates; an eighth hotel is not founded, but nothing is refused
    assert {*VIOLATIONS.values()} == {*Violation} - {Violation.TOO_MANY, Violation.EIGHTH_HOTEL}


def test_every_reason_to_eject_a_player_is_in_the_cast() -> None:
    # the other two are no fault of a player
    assert {*EXPECTED.values()} == {*Reason} - {Reason.NO_SEAT, Reason.INTERRUPTED}


def test_whoever_breaks_a_rule_is_expected_to_be_ejected_for_an_illegal_move() -> None:
    illegal = {name for name, reason in EXPECTED.items() if reason is Reason.ILLEGAL}
    assert illegal == VIOLATIONS.keys()


def test_each_is_named_for_its_step_and_its_way() -> None:
    for name, member in CAST.items():
        assert name == f"{member.step.name}-{member.way}"


def test_each_is_described_in_a_line_of_its_own() -> None:
    lines = [describe(name) for name in STRATEGIES]
    assert len({*lines}) == len(lines)
    for line in lines:
        assert line.endswith(".") and "\n" not in line and 20 < len(line) < 100


def test_the_house_comes_first_in_the_registry() -> None:
    assert [*STRATEGIES] == [*HOUSE, *CAST]


def test_there_is_no_description_of_a_player_that_there_is_not() -> None:
    with pytest.raises(KeyError):
        describe("turn-fast-asleep")


# -- what they send, and what the protocol makes of it ------------------------------------------


def first_fault(step: Step, chunks: Iterator[bytes]) -> Fault | None:
    """Read chunks where this step's answer is due, and on, until there is a fault."""
    inbox = Inbox(MEMORY, Conversation.of_administrator(step.stands), LIMIT_FROM_PLAYER)
    for chunk in chunks:
        heard = inbox.receive(chunk)
        if isinstance(heard, Fault):
            return heard
    return None


def sent_by(member: Member) -> bytes | None:
    """Return the bytes that a member sends instead of its step's example of a right answer."""
    if member.violation is not None:
        return None
    if member.step is SIGNUP:
        misdeed: object = signs_up_with(member.name)
    else:
        ways = {way.name: way for way in WAYS}
        example = WRITER.write(member.step.answer)
        misdeed = ways[member.way].act(example) if member.way in ways else None
    return misdeed.data if isinstance(misdeed, Send) else None


SENDERS = {name: data for name, member in CAST.items() if (data := sent_by(member)) is not None}
SENDERS_AT_ONCE = [name for name in SENDERS if EXPECTED[name] is not Reason.TIMED_OUT]


@pytest.mark.parametrize("name", SENDERS_AT_ONCE)
def test_what_is_sent_is_the_fault_that_is_expected(name: str) -> None:
    fault = first_fault(CAST[name].step, iter([SENDERS[name]]))
    assert fault is not None and fault.reason is EXPECTED[name]


@pytest.mark.parametrize("name", SENDERS_AT_ONCE)
def test_the_fault_is_the_same_however_the_bytes_are_cut(name: str) -> None:
    data = SENDERS[name]
    for size in (1, 2, 7, 64):
        chunks = (data[start : start + size] for start in range(0, len(data), size))
        fault = first_fault(CAST[name].step, chunks)
        assert fault is not None and fault.reason is EXPECTED[name], size


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_a_right_answer_is_no_fault(step: Step) -> None:
    assert first_fault(step, iter([WRITER.write(step.answer)])) is None


def test_a_bomb_is_as_small_as_a_message_may_be_and_huge_when_it_goes_off() -> None:
    bomb = SENDERS["turn-doctype-bomb"]
    assert len(bomb) < LIMIT_FROM_PLAYER
    assert bomb.count(b"<!ENTITY") == 10 and bomb.count(b"&a8;") == 10


def test_a_message_that_is_too_long_is_so_by_one_byte_and_otherwise_right() -> None:
    too_long = SENDERS["turn-too-long"]
    assert len(too_long) == LIMIT_FROM_PLAYER + 1 == 4097
    assert first_fault(TURN, iter([too_long.replace(b"  ", b" ", 1)])) is None


def test_a_message_that_is_too_deep_is_so_by_one_element() -> None:
    too_deep = SENDERS["turn-too-deep"]
    less = too_deep.replace(b"<a>", b"", 1).replace(b"</a>", b"", 1)
    fault = first_fault(TURN, iter([less]))
    assert fault is not None and fault.reason is Reason.INVALID


def test_who_signs_up_rightly_has_no_misdeed_at_sign_up() -> None:
    assert signs_up_with("turn-silent") is None
    assert signs_up_with("ordered") is None


@pytest.mark.parametrize("name", [name for name in CAST if CAST[name].step is SIGNUP])
def test_who_does_not_sign_up_rightly_has_a_misdeed_at_sign_up(name: str) -> None:
    assert isinstance(signs_up_with(name), Misdeed)


# -- how they play ------------------------------------------------------------------------------


class Answer(NamedTuple):
    """A question, what a member answered, and what ``ordered`` would have."""

    message: AdministratorMessage
    answer: object
    right: PlayerMessage


class Watched:
    """A member at play beside ``ordered``, which is asked the same questions.

    Where the member does something else, the game goes on with the right answer.
    """

    def __init__(self, member: Member) -> None:
        self.misbehaving = Misbehaving(member, REVISED, 0)
        self._ordered = Ordered(REVISED, 0)
        self.answers: list[Answer] = []

    def __call__(self, message: AdministratorMessage) -> PlayerMessage:
        right = self._ordered(message)
        self.answers.append(Answer(message, self.misbehaving(message), right))
        return right


def played(member: Member, seed: int, players: int = 3) -> Watched:
    """Play a whole game with a member and the house, in this process."""
    watched = Watched(member)
    seats: dict[str, Strategy] = {"member": watched}
    seats |= {f"other-{number}": Ordered(REVISED, 0) for number in range(1, players)}
    dealer = Dealer(seed)
    referee = Referee(REVISED, list(seats), dealer.bag, dealer.shuffle, lambda _: None)
    play(referee.story(), seats)
    return watched


def step_of(asked: list[AdministratorMessage]) -> str:
    """Return the step of the last of these questions."""
    states = [message for message in asked if isinstance(message, messages.State)]
    match asked[-1]:
        case messages.State():
            return "setup" if len(states) == 1 else "state"
        case messages.Turn():
            return "turn"
        case messages.Keep():
            return "keep"
        case messages.Players():
            return "order"
        case messages.NewTile():
            return "tile"
        case messages.Score():
            return "score"
    raise AssertionError(asked[-1])


@pytest.mark.parametrize("name", [name for name in CAST if CAST[name].step is not SIGNUP])
def test_it_plays_as_ordered_but_for_one_misdeed_at_its_step(name: str) -> None:
    member = CAST[name]
    for seed in range(400):
        watched = played(member, seed)
        wrong = [at for at, answer in enumerate(watched.answers) if answer.answer != answer.right]
        assert bool(wrong) is (watched.misbehaving.deed is not None)
        if wrong:
            break
    (at,) = wrong
    assert watched.misbehaving.deed is watched.answers[at].answer
    assert step_of([answer.message for answer in watched.answers[: at + 1]]) == member.step.name
    if member.violation is None:
        assert isinstance(watched.misbehaving.deed, Misdeed)
    else:
        assert not isinstance(watched.misbehaving.deed, Misdeed)


@pytest.mark.parametrize("way", EVERYWHERE)
def test_a_misdeed_that_is_always_possible_is_done_at_the_first_chance(way: str) -> None:
    for step in (SETUP, TURN, STATE):
        answers = played(CAST[f"{step.name}-{way}"], seed=0).answers
        asked = [answer.message for answer in answers]
        steps = [step_of(asked[: at + 1]) for at in range(len(asked))]
        done = [answer.answer != answer.right for answer in answers].index(True)
        assert done == steps.index(step.name)


# -- the rules, by the yardstick that knows nothing of ours -------------------------------------


class Foul(NamedTuple):
    """An illegal answer, and the position in which it is judged, laid out for the yardstick."""

    game: ClearGame
    answer: PlayerMessage


ENOUGH = 6
"""Illegal answers of each kind to be looked at."""
PLACING = messages.Pbuy | messages.Merge


def wrong_in_the_order_alone(answer: object, right: PlayerMessage) -> bool:
    match answer, right:
        case messages.Pbuy(placement), messages.Pbuy(right_placement):
            return placement == right_placement
    return False


def foul_in(answers: Sequence[Answer]) -> Foul | None:
    """Find the illegal answer of a game: a placement before it is made, an order after it."""
    game = ClearGame([], [])
    for message, answer, right in answers:
        match message:
            case messages.Turn(board, players):
                game = clear(position(REVISED, board, players))
                assert isinstance(right, PLACING)
                if answer == right or wrong_in_the_order_alone(answer, right):
                    game.place(*named(right.placement))
            case messages.Players(players):
                for player in players:
                    clear_player = game.player(player.name)
                    clear_player.cash = player.cash
                    clear_player.shares = dict(zip(HOTELS, player.shares, strict=True))
        if answer != right:
            assert isinstance(answer, PLACING | messages.Order | messages.Kept)
            return Foul(game, answer)
    return None


@cache
def fouls(name: str) -> list[Foul]:
    """Collect the illegal answers of a member in some games: there is one wherever it acted."""
    found: list[Foul] = []
    for seed in range(300):
        watched = played(CAST[name], seed)
        foul = foul_in(watched.answers)
        assert (foul is None) is (watched.misbehaving.deed is None), "what it did was legal"
        if foul is not None:
            found.append(foul)
        if len(found) == ENOUGH:
            break
    return found


def breaks(violation: Violation, game: ClearGame, answer: PlayerMessage) -> bool:
    """Say whether the answer breaks this rule, in the yardstick's words."""
    match answer:
        case messages.Kept(decisions):
            assert violation is Violation.KEEP_COUNT
            return len(decisions) != len(game.acquired) and 1 <= len(decisions) <= 3
        case messages.Order(order):
            return breaks_by_order(violation, game, order)
        case messages.Pbuy(placement, order) if order:
            return breaks_by_order(violation, game, order)
        case messages.Pbuy(placement) | messages.Merge(placement):
            alone = isinstance(answer, messages.Merge)
            return breaks_by_placement(violation, game, *named(placement), alone=alone)
    raise AssertionError(answer)


def breaks_by_placement(
    violation: Violation, game: ClearGame, tile: str, hotel: str | None, *, alone: bool
) -> bool:
    if violation is Violation.NOT_IN_HAND:
        return tile not in game.mover.tiles
    assert tile in game.mover.tiles
    kind, beside = game.kind(tile), game.hotels_beside(tile)
    loose = game.loose & neighbours(tile)
    match violation:
        case Violation.BESIDE_LOOSE:
            return bool(loose) and bool(beside)
        case Violation.SAFE_MERGER:
            largest = max(map(game.size, beside))
            named_largest = hotel in beside and game.size(hotel) == largest
            return kind == "merging" and not loose and game.is_safe(hotel or "") and named_largest
    assert game.is_placeable(tile)
    choices, legal = game.choices(tile), hotel in game.choices(tile)
    match violation:
        case Violation.NO_HOTEL_NAMED:
            return hotel is None and not legal and alone is (kind == "merging")
        case Violation.HOTEL_NOT_DUE:
            return hotel is not None and choices == [None]
        case Violation.HOTEL_ON_BOARD:
            return kind == "founding" and hotel in game.hotels and not alone
        case Violation.NOT_A_MERGER:
            return kind != "merging" and legal and alone
        case Violation.MERGER_WITH_ORDER:
            return kind == "merging" and legal and not alone
        case Violation.NOT_INVOLVED:
            return kind == "merging" and hotel not in beside and alone
        case Violation.NOT_LARGEST:
            return kind == "merging" and hotel in beside and not legal and alone
    raise AssertionError(violation)


def breaks_by_order(violation: Violation, game: ClearGame, order: Order) -> bool:
    hotels = [REVISED.hotel_name(hotel) for hotel in order]
    mixed = len({*hotels}) > 1
    unpriced = not all(map(game.price, hotels))
    sold_out = any(hotels.count(hotel) > game.bank(hotel) for hotel in hotels)
    too_dear = sum(map(game.price, hotels)) > game.mover.cash
    broken = {
        Violation.MIXED_ORDER: mixed,
        Violation.NO_PRICE: unpriced,
        Violation.SOLD_OUT: sold_out,
        Violation.TOO_DEAR: too_dear,
    }
    return [rule for rule, is_broken in broken.items() if is_broken] == [violation]


@pytest.mark.parametrize("name", VIOLATIONS)
def test_an_illegal_move_breaks_the_rule_that_it_is_said_to_break(name: str) -> None:
    assert fouls(name)
    for game, answer in fouls(name):
        assert breaks(VIOLATIONS[name], game, answer)


def test_an_eighth_hotel_is_founded_only_when_all_seven_are_on_the_board() -> None:
    for game, answer in fouls("turn-founds-an-eighth"):
        assert isinstance(answer, messages.Pbuy)
        tile, _ = named(answer.placement)
        assert len(game.hotels) == 7 and game.kind(tile) == "founding"


class InProcess(Misbehaving):
    """A member whose misdeed is a move, so that it can sit at a table without a connection."""

    def __call__(self, message: AdministratorMessage) -> PlayerMessage:
        answer = super().__call__(message)
        assert not isinstance(answer, Misdeed)
        return answer


@pytest.mark.parametrize("name", VIOLATIONS)
def test_the_referee_ejects_it_for_that_rule(name: str) -> None:
    for seed in range(300):
        member = InProcess(CAST[name], REVISED, 0)
        seats: dict[str, Strategy] = {
            "a": Ordered(REVISED, 0),
            "member": member,
            "c": Ordered(REVISED, 0),
        }
        dealer = Dealer(seed)
        referee = Referee(REVISED, list(seats), dealer.bag, dealer.shuffle, lambda _: None)
        outcome = play(referee.story(), seats)
        if member.deed is not None:
            break
    assert [(left.name, left.reason, left.violation) for left in outcome.ejected] == [
        ("member", Reason.ILLEGAL, VIOLATIONS[name])
    ]
