"""Messages to bytes: compact UTF-8, children and attributes in the protocol's order."""

from typing import get_args

import pytest
from loops import for_each
from lxml import etree
from positions import board, hotels, mask, placement, player

from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, REVISED, RULEBOOKS
from acquire.game.tiles import TILES, column_of, parse_tile, row_of
from acquire.protocol import messages
from acquire.protocol.messages import TAGS, Message, PlayerMessage
from acquire.protocol.player_view import PlayerView, SeatView
from acquire.protocol.reading import player_reader, referee_reader
from acquire.protocol.writing import (
    TILE_XML,
    VARIABLE,
    InvalidOutput,
    RefereeWriter,
    Writer,
    attribute,
    tiles_xml,
)

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
    "kept": (messages.KeepAnswer((True, False, True)), "<keep><true/><false/><true/></keep>"),
    "order": (
        messages.Order((TOWER, SACKSON)),
        '<order><hotel label="Tower"/><hotel label="Sackson"/></order>',
    ),
    "order-of-none": (messages.Order(()), "<order/>"),
}


NOTHING = (0,) * 7
OPEN = SeatView("ann", 5200, ANN.shares, ANN.hand, 3)
OPEN_XML = ANN_XML.replace('cash="7200"', 'cash="5200" tiles="3"')
HAND_HIDDEN = SeatView("bob", 0, NOTHING, 0, 6)
HAND_HIDDEN_XML = '<player name="bob" cash="0" tiles="6"/>'
ALL_HIDDEN = SeatView("a&b", None, NOTHING, 0, 0)
ALL_HIDDEN_XML = '<player name="a&amp;b" tiles="0"/>'
REVEALED = SeatView("bob", None, (0, 0, 0, 0, 0, 4, 0), 0, 5)
REVEALED_XML = '<player name="bob" tiles="5"><share name="Tower" count="4"/></player>'
BANK, BANK_XML = (
    (25, 0, 0, 0, 0, 1, 0),
    ('<bank><share name="American" count="25"/><share name="Tower" count="1"/></bank>'),
)
ASIDE_XML = '<aside><tile column="11" row="E"/><tile column="2" row="F"/></aside>'
SIGHT = PlayerView(BOARD, BANK, mask("2F 11E"), (OPEN, HAND_HIDDEN, ALL_HIDDEN))
SIGHT_XML = f"{BOARD_XML}{BANK_XML}{ASIDE_XML}{OPEN_XML}{HAND_HIDDEN_XML}{ALL_HIDDEN_XML}"
BARE = PlayerView(board(""), NOTHING, 0, (REVEALED,))
BARE_XML = f"<board/><bank/><aside/>{REVEALED_XML}"

