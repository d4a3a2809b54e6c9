"""Why XML is no valid message, in words that help its author to fix it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from loops import for_each
from lxml import etree

from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, REVISED, RULEBOOKS
from acquire.protocol.conversation import Side, sent_by
from acquire.protocol.dialect import Dialect
from acquire.protocol.faults import MAX_SHOWN, Fault
from acquire.protocol.invalid_xml import explain_briefly, forms_of
from acquire.protocol.reading import player_reader

TILE = '<tile column="1" row="A"/>'
TOWER, SACKSON = '<hotel label="Tower"/>', '<hotel label="Sackson"/>'

EXPLAINED = {
    "unknown-message": (
        "<nothing/>",
        (
            "No message is called <nothing>. Valid messages: <keep>, <order>, <pbuy>, "
            "<placement>, <signup>, <void>."
        ),
    ),
    "wrong-case": (
        "<Void/>",
        (
            "<Void> should be <void>, in lower case. The names of elements and attributes "
            "are all in lower case."
        ),
    ),
    "misspelt": ("<singup/>", ("There is no <singup>: probably <signup> was meant.")),
    "namespace": (
        '<void xmlns="a"/>',
        (
            "<void> is in a namespace, but the protocol uses no namespaces. Write <void> "
            "without xmlns and without a prefix."
        ),
    ),
    "namespace-of-a-name-that-ends-with-a-colon": (
        '<void: xmlns="a"/>',
        (
            "<void> is in a namespace, but the protocol uses no namespaces. Write <void> "
            "without xmlns and without a prefix."
        ),
    ),
    "unknown-attribute": (
        '<void at="1"/>',
        "<void> has no attribute at. Write it without attributes.",
    ),
    "missing-attribute": ("<signup/>", "<signup> lacks its name. Write it as <signup name=.../>."),
    "blank-name": (
        '<signup name=" "/>',
        (
            "The player signed up with an empty name. Pass it on from the command line, "
            "or write one of 1 to 64 characters."
        ),
    ),
    "empty-name": (
        '<signup name=""/>',
        (
            "The player signed up with an empty name. Pass it on from the command line, "
            "or write one of 1 to 64 characters."
        ),
    ),
    "column-off-the-board": (
        '<placement><tile column="13" row="A"/></placement>',
        (
            "The column 13 does not exist: columns are counted from 1, not 0. A tile such "
            'as 12B is written <tile column="12" row="B"/>.'
        ),
    ),
    "column-no-number": (
        '<placement><tile column="B" row="2"/></placement>',
        (
            "The row and the column of <tile> are exchanged. A tile such as 12B is "
            'written <tile column="12" row="B"/>.'
        ),
    ),
    "row-off-the-board": (
        '<placement><tile column="1" row="J"/></placement>',
        (
            "'J' is not a row: rows are A to I. A tile such as 12B is written <tile "
            'column="12" row="B"/>.'
        ),
    ),
    "no-row": (
        '<placement><tile column="1"/></placement>',
        "<tile> lacks its row. Write it as <tile column=... row=.../>.",
    ),
    "unknown-hotel": (
        '<order><hotel label="tower"/></order>',
        (
            "The hotel 'tower' should be spelled 'Tower', with its capital. Write the "
            "names of hotels as they come in <hotel name=...>."
        ),
    ),
    "quotes-in-a-value": (
        "<order><hotel label=\"a' is 'b\"/></order>",
        (
            "There is no hotel \"a' is 'b\". The hotels here are American, Continental, "
            "Festival, Imperial, Sackson, Tower, Worldwide."
        ),
    ),
    "hotel-named-as-on-the-board": (
        '<order><hotel name="Tower"/></order>',
        (
            "In an answer the attribute of <hotel> is label, not name. Only the boards "
            "that you receive have <hotel name=...>."
        ),
    ),
    "three-hotels": (
        '<order><hotel label="Tower"/><hotel label="Tower"/><hotel label="Tower"/></order>',
        (
            "The order is for 3 certificates, but at most 2 are allowed. Write one "
            "<hotel/> for each certificate, and no more in a turn."
        ),
    ),
    "three-hotels-in-a-turn": (
        f"<pbuy><placement>{TILE}</placement><order>{TOWER * 3}</order></pbuy>",
        (
            "The order is for 3 certificates, but at most 2 are allowed. Write one "
            "<hotel/> for each certificate, and no more in a turn."
        ),
    ),
    "two-hotels-in-a-placement": (
        f"<placement>{TILE}{TOWER * 2}</placement>",
        ("<placement> has 2 <hotel/>, but at most 1 is allowed. Look at what may stand in it."),
    ),
    "hotel-before-the-tile": (
        '<placement><hotel label="Tower"/><tile column="1" row="A"/></placement>',
        ("In <placement> the <hotel> comes before the <tile>. Write them the other way round."),
    ),
    "unknown-child": (
        "<keep><yes/></keep>",
        "There is no element <yes> in <keep>. Use the elements of the protocol alone.",
    ),
    "wrong-order": (
        '<pbuy><order/><placement><tile column="1" row="A"/></placement></pbuy>',
        ("In <pbuy> the <order> comes before the <placement>. Write them the other way round."),
    ),
    "nothing-inside": (
        "<keep/>",
        ("<keep> is empty. Write a <true/> or a <false/> for each hotel that was asked about."),
    ),
    "no-order": (
        '<pbuy><placement><tile column="1" row="A"/></placement></pbuy>',
        "<pbuy> lacks its <order>. An order for nothing is <order/>.",
    ),
    "text": (
        "<void>ok</void>",
        ("<void> contains the text 'ok', but only elements may stand in it. Write <void/>."),
    ),
    "text-among-elements": (
        "<keep>true</keep>",
        (
            "<keep> contains the text 'true', but only elements may stand in it. Write "
            "<true/> or <false/> for each hotel."
        ),
    ),
    "text-within-an-answer": (
        "<keep><true>yes</true></keep>",
        ("<true> contains the text 'yes', but only elements may stand in it. Write <true/>."),
    ),
}

EXPLAINED_BY_THE_OTHERS = {
    "unknown-message": (
        "<nothing/>",
        (
            "No message is called <nothing>. Valid messages: <dispose>, <keep>, <order>, "
            "<pbuy>, <placement>, <replace>, <signup>, <void>."
        ),
    ),
    "misspelt": ("<disposal/>", ("There is no <disposal>: probably <dispose> was meant.")),
    "four-hotels": (
        f"<order>{SACKSON * 4}</order>",
        (
            "The order is for 4 certificates, but at most 3 are allowed. Write one "
            "<hotel/> for each certificate, and no more in a turn."
        ),
    ),
    "end-not-last": (
        '<order><end/><hotel label="Sackson"/></order>',
        "<hotel> is not allowed here, in <order>. Look at what may stand in it.",
    ),
    "hotel-after-the-end": (
        '<order><hotel label="Sackson"/><end/><hotel label="Sackson"/></order>',
        "<hotel> is not allowed here, in <order>. Look at what may stand in it.",
    ),
    "five-hotels-in-a-placement": (
        f"<placement>{TILE}{SACKSON * 5}</placement>",
        ("<placement> has 5 <hotel/>, but at most 4 are allowed. Look at what may stand in it."),
    ),
    "no-trade": (
        '<dispose sell="1"/>',
        "<dispose> lacks its trade. Write it as <dispose sell=... trade=.../>.",
    ),
    "too-many-sold": (
        '<dispose sell="26" trade="0"/>',
        "'26' is not a number of certificates. There are 25 of each hotel.",
    ),
    "traded-is-no-number": (
        '<dispose sell="1" trade="all"/>',
        "'all' is not a number of certificates. There are 25 of each hotel.",
    ),
    "held-certificates-are-not-sent": (
        '<dispose sell="1" trade="0" hold="2"/>',
        "<dispose> has no attribute hold. It has sell and trade.",
    ),
    "answer-as-text": (
        '<dispose sell="1" trade="0">hold</dispose>',
        (
            "<dispose> contains the text 'hold', but only elements may stand in it. Put "
            "values into the attributes."
        ),
    ),
}

OTHERS = [rulebook for rulebook in RULEBOOKS.values() if rulebook is not REVISED]


def refused(rulebook: Rulebook, text: str) -> str:
    """The explanation by a rulebook's reader of a document that it rejects."""
    reader = player_reader(rulebook)
    fault = reader.convert(reader.parse(text.encode()), text.encode())
    assert isinstance(fault, Fault)
    return fault.detail


