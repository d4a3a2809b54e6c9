"""Why the schema rejected an element, in words that help its author to fix it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from loops import for_each
from lxml import etree

from acquire import schemas
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, REVISED, RULEBOOKS
from acquire.protocol.dialect import Dialect
from acquire.protocol.faults import Fault
from acquire.protocol.reading import player_reader
from acquire.protocol.schema_errors import (
    MAX_QUOTED,
    course_forms,
    dialect_forms,
    explain_schema_error,
)

PLAYER = schemas.load("player")
FORMS = course_forms(REVISED)
KNOWN = ["keep", "order", "pbuy", "placement", "signup", "void"]
EVERY = "Valid messages: <keep>, <order>, <pbuy>, <placement>, <signup>, <void>."

TILE = '<tile column="1" row="A"/>'
VOID = "Write <void/>."
WRITE_TILE = 'Write <tile column="1..12" row="A..I"/>.'
SIGNUP = 'Write <signup name="1 to 64 characters"/>.'
HOTEL = 'Write <hotel label="NAME"/>, NAME spelled like Tower.'
PLACEMENT = "Write <placement>, a <tile/>, a <hotel/> when it founds or merges, </placement>."
ORDER = "Write <order>, up to two <hotel/>, one for each certificate, </order>."
PBUY = "Write <pbuy>, a <placement/>, an <order/>, </pbuy>."
KEEP = "Write <keep>, a <true/> or a <false/> for each hotel asked about, </keep>."

EXPLAINED = {
    "unknown-message": ("<nothing/>", f"Unknown message <nothing>. {EVERY}"),
    "wrong-case": ("<Void/>", f"Unknown message <Void>. Did you mean <void>? {EVERY}"),
    "misspelt": ("<singup/>", f"Unknown message <singup>. Did you mean <signup>? {EVERY}"),
    "namespace": (
        '<void xmlns="a"/>',
        f"Unknown message <{{a}}void>. Did you mean <void>? {EVERY}",
    ),
    "unknown-attribute": ('<void at="1"/>', f"<void> has no attribute 'at'. {VOID}"),
    "missing-attribute": ("<signup/>", f"<signup> is missing the attribute 'name'. {SIGNUP}"),
    "blank-name": ('<signup name=" "/>', f"<signup> cannot have name=' '. {SIGNUP}"),
    "empty-name": ('<signup name=""/>', f"<signup> cannot have name=''. {SIGNUP}"),
    "column-off-the-board": (
        '<placement><tile column="13" row="A"/></placement>',
        f"<tile> cannot have column='13'. {WRITE_TILE} {PLACEMENT}",
    ),
    "column-no-number": (
        '<placement><tile column="B" row="2"/></placement>',
        f"<tile> cannot have column='B'. {WRITE_TILE} {PLACEMENT}",
    ),
    "row-off-the-board": (
        '<placement><tile column="1" row="J"/></placement>',
        f"<tile> cannot have row='J'. {WRITE_TILE} {PLACEMENT}",
    ),
    "no-row": (
        '<placement><tile column="1"/></placement>',
        f"<tile> is missing the attribute 'row'. {WRITE_TILE} {PLACEMENT}",
    ),
    "unknown-hotel": (
        '<order><hotel label="tower"/></order>',
        f"<hotel> cannot have label='tower'. {HOTEL} {ORDER}",
    ),
    "quotes-in-a-value": (
        """<order><hotel label="a' is 'b"/></order>""",
        f"""<hotel> cannot have label="a' is 'b". {HOTEL} {ORDER}""",
    ),
    "hotel-named-as-on-the-board": (
        '<order><hotel name="Tower"/></order>',
        f"<hotel> has no attribute 'name'. {HOTEL} {ORDER}",
    ),
    "three-hotels": (
        "<order>" + '<hotel label="Tower"/>' * 3 + "</order>",
        f"<order> has 3 <hotel/>, but at most 2 are allowed. {ORDER}",
    ),
    "three-hotels-in-a-turn": (
        f"<pbuy><placement>{TILE}</placement><order>"
        + '<hotel label="Tower"/>' * 3
        + "</order></pbuy>",
        f"<order> has 3 <hotel/>, but at most 2 are allowed. {ORDER}",
    ),
    "two-hotels-in-a-placement": (
        f"<placement>{TILE}" + '<hotel label="Tower"/>' * 2 + "</placement>",
        f"<placement> has 2 <hotel/>, but at most 1 is allowed. {PLACEMENT}",
    ),
    "hotel-before-the-tile": (
        f'<placement><hotel label="Tower"/>{TILE}</placement>',
        f"<hotel> is not allowed here. {PLACEMENT}",
    ),
    "unknown-child": ("<keep><yes/></keep>", f"<yes> is not allowed here. {KEEP}"),
    "wrong-order": (
        f"<pbuy><order/><placement>{TILE}</placement></pbuy>",
        f"<order> is not allowed here. {PBUY}",
    ),
    "nothing-inside": ("<keep/>", f"<keep> is missing a child element. {KEEP}"),
    "no-order": (
        f"<pbuy><placement>{TILE}</placement></pbuy>",
        f"<pbuy> is missing a child element. {PBUY}",
    ),
    "text": ("<void>ok</void>", f"<void> cannot contain text. {VOID}"),
    "text-among-elements": ("<keep>true</keep>", f"<keep> cannot contain text. {KEEP}"),
    "text-within-an-answer": (
        "<keep><true>yes</true></keep>",
        f"<true> cannot contain text. {KEEP}",
    ),
}


DISPOSE = 'Write <dispose sell="0..25" trade="0..25"/>.'
MORE_PLACEMENT = (
    "Write <placement>, a <tile/>, a <hotel/> when it founds or merges, after a survivor "
    "optionally the acquired hotels tied in size, </placement>."
)
MORE_ORDER = (
    "Write <order>, up to three <hotel/>, one for each certificate, an <end/> to declare the end, "
    "</order>."
)
MORE_PBUY = "Write <pbuy>, a <placement/> if a tile can be placed, an <order/>, </pbuy>."
EVERY_OF_THE_OTHERS = (
    "Valid messages: <dispose>, <keep>, <order>, <pbuy>, <placement>, <replace>, <signup>, <void>."
)

EXPLAINED_BY_THE_OTHERS = {
    "unknown-message": ("<nothing/>", f"Unknown message <nothing>. {EVERY_OF_THE_OTHERS}"),
    "misspelt": (
        "<disposal/>",
        f"Unknown message <disposal>. Did you mean <dispose>? {EVERY_OF_THE_OTHERS}",
    ),
    "void": ("<void>ok</void>", f"<void> cannot contain text. {VOID}"),
    "unknown-hotel": (
        '<order><hotel label="tower"/></order>',
        f"<hotel> cannot have label='tower'. {HOTEL} {MORE_ORDER}",
    ),
    "four-hotels": (
        "<order>" + '<hotel label="Sackson"/>' * 4 + "</order>",
        f"<order> has 4 <hotel/>, but at most 3 are allowed. {MORE_ORDER}",
    ),
    "end-not-last": (
        '<order><end/><hotel label="Sackson"/></order>',
        f"<hotel> is not allowed here. {MORE_ORDER}",
    ),
    "hotel-after-the-end": (
        '<order><hotel label="Sackson"/><end/><hotel label="Sackson"/></order>',
        f"<hotel> is not allowed here. {MORE_ORDER}",
    ),
    "five-hotels-in-a-placement": (
        f"<placement>{TILE}" + '<hotel label="Sackson"/>' * 5 + "</placement>",
        f"<placement> has 5 <hotel/>, but at most 4 are allowed. {MORE_PLACEMENT}",
    ),
    "no-order": (
        f"<pbuy><placement>{TILE}</placement></pbuy>",
        f"<pbuy> is missing a child element. {MORE_PBUY}",
    ),
    "no-trade": ('<dispose sell="1"/>', f"<dispose> is missing the attribute 'trade'. {DISPOSE}"),
    "too-many-sold": (
        '<dispose sell="26" trade="0"/>',
        f"<dispose> cannot have sell='26'. {DISPOSE}",
    ),
    "traded-is-no-number": (
        '<dispose sell="1" trade="all"/>',
        f"<dispose> cannot have trade='all'. {DISPOSE}",
    ),
    "held-certificates-are-not-sent": (
        '<dispose sell="1" trade="0" hold="2"/>',
        f"<dispose> has no attribute 'hold'. {DISPOSE}",
    ),
    "answer-as-text": (
        '<dispose sell="1" trade="0">hold</dispose>',
        f"<dispose> cannot contain text. {DISPOSE}",
    ),
}
OTHERS = [rulebook for rulebook in RULEBOOKS.values() if rulebook is not REVISED]


def explained(text: str) -> str:
    """The explanation of a document that the players' schema rejects."""
    root = etree.fromstring(text)
    assert not PLAYER.validate(root)
    error = PLAYER.error_log[0]
    return explain_schema_error(root, error.message, KNOWN, FORMS, error.path or "")


