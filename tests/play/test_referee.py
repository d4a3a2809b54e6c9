"""The referee, driven by hand: its questions, and the consequences of faults."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from loops import for_each
from positions import ROW_E_IS_DEAD, by_initials, move, names, scene, tiles

from acquire.admin.refereeing.log.recorder import Recorder
from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.events import Event
from acquire.admin.refereeing.play.referee import Referee
from acquire.admin.refereeing.view.sentences import Sentences
from acquire.game.placement import Placement
from acquire.game.rulebooks import CLASSIC, REVISED, WIKIPEDIA
from acquire.game.state import State
from acquire.game.tiles import parse_tile, tiles_in
from acquire.game.turn import Ending
from acquire.game.violation import Violation
from acquire.played_games import play_game
from acquire.player.strategies.simple import Ordered, Random
from acquire.protocol import messages
from acquire.protocol.faults import Fault, LocalProtocolError, Reason
from acquire.protocol.messages import PlayerMessage, RefereeMessage
from play.driven import GONE, Driven, play_on

NAMES = ("ann", "bob", "cyd", "dan")
NOT_HELD = Placement(parse_tile("1A"))
"""A tile that no player has when asked first, with the seed of these tests."""
Choose = Callable[[str, RefereeMessage, PlayerMessage], PlayerMessage | Fault]


def judge(choose: Choose, seed: int = 1, names: tuple[str, ...] = NAMES) -> Driven:
    """Play a game of `ordered` players whose every answer `choose` may replace."""
    game, dealer = Driven(), Dealer(seed)
    game.referee = Referee(REVISED, names, dealer.bag, dealer.shuffle, game.events.append)
    players = {name: Ordered(REVISED, 0) for name in names}
    return game.drive(lambda name, message: choose(name, message, players[name](message)))


def well(_name: str, _asked: RefereeMessage, answer: PlayerMessage) -> PlayerMessage:
    return answer


def at_fault(
    who: str, asked: type[Any], fault: Fault | PlayerMessage = GONE, since: int = 1
) -> Choose:
    """Replace the answers of one player to one kind of question, from the nth such on."""
    seen = 0

    def choose(name: str, message: RefereeMessage, answer: PlayerMessage) -> Any:
        nonlocal seen
        if name == who and isinstance(message, asked):
            seen += 1
            if seen >= since:
                return fault
        return answer

    return choose


def test_set_up_informs_all_in_sign_up_order() -> None:
    game = judge(well)
    first = game.asked[0]
    assert list(first) == list(NAMES)
    assert {type(ask.message) for ask in first.values()} == {messages.State}
    message = first["ann"].message
    assert isinstance(message, messages.State)
    assert [player.name for player in message.players] == list(NAMES)


def test_mover_is_listed_first_in_its_turn_and_last_after_it() -> None:
    game = judge(well)
    turns, after = game.asked_of(messages.Turn), game.asked_of(messages.State)[1:]
    for turn, state in zip(turns, after, strict=False):
        (mover,) = turn
        message = turn[mover].message
        assert isinstance(message, messages.Turn)
        assert message.players[0].name == mover
        assert list(state)[-1] == mover


def test_merger_asks_every_player_the_mover_first_then_in_turn_order() -> None:
    game = judge(well)
    asked = [next(iter(asks)) for asks in game.asked_of(messages.Keep)]
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

    game = judge(return_all)
    asks = game.asked_of(messages.Players)[0]
    message = next(iter(asks.values())).message
    assert isinstance(message, messages.Players)
    (acquired, *_) = game.of(events.Acquired)
    before, turn = turn_of(game, acquired)
    cash = {player.name: player.cash for player in before.players}
    for event in turn:
        if isinstance(event, events.BonusPaid | events.Returned):
            cash[event.name] += event.amount
    assert {player.name: player.cash for player in message.players} == cash
    assert cash != {player.name: player.cash for player in before.players}
    assert not any(player.shares[acquired.hotel] for player in message.players)


def turn_of(game: Driven, event: Event) -> tuple[State, list[Event]]:
    """Return the position before the turn in which an event came, and that turn's events."""
    at = game.events.index(event)
    began = max(i for turn in game.of(events.TurnBegan) if (i := game.events.index(turn)) < at)
    end = min(i for drew in game.of(events.Drew) if (i := game.events.index(drew)) > at)
    first = game.events[began]
    assert isinstance(first, events.TurnBegan)
    return first.state, game.events[began:end]


