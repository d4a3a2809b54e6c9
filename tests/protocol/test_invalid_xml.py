"""Why XML is no valid message, in words that help its author to fix it."""

from dataclasses import replace

import pytest
from loops import for_each
from lxml import etree

from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, REVISED, RULEBOOKS, WIKIPEDIA
from acquire.protocol.conversation import Side, sent_by
from acquire.protocol.dialect import Dialect
from acquire.protocol.faults import MAX_SHOWN, Fault
from acquire.protocol.invalid_xml import explain_briefly, forms_of
from acquire.protocol.reading import player_reader

TILE = '<tile column="1" row="A"/>'
TOWER, SACKSON = '<hotel label="Tower"/>', '<hotel label="Sackson"/>'

PLACED = f"<placement>{TILE}</placement>"


def order(inside: str = "") -> str:
    return f"<order>{inside}</order>"


def placed(inside: str) -> str:
    return f"<placement>{inside}</placement>"


def pbuy(*inside: str) -> str:
    return f"<pbuy>{''.join(inside)}</pbuy>"


def at(column: str, row: str) -> str:
    return placed(f'<tile column="{column}" row="{row}"/>')


NO_NAMESPACE = "Write <void> without xmlns and without a prefix."
EXPLAINED = [
    # names of elements
    ("<nothing/>", "No message is called <nothing>.", "<keep>, <order>, <pbuy>, <placement>,"),
    ("<Void/>", "<Void> should be <void>, in lower case.", "are all in lower case."),
    ("<singup/>", "There is no <singup>: probably <signup> was meant.", ""),
    ("<state><board/></state>", "<state> is a message of the administrator's", "Answer it, and do"),
    (TOWER, "<hotel> is a part of a message", "Put it where it belongs: <order> or <placement>."),
    ("<message><void/></message>", "<void> was sent within <message>", "Send <void> itself"),
    ('<void xmlns="a"/>', "<void> is in a namespace, but the protocol uses no", NO_NAMESPACE),
    ('<void: xmlns="a"/>', "<void> is in a namespace, but the protocol uses no", NO_NAMESPACE),
    ('<a:void xmlns:a="urn:x"/>', "<void> has the prefix 'a', but the protocol", NO_NAMESPACE),
    ("<keep><yes/></keep>", "There is no element <yes> in <keep>.", "Use the elements of"),
    (order('<share name="Tower" count="2"/>'), "<share> was sent in <order>", "Write one <hotel"),
    # attributes
    ('<void at="1"/>', "<void> has no attribute at.", "Write it without attributes."),
    ("<signup/>", "<signup> lacks its name.", "Write it as <signup name=.../>."),
    ('<signup name=" "/>', "The player signed up with an empty name.", "of 1 to 64 characters."),
    ("<signup name='ann&#10;'/>", r"The name 'ann\n' has a line break.", "Remove it: the end"),
    ('<signup name=""/>', "The player signed up with an empty name.", "of 1 to 64 characters."),
    (f'<signup name="{"x" * 65}"/>', "The name has 65 characters, but", "Choose a shorter one."),
    (order('<hotel label="tower"/>'), "The hotel 'tower' should be spelled 'Tower'", "as they"),
    (order('<hotel label="Twoer"/>'), "The hotel 'Twoer' is misspelled: it is 'Tower'", "as they"),
    (order('<hotel label="Hydra"/>'), "'Hydra' is a hotel of the rulebook", "American,"),
    (order("<hotel label=\"a' is 'b\"/>"), "There is no hotel \"a' is 'b\".", "Sackson, Tower"),
    (order('<hotel label="None"/>'), "A value is missing: the program wrote label='None'", "Look"),
    (order('<hotel name="Tower"/>'), "In an answer the attribute of <hotel> is label,", "Only the"),
    (order('<hotel label="Tower" count="2"/>'), "<hotel> has no count", "one <hotel/> for each"),
    (order('<hotel Label="Tower"/>'), "The attribute Label of <hotel> should be label", "lower"),
    ('<placement><tile column="1"/></placement>', "<tile> lacks its row.", "<tile column=... row="),
    # tiles
    (at("0", "B"), "The column of <tile> is 0", "Columns are 1 to 12; read all digits."),
    (at("13", "A"), "The column 13 does not exist: columns are counted from 1", "12B is written"),
    (at("12B", "B"), "The column '12B' contains the row as well.", "12B is written"),
    (at("B", "2"), "The row and the column of <tile> are exchanged.", "12B is written"),
    (at("1.0", "B"), "The column 1.0 is not a whole number.", "Convert it to an integer."),
    (at("undefined", "B"), "A value is missing: the program wrote column='undefined'", "Look at"),
    (at("1", "b"), "The row 'b' should be 'B', a capital letter.", "12B is written"),
    (at("1", "2"), "The row '2' is a number, not a letter.", "12B is written"),
    (at("1", "1B"), "The row '1B' contains the column as well.", "12B is written"),
    (at("1", "J"), "'J' is not a row: rows are A to I.", "12B is written"),
    # content
    (order(TOWER * 3), "The order is for 3 certificates, but at most 2 are allowed.", "<hotel/>"),
    (pbuy(PLACED, order(TOWER * 3)), "The order is for 3 certificates, but at most 2", "no more"),
    (pbuy(order(), PLACED), "In <pbuy> the <order> comes before the <placement>.", "way round."),
    (pbuy(PLACED), "<pbuy> lacks its <order>.", "An order for nothing is <order/>."),
    (placed(TILE + TOWER * 2), "<placement> has 2 <hotel/>, but at most 1 is allowed.", "Look at"),
    (placed(TOWER + TILE), "In <placement> the <hotel> comes before the <tile>.", "way round."),
    ("<keep/>", "<keep> is empty.", "for each hotel that was asked about."),
    (f"<keep>{TOWER}</keep>", "<keep> repeats the hotels", "for each, in the same order."),
    ("<void>ok</void>", "<void> contains the text 'ok', but only elements may", "Write <void/>."),
    (order("Tower"), "<order> contains the text 'Tower'", 'Write <hotel label="..."/> for each'),
    ("<keep>true</keep>", "<keep> contains the text 'true'", "<true/> or <false/> for each hotel."),
    ("<keep><true>yes</true></keep>", "<true> contains the text 'yes'", "Write <true/>."),
]
"""Documents, what their author did, and some of what to write instead."""

