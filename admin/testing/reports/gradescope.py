"""A check as autograders read it: Gradescope's ``results.json``, GitHub Classroom's result.

The fields are those of "Autograder Specifications", section "Output format", in Gradescope's
documentation; and those that the action ``autograding-grading-reporter`` reads.
"""

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from ....protocol.settings_file import InvalidFile, InvalidSettings, Wrong, parse, read_settings
from ..judging.check_result import WORDS, CaseResult, CheckResult, reason
from .case_text import draw_case, draw_whole, plain_text


def read_weights(path: Path, sections: Collection[str]) -> dict[str, float]:
    """Read a file with the points of sections, by their names; ``InvalidFile``."""
    data = parse(path, "Write the points of each section, such as mergers = 20.")
    try:
        return read_settings(data, dict.fromkeys(sections, _points), "section with cases here")
    except InvalidSettings as error:
        raise InvalidFile(path, error.mistakes) from error


def _points(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 10_000:
        raise Wrong(f"must be points from 0 to 10000, not {value!r}.")
    return float(value)


def results_json(check: CheckResult) -> str:
    """Return a check as Gradescope's JSON."""
    results: dict[str, Any] = {
        "execution_time": round(check.seconds),
        "output": " ".join([check.sentence, f"Rulebook {check.rulebook.id}.", *check.notes]),
        "output_format": "text",
        "visibility": "visible",
        "tests": [_test(check, result) for result in check.results],
        "extra_data": {
            "rulebook": check.rulebook.id,
            "strict": check.strict,
            "player": check.player,
            "began": check.began.isoformat(timespec="seconds"),
        },
    }
    if check.weights is not None:  # the sum of rounded parts would not be whole
        results["score"] = round(check.points(check.results)[0], 2)
    return json.dumps(results, indent=1)


def _test(check: CheckResult, result: CaseResult) -> dict[str, Any]:
    case, passed = result.case, result.verdict.passed
    score, most = check.points([result])
    return {
        "score": round(score, 4),
        "max_score": round(most, 4),
        "status": "passed" if passed else "failed",
        "name": f"{case.title} ({WORDS[result.verdict]})",
        "name_format": "text",
        "number": case.number,
        "output": plain_text(draw_case(result) if passed else draw_whole(result)),
        "output_format": "text",
        "tags": [case.section.slug, result.verdict.value],
        "visibility": case.section.visibility,
        "extra_data": {"id": case.id, "seconds": round(result.seconds, 3)},
    }


def classroom_json(check: CheckResult) -> str:
    """Return a check as GitHub Classroom's result: a test for each section that is worth points."""
    tests = []
    for section, results in check.sections:
        score, most = check.points(results)
        failed = [each for each in results if not each.verdict.passed]
        lines = [f"{each.case.number} {each.case.title}: {reason(each)}" for each in failed]
        test = {
            "name": f"{section.number} {section.title}",
            "status": "fail" if failed else "pass",
            "score": round(score, 2),
            "max_score": round(most, 2),
            "message": "\n".join(lines) or None,
        }
        tests += [test] if most else []
    _, most = check.points(check.results)
    status = "pass" if check.passed else "fail"
    result = {"version": 1, "status": status, "max_score": round(most, 2), "tests": tests}
    return json.dumps(result, indent=1)