def test_ejected_mover_leaves_no_trace_and_the_next_player_moves() -> None:
    game = judge(at_fault("bob", messages.Turn))
    ejected = game.of(events.Ejected)
    assert [(left.name, left.reason) for left in ejected] == [("bob", Reason.DISCONNECTED)]
    turns = game.of(events.TurnBegan)
    assert [turn.name for turn in turns[:4]] == ["ann", "bob", "cyd", "dan"]
    before, after = turns[1].state, turns[2].state
    assert after.board == before.board
    assert [player.name for player in after.players] == ["cyd", "dan", "ann"]
    assert sorted(after.bag) == sorted((*before.bag, *tiles_in(before.player("bob").hand)))
    assert all(
        after.bank[hotel] == before.bank[hotel] + before.player("bob").shares[hotel]
        for hotel in range(7)
    )


def test_player_ejected_in_anothers_merger_loses_its_bonus() -> None:
    game = judge(at_fault("dan", messages.Keep))
    (left,) = game.of(events.Ejected)
    assert (left.name, left.question) == ("dan", "keep")
    at = game.events.index(left)
    assert not any(isinstance(event, events.TurnUndone) for event in game.events)
    later = next(event for event in game.events[at:] if isinstance(event, events.TurnBegan))
    assert "dan" not in [player.name for player in later.state.players]
    assert left.bag is not None and later.state.bag == left.bag[1:], (
        "the mover drew from the bag as it was shuffled"
    )
    held = [sum(player.shares[hotel] for player in later.state.players) for hotel in range(7)]
    assert [a + b for a, b in zip(held, later.state.bank, strict=True)] == [25] * 7


def test_mover_ejected_after_others_answered_keep_is_undone() -> None:
    game = judge(at_fault(_first_merger_of(judge(well)), messages.Players))
    (left,) = game.of(events.Ejected)
    at = game.events.index(left)
    assert isinstance(game.events[at - 1], events.TurnUndone)
    turns = game.of(events.TurnBegan)
    undone = max(turn.number for turn in turns if game.events.index(turn) < at)
    before = next(turn.state for turn in turns if turn.number == undone)
    after = next(turn.state for turn in turns if turn.number == undone + 1)
    assert after.board == before.board
    assert after.players == before.players[1:]


def _first_merger_of(game: Driven) -> str:
    return next(iter(game.asked_of(messages.Players)[0]))


def test_several_at_fault_in_one_batch_leave_in_turn_order() -> None:
    def choose(name: str, asked: RefereeMessage, answer: PlayerMessage) -> Any:
        return GONE if name in ("dan", "bob") and isinstance(asked, messages.State) else answer

    game = judge(choose)
    assert [left.name for left in game.outcome.ejected] == ["bob", "dan"]
    ranks = {place.name: place.rank for place in game.outcome.standings}
    assert ranks["dan"] == 3
    assert ranks["bob"] == 4


def test_last_player_plays_on_alone_and_an_empty_table_ends_the_game() -> None:
    def only_ann(name: str, asked: RefereeMessage, answer: PlayerMessage) -> Any:
        return answer if name == "ann" else GONE

    game = judge(only_ann)
    assert game.outcome.ending is not Ending.NOBODY_LEFT
    assert game.outcome.turns > 10
    game = judge(lambda *_: GONE)
    assert game.outcome.ending is Ending.NOBODY_LEFT
    assert game.outcome.turns == 0
    assert [place.score for place in game.outcome.standings] == [0] * 4


@pytest.mark.parametrize("question", [messages.NewTile, messages.State], ids=["tile", "state"])
def test_game_ends_when_the_last_player_is_ejected_at_any_question(question: type[Any]) -> None:
    faulty = at_fault("ann", question, since=2)
    game = judge(lambda name, *asked: faulty(name, *asked) if name == "ann" else GONE)
    assert game.outcome.ending is Ending.NOBODY_LEFT
    assert game.of(events.Ejected)[-1].question == messages.TAGS[question]
    assert game.outcome.turns > 0


def test_fault_at_the_score_keeps_the_score() -> None:
    fair = judge(well)
    game = judge(at_fault("cyd", messages.Score))
    assert game.outcome.standings == fair.outcome.standings
    (left,) = game.outcome.ejected
    assert (left.name, left.question, left.bag) == ("cyd", "score", None)


@for_each("answer", [messages.Merge(NOT_HELD), messages.Pbuy(NOT_HELD, ())])
def test_illegal_move_is_an_ejection_with_its_rule(answer: PlayerMessage) -> None:
    game = judge(at_fault("cyd", messages.Turn, answer))
    (left,) = game.of(events.Ejected)
    assert left.reason is Reason.ILLEGAL
    assert left.violation is Violation.NOT_IN_HAND
    assert left.violation.sentence in left.detail


