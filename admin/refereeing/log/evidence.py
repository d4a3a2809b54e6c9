"""What stands behind an ejection: the faults of form are judged again from the recorded bytes.

The bytes go through the same reader as at the table, at the same step of the conversation. So
nobody can be ejected as malformed, invalid or out of turn for a good answer. The bytes alone have
to give the fault: of a message that is too long, the log keeps one byte more than the limit. That
an answer was late, that a connection was lost, or that bytes came before the question, cannot be
checked afterwards: no clock can be asked again. What can be checked then is that the bytes are no
complete message.
"""

from enum import Enum
from typing import NamedTuple

from ....game.rulebook import Rulebook
from ....protocol.conversation import Conversation, Step
from ....protocol.dialect import Dialect
from ....protocol.faults import Circumstance, Fault, Reason
from ....protocol.framing import LIMIT_FROM_PLAYER
from ....protocol.inbox import DocumentCache, Inbox
from ....protocol.messages import TAGS, PlayerMessage
from ....protocol.reading import player_reader

OF_TIME = (Reason.TIMED_OUT, Reason.DISCONNECTED)


class Evidence(Enum):
    """What an ejection rests on."""

    RULE = "rule"
    BYTES = "bytes"
    CLOCK = "clock"
    NOTHING = "nothing"


class Ejections(NamedTuple):
    """How many ejections rest on what.

    ``by_rule`` and ``by_bytes`` are proved: the recorded answer breaks the recorded rule, the
    recorded bytes have the recorded fault. ``by_clock`` and ``unrecorded`` are the referee's
    testimony: lateness, a lost connection, bytes that came unasked; faults of form without the
    bytes.
    """

    by_rule: int = 0
    by_bytes: int = 0
    by_clock: int = 0
    unrecorded: int = 0

    @property
    def testimony(self) -> int:
        """How many have to be believed."""
        return self.by_clock + self.unrecorded


class FormJudge:
    """Judges faults of form again, under one rulebook."""

    def __init__(self, rulebook: Rulebook) -> None:
        self._rulebook = rulebook
        self._dialect = Dialect.of(rulebook)
        self._cache: DocumentCache[PlayerMessage] | None = None

    def examine(self, fault: Fault, step: Step) -> Evidence | str:
        """Return what a recorded fault rests on, or, in words, how its bytes contradict it."""
        unasked = fault.circumstance is Circumstance.UNASKED
        if unasked and (fault.reason is not Reason.OUT_OF_TURN or not fault.data.strip()):
            return "only bytes that are out of turn can have come unasked"
        if unasked:
            return Evidence.CLOCK
        if not fault.data:
            return Evidence.CLOCK if fault.reason in OF_TIME else Evidence.NOTHING
        received = self._receive(fault.data, step)
        if received is None:
            return self._unfinished(fault)
        if isinstance(received, Fault) and received.reason is fault.reason:
            return Evidence.BYTES
        if isinstance(received, Fault):
            return f"the recorded bytes are {received.reason.value}: {received.detail.rstrip('.')}"
        return f"the recorded bytes are a valid <{TAGS[type(received)]}>, which was expected"

    @staticmethod
    def _unfinished(fault: Fault) -> Evidence | str:
        if fault.reason in OF_TIME:
            return Evidence.CLOCK
        # old logs lack the byte above the limit that proves a message to be too long
        if fault.reason is Reason.MALFORMED and len(fault.data) == LIMIT_FROM_PLAYER:
            return Evidence.NOTHING
        return "the recorded bytes are the beginning of a message, in which nothing is wrong"

    def _receive(self, data: bytes, step: Step) -> PlayerMessage | Fault | None:
        if self._cache is None:  # few games need one
            self._cache = DocumentCache(player_reader(self._rulebook))
        conversation = Conversation.of_referee(step, self._dialect)
        return Inbox(self._cache, conversation, LIMIT_FROM_PLAYER).receive(data)
