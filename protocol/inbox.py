"""The receiving half of a connection: bytes in; an expected message, a fault, or nothing yet out.

The common case is one whole document in one piece: it is parsed at once, and the framer is used
only if that fails. A document that was read before (``<void/>`` is the most frequent) is not read
again, because reading is a pure function of the bytes.
"""

import re
from typing import Generic, TypeVar

from lxml import etree
from lxml.etree import fromstring

from .conversation import Conversation, surplus_fault
from .faults import Fault, Reason
from .framing import Framer
from .messages import TAGS, Message
from .reading import Reader

M = TypeVar("M", bound=Message)

_ROOT = re.compile(rb"<([a-z]+)")

MAX_CACHED_DOCUMENTS = 4096
MAX_CACHED_BYTES = 512


class DocumentCache(Generic[M]):
    """Reads documents and caches their messages, for all connections of a server."""

    def __init__(self, reader: Reader[M]) -> None:
        self.reader = reader
        self.messages: dict[bytes, M] = {}
        """The messages that were read before, by their bytes."""

    def read(self, document: bytes) -> M | Fault:
        """Read a document that the framer has found."""
        try:
            root = self.reader.parse(document)
        except etree.XMLSyntaxError as error:
            return Fault(Reason.MALFORMED, f"Not well-formed XML: {error.msg}.", document)
        return self.convert(root, document)

    def convert(self, root: etree._Element, document: bytes) -> M | Fault:
        """Validate and convert a parsed document, and cache its message if it is valid."""
        message = self.reader.convert(root, document)
        if not isinstance(message, Fault) and len(document) <= MAX_CACHED_BYTES:
            if len(self.messages) >= MAX_CACHED_DOCUMENTS:
                self.messages.clear()
            self.messages[document] = message
        return message


class Inbox(Generic[M]):
    """The receiving half of a connection.

    >>> from acquire import REVISED
    >>> from acquire.protocol.conversation import Side, Step
    >>> from acquire.protocol.framing import LIMIT_FROM_PLAYER
    >>> from acquire.protocol.reading import player_reader
    >>> waiting_for_void = Conversation(Side.REFEREE, Step.INFORMED)
    >>> inbox = Inbox(DocumentCache(player_reader(REVISED)), waiting_for_void, LIMIT_FROM_PLAYER)
    >>> inbox.receive(b"<vo")
    >>> inbox.receive(b"id/>")
    Void()
    >>> print(inbox.receive(b"<void/>").detail)
    Received <void>; expected nothing.
    """

    def __init__(
        self,
        cache: DocumentCache[M],
        conversation: Conversation,
        limit: int,
        *,
        one_at_a_time: bool = True,
    ) -> None:
        self._cache = cache
        self._cached = cache.messages
        self._parser = cache.reader.parser
        self._conversation = conversation
        self._limit = limit
        self._one_at_a_time = one_at_a_time
        self._framer = Framer(limit)
        self._document = b""
        self._idle = True
        """Whether the framer holds no bytes, so that the next chunk may be a whole document."""

    @property
    def pending(self) -> bytes:
        """The bytes of an incomplete message."""
        return self._framer.pending

    def receive(self, data: bytes) -> M | Fault | None:
        """Take bytes and return the message that they complete, a fault, or ``None``.

        If the peer must send one message at a time, nothing may follow it. Otherwise (the
        referee can send ``ejected`` at any time) the rest is kept: call again with no bytes
        for the next message.
        """
        message: M | Fault | None = None
        self._document = b""
        if self._idle:
            message = self._cached.get(data)
            if message is None:
                message = self._whole(data)
        if message is None or isinstance(message, Fault):  # the framer's fault comes first
            message = self._framed(data, message)
        if message is None:
            return None
        if isinstance(message, Fault):
            if message.reason is Reason.INVALID:
                return self._with_expected(message)
            return message
        return self._conversation.receive(TAGS[type(message)], self._document or data) or message

    def _with_expected(self, fault: Fault) -> Fault:
        """Add which messages were expected, unless the invalid one was meant to be one of them."""
        expected, root = self._conversation.expected(), _ROOT.search(fault.data)
        if root is not None and f"<{root[1].decode()}>" in expected:
            return fault
        return fault._replace(detail=f"{fault.detail} Expected {expected}.")

    def _whole(self, data: bytes) -> M | Fault | None:
        """Read a chunk that is one document and nothing else; ``None`` if it is not."""
        # A "!" may belong to a DOCTYPE, which lxml must not see; the framer can tell it from a
        # comment. A "?" may belong to an XML declaration after white space, which lxml rejects, or
        # to a processing instruction after the element, which lxml accepts.
        if len(data) > self._limit or b"!" in data or b"?" in data:
            return None
        try:
            root = fromstring(data, self._parser)
        except etree.XMLSyntaxError:
            return None
        return self._cache.convert(root, data)

    def _framed(self, data: bytes, invalid: Fault | None) -> M | Fault | None:
        """Read the next document; ``invalid`` is what is wrong if it is all of ``data``."""
        document = self._framer.feed(data)
        self._idle = self._framer.idle
        self._document = document if isinstance(document, bytes) else b""
        if document is None or isinstance(document, Fault):
            return document
        surplus = self._framer.pending
        if surplus and self._one_at_a_time:
            data = (document + surplus)[: self._limit + 1]  # some of the surplus, at least
            return surplus_fault(self._conversation.expected(), surplus, data)
        return invalid if invalid and document == data else self._cache.read(document)
