"""Which words a table speaks, and which schemas are theirs."""

from dataclasses import replace
from typing import Any

import pytest
from loops import for_each
from lxml import etree

from acquire import schemas
from acquire.game import rulebook as rules
from acquire.game.rulebook import Rulebook, with_hidden_assets
from acquire.game.rulebooks import CORPORATIONS, REVISED, RULEBOOKS
from acquire.protocol.dialect import Dialect

OTHERS = [rulebook for rulebook in RULEBOOKS.values() if rulebook is not REVISED]
EACH_OF_THE_OTHERS = pytest.mark.parametrize("rulebook", OTHERS, ids=lambda book: str(book.id))

SAYS_MORE: dict[str, Any] = {
    "start": rules.Start.ROW_FIRST,
    "hands": rules.Hands.HIDDEN,
    "assets": rules.Assets.OPTIONAL,
    "equal_acquired": rules.EqualAcquired.PLACER_ORDERS,
    "disposal": rules.DisposalRule.HOLD_SELL_TRADE,
    "dead_tiles": rules.DeadTiles.REPLACED,
    "stuck_hand": rules.StuckHand.SKIPS,
    "empty_bag": rules.EmptyBag.PLAYS_ON,
    "end": rules.End.DECLARED,
    "market_for_two": True,
}
"""Changes to ``revised`` that the course's messages cannot express."""

SAYS_THE_SAME: dict[str, Any] = {
    "cash": 6000,
    "min_players": 2,
    "safe_size": 11,
    "final_size": 41,
    "order_limit": 3,
    "hotels": CORPORATIONS.hotels,
    "hand_size": 7,
    "certificates": 30,
    "bonus_multiples": (10, 5, 3),
    "mixed_orders": True,
    "forbidden_merger": rules.ForbiddenMerger.TWO_SAFE,
    "loose_neighbours": rules.LooseNeighbours.ABSORBED,
    "sole_holder": rules.SoleHolder.ALL_BONUSES,
    "draw": rules.Draw.UP_TO_FULL,
}
"""Changes to ``revised`` that the course's messages can express."""


def test_revised_is_played_in_the_courses_words() -> None:
    assert Dialect.of(REVISED) is Dialect.COURSE


@EACH_OF_THE_OTHERS
def test_other_rulebooks_are_played_in_the_dialect(rulebook: Rulebook) -> None:
    assert Dialect.of(rulebook) is Dialect.FULL


def test_hiding_assets_changes_no_dialect() -> None:
    assert Dialect.of(with_hidden_assets(CORPORATIONS)) is Dialect.FULL


@for_each("field", SAYS_MORE)
def test_rulebook_that_needs_more_messages_uses_the_dialect(field: str) -> None:
    assert Dialect.of(replace(REVISED, **{field: SAYS_MORE[field]})) is Dialect.FULL


@for_each("field", SAYS_THE_SAME)
def test_rulebook_that_needs_no_more_messages_uses_the_courses(field: str) -> None:
    assert Dialect.of(replace(REVISED, **{field: SAYS_THE_SAME[field]})) is Dialect.COURSE


@for_each("role", ["player", "administrator", "match-log"])
@for_each(
    ("rulebook", "file"),
    [
        (REVISED, "{}"),
        (RULEBOOKS["classic"], "{}-hotels"),
        (RULEBOOKS["wikipedia"], "{}-hotels"),
        (CORPORATIONS, "{}-corporations"),
        (RULEBOOKS["digest"], "{}-corporations"),
    ],
)
def test_schemas_of_the_five_are_the_files(rulebook: Rulebook, file: str, role: str) -> None:
    """With the files' limits, each document is the file and all that it includes."""
    assert definitions(Dialect.of(rulebook).schema_document(role, rulebook)) == definitions(
        included(file.format(role))
    )


def included(name: str) -> etree._Element:
    """A schema file in which each include is replaced by what it includes."""
    root = etree.parse(schemas.FOLDER / f"{name}.xsd").getroot()
    for include in root.findall(f"{schemas.XS}include"):
        root.extend(list(included(str(include.get("schemaLocation")).removesuffix(".xsd"))))
        root.remove(include)
    return root


def definitions(root: etree._Element) -> set[str]:
    """What a schema defines, each definition in its canonical form without blanks."""
    return {
        etree.tostring(element, method="c14n2", strip_text=True, with_comments=False).decode()
        for element in root.iterchildren(etree.Element)
    }
