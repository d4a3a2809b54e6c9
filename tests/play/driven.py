"""The referee driven by hand: a game, or a position played on, with any answers and faults."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.events import Event
from acquire.admin.refereeing.play.outcome import Outcome
from acquire.admin.refereeing.play.questions import Asks, Replies, Reply
from acquire.admin.refereeing.play.referee import Referee
from acquire.game.state import State
from acquire.game.tiles import TILES
from acquire.protocol import messages
from acquire.protocol.faults import Fault, Reason
from acquire.protocol.messages import PlayerMessage, RefereeMessage

Answer: TypeAlias = Callable[[str, RefereeMessage], PlayerMessage | Fault | None]
"""Answers a question to a player; ``None`` stops the game."""
E = TypeVar("E")
GONE = Fault(Reason.DISCONNECTED, "The connection was closed.")


class Driven:
    """A game as far as it was driven: its events and questions, and the outcome at its end."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.asked: list[Asks] = []
        self.outcome: Outcome
        self.referee: Referee

    def of(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def asked_of(self, kind: type[Any]) -> list[Asks]:
        return [asks for asks in self.asked if isinstance(next(iter(asks.values())).message, kind)]

    @property
    def kinds(self) -> list[type[Event]]:
        """The events from the first turn on, without the answers."""
        kinds = [type(event) for event in self.events]
        return [kind for kind in kinds if kind not in (events.Answered, events.StartTile)]

    def drive(self, answer: Answer) -> Driven:
        """Answer the questions until the game is over, or an answer is ``None``."""
        questions = self.referee.play()
        asks: Asks = next(questions)
        while True:
            self.asked.append(asks)
            replies: Replies = {}
            for name, ask in asks.items():
                reply = answer(name, ask.message)
                if reply is None:
                    questions.close()
                    return self
                replies[name] = reply if isinstance(reply, Fault) else Reply(reply)
            try:
                asks = questions.send(replies)
            except StopIteration as stop:
                self.outcome = stop.value
                return self


def play_on(state: State, answer: Answer) -> Driven:
    """Play on from a position; a bag is not shuffled.

    What ``answer`` leaves unanswered is acknowledged with ``<void/>`` where that is an answer, and
    stops the game where it is not.
    """
    game = Driven()
    names = [player.name for player in state.players]
    game.referee = Referee(state.rulebook, names, TILES, tuple, game.events.append)
    game.referee.state = state

    def complete(name: str, message: RefereeMessage) -> PlayerMessage | Fault | None:
        reply = answer(name, message)
        if reply is None and not isinstance(message, WANTS_A_CHOICE):
            return messages.Void()
        return reply

    return game.drive(complete)


WANTS_A_CHOICE = (
    *(messages.Turn, messages.TurnView, messages.Players, messages.PlayersView),
    *(messages.Keep, messages.Dispose, messages.MarketMerger, messages.Replace),
)
"""The questions that ``<void/>`` does not answer."""
