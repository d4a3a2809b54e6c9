"""The forms in which a message can reach a player: ways to split it, and to rewrite it.

A split divides a message's bytes into pieces, as TCP may. A rewrite gives the same element in
another form of XML. Neither knows about sockets or clocks; ``Delivery`` of the wire takes both.
"""

import random
import re
from collections.abc import Iterable

from lxml import etree

MAX_FRAGMENT = 40
"""Bytes of the longest piece of random length."""
EDGE = 60
"""How many bytes at each end of a message are sent one by one."""
MIDDLE_PIECE = 8
"""Bytes of each piece between the two ends."""
DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>'
COMMENT = b"<!-- just a comment -->"

_NAME = re.compile(rb"</?(\w+)")
_VALUE = re.compile(rb'="([^"]*)"')
_EMPTY_END = re.compile(rb"/(?=>)")
_MANY_BYTES = re.compile(rb"[\xc0-\xff]")
_START_TAG = re.compile(rb'<(\w+)((?: \w+="[^"]*")+)(/?)>')
_ATTRIBUTE = re.compile(rb'(\w+)="([^"]*)"')


def _split_at(message: bytes, offsets: Iterable[int]) -> list[bytes]:
    """Split a message before the bytes at these offsets; no piece is empty."""
    inside = sorted({offset for offset in offsets if 0 < offset < len(message)})
    return [
        message[begin:end] for begin, end in zip([0, *inside], [*inside, len(message)], strict=True)
    ]


def _first_and_last(offsets: list[int]) -> list[int]:
    return [*offsets[:1], *offsets[-1:]]


# -- splits -------------------------------------------------------------------------------------


def split_in_half(message: bytes) -> list[bytes]:
    """Split a message in the middle."""
    return _split_at(message, [len(message) // 2])


def split_tag_names(message: bytes) -> list[bytes]:
    """Split a message inside the name of its first tag and of its last: ``<st``, ``</sta``."""
    middles = [sum(found.span(1)) // 2 for found in _NAME.finditer(message)]
    return _split_at(message, _first_and_last(middles))


def split_values(message: bytes) -> list[bytes]:
    """Split a message inside the first attribute's value and inside the last one's."""
    middles = [sum(found.span(1)) // 2 for found in _VALUE.finditer(message)]
    return _split_at(message, _first_and_last(middles))


def split_before_brackets(message: bytes) -> list[bytes]:
    """Split a message between the first ``/`` and ``>``, between the last, and before its end."""
    offsets = [found.end() for found in _EMPTY_END.finditer(message)]
    return _split_at(message, [*_first_and_last(offsets), len(message) - 1])


def split_characters(message: bytes) -> list[bytes]:
    """Split a message after the first byte of each multi-byte character."""
    return _split_at(message, [found.end() for found in _MANY_BYTES.finditer(message)])


def split_into_bytes(message: bytes) -> list[bytes]:
    """Split a message into single bytes near both ends, and into small pieces between them."""
    end = len(message) - EDGE
    return _split_at(
        message,
        [*range(EDGE), *range(EDGE, end, MIDDLE_PIECE), *range(max(end, EDGE), len(message))],
    )


def split_at_random(message: bytes) -> list[bytes]:
    """Split a message into pieces of random lengths; the same message gives the same pieces."""
    chance = random.Random(message)
    offsets = [chance.randint(1, MAX_FRAGMENT)]
    while offsets[-1] < len(message):
        offsets.append(offsets[-1] + chance.randint(1, MAX_FRAGMENT))
    return _split_at(message, offsets)


SPLITS = {
    "halves": split_in_half,
    "tag-names": split_tag_names,
    "values": split_values,
    "brackets": split_before_brackets,
    "characters": split_characters,
    "bytes": split_into_bytes,
    "random": split_at_random,
}
"""The splits by their names in files of cases."""


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
