"""Cutting a stream of bytes into documents: elements one after another, no length prefix.

Expat finds where a root element ends, however the bytes were cut on their way; lxml then parses
the document. Bytes are limited here, before any parser sees them, and a DOCTYPE is refused here,
so that lxml never sees one.
"""

from xml.parsers import expat

from protocol.faults import Fault, Reason
from protocol.reading import DEEPEST, too_deep

LIMIT_FROM_PLAYER = 4096
"""Bytes of one message from a player, white space before it included."""
LIMIT_FROM_ADMINISTRATOR = 65536
"""Bytes of one message from the administrator."""

WHITE = b" \t\r\n"


class _Cut(Exception):
    """Raised by a handler to leave expat: at the root's end, or with a fault."""

    def __init__(self, fault: Fault | None = None) -> None:
        self.fault = fault


class Framer:
    """Finds the end of the next document in the bytes fed so far.

    ``feed`` returns a whole document without the white space around it, a fault, or ``None`` while
    more is needed. What came after a document stays for the next call.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._buffer = bytearray()
        self._parsed = 0
        self.spent = 0
        """Bytes of white space before the document under way; 0 when one was read without this."""
        self._expat: expat.XMLParserType | None = None
        self._depth = 0

    @property
    def pending(self) -> bytes:
        """What came and was not yet given out, white space before it left off."""
        return bytes(self._buffer)

    def feed(self, data: bytes) -> bytes | Fault | None:
        """Take more bytes, which may be none, and look for the end of a document.

        Only a ``>`` can end one, so between two of them there is nothing to look for.
        """
        buffer = self._buffer
        if not buffer:
            stripped = data.lstrip(WHITE)
            self.spent += len(data) - len(stripped)
            data = stripped
        buffer += data
        if self.spent + len(buffer) > self._limit:
            return Fault(
                Reason.MALFORMED,
                f"A message may have {self._limit} bytes, and this one goes on.",
                self.pending[: self._limit],
            )
        if b">" in data or (not data and buffer):
            return self._scan()
        return None

    def _scan(self) -> bytes | Fault | None:
        if self._expat is None:
            self._expat = self._new_parser()
        fresh = bytes(memoryview(self._buffer)[self._parsed :])
        self._parsed = len(self._buffer)
        try:
            self._expat.Parse(fresh, False)
        except _Cut as cut:
            return cut.fault or self._take(self._expat.CurrentByteIndex)
        except (expat.ExpatError, ValueError) as error:
            return Fault(Reason.MALFORMED, f"Not well-formed XML: {error}.", self.pending)
        return None

    def _take(self, end_tag: int) -> bytes:
        # Expat stands at the start of "</x>", but after "<x/>".
        if self._buffer.startswith(b"</", end_tag):
            end = self._buffer.index(b">", end_tag) + 1
        else:
            end = end_tag
        document = bytes(memoryview(self._buffer)[:end])
        rest = self._buffer[end:].lstrip(WHITE)
        self._buffer = rest
        self.spent = 0
        self._parsed = 0
        self._expat = None
        self._depth = 0
        return document

    def _new_parser(self) -> expat.XMLParserType:
        parser = expat.ParserCreate("utf-8")
        # From 2.6 on expat puts off parsing an unfinished token, and a message that dribbles in
        # would never end.
        if hasattr(parser, "SetReparseDeferralEnabled"):
            parser.SetReparseDeferralEnabled(False)
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.StartDoctypeDeclHandler = self._doctype
        return parser

    def _start(self, _name: str, _attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise _Cut(too_deep(self.pending))

    def _end(self, _name: str) -> None:
        self._depth -= 1
        if not self._depth:
            raise _Cut

    def _doctype(self, *_: object) -> None:
        raise _Cut(Fault(Reason.MALFORMED, "A DOCTYPE is not allowed.", self.pending))
