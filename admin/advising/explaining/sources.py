"""Where the rule that was broken is written: a row of the rulebooks, a section of the protocol."""

from typing import NamedTuple

from ....game.rulebook import Rulebook
from ....game.violation import Violation
from ....protocol.dialect import Dialect
from ....protocol.faults import Reason
from ..rulebooks.rows import ROWS

RULEBOOKS_PAGE = "docs/reference/rulebooks.md"
PROTOCOL_PAGE = "docs/reference/protocol.md"

SOCKET, WORDS, CONVERSATION = "On the socket", "The messages", "The conversation"
CLOCKS, SHORT, OTHERS = "The clocks", "The rules in short", "The other rulebooks"
RECEIVED, SENT, TRADE = "What you receive", "What you can send", "A merger: hold, sell, trade"
TWO, PICTURE = "Two players", "The conversation as one picture"
BREAKABLE = "The rules that a move can break"


class RuleSource(NamedTuple):
    """A place in the documentation: a page and its section."""

    page: str
    section: str
    row: str = ""  # its title, on rulebook pages; a row that continues another has both titles
    text: str = ""  # what the row says of the rulebook that was played


PLACES: dict[Violation, tuple[str, str, str]] = {
    Violation.NOT_IN_HAND: ("tiles_in_hand", SHORT, BREAKABLE),
    Violation.BESIDE_LOOSE: ("absorbing merging_beside_loose", SHORT, OTHERS),
    Violation.SAFE_MERGER: ("safe_from forbidden_merger", SHORT, OTHERS),
    Violation.TWO_SAFE: ("safe_from forbidden_merger", SHORT, OTHERS),
    Violation.EIGHTH_HOTEL: ("eighth_hotel", SHORT, OTHERS),
    Violation.NO_HOTEL_NAMED: ("founding survivor", CONVERSATION, CONVERSATION),
    Violation.HOTEL_NOT_DUE: ("founding merging", CONVERSATION, CONVERSATION),
    Violation.HOTEL_ON_BOARD: ("founding", SHORT, OTHERS),
    Violation.NOT_A_MERGER: ("merging", CONVERSATION, CONVERSATION),
    Violation.MERGER_WITH_ORDER: ("merging priced", CONVERSATION, CONVERSATION),
    Violation.NOT_INVOLVED: ("survivor", CONVERSATION, CONVERSATION),
    Violation.NOT_LARGEST: ("survivor", CONVERSATION, CONVERSATION),
    Violation.WRONG_EQUALS: ("order_of_acquired", CONVERSATION, SENT),
    Violation.PLACEMENT_DUE: ("stuck_hand", CONVERSATION, SENT),
    Violation.OTHER_TILE: ("markets_tiles", TWO, TWO),
    Violation.KEEP_COUNT: ("disposal who_is_asked", CONVERSATION, CONVERSATION),
    Violation.ODD_TRADE: ("disposal", TRADE, TRADE),
    Violation.NOT_OWNED: ("disposal", TRADE, TRADE),
    Violation.TRADE_TOO_LARGE: ("disposal", TRADE, TRADE),
    Violation.TOO_MANY: ("order_limit", SHORT, SENT),
    Violation.MIXED_ORDER: ("order_limit", SHORT, SENT),
    Violation.NO_PRICE: ("buys_of prices_off_the_board", SHORT, OTHERS),
    Violation.SOLD_OUT: ("certificates bank_is_known", WORDS, RECEIVED),
    Violation.TOO_DEAR: ("priced", SHORT, BREAKABLE),
    Violation.NOT_OVER: ("regular_ending declaration", SHORT, SENT),
}
"""Where each rule is written: the slugs of its rows, its section for the course and the dialect.

If it cannot be broken in one of the two, that one has a section that mentions it.
"""

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


def sources_of(
    rulebook: Rulebook, reason: Reason, violation: Violation | None
) -> tuple[RuleSource, ...]:
    """Return where a rule is written, the rulebook first."""
    course = Dialect.of(rulebook) is Dialect.COURSE
    if violation is None:
        return (RuleSource(PROTOCOL_PAGE, SECTIONS[reason][0 if course else 1]),)
    slugs, of_course, of_dialect = PLACES[violation]
    rows = [_ROWS[slug] for slug in slugs.split()]
    return (
        *(RuleSource(RULEBOOKS_PAGE, r.section, r.whole_title, r.cell(rulebook)) for r in rows),
        RuleSource(PROTOCOL_PAGE, of_course if course else of_dialect),
    )