def with_form(rulebook: Rulebook, text: str, words: str) -> str:
    """What is expected: the words, and how the whole message is written, if it is one."""
    tag = str(etree.fromstring(text).tag)
    if tag not in sent_by(Side.PLAYER, Dialect.of(rulebook)):
        return words
    return f"{words} The whole message: {forms_of(rulebook)[tag]}."


@for_each(("text", "words"), EXPLAINED.values(), ids=EXPLAINED)
def test_mistake_is_explained_with_the_form_of_the_message(text: str, words: str) -> None:
    assert refused(REVISED, text) == with_form(REVISED, text, words)


@for_each(("text", "words"), EXPLAINED_BY_THE_OTHERS.values(), ids=EXPLAINED_BY_THE_OTHERS)
@for_each("rulebook", OTHERS, ids=lambda rulebook: str(rulebook.id))
def test_under_another_rulebook_its_own_forms_are_shown(
    rulebook: Rulebook, text: str, words: str
) -> None:
    assert refused(rulebook, text) == with_form(rulebook, text, words)


def test_hotel_of_another_edition_is_explained_as_one() -> None:
    for rulebook, label in ((CLASSIC, "Quantum"), (CORPORATIONS, "Tower")):
        explained = refused(rulebook, f'<order><hotel label="{label}"/></order>')
        assert explained.startswith(f"{label!r} is a hotel of the rulebook ")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('<dispose sell="1" trade="0"/>', "No message is called <dispose>."),
        ("<order><end/></order>", "<end> is not allowed here, in <order>."),
        ("<pbuy><order/></pbuy>", "<pbuy> lacks its <placement>."),
    ],
)
def test_revised_does_not_mention_what_the_other_rulebooks_add(text: str, words: str) -> None:
    assert refused(REVISED, text).startswith(words)


