"""The messages that carry a position: with everything open, or as each player sees it."""

from collections.abc import Iterable
from typing import TypeAlias

from ..game.rulebook import Rulebook
from ..game.state import State
from . import messages
from .dialect import Dialect
from .messages import RefereeMessage
from .player_view import Views

Results: TypeAlias = tuple[tuple[str, int], ...]


class PositionMessages:
    """Makes the messages that carry a position; if all are sent the same, it is one object.

    >>> from acquire import CLASSIC, REVISED, parse_position
    >>> def turn(rulebook):
    ...     state = parse_position(rulebook, "", ["ann 1A", "bob 2A"])
    ...     return type(PositionMessages(rulebook).turn(state)).__name__
    >>> turn(REVISED), turn(CLASSIC)
    ('Turn', 'TurnView')
    """

    def __init__(self, rulebook: Rulebook) -> None:
        self._views = None if Dialect.of(rulebook) is Dialect.COURSE else Views(rulebook)

    def states(self, state: State, names: Iterable[str]) -> dict[str, RefereeMessage]:
        """Return the ``state`` for each of these players."""
        if self._views is None:
            return dict.fromkeys(names, messages.State(state.board, state.players))
        views = self._views.of(state)
        return {name: messages.StateView(views[name]) for name in names}

    def turn(self, state: State) -> RefereeMessage:
        """Return the ``turn`` for the mover."""
        if self._views is None:
            return messages.Turn(state.board, state.players)
        return messages.TurnView(self._views.of(state)[state.mover.name])

    def players(self, state: State) -> RefereeMessage:
        """Return the ``players`` for the mover, sent before it orders after a merger."""
        if self._views is None:
            return messages.Players(state.players)
        return messages.PlayersView(self._views.of(state)[state.mover.name])

    def scores(
        self, results: Results, state: State, names: Iterable[str]
    ) -> dict[str, RefereeMessage]:
        """Return the ``score`` for each of these players."""
        if self._views is None:
            return dict.fromkeys(names, messages.Score(results, state.board, state.players))
        views = self._views.of(state)
        return {name: messages.ScoreView(results, views[name]) for name in names}
