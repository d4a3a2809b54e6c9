"""What one player sees of the table: the one place where anything is hidden.

Under a rulebook that hides hands a player is told his own tiles and how many the others have; where
the table hides assets, his own cash and certificates, and of the others' those of a hotel that is
being acquired, for at a merger they are counted openly. What the bank has left of each hotel may
always be asked, so it is always told; tiles set aside lie face up.
"""

from collections.abc import Iterable
from typing import NamedTuple

from game.board import Board
from game.rulebook import Assets, Hands
from game.state import State
from game.tiles import Mask


class Seen(NamedTuple):
    """A player as one at the table sees him.

    ``cash`` is in dollars, ``None`` when the assets are hidden: then ``shares`` holds only what
    was revealed. ``hand`` is empty when it is hidden; ``tiles`` is how many are in it either way.
    """

    name: str
    cash: int | None
    shares: tuple[int, ...]
    hand: Mask
    tiles: int


class Sight(NamedTuple):
    """A position as one player sees it; the other fields are those of a position."""

    board: Board
    bank: tuple[int, ...]
    aside: Mask
    players: tuple[Seen, ...]


def sight_of(state: State, viewer: str, revealed: Iterable[int] = ()) -> Sight:
    """Return what the player called ``viewer`` may see of a position.

    ``revealed`` are the hotels whose certificates are being counted openly.
    """
    rulebook, board, players, bank, _, aside, _ = state
    hands, assets = rulebook.hands is Hands.OPEN, rulebook.assets is not Assets.HIDDEN
    shown = set(revealed)
    seen = []
    for name, cash, shares, hand in players:
        own = name == viewer
        if not (assets or own):
            shares = tuple([count if hotel in shown else 0 for hotel, count in enumerate(shares)])
        seen.append(
            Seen(
                name,
                cash if assets or own else None,
                shares,
                hand if hands or own else 0,
                hand.bit_count(),
            )
        )
    return Sight(board, bank, aside, tuple(seen))
