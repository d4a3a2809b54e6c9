"""What a peer can do wrong. Faults are values: a peer's fault is nothing exceptional here."""

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

from ..game.sentenced import Sentenced


class Reason(Sentenced):
    """Why a connection ends before the end of the game; the value is sent on the wire."""

    # A player is sent the sentences, so they stay as they are: they say server and match.
    MALFORMED = "malformed", "The data could not be parsed as a protocol message."
    INVALID = "invalid", "The message does not match the schema."
    OUT_OF_TURN = "out-of-turn", "This message was not expected."
    ILLEGAL = "illegal", "The move breaks a rule of the game."
    TIMED_OUT = "timed-out", "No complete answer arrived in time."
    DISCONNECTED = "disconnected", "The connection was closed or lost."
    NO_SEAT = "no-seat", "There is no seat for this player."
    INTERRUPTED = "interrupted", "The server was stopped before the end of the match."


class Circumstance(Enum):
    """What a program has to know of a fault beside its reason: it cannot read the detail."""

    UNASKED = "unasked"
    """The bytes came while nothing was asked, so they are out of turn, whatever they are."""
    UNREAD = "unread"
    """The player was too late because it had not even read the question."""
    COMPUTING = "computing"
    """The player was too late because its program computed most of the time."""
    CROWDED_OUT = "crowded-out"
    """The connection was dropped because too many others were about to sign up."""
    ABSENT = "absent"
    """The player had not signed up when the game began, so it was never asked anything."""


class Fault(NamedTuple):
    """One fault of a peer: the reason, what was received and expected, and the bytes.

    ``detail`` is for people alone: code decides by the other fields.

    >>> print(Fault(Reason.OUT_OF_TURN, "Received <turn>; expected <state>."))
    This message was not expected. Received <turn>; expected <state>.
    """

    reason: Reason
    detail: str
    data: bytes = b""
    circumstance: Circumstance | None = None

    def __str__(self) -> str:
        return in_sentences(self.reason, self.detail)

    def without(self, secrets: Iterable[str | None]) -> "Fault":
        """Return the fault without some secrets, so that it can be shown to anybody."""
        detail, data = self.detail, self.data
        for secret in filter(None, secrets):
            detail, data = detail.replace(secret, "***"), data.replace(secret.encode(), b"***")
        return self._replace(detail=detail, data=data)


def in_sentences(reason: Reason, detail: str) -> str:
    """Return a reason with its detail; the first sentence is the one that says most."""
    if reason is Reason.INVALID:
        return f"{detail} {reason.sentence}"
    return f"{reason.sentence} {detail}"


class Diagnosis(NamedTuple):
    """A probable mistake of a player's program, in one sentence; and what to do, unless plain.

    >>> print(Diagnosis("The message is in UTF-16.", "Encode it as UTF-8."))
    The message is in UTF-16. Encode it as UTF-8.
    """

    cause: str
    advice: str = ""

    def __str__(self) -> str:
        return f"{self.cause} {self.advice}".rstrip()


MAX_SHOWN = 30
"""Characters that are shown of what a player sent."""


def shown(data: bytes) -> str:
    """Return the beginning of what was sent, in quotes and printable."""
    text = data.decode(errors="backslashreplace")
    return repr(text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}...")


class ProtocolError(Exception):
    """The base of this package's exceptions: bugs of the calling program, never a peer's fault."""


class LocalProtocolError(ProtocolError):
    """The calling program tries to send what its side may not send now."""
