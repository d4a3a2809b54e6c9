"""What the referee asks, and what it is answered.

The referee yields ``Asks``, by name, and is sent ``Replies``.
"""

from collections.abc import Generator
from typing import Final, NamedTuple, TypeAlias, TypeVar

from ....game.merger import Merger
from ....game.state import State
from ....protocol.faults import Fault
from ....protocol.messages import TAGS, VOID, PlayerMessage, QuestionMessage, RefereeMessage
from ....protocol.question import Known, Question

T = TypeVar("T")


class Ask(NamedTuple):
    """One question: the message, and the position in which it is asked.

    ``thinking`` questions are timed by the turn clock, the others by the reply time-out.
    ``merger`` is the current one, if any.
    """

    message: RefereeMessage
    state: State
    thinking: bool = False
    merger: Merger | None = None

    @property
    def tag(self) -> str:
        """The root element of the message."""
        return TAGS[type(self.message)]

    def question(self, name: str) -> Question | None:
        """Return it with its legal answers, as asked of a player; ``None`` if it has but one."""
        if not isinstance(self.message, QuestionMessage):
            return None
        return Question(self.message, name, Known(self.state), self.merger)


class Reply(NamedTuple):
    """A player's answer, and the two times in microseconds that the log keeps.

    They are explained at :class:`acquire.admin.refereeing.play.events.Answered`.
    """

    message: PlayerMessage
    latency: int = 0
    lag: int = 0


ACKNOWLEDGED: Final = Reply(VOID)  # the acknowledgement of a player in this process, made once
Asks: TypeAlias = dict[str, Ask]
Replies: TypeAlias = dict[str, Reply | Fault]
Asking: TypeAlias = Generator[Asks, Replies, T]
"""A part of a game in which players may be asked, and its result."""
