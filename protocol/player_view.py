"""What one player may see of a position: the only place that hides anything.

Under a rulebook that hides hands, a player sees its own tiles and how many the others have; at a
table that hides cash or certificates, its own only. The certificates left in the bank are
always visible, because a player may always ask for them; tiles set aside lie face up.
"""

from typing import NamedTuple

from ..game.board import Board
from ..game.rulebook import Hands
from ..game.state import State
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
    hands, assets = rulebook.hands is Hands.OPEN, rulebook.assets
    cash_open, shares_open = not assets.hides_cash, not assets.hides_certificates
    seen = []
    for player in state.players:
        own = player.name == viewer
        seen.append(
            SeatView(
                player.name,
                player.cash if cash_open or own else None,
                player.shares if shares_open or own else None,
                player.hand if hands or own else 0,
                player.hand.bit_count(),
            )
        )
    return PlayerView(state.board, state.bank, state.aside, tuple(seen))
