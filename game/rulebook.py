"""A rulebook as data: constants, tables and closed choices.

Nothing asks a rulebook for its id and nothing subclasses it: the rules read the fields below, so
another rulebook is another value, usually ``dataclasses.replace`` of one that exists. The value of
each closed choice is the phrase by which ``acquire rulebooks`` shows it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, NamedTuple

MAX_SIZE: Final = 108
MAJORITY: Final = 10
"""The majority bonus is ten times the price of a certificate."""
MINORITY: Final = 5
"""The minority bonus is five times the price of a certificate."""


class Hotel(NamedTuple):
    """A hotel's name, its price tier and its colour (the rule text's, where it gives one)."""

    name: str
    tier: str
    colour: str


class Start(Enum):
    """Who moves first; where tiles are drawn for it they stay on the board, unincorporated."""

    SIGN_UP = "the first to sign up"
    ROW_FIRST = "the tile of the topmost row, then of the leftmost column: 9A before 1B"
    COLUMN_FIRST = (
        "the tile of the lowest number, then of the letter nearest A: 2B before 2E and 3A"
    )


class Hands(Enum):
    """Whose tiles a player may see."""

    OPEN = "everything, others' tiles included"
    HIDDEN = "own tiles"


class Assets(Enum):
    """Whose cash and certificates a player may see."""

    OPEN = "cash and certificates of all"
    OPTIONAL = "cash and certificates of all, unless the table hides them"
    HIDDEN = "own cash and certificates"


class ForbiddenMerger(Enum):
    """Which mergers a tile may not cause."""

    ANY_SAFE = "any hotel in it is safe"
    TWO_SAFE = "two hotels in it are safe (permanently unplayable)"


class LooseNeighbours(Enum):
    """What a tile does that touches a hotel and unincorporated tiles as well."""

    REFUSED = "not allowed"
    ABSORBED = "the hotel takes in all that is connected"


class EighthHotel(Enum):
    """What a founding tile does while all hotels are on the board."""

    STAYS_LOOSE = "allowed: nothing is founded, the tile stays unincorporated"
    REFUSED = "not allowed now (temporarily unplayable)"


class EqualAcquired(Enum):
    """Which of two acquired hotels of the same size is dealt with first."""

    ALPHABETICAL = "largest first, equals alphabetically"
    PLACER_ORDERS = "largest first, equals as the placer orders them"


class SoleHolder(Enum):
    """What the only holder of a hotel's certificates is paid."""

    MAJORITY_ALONE = "the majority bonus alone"
    BOTH_BONUSES = "both bonuses"


class DisposalRule(Enum):
    """What becomes of an acquired hotel's certificates."""

    KEEP_OR_RETURN = (
        "each player, for each acquired hotel, keeps all or returns all at the price before "
        "the merger"
    )
    HOLD_SELL_TRADE = (
        "hold, sell at the price before the merger, or trade two for one of the survivor: any "
        "mix, as far as the bank goes"
    )


class Draw(Enum):
    """How many tiles a player takes at the end of a turn if the hand is short."""

    ONE = "one tile at the end of the turn"
    UP_TO_FULL = "up to a full hand at the end of the turn"


class DeadTiles(Enum):
    """What becomes of tiles in hand that would merge two safe hotels."""

    KEPT = "kept"
    REPLACED = "set aside face up and replaced at the end of the turn, once per turn"


class StuckHand(Enum):
    """What happens to a player who can place none of the tiles in hand."""

    ENDS_GAME = "the game ends"
    SKIPS = "the placement is skipped; the player may buy"
    REPLACED = (
        "the whole hand is set aside and replaced before placing, once, if the bag holds "
        "enough tiles; if none is playable then, the placement is skipped"
    )


class EmptyBag(Enum):
    """What happens when a tile is due and the bag is empty."""

    ENDS_GAME = "the game ends"
    PLAYS_ON = "play goes on with fewer tiles"


class End(Enum):
    """Who ends a game in which a hotel is large enough or all hotels are safe."""

    ADMINISTRATOR = "the administrator, between turns"
    DECLARED = "a player who declares it during a turn and finishes that turn"


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
    edition: str
    """What the box calls the seven: ``hotels`` or ``corporations``."""
    min_players: int
    max_players: int
    market_for_two: bool
    """Whether the stock market is the third holder where two play."""
    cash: int
    hand_size: int
    certificates: int
    hotels: tuple[Hotel, ...]
    prices: tuple[tuple[int, ...], ...]
    safe_size: int
    final_size: int
    order_limit: int
    mixed_orders: bool
    start: Start
    hands: Hands
    assets: Assets
    forbidden_merger: ForbiddenMerger
    loose_neighbours: LooseNeighbours
    eighth_hotel: EighthHotel
    equal_acquired: EqualAcquired
    sole_holder: SoleHolder
    share_of_bonus: Callable[[int, int], int]
    disposal: DisposalRule
    draw: Draw
    dead_tiles: DeadTiles
    stuck_hand: StuckHand
    empty_bag: EmptyBag
    end: End

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


def with_hidden_assets(rulebook: Rulebook) -> Rulebook:
    """Return the rulebook for a table that hides cash and certificates.

    ``ValueError`` where the rule text does not leave that to the table.
    """
    if rulebook.assets is Assets.OPEN:
        raise ValueError(f"rulebook {rulebook.id} keeps cash and certificates open")
    return replace(rulebook, assets=Assets.HIDDEN)


def price_table(smallest_sizes: dict[int, int]) -> tuple[int, ...]:
    """Spread ``{price: smallest size at which it holds}`` over the sizes 0 to 108.

    Where two prices begin at the same size the higher one holds: the rule text reads a column
    of its table from the bottom.
    """
    return tuple(
        max((price for price, least in smallest_sizes.items() if least <= size), default=0)
        for size in range(MAX_SIZE + 1)
    )
