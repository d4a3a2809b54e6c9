"""What happens between the turns: passing the turn, ejection, the endings, the pay-out.

Rule texts: "Acquire, Revised", Ending the Game, and Scoring; "Ending the game" in the others.
"""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from game.merger import Bonus, bonuses_for, pay
from game.placement import playable
from game.rulebook import End, StuckHand
from game.state import State
from game.tiles import Tile, tiles_in
from game.tuples import new
from game.violation import BrokenRule, Illegal, Violation


class Ending(Enum):
    """How a game can end; the value is its code in logs."""

    LARGE_HOTEL = "large-hotel"
    ALL_SAFE = "all-hotels-safe"
    NOTHING_PLACEABLE = "no-placeable-tile"
    BAG_EMPTY = "no-tile-to-hand-back"
    DEAD_ROUND = "dead-round"
    NOBODY_LEFT = "nobody-left"
    INTERRUPTED = "interrupted"
    NO_MORE_TURNS = "no-more-turns"

    @property
    def regular(self) -> bool:
        """Whether the rule texts describe this ending; the others come about."""
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
    Ending.DEAD_ROUND: "For a whole round nobody placed a tile, and nobody's tiles changed.",
    Ending.NOBODY_LEFT: "No player is left at the table.",
    Ending.INTERRUPTED: "The match was interrupted before its end.",
    Ending.NO_MORE_TURNS: "No more turns were to be played.",
}


_ADMINISTRATOR, _ENDS_GAME = End.ADMINISTRATOR, StuckHand.ENDS_GAME
# looked up once: an Enum's member costs more to find than the question it answers


class PayOut(NamedTuple):
    """The end of a game: the last bonuses, and each player's money in dollars, in turn order."""

    bonuses: tuple[Bonus, ...]
    scores: tuple[tuple[str, int], ...]


def pass_turn(state: State, *, idle: bool = False) -> State:
    """Return the same position with the next player first.

    ``idle`` says that in this turn no tile was placed and the mover's hand did not change.
    """
    rulebook, board, players, bank, bag, aside, turns = state
    after = turns + 1 if idle else 0
    return new(State, (rulebook, board, players[1:] + players[:1], bank, bag, aside, after))


def regular_ending(state: State) -> Ending | None:
    """Return the ground on which the game may be ended, if one holds on the board."""
    sizes = state.board.sizes
    largest = max(sizes)
    if largest >= state.rulebook.final_size:
        return Ending.LARGE_HOTEL
    safe = state.rulebook.safe_size
    if largest >= safe and min(filter(None, sizes)) >= safe:
        return Ending.ALL_SAFE
    return None


def verify_declaration(state: State) -> Illegal | None:
    """Say why the mover may not declare the end with his order, or ``None`` when he may."""
    if state.rulebook.end is End.DECLARED and regular_ending(state) is not None:
        return None
    rulebook, sizes = state.rulebook, state.board.sizes
    told = [f"{rulebook.hotel_name(hotel)} {size}" for hotel, size in enumerate(sizes) if size]
    return Illegal(
        Violation.NOT_OVER,
        f"The end was declared, with these sizes: {', '.join(told) or 'no hotel on the board'}; "
        f"large enough is {rulebook.final_size}, safe is {rulebook.safe_size}.",
    )


def ending(state: State) -> Ending | None:
    """Return the ending that the administrator sees between turns, the regular ones first."""
    if not state.players:
        return Ending.NOBODY_LEFT
    rulebook = state.rulebook
    if rulebook.end is _ADMINISTRATOR and (found := regular_ending(state)) is not None:
        return found
    if rulebook.stuck_hand is _ENDS_GAME and not playable(state):
        return Ending.NOTHING_PLACEABLE
    return Ending.DEAD_ROUND if state.idle >= len(state.players) else None


def pay_out(state: State, market: Mapping[int, int] | None = None) -> PayOut:
    """Pay the bonuses of every hotel on the board and sell all its certificates at its price.

    ``market`` are the certificates by hotel that the stock market holds, where it is a holder.
    """
    market = market or {}
    bonuses = [
        bonus
        for hotel, tiles in enumerate(state.board.hotels)
        if tiles
        for bonus in bonuses_for(
            state.rulebook, hotel, state.price(hotel), state.players, market.get(hotel, 0)
        )
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
        state.aside,
    )


def eject_midway(state: State, name: str, bag: Sequence[Tile]) -> State:
    """Take a player from the position within a turn, given the bag of the committed one.

    What the turn has drawn since is in that bag too and stays drawn; the order is the same.
    """
    within = set(returned_bag(state, name))
    return eject(state, name, [tile for tile in bag if tile in within])