def test_driver_that_passes_on_a_wrong_answer_raises() -> None:
    with pytest.raises(LocalProtocolError):
        judge(at_fault("ann", messages.Turn, messages.Void()))


def test_same_bag_and_same_players_make_the_same_game() -> None:
    def events_of(seed: int) -> tuple[Event, ...]:
        return play_game(dict.fromkeys(NAMES, lambda rules, _: Random(rules, 5)), seed=seed).events

    assert events_of(4) == events_of(4)
    assert events_of(4) != events_of(5)


# -- a position played on --------------------------------------------------------------------------


STUCK = scene(WIKIPEDIA, ROW_E_IS_DEAD, "ann 1E 2E", "bob 9I", "cyd 11I", bag="1I 3I 5I")
"""Ann cannot place a tile of her hand."""


def ann_goes_at_her_turn(name: str, asked: RefereeMessage) -> PlayerMessage | Fault | None:
    if isinstance(asked, messages.Replace):
        return messages.ReplaceAnswer(replaces=True)
    return GONE if name == "ann" and isinstance(asked, messages.TurnView) else None


def test_hand_is_kept_where_the_player_wants_it() -> None:
    def keeps(name: str, asked: RefereeMessage) -> PlayerMessage | None:
        match asked:
            case messages.Replace():
                return messages.ReplaceAnswer(replaces=False)
            case messages.TurnView() if name == "ann":
                return messages.Pbuy(None, ())
        return None

    game = play_on(STUCK, keeps)
    assert game.kinds[:3] == [events.TurnBegan, events.HandKept, events.NothingPlaced]
    (asks,) = game.asked_of(messages.Replace)
    assert list(asks) == ["ann"] and asks["ann"].state == STUCK
    assert names(game.of(events.NothingPlaced)[0].state.mover.hand) == "1E 2E"
    assert not game.of(events.SetAside)


NO_HOTEL_IS_LEFT = "AA.CC.FF.II./............/SS.TT.WW..../............/o..o..o....."
"""No tile beside a loose one can be placed now, for it would found an eighth hotel."""


@pytest.mark.parametrize(("first", "turns"), [("5E", 3), ("12I", 5)])
def test_game_is_over_after_a_round_in_which_all_keep_what_they_cannot_place(
    first: str, turns: int
) -> None:
    """The round begins again behind bob, if his tile can be placed."""
    state = scene(CLASSIC, NO_HOTEL_IS_LEFT, "ann 2E", f"bob {first}", "cyd 8E")

    def places_alone(_: str, asked: RefereeMessage) -> PlayerMessage | None:
        if isinstance(asked, messages.TurnView):
            can = names(asked.view.players[0].hand) == "12I"
            return messages.Pbuy(Placement(parse_tile("12I")) if can else None, ())
        return None

    game = play_on(state._replace(bag=()), places_alone)
    assert (game.outcome.ending, game.outcome.turns) == (Ending.DEAD_ROUND, turns)


def test_mover_that_does_not_say_whether_to_replace_its_hand_is_ejected() -> None:
    game = play_on(STUCK, lambda _, asked: GONE if isinstance(asked, messages.Replace) else None)
    assert game.kinds[:3] == [events.TurnBegan, events.Ejected, events.TurnBegan]
    (left,) = game.of(events.Ejected)
    assert (left.name, left.question) == ("ann", "replace")


def test_replaced_hand_of_an_ejected_mover_is_undone() -> None:
    game = play_on(STUCK, ann_goes_at_her_turn)
    replaced = [events.SetAside, events.Drew, events.Drew]
    assert game.kinds[:6] == [events.TurnBegan, *replaced, events.TurnUndone, events.Ejected]
    (undone,) = game.of(events.TurnUndone)
    assert undone.state == STUCK
    (left,) = game.of(events.Ejected)
    assert names(left.ask.state.mover.hand) == "1I 3I"
    assert left.state.players == STUCK.players[1:] and left.state.aside == 0
    assert set(left.state.bag) == set(tiles("1E 2E 1I 3I 5I"))


def test_ejected_mover_that_has_shown_nothing_has_nothing_to_undo() -> None:
    state = scene(WIKIPEDIA, "", "ann 1E", "bob 9I", "cyd 11I")
    game = play_on(state, ann_goes_at_her_turn)
    assert game.kinds[:3] == [events.TurnBegan, events.Ejected, events.TurnBegan]


