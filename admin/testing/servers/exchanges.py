"""What the connections of a match were sent, and what they answered, in one order of time."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from ....game.rulebook import Rulebook
from ....game.violation import Violation
from ....protocol.faults import Fault, Reason
from ....protocol.messages import Ejected, PlayerMessage, RefereeMessage
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
    ``received`` and ``answered`` are places in the order of everything that happened in the match,
    ``at`` and ``answered_at`` seconds since it began. ``early`` is what the administrator sent
    after it without waiting for the answer. ``answer`` is a fault if it was committed on purpose.
    """

    message: RefereeMessage | None
    data: bytes
    received: int
    at: float
    form: str = ""
    early: bytes = b""
    answer: PlayerMessage | Fault | None = None
    sent: bytes = b""
    answered: int = 0
    answered_at: float = 0.0


@dataclass(slots=True)
class SeatTrace:
    """All that one connection saw. ``asked_name`` is the name asked for, ``name`` the one given.

    ``end`` is how the connection ended, a sentence; empty while it was open when the match was
    over. ``gave_up`` says why our own player could not answer. ``cheat`` is who plays, if it is one
    of the cast, and ``cheated`` the exchange in which it did, once it has.
    """

    asked_name: str
    name: str = ""
    exchanges: list[Exchanged] = field(default_factory=list)
    end: str = ""
    ended: int = 0
    ended_at: float = 0.0
    gave_up: str = ""
    sign_up: bytes = b""
    refusal: Ejected | None = None
    point: str = ""
    cheat: Cheat | None = None
    cheated: Exchanged | None = None

    def transcript(self, last: Exchanged | None) -> Iterator[TranscriptEntry]:
        """Yield the conversation up to an exchange, or all of it."""
        if self.sign_up:
            yield TranscriptEntry(0.0, "P", self.sign_up)
        for each in self.exchanges:
            yield TranscriptEntry(each.at, "A", each.data)
            if each.sent:
                yield TranscriptEntry(each.answered_at, "P", each.sent)
            if each is last:
                return


@dataclass(slots=True)
class MatchTrace:
    """A match: the seats in the order of connecting, and how the administrator ended.

    ``purpose`` says what the match was for. ``stalled`` is set when nothing came for too long.
    """

    rulebook: Rulebook
    purpose: str
    seats: list[SeatTrace] = field(default_factory=list)
    turned_away: list[SeatTrace] = field(default_factory=list)
    """Those who misbehaved at sign-up, before the others came."""
    stalled: str = ""
    trouble: str = ""
    """Why no match came about, or how the administrator ended in it; empty if all went well."""
    late: bool = False
    """Whether this machine was too busy to judge by a clock."""
