"""A rulebook as data: constants, tables and closed choices.

The rules never ask for a rulebook's id and nobody subclasses it: they read the fields below. So
another rulebook is another value, usually ``dataclasses.replace`` of an existing one. The value of
each closed choice is the phrase by which ``acquire rulebooks`` shows it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import Enum
from typing import Any, Final, NamedTuple, assert_never

MAX_SIZE: Final = 108
"""Tiles of the largest hotel there can be: all of them."""
NUMBER_OF_HOTELS: Final = 7
BONUS_PLACES: Final = ("majority", "minority", "third", "fourth", "fifth", "sixth")
"""What the bonuses are called, the largest first."""


class Hotel(NamedTuple):
    """A hotel's name and its price tier: ``cheap``, ``medium`` or ``expensive``."""

    name: str
    tier: str


class Start(Enum):
    """Who moves first. Tiles drawn to decide it stay on the board, unincorporated."""

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
    CASH_HIDDEN = "own cash, and certificates of all"
    CERTIFICATES_HIDDEN = "own certificates, and cash of all"
    HIDDEN = "own cash and certificates"

    @property
    def hides_cash(self) -> bool:
        """Whether the cash of other players is hidden."""
        return self is Assets.HIDDEN or self is Assets.CASH_HIDDEN

    @property
    def hides_certificates(self) -> bool:
        """Whether the certificates of other players are hidden."""
        return self is Assets.HIDDEN or self is Assets.CERTIFICATES_HIDDEN

    @property
    def hidden(self) -> str:
        """What is hidden: ``cash``, ``certificates``, ``both``, or ``""`` for nothing."""
        return next((name for name, assets in HIDING.items() if assets is self), "")

    @property
    def words(self) -> str:
        """What is hidden, to be added to a rulebook's name: ``", cash hidden"`` or ``""``."""
        named = {"both": "cash and certificates"}.get(self.hidden, self.hidden)
        return f", {named} hidden" if named else ""


HIDING: Final = {
    "cash": Assets.CASH_HIDDEN,
    "certificates": Assets.CERTIFICATES_HIDDEN,
    "both": Assets.HIDDEN,
}
"""What a table can hide of other players' assets, by the name of the option."""


class ForbiddenMerger(Enum):
    """Which mergers are not allowed: those in which ..."""

    ANY_SAFE = "any hotel in it is safe"
    TWO_SAFE = "two hotels in it are safe (permanently unplayable)"


class LooseNeighbours(Enum):
    """What happens to a tile that touches both a hotel and unincorporated tiles."""

    REFUSED = "not allowed"
    ABSORBED = "the hotel takes in all that is connected"


class EighthHotel(Enum):
    """What happens to a tile that would found a hotel while all of them are on the board."""

    STAYS_LOOSE = "allowed: nothing is founded, the tile stays unincorporated"
    REFUSED = "not allowed now (temporarily unplayable)"


class EqualAcquired(Enum):
    """In which order acquired hotels are resolved."""

    ALPHABETICAL = "largest first, equals alphabetically"
    PLACER_ORDERS = "largest first, equals as the placer orders them"


class SoleHolder(Enum):
    """Which bonuses the only holder of a hotel's certificates receives."""

    MAJORITY_ALONE = "the majority bonus alone"
    ALL_BONUSES = "all bonuses"


class DisposalRule(Enum):
    """What players may do with the certificates of acquired hotels."""

    KEEP_OR_RETURN = (
        "each player, for each acquired hotel, keeps all or returns all at the price before "
        "the merger"
    )
    HOLD_SELL_TRADE = (
        "hold, sell at the price before the merger, or trade two for one of the survivor: any "
        "mix, as far as the bank goes"
    )


class Draw(Enum):
    """How many tiles a player draws if its hand is short."""

    ONE = "one tile at the end of the turn"
    UP_TO_FULL = "up to a full hand at the end of the turn"


class DeadTiles(Enum):
    """What happens to tiles in hand that can never be placed: they would merge two safe hotels."""

    KEPT = "kept"
    REPLACED = "set aside face up and replaced at the end of the turn, once per turn"


class StuckHand(Enum):
    """What happens when the player to move has no playable tile."""

    ENDS_GAME = "the game ends"
    SKIPS = "the placement is skipped; the player may buy"
    REPLACED = (
        "the whole hand is set aside and replaced before placing, once, if the bag holds "
        "enough tiles; if none is playable then, the placement is skipped"
    )
    MAY_REPLACE = (
        "the player may have the whole hand set aside and replaced before placing, once, if the "
        "bag holds enough tiles; if none is playable then, the placement is skipped"
    )


class EmptyBag(Enum):
    """What happens when a tile should be drawn and the bag is empty."""

    ENDS_GAME = "the game ends"
    PLAYS_ON = "play goes on with fewer tiles"


class End(Enum):
    """Who ends a game in which a hotel is large enough or all hotels are safe."""

    ADMINISTRATOR = "the referee, between turns"
    DECLARED = "a player who declares it during a turn and finishes that turn"
    DECLARED_AFTER_PLACING = "a player who declares it after the placement"


