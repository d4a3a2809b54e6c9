"""Who sits at the table, what they are asked, and who is ejected.

The judge holds the committed position. Asking is a generator, as the whole referee is: it yields
questions and is sent the replies.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from ....game.merger import Merger
from ....game.state import State
from ....game.tiles import Tile
from ....game.turn import eject, eject_midway, returned_bag
from ....game.violation import Illegal
from ....protocol.faults import Fault, LocalProtocolError, Reason
from ....protocol.messages import TAGS, PlayerMessage, RefereeMessage
from ..diagnosis.diagnose import of_fault, of_move
from . import events
from .events import Answered, Event
from .questions import ACKNOWLEDGED, Ask, Asking, Asks

Emit: TypeAlias = Callable[[Event], None]
Shuffle: TypeAlias = Callable[[Sequence[Tile]], tuple[Tile, ...]]


@lru_cache(1024)
def _acknowledged(name: str, tag: str) -> Answered:
    """Return the most frequent event in a game of built-in players, mostly one made before."""
    return Answered(name, tag, *ACKNOWLEDGED)


class Judge:
    """Asks and ejects. ``state`` is the committed position; ``emit`` receives the events."""

    def __init__(self, state: State, shuffle: Shuffle, emit: Emit) -> None:
        self.state = state
        self.emit = emit
        self.ejected: list[events.Ejected] = []
        self._shuffle = shuffle
        self._asked: Asks = {}
        self._answer: PlayerMessage | None = None
        """The last answer of a player that was asked alone: the one that can be illegal."""
        self._has_asked = False
        self._answered: dict[tuple[str, str], PlayerMessage] = {}
        """The answers of this turn by player and question, each asked of that player alone."""
        self._begun: list[State] = []
        """The positions in which turns began: what a player may have kept from an earlier one."""

    def begin_turn(self) -> None:
        """Begin a turn: what was answered before it can be answered again."""
        self._begun.append(self.state)
        self._answered.clear()

    # -- asking ---------------------------------------------------------------------------------

    def ask(
        self,
        name: str,
        message: RefereeMessage,
        state: State,
        *,
        thinking: bool = False,
        merger: Merger | None = None,
    ) -> Asking[PlayerMessage | Fault]:
        """Ask one player in a position, and return the answer or the fault."""
        ask = Ask(message, state, thinking, merger)
        self._asked = asks = {name: ask}
        replies = yield asks
        reply = replies[name]
        if isinstance(reply, Fault):
            self._answer = None
            return reply
        tag = TAGS[type(message)]
        if reply is ACKNOWLEDGED:
            self.emit(_acknowledged(name, tag))
        else:
            self.emit(Answered(name, tag, *reply))
            self._answered[name, tag] = reply.message
        self._answer = reply.message
        return reply.message

    def notify(
        self,
        messages: Mapping[str, RefereeMessage],
        state: State,
        at_fault: Callable[[str, Fault], object],
        merger: Merger | None = None,
    ) -> Asking[None]:
        """Send messages of one kind to these players at once; each has to be acknowledged.

        ``at_fault`` is called with a name and the fault, in the order of ``messages``.
        """
        if not messages:
            return
        asks: Asks = {}
        ask: Ask | None = None
        for name, message in messages.items():
            if ask is None or ask.message is not message:  # usually it is the same for all
                ask = Ask(message, state, merger=merger)
            asks[name] = ask
        self._asked = asks
        replies = yield asks
        emit, tag = self.emit, TAGS[type(message)]
        for name in asks:
            reply = replies[name]
            if reply is ACKNOWLEDGED:
                emit(_acknowledged(name, tag))
            elif isinstance(reply, Fault):
                at_fault(name, reply)
            else:
                emit(Answered(name, tag, *reply))
        self._has_asked = True

    # -- ejecting -------------------------------------------------------------------------------

    def eject(self, name: str, fault: Fault | Illegal, within: State | None = None) -> State:
        """Eject a player for the answer to the last question asked.

        The player leaves the committed position, and the one ``within`` a turn if that is given,
        which is returned.
        """
        bag = self._shuffle(returned_bag(self.state, name))
        self.state = eject(self.state, name, bag)
        after = self.state if within is None else eject_midway(within, name, bag)
        self._leave(name, fault, bag, after)
        return after

    def eject_mover(self, fault: Fault | Illegal, *, undo: bool = False) -> None:
        """Eject the mover; ``undo`` where events of the turn were emitted before."""
        name = self.state.mover.name
        if undo:
            self.emit(events.TurnUndone(name, self.state))
        self.eject(name, fault)

    def disconnect(self, name: str, fault: Fault, state: State) -> None:
        """Eject a player after the pay-out, when only the connection is lost."""
        self._leave(name, fault, None, state)

    def _leave(
        self, name: str, fault: Fault | Illegal, bag: tuple[Tile, ...] | None, state: State
    ) -> None:
        violation, ask = None, self._asked[name]
        if isinstance(fault, Illegal):
            violation, fault = fault.violation, Fault(Reason.ILLEGAL, str(fault))
            found = of_move(violation, ask.message, ask.state, name, self._answer, self._begun)
        else:
            answered = {
                question: TAGS[type(answer)]
                for (answerer, question), answer in self._answered.items()
                if answerer == name
            }
            first = not self._has_asked
            found = of_fault(fault, ask.tag, ask.state, first=first, answered=answered)
        reason, detail, data, circumstance = fault
        left = events.Ejected(
            name, reason, violation, ask, detail, data, bag, state, circumstance, str(found or "")
        )
        self.ejected.append(left)
        self.emit(left)


def fault_of(answer: PlayerMessage | Fault) -> Fault:
    """Return the fault that came instead of an answer; drivers let no other message through."""
    if isinstance(answer, Fault):
        return answer
    raise LocalProtocolError(
        f"a driver passed on <{TAGS[type(answer)]}>, which answers another question"
    )
