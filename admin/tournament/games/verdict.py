"""The verdicts on a player in one game: a closed list.

A game in which the referee itself may be at fault has no verdicts: it is void, and played again.
"""

from enum import Enum

from ....protocol.faults import Reason


class PlayerVerdict(Enum):
    """How one player's game ended; the value is what tables and files contain."""

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
        """The verdict as a user-facing sentence."""
        return _SENTENCES[self]

    @classmethod
    def of(cls, reason: Reason) -> "PlayerVerdict":
        """Return the verdict on a player whom the referee ejected for this reason.

        ``ValueError`` for the two reasons that do not end a game (no-seat, interrupted).
        """
        return cls(reason.value)


_SENTENCES = {
    PlayerVerdict.FINISHED: "Played to the end of the game.",
    PlayerVerdict.ILLEGAL: "Broke a rule of the game.",
    PlayerVerdict.MALFORMED: "Sent bytes that are not XML, or not XML that this protocol accepts.",
    PlayerVerdict.INVALID: "Sent XML that does not follow the schema.",
    PlayerVerdict.OUT_OF_TURN: "Sent a message that was not expected.",
    PlayerVerdict.TIMED_OUT: "Sent no complete answer in time.",
    PlayerVerdict.DISCONNECTED: "Closed or lost the connection.",
    PlayerVerdict.CRASHED: "It ended with an error, or was stopped at a limit.",
    PlayerVerdict.NEVER_STARTED: "Did not sign up in time.",
}
assert _SENTENCES.keys() == set(PlayerVerdict)