@pytest.mark.parametrize("alone", [False, True])
def test_market_holds_certificates_at_the_end_while_a_player_is_left(alone: bool) -> None:
    """Also for a player whose opponent was ejected."""
    state = scene(CLASSIC, "A" * 12 + "\n" + "A" * 12 + "\n" + "A" * 12 + "\nAAAAA\n.\nFF",
                  "ann 1I $100", "bob 5I A2 F1 $100", bag="9H 8H 7H 6H")  # fmt: skip

    def answer(name: str, asked: RefereeMessage) -> PlayerMessage | Fault | None:
        if not isinstance(asked, messages.TurnView):
            return None
        if name == "ann":
            return GONE if alone else messages.Pbuy(move("1I", CLASSIC), ())
        return messages.Pbuy(move("5I", CLASSIC), (), True)

    game = play_on(state, answer)
    assert game.outcome.ending is Ending.LARGE_HOTEL
    drew = game.of(events.MarketDrew)
    assert [(CLASSIC.hotel_name(event.hotel)[0], event.shares > 0) for event in drew] == [
        ("A", True),
        ("F", True),
    ]
    at_the_end = game.kinds[game.kinds.index(events.Ended) :]
    assert at_the_end[1:3] == [events.MarketDrew] * 2
    assert [list(asks) for asks in game.asked_of(messages.MarketTile)] == [
        ["bob"] if alone else ["ann", "bob"]
    ] * 2


def test_game_that_ends_regularly_with_its_last_tile_ends_regularly() -> None:
    state = scene(REVISED, "A" * 11, "ann 12A", "bob 5I", "cyd 7I", bag="")
    grown = messages.Pbuy(move("12A", REVISED), ())
    game = play_on(state, lambda _, asked: grown if isinstance(asked, messages.Turn) else None)
    assert game.outcome.ending is Ending.ALL_SAFE


def test_market_holds_nothing_when_no_player_is_left() -> None:
    game = play_on(scene(CLASSIC, "AA", "ann 1I", "bob 2I"), lambda *_: GONE)
    assert game.outcome.ending is Ending.NOBODY_LEFT
    assert not game.of(events.MarketDrew)


FOUNDERS = " The founder has just received one. "


@for_each(
    ("order", "held", "because"),
    [
        ("AAA", 22, True),  # three were left, the founder has got one of them
        ("AA", 23, True),
        ("AAA", 23, False),  # two were left
        ("S", 22, False),  # sold out, but not the hotel founded
        ("SA", 22, False),
    ],
)
def test_founders_certificate_is_mentioned_where_it_is_why_an_order_is_illegal(
    order: str, held: int, because: bool
) -> None:
    state = scene(CLASSIC, "o.....SS", "ann 2A $6000", f"bob A{held} S25", "cyd 9I")
    placed = messages.Pbuy(move("2A A", CLASSIC), by_initials(order, CLASSIC))
    game = play_on(state, lambda name, _: placed if name == "ann" else None)
    left = game.of(events.Ejected)[0]
    assert left.violation is Violation.SOLD_OUT
    assert (FOUNDERS in left.detail) is because


def test_founder_of_several_certificates_is_told_of_in_numbers() -> None:
    rulebook = replace(CLASSIC, founders_certificates=2)
    state = scene(rulebook, "o", "ann 2A $6000", "bob A22", "cyd 9I")

    def play(order: str) -> Driven:
        placed = messages.Pbuy(move("2A A", rulebook), by_initials(order, rulebook))
        return play_on(state, lambda name, _: placed if name == "ann" else None)

    assert "has just received 2." in play("AA").of(events.Ejected)[0].detail
    game = play("")
    (free,) = game.of(events.FoundersShare)
    assert (free.shares, game.referee.state.player("ann").shares[0]) == (2, 2)
    assert Recorder(rulebook).record(free) == (
        '<founders-share player="ann" hotel="American" shares="2"/>'
    )
    told = Sentences(rulebook).sentence(free)
    assert told == "ann gets 2 free American certificates for founding it."


def test_order_that_is_sold_out_without_a_founding_does_not_mention_a_founder() -> None:
    state = scene(CLASSIC, "AA", "ann 12I $6000", "bob A25", "cyd 9I")
    placed = messages.Pbuy(move("12I", CLASSIC), by_initials("A", CLASSIC))
    game = play_on(state, lambda name, _: placed if name == "ann" else None)
    left = game.of(events.Ejected)[0]
    assert left.violation is Violation.SOLD_OUT and FOUNDERS not in left.detail
