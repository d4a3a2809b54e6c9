"""The messages that carry a position: with everything open, or as each player sees it."""

from collections.abc import Iterable
from typing import Protocol, assert_never

from ..game.rulebook import Rulebook
from ..game.state import State
from . import messages
from .dialect import Dialect
from .messages import RefereeMessage
from .player_view import Views

Results = tuple[tuple[str, int], ...]


class PositionMessages(Protocol):
    """Makes the messages that carry a position; if all are sent the same, it is one object."""

    def states(self, state: State, names: Iterable[str]) -> dict[str, RefereeMessage]:
        """Return the ``state`` for each of these players."""

    def turn(self, state: State) -> RefereeMessage:
        """Return the ``turn`` for the mover."""

    def players(self, state: State) -> RefereeMessage:
        """Return the ``players`` for the mover, sent before it orders after a merger."""

    def scores(
        self, results: Results, state: State, names: Iterable[str]
    ) -> dict[str, RefereeMessage]:
        """Return the ``score`` for each of these players."""


class _OpenPositions:
    def states(self, state: State, names: Iterable[str]) -> dict[str, RefereeMessage]:
        return dict.fromkeys(names, messages.State(state.board, state.players))

    def turn(self, state: State) -> RefereeMessage:
        return messages.Turn(state.board, state.players)

    def players(self, state: State) -> RefereeMessage:
        return messages.Players(state.players)

    def scores(
        self, results: Results, state: State, names: Iterable[str]
    ) -> dict[str, RefereeMessage]:
        return dict.fromkeys(names, messages.Score(results, state.board, state.players))


class _PlayerViews:
    def __init__(self) -> None:
        self._views = Views()

    def states(self, state: State, names: Iterable[str]) -> dict[str, RefereeMessage]:
        views = self._views.of(state)
        return {name: messages.StateView(views[name]) for name in names}

    def turn(self, state: State) -> RefereeMessage:
        return messages.TurnView(self._views.of(state)[state.mover.name])

    def players(self, state: State) -> RefereeMessage:
        return messages.PlayersView(self._views.of(state)[state.mover.name])

    def scores(
        self, results: Results, state: State, names: Iterable[str]
    ) -> dict[str, RefereeMessage]:
        views = self._views.of(state)
        return {name: messages.ScoreView(results, views[name]) for name in names}


def position_messages_for(rulebook: Rulebook) -> PositionMessages:
    """Return the maker of such messages for a rulebook.

    >>> from acquire.game.notation import parse_position
    >>> from acquire.game.rulebooks import CLASSIC, REVISED
    >>> def turn(rulebook):
    ...     state = parse_position(rulebook, "", ["ann 1A", "bob 2A"])
    ...     return type(position_messages_for(rulebook).turn(state)).__name__
    >>> turn(REVISED), turn(CLASSIC)
    ('Turn', 'TurnView')
    """
    match dialect := Dialect.of(rulebook):
        case Dialect.COURSE:
            return _OpenPositions()
        case Dialect.FULL:
            return _PlayerViews()
        case _:
            assert_never(dialect)
