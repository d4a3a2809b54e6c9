"""What a verdict is based on: why the player was ejected, the position, the player's output."""

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from ....game.state import State
from ...advising.explaining.explanation import Explanation, explain
from ...advising.explaining.explanation_text import readable
from ...refereeing.log.reader import read_bytes
from ..judging.case_result import CaseResult
from ..trial.exit_report import exit_before_answer

LOG = Path("the log of the case")


def explanation_of(result: CaseResult) -> Explanation | None:
    """Explain an ejection; ``None`` if there was none, or before the first position."""
    trial = result.trial
    explanation = _explain(trial.log, trial.name) if trial.ejected is not None else None
    if explanation is not None and trial.came_late:
        explanation = replace(explanation, hint=trial.came_late)
    early, report = exit_before_answer(trial, result.exit_report), result.exit_report
    if explanation is None or report is None or not early:
        return explanation
    return replace(explanation, detail=report.with_exception(early))


@lru_cache(maxsize=256)
def _explain(log: bytes, name: str) -> Explanation | None:
    found = explain(read_bytes(LOG, log), name)
    return found[0] if found else None


def position_of(result: CaseResult) -> State:
    """Return the position in which the player was ejected, or else the first one."""
    explanation = explanation_of(result)
    if explanation is not None:
        return explanation.position
    name = result.trial.name or result.case.name
    return result.case.script.with_subject_named(name).segments[0].position


def output_lines(result: CaseResult) -> list[str]:
    """Return the end of the player's output as printable lines."""
    if result.exit_report is None:
        return []
    return [readable(line.expandtabs()) for line in result.exit_report.output.rstrip().splitlines()]
