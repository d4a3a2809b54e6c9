"""What one player may see of a position: the only place that hides anything.

Under a rulebook that hides hands, a player sees its own tiles and how many the others have; at a
table that hides cash or certificates, its own only. The certificates left in the bank are
always visible, because a player may always ask for them; tiles set aside lie face up.
"""

from typing import NamedTuple

from ..game.board import Board
from ..game.rulebook import Hands, Rulebook
from ..game.state import Player, State
from ..game.tiles import Mask


class SeatView(NamedTuple):
    """A player as another one, or itself, sees it.

    ``cash`` is in dollars; it and ``shares`` are ``None`` if they are hidden.
    ``hand`` is empty if it is hidden; ``tiles`` is the number of tiles in it either way.
    """

    name: str
    cash: int | None
    shares: tuple[int, ...] | None
    hand: Mask
    tiles: int


class PlayerView(NamedTuple):
    """A position as one player sees it: a :class:`~acquire.game.state.State` without the bag."""

    board: Board
    bank: tuple[int, ...]
    aside: Mask
    players: tuple[SeatView, ...]


def view_for(state: State, viewer: str) -> PlayerView:
    """Return what the player called ``viewer`` may see of a position.

    >>> from acquire.game.notation import parse_position
    >>> from acquire.game.rulebooks import CLASSIC
    >>> state = parse_position(CLASSIC, "", ["ann 1A 2A $600", "bob 3A $700"])
    >>> view = view_for(state, "bob")
    >>> [(seat.name, seat.cash, seat.hand, seat.tiles) for seat in view.players]
    [('ann', 600, 0, 2), ('bob', 700, 4, 1)]
    """
    rulebook = state.rulebook
    seats = [_seat(rulebook, player, player.name == viewer) for player in state.players]
    return PlayerView(state.board, state.bank, state.aside, tuple(seats))


def _seat(rulebook: Rulebook, player: Player, own: bool) -> SeatView:
    assets = rulebook.assets
    return SeatView(
        player.name,
        player.cash if own or not assets.hides_cash else None,
        player.shares if own or not assets.hides_certificates else None,
        player.hand if own or rulebook.hands is Hands.OPEN else 0,
        player.hand.bit_count(),
    )


class Views:
    """What each player may see of a game's positions; what has not changed is not made again."""

    def __init__(self) -> None:
        self._state: State | None = None
        self._views: dict[str, PlayerView] = {}
        self._seats: dict[str, tuple[Player, SeatView, SeatView]] = {}
        """Each player as it was last, and how the others and itself saw it."""

    def of(self, state: State) -> dict[str, PlayerView]:
        """Return :func:`view_for` each player at the table."""
        if state is self._state:
            return self._views
        seats = [self._seen(state.rulebook, player) for player in state.players]
        others = [seat for _, seat, _ in seats]
        views = {}
        for at, (player, _, own) in enumerate(seats):
            seen = (*others[:at], own, *others[at + 1 :])
            views[player.name] = PlayerView(state.board, state.bank, state.aside, seen)
        self._state, self._views = state, views
        return views

    def _seen(self, rulebook: Rulebook, player: Player) -> tuple[Player, SeatView, SeatView]:
        known = self._seats.get(player.name)
        if known is None or known[0] is not player:
            known = player, _seat(rulebook, player, False), _seat(rulebook, player, True)
            self._seats[player.name] = known
        return known