def test_long_names_and_values_are_not_quoted_in_full() -> None:
    for text in (f"<{'z' * 1000}/>", f'<order><hotel label="{"z" * 1000}"/></order>'):
        explained = refused(REVISED, text)
        assert "z" * MAX_SHOWN in explained
        assert len(explained) < 300


def test_validator_is_quoted_where_no_mistake_is_known() -> None:
    explained = refused(REVISED, '<signup name="a&#10;b"/>')
    assert explained.startswith("Element 'signup', attribute 'name': [facet 'pattern'] The value")


def test_message_of_a_referee_is_explained_by_the_validator_or_by_its_name() -> None:
    schema = Dialect.COURSE.schema("administrator", REVISED)
    explain = explain_briefly(["state", "tile"])
    for text, words in (
        ("<turns/>", "No message is called <turns>. Valid messages: <state>, <tile>."),
        ('<tile column="1"/>', "Element 'tile': The attribute 'row' is required but missing."),
    ):
        root = etree.fromstring(text)
        assert not schema.validate(root)
        assert explain(root, schema.error_log[0]) == words


@for_each("rulebook", RULEBOOKS.values(), ids=lambda rulebook: str(rulebook.id))
def test_every_message_of_a_player_has_its_form_described(rulebook: Rulebook) -> None:
    forms = forms_of(rulebook)
    assert sent_by(Side.PLAYER, Dialect.of(rulebook)) <= forms.keys()
    assert all(form.startswith(f"<{name}") for name, form in forms.items())
    if rulebook is not REVISED:
        assert all(hotel.name in forms["hotel"] for hotel in rulebook.hotels)


@pytest.mark.parametrize(
    ("limit", "written"), [(1, "one"), (2, "two"), (3, "three"), (4, "4"), (25, "25")]
)
def test_form_of_an_order_names_the_rulebooks_limit(limit: int, written: str) -> None:
    for rulebook in (REVISED, CLASSIC):
        form = forms_of(replace(rulebook, order_limit=limit))["order"]
        assert form.startswith(f"<order>, up to {written} <hotel/>, ")
