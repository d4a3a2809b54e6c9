"""The forms of messages: a split loses nothing, and a rewrite keeps the element."""

from collections.abc import Callable
from xml.etree.ElementTree import canonicalize

import pytest
from loops import for_each

from acquire.admin.testing.cases.message_forms import (
    EDGE,
    MAX_FRAGMENT,
    MIDDLE_PIECE,
    REWRITES,
    SPLITS,
    add_comments,
    add_declaration,
    pretty_print,
    reorder_attributes,
)
from acquire.admin.testing.cases.position_text import parse_position
from acquire.game.rulebooks import CLASSIC, REVISED
from acquire.game.tiles import parse_tile
from acquire.protocol import messages
from acquire.protocol.framing import LIMIT_FROM_REFEREE, Framer
from acquire.protocol.inbox import DocumentCache
from acquire.protocol.messages import RefereeMessage
from acquire.protocol.position_messages import PositionMessages
from acquire.protocol.reading import referee_reader
from acquire.protocol.writing import Writer
from check.rehearsal import case_of, first_position

WRITER = Writer(REVISED)
MESSAGES: dict[str, RefereeMessage] = {
    "signup": messages.SignUp("a<b>&\"c'"),
    "tile": messages.NewTile(parse_tile("12I")),
    "turn": PositionMessages(REVISED).turn(parse_position(REVISED, "o\nplayer | Zoë | 漢字")),
    "crowded": PositionMessages(REVISED).turn(first_position(case_of(REVISED, "framing/large"))),
    "ejected": messages.Ejected("illegal", "Tile 5C is not in the hand (1A <b> 2C)."),
}
WRITTEN = {name: WRITER.write(message) for name, message in MESSAGES.items()}

each_message = for_each("message", WRITTEN.values(), ids=WRITTEN)


@each_message
@for_each("split", SPLITS.values(), ids=SPLITS)
def test_pieces_join_to_the_message(split: Callable[[bytes], list[bytes]], message: bytes) -> None:
    pieces = split(message)
    assert b"".join(pieces) == message
    assert all(pieces)


@for_each(
    ("split", "pieces"),
    [
        ("halves", ["<vo", "id/>"]),
        ("tag-names", ["<st", 'ate><board/><player name="ann"/></st', "ate>"]),
        ("values", ['<tile column="1', '2" row="', 'F"/>']),
        ("brackets", ["<turn><board/", "><bank/><aside/", "></turn", ">"]),
        ("brackets", ["<void/", ">"]),
        ("characters", ['<signup name="Łukasz ⚗"/>']),  # one's own name
    ],
)
def test_message_is_split_where_the_name_of_the_split_says(split: str, pieces: list[str]) -> None:
    assert SPLITS[split]("".join(pieces).encode()) == [piece.encode() for piece in pieces]


def test_no_piece_but_the_last_can_be_decoded() -> None:
    pieces = SPLITS["characters"]('<a name="é漢🎲"/>'.encode())
    assert len(pieces) == 4
    for piece in pieces[:-1]:
        with pytest.raises(UnicodeDecodeError):
            piece.decode()


def test_bytes_come_one_by_one_near_both_ends() -> None:
    lengths = [len(piece) for piece in SPLITS["bytes"](WRITTEN["turn"])]
    assert set(lengths[:EDGE]) == set(lengths[-EDGE:]) == {1}
    assert set(lengths[EDGE + 1 : -EDGE - 1]) == {MIDDLE_PIECE}
    assert {len(piece) for piece in SPLITS["bytes"](WRITTEN["tile"])} == {1}


def test_random_pieces_have_many_lengths_and_are_the_same_each_time() -> None:
    pieces = SPLITS["random"](WRITTEN["crowded"])
    assert pieces == SPLITS["random"](WRITTEN["crowded"])
    lengths = {len(piece) for piece in pieces}
    assert min(lengths) == 1 and max(lengths) == MAX_FRAGMENT and len(lengths) > 20


@each_message
@for_each("rewrite", REWRITES.values(), ids=REWRITES)
def test_rewritten_message_is_the_same_element(
    rewrite: Callable[[bytes], bytes], message: bytes
) -> None:
    rewritten = rewrite(message)
    assert rewritten != message
    assert canonicalize(rewritten, strip_text=True) == canonicalize(message, strip_text=True)


@pytest.mark.parametrize("rewrite", REWRITES.values(), ids=REWRITES)
def test_rewritten_position_is_read_as_the_plain_one(rewrite: Callable[[bytes], bytes]) -> None:
    for rulebook in (REVISED, CLASSIC):
        message = PositionMessages(rulebook).turn(
            parse_position(rulebook, "o\nplayer | Zoë | '漢'")
        )
        framer = Framer(LIMIT_FROM_REFEREE)
        document = framer.feed(rewrite(Writer(rulebook).write(message)))
        assert isinstance(document, bytes)
        assert DocumentCache(referee_reader(rulebook)).read(document) == message


def test_each_rewrite_does_what_its_name_promises() -> None:
    message = b'<turn><board/><player name="a\'b" cash="5"/></turn>'
    assert pretty_print(message).count(b"\n") == 4
    assert add_declaration(message).startswith(b"<?xml ")
    assert add_comments(message).count(b"<!--") == 4
    assert b"<player cash='5' name='a&#39;b'/>" in reorder_attributes(message)
