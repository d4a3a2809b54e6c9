"""Who sits at the table, what they are asked, and who has to leave it.

The judge holds the committed position. Asking is a generator, as all of the story is: it yields
questions and is sent what came back.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from admin.match import events
from admin.match.events import Event
from game.state import State
from game.tiles import Tile
from game.turn import eject, returned_bag
from game.violation import Illegal
from protocol.faults import Fault, LocalProtocolError, Reason
from protocol.messages import TAGS, AdministratorMessage, PlayerMessage


class Ask(NamedTuple):
    """One question: the message, and whether it is answered on the mover's own clock."""

    message: AdministratorMessage
    thinking: bool = False


class Reply(NamedTuple):
    """What a player answered, and the times in microseconds that the log keeps."""

    message: PlayerMessage
    latency: int = 0
    lag: int = 0


Asks: TypeAlias = dict[str, Ask]
Replies: TypeAlias = dict[str, Reply | Fault]
Emit: TypeAlias = Callable[[Event], None]
Shuffle: TypeAlias = Callable[[Sequence[Tile]], tuple[Tile, ...]]


class Judge:
    """Asks and ejects. ``state`` is the committed position, ``emit`` is told all that happens."""

    def __init__(self, state: State, shuffle: Shuffle, emit: Emit) -> None:
        self.state = state
        self.emit = emit
        self.ejected: list[events.Ejected] = []
        self._shuffle = shuffle

    # -- asking ---------------------------------------------------------------------------------

    def ask(
        self, name: str, message: AdministratorMessage, *, thinking: bool = False
    ) -> Generator[Asks, Replies, PlayerMessage | Fault]:
        """Ask one player, and return what is answered or what is at fault."""
        replies = yield {name: Ask(message, thinking)}
        return self._heard(name, TAGS[type(message)], replies[name])

    def tell(
        self,
        told: Mapping[str, AdministratorMessage],
        at_fault: Callable[[str, str, Fault], object],
    ) -> Generator[Asks, Replies, None]:
        """Tell all of them at once; then, in the order given, see to what each answered.

        ``at_fault`` is called with a name, the question and the fault.
        """
        if not told:
            return
        asks: Asks = {}
        ask: Ask | None = None
        for name, message in told.items():
            if ask is None or ask.message is not message:  # most often all are told the same
                ask = Ask(message)
            asks[name] = ask
        replies = yield asks
        for name, message in told.items():
            question = TAGS[type(message)]
            answer = self._heard(name, question, replies[name])
            if isinstance(answer, Fault):
                at_fault(name, question, answer)

    def _heard(self, name: str, question: str, reply: Reply | Fault) -> PlayerMessage | Fault:
        if isinstance(reply, Fault):
            return reply
        self.emit(events.Answered(name, question, *reply))
        return reply.message

    # -- leaving --------------------------------------------------------------------------------

    def eject(self, name: str, question: str, fault: Fault | Illegal) -> None:
        """Take a player out of the committed position."""
        bag = self._shuffle(returned_bag(self.state, name))
        self.state = eject(self.state, name, bag)
        self.leave(name, question, fault, bag)

    def eject_mover(self, question: str, fault: Fault | Illegal, *, undo: bool = False) -> None:
        """Eject the mover; with ``undo`` the turn had begun to show at the table."""
        name = self.state.mover.name
        if undo:
            self.emit(events.TurnUndone(name))
        self.eject(name, question, fault)

    def leave(
        self, name: str, question: str, fault: Fault | Illegal, bag: tuple[Tile, ...] | None = None
    ) -> None:
        """Note that a player has left; without a bag, when nothing changes hands any more."""
        violation = None
        if isinstance(fault, Illegal):
            violation, fault = fault.violation, Fault(Reason.ILLEGAL, str(fault))
        left = events.Ejected(
            name, fault.reason, violation, question, fault.detail, fault.data, bag
        )
        self.ejected.append(left)
        self.emit(left)


def fault_of(answer: PlayerMessage | Fault) -> Fault:
    """Narrow an answer that is none of those the question allows: drivers let only faults by."""
    if isinstance(answer, Fault):
        return answer
    raise LocalProtocolError(
        f"a driver passed on <{TAGS[type(answer)]}>, which answers another question"
    )
