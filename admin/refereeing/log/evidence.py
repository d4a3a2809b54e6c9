"""What stands behind an ejection: the faults of form are judged again from the recorded bytes.

The bytes go through the same reader as at the table, at the same step of the conversation. So
nobody can be ejected as malformed, invalid or out of turn for a good answer. The bytes alone have
to give the fault: of a message that is too long, the log keeps one byte more than the limit. That
an answer was late, that a connection was lost, or that bytes came before the question, cannot be
checked afterwards: no clock can be asked again. What can be checked then is that the bytes are no
complete message.
"""

from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from ....game.rulebook import Rulebook
from ....protocol.conversation import Conversation, Step
from ....protocol.dialect import Dialect
from ....protocol.faults import Circumstance, Fault, Reason
from ....protocol.framing import LIMIT_FROM_PLAYER
from ....protocol.inbox import DocumentCache, Inbox
from ....protocol.messages import TAGS
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


_documents = lru_cache(8)(lambda rulebook: DocumentCache(player_reader(rulebook)))


def evidence_of(fault: Fault, step: Step, rulebook: Rulebook) -> Evidence | str:
    """Return what a recorded fault rests on, or, in words, how its bytes contradict it."""
    if fault.circumstance is Circumstance.UNASKED:
        if fault.reason is Reason.OUT_OF_TURN and fault.data.strip():
            return Evidence.CLOCK
        return "only bytes that are out of turn can have come unasked"
    if not fault.data:
        return Evidence.CLOCK if fault.reason in OF_TIME else Evidence.NOTHING
    conversation = Conversation.of_referee(step, Dialect.of(rulebook))
    received = Inbox(_documents(rulebook), conversation, LIMIT_FROM_PLAYER).receive(fault.data)
    if isinstance(received, Fault):
        if received.reason is fault.reason:
            return Evidence.BYTES
        return f"the recorded bytes are {received.reason.value}: {received.detail.rstrip('.')}"
    if received is not None:
        return f"the recorded bytes are a valid <{TAGS[type(received)]}>, which was expected"
    if fault.reason in OF_TIME:
        return Evidence.CLOCK
    # old logs lack the byte above the limit that proves a message to be too long
    if fault.reason is Reason.MALFORMED and len(fault.data) == LIMIT_FROM_PLAYER:
        return Evidence.NOTHING
    return "the recorded bytes are the beginning of a message, in which nothing is wrong"
