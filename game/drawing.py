"""Drawing tiles, and setting aside those that cannot be placed any more.

Rule texts: "Acquire, Revised", Play, step 3; "Drawing a tile", "Unplayable tiles", "Tile placement"
in the others.
"""

from typing import NamedTuple

from game.placement import playable
from game.rulebook import DeadTiles, Draw, StuckHand
from game.state import Player, State
from game.tiles import Mask, Tile, mask_of
from game.tuples import new


class DrawResult(NamedTuple):
    """What became of the mover's hand, in this order.

    ``tiles`` were drawn; ``aside``, one of those perhaps among them, were set aside; and the
    ``replacements`` drawn, in that order.
    """

    state: State
    tiles: tuple[Tile, ...] = ()
    aside: Mask = 0
    replacements: tuple[Tile, ...] = ()


def refill(state: State) -> DrawResult:
    """End the mover's turn with what he draws, and with what he sets aside and replaces.

    Nothing is drawn from an empty bag. Tiles that would merge two safe hotels are set aside even
    then; they are replaced once, and whatever the replacements are stays in hand.
    """
    rulebook, board, (mover, *others), bank, bag, gone, idle = state
    name, cash, shares, hand = mover
    missing = rulebook.hand_size - hand.bit_count()
    if missing > 1 and rulebook.draw is Draw.ONE:
        missing = 1
    tiles = bag[:missing] if missing > 0 else ()
    for tile in tiles:
        hand |= 1 << tile
    bag = bag[len(tiles) :]
    dead = hand & board.closed
    replacements: tuple[Tile, ...] = ()
    if dead and rulebook.dead_tiles is DeadTiles.KEPT:
        dead = 0
    if dead:
        replacements = bag[: dead.bit_count()]
        hand = hand & ~dead | mask_of(replacements)
        bag = bag[len(replacements) :]
        gone |= dead
    if not tiles and not dead:
        return DrawResult(state)
    mover = new(Player, (name, cash, shares, hand))
    after = new(State, (rulebook, board, (mover, *others), bank, bag, gone, idle))
    return new(DrawResult, (after, tiles, dead, replacements))


def replace_hand(state: State) -> DrawResult:
    """Begin the mover's turn: where the rulebook says so a stuck hand is set aside and replaced.

    A bag that cannot replace all of it replaces none: what would found an eighth hotel now can be
    worth keeping.
    """
    hand = state.mover.hand
    if (
        state.rulebook.stuck_hand is not StuckHand.REPLACED
        or playable(state)
        or len(state.bag) < hand.bit_count()
        or not hand
    ):
        return DrawResult(state)
    mover, *others = state.players
    tiles = state.bag[: hand.bit_count()]
    mover = mover._replace(hand=mask_of(tiles))
    after = state._replace(
        players=(mover, *others), bag=state.bag[len(tiles) :], aside=state.aside | hand
    )
    return DrawResult(after, (), hand, tiles)
