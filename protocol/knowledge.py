"""What one player knows of its game, from the messages that it was sent and its own answers.

It turns a connection's messages into questions. Nothing is guessed here: what is hidden stays
hidden (:class:`.question.Known`).
"""

from copy import copy
from typing import Any, Final, TypeAlias, assert_never

from ..game.merger import Merger, merge
from ..game.placement import Placement
from ..game.rulebook import Rulebook
from . import messages
from .messages import PlayerMessage, RefereeMessage
from .question import Known, Question, as_played

Positional: TypeAlias = (
    messages.State
    | messages.StateView
    | messages.Turn
    | messages.TurnView
    | messages.Replace
    | messages.Score
    | messages.ScoreView
)
"""The messages with a position between turns or at the start of one."""


_BETWEEN_TURNS: Final = (messages.State, messages.StateView, messages.Score, messages.ScoreView)


class Knowledge:
    """What the player called ``name`` knows: ``hear`` every message in order, and its answers.

    The name is that of ``<signup>``, or else that of the player to move in its first ``<turn>``.
    """

    def __init__(self, rulebook: Rulebook, name: str = "") -> None:
        self.rulebook = rulebook
        """The rulebook, with what the table hides from the first position on."""
        self.name = name
        self.seated = 0
        """How many players sat down."""
        self._last: Positional | None = None
        self._known: Known | None = None
        self._placement: Placement | None = None
        self._merger: Merger | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle it with the player that has it, compiled or not."""
        remembered = self.seated, self._last, self._known, self._placement, self._merger
        return Knowledge, (self.rulebook, self.name), remembered

    def __setstate__(self, remembered: tuple[Any, ...]) -> None:
        self.seated, self._last, self._known, self._placement, self._merger = remembered

    def __deepcopy__(self, memo: dict[int, Any]) -> "Knowledge":
        return copy(self)  # nothing that it remembers changes

    @property
    def known(self) -> Known | None:
        """The last position between turns or at the start of one; ``None`` before the first."""
        last = self._last
        if self._known is None and last is not None:
            if isinstance(last, messages.State | messages.Turn | messages.Score):
                self._known = Known.openly(self.rulebook, last.board, last.players)
            else:
                self._known = Known.seen(self.rulebook, last.view)
        return self._known

    def hear(self, message: RefereeMessage) -> Question | None:
        """Take a message; return its question, ``None`` if it is only acknowledged."""
        if isinstance(message, _BETWEEN_TURNS):  # faster than a match, and most are
            self._last = message
            self._known = self._placement = self._merger = None
            if not self.seated:
                self._sit_down()
            return None
        if isinstance(message, messages.NewTile):
            return None
        match message:
            case messages.Turn(players=seated):
                return self._in_turn(message, seated[0].name)
            case messages.TurnView(view) | messages.Replace(view):
                return self._in_turn(message, view.players[0].name)
            case messages.Keep():
                merger = self.merger
                before = self.known if merger is None else Known(merger.state)
                assert before is not None, "a position is sent before any question"
                return Question(message, self.name, before, merger)
            case messages.Players(players):
                merger = self.merger
                assert merger is not None, "<players> comes after the player's own merger"
                settled = Known.openly(self.rulebook, merger.state.board, players)
                return Question(message, self.name, settled)
            case (
                messages.PlayersView(view=view)
                | messages.Dispose(view=view)
                | messages.MarketMerger(view=view)
            ):
                return Question(message, self.name, Known.seen(self.rulebook, view))
            case messages.SignUp(name):
                self.name = name
            case messages.Holders() | messages.MarketTile() | messages.Ejected():
                pass
            case _:
                assert_never(message)
        return None

    def answered(self, answer: PlayerMessage) -> None:
        """Remember the player's own merger: the course's messages do not repeat the board."""
        if isinstance(answer, messages.Merge):
            self._placement = answer.placement

    @property
    def merger(self) -> Merger | None:
        """The player's own merger that is in progress, where nothing of it is hidden."""
        if self._merger is None and self._placement is not None:
            turn = self._last
            if isinstance(turn, messages.Turn) and self.known is not None:
                self._merger = merge(self.known.state, self._placement)
        return self._merger

    def _sit_down(self) -> None:
        """Note from the first position who plays, and what the table hides."""
        assert self.known is not None
        seats = self.known.seats
        self.seated = len(seats)
        self.rulebook = as_played(self.rulebook, seats)
        self._known = None  # made under the rulebook as it was before

    def _in_turn(
        self, message: messages.Turn | messages.TurnView | messages.Replace, name: str
    ) -> Question:
        self._last, self.name = message, name
        self._known = self._placement = self._merger = None
        known = self.known
        assert known is not None
        if not self.seated:
            self._sit_down()
        return Question(message, name, known)
