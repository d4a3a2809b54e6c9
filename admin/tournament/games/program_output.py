"""What a program printed, as it is kept: with a heading before what it printed in each turn.

    reading the opening book
    == turn 3 ==
    best: 4C, 5 turns ahead

People read this text, the store keeps it, the chain covers it and the page cuts it into turns: the
same bytes everywhere, without a table of offsets that would have to be kept and audited.

Without a heading comes what was printed before the first turn. A turn begins when the referee says
so, so what a program prints before it sends an answer stands in the turn of the answer. The end of
a long output is kept, and begins with a line that says so.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

KEPT_BYTES = 32768  # bytes of an output that are kept, the last ones; the headings come on top
CUT = b"== the beginning was not kept ==\n"
_HEADING = re.compile(rb"^== turn (\d{1,9}) ==\n", re.MULTILINE)
_LIKE_OURS = re.compile(rb"^(?=== (?:turn \d+|the beginning was not kept) ==\r?$)", re.MULTILINE)


class KeptOutput(NamedTuple):
    """What was printed in each turn, 0 before the first; ``cut`` if the beginning was not kept."""

    cut: bool
    turns: list[tuple[int, bytes]]


class TurnMark(NamedTuple):
    """How many bytes a program had printed when a turn began."""

    turn: int
    size: int


def with_headings(end: bytes, before: int, marks: Sequence[TurnMark]) -> bytes:
    """Return the end of an output, before which came so many bytes, with headings.

    It begins with a whole line, if there is one. ``marks`` are in the order of turns. A program may
    shorten the file that it prints to; then what is left of it stands in the last turns. A line of
    the program that reads like a heading gets a space before it.
    """
    if before > 0:
        skipped = end.find(b"\n") + 1
        before, end = before + skipped, end[skipped:]
    places, limit = [], before + len(end)
    for mark in reversed(marks):
        limit = min(limit, mark.size)
        places.append((mark.turn, max(limit - before, 0)))
    places.append((0, 0))
    written = [CUT] if before > 0 else []
    for (turn, start), (_, stop) in pairwise([*reversed(places), (0, len(end))]):
        if start == stop:
            continue
        if written and not written[-1].endswith(b"\n"):
            written.append(b"\n")
        if turn:
            written.append(b"== turn %d ==\n" % turn)
        written.append(_LIKE_OURS.sub(b" ", end[start:stop]))
    return b"".join(written)


def by_turn(output: bytes) -> KeptOutput:
    """Read an output that :func:`with_headings` has written."""
    cut = output.startswith(CUT)
    first, *rest = _HEADING.split(output.removeprefix(CUT))
    turns = [(int(turn), text) for turn, text in zip(rest[::2], rest[1::2], strict=True)]
    return KeptOutput(cut, [(0, first), *turns] if first else turns)