@for_each(("text", "expected"), EXPLAINED.values(), ids=EXPLAINED)
def test_mistake_is_explained_with_the_form_of_the_element(text: str, expected: str) -> None:
    assert explained(text) == expected


def refused(rulebook: Rulebook, text: str) -> str:
    """The explanation by a rulebook's reader of a document that it rejects."""
    reader = player_reader(rulebook)
    fault = reader.convert(reader.parse(text.encode()), text.encode())
    assert isinstance(fault, Fault)
    return fault.detail


@for_each("text", [text for text, _ in EXPLAINED.values()], ids=EXPLAINED)
def test_reader_explains_what_it_refuses(text: str) -> None:
    assert refused(REVISED, text) == explained(text)


@for_each(("text", "expected"), EXPLAINED_BY_THE_OTHERS.values(), ids=EXPLAINED_BY_THE_OTHERS)
@for_each("rulebook", OTHERS, ids=lambda rulebook: str(rulebook.id))
def test_under_another_rulebook_its_own_forms_are_shown(
    rulebook: Rulebook, text: str, expected: str
) -> None:
    names = ", ".join(hotel.name for hotel in rulebook.hotels)
    assert refused(rulebook, text) == expected.replace("spelled like Tower", f"one of {names}")


def test_hotel_of_another_edition_is_explained_as_unknown() -> None:
    for rulebook, label in ((CLASSIC, "Quantum"), (CORPORATIONS, "Tower")):
        expected = refused(rulebook, f'<order><hotel label="{label}"/></order>')
        assert expected.startswith(f"<hotel> cannot have label={label!r}.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<dispose sell="1" trade="0"/>', f"Unknown message <dispose>. {EVERY}"),
        ("<order><end/></order>", f"<end> is not allowed here. {ORDER}"),
        ("<pbuy><order/></pbuy>", f"<order> is not allowed here. {PBUY}"),
    ],
)
def test_revised_does_not_mention_what_the_other_rulebooks_add(text: str, expected: str) -> None:
    assert refused(REVISED, text) == expected


