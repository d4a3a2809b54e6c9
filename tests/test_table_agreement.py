"""Games by the four other rulebooks, played by everything that can, are the same games."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from drivers import Transcript
from table_drivers import TableMinds, by_functions, by_referee, by_yardstick

from game.rulebook import Rulebook
from game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, REVISED, RULEBOOKS, WIKIPEDIA

OTHERS = [rulebook for rulebook in RULEBOOKS.values() if rulebook is not REVISED]


def agree(begin: Callable[[], TableMinds]) -> Transcript:
    """Play a game in every way, and return the transcript if it is the same in all of them.

    What is drawn and set aside the referee's players learn from the positions alone.
    """
    first = by_functions(begin())
    without_draws = [fact for fact in first if fact[0] != "drew"]
    for driver, facts in ((by_yardstick, first), (by_referee, without_draws)):
        other = driver(begin())
        for number, (mine, theirs) in enumerate(zip(facts, other, strict=False)):
            assert mine == theirs, f"{begin}: fact {number} by_functions, {driver.__name__}"
        assert len(facts) == len(other), f"{begin}: {driver.__name__}"
    return first


AT_ONCE = 40


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(first, marks=() if first < 3 * AT_ONCE else pytest.mark.soak)
        for first in range(0, 1000, AT_ONCE)
    ],
)
@pytest.mark.parametrize("rulebook", OTHERS, ids=lambda rulebook: rulebook.id)
def test_functions_yardstick_and_referee_agree_on_games(rulebook: Rulebook, first: int) -> None:
    reached: set[object] = set()
    for seed in range(first, first + AT_ONCE):
        transcript = agree(partial(TableMinds, rulebook, seed))
        reached |= {what for what, _ in transcript} | {transcript[-2][1]}
    assert reached >= {"placed", "disposed", "ordered", "declared", "ejected", "dead-round"}
    if rulebook is CLASSIC:
        assert "market" in reached


def test_these_are_all_the_other_rulebooks() -> None:
    assert OTHERS == [CORPORATIONS, CLASSIC, WIKIPEDIA, DIGEST]
