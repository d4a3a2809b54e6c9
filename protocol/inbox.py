"""What comes in on one connection: bytes in; one awaited message, a fault, or nothing yet out.

The common case is one whole document in one piece: it is parsed at once, and framing is asked
only when that fails. A document that was read before (``<void/>`` comes more than any other) is not
read again: reading is a pure function of the bytes.
"""

from typing import Generic, TypeVar

from lxml import etree
from lxml.etree import fromstring

from protocol.conversation import Conversation, surplus_fault
from protocol.faults import Fault, Reason
from protocol.framing import Framer
from protocol.messages import TAGS, Message
from protocol.reading import Reader

M = TypeVar("M", bound=Message)

MAX_CACHED_DOCUMENTS = 4096
"""How many different documents are remembered, each of at most the framing limit."""
MAX_CACHED_BYTES = 512
"""Bytes of the longest document that is remembered."""


class DocumentCache(Generic[M]):
    """Messages by the bytes they were read from, shared by the connections of a server."""

    def __init__(self, reader: Reader[M]) -> None:
        self.reader = reader
        self.known: dict[bytes, M] = {}
        """What was read before, by its bytes."""

    def read(self, document: bytes) -> M | Fault:
        """Read a document that framing has found."""
        try:
            root = self.reader.parse(document)
        except etree.XMLSyntaxError as error:
            return Fault(Reason.MALFORMED, f"Not well-formed XML: {error.msg}.", document)
        return self.understand(root, document)

    def understand(self, root: etree._Element, document: bytes) -> M | Fault:
        """Validate and convert a parsed document, and remember it if it is good."""
        message = self.reader.convert(root, document)
        if not isinstance(message, Fault) and len(document) <= MAX_CACHED_BYTES:
            if len(self.known) >= MAX_CACHED_DOCUMENTS:
                self.known.clear()
            self.known[document] = message
        return message


class Inbox(Generic[M]):
    """The receiving half of a connection."""

    def __init__(
        self,
        memory: DocumentCache[M],
        conversation: Conversation,
        limit: int,
        *,
        one_at_a_time: bool = True,
    ) -> None:
        self._memory = memory
        self._known = memory.known
        self._parser = memory.reader.parser
        self._conversation = conversation
        self._limit = limit
        self._one_at_a_time = one_at_a_time
        self._framer = Framer(limit)
        self._document = b""
        self._idle = True
        """Whether the framer holds nothing, so that a chunk can be tried whole."""

    @property
    def pending(self) -> bytes:
        """The bytes of a message that has not ended yet."""
        return self._framer.pending

    def receive(self, data: bytes) -> M | Fault | None:
        """Take bytes and return the message that they complete, a fault, or ``None``.

        Where the peer has to speak one message at a time nothing may follow it. Elsewhere (the
        administrator says why it ejects a player whenever it has to) the rest is kept: call again
        with no bytes for the next message.
        """
        message: M | Fault | None = None
        self._document = b""
        if self._idle:
            message = self._known.get(data)
            if message is None:
                message = self._whole(data)
        if message is None:
            message = self._framed(data)
        if message is None:
            return None
        if isinstance(message, Fault):
            if message.reason is Reason.INVALID:
                detail = f"{message.detail} Due was {self._conversation.expected()}."
                return message._replace(detail=detail)
            return message
        return self._conversation.receive(TAGS[type(message)], self._document or data) or message

    def _whole(self, data: bytes) -> M | Fault | None:
        """Read a chunk that is one good document and nothing else; ``None`` where it is not."""
        # A "!" may be of a DOCTYPE, which lxml shall not see; framing tells it from a comment. A
        # "?" may be of an XML declaration behind white space, or of what is behind the element.
        if len(data) > self._limit or b"!" in data or b"?" in data:
            return None
        try:
            root = fromstring(data, self._parser)
        except etree.XMLSyntaxError:
            return None
        message = self._memory.understand(root, data)
        return None if isinstance(message, Fault) else message  # framing says what is wrong first

    def _framed(self, data: bytes) -> M | Fault | None:
        document = self._framer.feed(data)
        self._idle = self._framer.idle
        self._document = document if isinstance(document, bytes) else b""
        if document is None or isinstance(document, Fault):
            return document
        surplus = self._framer.pending
        if surplus and self._one_at_a_time:
            return surplus_fault(self._conversation.expected(), surplus, document + surplus)
        return self._memory.read(document)
