"""Whether the usual mistake behind a failed case may well be the one that was made."""

from admin.check.case import Case
from admin.check.judging import Result, Verdict
from admin.trial.wire import ORDINARY
from game.violation import Violation
from protocol.faults import Reason

PURCHASE = frozenset(
    {
        Violation.TOO_MANY,
        Violation.MIXED_ORDER,
        Violation.NO_PRICE,
        Violation.SOLD_OUT,
        Violation.TOO_DEAR,
    }
)
"""What can be wrong with an order of certificates."""
_OF_PURCHASE = {violation.sentence for violation in PURCHASE}

ON_THE_WIRE = frozenset({"framing", "names", "clocks"})
"""The sections whose mistakes show in any way: as silence, as a lost connection, as nonsense."""
UNDERSTOOD = frozenset({Reason.ILLEGAL, Reason.INVALID, Reason.OUT_OF_TURN})
"""The faults of a player who has understood that it was to answer."""


def hinted(result: Result) -> bool:
    """Whether the hint of the case is worth telling.

    It speaks of one mistake. Of a player who ended in the middle of something else, or who broke
    another rule than the case is about, it says nothing.
    """
    if result.verdict not in (Verdict.FAIL, Verdict.WARN):
        return False
    case, how = result.case, result.ended_by
    if _is_on_the_wire(case):
        understood = case.manner is not ORDINARY and how == Reason.ILLEGAL.value
        return how not in ("", "absent") and not understood
    left = result.tried.ejected
    if left is None or left.reason not in UNDERSTOOD:
        return False
    return left.violation is None or (left.violation in PURCHASE) == _is_of_purchase(case)


def _is_on_the_wire(case: Case) -> bool:
    """Whether a case is there for how messages come and go, whatever they say."""
    slug = case.section.slug
    return slug in ON_THE_WIRE or "signup" in case.about or case.manner is not ORDINARY


def _is_of_purchase(case: Case) -> bool:
    """Whether a case is there for what is ordered."""
    return (
        case.section.slug == "buying"
        or "players" in case.about
        or case.source.words in _OF_PURCHASE
    )
