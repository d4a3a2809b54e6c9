"""What one player sees of the table: the one place where anything is hidden.

Under a rulebook that hides hands a player is told his own tiles and how many the others have; where
the table hides assets, his own cash and certificates. What the bank has left of each hotel may
always be asked, so it is always told; tiles set aside lie face up.
"""

from typing import NamedTuple

from game.board import Board
from game.rulebook import Assets, Hands
from game.state import State
from game.tiles import Mask


class SeatView(NamedTuple):
    """A player as one at the table sees him.

    ``cash`` is in dollars, ``None`` when the assets are hidden: then ``shares`` are zeros.
    ``hand`` is empty when it is hidden; ``tiles`` is how many are in it either way.
    """

    name: str
    cash: int | None
    shares: tuple[int, ...]
    hand: Mask
    tiles: int


class PlayerView(NamedTuple):
    """A position as one player sees it; the other fields are those of a position."""

    board: Board
    bank: tuple[int, ...]
    aside: Mask
    players: tuple[SeatView, ...]


def view_for(state: State, viewer: str) -> PlayerView:
    """Return what the player called ``viewer`` may see of a position."""
    rulebook, board, players, bank, _, aside, _ = state
    hands, assets = rulebook.hands is Hands.OPEN, rulebook.assets is not Assets.HIDDEN
    nothing = (0,) * len(state.bank)
    seen = []
    for name, cash, shares, hand in players:
        own = name == viewer
        seen.append(
            SeatView(
                name,
                cash if assets or own else None,
                shares if assets or own else nothing,
                hand if hands or own else 0,
                hand.bit_count(),
            )
        )
    return PlayerView(board, bank, aside, tuple(seen))
