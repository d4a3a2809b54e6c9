"""Framing, parsing and writing of single messages, against what lxml alone costs."""

from lxml import etree

from acquire.game.rulebooks import REVISED
from acquire.protocol import messages
from acquire.protocol.conversation import Conversation
from acquire.protocol.framing import LIMIT_FROM_PLAYER, Framer
from acquire.protocol.inbox import DocumentCache, Inbox
from acquire.protocol.messages import PlayerMessage
from acquire.protocol.reading import Reader, player_reader
from acquire.protocol.writing import Writer

REPLY = (
    b'<pbuy><placement><tile column="5" row="A"/><hotel label="Tower"/></placement>'
    b'<order><hotel label="Festival"/><hotel label="Festival"/></order></pbuy>'
)


class _Parsing(DocumentCache[PlayerMessage]):
    """Stops behind the parser, and remembers nothing."""

    def convert(self, root: etree._Element, document: bytes) -> PlayerMessage:
        return READ


READ = messages.Void()


def reader() -> Reader[PlayerMessage]:
    """Make the reader that a server has."""
    return player_reader(REVISED)


def frame_and_parse(rounds: int, players: Reader[PlayerMessage]) -> None:
    """Frame and parse a reply that came in one piece."""
    inbox = Inbox(_Parsing(players), Conversation.of_referee(), LIMIT_FROM_PLAYER)
    whole = inbox._whole  # up to the tree; what follows is validation and the conversation
    for _ in range(rounds):
        whole(REPLY)


def bare_parse(rounds: int) -> None:
    """Parse the same reply with lxml alone."""
    parse = etree.fromstring
    for _ in range(rounds):
        parse(REPLY)


def write_state(rounds: int, writer: Writer, state: messages.State) -> None:
    """Write a position as the server does between two turns: most of it is as it was."""
    for _ in range(rounds):
        writer.write(state)


def tree_of_state(rounds: int, text: bytes) -> None:
    """Build the same position as an lxml tree, and serialise it."""
    model = etree.fromstring(text)
    for _ in range(rounds):
        etree.tostring(_built(model))


def _built(element: etree._Element) -> etree._Element:
    copy = etree.Element(element.tag, dict(element.attrib))
    for child in element:
        copy.append(_built(child))
    return copy


LONG = b"<keep>" + b"<true/>" * 582 + b"</keep>"
"""An element of nearly 4 KB, of as many elements as fit: after each of them it could have ended."""


def framer_in_one_piece(rounds: int) -> None:
    """Frame the long reply from one piece."""
    for _ in range(rounds):
        assert Framer(LIMIT_FROM_PLAYER).feed(LONG) is not None


def framer_byte_by_byte(rounds: int) -> None:
    """Frame the long reply from one byte at a time."""
    pieces = [LONG[index : index + 1] for index in range(len(LONG))]
    for _ in range(rounds):
        feed = Framer(LIMIT_FROM_PLAYER).feed
        for piece in pieces[:-1]:
            feed(piece)
        assert feed(pieces[-1]) is not None