WRITTEN_BY_THE_OTHERS: dict[str, tuple[Message, str]] = {
    "signup": (messages.SignUp("a&b"), '<signup name="a&amp;b"/>'),
    "signup-with-a-rulebook": (
        messages.SignUp("a&b", "classic"),
        '<signup name="a&amp;b" rulebook="classic"/>',
    ),
    "signup-with-a-rulebook-of-ones-own": (
        messages.SignUp("ann", "mine", '{"title":"a & b"}'),
        '<signup name="ann" rulebook="mine"><rulebook>{"title":"a &amp; b"}</rulebook></signup>',
    ),
    "state": (messages.StateView(SIGHT), f"<state>{SIGHT_XML}</state>"),
    "state-of-nothing": (messages.StateView(BARE), f"<state>{BARE_XML}</state>"),
    "replace": (messages.Replace(SIGHT), f"<replace>{SIGHT_XML}</replace>"),
    "new-hand": (messages.ReplaceAnswer(replaces=True), "<replace><true/></replace>"),
    "same-hand": (messages.ReplaceAnswer(replaces=False), "<replace><false/></replace>"),
    "turn": (messages.TurnView(SIGHT), f"<turn>{SIGHT_XML}</turn>"),
    "players": (messages.PlayersView(SIGHT), f"<players>{SIGHT_XML}</players>"),
    "score": (
        messages.ScoreView((("bob", 9000), ("ann", 0)), SIGHT),
        '<score><result name="bob" score="9000"/><result name="ann" score="0"/>'
        f"<state>{SIGHT_XML}</state></score>",
    ),
    "dispose": (
        messages.Dispose(TOWER, 400, SACKSON, BARE),
        f'<dispose hotel="Tower" price="400" survivor="Sackson">{BARE_XML}</dispose>',
    ),
    "disposal": (messages.DisposeAnswer(3, 4), '<dispose sell="3" trade="4"/>'),
    "disposal-of-nothing": (messages.DisposeAnswer(0, 0), '<dispose sell="0" trade="0"/>'),
    "holders": (
        messages.Holders(TOWER, (("a<b", 25), ("bob", 1))),
        '<holders hotel="Tower"><holder name="a&lt;b" count="25"/><holder name="bob" count="1"/>'
        "</holders>",
    ),
    "holders-of-none": (messages.Holders(SACKSON, ()), '<holders hotel="Sackson"/>'),
    "market": (
        messages.MarketTile(TOWER, parse_tile("9F"), 9),
        '<market hotel="Tower" count="9"><tile column="9" row="F"/></market>',
    ),
    "market-with-an-empty-bag": (
        messages.MarketTile(SACKSON, None, 0),
        '<market hotel="Sackson" count="0"/>',
    ),
    "merger-of-the-markets": (
        messages.MarketMerger(parse_tile("3A"), BARE),
        f'<merger><tile column="3" row="A"/>{BARE_XML}</merger>',
    ),
    "placement-with-equal-hotels": (
        messages.Merge(placement("11B", "Tower")._replace(equals=hotels("Sackson American"))),
        '<placement><tile column="11" row="B"/><hotel label="Tower"/><hotel label="Sackson"/>'
        '<hotel label="American"/></placement>',
    ),
    "pbuy-that-ends-the-game": (
        messages.Pbuy(placement("3C"), (TOWER, TOWER, SACKSON), end=True),
        '<pbuy><placement><tile column="3" row="C"/></placement><order><hotel label="Tower"/>'
        '<hotel label="Tower"/><hotel label="Sackson"/><end/></order></pbuy>',
    ),
    "pbuy-without-a-placement": (
        messages.Pbuy(None, (TOWER,)),
        '<pbuy><order><hotel label="Tower"/></order></pbuy>',
    ),
    "pbuy-of-nothing-at-all": (messages.Pbuy(None, ()), "<pbuy><order/></pbuy>"),
    "order-that-ends-the-game": (
        messages.Order((TOWER,), end=True),
        '<order><hotel label="Tower"/><end/></order>',
    ),
    "end-alone": (messages.Order((), end=True), "<order><end/></order>"),
}
"""The words that ``revised`` has not, under ``classic``, which has the same hotels."""

EVERY_WRITTEN = for_each(
    ("rulebook", "message", "text"),
    [
        *(pytest.param(REVISED, *case, id=f"revised-{name}") for name, case in WRITTEN.items()),
        *(
            pytest.param(CLASSIC, *case, id=f"classic-{name}")
            for name, case in WRITTEN_BY_THE_OTHERS.items()
        ),
    ],
)


@EVERY_WRITTEN
def test_message_is_written_compactly_in_the_protocols_order(
    rulebook: Rulebook, message: Message, text: str
) -> None:
    writer = Writer(rulebook)
    assert writer.write(message) == text.encode()
    assert writer.text(message) == text


@EVERY_WRITTEN
def test_message_is_read_as_it_was_written(rulebook: Rulebook, message: Message, text: str) -> None:
    by_player = isinstance(message, get_args(PlayerMessage)) and "rulebook=" not in text
    reader = player_reader(rulebook) if by_player else referee_reader(rulebook)
    document = text.encode()
    assert reader.convert(reader.parse(document), document) == message


def test_every_kind_of_message_is_written_here_with_its_tag() -> None:
    cases = [*WRITTEN.values(), *WRITTEN_BY_THE_OTHERS.values()]
    assert {(type(message), etree.fromstring(text).tag) for message, text in cases} == {
        *TAGS.items()
    }


def test_what_revised_has_no_word_for_is_not_in_what_it_writes() -> None:
    for message, text in WRITTEN.values():
        for other in ("<end/>", "<bank", "<aside", " tiles=", "rulebook=", "<dispose", "<market"):
            assert other not in text, message


@for_each("rulebook", RULEBOOKS.values(), ids=RULEBOOKS)
def test_hotels_are_named_as_the_rulebook_names_them(rulebook: Rulebook) -> None:
    written = Writer(rulebook).text(messages.Order(tuple(range(7))))
    labels = [hotel.get("label") for hotel in etree.fromstring(written)]
    assert labels == [hotel.name for hotel in rulebook.hotels]


