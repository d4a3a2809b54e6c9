"""Why the schema refused an element, in words that tell its author what to mend."""

from __future__ import annotations

import pytest
from lxml import etree

import schemas
from game.rulebook import REVISED
from protocol.explaining import FORMS, LONGEST_SHOWN, explain
from protocol.faults import Fault
from protocol.reading import read_players_side

PLAYER = schemas.load("player")
KNOWN = ["keep", "order", "pbuy", "placement", "signup", "void"]
EVERY = "There are <keep>, <order>, <pbuy>, <placement>, <signup>, <void>."

TILE = '<tile column="1" row="A"/>'
VOID = "Write <void/>."
WRITE_TILE = 'Write <tile column="1..12" row="A..I"/>.'
SIGNUP = 'Write <signup name="1 to 64 characters"/>.'
HOTEL = 'Write <hotel label="NAME"/>, NAME spelled like Tower.'
PLACEMENT = "Write <placement>, a <tile/>, a <hotel/> when it founds or merges, </placement>."
ORDER = "Write <order>, none, one or two <hotel/>, </order>."
PBUY = "Write <pbuy>, a <placement/>, an <order/>, </pbuy>."
KEEP = "Write <keep>, a <true/> or a <false/> for each hotel asked about, </keep>."

EXPLAINED = {
    "unknown-message": ("<nothing/>", f"There is no message <nothing>. {EVERY}"),
    "wrong-case": ("<Void/>", f"There is no message <Void>. Is <void> meant? {EVERY}"),
    "misspelt": ("<singup/>", f"There is no message <singup>. Is <signup> meant? {EVERY}"),
    "namespace": (
        '<void xmlns="a"/>',
        f"There is no message <{{a}}void>. Is <void> meant? {EVERY}",
    ),
    "unknown-attribute": ('<void at="1"/>', f"<void> has no attribute 'at'. {VOID}"),
    "missing-attribute": ("<signup/>", f"<signup> lacks the attribute 'name'. {SIGNUP}"),
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
        f"<tile> lacks the attribute 'row'. {WRITE_TILE} {PLACEMENT}",
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
        f"<hotel> cannot stand where it does. {ORDER} {HOTEL}",
    ),
    "unknown-child": ("<keep><yes/></keep>", f"<yes> cannot stand where it does. {KEEP}"),
    "wrong-order": (
        f"<pbuy><order/><placement>{TILE}</placement></pbuy>",
        f"<order> cannot stand where it does. {PBUY} {ORDER}",
    ),
    "nothing-inside": ("<keep/>", f"<keep> lacks something inside. {KEEP}"),
    "no-order": (
        f"<pbuy><placement>{TILE}</placement></pbuy>",
        f"<pbuy> lacks something inside. {PBUY}",
    ),
    "text": ("<void>ok</void>", f"<void> has text in it. {VOID}"),
    "text-among-elements": ("<keep>true</keep>", f"<keep> has text in it. {KEEP}"),
    "text-within-an-answer": (
        "<keep><true>yes</true></keep>",
        f"<true> has text in it. {KEEP}",
    ),
}


def explained(text: str) -> str:
    """What is said about a document that the players' schema refuses."""
    root = etree.fromstring(text)
    assert not PLAYER.validate(root)
    return explain(root, PLAYER.error_log[0].message, KNOWN)


@pytest.mark.parametrize(("text", "said"), EXPLAINED.values(), ids=EXPLAINED)
def test_what_is_wrong_is_said_with_the_form_of_the_element(text: str, said: str) -> None:
    assert explained(text) == said


@pytest.mark.parametrize("text", [text for text, _ in EXPLAINED.values()], ids=EXPLAINED)
def test_reader_explains_what_it_refuses(text: str) -> None:
    reader = read_players_side(REVISED)
    fault = reader.convert(reader.parse(text.encode()), text.encode())
    assert isinstance(fault, Fault)
    assert fault.detail == explained(text)


def test_long_value_is_not_quoted_in_full() -> None:
    said = explained(f'<order><hotel label="{"z" * 1000}"/></order>')
    assert "z" * LONGEST_SHOWN in said
    assert len(said) < 300


def test_what_the_validator_says_otherwise_is_passed_on_in_one_line() -> None:
    root = etree.fromstring("<void/>")
    assert explain(root, "Something\n  else..", KNOWN) == "Something else."


@pytest.mark.parametrize("name", KNOWN)
def test_every_message_of_a_player_has_its_form_described(name: str) -> None:
    assert name in FORMS
