"""Every rule that an action can break: a closed list, one sentence each."""

from typing import NamedTuple

from .sentenced import Sentenced


class Violation(Sentenced):
    """The rule that an action breaks; the value is its code in logs."""

    NOT_IN_HAND = "tile-not-in-hand", "Only tiles in hand can be placed."
    BESIDE_LOOSE = (
        "tile-beside-loose",
        "A tile cannot touch both a hotel and an unincorporated tile.",
    )
    SAFE_MERGER = "safe-merger", "A safe hotel cannot take part in a merger."
    TWO_SAFE = "two-safe-merger", "Two safe hotels cannot merge."
    EIGHTH_HOTEL = "eighth-hotel", "An eighth hotel cannot be founded."
    NO_HOTEL_NAMED = "no-hotel-named", "A founding must name the new hotel, a merger the survivor."
    HOTEL_NOT_DUE = "hotel-not-due", "Only a founding or a merger names a hotel."
    HOTEL_ON_BOARD = "hotel-on-board", "Only a hotel that is not on the board can be founded."
    NOT_A_MERGER = "not-a-merger", "A placement without an order is for mergers only."
    MERGER_WITH_ORDER = (
        "merger-with-order",
        "In a merger the placement is sent alone; the order comes later.",
    )
    NOT_INVOLVED = "survivor-not-involved", "The survivor must be one of the merging hotels."
    NOT_LARGEST = (
        "survivor-not-largest",
        "The survivor must be the largest merging hotel, or one of the largest.",
    )
    WRONG_EQUALS = (
        "equals-wrong",
        "After the survivor name exactly the acquired hotels tied in size.",
    )
    PLACEMENT_DUE = "placement-due", "A player with a playable tile must place one."
    OTHER_TILE = "not-the-markets-tile", "The placement must be of the tile that the market drew."
    KEEP_COUNT = "keep-count", "Keep needs one answer per acquired hotel."
    ODD_TRADE = "trade-odd", "Certificates are traded two for one."
    NOT_OWNED = "disposal-too-large", "A player cannot dispose of more certificates than it holds."
    TRADE_TOO_LARGE = (
        "trade-sold-out",
        "A trade cannot take more certificates than the bank has left.",
    )
    TOO_MANY = (
        "order-too-large",
        "An order cannot exceed the number of certificates allowed per turn.",
    )
    MIXED_ORDER = "order-mixed", "All certificates in an order must be of the same hotel."
    NO_PRICE = (
        "order-no-price",
        "A certificate can be bought only if it has a price at its hotel's size.",
    )
    SOLD_OUT = "order-sold-out", "An order cannot take more certificates than the bank has left."
    TOO_DEAR = "order-too-dear", "An order cannot cost more than the player has."
    NOT_OVER = (
        "declaration-false",
        "The end can be declared if a hotel is large enough or all are safe, at the turn's start "
        "or after the placement.",
    )


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
