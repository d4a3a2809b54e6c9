"""Bytes to messages: parse, then validate, then convert."""

import pytest
from loops import for_each
from lxml import etree
from positions import board, hotels, mask, placement, player
from xml_documents import MALFORMED, SPELLINGS

from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, REVISED, RULEBOOKS, WIKIPEDIA
from acquire.protocol import messages
from acquire.protocol.faults import Fault, Reason
from acquire.protocol.invalid_xml import one_line
from acquire.protocol.messages import Message, PlayerMessage, RefereeMessage
from acquire.protocol.player_view import PlayerView, SeatView
from acquire.protocol.reading import (
    MAX_DEPTH,
    Reader,
    depth_of,
    greeting_reader,
    nesting_fault,
    player_reader,
    referee_reader,
)

PLAYERS_SIDE = player_reader(REVISED)
REFEREES_SIDE = referee_reader(REVISED)

TOWER, SACKSON = hotels("Tower Sackson")

# Messages in other spellings than ours, which `test_writing` has, and reads again; those of players
# under every rulebook are in `xml_documents`.

PLAYER_XML = '<player name="ann" cash="8000"/>'
FROM_REFEREE: dict[str, tuple[str, RefereeMessage]] = {
    "children-in-any-alphabetical-disorder": (
        '<state><board><tile column="2" row="I"/><tile column="9" row="A"/><hotel name="Tower">'
        '<tile column="2" row="B"/><tile column="1" row="B"/></hotel><hotel name="American">'
        '<tile column="2" row="D"/><tile column="1" row="D"/></hotel></board>'
        f"{PLAYER_XML}</state>",
        messages.State(board("........o\nTT\n\nAA\n\n\n\n\n.o"), (player("ann"),)),
    ),
    "players": (
        f'<players>{PLAYER_XML}<player name="bob" cash="+05"/></players>',
        messages.Players((player("ann"), player("bob", cash=5))),
    ),
    "keep-in-order": (
        '<keep><hotel label="Tower"/><hotel label=" Sackson "/></keep>',
        messages.Keep((TOWER, SACKSON)),
    ),
    "ejected-without-a-sentence": (
        '<ejected reason=" timed-out "/>',
        messages.Ejected("timed-out", ""),
    ),
}

TO_THE_OTHERS: dict[str, tuple[str, PlayerMessage]] = {
    "placement-with-equal-hotels": (
        '<placement><tile column="1" row="A"/><hotel label="Tower"/><hotel label=" Sackson "/>'
        '<hotel label="American"/></placement>',
        messages.Merge(placement("1A", "Tower")._replace(equals=hotels("Sackson American"))),
    ),
    "pbuy-that-ends-the-game": (
        '<pbuy><placement><tile column="3" row="C"/></placement>\n<order>\n<end>\n</end></order>'
        "</pbuy>",
        messages.Pbuy(placement("3C"), (), end=True),
    ),
    "pbuy-without-a-placement": (
        '<pbuy>\n<!-- none fits --><order><hotel label="Tower"/></order></pbuy>',
        messages.Pbuy(None, (TOWER,)),
    ),
    "same-hand": ("<replace> <false> </false></replace>", messages.ReplaceAnswer(replaces=False)),
    "disposal-with-zeros-and-space": (
        "<dispose trade=' 002 ' sell='+0'>\n</dispose>",
        messages.DisposeAnswer(0, 2),
    ),
}

EMPTY = (0,) * 7
OWN = SeatView("ann", 6000, (0, 0, 0, 0, 2, 0, 0), mask("1B 12I"), 2)
OWN_XML = (
    '<player name="ann" cash="6000" tiles="2"><share name="Sackson" count="2"/>'
    '<tile column="12" row="I"/><tile column="1" row="B"/></player>'
)
HIDDEN_XML = '<player name="bob" tiles=" 06 "/>'
SIGHT = PlayerView(
    board("SS.T\n...T"),
    (25, 0, 0, 0, 0, 1, 0),
    mask("2F 11E"),
    (OWN, SeatView("bob", None, EMPTY, 0, 6)),
)
SIGHT_XML = (
    '<board><hotel name="Sackson"><tile column="1" row="A"/><tile column="2" row="A"/></hotel>'
    '<hotel name="Tower"><tile column="4" row="A"/><tile column="4" row="B"/></hotel></board>'
    '<bank><share name="Tower" count="1"/><share name="American" count="25"/></bank>'
    '<aside><tile column="2" row="F"/><tile column="11" row="E"/></aside>'
    f"{OWN_XML}{HIDDEN_XML}"
)
FROM_THE_OTHERS: dict[str, tuple[str, RefereeMessage]] = {
    "signup": ('<signup name="ann" rulebook=" classic "/>', messages.SignUp("ann", "classic")),
    "signup-rulebook": (
        '<signup name="ann" rulebook="mine">\n<rulebook>{&amp;}</rulebook></signup>',
        messages.SignUp("ann", "mine", "{&}"),
    ),
    "state": (f"<state>{SIGHT_XML}</state>", messages.StateView(SIGHT)),
    "dispose": (
        f'<dispose price="0300" survivor=" Tower " hotel="Sackson">{SIGHT_XML}</dispose>',
        messages.Dispose(SACKSON, 300, TOWER, SIGHT),
    ),
    "holders": (
        '<holders hotel="Tower">\n<holder count="05" name="bob"/></holders>',
        messages.Holders(TOWER, (("bob", 5),)),
    ),
    "market-with-an-empty-bag": (
        '<market hotel="Tower" count="0">\n</market>',
        messages.MarketTile(TOWER, None, 0),
    ),
}
"""What is sent under the rulebooks other than ``revised``."""


