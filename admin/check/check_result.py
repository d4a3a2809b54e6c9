"""The result of a whole check, and what can be said about all cases together."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from admin.check.case import Case, Section
from admin.check.case_result import CaseResult, CaseVerdict
from admin.match.events import Answered
from game.rulebook import Rulebook
from protocol import messages

MARKS = {
    CaseVerdict.PASS: "✓",
    CaseVerdict.WARN: "!",
    CaseVerdict.FAIL: "✗",
    CaseVerdict.NOT_REACHED: "-",
}
"""A mark for each verdict, readable without colours."""
WORDS = {
    CaseVerdict.PASS: "passed",
    CaseVerdict.WARN: "warned",
    CaseVerdict.FAIL: "failed",
    CaseVerdict.NOT_REACHED: "not reached",
}
MIN_ORDERS = 20
"""With at least this many orders, all of them empty, the check adds a note."""
NUMBER = re.compile(r"\d+(\.\d+)?")


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of a check; ``player`` is its command, or where it connected.

    ``seconds`` is wall time, ``began`` has a time zone.
    """

    rulebook: Rulebook
    player: str
    strict: bool
    results: tuple[CaseResult, ...]
    began: datetime
    seconds: float

    @property
    def counts(self) -> Counter[CaseVerdict]:
        """The number of cases with each verdict."""
        return Counter(result.verdict for result in self.results)

    @property
    def passed(self) -> bool:
        """Whether every case was passed, even with a warning."""
        return all(result.verdict.passed for result in self.results)

    @property
    def sections(self) -> list[tuple[Section, list[CaseResult]]]:
        """The results by section, in order."""
        found: dict[Section, list[CaseResult]] = {}
        for result in self.results:
            found.setdefault(result.case.section, []).append(result)
        return list(found.items())

    @property
    def notes(self) -> list[str]:
        """What is legal in each case, but doubtful over all of them."""
        orders = [order for result in self.results for order in _orders(result)]
        if len(orders) < MIN_ORDERS or any(orders):
            return []
        return [
            f"All {len(orders)} orders were empty. That is legal, but a player that never buys "
            "certificates wins no matches."
        ]

    @property
    def sentence(self) -> str:
        """The counts in one line, without times: ``94 of 96 passed, 1 warned, 1 failed.``"""
        counts = self.counts
        parts = [f"{counts[CaseVerdict.PASS]} of {len(self.results)} passed"]
        parts += [
            f"{counts[verdict]} {word}"
            for verdict, word in WORDS.items()
            if verdict is not CaseVerdict.PASS and counts[verdict]
        ]
        return f"{', '.join(parts)}."

    @property
    def pace(self) -> str:
        """How long it took: ``8.2 s, 11.7 cases/s``; only cases that were played count."""
        played = sum(1 for result in self.results if result.seconds)
        return f"{self.seconds:.1f} s, {played / max(self.seconds, 0.001):.1f} cases/s"


def _orders(result: CaseResult) -> Iterator[tuple[int, ...]]:
    """Yield the player's orders in a case, turn by turn."""
    for event in result.trial.events:
        if isinstance(event, Answered) and event.name == result.trial.name:
            match event.message:
                case messages.Pbuy(order=order) | messages.Order(hotels=order):
                    yield order


def completed(
    cases: Sequence[Case], judged: Iterable[CaseResult], why: str
) -> tuple[CaseResult, ...]:
    """Return a result for each case in order; cases without a verdict were not reached."""
    by_id = {result.case.id: result for result in judged}
    return tuple(
        by_id.get(case.id) or CaseResult(case, CaseVerdict.NOT_REACHED, why) for case in cases
    )


def verdict_word(result: CaseResult) -> str:
    """Return the verdict as shown; a case that was not reached may have been right so far."""
    return "right so far" if result.right_so_far else WORDS[result.verdict]


def reason(result: CaseResult) -> str:
    """Return why a case has its verdict, in one sentence."""
    if result.verdict is CaseVerdict.FAIL and not result.ended_by and result.warnings:
        return result.warnings[0]
    return result.actual


def group_similar(
    results: Iterable[tuple[str, CaseResult]],
) -> list[tuple[str, list[CaseResult]]]:
    """Group results whose sentences differ in numbers only, under the first such sentence."""
    found: dict[str, tuple[str, list[CaseResult]]] = {}
    for sentence, result in results:
        found.setdefault(NUMBER.sub("0", sentence), (sentence, []))[1].append(result)
    return list(found.values())
