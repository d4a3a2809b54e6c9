"""Manners of sending: a cut loses nothing, and a dress leaves the same element."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree.ElementTree import canonicalize

import pytest

from admin.check import manners
from admin.check.cases.framing import crowded
from admin.check.lone_tiles import lone_tiles
from game.rulebooks import CLASSIC, REVISED
from game.tiles import parse_tile
from protocol import messages
from protocol.framing import LIMIT_FROM_ADMINISTRATOR, Framer
from protocol.inbox import DocumentCache
from protocol.messages import AdministratorMessage
from protocol.position_messages import position_messages_for
from protocol.reading import administrator_reader
from protocol.writing import Writer

WRITER = Writer(REVISED)
TOLD: dict[str, AdministratorMessage] = {
    "signup": messages.SignUp("a<b>&\"c'"),
    "tile": messages.NewTile(parse_tile("12I")),
    "turn": position_messages_for(REVISED).turn(lone_tiles(REVISED, "Zoë", "漢字")),
    "crowded": position_messages_for(REVISED).turn(crowded(REVISED)),
    "ejected": messages.Ejected("illegal", "Tile 5C is not in the hand (1A <b> 2C)."),
}
WRITTEN = {name: WRITER.write(message) for name, message in TOLD.items()}

CUTS = (
    manners.halves,
    manners.in_tag_names,
    manners.in_values,
    manners.before_brackets,
    manners.in_characters,
    manners.trickle,
    manners.scraps,
)
DRESSES = (manners.spread, manners.declared, manners.commented, manners.requoted)

each_message = pytest.mark.parametrize("message", WRITTEN.values(), ids=WRITTEN)


@each_message
@pytest.mark.parametrize("cut", CUTS, ids=lambda cut: cut.__name__)
def test_pieces_are_the_message(cut: Callable[[bytes], list[bytes]], message: bytes) -> None:
    pieces = cut(message)
    assert b"".join(pieces) == message
    assert all(pieces)


def test_halves_are_alike() -> None:
    assert manners.halves(b"<void/>") == [b"<vo", b"id/>"]


def test_tag_names_are_cut() -> None:
    told = b'<state><board/><player name="ann"/></state>'
    assert manners.in_tag_names(told) == [b"<st", b'ate><board/><player name="ann"/></st', b"ate>"]


def test_values_are_cut() -> None:
    assert manners.in_values(b'<tile column="12" row="F"/>') == [
        b'<tile column="1',
        b'2" row="',
        b'F"/>',
    ]


def test_slashes_and_brackets_are_parted() -> None:
    assert manners.before_brackets(b"<turn><board/><bank/><aside/></turn>") == [
        *(b"<turn><board/", b"><bank/><aside/", b"></turn", b">"),
    ]
    assert manners.before_brackets(b"<void/>") == [b"<void/", b">"]


def test_no_piece_that_ends_in_a_character_can_be_decoded() -> None:
    pieces = manners.in_characters('<a name="é漢🎲"/>'.encode())
    assert len(pieces) == 4
    for piece in pieces[:-1]:
        with pytest.raises(UnicodeDecodeError):
            piece.decode()


def test_bytes_trickle_in_one_by_one_near_both_ends() -> None:
    lengths = [len(piece) for piece in manners.trickle(WRITTEN["turn"])]
    assert set(lengths[: manners.EDGE]) == set(lengths[-manners.EDGE :]) == {1}
    assert set(lengths[manners.EDGE + 1 : -manners.EDGE - 1]) == {manners.BETWEEN}
    assert {len(piece) for piece in manners.trickle(WRITTEN["tile"])} == {1}


def test_scraps_have_many_lengths_and_are_the_same_each_time() -> None:
    pieces = manners.scraps(WRITTEN["crowded"])
    assert pieces == manners.scraps(WRITTEN["crowded"])
    lengths = {len(piece) for piece in pieces}
    assert min(lengths) == 1 and max(lengths) == manners.LONGEST_SCRAP and len(lengths) > 20


@each_message
@pytest.mark.parametrize("dress", DRESSES, ids=lambda dress: dress.__name__)
def test_dressed_message_is_the_same_element(
    dress: Callable[[bytes], bytes], message: bytes
) -> None:
    dressed = dress(message)
    assert dressed != message
    assert canonicalize(dressed, strip_text=True) == canonicalize(message, strip_text=True)


@pytest.mark.parametrize("dress", DRESSES, ids=lambda dress: dress.__name__)
def test_dressed_position_is_read_as_the_plain_one(dress: Callable[[bytes], bytes]) -> None:
    for rulebook in (REVISED, CLASSIC):
        told = position_messages_for(rulebook).turn(lone_tiles(rulebook, "Zoë", "'漢'"))
        framer = Framer(LIMIT_FROM_ADMINISTRATOR)
        document = framer.feed(dress(Writer(rulebook).write(told)))
        assert isinstance(document, bytes)
        assert DocumentCache(administrator_reader(rulebook)).read(document) == told


def test_dresses_are_what_they_are_called() -> None:
    told = b'<turn><board/><player name="a\'b" cash="5"/></turn>'
    assert manners.spread(told).count(b"\n") == 4
    assert manners.declared(told).startswith(b"<?xml ")
    assert manners.commented(told).count(b"<!--") == 4
    assert b"<player cash='5' name='a&#39;b'/>" in manners.requoted(told)