def read(
    reader: Reader[PlayerMessage] | Reader[RefereeMessage], text: str | bytes
) -> Message | Fault:
    """What a reader makes of a document."""
    document = text.encode() if isinstance(text, str) else text
    return reader.convert(reader.parse(document), document)


@for_each(("text", "message"), SPELLINGS.items())
def test_players_message_is_read(text: bytes, message: PlayerMessage) -> None:
    assert read(PLAYERS_SIDE, text) == message


@for_each(("text", "message"), FROM_REFEREE.values(), ids=FROM_REFEREE)
def test_referees_message_is_read(text: str, message: RefereeMessage) -> None:
    assert read(REFEREES_SIDE, text) == message


WITH_HOTELS = for_each("rulebook", [CLASSIC, WIKIPEDIA], ids=lambda book: book.id)
ALL_BUT_REVISED = pytest.mark.parametrize(
    "rulebook", [CLASSIC, WIKIPEDIA, CORPORATIONS, DIGEST], ids=lambda book: book.id
)


@for_each(
    ("text", "message"),
    [*SPELLINGS.items(), *TO_THE_OTHERS.values()],
    ids=[*map(repr, SPELLINGS), *TO_THE_OTHERS],
)
@WITH_HOTELS
def test_players_message_is_read_under_another_rulebook(
    rulebook: Rulebook, text: str | bytes, message: PlayerMessage
) -> None:
    assert read(player_reader(rulebook), text) == message


@for_each(("text", "message"), FROM_THE_OTHERS.values(), ids=FROM_THE_OTHERS)
def test_referees_message_is_read_under_another_rulebook(
    text: str, message: RefereeMessage
) -> None:
    assert read(referee_reader(CLASSIC), text) == message


@for_each("rulebook", RULEBOOKS.values(), ids=RULEBOOKS)
def test_hotel_is_read_as_the_rulebooks_own_of_that_name(rulebook: Rulebook) -> None:
    reader = player_reader(rulebook)
    read_in_order = [
        read(reader, f'<order><hotel label="{hotel.name}"/></order>') for hotel in rulebook.hotels
    ]
    assert read_in_order == [messages.Order((index,)) for index in range(7)]


LOOSE_BESIDE_A_HOTEL = (
    '<board><tile column="4" row="A"/><hotel name="Sackson"><tile column="1" row="A"/>'
    '<tile column="2" row="A"/></hotel></board>'
)


@ALL_BUT_REVISED
def test_board_is_read_with_the_playable_cells_of_its_rulebook(rulebook: Rulebook) -> None:
    text = f"<state>{LOOSE_BESIDE_A_HOTEL}<bank/><aside/>{OWN_XML}</state>"
    message = read(referee_reader(rulebook), text)
    assert isinstance(message, messages.StateView)
    assert message.view.board == board("SS.o", rulebook)
    assert not message.view.board.unplayable & mask("3A")


def test_board_is_read_with_the_playable_cells_of_revised() -> None:
    message = read(REFEREES_SIDE, f"<state>{LOOSE_BESIDE_A_HOTEL}{PLAYER_XML}</state>")
    assert isinstance(message, messages.State)
    assert message.board == board("SS.o")
    assert message.board.unplayable & mask("3A")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('<signup name="ann"/>', messages.SignUp("ann")),
        ('<signup name="ann" rulebook="digest"/>', messages.SignUp("ann", "digest")),
        (
            '<signup name="ann" rulebook="mine"><rulebook>{}</rulebook></signup>',
            messages.SignUp("ann", "mine", "{}"),
        ),
        (
            '<ejected reason="no-seat">The table is full.</ejected>',
            messages.Ejected("no-seat", "The table is full."),
        ),
    ],
)
def test_greeting_is_read_before_the_rulebook_is_known(text: str, message: RefereeMessage) -> None:
    assert read(greeting_reader(), text) == message


def test_greeting_is_nothing_else() -> None:
    fault = read(greeting_reader(), f"<state><board/>{PLAYER_XML}</state>")
    assert isinstance(fault, Fault)
    assert fault.detail == "No message is called <state>. Valid messages: <ejected>, <signup>."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<order count="2"/>', "<order> has no attribute count."),
        ("<void>ok</void>", "<void> contains the text 'ok', but only elements may stand in it."),
        ("<keep/>", "<keep> is empty."),
        ('<tile column="1" row="A"/>', "<tile> is a message of the administrator's"),
    ],
)
def test_what_the_schema_refuses_is_invalid_and_explained(text: str, expected: str) -> None:
    fault = read(PLAYERS_SIDE, text)
    assert isinstance(fault, Fault)
    assert fault.reason is Reason.INVALID
    assert fault.detail.startswith(expected)
    assert fault.data == text.encode()


