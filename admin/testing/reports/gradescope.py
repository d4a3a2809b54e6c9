"""A check as the ``results.json`` that Gradescope reads from an autograder.

The fields are those of "Autograder Specifications", section "Output format", in Gradescope's
documentation. A passed case, even with a warning, is worth one point.
"""

import json
from typing import Any

from ..judging.check_result import WORDS, CaseResult, CheckResult
from .case_text import draw_case, draw_whole, plain_text

POINTS = 1.0
"""The points for each case."""


def results_json(check: CheckResult) -> str:
    """Return a check as Gradescope's JSON; Gradescope adds up the scores of the tests."""
    results = {
        "execution_time": round(check.seconds),
        "output": " ".join([check.sentence, f"Rulebook {check.rulebook.id}.", *check.notes]),
        "output_format": "text",
        "visibility": "visible",
        "tests": [_test(result) for result in check.results],
        "extra_data": {
            "rulebook": check.rulebook.id,
            "strict": check.strict,
            "player": check.player,
            "began": check.began.isoformat(timespec="seconds"),
        },
    }
    return json.dumps(results, indent=1)


def _test(result: CaseResult) -> dict[str, Any]:
    case, passed = result.case, result.verdict.passed
    return {
        "score": POINTS if passed else 0.0,
        "max_score": POINTS,
        "status": "passed" if passed else "failed",
        "name": f"{case.title} ({WORDS[result.verdict]})",
        "name_format": "text",
        "number": case.number,
        "output": plain_text(draw_case(result) if passed else draw_whole(result)),
        "output_format": "text",
        "tags": [case.section.slug, result.verdict.value],
        "visibility": "visible",
        "extra_data": {"id": case.id, "seconds": round(result.seconds, 3)},
    }
