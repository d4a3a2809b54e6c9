"""A position as one player knows it: nothing is in it that the player was not sent."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, final

from ..game.board import Board
from ..game.rulebook import HIDING, Rulebook
from ..game.state import Player, State, position
from ..game.tiles import TILES
from .player_view import PlayerView, SeatView, open_seat


@final
class Known:
    """A position as one player knows it.

    It comes as the course's messages carry it, in which nothing is hidden (``table``), as one
    player sees it under a rulebook :func:`as_played` (``view``), or whole, everything known or
    guessed (``state``). It is converted when it is read: players are sent many more positions than
    they look at.
    """

    __slots__ = ("_seats", "_state", "_table", "_view", "rulebook")

    def __init__(
        self,
        rulebook: Rulebook,
        table: tuple[Board, tuple[Player, ...]] | None = None,
        view: PlayerView | None = None,
        state: State | None = None,
    ) -> None:
        self.rulebook = rulebook
        self._table = table
        self._view = view
        self._state = state
        self._seats: tuple[SeatView, ...] | None = None

    @property
    def state(self) -> State:
        """The position for the rules: its bag is empty, and what is hidden is 0 in it.

        Boards and players of a message are copied, because in pure Python nothing keeps a player
        that runs in the referee's process from changing them.
        """
        if self._state is not None:
            return self._state
        if self._table is not None:
            board, players = self._table
            copies = [Player(one.name, one.cash, one.shares, one.hand) for one in players]
            self._state = position(self.rulebook, board.copied(), copies)
            return self._state
        assert self._view is not None, "a position was sent in one way or the other"
        board, bank, aside, seats = self._view
        nothing = (0,) * len(bank)
        known = tuple(
            [Player(seat.name, seat.cash or 0, seat.shares or nothing, seat.hand) for seat in seats]
        )
        self._state = State(self.rulebook, board.copied(), known, bank, (), aside)
        return self._state

    def __reduce__(self) -> tuple[Any, ...]:
        return Known, (self.rulebook, self._table, self._view, self._state)

    @property
    def seats(self) -> tuple[SeatView, ...]:
        """The players as they are seen: what is hidden is ``None`` in them."""
        if self._view is not None:
            return self._view.players
        if self._seats is None:
            self._seats = tuple([open_seat(player) for player in self.state.players])
        return self._seats

    @property
    def view(self) -> PlayerView:
        """The same as a message carries it."""
        state = self.state
        return self._view or PlayerView(state.board, state.bank, state.aside, self.seats)

    @property
    def cash_is_open(self) -> bool:
        """Whether everybody's cash is known."""
        return self._view is None or not self.rulebook.assets.hides_cash

    @property
    def certificates_are_open(self) -> bool:
        """Whether everybody's certificates are known."""
        return self._view is None or not self.rulebook.assets.hides_certificates

    @property
    def bag(self) -> int:
        """How many tiles have not been drawn."""
        seen = (self.state.board.occupied | self.state.aside).bit_count()
        return len(TILES) - seen - sum(seat.tiles for seat in self.seats)


def as_played(rulebook: Rulebook, seats: Sequence[SeatView]) -> Rulebook:
    """Return a rulebook with what a table hides: the wire only names the rulebook."""
    cash = any(seat.cash is None for seat in seats)
    certificates = any(seat.shares is None for seat in seats)
    hidden = {(True, True): "both", (True, False): "cash", (False, True): "certificates"}
    kind = hidden.get((cash, certificates))
    if kind is None or rulebook.assets is HIDING[kind]:
        return rulebook
    return replace(rulebook, assets=HIDING[kind])


def whole_position(state: State) -> Known:
    """Return a position of which everything is known, or has been guessed."""
    return Known(state.rulebook, state=state)
