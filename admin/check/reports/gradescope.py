"""A check as the ``results.json`` that Gradescope reads from an autograder.

Its fields are those of "Autograder Specifications", section "Output format", in Gradescope's
documentation of autograders. A case that was passed, be it with a warning, is worth a point.
"""

import json
from typing import Any

from admin.check.judging import Result
from admin.check.reports.drawing import draw_case, draw_whole, plain
from admin.check.summary import WORDS, Checked

POINTS = 1.0
"""What a case is worth."""


def results_json(checked: Checked) -> str:
    """Return a check as Gradescope's JSON; the score is the sum of the tests'."""
    results = {
        "execution_time": round(checked.seconds),
        "output": " ".join([checked.sentence, f"Rulebook {checked.rulebook.id}.", *checked.notes]),
        "output_format": "text",
        "visibility": "visible",
        "tests": [_test(result) for result in checked.results],
        "extra_data": {
            "rulebook": checked.rulebook.id,
            "strict": checked.strict,
            "player": checked.player,
            "began": checked.began.isoformat(timespec="seconds"),
        },
    }
    return json.dumps(results, indent=1)


def _test(result: Result) -> dict[str, Any]:
    case, good = result.case, result.verdict.good
    return {
        "score": POINTS if good else 0.0,
        "max_score": POINTS,
        "status": "passed" if good else "failed",
        "name": f"{case.title} ({WORDS[result.verdict]})",
        "name_format": "text",
        "number": case.number,
        "output": plain(draw_case(result) if good else draw_whole(result)),
        "output_format": "text",
        "tags": [case.section.slug, result.verdict.value],
        "visibility": "visible",
        "extra_data": {"id": case.id, "seconds": round(result.seconds, 3)},
    }
