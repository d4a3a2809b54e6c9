"""Every rule that an action can break: a closed list, one sentence each."""

from enum import Enum
from typing import NamedTuple


class Violation(Enum):
    """The rule that an action breaks; the value is its code in logs."""

    NOT_IN_HAND = "tile-not-in-hand"
    BESIDE_LOOSE = "tile-beside-loose"
    SAFE_MERGER = "safe-merger"
    TWO_SAFE = "two-safe-merger"
    EIGHTH_HOTEL = "eighth-hotel"
    NO_HOTEL_NAMED = "no-hotel-named"
    HOTEL_NOT_DUE = "hotel-not-due"
    HOTEL_ON_BOARD = "hotel-on-board"
    NOT_A_MERGER = "not-a-merger"
    MERGER_WITH_ORDER = "merger-with-order"
    NOT_INVOLVED = "survivor-not-involved"
    NOT_LARGEST = "survivor-not-largest"
    WRONG_EQUALS = "equals-wrong"
    PLACEMENT_DUE = "placement-due"
    OTHER_TILE = "not-the-markets-tile"
    KEEP_COUNT = "keep-count"
    ODD_TRADE = "trade-odd"
    NOT_OWNED = "disposal-too-large"
    TRADE_TOO_LARGE = "trade-sold-out"
    TOO_MANY = "order-too-large"
    MIXED_ORDER = "order-mixed"
    NO_PRICE = "order-no-price"
    SOLD_OUT = "order-sold-out"
    TOO_DEAR = "order-too-dear"
    NOT_OVER = "declaration-false"

    @property
    def sentence(self) -> str:
        """The rule in one sentence, as shown to the player's author."""
        return _SENTENCES[self]


_SENTENCES = {
    Violation.NOT_IN_HAND: "Only tiles in hand can be placed.",
    Violation.BESIDE_LOOSE: "A tile cannot touch both a hotel and an unincorporated tile.",
    Violation.SAFE_MERGER: "A safe hotel cannot take part in a merger.",
    Violation.TWO_SAFE: "Two safe hotels cannot merge.",
    Violation.EIGHTH_HOTEL: "An eighth hotel cannot be founded.",
    Violation.NO_HOTEL_NAMED: "A founding must name the new hotel, a merger the survivor.",
    Violation.HOTEL_NOT_DUE: "Only a founding or a merger names a hotel.",
    Violation.HOTEL_ON_BOARD: "Only a hotel that is not on the board can be founded.",
    Violation.NOT_A_MERGER: "A placement without an order is for mergers only.",
    Violation.MERGER_WITH_ORDER: "In a merger the placement is sent alone; the order comes later.",
    Violation.NOT_INVOLVED: "The survivor must be one of the merging hotels.",
    Violation.NOT_LARGEST: "The survivor must be the largest merging hotel, or one of the largest.",
    Violation.WRONG_EQUALS: "After the survivor name exactly the acquired hotels tied in size.",
    Violation.PLACEMENT_DUE: "A player with a playable tile must place one.",
    Violation.OTHER_TILE: "The placement must be of the tile that the market drew.",
    Violation.ODD_TRADE: "Certificates are traded two for one.",
    Violation.NOT_OWNED: "A player cannot dispose of more certificates than it holds.",
    Violation.TRADE_TOO_LARGE: "A trade cannot take more certificates than the bank has left.",
    Violation.KEEP_COUNT: "Keep needs one answer per acquired hotel.",
    Violation.TOO_MANY: "An order cannot exceed the number of certificates allowed per turn.",
    Violation.MIXED_ORDER: "All certificates in an order must be of the same hotel.",
    Violation.NO_PRICE: "A certificate can be bought only if it has a price at its hotel's size.",
    Violation.SOLD_OUT: "An order cannot take more certificates than the bank has left.",
    Violation.TOO_DEAR: "An order cannot cost more than the player has.",
    Violation.NOT_OVER: (
        "The end can be declared if a hotel is large enough or all are safe, at the turn's start "
        "or after the placement."
    ),
}
assert _SENTENCES.keys() == set(Violation), "every violation has a sentence"


class Illegal(NamedTuple):
    """An action that breaks a rule: which rule, and how in this position.

    >>> print(Illegal(Violation.TOO_DEAR, "The order costs $900; the player has $800."))
    The order costs $900; the player has $800. An order cannot cost more than the player has.
    """

    violation: Violation
    detail: str

    def __str__(self) -> str:
        return f"{self.detail} {self.violation.sentence}"


class BrokenRule(ValueError):
    """The caller applied an action that the rules forbid: a bug in the calling program.

    A player's illegal move is not an exception: the ``verify_`` functions return it as a value.
    """
