"""The verdict on each case with the evidence for it, and the result of a whole check."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum

from ....game.rulebook import Rulebook
from ....protocol import messages
from ....protocol.faults import Reason
from ..cases.case import Case, CaseSection
from ..trial.trial import TrialResult


class CaseVerdict(Enum):
    """How a case ended: a code for reports, a mark that needs no colour, a word, and a style."""

    PASS = "pass", "✓", "passed", "green"
    WARN = "warn", "!", "warned", "yellow"
    FAIL = "fail", "✗", "failed", "bold red"
    RIGHT_SO_FAR = "right-so-far", "~", "right so far", "cyan"
    """Not reached to its end, but the player did everything right that the case tests."""
    NOT_REACHED = "not-reached", "-", "not reached", "magenta"

    def __init__(self, code: str, mark: str, word: str, style: str) -> None:
        self.code, self.mark, self.word, self.style = code, mark, word, style

    @property
    def passed(self) -> bool:
        """Whether the case counts as passed, even with a warning."""
        return self in (CaseVerdict.PASS, CaseVerdict.WARN)


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The verdict on a case, and the evidence for it."""

    case: Case
    verdict: CaseVerdict
    actual: str  # a sentence or a message: what the player did, beside what was expected
    warnings: tuple[str, ...] = ()  # sentences
    seconds: float = 0.0
    played: bool = True  # False for a case that was given up
    machine_failed: bool = False  # if so, the case says nothing about the player
    trial: TrialResult = field(default_factory=TrialResult)

    @property
    def ended_by(self) -> str:
        """``absent``, or the code of the fault that ended the case, or ``""`` if none did."""
        if self.trial.fault is not None:
            return self.trial.fault.reason.value
        return "" if self.trial.name else "absent"


MISNAMED = {Reason.DISCONNECTED.value, Reason.TIMED_OUT.value}
"""How a player ends that does not find itself among the players."""
MIN_ORDERS = 20  # with at least this many orders, all of them empty, the check adds a note
VARIABLE = re.compile(r"\d+(\.\d+)?[A-I]?|\([^()]*\)|'[^']*'")
"""What differs between cases of one cause: numbers, tiles, names, what is in parentheses."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The results of all cases of a check, and how it was made."""

    rulebook: Rulebook
    player: str  # its command, or where it connected
    strict: bool
    results: tuple[CaseResult, ...]
    began: datetime  # with a time zone
    seconds: float  # wall time
    subject: str = "player"  # what is checked: a player or an administrator
    weights: Mapping[str, float] | None = None  # points of each section by slug; else 1 a case
    remarks: tuple[str, ...] = ()  # what its notes begin with

    @property
    def command(self) -> str:
        """The command that checks its subject."""
        return "acquire check" if self.subject == "player" else "acquire check-server"

    @property
    def counts(self) -> Counter[CaseVerdict]:
        """The number of cases with each verdict."""
        return Counter(result.verdict for result in self.results)

    @property
    def passed(self) -> bool:
        """Whether every case was passed, even with a warning.

        In the check of an administrator what was not reached is no failure, but something was.
        """
        passed = [result.verdict.passed for result in self.results]
        if self.subject == "player":
            return all(passed)
        return any(passed) and not self.counts[CaseVerdict.FAIL]

    @property
    def verdicts(self) -> list[CaseVerdict]:
        """The verdicts that are counted in tables: ``PASS`` and those that occur."""
        return [each for each in CaseVerdict if each is CaseVerdict.PASS or self.counts[each]]

    @property
    def sections(self) -> list[tuple[CaseSection, list[CaseResult]]]:
        """The results by section, in order."""
        found: dict[CaseSection, list[CaseResult]] = {}
        for result in self.results:
            found.setdefault(result.case.section, []).append(result)
        return list(found.items())

    def points(self, results: Iterable[CaseResult]) -> tuple[float, float]:
        """Return the points of some results, and the most they could be.

        The points of a section are divided among its cases.
        """
        sizes = Counter(each.case.section for each in self.results)
        score = most = 0.0
        for each in results:
            section, weights = each.case.section, self.weights
            worth = 1.0 if weights is None else weights.get(section.slug, 0.0) / sizes[section]
            most += worth
            score += worth if each.verdict.passed else 0.0
        return score, most

    @property
    def notes(self) -> list[str]:
        """What applies to all cases together: what to do next, what is legal but doubtful."""
        notes = [*self.remarks]
        if self.counts[CaseVerdict.RIGHT_SO_FAR] and not self.counts[CaseVerdict.FAIL]:
            notes.append(
                "“Right so far” means that the tested step was right. The case passes once your "
                "player can also answer what follows that step."
            )
        answers = [event.message for result in self.results for _, event in result.trial.answers]
        orders = [each.order for each in answers if isinstance(each, messages.Pbuy)]
        orders += [each.hotels for each in answers if isinstance(each, messages.Order)]
        if len(orders) >= MIN_ORDERS and not any(orders):
            notes.append(
                f"All {len(orders)} orders were empty. That is legal, but a player that never buys "
                "certificates wins no games."
            )
        return notes

    @property
    def sentence(self) -> str:
        """The counts in one line, without times: ``94 of 96 passed, 1 warned, 1 failed.``

        Of a player that passes nothing yet, but did right what was tested: ``1 of 1 right so far.``
        """
        counts = self.counts
        first, *others = self.verdicts
        if not counts[CaseVerdict.PASS] and counts[CaseVerdict.RIGHT_SO_FAR]:
            first = CaseVerdict.RIGHT_SO_FAR
            others.remove(first)
        parts = [f"{counts[first]} of {len(self.results)} {first.word}"]
        parts += [f"{counts[verdict]} {verdict.word}" for verdict in others]
        return f"{', '.join(parts)}."


def completed(
    cases: Sequence[Case], judged: Iterable[CaseResult], why: str
) -> tuple[CaseResult, ...]:
    """Return a result for each case in order; cases without a verdict were not reached.

    A player that fails only where it was given another name is told so.
    """
    by_id = {result.case.id: result for result in judged}
    results = [
        by_id.get(case.id) or CaseResult(case, CaseVerdict.NOT_REACHED, why) for case in cases
    ]
    plain = [result for result in results if result.trial.name and not _was_renamed(result)]
    failed = {result.trial.failed_question for result in plain}
    for place, each in enumerate(results):
        is_alone = each.ended_by in MISNAMED and each.trial.failed_question not in failed
        if is_alone and _was_renamed(each) and not each.trial.late_by:
            hint = (
                f"The player was given the name {each.trial.name!r}, and may look for "
                f"{each.trial.requested_name!r}, the one that it asked for. Use the name in the "
                "<signup> that it receives."
            )
            results[place] = replace(each, actual=f"{hint} {each.actual}")
    return tuple(results)


def _was_renamed(result: CaseResult) -> bool:
    return result.trial.name != result.trial.requested_name


def reason(result: CaseResult) -> str:
    """Return why a case has its verdict, in one sentence."""
    if result.verdict is CaseVerdict.FAIL and not result.ended_by and result.warnings:
        return result.warnings[0]
    return result.actual


def group_similar(results: Iterable[tuple[str, CaseResult]]) -> list[tuple[str, list[CaseResult]]]:
    """Group results whose sentences differ in numbers, tiles and names only, under the first."""
    found: dict[str, tuple[str, list[CaseResult]]] = {}
    for sentence, result in results:
        found.setdefault(VARIABLE.sub("0", sentence), (sentence, []))[1].append(result)
    return list(found.values())
