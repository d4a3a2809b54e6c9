"""Every way in which an action can break the rules: a closed list, one sentence each."""

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
        """The rule that was broken, as one sentence."""
        return _SENTENCES[self]


_SENTENCES = {
    Violation.NOT_IN_HAND: "A player places one of the tiles in hand.",
    Violation.BESIDE_LOOSE: "A tile may not touch a hotel and an unincorporated tile at once.",
    Violation.SAFE_MERGER: "A tile may not merge a safe hotel.",
    Violation.TWO_SAFE: "A tile may not merge two safe hotels.",
    Violation.EIGHTH_HOTEL: "A tile may not be placed that would found an eighth hotel.",
    Violation.NO_HOTEL_NAMED: "The placement has to name the hotel founded or surviving.",
    Violation.HOTEL_NOT_DUE: "A placement names a hotel only when it founds or merges.",
    Violation.HOTEL_ON_BOARD: "Only a hotel that is not on the board can be founded.",
    Violation.NOT_A_MERGER: "A placement without an order is for mergers only.",
    Violation.MERGER_WITH_ORDER: "In a merger the placement goes first and the order later.",
    Violation.NOT_INVOLVED: "The survivor is one of the hotels that the tile merges.",
    Violation.NOT_LARGEST: "The survivor is the largest of the merging hotels, or one of them.",
    Violation.WRONG_EQUALS: "Those named after the survivor are the acquired hotels of equal size.",
    Violation.PLACEMENT_DUE: "A player who can place a tile has to place one.",
    Violation.OTHER_TILE: "The survivor is asked for the tile that the market places.",
    Violation.ODD_TRADE: "Certificates are traded two for one.",
    Violation.NOT_OWNED: "A player sells and trades the certificates that he has.",
    Violation.TRADE_TOO_LARGE: "The bank trades only the certificates that it has.",
    Violation.KEEP_COUNT: "Keep is answered once for each acquired hotel.",
    Violation.TOO_MANY: "An order is for no more certificates than a turn allows.",
    Violation.MIXED_ORDER: "All certificates of an order are of the same hotel.",
    Violation.NO_PRICE: "A certificate without a price at the hotel's size cannot be bought.",
    Violation.SOLD_OUT: "The bank sells only the certificates that it has.",
    Violation.TOO_DEAR: "A player pays for an order with the cash in hand.",
    Violation.NOT_OVER: "The end is declared when a hotel is large enough or all are safe.",
}


class Illegal(NamedTuple):
    """An action that breaks a rule: which one, and what in this position breaks it."""

    violation: Violation
    detail: str

    def __str__(self) -> str:
        return f"{self.detail} {self.violation.sentence}"


class BrokenRule(ValueError):
    """An action was applied that the rules refuse: a mistake in the calling program.

    Peers' illegal moves are found by the ``verify_`` functions and are values, not exceptions.
    """
