"""What became of a player in one game: a closed list, with a sentence each.

finished       played to the end of the game
illegal        broke a rule of the game
malformed      sent bytes that are no XML that this protocol reads
invalid        sent XML, but not of the schema
out-of-turn    sent a valid message that was not due
timed-out      sent nothing complete in time
disconnected   closed the connection, or lost it, and lived on
crashed        lost the connection because the program ended badly, or was stopped at a limit
never-started  did not sign up in time

A game in which the referee itself may be to blame has no verdicts at all: it is void, and played
again.
"""

from enum import Enum

from protocol.faults import Reason


class PlayerVerdict(Enum):
    """What became of a player in one game; the value is what tables and files say."""

    FINISHED = "finished"
    ILLEGAL = "illegal"
    MALFORMED = "malformed"
    INVALID = "invalid"
    OUT_OF_TURN = "out-of-turn"
    TIMED_OUT = "timed-out"
    DISCONNECTED = "disconnected"
    CRASHED = "crashed"
    NEVER_STARTED = "never-started"

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        return _SENTENCES[self]

    @classmethod
    def of(cls, reason: Reason) -> "PlayerVerdict":
        """Return the verdict on a player whom the referee ejected for this reason.

        ``ValueError`` for the two reasons that end no player's game (no-seat, interrupted).
        """
        return cls(reason.value)


_SENTENCES = {
    PlayerVerdict.FINISHED: "Played to the end of the game.",
    PlayerVerdict.ILLEGAL: "Broke a rule of the game.",
    PlayerVerdict.MALFORMED: "Sent bytes that are no XML that this protocol reads.",
    PlayerVerdict.INVALID: "Sent XML that does not follow the schema.",
    PlayerVerdict.OUT_OF_TURN: "Sent a message that was not due.",
    PlayerVerdict.TIMED_OUT: "Sent nothing complete in time.",
    PlayerVerdict.DISCONNECTED: "Closed or lost the connection.",
    PlayerVerdict.CRASHED: "Ended badly, or was stopped at a limit.",
    PlayerVerdict.NEVER_STARTED: "Did not sign up in time.",
}
