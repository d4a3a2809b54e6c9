"""The referee, driven by hand: who is asked what, and the consequences of faults."""

import ast
import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from admin.match import events, merging, referee
from admin.match import in_process as local
from admin.match import judge as judge_module
from admin.match.dealer import Dealer
from admin.match.events import Event
from admin.match.outcome import Outcome
from admin.match.questions import Ask, Asks, Replies, Reply
from admin.match.referee import Referee
from game.placement import Placement
from game.rulebooks import REVISED
from game.state import State
from game.tiles import parse_tile
from game.turn import Ending
from player.strategies.simple import Ordered, Random
from protocol import messages
from protocol.faults import Fault, LocalProtocolError, Reason
from protocol.messages import AdministratorMessage, PlayerMessage

NAMES = ("ann", "bob", "cyd", "dan")
NOT_HELD = Placement(parse_tile("1A"))
"""A tile that no player has when asked first, with the seed of these tests."""
GONE = Fault(Reason.DISCONNECTED, "No message was under way.")
Choose = Callable[[str, AdministratorMessage, PlayerMessage], PlayerMessage | Fault]


def judge(choose: Choose, seed: int = 1, names: tuple[str, ...] = NAMES) -> "Told":
    """Play a match of ``ordered`` players whose every answer ``choose`` may replace."""
    told = Told()
    dealer = Dealer(seed)
    match = Referee(REVISED, names, dealer.bag, dealer.shuffle, told.events.append)
    told.referee = match
    players = {name: Ordered(REVISED, 0) for name in names}
    questions = match.play()
    asks: Asks = next(questions)
    while True:
        told.asked.append(asks)
        replies: Replies = {}
        for name, ask in asks.items():
            answer = choose(name, ask.message, players[name](ask.message))
            replies[name] = answer if isinstance(answer, Fault) else Reply(answer)
        try:
            asks = questions.send(replies)
        except StopIteration as stop:
            told.outcome = stop.value
            return told


class Told:
    """All that came out of a match."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.asked: list[dict[str, Ask]] = []
        self.outcome: Outcome
        self.referee: Referee

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    def asked_of(self, kind: type[Any]) -> list[dict[str, Ask]]:
        return [asks for asks in self.asked if isinstance(next(iter(asks.values())).message, kind)]


def well(_name: str, _asked: AdministratorMessage, answer: PlayerMessage) -> PlayerMessage:
    return answer


def at_fault(
    who: str, asked: type[Any], fault: Fault | PlayerMessage = GONE, since: int = 1
) -> Choose:
    """Replace the answers of one player to one kind of question, from the nth such on."""
    seen = 0

    def choose(name: str, message: AdministratorMessage, answer: PlayerMessage) -> Any:
        nonlocal seen
        if name == who and isinstance(message, asked):
            seen += 1
            if seen >= since:
                return fault
        return answer

    return choose


def test_set_up_informs_all_in_sign_up_order() -> None:
    told = judge(well)
    first = told.asked[0]
    assert list(first) == list(NAMES)
    assert {type(ask.message) for ask in first.values()} == {messages.State}
    message = first["ann"].message
    assert isinstance(message, messages.State)
    assert [player.name for player in message.players] == list(NAMES)


def test_mover_stands_first_in_turn_and_last_when_told_of_it_after() -> None:
    told = judge(well)
    turns, after = told.asked_of(messages.Turn), told.asked_of(messages.State)[1:]
    for turn, state in zip(turns, after, strict=False):
        (mover,) = turn
        message = turn[mover].message
        assert isinstance(message, messages.Turn)
        assert message.players[0].name == mover
        assert list(state)[-1] == mover


def test_merger_asks_everybody_the_mover_first_then_in_turn_order() -> None:
    told = judge(well)
    asked = [next(iter(asks)) for asks in told.asked_of(messages.Keep)]
    assert asked, "this seed was chosen for its mergers"
    for start in range(0, len(asked), len(NAMES)):
        order = asked[start : start + len(NAMES)]
        index = NAMES.index(order[0])
        assert tuple(order) == NAMES[index:] + NAMES[:index]


def test_players_message_shows_bonuses_and_returns() -> None:
    def return_all(_name: str, _asked: Any, answer: PlayerMessage) -> PlayerMessage:
        if isinstance(answer, messages.KeepAnswer):
            return messages.KeepAnswer((False,) * len(answer.decisions))
        return answer

    told = judge(return_all)
    asks = told.asked_of(messages.Players)[0]
    message = next(iter(asks.values())).message
    assert isinstance(message, messages.Players)
    (acquired, *_) = told.of(events.Acquired)
    before, turn = turn_of(told, acquired)
    cash = {player.name: player.cash for player in before.players}
    for event in turn:
        if isinstance(event, events.BonusPaid | events.Returned):
            cash[event.name] += event.amount
    assert {player.name: player.cash for player in message.players} == cash
    assert cash != {player.name: player.cash for player in before.players}
    assert not any(player.shares[acquired.hotel] for player in message.players)


def turn_of(told: Told, event: Event) -> tuple[State, list[Event]]:
    """Return the position before the turn in which an event came, and that turn's events."""
    at = told.events.index(event)
    began = max(i for turn in told.of(events.TurnBegan) if (i := told.events.index(turn)) < at)
    end = min(i for drew in told.of(events.Drew) if (i := told.events.index(drew)) > at)
    first = told.events[began]
    assert isinstance(first, events.TurnBegan)
    return first.state, told.events[began:end]


