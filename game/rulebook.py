"""A rulebook as data: constants, tables and closed choices.

Nothing asks a rulebook for its id and nothing subclasses it: the rules read the fields below, so
another rulebook is another value, usually ``dataclasses.replace`` of one that exists.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, NamedTuple

LARGEST_SIZE: Final = 108
MAJORITY: Final = 10
"""The majority bonus is ten times the price of a certificate."""
MINORITY: Final = 5
"""The minority bonus is five times the price of a certificate."""


class Hotel(NamedTuple):
    """A hotel's name, its price tier and the colour that the rule text gives it."""

    name: str
    tier: str
    colour: str


class ForbiddenMerger(Enum):
    """Which mergers a tile may not cause."""

    ANY_SAFE = auto()
    TWO_SAFE = auto()


class LooseNeighbours(Enum):
    """What a tile does that touches a hotel and unincorporated tiles as well."""

    REFUSED = auto()
    ABSORBED = auto()


class EighthHotel(Enum):
    """What a founding tile does while all hotels are on the board."""

    STAYS_LOOSE = auto()
    REFUSED = auto()


class SoleHolder(Enum):
    """What the only holder of a hotel's certificates is paid."""

    MAJORITY_ALONE = auto()
    BOTH_BONUSES = auto()


def nearest_dollar(amount: int, holders: int) -> int:
    """Share ``amount`` dollars among ``holders``, to the nearest dollar, halves up."""
    return (2 * amount + holders) // (2 * holders)


def next_hundred(amount: int, holders: int) -> int:
    """Share ``amount`` dollars among ``holders``, up to the next 100 dollars."""
    return -(-amount // (100 * holders)) * 100


@dataclass(frozen=True, slots=True, eq=False)
class Rulebook:
    """Everything in which one rule text may differ from another.

    Money is in dollars, sizes are numbers of tiles. ``prices[hotel][size]`` is the price of one
    certificate, 0 where the hotel has none at that size. Hotels are indices into ``hotels``,
    which is in alphabetical order.
    """

    id: str
    title: str
    fewest_players: int
    most_players: int
    cash: int
    hand_size: int
    certificates: int
    hotels: tuple[Hotel, ...]
    prices: tuple[tuple[int, ...], ...]
    safe_size: int
    final_size: int
    order_limit: int
    mixed_orders: bool
    forbidden_merger: ForbiddenMerger
    loose_neighbours: LooseNeighbours
    eighth_hotel: EighthHotel
    sole_holder: SoleHolder
    share_of_bonus: Callable[[int, int], int]

    def price(self, hotel: int, size: int) -> int:
        """Return the price of one certificate in dollars, 0 when it has none at this size."""
        return self.prices[hotel][size]

    def hotel_name(self, hotel: int) -> str:
        """Return the name of the hotel with this index."""
        return self.hotels[hotel].name

    def hotel_index(self, name: str) -> int:
        """Return the index of the hotel of this name; ``ValueError`` when there is none."""
        for index, hotel in enumerate(self.hotels):
            if hotel.name == name:
                return index
        raise ValueError(f"rulebook {self.id} has no hotel {name!r}")


def price_table(smallest_sizes: dict[int, int]) -> tuple[int, ...]:
    """Spread ``{price: smallest size at which it holds}`` over the sizes 0 to 108.

    Where two prices begin at the same size the higher one holds: the rule text reads a column
    of its table from the bottom.
    """
    return tuple(
        max((price for price, least in smallest_sizes.items() if least <= size), default=0)
        for size in range(LARGEST_SIZE + 1)
    )


# "Acquire, Revised", the table of prices: for each price the smallest size at which it holds.
_REVISED_SIZES: Final = {
    "cheap": {
        200: 2, 300: 3, 400: 4, 500: 5, 600: 6, 700: 11, 800: 21, 900: 31, 1000: 41,
    },
    "medium": {
        200: 0, 300: 2, 400: 3, 500: 4, 600: 5, 700: 6, 800: 11, 900: 21, 1000: 31, 1100: 41,
    },
    "expensive": {
        200: 0, 300: 0, 400: 2, 500: 3, 600: 4, 700: 5, 800: 6, 900: 11, 1000: 21, 1100: 31,
        1200: 41,
    },
}  # fmt: skip

_HOTELS: Final = (
    Hotel("American", "medium", "red"),
    Hotel("Continental", "expensive", "blue"),
    Hotel("Festival", "medium", "green"),
    Hotel("Imperial", "medium", "yellow"),
    Hotel("Sackson", "cheap", "purple"),
    Hotel("Tower", "expensive", "brown"),
    Hotel("Worldwide", "cheap", "orange"),
)

REVISED: Final = Rulebook(
    id="revised",
    title="Acquire, Revised",
    fewest_players=3,
    most_players=6,
    cash=8000,
    hand_size=6,
    certificates=25,
    hotels=_HOTELS,
    prices=tuple(price_table(_REVISED_SIZES[hotel.tier]) for hotel in _HOTELS),
    safe_size=12,
    final_size=40,
    order_limit=2,
    mixed_orders=False,
    forbidden_merger=ForbiddenMerger.ANY_SAFE,
    loose_neighbours=LooseNeighbours.REFUSED,
    eighth_hotel=EighthHotel.STAYS_LOOSE,
    sole_holder=SoleHolder.MAJORITY_ALONE,
    share_of_bonus=nearest_dollar,
)

RULEBOOKS: Final = {rulebook.id: rulebook for rulebook in (REVISED,)}
"""Every rulebook that can be played, by its id."""
