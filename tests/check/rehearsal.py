"""The script of a case, played in this process: no sockets, no clocks, the same referee."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from admin.match.dealer import Dealer
from admin.match.events import Answered, Event, TurnBegan
from admin.match.in_process import Answerer, LocalSeat, drive
from admin.match.outcome import Outcome
from admin.match.referee import Referee
from admin.trial.script import Script
from game.state import State
from player.strategies.simple import Ordered
from protocol.dialect import Dialect

E = TypeVar("E")


class Rehearsal(NamedTuple):
    """What came of it: everything that happened, and the outcome."""

    events: list[Event]
    outcome: Outcome

    def of(self, kind: type[E]) -> list[E]:
        """The events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    def asked(self, name: str) -> set[str]:
        """What a player was asked; the first position is ``setup``."""
        tags = [each.question for each in self.of(Answered) if each.name == name]
        return {"setup", *tags[1:]} if tags else set()

    def turns_of(self, name: str) -> list[State]:
        """The positions in which a player was to move."""
        return [event.state for event in self.of(TurnBegan) if event.name == name]


def rehearse(script: Script, player: Answerer | None = None) -> Rehearsal:
    """Play a script to its end, the player as ``ordered`` unless another is given."""
    rulebook, events = script.rulebook, list[Event]()
    players = {name: make() for name, make in script.others.items()}
    players[script.subject] = player or Ordered(rulebook, 0)
    dealer = Dealer(0)
    referee = Referee(rulebook, script.seats, dealer.bag, dealer.shuffle, events.append)
    seats = {
        name: LocalSeat(name, strategy, dialect=Dialect.of(rulebook))
        for name, strategy in players.items()
    }
    outcome = drive(referee.play_segments(script.segments, script.subject), seats)
    return Rehearsal(events, outcome)
