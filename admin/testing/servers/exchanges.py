"""What the connections of a match were sent, and what they answered, in one order of time."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from ....game.rulebook import Rulebook
from ....game.violation import Violation
from ....protocol.faults import Fault, Reason
from ....protocol.messages import PlayerMessage, RefereeMessage
from ..trial.wire import TranscriptEntry


class CheatStep(Protocol):
    """The step of the conversation at which a misbehaving player misbehaves."""

    name: str


class Cheat(Protocol):
    """A member of the misbehaving cast, as the entry point ``acquire.cast`` gives it."""

    name: str
    step: CheatStep
    way: str
    description: str
    reason: Reason
    violation: Violation | None


@dataclass(slots=True)
class Exchanged:
    """One message of the administrator, and the answer to it.

    ``message`` is ``None`` if it could not be read; ``form`` says what is wrong with its form.
    ``at`` is when it came and ``answered`` when it was answered, in seconds since the match began,
    no two alike in a match. ``early`` is what the administrator sent after it without waiting for
    the answer. ``answer`` is a fault if it was committed on purpose.
    """

    message: RefereeMessage | None
    data: bytes
    at: float
    form: str = ""
    early: bytes = b""
    answer: PlayerMessage | Fault | None = None
    sent: bytes = b""
    answered: float = 0.0


@dataclass(slots=True)
class SeatTrace:
    """All that one connection saw. ``asked_name`` is the name asked for, ``name`` the one given.

    ``end`` is how the connection ended, a sentence; empty while it was open when the match was
    over. ``reset`` says that it was reset, so that what came last may be lost. ``gave_up`` says why
    our own player could not answer. ``point`` is the case that the seat is for, if any. ``cheat``
    is who plays, if it is one of the cast, and ``cheated`` the exchange in which it did, once it
    has.
    """

    asked_name: str
    name: str = ""
    exchanges: list[Exchanged] = field(default_factory=list)
    end: str = ""
    ended: float = 0.0
    reset: bool = False
    gave_up: str = ""
    sign_up: bytes = b""
    point: str = ""
    cheat: Cheat | None = None
    cheated: Exchanged | None = None

    @property
    def silent_at(self) -> Exchanged | None:
        """The question at which it fell silent on purpose, if it has."""
        late = self.cheat is not None and self.cheat.reason is Reason.TIMED_OUT
        return self.cheated if late else None

    def transcript(self, last: Exchanged | None) -> Iterator[TranscriptEntry]:
        """Yield the conversation up to an exchange, or all of it."""
        if self.sign_up:
            yield TranscriptEntry(0.0, "P", self.sign_up)
        for each in self.exchanges:
            yield TranscriptEntry(each.at, "A", each.data)
            if each.sent:
                yield TranscriptEntry(each.answered, "P", each.sent)
            if each is last:
                return


@dataclass(slots=True)
class MatchTrace:
    """A match: the seats in the order of connecting, and how the administrator ended.

    ``turned_away`` are those who misbehaved at sign-up, before the others came. ``trouble`` says
    why no match came about, that nothing came for too long, or how the administrator ended in it.
    ``late`` says that this machine was too busy to judge by a clock.
    """

    rulebook: Rulebook
    seats: list[SeatTrace] = field(default_factory=list)
    turned_away: list[SeatTrace] = field(default_factory=list)
    trouble: str = ""
    late: bool = False

    @property
    def came_about(self) -> bool:
        """Whether anybody was sent anything after the sign-up."""
        return any(seat.exchanges for seat in self.seats)
