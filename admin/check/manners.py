"""Manners of sending: the cuts that TCP may make in a message, and other forms of the same element.

A cut makes pieces of a message's bytes, and a dress writes its element in another form: they are
what a ``Manner`` of the wire is made of. Nothing here knows of sockets or clocks.
"""

import random
import re
from collections.abc import Iterable

from lxml import etree

LONGEST_SCRAP = 40
"""Bytes of the longest piece of those whose length is left to chance."""
EDGE = 60
"""Bytes at each end of a message that trickle in one by one."""
BETWEEN = 8
"""Bytes of each piece between those."""
DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>'
COMMENT = b"<!-- no more than a comment -->"

_NAME = re.compile(rb"</?(\w+)")
_VALUE = re.compile(rb'="([^"]*)"')
_EMPTY_END = re.compile(rb"/(?=>)")
_MANY_BYTES = re.compile(rb"[\xc0-\xff]")
_START_TAG = re.compile(rb'<(\w+)((?: \w+="[^"]*")+)(/?)>')
_ATTRIBUTE = re.compile(rb'(\w+)="([^"]*)"')


def _parted(message: bytes, places: Iterable[int]) -> list[bytes]:
    """Cut a message before the bytes at these places; no piece is empty."""
    inside = sorted({place for place in places if 0 < place < len(message)})
    return [
        message[begin:end] for begin, end in zip([0, *inside], [*inside, len(message)], strict=True)
    ]


def _first_and_last(places: list[int]) -> list[int]:
    return [*places[:1], *places[-1:]]


# -- cuts ---------------------------------------------------------------------------------------


def halves(message: bytes) -> list[bytes]:
    """Cut a message in the middle."""
    return _parted(message, [len(message) // 2])


def in_tag_names(message: bytes) -> list[bytes]:
    """Cut a message inside the name of its first tag and of its last: ``<st``, ``</sta``."""
    middles = [sum(found.span(1)) // 2 for found in _NAME.finditer(message)]
    return _parted(message, _first_and_last(middles))


def in_values(message: bytes) -> list[bytes]:
    """Cut a message inside its first attribute's value and inside its last one's."""
    middles = [sum(found.span(1)) // 2 for found in _VALUE.finditer(message)]
    return _parted(message, _first_and_last(middles))


def before_brackets(message: bytes) -> list[bytes]:
    """Cut a message between ``/`` and ``>``, the first time and the last, and before its end."""
    places = [found.end() for found in _EMPTY_END.finditer(message)]
    return _parted(message, [*_first_and_last(places), len(message) - 1])


def in_characters(message: bytes) -> list[bytes]:
    """Cut a message behind the first byte of each character that has more than one."""
    return _parted(message, [found.end() for found in _MANY_BYTES.finditer(message)])


def trickle(message: bytes) -> list[bytes]:
    """Cut a message into single bytes near both ends, and into small pieces between them."""
    end = len(message) - EDGE
    return _parted(
        message,
        [*range(EDGE), *range(EDGE, end, BETWEEN), *range(max(end, EDGE), len(message))],
    )


def scraps(message: bytes) -> list[bytes]:
    """Cut a message into pieces of random lengths, the same message always alike."""
    chance = random.Random(message)
    places = [chance.randint(1, LONGEST_SCRAP)]
    while places[-1] < len(message):
        places.append(places[-1] + chance.randint(1, LONGEST_SCRAP))
    return _parted(message, places)


# -- dresses ------------------------------------------------------------------------------------


def spread(message: bytes) -> bytes:
    """Write each element on a line of its own, indented, with a line break at the end."""
    root = etree.fromstring(message)
    etree.indent(root)
    return etree.tostring(root, encoding="unicode").encode() + b"\n"


def declared(message: bytes) -> bytes:
    """Write an XML declaration before a message."""
    return DECLARATION + message


def commented(message: bytes) -> bytes:
    """Write a comment before a message, and between all tags of it."""
    return COMMENT + message.replace(b"><", b">" + COMMENT + b"<")


def requoted(message: bytes) -> bytes:
    """Write attributes in single quotes, the last one first."""

    def written(tag: re.Match[bytes]) -> bytes:
        name, attributes, slash = tag.groups()
        turned = [
            b" %b='%b'" % (attribute, value.replace(b"'", b"&#39;"))
            for attribute, value in reversed(_ATTRIBUTE.findall(attributes))
        ]
        return b"<%b%b%b>" % (name, b"".join(turned), slash)

    return _START_TAG.sub(written, message)