@pytest.mark.parametrize(
    "digits",
    ["1" * 25, "0" * 4000 + "1", "0" * 5000 + "1", "1" * 5000],
    ids=["25-digits", "4000-zeros", "5000-zeros", "5000-digits"],
)
def test_number_of_any_length_is_read_or_refused(digits: str) -> None:
    read_it = read(REFEREES_SIDE, f'<players><player name="a" cash="{digits}"/></players>')
    if isinstance(read_it, Fault):
        assert read_it.reason is Reason.INVALID
    else:
        assert read_it == messages.Players((player("a", cash=int(digits[-4000:])),))


def test_each_side_is_shown_its_own_messages() -> None:
    for reader, messages_of_its_own in (
        (PLAYERS_SIDE, "<keep>, <order>, <pbuy>, <placement>, <signup>, <void>"),
        (REFEREES_SIDE, "<ejected>, <keep>, <players>, <score>, <signup>, <state>, <tile>, <turn>"),
        (
            player_reader(DIGEST),
            "<dispose>, <keep>, <order>, <pbuy>, <placement>, <replace>, <signup>, <void>",
        ),
        (
            referee_reader(DIGEST),
            "<dispose>, <ejected>, <holders>, <keep>, <market>, <merger>, <players>, <replace>, "
            "<score>, <signup>, <state>, <tile>, <turn>",
        ),
    ):
        fault = read(reader, "<nothing/>")
        assert isinstance(fault, Fault)
        assert fault.detail.endswith(f"Valid messages: {messages_of_its_own}.")


@for_each("text", ["", "void", "<void>", "<void/><void/>", "<void></vold>"])
def test_what_is_no_element_is_a_syntax_error(text: str) -> None:
    with pytest.raises(etree.XMLSyntaxError):
        PLAYERS_SIDE.parse(text.encode())


def test_document_is_not_read_in_the_encoding_that_it_declares() -> None:
    with pytest.raises(etree.XMLSyntaxError):
        PLAYERS_SIDE.parse(MALFORMED["latin-1-as-declared"])


def test_entity_is_not_resolved_though_a_doctype_declares_it(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    secret = tmp_path_factory.mktemp("secret") / "secret.txt"
    secret.write_text("secret")
    for entity in (f'SYSTEM "{secret.as_uri()}"', '"secret"'):
        doctype = f"<!DOCTYPE void [<!ENTITY a {entity}>]>"
        root = PLAYERS_SIDE.parse(f"{doctype}<void>&a;</void>".encode())
        assert "secret" not in "".join(root.xpath("//text()"))


@pytest.mark.parametrize(
    "location", ['xsi:noNamespaceSchemaLocation="{}"', 'xsi:schemaLocation="a {}"']
)
def test_schema_that_a_document_points_to_is_not_used(
    tmp_path_factory: pytest.TempPathFactory, location: str
) -> None:
    lenient = tmp_path_factory.mktemp("schema") / "lenient.xsd"
    lenient.write_text(
        '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="gift"/>'
        "</xs:schema>"
    )
    namespace = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    fault = read(PLAYERS_SIDE, f"<gift {namespace} {location.format(lenient)}/>")
    assert isinstance(fault, Fault)
    assert fault.reason is Reason.INVALID


@pytest.mark.parametrize(("depth", "reason"), [(16, Reason.INVALID), (17, Reason.MALFORMED)])
def test_nesting_deeper_than_the_limit_is_malformed_rather_than_invalid(
    depth: int, reason: Reason
) -> None:
    fault = read(PLAYERS_SIDE, "<void>" * depth + "</void>" * depth)
    assert isinstance(fault, Fault)
    assert fault.reason is reason
    assert depth > MAX_DEPTH or reason is Reason.INVALID


@pytest.mark.parametrize(
    ("text", "depth"),
    [("<a/>", 1), ("<a> </a>", 1), ("<a><b/><b><c/></b><b/></a>", 3), ("<a><b/><b/></a>", 2)],
)
def test_depth_of_a_root_alone_is_one(text: str, depth: int) -> None:
    assert depth_of(etree.fromstring(text)) == depth


def test_too_deep_is_malformed_and_names_the_limit() -> None:
    assert nesting_fault(b"<a>") == Fault(
        Reason.MALFORMED, "Elements are nested deeper than 16 levels.", b"<a>"
    )


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("One.", "One."),
        ("One", "One."),
        ("One\n  two..\n", "One two."),
        ("  One\ttwo ", "One two."),
    ],
)
def test_validators_message_is_folded_into_one_line(message: str, line: str) -> None:
    assert one_line(message) == line


@pytest.mark.parametrize("column", ["0", "-1", "13", "9999999999", "9" * 4000])
def test_tile_that_no_board_has_is_no_message_of_a_rejected_document(column: str) -> None:
    state = etree.fromstring(f'<state><board><tile row="A" column="{column}"/></board></state>')
    assert REFEREES_SIDE.convert_leniently(state) is None
