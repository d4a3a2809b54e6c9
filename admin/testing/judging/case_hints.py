"""When to show the hint of a case: a guess, for want of one that follows from what was sent."""

from ....game.violation import Violation
from ....protocol.faults import Circumstance, Reason
from ...refereeing.diagnosis.diagnose import hint_on_sign_up
from ..case_parts.case import Case
from ..trial.wire import PLAIN_DELIVERY
from .case_result import CaseResult, CaseVerdict

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
_PURCHASE_RULES = {violation.sentence for violation in PURCHASE}

TRANSPORT_SECTIONS = frozenset({"framing", "names", "clocks"})
"""Bugs of these sections can show in any way: silence, a lost connection, a broken message."""
UNDERSTOOD = frozenset({Reason.ILLEGAL, Reason.OUT_OF_TURN})
"""The faults of a player that did read the question."""


def guess_at(result: CaseResult) -> str:
    """Return the hint of a case as a sentence; empty where it does not help.

    It is a guess: a bug that players often have in this case. What the player sent may show
    another one, and then that is named instead (:mod:`acquire.admin.refereeing.diagnosis`).
    """
    return f"A common bug here is {result.case.hint}" if _may_fit(result) else ""


def _may_fit(result: CaseResult) -> bool:
    """Whether the guess may be right.

    It is not if the player crashed over something else, or broke another rule than the one that the
    case tests.
    """
    if result.verdict not in (CaseVerdict.FAIL, CaseVerdict.WARN) or not result.case.hint:
        return False
    if _is_diagnosed(result):
        return False
    case, ended_by, left = result.case, result.ended_by, result.trial.ejected
    violation = left.violation if left is not None else None
    if violation in PURCHASE and not _tests_purchase(case):
        return False
    if _tests_transport(case):
        understood = case.delivery is not PLAIN_DELIVERY and ended_by == Reason.ILLEGAL.value
        return ended_by not in ("", "absent") and not understood
    if left is None or left.reason not in UNDERSTOOD:
        return False
    return violation is None or (violation in PURCHASE) == _tests_purchase(case)


def _is_diagnosed(result: CaseResult) -> bool:
    """Whether what was sent shows the mistake; where nothing was, only the sign-up is clear."""
    left, fault = result.trial.ejected, result.trial.sign_up_fault
    if any(each is not None and each.reason is Reason.INVALID for each in (left, fault)):
        return True  # the detail explains it
    if fault is not None:
        return bool(hint_on_sign_up(fault))
    if result.trial.was_silent:
        assert left is not None
        return left.circumstance is Circumstance.COMPUTING or bool(result.trial.came_late)
    return left is not None and bool(left.hint)


def _tests_transport(case: Case) -> bool:
    """Whether a case tests how messages are sent and read, whatever is in them."""
    slug = case.section.slug
    return (
        slug in TRANSPORT_SECTIONS or "signup" in case.tested or case.delivery is not PLAIN_DELIVERY
    )


def _tests_purchase(case: Case) -> bool:
    """Whether a case tests orders of certificates."""
    return (
        case.section.slug == "buying"
        or "players" in case.tested
        or case.source.words in _PURCHASE_RULES
    )
