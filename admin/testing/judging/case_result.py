"""The verdict on a case, and the evidence for it."""

from dataclasses import dataclass, field, replace
from enum import Enum

from ..case_parts.case import Case
from ..trial.exit_report import ExitReport
from ..trial.trial import TrialResult


class CaseVerdict(Enum):
    """How a case ended; the value is its code in reports."""

    PASS = "pass"
    WARN = "warn"
    FAIL = "fail"
    RIGHT_SO_FAR = "right-so-far"
    """Not reached to its end, but the player did everything right that the case tests."""
    NOT_REACHED = "not-reached"

    @property
    def passed(self) -> bool:
        """Whether the case counts as passed, even with a warning."""
        return self in (CaseVerdict.PASS, CaseVerdict.WARN)


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The verdict on a case, and the evidence for it.

    ``actual`` is a sentence or a message: what the player did, to be read beside what was expected.
    ``warnings`` are sentences. ``seconds`` is how long the case took; a case that was given up was
    not ``played``.
    """

    case: Case
    verdict: CaseVerdict
    actual: str
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0
    played: bool = True
    trial: TrialResult = field(default_factory=TrialResult)
    exit_report: ExitReport | None = None

    @property
    def ended_by(self) -> str:
        """``absent``, or the code of the fault that ended the case, or ``""`` if none did."""
        if self.trial.fault is not None:
            return self.trial.fault.reason.value
        return "" if self.trial.name else "absent"

    def with_seconds(self, seconds: float) -> "CaseResult":
        """Return the same result with the time that the case took."""
        return replace(self, seconds=seconds)