def test_long_name_of_an_element_is_not_quoted_in_full() -> None:
    expected = explained(f"<{'z' * 1000}/>")
    assert "z" * MAX_QUOTED in expected
    assert len(expected) < 300


def test_long_value_is_not_quoted_in_full() -> None:
    expected = explained(f'<order><hotel label="{"z" * 1000}"/></order>')
    assert "z" * MAX_QUOTED in expected
    assert len(expected) < 300


def test_other_messages_of_the_validator_are_passed_on_in_one_line() -> None:
    root = etree.fromstring("<void/>")
    assert explain_schema_error(root, "Something\n  else..", KNOWN, FORMS) == "Something else."


@for_each("name", KNOWN)
def test_every_message_of_a_player_has_its_form_described(name: str) -> None:
    assert name in FORMS


@for_each("name", [*KNOWN, "dispose", "replace"])
def test_every_message_of_a_player_under_another_rulebook_has_its_form_described(
    name: str,
) -> None:
    assert name in dialect_forms(CLASSIC)


@pytest.mark.parametrize("dialect", Dialect)
def test_form_is_that_of_its_own_element(dialect: Dialect) -> None:
    for name, form in dialect.forms(CLASSIC).items():
        assert form.startswith(f"<{name}")


@pytest.mark.parametrize(
    ("limit", "written"), [(1, "one"), (2, "two"), (3, "three"), (4, "4"), (25, "25")]
)
def test_form_of_an_order_names_the_rulebooks_limit(limit: int, written: str) -> None:
    for forms, rulebook in ((course_forms, REVISED), (dialect_forms, CLASSIC)):
        form = forms(replace(rulebook, order_limit=limit))["order"]
        assert form.startswith(f"<order>, up to {written} <hotel/>, ")
