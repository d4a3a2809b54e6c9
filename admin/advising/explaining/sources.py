"""Where the rule that was broken is written: a row of the rulebooks, a section of the protocol."""

from collections.abc import Iterator
from typing import NamedTuple

from ....game.rulebook import Rulebook
from ....game.violation import Violation
from ....protocol.dialect import Dialect
from ....protocol.faults import Reason
from ..rulebooks.rows import ROWS, RulebookRow

RULEBOOKS_PAGE = "docs/reference/rulebooks.md"
PROTOCOL_PAGE = "docs/reference/protocol.md"

SOCKET, WORDS, CONVERSATION = "On the socket", "The messages", "The conversation"
CLOCKS, SHORT, OTHERS = "The clocks", "The rules in short", "The other rulebooks"
RECEIVED, SENT, TRADE = "What you receive", "What you can send", "A merger: hold, sell, trade"
TWO, PICTURE = "Two players", "The conversation as one picture"
BREAKABLE = "The rules that a move can break"


class RuleSource(NamedTuple):
    """A place in the documentation: a page and its section.

    For the rulebooks also the row, and its text under the rulebook that was played. A row that
    continues the one above it has both titles.
    """

    page: str
    section: str
    row: str = ""
    text: str = ""


class RulePlace(NamedTuple):
    """Where a rule is written: the slugs of its rows, its section for the course and the dialect.

    If it cannot be broken in one of the two, that one has a section that mentions it.
    """

    slugs: tuple[str, ...]
    course: str
    dialect: str


PLACES: dict[Violation, RulePlace] = {
    Violation.NOT_IN_HAND: RulePlace(("tiles_in_hand",), SHORT, BREAKABLE),
    Violation.BESIDE_LOOSE: RulePlace(("absorbing", "merging_beside_loose"), SHORT, OTHERS),
    Violation.SAFE_MERGER: RulePlace(("safe_from", "forbidden_merger"), SHORT, OTHERS),
    Violation.TWO_SAFE: RulePlace(("safe_from", "forbidden_merger"), SHORT, OTHERS),
    Violation.EIGHTH_HOTEL: RulePlace(("eighth_hotel",), SHORT, OTHERS),
    Violation.NO_HOTEL_NAMED: RulePlace(("founding", "survivor"), CONVERSATION, CONVERSATION),
    Violation.HOTEL_NOT_DUE: RulePlace(("founding", "merging"), CONVERSATION, CONVERSATION),
    Violation.HOTEL_ON_BOARD: RulePlace(("founding",), SHORT, OTHERS),
    Violation.NOT_A_MERGER: RulePlace(("merging",), CONVERSATION, CONVERSATION),
    Violation.MERGER_WITH_ORDER: RulePlace(("merging", "priced"), CONVERSATION, CONVERSATION),
    Violation.NOT_INVOLVED: RulePlace(("survivor",), CONVERSATION, CONVERSATION),
    Violation.NOT_LARGEST: RulePlace(("survivor",), CONVERSATION, CONVERSATION),
    Violation.WRONG_EQUALS: RulePlace(("order_of_acquired",), CONVERSATION, SENT),
    Violation.PLACEMENT_DUE: RulePlace(("stuck_hand",), CONVERSATION, SENT),
    Violation.OTHER_TILE: RulePlace(("markets_tiles",), TWO, TWO),
    Violation.KEEP_COUNT: RulePlace(("disposal", "who_is_asked"), CONVERSATION, CONVERSATION),
    Violation.ODD_TRADE: RulePlace(("disposal",), TRADE, TRADE),
    Violation.NOT_OWNED: RulePlace(("disposal",), TRADE, TRADE),
    Violation.TRADE_TOO_LARGE: RulePlace(("disposal",), TRADE, TRADE),
    Violation.TOO_MANY: RulePlace(("order_limit",), SHORT, SENT),
    Violation.MIXED_ORDER: RulePlace(("order_limit",), SHORT, SENT),
    Violation.NO_PRICE: RulePlace(("buys_of", "prices_off_the_board"), SHORT, OTHERS),
    Violation.SOLD_OUT: RulePlace(("certificates", "bank_is_known"), WORDS, RECEIVED),
    Violation.TOO_DEAR: RulePlace(("priced",), SHORT, BREAKABLE),
    Violation.NOT_OVER: RulePlace(("regular_ending", "declaration"), SHORT, SENT),
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


def title_of(row: RulebookRow) -> str:
    """Return a row's title, for a reader who does not see the rows above it."""
    if not row.title.startswith(_CONTINUES):
        return row.title
    above = [
        each.title for each in ROWS[: ROWS.index(row)] if not each.title.startswith(_CONTINUES)
    ]
    return f"{above[-1]} {row.title}"


def sources_of(
    rulebook: Rulebook, reason: Reason, violation: Violation | None
) -> tuple[RuleSource, ...]:
    """Return where a rule is written, the rulebook first."""
    return tuple(_sources(rulebook, reason, violation))


def _sources(
    rulebook: Rulebook, reason: Reason, violation: Violation | None
) -> Iterator[RuleSource]:
    course = Dialect.of(rulebook) is Dialect.COURSE
    if violation is None:
        yield RuleSource(PROTOCOL_PAGE, SECTIONS[reason][0 if course else 1])
        return
    place = PLACES[violation]
    for slug in place.slugs:
        row = _ROWS[slug]
        yield RuleSource(RULEBOOKS_PAGE, row.section, title_of(row), row.cell(rulebook))
    yield RuleSource(PROTOCOL_PAGE, place.course if course else place.dialect)
