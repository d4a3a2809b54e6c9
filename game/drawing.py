"""Drawing tiles, setting aside those that can never be placed, and dealing anew.

Rule texts: "Acquire, Revised", Play, step 3; "Drawing a tile", "Unplayable tiles", "Tile placement"
in the others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final, final

from .placement import playable
from .records import Record
from .rulebook import DeadTiles, Draw, Hands, StuckHand
from .state import Player, State
from .tiles import Mask, Tile, mask_of, tiles_in

_REPLACING: Final = (StuckHand.REPLACED, StuckHand.MAY_REPLACE)
# A module constant, because looking up an Enum member costs more than the test that uses it.


@final
class DrawResult(Record):
    """What the mover drew and set aside.

    First ``tiles`` were drawn, then the tiles in ``aside`` were set aside, possibly one of those
    just drawn, then ``replacements`` were drawn. ``state`` is the position after all of it;
    ``lacking`` is how many tiles the bag had too few.
    """

    __match_args__ = ("state", "tiles", "aside", "replacements", "lacking")
    __slots__ = __match_args__

    def __init__(
        self,
        state: State,
        tiles: tuple[Tile, ...] = (),
        aside: Mask = 0,
        replacements: tuple[Tile, ...] = (),
        lacking: int = 0,
    ) -> None:
        self.state: Final = state
        self.tiles: Final = tiles
        self.aside: Final = aside
        self.replacements: Final = replacements
        self.lacking: Final = lacking


def refill(state: State) -> DrawResult:
    """End the mover's turn: fill its hand, and replace dead tiles where the rulebook says so.

    An empty bag fills and replaces nothing, but dead tiles are set aside all the same. They are
    replaced only once: a replacement that is dead, too, stays in hand.
    """
    rulebook, board, mover, bag = state.rulebook, state.board, state.players[0], state.bag
    hand, gone = mover.hand, state.aside
    missing = max(rulebook.hand_size - hand.bit_count(), 0)
    if missing > 1 and rulebook.draw is Draw.ONE:
        missing = 1
    tiles = bag[:missing]
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
    lacking = missing + dead.bit_count() - len(tiles) - len(replacements)
    if not tiles and not dead:
        return DrawResult(state, lacking=lacking)
    mover = Player(mover.name, mover.cash, mover.shares, hand)
    players = (mover, *state.players[1:])
    after = State(rulebook, board, players, state.bank, bag, gone, state.idle)
    return DrawResult(after, tiles, dead, replacements, lacking)


def replace_hand(state: State) -> DrawResult:
    """Begin the mover's turn: replace a hand without a playable tile, where that is possible.

    Nothing changes where the rulebook does not allow it; whether it asks the player first is up to
    the caller.
    A bag that cannot replace the whole hand replaces none of it, since a tile that would found an
    eighth hotel now can become playable later.

    >>> from acquire import WIKIPEDIA, parse_position, tile_name
    >>> from acquire.game.tiles import tile_names
    >>> blocked = "AAAAAAAAAAA/............/CCCCCCCCCCC"  # two safe hotels around row B
    >>> state = parse_position(WIKIPEDIA, blocked, ["ann 1B 2B"], bag="12I 11I")
    >>> draw = replace_hand(state)
    >>> [tile_name(tile) for tile in draw.replacements], tile_names(draw.aside)
    (['12I', '11I'], '1B 2B')
    """
    hand = state.players[0].hand
    if (
        state.rulebook.stuck_hand not in _REPLACING
        or playable(state)
        or not state.can_replace(state.players[0])
    ):
        return DrawResult(state)
    mover, *others = state.players
    tiles = state.bag[: hand.bit_count()]
    mover = mover._replace(hand=mask_of(tiles))
    after = state._replace(
        players=(mover, *others), bag=state.bag[len(tiles) :], aside=state.aside | hand
    )
    return DrawResult(after, (), hand, tiles)


def redeal(
    state: State,
    viewers: Collection[str],
    shuffle: Callable[[list[Tile]], None],
    revealed: Mask = 0,
    drawn: tuple[Tile, ...] = (),
) -> State:
    """Return a position that the players called ``viewers`` cannot distinguish from ``state``.

    The tiles that they cannot see (in the bag and, if hands are hidden, in other hands) are dealt
    again: every hand gets as many as it had. Cash and certificates stay even if the table hides
    them: they were gained openly, so a player that keeps count knows them. The viewers may know
    more, from what came later: tiles in a hand that were ``revealed``, and the first tiles of the
    bag that were ``drawn`` for all to see.
    """
    hidden = state.rulebook.hands is not Hands.OPEN
    held = {p.name: p.hand & ~revealed for p in state.players if hidden and p.name not in viewers}
    hands = [tile for hand in held.values() for tile in tiles_in(hand)]
    unseen = sorted([*state.bag[len(drawn) :], *hands])  # so the true deal has no influence
    shuffle(unseen)
    players = []
    for player in state.players:
        if player.name in held:
            hand = mask_of([unseen.pop() for _ in range(held[player.name].bit_count())])
            player = player._replace(hand=player.hand & revealed | hand)
        players.append(player)
    return state._replace(players=tuple(players), bag=(*drawn, *unseen))
