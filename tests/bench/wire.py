"""Framing, parsing and writing of single messages, against what lxml alone costs."""

from collections.abc import Callable

from lxml import etree

from acquire.admin.refereeing.play import in_process
from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.events import Ended, Event
from acquire.admin.refereeing.play.referee import Referee
from acquire.game.rulebooks import REVISED
from acquire.player.strategies.simple import Random
from acquire.protocol import messages
from acquire.protocol.conversation import Conversation, Side
from acquire.protocol.framing import LIMIT_FROM_PLAYER, Framer
from acquire.protocol.inbox import DocumentCache, Inbox
from acquire.protocol.messages import PlayerMessage
from acquire.protocol.reading import Reader, player_reader
from acquire.protocol.writing import Writer
from bench.engine import NAMES
from bench.rows import Figure, Row, compare, seconds

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
    inbox = Inbox(_Parsing(players), Conversation(Side.REFEREE), LIMIT_FROM_PLAYER)
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


def last_state() -> messages.State:
    """Return the position at the end of a game, the longest that is written."""
    happened: list[Event] = []
    dealer = Dealer(2013)
    referee = Referee(REVISED, NAMES, dealer.bag, dealer.shuffle, happened.append)
    in_process.play(referee.play(), {name: Random(REVISED, 0) for name in NAMES})
    (state,) = [event.state for event in happened if isinstance(event, Ended)]
    return messages.State(state.board, state.players)


def _measure(ours: Callable[[int], None], theirs: Callable[[int], None], quick: bool) -> Figure:
    times = 300 if quick else 2000
    return compare(
        lambda: seconds(lambda: ours(times)) / times,
        lambda: seconds(lambda: theirs(times)) / times,
        3 if quick else 9,
        scale=1e6,
    )


def _reading(quick: bool) -> Figure:
    players = reader()
    return _measure(lambda times: frame_and_parse(times, players), bare_parse, quick)


def _writing(quick: bool) -> Figure:
    writer, state = Writer(REVISED), last_state()
    text = writer.write(state)
    return _measure(
        lambda times: write_state(times, writer, state),
        lambda times: tree_of_state(times, text),
        quick,
    )


def _byte_by_byte(quick: bool) -> Figure:
    return _measure(
        lambda times: framer_byte_by_byte(times // 50),
        lambda times: framer_in_one_piece(times // 50),
        quick,
    )


ROWS = (
    Row("reading", "framing + parsing a reply / lxml.etree.fromstring", 1.15, _reading),
    Row("writing", "bytes of a state / lxml tree + tostring", 1 / 20, _writing),
    Row("bytes", "4 KB byte by byte / in one piece, framer; x 50", 3.0, _byte_by_byte),
)
