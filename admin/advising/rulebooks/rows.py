"""What the rulebooks say, row by row, derived from their values.

A row whose cell is a plain sentence is one on which all rule texts agree. The test that proves a
row is named after its slug.
"""

from collections.abc import Callable
from dataclasses import fields
from enum import Enum
from functools import partial
from typing import NamedTuple, TypeAlias

from ....game.rulebook import (
    DisposalRule,
    EmptyBag,
    End,
    Hands,
    LooseNeighbours,
    Rulebook,
    SoleHolder,
    Start,
    StuckHand,
)
from ....game.rulebooks import RULEBOOKS
from ...refereeing.view.plain_text import dollars

Cell: TypeAlias = Callable[[Rulebook], str]

TIERS = ("cheap", "medium", "expensive")


def tier_names(rulebook: Rulebook, tier: str) -> str:
    """Write the hotels of a price tier."""
    return ", ".join(hotel.name for hotel in rulebook.hotels if hotel.tier == tier) or "none"


def tier_prices(rulebook: Rulebook, tier: str) -> tuple[int, ...]:
    """Return the prices by size of a tier's hotels; none if there is no such hotel."""
    for hotel, prices in zip(rulebook.hotels, rulebook.prices, strict=True):
        if hotel.tier == tier:
            return prices
    return ()


def smallest_sizes(rulebook: Rulebook, tier: str) -> dict[int, int]:
    """Return for each price of a tier the smallest size at which it holds."""
    sizes: dict[int, int] = {}
    for size, price in enumerate(tier_prices(rulebook, tier)):
        if price:
            sizes.setdefault(price, size)
    return sizes


def bonus_places(rulebook: Rulebook) -> list[str]:
    """Return the names of the places that earn a bonus."""
    names = ("majority", "minority", "third", "fourth", "fifth", "sixth")
    return list(names[: len(rulebook.bonus_multiples)])


def _off_board(rulebook: Rulebook) -> str:
    prices = {tier: sum(tier_prices(rulebook, tier)[:1]) for tier in TIERS}
    named = [f"{tier} {dollars(price)}" for tier, price in prices.items() if price]
    return ", ".join(named) or "none"


def _may_see(rulebook: Rulebook) -> str:
    hands = rulebook.hands.value
    return hands if rulebook.hands is Hands.OPEN else f"{hands}; {rulebook.assets.value}"


def _bonuses(rulebook: Rulebook) -> str:
    majority, *others = zip(bonus_places(rulebook), rulebook.bonus_multiples, strict=True)
    first = "{} {} times the price".format(*majority)
    return ", ".join([first, *(f"{place} {multiple} times" for place, multiple in others)])


def _majority_tie(rulebook: Rulebook) -> str:
    match len(rulebook.bonus_multiples):
        case 1:
            return "the bonus shared equally"
        case 2:
            return "both bonuses shared equally; no minority is paid"
        case _:
            return "the bonuses of the places that the tied take up, shared equally"


def _minority_tie(rulebook: Rulebook) -> str:
    match len(rulebook.bonus_multiples):
        case 1:
            return "no bonus"
        case 2:
            return "the minority bonus shared equally"
        case _:
            return "as for the majority; so for each place below"


def _sole_holder(rulebook: Rulebook) -> str:
    both = rulebook.sole_holder is SoleHolder.ALL_BONUSES and len(rulebook.bonus_multiples) == 2
    return "both bonuses" if both else rulebook.sole_holder.value


def _rounding(rulebook: Rulebook) -> str:
    step = rulebook.rounding_step
    return rulebook.rounding.value.format(step="dollar" if step == 1 else dollars(step))


def _regular(rulebook: Rulebook) -> str:
    size = rulebook.final_size
    return (
        f"{rulebook.end.value}: a hotel of {size} or more, or all on the board safe (at least one)"
    )


def _irregular(rulebook: Rulebook) -> str:
    endings = []
    if rulebook.stuck_hand is StuckHand.ENDS_GAME:
        endings.append("the player to move has no playable tile")
    if rulebook.empty_bag is EmptyBag.ENDS_GAME:
        endings.append("no tile is left to hand back")
    return "; ".join(endings) or (
        "a full round in which nobody placed a tile and no hand changed, whatever was bought"
    )