def test_ejected_mover_leaves_no_trace_and_the_next_player_moves() -> None:
    told = judge(at_fault("bob", messages.Turn))
    ejected = told.of(events.Ejected)
    assert [(left.name, left.reason) for left in ejected] == [("bob", Reason.DISCONNECTED)]
    turns = told.of(events.TurnBegan)
    assert [turn.name for turn in turns[:4]] == ["ann", "bob", "cyd", "dan"]
    before, after = turns[1].state, turns[2].state
    assert after.board == before.board
    assert [player.name for player in after.players] == ["cyd", "dan", "ann"]
    assert sorted(after.bag) == sorted((*before.bag, *_hand(before, "bob")))
    assert all(
        after.bank[hotel] == before.bank[hotel] + before.player("bob").shares[hotel]
        for hotel in range(7)
    )


def _hand(state: State, name: str) -> list[int]:
    from game.tiles import tiles_in

    return tiles_in(state.player(name).hand)


def test_bystander_ejected_in_a_merger_takes_the_bonus_along() -> None:
    told = judge(at_fault("dan", messages.Keep))
    (left,) = told.of(events.Ejected)
    assert (left.name, left.question) == ("dan", "keep")
    at = told.events.index(left)
    assert not any(isinstance(event, events.TurnUndone) for event in told.events)
    later = next(event for event in told.events[at:] if isinstance(event, events.TurnBegan))
    assert "dan" not in [player.name for player in later.state.players]
    assert later.state.bag == left.bag[1:], "the mover drew from the bag as it was shuffled"
    held = [sum(player.shares[hotel] for player in later.state.players) for hotel in range(7)]
    assert [a + b for a, b in zip(held, later.state.bank, strict=True)] == [25] * 7


def test_mover_ejected_after_others_answered_keep_is_undone() -> None:
    told = judge(at_fault(_first_merger_of(judge(well)), messages.Players))
    (left,) = told.of(events.Ejected)
    at = told.events.index(left)
    assert isinstance(told.events[at - 1], events.TurnUndone)
    turns = told.of(events.TurnBegan)
    undone = max(turn.number for turn in turns if told.events.index(turn) < at)
    before = next(turn.state for turn in turns if turn.number == undone)
    after = next(turn.state for turn in turns if turn.number == undone + 1)
    assert after.board == before.board
    assert after.players == before.players[1:]


def _first_merger_of(told: Told) -> str:
    return next(iter(told.asked_of(messages.Players)[0]))


