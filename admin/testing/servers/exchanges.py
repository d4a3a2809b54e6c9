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

    Times are in seconds since the match began; no two are alike in a match.
    """

    message: RefereeMessage | None  # None if it could not be read
    data: bytes
    at: float  # when it came
    form: str = ""  # what is wrong with its form
    early: bytes = b""  # what came after it without waiting for the answer
    answer: PlayerMessage | Fault | None = None  # a fault if it was committed on purpose
    sent: bytes = b""
    answered: float = 0.0  # when it was answered


@dataclass(slots=True)
class SeatTrace:
    """All that one connection saw."""

    asked_name: str  # the name asked for
    name: str = ""  # the name given
    exchanges: list[Exchanged] = field(default_factory=list)
    end: str = ""  # a sentence about how the connection ended; empty if it outlived the match
    ended: float = 0.0
    reset: bool = False  # whether it was reset, so that what came last may be lost
    gave_up: str = ""  # why our own player could not answer
    sign_up: bytes = b""
    point: str = ""  # the case that the seat is for, if any
    cheat: Cheat | None = None  # who plays, if it is one of the cast
    cheated: Exchanged | None = None  # the exchange in which it cheated, once it has

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
    """

    rulebook: Rulebook
    seats: list[SeatTrace] = field(default_factory=list)
    turned_away: list[SeatTrace] = field(default_factory=list)
    trouble: str = ""
    late: bool = False  # this machine was too busy to judge by a clock

    @property
    def came_about(self) -> bool:
        """Whether anybody was sent anything after the sign-up."""
        return any(seat.exchanges for seat in self.seats)
