"""Positions made into messages: in the open, or as each player sees them."""

from collections.abc import Iterable
from typing import Protocol

from game.rulebook import Rulebook
from game.state import State
from protocol import messages
from protocol.dialect import Dialect
from protocol.messages import AdministratorMessage
from protocol.player_view import view_for

Results = tuple[tuple[str, int], ...]


class PositionMessages(Protocol):
    """Makes the messages that tell a position; where all are told the same it is one object."""

    def states(self, state: State, names: Iterable[str]) -> dict[str, AdministratorMessage]:
        """Return what each of these players is told of a position."""

    def turn(self, state: State) -> AdministratorMessage:
        """Return what the mover is asked at the beginning of a turn."""

    def players(self, state: State) -> AdministratorMessage:
        """Return what the mover is told, after a merger, before giving the order."""

    def scores(
        self, results: Results, state: State, names: Iterable[str]
    ) -> dict[str, AdministratorMessage]:
        """Return what each of these players is told at the end."""


class _OpenPositions:
    def states(self, state: State, names: Iterable[str]) -> dict[str, AdministratorMessage]:
        return dict.fromkeys(names, messages.State(state.board, state.players))

    def turn(self, state: State) -> AdministratorMessage:
        return messages.Turn(state.board, state.players)

    def players(self, state: State) -> AdministratorMessage:
        return messages.Players(state.players)

    def scores(
        self, results: Results, state: State, names: Iterable[str]
    ) -> dict[str, AdministratorMessage]:
        return dict.fromkeys(names, messages.Score(results, state.board, state.players))


class _PlayerViews:
    def states(self, state: State, names: Iterable[str]) -> dict[str, AdministratorMessage]:
        return {name: messages.StateView(view_for(state, name)) for name in names}

    def turn(self, state: State) -> AdministratorMessage:
        return messages.TurnView(view_for(state, state.mover.name))

    def players(self, state: State) -> AdministratorMessage:
        return messages.PlayersView(view_for(state, state.mover.name))

    def scores(
        self, results: Results, state: State, names: Iterable[str]
    ) -> dict[str, AdministratorMessage]:
        return {name: messages.ScoreView(results, view_for(state, name)) for name in names}


def position_messages_for(rulebook: Rulebook) -> PositionMessages:
    """Return who tells positions under a rulebook."""
    return _OpenPositions() if Dialect.of(rulebook) is Dialect.COURSE else _PlayerViews()
