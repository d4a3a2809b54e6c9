"""A merger where assets are hidden: what is counted openly, for whom, and when."""

from __future__ import annotations

from positions import board, mask

from admin.match import events
from admin.match.events import Event
from admin.match.questions import Replies, Reply
from admin.match.referee import Referee
from game.placement import Placement
from game.rulebook import with_hidden_assets
from game.rulebooks import CORPORATIONS
from game.state import Player, position
from game.tiles import TILES, parse_tile
from protocol import messages
from protocol.faults import Fault, Reason
from protocol.messages import AdministratorMessage, PlayerMessage

HIDING = with_hidden_assets(CORPORATIONS)
AMERICA, SACKSON = HIDING.hotel_index("America"), HIDING.hotel_index("Sackson")
HELD = {"ann": 8, "bob": 5, "cyd": 3, "dan": 0}


def merged(silent: str = "") -> tuple[list[tuple[str, AdministratorMessage]], list[Event]]:
    """Let ann merge America into Sackson; all sell all. Return what was asked, and what happened.

    ``silent`` does not take note of what is counted.
    """
    players = [
        Player(name, 0, tuple(count if hotel == AMERICA else 0 for hotel in range(7)), 0)
        for name, count in HELD.items()
    ]
    players[0] = players[0]._replace(hand=mask("3A"))
    happened: list[Event] = []
    referee = Referee(HIDING, list(HELD), TILES, tuple, happened.append)
    referee.state = position(HIDING, board("AA.SSS", HIDING), players)
    asked: list[tuple[str, AdministratorMessage]] = []

    def answer(name: str, message: AdministratorMessage) -> PlayerMessage | Fault | None:
        match message:
            case messages.TurnView():
                return messages.Merge(Placement(parse_tile("3A"), SACKSON))
            case messages.Holders() if name == silent:
                return Fault(Reason.TIMED_OUT, "Nothing came.")
            case messages.Dispose():
                return messages.DisposeAnswer(HELD[name], 0)
            case messages.PlayersView():
                return None
        return messages.Void()

    questions = referee.play()
    asks = next(questions)
    while True:
        replies: Replies = {}
        for name, ask in asks.items():
            asked.append((name, ask.message))
            given = answer(name, ask.message)
            if given is None or referee.turns > 1:
                return asked, happened
            replies[name] = given if isinstance(given, Fault) else Reply(given)
        asks = questions.send(replies)


def test_all_are_told_who_holds_how_many_of_the_acquired_hotel() -> None:
    asked, _ = merged()
    counted = [(name, message) for name, message in asked if isinstance(message, messages.Holders)]
    told = messages.Holders(AMERICA, (("ann", 8), ("bob", 5), ("cyd", 3)))
    assert counted == [(name, told) for name in HELD]


def test_it_is_told_before_the_first_bonus_and_the_first_disposal() -> None:
    asked, happened = merged()
    kinds = [type(message) for _, message in asked]
    assert kinds.index(messages.Holders) < kinds.index(messages.Dispose)
    noted = [event for event in happened if isinstance(event, events.Answered)]
    last = max(n for n, event in enumerate(happened) if event in noted and event[1] == "holders")
    first = next(n for n, event in enumerate(happened) if isinstance(event, events.BonusPaid))
    assert last < first


def test_the_question_itself_shows_nothing_of_the_others() -> None:
    asked, _ = merged()
    questions = {name: message for name, message in asked if isinstance(message, messages.Dispose)}
    assert list(questions) == ["ann", "bob", "cyd"]
    for name, question in questions.items():
        for seen in question.view.players:
            own = seen.name == name
            assert (seen.cash is None) is not own
            assert seen.shares[AMERICA] == (HELD[name] if own else 0)


def test_another_who_does_not_take_note_leaves_and_the_merger_goes_on() -> None:
    asked, happened = merged(silent="bob")
    (left,) = [event for event in happened if isinstance(event, events.Ejected)]
    assert (left.name, left.question) == ("bob", "holders")
    assert [name for name, message in asked if isinstance(message, messages.Dispose)] == [
        "ann",
        "cyd",
    ]
    paid = {event.name: event.amount for event in happened if isinstance(event, events.BonusPaid)}
    assert paid == {"ann": 3_000, "cyd": 1_500}


def test_a_mover_who_does_not_take_note_undoes_the_turn() -> None:
    _, happened = merged(silent="ann")
    assert [event.name for event in happened if isinstance(event, events.TurnUndone)] == ["ann"]
    assert not [event for event in happened if isinstance(event, events.BonusPaid)]
    (left,) = [event for event in happened if isinstance(event, events.Ejected)]
    assert left.name == "ann"
