"""The five rule texts as data: the numbers, names and tables in which they differ.

Written from the texts alone, as the rest of this folder: nothing here may know the engine that it
judges. A field's comment says what it means, its default is what most of the texts say, and each
value below names only where its text says otherwise. "(silent)" marks what a text leaves open.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

TILES_IN_HAND = 6
CERTIFICATES_PER_HOTEL = 25

# Tiles: 1A, 2A .. 12A, 1B ..

ROWS = "ABCDEFGHI"
ALL_TILES = [f"{column}{row}" for row in ROWS for column in range(1, 13)]


def column_of(tile: str) -> int:
    """The number of a tile: that of 9F is 9."""
    return int(tile[:-1])


def row_then_column(tile: str) -> tuple[str, int]:
    """The order of tiles in which "9A is closer than 1B" (corporations)."""
    return tile[-1], column_of(tile)


def column_then_row(tile: str) -> tuple[int, str]:
    """The order of tiles in which "2B would beat 2E or 3A" (classic)."""
    return column_of(tile), tile[-1]


# Hotels and their prices; a tier is the column of the price table

CHEAP, MEDIUM, EXPENSIVE = 0, 1, 2
HOTELS = {"American": MEDIUM, "Continental": EXPENSIVE, "Festival": MEDIUM, "Imperial": MEDIUM}
HOTELS |= {"Sackson": CHEAP, "Tower": EXPENSIVE, "Worldwide": CHEAP}
CORPORATIONS = {"America": MEDIUM, "Fusion": MEDIUM, "Hydra": MEDIUM, "Phoenix": EXPENSIVE}
CORPORATIONS |= {"Quantum": EXPENSIVE, "Sackson": CHEAP, "Zeta": CHEAP}

# revised: each price, and the smallest size at which it holds in each column
NEVER = 109
PRICE_TABLE = [
    (200, [2, 0, 0]),
    (300, [3, 2, 0]),
    (400, [4, 3, 2]),
    (500, [5, 4, 3]),
    (600, [6, 5, 4]),
    (700, [11, 6, 5]),
    (800, [21, 11, 6]),
    (900, [31, 21, 11]),
    (1000, [41, 31, 21]),
    (1100, [NEVER, 41, 31]),
    (1200, [NEVER, NEVER, 41]),
]

# the information card: in each column the first size of each printed range, and its price
CARD = [
    {2: 200, 3: 300, 4: 400, 5: 500, 6: 600, 11: 700, 21: 800, 31: 900, 41: 1000},
    {2: 300, 3: 400, 4: 500, 5: 600, 6: 700, 11: 800, 21: 900, 31: 1000, 41: 1100},
    {2: 400, 3: 500, 4: 600, 5: 700, 6: 800, 11: 900, 21: 1000, 31: 1100, 41: 1200},
]

# digest: "the base price of the corporation plus a modifier", 100 for each step reached
BASE_PRICE = [200, 300, 400]
STEPS = [3, 4, 5, 6, 11, 21, 31, 41]


def by_table(tier: int, size: int) -> int:
    """The price by the table, "starting from the bottom"; 0 where there is none (revised)."""
    return next((price for price, least in reversed(PRICE_TABLE) if least[tier] <= size), 0)


def by_card(tier: int, size: int) -> int:
    """The price on the card, 0 off the board (corporations)."""
    return CARD[tier][max(first for first in CARD[tier] if first <= size)] if size else 0


def by_formula(tier: int, size: int) -> int:
    """The price by base and steps, 0 off the board (digest)."""
    return BASE_PRICE[tier] + 100 * sum(size >= step for step in STEPS) if size else 0


# Shares of a bonus


def to_the_nearest_dollar(dollars: int, owners: int) -> int:
    """An equal share, "rounded to the nearest full unit of dollars", halves up (revised)."""
    return (2 * dollars + owners) // (2 * owners)


def up_to_the_next_100(dollars: int, owners: int) -> int:
    """An equal share, rounded "up to the nearest $100 if necessary" (corporations)."""
    return 100 * -(-dollars // (100 * owners))


@dataclass(frozen=True)
class Rules:
    """One rulebook; sizes are in tiles, money is in dollars."""

    tiers: Mapping[str, int]  # of the seven hotels, in alphabetical order
    price_at: Callable[[int, int], int]  # by tier and size
    players: range = range(2, 7)
    cash: int = 6_000
    closest_tile: Callable[[str], tuple[str | int, ...]] | None = (
        row_then_column  # starts; None: no tiles drawn
    )
    safe_size: int = 11
    winning_size: int = 41
    safe_to_forbid: int = 2  # this many safe hotels beside a tile forbid a merger
    hotels_take_in_loose_tiles: bool = True  # or a tile beside both cannot be placed
    eighth_hotel_stays_loose: bool = False  # or its tile cannot be placed
    placer_orders_equals: bool = True  # acquired hotels of one size; or the alphabet does
    sole_holder_gets_both: bool = True  # bonuses; or the majority bonus alone
    share_of: Callable[[int, int], int] = up_to_the_next_100  # of a bonus, among owners
    keep_or_return: bool = False  # all certificates of an acquired hotel; or hold, sell and trade
    may_buy: int = 3
    may_mix: bool = True  # certificates of several hotels in one order
    referee_ends: bool = False  # the game, by the sizes, or for want of a tile to place or
    # draw; or a player declares the end, and the game goes on without tiles
    replaces_dead_tiles: bool = True  # at the end of a turn
    may_replace_stuck_hand: bool = False  # before placing; then the hand is filled up at the end
    market_for_two: bool = False  # the stock market is the third holder of two players


RULES = {
    "revised": Rules(
        HOTELS,
        by_table,
        players=range(3, 7),
        cash=8_000,
        closest_tile=None,
        safe_size=12,
        winning_size=40,
        safe_to_forbid=1,
        hotels_take_in_loose_tiles=False,
        eighth_hotel_stays_loose=True,
        placer_orders_equals=False,
        sole_holder_gets_both=False,
        share_of=to_the_nearest_dollar,
        keep_or_return=True,
        may_buy=2,
        may_mix=False,
        referee_ends=True,
        replaces_dead_tiles=False,
    ),
    "corporations": Rules(CORPORATIONS, by_card),
    "classic": Rules(HOTELS, by_card, closest_tile=column_then_row, market_for_two=True),
    "wikipedia": Rules(
        HOTELS, by_card, players=range(3, 7), replaces_dead_tiles=False, may_replace_stuck_hand=True
    ),
    "digest": Rules(CORPORATIONS, by_formula),
}
