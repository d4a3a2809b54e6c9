"""What can be wrong with what a peer says: values, for a peer's fault is nothing exceptional.

malformed     the bytes are no XML that this protocol reads
invalid       XML, but not of the schema
out-of-turn   a valid message that was not due
illegal       due, but against the rules of the game
timed-out     nothing complete came in time
disconnected  the connection is gone
"""

from enum import Enum
from typing import NamedTuple


class Reason(Enum):
    """Why a connection ends before the end of the game; the value is what is on the wire."""

    MALFORMED = "malformed"
    INVALID = "invalid"
    OUT_OF_TURN = "out-of-turn"
    ILLEGAL = "illegal"
    TIMED_OUT = "timed-out"
    DISCONNECTED = "disconnected"
    NO_SEAT = "no-seat"
    INTERRUPTED = "interrupted"

    @property
    def sentence(self) -> str:
        """The reason in words."""
        return _SENTENCES[self]


_SENTENCES = {
    Reason.MALFORMED: "What came cannot be read as an XML element of this protocol.",
    Reason.INVALID: "The element that came does not follow the schema.",
    Reason.OUT_OF_TURN: "The message that came was not due.",
    Reason.ILLEGAL: "The move breaks a rule of the game.",
    Reason.TIMED_OUT: "No complete answer came in time.",
    Reason.DISCONNECTED: "The connection was closed or lost.",
    Reason.NO_SEAT: "There is no seat at a table for this player.",
    Reason.INTERRUPTED: "The administrator was stopped before the end of the match.",
}


class Fault(NamedTuple):
    """One fault of a peer: the reason, what came and what was expected, and the bytes."""

    reason: Reason
    detail: str
    data: bytes = b""

    def __str__(self) -> str:
        return f"{self.reason.sentence} {self.detail}"


class ProtocolError(Exception):
    """The base of this package's exceptions: mistakes of the calling program, never a peer's.

    ProtocolError
    └── LocalProtocolError   a side's own program says what the conversation does not allow
    """


class LocalProtocolError(ProtocolError):
    """The calling program wants to say what its side may not say now."""