class Rounding(Enum):
    """How a bonus that tied holders share is rounded, to a multiple of the rulebook's step."""

    NEAREST = "to the nearest {step}, halves up"
    UP = "up to the next {step}"
    DOWN = "down to the last {step}"

    def share(self, amount: int, holders: int, step: int) -> int:
        """Return what each of ``holders`` receives of ``amount``, in dollars.

        >>> [rounding.share(2500, 3, step=100) for rounding in Rounding]
        [800, 900, 800]
        >>> Rounding.NEAREST.share(2500, 3, step=1)
        833
        """
        unit = holders * step
        match self:
            case Rounding.NEAREST:
                return (2 * amount + unit) // (2 * unit) * step
            case Rounding.UP:
                return -(-amount // unit) * step
            case Rounding.DOWN:
                return amount // unit * step
            case _:
                assert_never(self)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Rulebook:
    """Everything in which one rule text may differ from another.

    Money is in dollars, sizes are numbers of tiles. Hotels are indices into ``hotels``, which is in
    alphabetical order.
    """

    id: str
    title: str
    min_players: int
    max_players: int
    market_for_two: bool
    """Whether the stock market is a third holder in a game of two."""
    cash: int
    hand_size: int
    certificates: int
    """How many certificates there are of each hotel."""
    founders_certificates: int
    """How many of them the founder of a hotel receives, as far as the bank has them."""
    hotels: tuple[Hotel, ...]
    prices: tuple[tuple[int, ...], ...]
    """``prices[hotel][size]`` is the price of a certificate, 0 if it cannot be bought."""
    bonus_multiples: tuple[int, ...]
    """The bonus of each place, the majority's first, as a multiple of a certificate's price."""
    safe_size: int
    final_size: int
    """A hotel of this size allows the game to end."""
    order_limit: int
    """How many certificates a player may buy in a turn."""
    mixed_orders: bool
    """Whether an order may be for certificates of several hotels."""
    start: Start
    hands: Hands
    assets: Assets
    forbidden_merger: ForbiddenMerger
    loose_neighbours: LooseNeighbours
    eighth_hotel: EighthHotel
    equal_acquired: EqualAcquired
    sole_holder: SoleHolder
    rounding: Rounding
    rounding_step: int
    """The dollars to a multiple of which a shared bonus is rounded."""
    disposal: DisposalRule
    draw: Draw
    dead_tiles: DeadTiles
    stuck_hand: StuckHand
    empty_bag: EmptyBag
    end: End

    def price(self, hotel: int, size: int) -> int:
        """Return the price of one certificate in dollars, 0 if it has none at this size.

        >>> from acquire import CLASSIC
        >>> tower = CLASSIC.hotel_index("Tower")
        >>> [CLASSIC.price(tower, size) for size in (0, 2, 3, 10, 41)]
        [0, 400, 500, 800, 1200]
        """
        return self.prices[hotel][size]

    @property
    def sells_off_board(self) -> bool:
        """Whether a hotel has a price before it is founded."""
        return any(prices[0] for prices in self.prices)

    def hotel_name(self, hotel: int) -> str:
        """Return the name of the hotel with this index."""
        return self.hotels[hotel].name

    def __repr__(self) -> str:
        """Return its name; all its settings would fill a page."""
        return f"<Rulebook {self.id}{self.assets.words}>"

    def hotel_index(self, name: str) -> int:
        """Return the index of the hotel with this name; ``ValueError`` if there is none."""
        for index, hotel in enumerate(self.hotels):
            if hotel.name == name:
                return index
        raise ValueError(f"rulebook {self.id} has no hotel {name!r}")

    def __deepcopy__(self, memo: dict[int, Any]) -> Rulebook:
        return self  # it never changes, and is equal to itself only

    def __reduce__(self) -> tuple[Any, ...]:  # the one of dataclasses fails if compiled
        return Rulebook, tuple([getattr(self, field.name) for field in fields(self)])


def with_hidden_assets(rulebook: Rulebook, hidden: str = "both") -> Rulebook:
    """Return the rulebook for a table that hides ``cash``, ``certificates`` or ``both``.

    ``ValueError`` if the rule text does not leave that to the table.

    >>> from acquire import CLASSIC, DIGEST
    >>> with_hidden_assets(DIGEST, "cash").assets is Assets.CASH_HIDDEN
    True
    >>> with_hidden_assets(CLASSIC)
    Traceback (most recent call last):
    ValueError: rulebook classic keeps cash and certificates open
    """
    if rulebook.assets is Assets.OPEN:
        raise ValueError(f"rulebook {rulebook.id} keeps cash and certificates open")
    return replace(rulebook, assets=HIDING[hidden])


def price_table(smallest_sizes: dict[int, int]) -> tuple[int, ...]:
    """Spread ``{price: smallest size at which it holds}`` over the sizes 0 to 108.

    Where two prices begin at the same size the higher one holds: the rule text reads a column
    of its table from the bottom.

    >>> price_table({200: 2, 300: 4, 400: 4})[:6]
    (0, 0, 200, 200, 400, 400)
    """
    return tuple(
        max((price for price, least in smallest_sizes.items() if least <= size), default=0)
        for size in range(MAX_SIZE + 1)
    )
