"""Cutting a stream of bytes into documents: elements one after another, no length prefix.

Expat finds where a root element ends, however the bytes were cut on their way; lxml then parses
the document. The size limit is enforced here, before any parser sees the bytes, and a DOCTYPE is
rejected here, so that lxml never sees one.

One whole document in one piece is the common case, and is tried first, with lxml. Only if that
fails is expat asked where the root element ends. Between two ``>`` there is nothing to look for, so
expat is not called at all; a crowd that sends byte by byte would cost too much otherwise.
"""

import re
from xml.parsers import expat

from .faults import Fault, Reason
from .reading import MAX_DEPTH, nesting_fault

LIMIT_FROM_PLAYER = 4096
"""Most bytes of one message from a player, including white space before it.

It is part of the log's format, too: a recorded message of so many bytes was cut off there.
"""
LIMIT_FROM_REFEREE = 65536
"""Most bytes of one message from the referee, including white space before it."""

WHITESPACE = b" \t\r\n"
FIRST_BYTES = b"<\xef"
"""How a document can begin: with a tag, or with a byte order mark of UTF-8."""


class _Stop(Exception):
    """Raised in a handler to stop expat: at the end of the root element, or with a fault."""

    def __init__(self, fault: Fault | None = None) -> None:
        self.fault = fault


_START_TAG = re.compile(
    rb"""<[^\s/>]+ (?: \s+ [^\s=/>]+ \s*=\s* (?: "[^"]*" | '[^']*' ) )* \s* (?P<empty>/?) >""",
    re.VERBOSE,
)
"""A start tag that expat has found well-formed."""


class Framer:
    """Finds the end of the next document in the bytes fed so far.

    ``feed`` returns a whole document without the white space around it, a fault, or ``None`` if it
    needs more bytes. Bytes after a document are kept for the next call. The result does not depend
    on how the bytes were cut.

    >>> framer = Framer(LIMIT_FROM_PLAYER)
    >>> framer.feed(b"<keep><tr")
    >>> framer.feed(b"ue/></keep> <vo")
    b'<keep><true/></keep>'
    >>> framer.pending
    b'<vo'
    >>> framer.feed(b"id/>")
    b'<void/>'
    >>> print(framer.feed(b"hello").detail)
    A message must begin with '<', not 'h'.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._buffer = bytearray()
        self._white = b""
        """White space before the document: it counts too, or there could be any amount of it."""
        self._restart()

    def _restart(self) -> None:
        self._parsed = 0
        self._depth = 0
        self._root = self._root_end = 0
        self._expat: expat.XMLParserType | None = None

    @property
    def idle(self) -> bool:
        """Whether nothing of the next document has arrived, not even white space before it."""
        return not self._buffer and not self._white

    @property
    def _most(self) -> int:
        """Bytes that the document may have."""
        return max(self._limit - len(self._white), 0)

    @property
    def pending(self) -> bytes:
        """The bytes that were fed and not yet returned, without white space before them."""
        return bytes(self._buffer)

    def feed(self, data: bytes) -> bytes | Fault | None:
        """Take more bytes, possibly none, and look for the end of a document.

        Only a ``>`` can end one, so bytes without it are not scanned.
        """
        buffer = self._buffer
        if buffer and data and b">" not in data and b"\0" not in data:
            buffer += data
            return self._wait_for_more()
        if not buffer:
            stripped = data.lstrip(WHITESPACE)
            self._white += data[: len(data) - len(stripped)]
            data = stripped
        buffer += data
        if buffer and buffer[0] not in FIRST_BYTES and len(self._white) < self._limit:
            return self._malformed(f"A message must begin with '<', not {chr(buffer[0])!r}.")
        zero = buffer.find(b"\0")
        found = self._scan(self._limit if zero < 0 else zero)
        if found is None and 0 <= zero < self._most:
            return self._malformed("Not well-formed XML: it contains a zero byte, as UTF-16 does.")
        return found or self._wait_for_more()

    def _wait_for_more(self) -> Fault | None:
        limit = self._limit
        if len(self._white) + len(self._buffer) <= limit:
            return None
        # one byte more than the limit, and the white space: so the data alone proves the fault
        data = (self._white + self.pending)[: limit + 1]
        return Fault(Reason.MALFORMED, f"The message exceeds {limit} bytes.", data)

    def _malformed(self, detail: str) -> Fault:
        return Fault(Reason.MALFORMED, detail, self.pending[: self._limit])

    def _scan(self, end: int) -> bytes | Fault | None:
        """Feed expat the bytes it has not seen, up to ``end`` and within the size limit."""
        # Stop at the last '>': what follows it may be incomplete.
        last = self._buffer.rfind(b">", self._parsed, min(end, self._most))
        if last < 0:
            return None
        if self._expat is None:
            self._expat = self._new_parser()
        fresh = bytes(memoryview(self._buffer)[self._parsed : last + 1])
        self._parsed = last + 1
        try:
            self._expat.Parse(fresh, False)
        except _Stop as stop:
            return stop.fault or self._take(self._end_of_document())
        except (expat.ExpatError, ValueError) as error:
            return self._malformed(f"Not well-formed XML: {error}.")
        return None

    def _end_of_document(self) -> int:
        """Return where the root ends: expat is at the start of ``</x>``, but after ``<x/>``."""
        start_tag = _START_TAG.match(self._buffer, self._root)
        if start_tag is not None and start_tag["empty"]:
            return start_tag.end()
        return self._buffer.index(b">", self._root_end) + 1

    def _take(self, end: int) -> bytes:
        document = bytes(self._buffer[:end])
        rest = self._buffer[end:]
        self._buffer = rest.lstrip(WHITESPACE)
        self._white = bytes(rest[: len(rest) - len(self._buffer)])
        self._restart()
        return document

    def _new_parser(self) -> expat.XMLParserType:
        parser = expat.ParserCreate("utf-8")
        # Since 2.6 expat defers parsing an unfinished token, so the end of a message that arrives
        # in small pieces would never be reported.
        if hasattr(parser, "SetReparseDeferralEnabled"):
            parser.SetReparseDeferralEnabled(False)
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.StartDoctypeDeclHandler = self._doctype
        return parser

    def _start(self, _name: str, _attributes: dict[str, str]) -> None:
        if not self._depth:
            assert self._expat is not None
            self._root = self._expat.CurrentByteIndex
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _Stop(nesting_fault(self.pending[: self._limit]))

    def _end(self, _name: str) -> None:
        self._depth -= 1
        if not self._depth:
            assert self._expat is not None
            self._root_end = self._expat.CurrentByteIndex  # not later: it moves on as expat unwinds
            raise _Stop

    def _doctype(self, *_: object) -> None:
        raise _Stop(self._malformed("A DOCTYPE is not allowed."))
