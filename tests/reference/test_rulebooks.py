"""The reference's data: prices and shares as the rule texts give them."""

from __future__ import annotations

import pytest
from loops import for_each

from reference.rulebooks import CHEAP, EXPENSIVE, MEDIUM, RULES, by_card, by_formula, by_table

OFF_THE_BOARD = {CHEAP: 0, MEDIUM: 200, EXPENSIVE: 300}
"""Where `revised` sells certificates of a hotel that has no tiles."""


@pytest.mark.parametrize(
    ("tier", "prices"),
    [
        (CHEAP, {2: 200, 3: 300, 6: 600, 10: 600, 11: 700, 40: 900, 41: 1_000, 108: 1_000}),
        (MEDIUM, {2: 300, 5: 600, 10: 700, 20: 800, 21: 900, 40: 1_000, 41: 1_100}),
        (EXPENSIVE, {2: 400, 5: 700, 6: 800, 8: 800, 31: 1_100, 40: 1_100, 41: 1_200}),
    ],
)
def test_price_is_that_of_the_row_that_the_size_reaches(tier: int, prices: dict[int, int]) -> None:
    """A Continental hotel of eight tiles at 800 is an example in `revised`."""
    assert {size: by_table(tier, size) for size in prices} == prices


def test_table_card_and_formula_agree_on_the_board_at_every_size() -> None:
    for tier in (CHEAP, MEDIUM, EXPENSIVE):
        for size in range(2, 109):
            assert by_table(tier, size) == by_card(tier, size) == by_formula(tier, size)
        assert by_card(tier, 0) == by_formula(tier, 0) == 0
        assert by_table(tier, 0) == OFF_THE_BOARD[tier]


@for_each(
    ("dollars", "owners", "nearest_dollar", "next_100"),
    [
        (1_000, 3, 333, 400),
        (2_000, 3, 667, 700),
        (3, 2, 2, 100),
        (1_500, 1, 1_500, 1_500),
        (3_000, 2, 1_500, 1_500),
        (4_500, 4, 1_125, 1_200),
    ],
)
def test_share_of_a_bonus_is_to_the_nearest_dollar_or_up_to_the_next_100(
    dollars: int, owners: int, nearest_dollar: int, next_100: int
) -> None:
    expected = dict.fromkeys(RULES, next_100) | {"revised": nearest_dollar}
    shares = {name: rules.share_of(dollars, owners) for name, rules in RULES.items()}
    assert shares == expected


def test_seven_hotels_in_alphabetical_order() -> None:
    box = ["American", "Continental", "Festival", "Imperial", "Sackson", "Tower", "Worldwide"]
    card = ["America", "Fusion", "Hydra", "Phoenix", "Quantum", "Sackson", "Zeta"]
    names = {name: list(rules.tiers) for name, rules in RULES.items()}
    assert names == {"revised": box, "corporations": card, "classic": box, "wikipedia": box,
                     "digest": card}  # fmt: skip
