"""What a log that holds proves, and what remains the referee's testimony, in words."""

import textwrap
from collections.abc import Iterator

from ..log.evidence import Ejections
from ..log.reader import RecordedGame
from .plain_text import plural

WIDTH = 80
HEADING = 12
"""Columns of the headings."""


def grounds(record: RecordedGame, ejections: Ejections) -> str:
    """Return the two lists as text of at most 80 columns, without a line feed at the end."""
    given = record.header.given
    lists = {"Proved": proved(ejections, given=given), "Testimony": testimony(record, ejections)}
    return "\n".join(
        textwrap.fill(
            "; ".join(parts),
            WIDTH,
            initial_indent=heading.ljust(HEADING),
            subsequent_indent=" " * HEADING,
        )
        for heading, parts in lists.items()
    )


def proved(ejections: Ejections, *, given: bool = False) -> Iterator[str]:
    """Yield what follows from the log alone, by the rules; a ``given`` bag does not."""
    if not given:
        yield "the bag, from the seed"
    yield "every draw, placement, payment and rank, by the rules"
    if ejections.by_rule:
        yield f"{plural(ejections.by_rule, 'ejection')} for an illegal move, judged again"
    if ejections.by_bytes:
        yield f"{plural(ejections.by_bytes, 'ejection')} for the recorded bytes, judged again"


def testimony(record: RecordedGame, ejections: Ejections) -> Iterator[str]:
    """Yield what nobody can check afterwards."""
    if record.header.given:
        yield "the bag, and every shuffle of it"
    elif record.header.commitment:
        yield "that the seed follows from the committed secret"
    else:
        yield "how the seed was chosen"
    if any(element.tag == "position" for element in record.elements):
        yield "the positions that were laid out"
    yield "who sent the answers, and when"
    if ejections.by_clock:
        what = plural(ejections.by_clock, "ejection")
        yield f"{what} for lateness, a lost connection or an untimely message"
    if ejections.unrecorded:
        yield f"{plural(ejections.unrecorded, 'ejection')} whose bytes are not all in the log"
