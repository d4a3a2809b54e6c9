"""A check as a whole: what was checked, how, and the results."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from admin.check.case import Case, Section
from admin.check.judging import Result, Verdict
from admin.match.events import Answered
from game.rulebook import Rulebook
from protocol import messages

MARKS = {Verdict.PASS: "✓", Verdict.WARN: "!", Verdict.FAIL: "✗", Verdict.NOT_REACHED: "-"}
"""A sign for each verdict, for those who see no colours."""
WORDS = {
    Verdict.PASS: "passed",
    Verdict.WARN: "warned",
    Verdict.FAIL: "failed",
    Verdict.NOT_REACHED: "not reached",
}
"""What happened to a case, in words."""
ENOUGH = 20
"""Orders of which one at least should not be empty."""
NUMBER = re.compile(r"\d+(\.\d+)?")


@dataclass(frozen=True, slots=True)
class Checked:
    """A finished check; ``player`` is the command, or where it connected.

    ``seconds`` is wall time, ``began`` has a time zone.
    """

    rulebook: Rulebook
    player: str
    strict: bool
    results: tuple[Result, ...]
    began: datetime
    seconds: float

    @property
    def counts(self) -> Counter[Verdict]:
        """How many cases have which verdict."""
        return Counter(result.verdict for result in self.results)

    @property
    def clean(self) -> bool:
        """Whether every case was passed, be it with a warning."""
        return all(result.verdict.good for result in self.results)

    @property
    def sections(self) -> list[tuple[Section, list[Result]]]:
        """The results by section, in their order."""
        found: dict[Section, list[Result]] = {}
        for result in self.results:
            found.setdefault(result.case.section, []).append(result)
        return list(found.items())

    @property
    def notes(self) -> list[str]:
        """What is legal in every case, and yet hardly meant when all of them are looked at."""
        orders = [order for result in self.results for order in _orders(result)]
        if len(orders) < ENOUGH or any(orders):
            return []
        return [f"Each of {len(orders)} orders was empty: legal, but no match is won by it."]

    @property
    def sentence(self) -> str:
        """All of it in one line: ``94 of 96 passed, 1 warned, 1 failed.``, without the times."""
        counts = self.counts
        told = [f"{counts[Verdict.PASS]} of {len(self.results)} passed"]
        told += [
            f"{counts[verdict]} {word}"
            for verdict, word in WORDS.items()
            if verdict is not Verdict.PASS and counts[verdict]
        ]
        return f"{', '.join(told)}."

    @property
    def pace(self) -> str:
        """How long it took: ``8.2 s, 11.7 cases/s``; only cases that were played count."""
        played = sum(1 for result in self.results if result.seconds)
        return f"{self.seconds:.1f} s, {played / max(self.seconds, 0.001):.1f} cases/s"


def _orders(result: Result) -> Iterator[tuple[int, ...]]:
    """Yield what the player ordered in a case, turn by turn."""
    for event in result.tried.events:
        if isinstance(event, Answered) and event.name == result.tried.name:
            match event.message:
                case messages.Pbuy(order=order) | messages.Order(hotels=order):
                    yield order


def completed(cases: Sequence[Case], judged: Iterable[Result], why: str) -> tuple[Result, ...]:
    """Return a result for each case in order; those that are not judged were not reached."""
    by_id = {result.case.id: result for result in judged}
    return tuple(by_id.get(case.id) or Result(case, Verdict.NOT_REACHED, why) for case in cases)


def word(result: Result) -> str:
    """Say what happened to a case; one that was not finished can have been right so far."""
    return "right so far" if result.right_so_far else WORDS[result.verdict]


def reason(result: Result) -> str:
    """Say in a sentence why a case has its verdict."""
    if result.verdict is Verdict.FAIL and not result.ended_by and result.warnings:
        return result.warnings[0]
    return result.came


def alike(results: Iterable[tuple[str, Result]]) -> list[tuple[str, list[Result]]]:
    """Gather results of which the same is said, but for numbers; what the first says stands."""
    found: dict[str, tuple[str, list[Result]]] = {}
    for sentence, result in results:
        found.setdefault(NUMBER.sub("0", sentence), (sentence, []))[1].append(result)
    return list(found.values())