EXPLAINED_BY_THE_OTHERS = [
    ("<nothing/>", "No message is called <nothing>.", "Valid messages: <dispose>, <keep>, <order>"),
    ("<disposal/>", "There is no <disposal>: probably <dispose> was meant.", ""),
    (order(SACKSON * 4), "The order is for 4 certificates, but at most 3 are allowed.", "no more"),
    (order(f"<end/>{SACKSON}"), "<hotel> is not allowed here, in <order>.", "Look at what may"),
    (order(f"{SACKSON}<end/>{SACKSON}"), "<hotel> is not allowed here, in <order>.", "Look at"),
    (placed(TILE + SACKSON * 5), "<placement> has 5 <hotel/>, but at most 4 are allowed.", "Look"),
    ('<dispose sell="1"/>', "<dispose> lacks its trade.", "<dispose sell=... trade=.../>."),
    ('<dispose sell="26" trade="0"/>', "'26' is not a number of certificates.", "There are 25 of"),
    ('<dispose sell="1" trade="all"/>', "'all' is not a number of certificates.", "There are 25"),
    ('<dispose sell="1" trade="0" hold="2"/>', "<dispose> has no attribute hold.", "sell and"),
    ('<dispose sell="1" trade="0">hold</dispose>', "<dispose> contains the text", "the attributes"),
]

OTHERS = [rulebook for rulebook in RULEBOOKS.values() if rulebook is not REVISED]


def refused(rulebook: Rulebook, text: str) -> str:
    """The explanation by a rulebook's reader of a document that it rejects."""
    reader = player_reader(rulebook)
    fault = reader.convert(reader.parse(text.encode()), text.encode())
    assert isinstance(fault, Fault)
    return fault.detail


def is_explained(rulebook: Rulebook, text: str, cause: str, advice: str) -> None:
    """Assert that this is said, and at the end how the whole message is written, if it is one."""
    explained, tag = refused(rulebook, text), str(etree.fromstring(text).tag)
    assert explained.startswith(cause) and advice in explained, explained
    form = f" The whole message: {forms_of(rulebook).get(tag)}."
    assert explained.endswith(form) is (tag in sent_by(Side.PLAYER, Dialect.of(rulebook)))


@for_each(("text", "cause", "advice"), EXPLAINED)
def test_mistake_is_explained_with_the_form_of_the_message(
    text: str, cause: str, advice: str
) -> None:
    is_explained(REVISED, text, cause, advice)


@for_each(("text", "cause", "advice"), EXPLAINED_BY_THE_OTHERS)
@for_each("rulebook", OTHERS, ids=lambda rulebook: str(rulebook.id))
def test_under_another_rulebook_its_own_forms_are_shown(
    rulebook: Rulebook, text: str, cause: str, advice: str
) -> None:
    is_explained(rulebook, text, cause, advice)


def test_hotel_of_another_edition_is_explained_as_one() -> None:
    for rulebook, label in ((CLASSIC, "Quantum"), (CORPORATIONS, "Tower")):
        explained = refused(rulebook, f'<order><hotel label="{label}"/></order>')
        assert explained.startswith(f"{label!r} is a hotel of the rulebook ")


@for_each(
    ("rulebook", "text", "places"),
    [
        (REVISED, "<true/>", "<keep><true/></keep>"),
        (REVISED, "<end/>", ""),
        (CLASSIC, "<false/>", ""),
        (CLASSIC, "<end/>", "<order><end/></order>"),
        (WIKIPEDIA, "<false/>", "<replace><false/></replace>"),
        (
            replace(WIKIPEDIA, disposal=REVISED.disposal),
            "<true/>",
            "<keep><true/></keep> or <replace><true/></replace>",
        ),
    ],
)
def test_part_belongs_where_the_rulebook_asks_for_it(
    rulebook: Rulebook, text: str, places: str
) -> None:
    said = refused(rulebook, text)
    if places:
        assert said.endswith(f" was sent alone. Put it where it belongs: {places}."), said
    else:
        assert said.startswith(f"No message is called {text.replace('/', '')}. Valid messages: ")


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
    explained = refused(REVISED, "<void>&#160;</void>")  # no white space in XML
    assert explained.startswith("Element 'void': [facet 'maxLength'] The value has a length of '1'")


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