def _for_two(text: str) -> Cell:
    """Return what is special with two players."""

    def cell(rulebook: Rulebook) -> str:
        if rulebook.min_players > 2:
            return "two cannot play"
        return text if rulebook.market_for_two else "there is no market"

    return cell


def _either(choice: Enum, yes: str, no: str) -> Cell:
    """Return one text for rulebooks that make a choice, and another for the rest."""
    return lambda rulebook: yes if choice in _choices(rulebook) else no


def _choices(rulebook: Rulebook) -> list[object]:
    return [getattr(rulebook, field.name) for field in fields(rulebook)]


_SECTIONS: dict[str, list[tuple[str, str, str | Cell]]] = {
    "Setup": [
        ("players", "players", "{0.min_players} to {0.max_players}"),
        ("cash", "cash", "${0.cash:,}"),
        ("tiles in hand", "tiles_in_hand", "{0.hand_size}"),
        ("certificates of each hotel", "certificates", "{0.certificates}"),
        ("who starts", "who_starts", "{0.start.value}"),
        (
            "tiles drawn for the start",
            "start_tiles",
            _either(
                Start.SIGN_UP,
                "none",
                "one each, in sign-up order; they stay on the board, unincorporated even where "
                "they touch",
            ),
        ),
        (
            "order of the players",
            "order_of_players",
            _either(Start.SIGN_UP, "sign-up order", "sign-up order, from the one who starts"),
        ),
        ("a player may see", "may_see", _may_see),
        (
            "certificates left in the bank",
            "bank_is_known",
            _either(
                Hands.OPEN,
                "{0.certificates} less those that players hold",
                "sent in every position",
            ),
        ),
        (
            "the stock market",
            "market",
            lambda rulebook: (
                "the third holder with two players" if rulebook.market_for_two else "no holder"
            ),
        ),
    ],
    "Hotels and prices": [
        *((tier, f"{tier}_hotels", partial(tier_names, tier=tier)) for tier in TIERS),
        ("prices off the board", "prices_off_the_board", _off_board),
        ("bonuses", "bonuses", _bonuses),
    ],
    "Placing a tile": [
        ("no neighbour", "no_neighbour", "stays on the board, unincorporated"),
        (
            "unincorporated neighbours only",
            "founding",
            "founds a hotel that is not on the board, of all tiles connected; the placer chooses",
        ),
        ("... with all seven on the board", "eighth_hotel", "{0.eighth_hotel.value}"),
        ("founder's free certificate", "founders_certificate", "one, if the bank has one"),
        ("one hotel", "growing", "the hotel grows"),
        ("one hotel and unincorporated tiles", "absorbing", "{0.loose_neighbours.value}"),
        ("two hotels or more", "merging", "a merger"),
        (
            "... and unincorporated tiles",
            "merging_beside_loose",
            _either(
                LooseNeighbours.REFUSED,
                "not allowed",
                "the survivor takes them in; neither they nor the placed tile count for any size "
                "in the merger",
            ),
        ),
        ("a hotel is safe from", "safe_from", "{0.safe_size} tiles"),
        ("no merger when", "forbidden_merger", "{0.forbidden_merger.value}"),
    ],
    "A merger": [
        ("survivor", "survivor", "the largest; among equals the placer chooses"),
        ("order of the acquired", "order_of_acquired", "{0.equal_acquired.value}"),
        ("sizes and prices", "sizes_before", "those before the tile was placed"),
        ("only one holder", "sole_holder", _sole_holder),
        ("tie for the majority", "majority_tie", _majority_tie),
        ("tie for the minority", "minority_tie", _minority_tie),
        ("rounding of a share", "rounding", _rounding),
        ("nobody holds any", "nobody_holds", "nothing is paid"),
        ("the acquired's certificates", "disposal", "{0.disposal.value}"),
        (
            "who is asked",
            "who_is_asked",
            _either(
                DisposalRule.KEEP_OR_RETURN,
                "all, from the placer on in turn order, once for all acquired hotels",
                "the holders, from the placer on in turn order, hotel by hotel",
            ),
        ),
    ],
    "Buying": [
        (
            "at most",
            "order_limit",
            lambda rulebook: (
                f"{rulebook.order_limit} per turn, "
                f"{'any mix' if rulebook.mixed_orders else 'all of the same hotel'}"
            ),
        ),
        (
            "of",
            "buys_of",
            lambda rulebook: (
                "hotels on the board"
                if _off_board(rulebook) == "none"
                else "any hotel that has a price at its present size, on the board or not"
            ),
        ),
        ("priced", "priced", "after the placement and its merger, with the money those brought"),
        (
            "when no tile can be placed",
            "buys_without_placing",
            _either(StuckHand.ENDS_GAME, "the game has ended", "may still buy"),
        ),
    ],
    "Drawing, and hands that cannot move": [
        ("draws", "draws", "{0.draw.value}"),
        ("permanently unplayable tiles", "dead_tiles", "{0.dead_tiles.value}"),
        ("no playable tile in hand", "stuck_hand", "{0.stuck_hand.value}"),
        ("the bag is empty when a tile is due", "empty_bag", "{0.empty_bag.value}"),
    ],
    "The end": [
        ("regular, by", "regular_ending", _regular),
        (
            "a declaration",
            "declaration",
            _either(
                End.ADMINISTRATOR,
                "none",
                "optional, if it is true at the start of the turn or after the placement; a false "
                "one is an illegal move",
            ),
        ),
        ("irregular", "irregular_ending", _irregular),
        (
            "pay-out",
            "pay_out",
            "the bonuses of every hotel on the board, then all its certificates sold at its price",
        ),
        ("a hotel not on the board", "worthless", "worthless"),
        ("the winner", "winner", "the most money; equals share the rank"),
        (
            "an ejected player",
            "ejection",
            "certificates go to the bank, tiles are shuffled into the bag, cash is gone; ranks "
            "below all who finished, later ejections first",
        ),
    ],
    "Two players": [
        (
            "the market holds in a merger",
            "market_in_a_merger",
            _for_two("the number of a tile drawn for the acquired hotel; none if the bag is empty"),
        ),
        (
            "the market's tiles",
            "markets_tiles",
            _for_two(
                "are placed after the disposals, in the order drawn: none founds a hotel, one that "
                "can never be placed is set aside, one that merges is a merger of its own"
            ),
        ),
        (
            "the market holds at the end",
            "market_at_the_end",
            _for_two("the number of a tile drawn for each hotel on the board, largest first"),
        ),
    ],
}
"""The rows by section: title, slug, and the cell: a function, or a format of the rulebook."""


