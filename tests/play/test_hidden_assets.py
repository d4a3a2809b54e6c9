"""A merger where assets are hidden: what is counted openly, for whom, and when."""

from typing import TypeVar

from positions import board, mask

from acquire.admin.refereeing.play import events
from acquire.game.placement import Placement
from acquire.game.rulebook import with_hidden_assets
from acquire.game.rulebooks import CORPORATIONS
from acquire.game.state import Player, position
from acquire.game.tiles import parse_tile
from acquire.protocol import messages
from acquire.protocol.faults import Fault, Reason
from acquire.protocol.messages import PlayerMessage, RefereeMessage
from play.driven import Driven, play_on

HIDING = with_hidden_assets(CORPORATIONS)
AMERICA, SACKSON = HIDING.hotel_index("America"), HIDING.hotel_index("Sackson")
M = TypeVar("M", bound=RefereeMessage)
HELD = {"ann": 8, "bob": 5, "cyd": 3, "dan": 0}


def merged(silent: str = "", hidden: str = "both") -> Driven:
    """Let ann merge America into Sackson; all sell all. It stops when the order is due.

    ``silent`` does not acknowledge what is counted.
    """
    players = [
        Player(name, 0, tuple(count if hotel == AMERICA else 0 for hotel in range(7)), 0)
        for name, count in HELD.items()
    ]
    players[0] = players[0]._replace(hand=mask("3A"))

    def answer(name: str, message: RefereeMessage) -> PlayerMessage | Fault | None:
        match message:
            case messages.TurnView() if name == "ann":
                return messages.Merge(Placement(parse_tile("3A"), SACKSON))
            case messages.Holders() if name == silent:
                return Fault(Reason.TIMED_OUT, "Nothing was received.")
            case messages.Dispose():
                return messages.DisposeAnswer(HELD[name], 0)
        return None

    hiding = with_hidden_assets(CORPORATIONS, hidden)
    return play_on(position(hiding, board("AA.SSS", hiding), players), answer)


def asked(game: Driven, kind: type[M]) -> dict[str, M]:
    """The messages of a kind, by name in the order in which they were sent."""
    return {
        name: ask.message
        for asks in game.asked
        for name, ask in asks.items()
        if isinstance(ask.message, kind)
    }


def test_every_player_is_sent_the_counts_of_the_acquired_hotel() -> None:
    counts = messages.Holders(AMERICA, (("ann", 8), ("bob", 5), ("cyd", 3)))
    assert asked(merged(), messages.Holders) == dict.fromkeys(HELD, counts)


def test_counts_are_acknowledged_before_the_first_bonus_and_the_first_disposal() -> None:
    game = merged()
    order = [
        event.question if isinstance(event, events.Answered) else type(event)
        for event in game.events
    ]
    last = len(order) - 1 - order[::-1].index("holders")
    assert last < order.index(events.BonusPaid) < order.index("dispose")


def test_disposal_question_does_not_show_what_the_others_have() -> None:
    questions = asked(merged(), messages.Dispose)
    assert list(questions) == ["ann", "bob", "cyd"]
    for name, question in questions.items():
        for seen in question.view.players:
            own = seen.name == name
            assert (seen.cash is None) is not own
            assert (seen.shares[AMERICA] if seen.shares else None) == (HELD[name] if own else None)


def test_certificates_of_all_are_counted_only_where_they_are_hidden() -> None:
    only_certificates = merged(hidden="certificates")
    assert list(asked(only_certificates, messages.Holders)) == list(HELD)
    only_cash = merged(hidden="cash")
    assert not asked(only_cash, messages.Holders)
    for game, cash, certificates in ((only_certificates, True, False), (only_cash, False, True)):
        (question,) = [each for each in asked(game, messages.Dispose).items() if each[0] == "bob"]
        (ann,) = [seat for seat in question[1].view.players if seat.name == "ann"]
        assert ((ann.cash is not None), (ann.shares is not None)) == (cash, certificates)


def test_player_that_does_not_acknowledge_is_ejected_and_the_merger_goes_on() -> None:
    game = merged(silent="bob")
    (left,) = game.of(events.Ejected)
    assert (left.name, left.question) == ("bob", "holders")
    assert list(asked(game, messages.Dispose)) == ["ann", "cyd"]
    paid = {event.name: event.amount for event in game.of(events.BonusPaid)}
    assert paid == {"ann": 3_000, "cyd": 1_500}


def test_turn_of_a_mover_that_does_not_acknowledge_is_undone() -> None:
    game = merged(silent="ann")
    assert [event.name for event in game.of(events.TurnUndone)] == ["ann"]
    assert not game.of(events.BonusPaid)
    assert [left.name for left in game.of(events.Ejected)] == ["ann"]
