"""Messages to bytes: compact UTF-8, children and attributes in the protocol's order."""

from __future__ import annotations

import pytest
from lxml import etree
from positions import board, hotels, mask, placement, player

from game.rulebook import REVISED
from game.tiles import TILES, column_of, row_of
from protocol import messages
from protocol.messages import TAGS, Message
from protocol.writing import TILE_XML, Writer, attribute, tiles_xml

TOWER, SACKSON = hotels("Tower Sackson")
BOARD = board("SS.T.......o\n...TT\n\n.o")
BOARD_XML = (
    '<board><tile column="12" row="A"/><tile column="2" row="D"/>'
    '<hotel name="Sackson"><tile column="1" row="A"/><tile column="2" row="A"/></hotel>'
    '<hotel name="Tower"><tile column="4" row="A"/><tile column="4" row="B"/>'
    '<tile column="5" row="B"/></hotel></board>'
)
ANN = player("ann", "10C 9C 1D", 7200, Worldwide=2, American=1, Sackson=25)
ANN_XML = (
    '<player name="ann" cash="7200"><share name="American" count="1"/>'
    '<share name="Sackson" count="25"/><share name="Worldwide" count="2"/>'
    '<tile column="9" row="C"/><tile column="10" row="C"/><tile column="1" row="D"/></player>'
)
BOB = player("bob", cash=0)
BOB_XML = '<player name="bob" cash="0"/>'

WRITTEN: dict[str, tuple[Message, str]] = {
    "signup": (messages.SignUp("ann"), '<signup name="ann"/>'),
    "signup-of-any-name": (
        messages.SignUp('a "b" <c> & é\t'),
        '<signup name="a &quot;b&quot; &lt;c&gt; &amp; é&#9;"/>',
    ),
    "state": (messages.State(BOARD, (ANN, BOB)), f"<state>{BOARD_XML}{ANN_XML}{BOB_XML}</state>"),
    "state-at-the-start": (messages.State(board(""), (BOB,)), f"<state><board/>{BOB_XML}</state>"),
    "turn": (messages.Turn(BOARD, (BOB, ANN)), f"<turn>{BOARD_XML}{BOB_XML}{ANN_XML}</turn>"),
    "players": (messages.Players((BOB, ANN)), f"<players>{BOB_XML}{ANN_XML}</players>"),
    "player-with-tiles-alone": (
        messages.Players((player("cyd", "1A"),)),
        '<players><player name="cyd" cash="8000"><tile column="1" row="A"/></player></players>',
    ),
    "player-with-certificates-alone": (
        messages.Players((player("cyd", Tower=3),)),
        '<players><player name="cyd" cash="8000"><share name="Tower" count="3"/></player>'
        "</players>",
    ),
    "keep": (
        messages.Keep((TOWER, SACKSON)),
        '<keep><hotel label="Tower"/><hotel label="Sackson"/></keep>',
    ),
    "tile": (messages.NewTile(TILES[-1]), '<tile column="12" row="I"/>'),
    "score": (
        messages.Score((("bob", 9000), ("a&b", 0)), BOARD, (ANN, BOB)),
        '<score><result name="bob" score="9000"/><result name="a&amp;b" score="0"/>'
        f"<state>{BOARD_XML}{ANN_XML}{BOB_XML}</state></score>",
    ),
    "ejected": (
        messages.Ejected("illegal", 'No <b> & "c".'),
        '<ejected reason="illegal">No &lt;b&gt; &amp; "c".</ejected>',
    ),
    "void": (messages.Void(), "<void/>"),
    "placement": (
        messages.Merge(placement("1A")),
        '<placement><tile column="1" row="A"/></placement>',
    ),
    "placement-of-a-survivor": (
        messages.Merge(placement("11B", "Tower")),
        '<placement><tile column="11" row="B"/><hotel label="Tower"/></placement>',
    ),
    "pbuy": (
        messages.Pbuy(placement("3C", "American"), (TOWER, TOWER)),
        '<pbuy><placement><tile column="3" row="C"/><hotel label="American"/></placement>'
        '<order><hotel label="Tower"/><hotel label="Tower"/></order></pbuy>',
    ),
    "pbuy-of-nothing": (
        messages.Pbuy(placement("3C"), ()),
        '<pbuy><placement><tile column="3" row="C"/></placement><order/></pbuy>',
    ),
    "kept": (messages.Kept((True, False, True)), "<keep><true/><false/><true/></keep>"),
    "order": (
        messages.Order((TOWER, SACKSON)),
        '<order><hotel label="Tower"/><hotel label="Sackson"/></order>',
    ),
    "order-of-none": (messages.Order(()), "<order/>"),
}


@pytest.mark.parametrize(("message", "text"), WRITTEN.values(), ids=WRITTEN)
def test_message_is_written_compactly_in_the_protocols_order(message: Message, text: str) -> None:
    writer = Writer(REVISED)
    assert writer.write(message) == text.encode()
    assert writer.text(message) == text


def test_every_kind_of_message_is_written_here() -> None:
    assert {type(message) for message, _ in WRITTEN.values()} == set(TAGS)


@pytest.mark.parametrize(("message", "text"), WRITTEN.values(), ids=WRITTEN)
def test_root_element_is_the_messages_tag(message: Message, text: str) -> None:
    assert etree.fromstring(text).tag == TAGS[type(message)]


def test_writing_again_gives_the_same_bytes_for_the_same_and_others_for_other_players() -> None:
    writer = Writer(REVISED)
    first = writer.write(messages.Players((ANN, BOB)))
    richer = writer.write(messages.Players((ANN._replace(cash=7201), BOB)))
    assert writer.write(messages.Players((ANN, BOB))) == first
    assert richer == first.replace(b"7200", b"7201")


@pytest.mark.parametrize(
    "value",
    ["", "a", "'", '"', "&", "&amp;", "<>", "]]>", " a  b ", "a\tb\nc\rd", "é€😀", "&#65;"],
)
def test_attribute_is_read_back_as_it_was(value: str) -> None:
    element = etree.fromstring(f"<a b={attribute(value)}/>")
    assert element.get("b") == value


def test_tiles_are_written_row_by_row() -> None:
    names = [
        (element.get("column"), element.get("row"))
        for element in etree.fromstring(f"<a>{tiles_xml(mask('1B 12A 10A 9A 1I'))}</a>")
    ]
    assert names == [("9", "A"), ("10", "A"), ("12", "A"), ("1", "B"), ("1", "I")]


def test_every_tile_is_written_as_its_column_and_row() -> None:
    assert {
        tile: f'<tile column="{column_of(tile)}" row="{row_of(tile)}"/>' for tile in TILES
    } == TILE_XML