def test_hotels_shares_and_questions_name_the_corporations_where_these_are_played() -> None:
    quantum, zeta = hotels("Quantum Zeta", CORPORATIONS)
    held = (0, 0, 0, 0, 2, 0, 3)
    view = PlayerView(board("QQ.ZZ", CORPORATIONS), held, 0, (SeatView("ann", None, held, 0, 1),))
    shares_xml = '<share name="Quantum" count="2"/><share name="Zeta" count="3"/>'
    assert Writer(CORPORATIONS).text(messages.Dispose(zeta, 200, quantum, view)) == (
        '<dispose hotel="Zeta" price="200" survivor="Quantum"><board><hotel name="Quantum">'
        '<tile column="1" row="A"/><tile column="2" row="A"/></hotel><hotel name="Zeta">'
        '<tile column="4" row="A"/><tile column="5" row="A"/></hotel></board>'
        f'<bank>{shares_xml}</bank><aside/><player name="ann" tiles="1">{shares_xml}</player>'
        "</dispose>"
    )
    assert Writer(CORPORATIONS).text(messages.MarketTile(zeta, None, 0)) == (
        '<market hotel="Zeta" count="0"/>'
    )


def test_what_is_hidden_from_one_and_not_from_another_is_written_for_each() -> None:
    writer = Writer(CLASSIC)
    own = SeatView("ann", 10, (1, 0, 0, 0, 0, 0, 0), mask("1A"), 1)
    sent = [own, own._replace(cash=None, shares=NOTHING, hand=0), own._replace(hand=0), own]
    share, tile = '<share name="American" count="1"/>', '<tile column="1" row="A"/>'
    assert [writer.text(messages.StateView(BARE._replace(players=(seen,)))) for seen in sent] == [
        f"<state><board/><bank/><aside/>{player_xml}</state>"
        for player_xml in [
            f'<player name="ann" cash="10" tiles="1">{share}{tile}</player>',
            '<player name="ann" tiles="1"/>',
            f'<player name="ann" cash="10" tiles="1">{share}</player>',
            f'<player name="ann" cash="10" tiles="1">{share}{tile}</player>',
        ]
    ]


def test_writing_again_gives_the_same_bytes_for_the_same_and_others_for_other_players() -> None:
    writer = Writer(REVISED)
    first = writer.write(messages.Players((ANN, BOB)))
    richer = writer.write(messages.Players((ANN._replace(cash=7201), BOB)))
    assert writer.write(messages.Players((ANN, BOB))) == first
    assert richer == first.replace(b"7200", b"7201")


@for_each(
    "value", ["", "a", "'", '"', "&", "&amp;", "<>", "]]>", " a  b ", "a\tb\nc\rd", "é€😀", "&#65;"]
)
def test_attribute_is_read_back_as_it_was(value: str) -> None:
    element = etree.fromstring(f"<a b={attribute(value)}/>")
    assert element.get("b") == value


def test_what_no_xml_contains_is_replaced() -> None:
    """Or one player could make the log of a game unreadable."""
    every = "".join(map(chr, range(0x20000)))
    read = etree.fromstring(f"<a b={attribute(every)}/>").get("b", "")
    assert len(read) == len(every)
    assert {char for char, other in zip(every, read, strict=True) if char != other} == {
        *map(chr, {*range(32)} - {9, 10, 13}),
        *map(chr, range(0xD800, 0xE000)),
        *("\ufffe", "\uffff"),
    }


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


@pytest.mark.parametrize(
    ("value", "validates"), [("1", True), ("0", False), ("", False), ("2", False), (None, False)]
)
def test_environment_can_ask_for_validation(
    monkeypatch: pytest.MonkeyPatch, value: str | None, validates: bool
) -> None:
    if value is None:
        monkeypatch.delenv(VARIABLE, raising=False)
    else:
        monkeypatch.setenv(VARIABLE, value)
    invalid = messages.Ejected("bored", "Bye.")
    writer = RefereeWriter(REVISED)
    if validates:
        with pytest.raises(InvalidOutput):
            writer.write(invalid)
    else:
        assert writer.write(invalid) == b'<ejected reason="bored">Bye.</ejected>'
    with pytest.raises(InvalidOutput):
        RefereeWriter(REVISED, validate=True).write(invalid)
