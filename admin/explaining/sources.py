"""Where the rule that was broken is written: a row of the rulebooks, a section of the protocol."""

from collections.abc import Iterator
from typing import NamedTuple

from ...game.rulebook import Rulebook
from ...game.violation import Violation
from ...protocol.dialect import Dialect
from ...protocol.faults import Reason
from ..rulebooks.rows import ROWS, Row

RULEBOOKS_PAGE = "docs/rulebooks.md"
PROTOCOL_PAGE = "docs/protocol.md"

SOCKET, WORDS, CONVERSATION = "On the socket", "The messages", "The conversation"
CLOCKS, SHORT, OTHERS = "The clocks", "The rules in short", "The other rulebooks"
RECEIVED, SENT, TRADE = "What you receive", "What you can send", "A merger: hold, sell, trade"
TWO, PICTURE = "Two players", "The conversation as one picture"
BREAKABLE = "The rules that a move can break"


class Source(NamedTuple):
    """A place in the documentation: a page and its section.

    For the rulebooks also the row, and its text under the rulebook that was played. A row that
    continues the one above it has both titles.
    """

    page: str
    section: str
    row: str = ""
    text: str = ""


class Place(NamedTuple):
    """Where a rule is written: the slugs of its rows, its section for the course and the dialect.

    If it cannot be broken in one of the two, that one has a section that mentions it.
    """

    slugs: tuple[str, ...]
    course: str
    dialect: str


PLACES: dict[Violation, Place] = {
    Violation.NOT_IN_HAND: Place(("tiles_in_hand",), SHORT, BREAKABLE),
    Violation.BESIDE_LOOSE: Place(("absorbing", "merging_beside_loose"), SHORT, OTHERS),
    Violation.SAFE_MERGER: Place(("safe_from", "forbidden_merger"), SHORT, OTHERS),
    Violation.TWO_SAFE: Place(("safe_from", "forbidden_merger"), SHORT, OTHERS),
    Violation.EIGHTH_HOTEL: Place(("eighth_hotel",), SHORT, OTHERS),
    Violation.NO_HOTEL_NAMED: Place(("founding", "survivor"), CONVERSATION, CONVERSATION),
    Violation.HOTEL_NOT_DUE: Place(("founding", "merging"), CONVERSATION, CONVERSATION),
    Violation.HOTEL_ON_BOARD: Place(("founding",), SHORT, OTHERS),
    Violation.NOT_A_MERGER: Place(("merging",), CONVERSATION, CONVERSATION),
    Violation.MERGER_WITH_ORDER: Place(("merging", "priced"), CONVERSATION, CONVERSATION),
    Violation.NOT_INVOLVED: Place(("survivor",), CONVERSATION, CONVERSATION),
    Violation.NOT_LARGEST: Place(("survivor",), CONVERSATION, CONVERSATION),
    Violation.WRONG_EQUALS: Place(("order_of_acquired",), CONVERSATION, SENT),
    Violation.PLACEMENT_DUE: Place(("stuck_hand",), CONVERSATION, SENT),
    Violation.OTHER_TILE: Place(("markets_tiles",), TWO, TWO),
    Violation.KEEP_COUNT: Place(("disposal", "who_is_asked"), CONVERSATION, CONVERSATION),
    Violation.ODD_TRADE: Place(("disposal",), TRADE, TRADE),
    Violation.NOT_OWNED: Place(("disposal",), TRADE, TRADE),
    Violation.TRADE_TOO_LARGE: Place(("disposal",), TRADE, TRADE),
    Violation.TOO_MANY: Place(("order_limit",), SHORT, SENT),
    Violation.MIXED_ORDER: Place(("order_limit",), SHORT, SENT),
    Violation.NO_PRICE: Place(("buys_of", "prices_off_the_board"), SHORT, OTHERS),
    Violation.SOLD_OUT: Place(("certificates", "bank_is_known"), WORDS, RECEIVED),
    Violation.TOO_DEAR: Place(("priced",), SHORT, BREAKABLE),
    Violation.NOT_OVER: Place(("regular_ending", "declaration"), SHORT, SENT),
}
"""Where each rule of the game is written."""

SECTIONS: dict[Reason, tuple[str, str]] = {
    Reason.MALFORMED: (SOCKET, SOCKET),
    Reason.INVALID: (WORDS, SENT),
    Reason.OUT_OF_TURN: (CONVERSATION, PICTURE),
    Reason.ILLEGAL: (BREAKABLE, BREAKABLE),
    Reason.TIMED_OUT: (CLOCKS, CLOCKS),
    Reason.DISCONNECTED: (SOCKET, SOCKET),
    Reason.NO_SEAT: (SOCKET, SOCKET),
    Reason.INTERRUPTED: (SOCKET, SOCKET),
}
"""Where each reason is written, in the course's protocol and in the dialect."""

_ROWS = {row.slug: row for row in ROWS}
_CONTINUES = ".."
"""How the title of a row begins that continues the one above it."""


def title_of(row: Row) -> str:
    """Return a row's title, for a reader who does not see the rows above it."""
    if not row.title.startswith(_CONTINUES):
        return row.title
    above = [
        each.title for each in ROWS[: ROWS.index(row)] if not each.title.startswith(_CONTINUES)
    ]
    return f"{above[-1]} {row.title}"


def sources_of(
    rulebook: Rulebook, reason: Reason, violation: Violation | None
) -> tuple[Source, ...]:
    """Return where a rule is written, the rulebook first."""
    return tuple(_sources(rulebook, reason, violation))


def _sources(rulebook: Rulebook, reason: Reason, violation: Violation | None) -> Iterator[Source]:
    course = Dialect.of(rulebook) is Dialect.COURSE
    if violation is None:
        yield Source(PROTOCOL_PAGE, SECTIONS[reason][0 if course else 1])
        return
    place = PLACES[violation]
    for slug in place.slugs:
        row = _ROWS[slug]
        yield Source(RULEBOOKS_PAGE, row.section, title_of(row), row.cell(rulebook))
    yield Source(PROTOCOL_PAGE, place.course if course else place.dialect)
