"""The forms in which a message can reach a player: ways to split it, and to rewrite it.

A split divides a message's bytes into pieces, as TCP may. A rewrite gives the same element in
another form of XML. Neither knows about sockets or clocks; ``Delivery`` of the wire takes both.
"""

import random
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeAlias

from lxml import etree

MAX_FRAGMENT = 40  # bytes of the longest piece of random length
EDGE = 60  # how many bytes at each end of a message are sent one by one
MIDDLE_PIECE = 8  # bytes of each piece between the two ends
DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>'
COMMENT = b"<!-- just a comment -->"

_NAME = re.compile(rb"</?(\w+)")
_VALUE = re.compile(rb'="([^"]*)"')
_EMPTY_END = re.compile(rb"/(?=>)")
_MANY_BYTES = re.compile(rb"[\xc0-\xff]")
_START_TAG = re.compile(rb'<(\w+)((?: \w+="[^"]*")+)(/?)>')
_ATTRIBUTE = re.compile(rb'(\w+)="([^"]*)"')


# -- splits -------------------------------------------------------------------------------------

Split: TypeAlias = Callable[[bytes], list[bytes]]


def _before(offsets_in: Callable[[bytes], Iterable[int]]) -> Split:
    """Return what splits a message before the bytes at some offsets; no piece is empty."""

    def split(message: bytes) -> list[bytes]:
        inside = sorted({each for each in offsets_in(message) if 0 < each < len(message)})
        pieces = zip([0, *inside], [*inside, len(message)], strict=True)
        return [message[begin:end] for begin, end in pieces]

    return split


def _middles(pattern: re.Pattern[bytes], message: bytes) -> list[int]:
    """Return where the group in the first match has its middle, and in the last."""
    middles = [sum(found.span(1)) // 2 for found in pattern.finditer(message)]
    return [*middles[:1], *middles[-1:]]


def _brackets(message: bytes) -> list[int]:
    found = [each.end() for each in _EMPTY_END.finditer(message)]
    return [*found[:1], *found[-1:], len(message) - 1]


def _within_characters(message: bytes) -> list[int]:
    """Return where characters of several bytes go on; the answer to the sign-up stays whole.

    A player that decodes each piece would otherwise garble its name there as in the positions, and
    find itself by the garbled name.
    """
    if message.startswith(b"<signup"):
        return []
    return [each.end() for each in _MANY_BYTES.finditer(message)]


def _near_both_ends(message: bytes) -> list[int]:
    end = len(message) - EDGE
    small = range(EDGE, end, MIDDLE_PIECE)
    return [*range(EDGE), *small, *range(max(end, EDGE), len(message))]


def _random_offsets(message: bytes) -> Iterator[int]:
    """Yield offsets that are the same for the same message."""
    chance, offset = random.Random(message), 0
    while offset < len(message):
        offset += chance.randint(1, MAX_FRAGMENT)
        yield offset


SPLITS: dict[str, Split] = {
    "halves": _before(lambda message: [len(message) // 2]),
    "tag-names": _before(partial(_middles, _NAME)),
    "values": _before(partial(_middles, _VALUE)),
    "brackets": _before(_brackets),
    "characters": _before(_within_characters),
    "bytes": _before(_near_both_ends),
    "random": _before(_random_offsets),
}
"""Splits in the middle; in the names of the first and last tag (``<st``), in their values; between
``/`` and ``>`` and before the end; after the first byte of each character that has several, but
for the answer to the sign-up; into single bytes near both ends, and small pieces between them; into
pieces of random lengths."""


# -- rewrites -----------------------------------------------------------------------------------


def pretty_print(message: bytes) -> bytes:
    """Write each element on its own line, indented, with a line break at the end."""
    root = etree.fromstring(message)
    etree.indent(root)
    return etree.tostring(root, encoding="unicode").encode() + b"\n"


def add_declaration(message: bytes) -> bytes:
    """Put an XML declaration before a message."""
    return DECLARATION + message


def add_comments(message: bytes) -> bytes:
    """Put a comment before a message, and between all its tags."""
    return COMMENT + message.replace(b"><", b">" + COMMENT + b"<")


def reorder_attributes(message: bytes) -> bytes:
    """Write attributes in single quotes, the last one first."""

    def rewrite(tag: re.Match[bytes]) -> bytes:
        name, attributes, slash = tag.groups()
        reordered = [
            b" %b='%b'" % (attribute, value.replace(b"'", b"&#39;"))
            for attribute, value in reversed(_ATTRIBUTE.findall(attributes))
        ]
        return b"<%b%b%b>" % (name, b"".join(reordered), slash)

    return _START_TAG.sub(rewrite, message)


REWRITES = {
    "pretty-print": pretty_print,
    "declaration": add_declaration,
    "comments": add_comments,
    "attributes": reorder_attributes,
}
"""The rewrites by their names in files of cases."""
