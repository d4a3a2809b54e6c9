"""The five rulebooks as values, each derived from the one it is nearest to.

The rule texts are "Acquire, Revised" (``revised``), "Acquire" with corporations (``corporations``),
"How to play Acquire" with hotel chains (``classic``), an encyclopaedia's account of the hotel
edition (``wikipedia``) and an implementation's own digest of the corporations rules (``digest``).
"""

import copyreg
from dataclasses import replace
from typing import Any, Final

from .rulebook import (
    Assets,
    DeadTiles,
    DisposalRule,
    Draw,
    EighthHotel,
    EmptyBag,
    End,
    EqualAcquired,
    ForbiddenMerger,
    Hands,
    Hotel,
    LooseNeighbours,
    Rounding,
    Rulebook,
    SoleHolder,
    Start,
    StuckHand,
    price_table,
)

# The price table, the same in all five: for each price the smallest size at which it holds.
_SIZES: Final = {
    "cheap": {
        200: 2, 300: 3, 400: 4, 500: 5, 600: 6, 700: 11, 800: 21, 900: 31, 1000: 41,
    },
    "medium": {
        300: 2, 400: 3, 500: 4, 600: 5, 700: 6, 800: 11, 900: 21, 1000: 31, 1100: 41,
    },
    "expensive": {
        400: 2, 500: 3, 600: 4, 700: 5, 800: 6, 900: 11, 1000: 21, 1100: 31, 1200: 41,
    },
}  # fmt: skip

# "Acquire, Revised" has three more entries: prices of hotels that are not on the board.
_REVISED_SIZES: Final = {
    "cheap": _SIZES["cheap"],
    "medium": {200: 0, **_SIZES["medium"]},
    "expensive": {200: 0, 300: 0, **_SIZES["expensive"]},
}

_HOTELS: Final = (
    Hotel("American", "medium"),
    Hotel("Continental", "expensive"),
    Hotel("Festival", "medium"),
    Hotel("Imperial", "medium"),
    Hotel("Sackson", "cheap"),
    Hotel("Tower", "expensive"),
    Hotel("Worldwide", "cheap"),
)

_CORPORATIONS: Final = (
    Hotel("America", "medium"),
    Hotel("Fusion", "medium"),
    Hotel("Hydra", "medium"),
    Hotel("Phoenix", "expensive"),
    Hotel("Quantum", "expensive"),
    Hotel("Sackson", "cheap"),
    Hotel("Zeta", "cheap"),
)

REVISED: Final = Rulebook(
    id="revised",
    title="Acquire, Revised",
    min_players=3,
    max_players=6,
    market_for_two=False,
    cash=8000,
    hand_size=6,
    certificates=25,
    founders_certificates=1,
    hotels=_HOTELS,
    prices=tuple(price_table(_REVISED_SIZES[hotel.tier]) for hotel in _HOTELS),
    bonus_multiples=(10, 5),
    safe_size=12,
    final_size=40,
    order_limit=2,
    mixed_orders=False,
    start=Start.SIGN_UP,
    hands=Hands.OPEN,
    assets=Assets.OPEN,
    forbidden_merger=ForbiddenMerger.ANY_SAFE,
    loose_neighbours=LooseNeighbours.REFUSED,
    eighth_hotel=EighthHotel.STAYS_LOOSE,
    equal_acquired=EqualAcquired.ALPHABETICAL,
    sole_holder=SoleHolder.MAJORITY_ALONE,
    rounding=Rounding.NEAREST,
    rounding_step=1,
    disposal=DisposalRule.KEEP_OR_RETURN,
    draw=Draw.ONE,
    dead_tiles=DeadTiles.KEPT,
    stuck_hand=StuckHand.ENDS_GAME,
    empty_bag=EmptyBag.ENDS_GAME,
    end=End.ADMINISTRATOR,
)

CLASSIC: Final = replace(
    REVISED,
    id="classic",
    title="How to play Acquire",
    min_players=2,
    market_for_two=True,
    cash=6000,
    prices=tuple(price_table(_SIZES[hotel.tier]) for hotel in _HOTELS),
    safe_size=11,
    final_size=41,
    order_limit=3,
    mixed_orders=True,
    start=Start.COLUMN_FIRST,
    hands=Hands.HIDDEN,
    forbidden_merger=ForbiddenMerger.TWO_SAFE,
    loose_neighbours=LooseNeighbours.ABSORBED,
    eighth_hotel=EighthHotel.REFUSED,
    equal_acquired=EqualAcquired.PLACER_ORDERS,
    sole_holder=SoleHolder.ALL_BONUSES,
    rounding=Rounding.UP,
    rounding_step=100,
    disposal=DisposalRule.HOLD_SELL_TRADE,
    dead_tiles=DeadTiles.REPLACED,
    stuck_hand=StuckHand.SKIPS,
    empty_bag=EmptyBag.PLAYS_ON,
    end=End.DECLARED,
)

CORPORATIONS: Final = replace(
    CLASSIC,
    id="corporations",
    title="Acquire, with corporations",
    market_for_two=False,
    hotels=_CORPORATIONS,
    prices=tuple(price_table(_SIZES[hotel.tier]) for hotel in _CORPORATIONS),
    start=Start.ROW_FIRST,
    assets=Assets.OPTIONAL,
)

WIKIPEDIA: Final = replace(
    CLASSIC,
    id="wikipedia",
    title="Acquire, an encyclopaedia's account",
    min_players=3,
    market_for_two=False,
    start=Start.ROW_FIRST,
    assets=Assets.OPTIONAL,
    draw=Draw.UP_TO_FULL,
    dead_tiles=DeadTiles.KEPT,
    stuck_hand=StuckHand.MAY_REPLACE,
)

# Its base prices and modifiers by size make the same table of prices.
DIGEST: Final = replace(CORPORATIONS, id="digest", title="Acquire, a digest")

RULEBOOKS: Final = {
    rulebook.id: rulebook for rulebook in (REVISED, CORPORATIONS, CLASSIC, WIKIPEDIA, DIGEST)
}
"""Every rulebook that can be played, by its id; ``revised`` is the default."""


def _named(name: str) -> Rulebook:
    return RULEBOOKS[name]


def _pickled(rulebook: Rulebook) -> tuple[Any, ...]:
    """Pickle one of the five by its id: it is equal to itself only."""
    for name, known in RULEBOOKS.items():
        if known is rulebook:
            return _named, (name,)
    return rulebook.__reduce__()


copyreg.pickle(Rulebook, _pickled)


def is_one_of_the_five(rulebook: Rulebook) -> bool:
    """Return whether a rulebook is one of the five, or a variant of it such as hidden assets.

    Only what a rulebook is called may depend on this, or where it is found; never a rule.

    >>> from dataclasses import replace
    >>> is_one_of_the_five(CLASSIC), is_one_of_the_five(replace(CLASSIC, id="mine"))
    (True, False)
    """
    return rulebook.id in RULEBOOKS
