"""Messages that other programs sent: framed, valid, decoded, and the same when encoded again."""

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest
from loops import for_each
from lxml import etree
from oracle_files import (
    MESSAGES_HERE,
    SIDES,
    STUDENT_MESSAGES,
    WIRE_GAMES,
    Recorded,
    each_game,
    each_stream,
    json_lines,
    lines,
    needs,
    stream,
    wire_game,
)

from acquire import schemas
from acquire.game.rulebooks import REVISED
from acquire.protocol.conversation import Side
from acquire.protocol.faults import Fault
from acquire.protocol.framing import LIMIT_FROM_PLAYER, LIMIT_FROM_REFEREE, WHITESPACE, Framer
from acquire.protocol.inbox import DocumentCache
from acquire.protocol.messages import TAGS, Message, PlayerMessage, RefereeMessage
from acquire.protocol.reading import Reader, player_reader, referee_reader
from acquire.protocol.writing import Writer

SIDES_OF_STUDENTS = {"player": Side.PLAYER, "administrator": Side.REFEREE}
LIMITS = {Side.PLAYER: LIMIT_FROM_PLAYER, Side.REFEREE: LIMIT_FROM_REFEREE}
SCHEMAS = {Side.PLAYER: schemas.load("player"), Side.REFEREE: schemas.load("administrator")}
READERS: dict[Side, Reader[PlayerMessage] | Reader[RefereeMessage]] = {
    Side.PLAYER: player_reader(REVISED),
    Side.REFEREE: referee_reader(REVISED),
}
PLAYERS_SIDE = DocumentCache(player_reader(REVISED))
REFEREES_SIDE = DocumentCache(referee_reader(REVISED))
WRITER = Writer(REVISED)


def documents(chunks: Iterable[Recorded]) -> list[Recorded]:
    """The documents that the chunks of a game make up, each connection's two ways apart."""
    framers: dict[tuple[int, Side], Framer] = {}
    found = []
    for seat, side, data in chunks:
        framer = framers.setdefault((seat, side), Framer(LIMITS[side]))
        document = framer.feed(data)
        assert not isinstance(document, Fault), document
        if document is not None:
            found.append(Recorded(seat, side, document))
    assert not [framer.pending for framer in framers.values() if framer.pending]
    return found


def decoded(side: Side, document: bytes) -> Message:
    """The message of a document of one side; it is valid under that side's schema."""
    root = READERS[side].parse(document)
    SCHEMAS[side].assertValid(root)
    message = READERS[side].convert(root, document)
    assert not isinstance(message, Fault), message
    assert TAGS[type(message)] == root.tag
    return message


def canonical(document: bytes) -> bytes:
    """A document's XML in canonical form, white space between elements left out."""
    root = etree.fromstring(document)
    for element in root.iter():
        element.text, element.tail = _stripped(element.text), _stripped(element.tail)
    return etree.tostring(root, method="c14n")


def _stripped(text: str | None) -> str | None:
    return text.strip() if text else None


@cache  # most messages were sent to several players, or several times
def keeps_its_meaning(side: Side, data: bytes) -> None:
    """Check that a message is one document, and means the same when it is written again."""
    framer = Framer(LIMITS[side])
    assert framer.feed(data) == data.strip(WHITESPACE)
    assert framer.pending == b""
    message = decoded(side, data.strip(WHITESPACE))
    again = WRITER.write(message)
    assert decoded(side, again) == message
    assert canonical(again) == canonical(data)


@pytest.mark.parametrize("index", each_game(WIRE_GAMES))
def test_recorded_games_messages_keep_their_meaning(index: int) -> None:
    messages = wire_game(index)
    assert messages
    for _, side, data in messages:
        keeps_its_meaning(side, data)


@pytest.mark.parametrize("path", each_stream())
def test_recorded_streams_messages_keep_their_meaning(path: Path) -> None:
    found = documents(stream(path))
    assert found
    for _, side, data in found:
        keeps_its_meaning(side, data)


@needs(STUDENT_MESSAGES)
def test_student_programs_messages_keep_their_meaning(soak: bool) -> None:
    sent = json_lines(STUDENT_MESSAGES)[:: 1 if soak else 5]
    assert sent
    for line in sent:
        data = line["xml"].encode()
        keeps_its_meaning(SIDES_OF_STUDENTS[line["from"]], data)
        assert etree.fromstring(data).tag == line["tag"]


KINDS = [
    *((Side.PLAYER, tag) for tag in ("signup", "void", "placement", "pbuy", "keep", "order")),
    *(
        (Side.REFEREE, tag)
        for tag in ("signup", "state", "turn", "keep", "players", "tile", "score")
    ),
]


@cache
def sample() -> dict[tuple[Side, str], set[bytes]]:
    """The messages in the repository, by kind: of each program the shortest and the longest."""
    found: dict[tuple[Side, str], set[bytes]] = {}
    for line in map(json.loads, lines(MESSAGES_HERE)):
        kind = SIDES[line["from"]], line["tag"]
        found.setdefault(kind, set()).add(line["xml"].encode())
    return found


@for_each(("side", "tag"), KINDS)
def test_sampled_message_keeps_its_meaning(side: Side, tag: str) -> None:
    for data in sample()[side, tag]:
        keeps_its_meaning(side, data)


def test_every_kind_of_message_was_recorded() -> None:
    assert set(sample()) == set(KINDS)
