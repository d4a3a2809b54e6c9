"""What happens between the actions: drawing, passing the turn, ejection, endings, the pay-out.

Rule text: "Acquire, Revised", Play, step 3, Ending the Game, and Scoring.
"""

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from game.merger import Bonus, bonuses_for, pay
from game.placement import playable
from game.state import Player, State
from game.tiles import Tile, tiles_in
from game.violation import BrokenRule


class Ending(Enum):
    """How a game can end; the value is its code in logs."""

    LARGE_HOTEL = "large-hotel"
    ALL_SAFE = "all-hotels-safe"
    NOTHING_PLACEABLE = "no-placeable-tile"
    BAG_EMPTY = "no-tile-to-hand-back"
    NOBODY_LEFT = "nobody-left"
    INTERRUPTED = "interrupted"

    @property
    def regular(self) -> bool:
        """Whether the rule text calls this ending regular."""
        return self in (Ending.LARGE_HOTEL, Ending.ALL_SAFE)

    @property
    def sentence(self) -> str:
        """The ending in words."""
        return _SENTENCES[self]


_SENTENCES = {
    Ending.LARGE_HOTEL: "A hotel has grown to the size that ends the game.",
    Ending.ALL_SAFE: "Every hotel on the board is safe.",
    Ending.NOTHING_PLACEABLE: "The next player can place none of the tiles in hand.",
    Ending.BAG_EMPTY: "No tile is left to hand back to the player.",
    Ending.NOBODY_LEFT: "No player is left at the table.",
    Ending.INTERRUPTED: "The match was interrupted before its end.",
}


class PayOut(NamedTuple):
    """The end of a game: the last bonuses, and each player's money in dollars, in turn order."""

    bonuses: tuple[Bonus, ...]
    scores: tuple[tuple[str, int], ...]


def draw(state: State) -> tuple[State, Tile | None]:
    """Hand the mover the next tile; the tile is ``None`` when the bag is empty."""
    if not state.bag:
        return state, None
    rulebook, board, (mover, *others), bank, bag = state
    tile = bag[0]
    mover = Player(mover.name, mover.cash, mover.shares, mover.hand | 1 << tile)
    return State(rulebook, board, (mover, *others), bank, bag[1:]), tile


def pass_turn(state: State) -> State:
    """Return the same position with the next player first."""
    rulebook, board, players, bank, bag = state
    return State(rulebook, board, players[1:] + players[:1], bank, bag)


def regular_ending(state: State) -> Ending | None:
    """Return the regular ending that holds on the board, if one does."""
    sizes = state.board.sizes
    largest = max(sizes)
    if largest >= state.rulebook.final_size:
        return Ending.LARGE_HOTEL
    safe = state.rulebook.safe_size
    if largest >= safe and min(filter(None, sizes)) >= safe:
        return Ending.ALL_SAFE
    return None


def ending(state: State) -> Ending | None:
    """Return the ending that the administrator sees between turns, the regular ones first."""
    if not state.players:
        return Ending.NOBODY_LEFT
    if (found := regular_ending(state)) is not None:
        return found
    return None if playable(state) else Ending.NOTHING_PLACEABLE


def pay_out(state: State) -> PayOut:
    """Pay the bonuses of every hotel on the board and sell all its certificates at its price."""
    bonuses = [
        bonus
        for hotel, tiles in enumerate(state.board.hotels)
        if tiles
        for bonus in bonuses_for(state.rulebook, hotel, state.price(hotel), state.players)
    ]
    prices = [state.price(hotel) if tiles else 0 for hotel, tiles in enumerate(state.board.hotels)]
    scores = tuple(
        (player.name, player.cash + sum(map(int.__mul__, player.shares, prices)))
        for player in pay(state.players, bonuses)
    )
    return PayOut(tuple(bonuses), scores)


def returned_bag(state: State, name: str) -> tuple[Tile, ...]:
    """Return the bag with a leaving player's tiles put back behind it, still to be shuffled."""
    return (*state.bag, *tiles_in(state.player(name).hand))


def eject(state: State, name: str, bag: Sequence[Tile]) -> State:
    """Take a player from the table: certificates to the bank, tiles to the bag, cash gone.

    ``bag`` is the shuffled :func:`returned_bag`; ``BrokenRule`` when it holds other tiles.
    """
    leaver = state.player(name)
    if sorted(bag) != sorted(returned_bag(state, name)):
        raise BrokenRule(f"the bag after {name} left does not hold the tiles that it should")
    return State(
        state.rulebook,
        state.board,
        tuple(player for player in state.players if player is not leaver),
        tuple(map(int.__add__, state.bank, leaver.shares)),
        tuple(bag),
    )
