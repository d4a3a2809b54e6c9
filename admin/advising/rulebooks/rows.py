"""What the rulebooks say, row by row, derived from their values; ``rows.toml`` has the texts.

A row whose cell is a plain sentence is one on which all rule texts agree. The test that proves a
row is named after its slug.
"""

import tomllib
from collections.abc import Callable
from functools import partial
from importlib.resources import files
from typing import Any, NamedTuple

from ....game.rulebook import BONUS_PLACES, EmptyBag, Rulebook, SoleHolder, StuckHand
from ...refereeing.view.plain_text import dollars, plural

TIERS = ("cheap", "medium", "expensive")
MARK, COURSE_MARK = "\u2020", "\u2021"  # daggers after cells that the rule text leaves open


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
    return list(BONUS_PLACES[: len(rulebook.bonus_multiples)])


def _off_board(rulebook: Rulebook) -> str:
    prices = {tier: sum(tier_prices(rulebook, tier)[:1]) for tier in TIERS}
    named = [f"{tier} {dollars(price)}" for tier, price in prices.items() if price]
    return ", ".join(named) or "none"


def _buys_of(rulebook: Rulebook) -> str:
    if rulebook.sells_off_board:
        return "any hotel that has a price at its present size, on the board or not"
    return "hotels on the board"


def _bonuses(rulebook: Rulebook) -> str:
    majority, *others = zip(bonus_places(rulebook), rulebook.bonus_multiples, strict=True)
    first = f"{majority[0]} {plural(majority[1], 'time')} the price"
    return ", ".join(
        [first, *(f"{place} {plural(multiple, 'time')}" for place, multiple in others)]
    )


def _by_places(one: str, two: str, more: str) -> Callable[[Rulebook], str]:
    """Return what is so with one bonus, with two and with more."""
    return lambda rulebook: {1: one, 2: two}.get(len(rulebook.bonus_multiples), more)


def _sole_holder(rulebook: Rulebook) -> str:
    both = rulebook.sole_holder is SoleHolder.ALL_BONUSES and len(rulebook.bonus_multiples) == 2
    return "both bonuses" if both else rulebook.sole_holder.value


def _rounding(rulebook: Rulebook) -> str:
    step = rulebook.rounding_step
    return rulebook.rounding.value.format(step="dollar" if step == 1 else dollars(step))


def _irregular(rulebook: Rulebook) -> str:
    endings = []
    if rulebook.stuck_hand is StuckHand.ENDS_GAME:
        endings.append("the player to move has no playable tile")
    if rulebook.empty_bag is EmptyBag.ENDS_GAME:
        endings.append("no tile is left to hand back")
    dead = "a full round in which nobody placed a tile and no hand changed, whatever was bought"
    if rulebook.stuck_hand is StuckHand.MAY_REPLACE:
        dead += "; three in a row as long as the bag can replace a hand"
    return "; ".join(endings) or dead


_COMPUTED: dict[str, Callable[[Rulebook], str]] = {
    **{f"{tier}_hotels": partial(tier_names, tier=tier) for tier in TIERS},
    "prices_off_the_board": _off_board,
    "bonuses": _bonuses,
    "sole_holder": _sole_holder,
    "majority_tie": _by_places(
        "the bonus shared equally",
        "both bonuses shared equally; no minority is paid",
        "the bonuses of the places that the tied take up, shared equally",
    ),
    "minority_tie": _by_places(
        "no bonus",
        "the minority bonus shared equally",
        "as for the majority; so for each place below",
    ),
    "rounding": _rounding,
    "buys_of": _buys_of,
    "irregular_ending": _irregular,
}


def holds(rulebook: Rulebook, condition: str) -> bool:
    """Whether a setting has one of some values; the condition is its name, then the values.

    >>> from acquire.game.rulebooks import REVISED
    >>> holds(REVISED, "hands OPEN")
    True
    """
    setting, *values = condition.split()
    value = getattr(rulebook, setting)
    return getattr(value, "name", str(value)) in values


class RulebookRow(NamedTuple):
    """One row of the table that compares the rulebooks."""

    section: str
    title: str  # begins with dots in a row that continues the one above it
    slug: str
    whole_title: str  # for a reader who does not see the rows above it
    said: dict[str, Any]  # the row's fields in the file

    def cell(self, rulebook: Rulebook) -> str:
        """Return what a rulebook has in this row."""
        if "for-two" in self.said and rulebook.min_players > 2:
            return "two cannot play"
        if "for-two" in self.said and not rulebook.market_for_two:
            return "there is no market"
        if self.slug in _COMPUTED:
            return _COMPUTED[self.slug](rulebook)
        text: str = self.said["text"]
        if "if" in self.said and not holds(rulebook, self.said["if"]):
            text = self.said["else"]
        return text.format(rulebook)

    def mark(self, rulebook: Rulebook) -> str:
        """Return the mark, after a space, where the text of a rulebook leaves the row open."""
        if rulebook.id in self.said.get("by-course", "").split():
            return f" {COURSE_MARK}"
        return f" {MARK}" if rulebook.id in self.said.get("silent", "").split() else ""


def _rows() -> tuple[RulebookRow, ...]:
    text = files("acquire.admin.advising.rulebooks").joinpath("rows.toml").read_text("utf-8")
    rows: list[RulebookRow] = []
    for section, found in tomllib.loads(text).items():
        for slug, said in found.items():
            above, dots, rest = said["title"].rpartition("... ")
            whole = f"{rows[-1].whole_title}{above} {rest}" if dots else rest
            rows.append(RulebookRow(section, said["title"], slug, whole, said))
    return tuple(rows)


ROWS = _rows()  # every row, section by section