_SILENT: dict[str, frozenset[str]] = {
    slug: frozenset(ids.split())
    for slug, ids in {
        "players": "revised corporations digest",
        "who_starts": "digest",
        "may_see": "wikipedia",
        "cheap_hotels": "classic",
        "medium_hotels": "classic",
        "expensive_hotels": "classic",
        "founders_certificate": "digest",
        "order_of_acquired": "revised wikipedia",
        "sole_holder": "wikipedia",
        "rounding": "wikipedia digest",
        "stuck_hand": "wikipedia digest",
        "irregular_ending": "corporations classic wikipedia digest",
        "worthless": "revised",
        "ejection": "revised corporations classic wikipedia digest",
        "market_in_a_merger": "classic",
    }.items()
}
"""By row, the rulebooks whose text leaves it open, in whole or in part, so that we decided."""
MARK = "\u2020"
"""A dagger, after a cell that the rule text leaves open."""


class RulebookRow(NamedTuple):
    """One row of the table: its section, its title, its slug and what a rulebook has there."""

    section: str
    title: str
    slug: str
    text: str | Cell

    def cell(self, rulebook: Rulebook) -> str:
        """Return what a rulebook has in this row."""
        text = self.text if isinstance(self.text, str) else self.text(rulebook)
        return text.format(rulebook)

    def mark(self, rulebook: Rulebook) -> str:
        """Return the mark, after a space, where the text of a rulebook leaves the row open."""
        return f" {MARK}" if rulebook.id in _SILENT.get(self.slug, ()) else ""


ROWS = tuple(RulebookRow(section, *row) for section, rows in _SECTIONS.items() for row in rows)
"""Every row, section by section."""
assert _SILENT.keys() <= {row.slug for row in ROWS}, "every mark belongs to a row"


def differs(row: RulebookRow, rulebook: Rulebook) -> bool:
    """Whether a rulebook differs there from ``classic``."""
    return row.cell(rulebook) != row.cell(RULEBOOKS["classic"])