def test_several_at_fault_in_one_batch_leave_in_turn_order() -> None:
    def choose(name: str, asked: AdministratorMessage, answer: PlayerMessage) -> Any:
        return GONE if name in ("dan", "bob") and isinstance(asked, messages.State) else answer

    told = judge(choose)
    assert [left.name for left in told.outcome.ejected] == ["bob", "dan"]
    ranks = {place.name: place.rank for place in told.outcome.standings}
    assert ranks["dan"] == 3
    assert ranks["bob"] == 4


def test_last_player_plays_on_alone_and_nobody_left_ends_the_game() -> None:
    def only_ann(name: str, asked: AdministratorMessage, answer: PlayerMessage) -> Any:
        return answer if name == "ann" else GONE

    told = judge(only_ann)
    assert told.outcome.ending is not Ending.NOBODY_LEFT
    assert told.outcome.turns > 10
    told = judge(lambda *_: GONE)
    assert told.outcome.ending is Ending.NOBODY_LEFT
    assert told.outcome.turns == 0
    assert [place.score for place in told.outcome.standings] == [0] * 4


@pytest.mark.parametrize("question", [messages.NewTile, messages.State], ids=["tile", "state"])
def test_the_last_player_may_leave_at_any_question(question: type[Any]) -> None:
    def choose(name: str, asked: AdministratorMessage, answer: PlayerMessage) -> Any:
        if name != "ann":
            return GONE
        return (
            GONE if isinstance(asked, question) and told_once.pop("first", None) is None else answer
        )

    told_once = {"first": True}
    told = judge(choose)
    assert told.outcome.ending is Ending.NOBODY_LEFT


def test_fault_at_the_score_keeps_the_score() -> None:
    fair = judge(well)
    told = judge(at_fault("cyd", messages.Score))
    assert told.outcome.standings == fair.outcome.standings
    (left,) = told.outcome.ejected
    assert (left.name, left.question, left.bag) == ("cyd", "score", None)


@pytest.mark.parametrize(
    ("answer", "rule"),
    [
        (messages.Merge(NOT_HELD), "tile-not-in-hand"),
        (messages.Pbuy(NOT_HELD, ()), "tile-not-in-hand"),
    ],
    ids=["bare placement", "foreign tile"],
)
def test_illegal_move_is_an_ejection_with_its_rule(answer: PlayerMessage, rule: str) -> None:
    told = judge(at_fault("cyd", messages.Turn, answer))
    (left,) = told.of(events.Ejected)
    assert left.reason is Reason.ILLEGAL
    assert left.violation.value == rule
    assert left.violation.sentence in left.detail


def test_a_driver_that_passes_on_a_wrong_answer_is_a_mistake() -> None:
    with pytest.raises(LocalProtocolError):
        judge(at_fault("ann", messages.Turn, messages.Void()))


@pytest.mark.parametrize("module", [judge_module, merging, referee], ids=lambda m: m.__name__)
def test_no_question_is_asked_without_waiting_for_its_answer(module: ModuleType) -> None:
    """A generator that is called and not driven does nothing, and no checker sees it."""
    asking = {
        method.name
        for each in (judge_module, merging, referee)
        for method in ast.walk(ast.parse(inspect.getsource(each)))
        if isinstance(method, ast.FunctionDef)
        and "Generator[" in ast.unparse(method.returns or ast.Constant(""))
    }
    assert {
        "ask",
        "notify",
        "_inform",
        "_settle",
        "_draw_for_market",
        "_ask_to_dispose",
        "_end",
    } <= asking
    tree = ast.parse(inspect.getsource(module))
    driven = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.YieldFrom)}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in asking
        ):
            assert id(node) in driven, f"line {node.lineno}: {node.func.attr}() is not driven"


def test_same_bag_and_same_players_make_the_same_match() -> None:
    def events_of(seed: int) -> list[Event]:
        dealer = Dealer(seed)
        told: list[Event] = []
        questions = Referee(REVISED, NAMES, dealer.bag, dealer.shuffle, told.append).play()
        local.play(questions, {name: Random(REVISED, 5) for name in NAMES})
        return told

    assert events_of(4) == events_of(4)
    assert events_of(4) != events_of(5)
