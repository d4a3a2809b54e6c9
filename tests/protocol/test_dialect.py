"""Which words a table speaks, and which schemas are theirs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import schemas
from game.rulebook import (
    Assets,
    DeadTiles,
    DisposalRule,
    Draw,
    EmptyBag,
    End,
    EqualAcquired,
    ForbiddenMerger,
    Hands,
    LooseNeighbours,
    Rulebook,
    SoleHolder,
    Start,
    StuckHand,
    with_hidden_assets,
)
from game.rulebooks import CORPORATIONS, REVISED, RULEBOOKS
from protocol.dialect import Dialect
from protocol.schema_errors import COURSE_FORMS

OTHERS = [rulebook for rulebook in RULEBOOKS.values() if rulebook is not REVISED]
EACH_OF_THE_OTHERS = pytest.mark.parametrize("rulebook", OTHERS, ids=lambda book: str(book.id))

SAYS_MORE: dict[str, Any] = {
    "start": Start.ROW_FIRST,
    "edition": "corporations",
    "hands": Hands.HIDDEN,
    "assets": Assets.OPTIONAL,
    "equal_acquired": EqualAcquired.PLACER_ORDERS,
    "disposal": DisposalRule.HOLD_SELL_TRADE,
    "dead_tiles": DeadTiles.REPLACED,
    "stuck_hand": StuckHand.SKIPS,
    "empty_bag": EmptyBag.PLAYS_ON,
    "end": End.DECLARED,
    "order_limit": 3,
    "market_for_two": True,
}
"""Changes to ``revised`` that the course's messages cannot express."""

SAYS_THE_SAME: dict[str, Any] = {
    "cash": 6000,
    "min_players": 2,
    "safe_size": 11,
    "final_size": 41,
    "order_limit": 1,
    "mixed_orders": True,
    "forbidden_merger": ForbiddenMerger.TWO_SAFE,
    "loose_neighbours": LooseNeighbours.ABSORBED,
    "sole_holder": SoleHolder.ALL_BONUSES,
    "draw": Draw.UP_TO_FULL,
}
"""Changes to ``revised`` that the course's messages can express."""


def test_revised_is_played_in_the_courses_words() -> None:
    assert Dialect.of(REVISED) is Dialect.COURSE


@EACH_OF_THE_OTHERS
def test_other_rulebooks_are_played_in_the_dialect(rulebook: Rulebook) -> None:
    assert Dialect.of(rulebook) is Dialect.FULL


def test_hiding_assets_changes_no_dialect() -> None:
    assert Dialect.of(with_hidden_assets(CORPORATIONS)) is Dialect.FULL


@pytest.mark.parametrize("field", SAYS_MORE)
def test_what_the_courses_words_cannot_say_needs_the_dialect(field: str) -> None:
    assert Dialect.of(replace(REVISED, **{field: SAYS_MORE[field]})) is Dialect.FULL


@pytest.mark.parametrize("field", SAYS_THE_SAME)
def test_what_the_courses_words_can_say_is_said_in_them(field: str) -> None:
    assert Dialect.of(replace(REVISED, **{field: SAYS_THE_SAME[field]})) is Dialect.COURSE


NAMES = ["player", "administrator", "match-log"]


@pytest.mark.parametrize("name", NAMES)
def test_schemas_of_revised_are_the_courses(name: str) -> None:
    assert Dialect.of(REVISED).schema(name, REVISED) == name


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("rulebook", "edition"),
    [
        ("classic", "hotels"),
        ("wikipedia", "hotels"),
        ("corporations", "corporations"),
        ("digest", "corporations"),
    ],
)
def test_schemas_of_the_others_are_those_of_their_edition(
    rulebook: str, edition: str, name: str
) -> None:
    assert Dialect.FULL.schema(name, RULEBOOKS[rulebook]) == f"{name}-{edition}"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("rulebook", RULEBOOKS.values(), ids=RULEBOOKS)
def test_every_rulebooks_schemas_can_be_loaded(rulebook: Rulebook, name: str) -> None:
    assert schemas.load(Dialect.of(rulebook).schema(name, rulebook)) is not None


def test_each_dialect_has_its_forms() -> None:
    assert Dialect.COURSE.forms(REVISED) is COURSE_FORMS
    for rulebook in RULEBOOKS.values():
        if Dialect.of(rulebook) is Dialect.FULL:
            form = Dialect.FULL.forms(rulebook)["hotel"]
            assert all(hotel.name in form for hotel in rulebook.hotels)
