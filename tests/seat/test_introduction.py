"""The lessons have the figures and the choices of the rulebook in play."""

import re
from dataclasses import replace

import pytest

from acquire.admin.pages.seat.seat_site import lessons_of
from acquire.game.rulebook import End, Rulebook
from acquire.game.rulebooks import CLASSIC, REVISED, RULEBOOKS


def text(rulebook: Rulebook, seats: int = 4) -> str:
    return " ".join(re.sub(r"<[^>]*>", "", lessons_of(rulebook, seats)).split())


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"cash": 7100}, "begin with $7,100"),
        ({"hand_size": 9}, "and 9 tiles"),
        ({"order_limit": 5}, "up to 5 certificates"),
        ({"mixed_orders": False}, "all of the same hotel"),
        ({"safe_size": 13}, "From 13 tiles a hotel is safe"),
        ({"final_size": 37}, "a hotel has 37 tiles"),
        ({"bonus_multiples": (12, 7, 3)}, "the minority bonus is 7 times"),
        ({"bonus_multiples": (12, 7, 3)}, "the third bonus is 3 times"),
        ({"bonus_multiples": (12, 7, 1)}, "the third bonus is the price of"),
        ({"prices": ((0, 0, 150, 1300),) * 7}, "from $150 to $1,300"),
    ],
)
def test_figures_are_those_of_the_rulebook(changes: dict[str, object], words: str) -> None:
    assert words not in text(CLASSIC)
    assert words in text(replace(CLASSIC, **changes))  # type: ignore[arg-type]  # of each field


def test_choices_of_the_rulebook_are_told() -> None:
    for rulebook, told, untold in (
        (CLASSIC, "trade two", "keep all"),
        (REVISED, "keep all", "trade"),
    ):
        assert told in text(rulebook) and untold not in text(rulebook)
    for rulebook in RULEBOOKS.values():
        assert ("may declare" in text(rulebook)) == (rulebook.end is not End.ADMINISTRATOR)
    assert "next player can place no tile" in text(REVISED)
    assert "stock market" in text(CLASSIC, 2) and "stock market" not in text(CLASSIC, 3)
