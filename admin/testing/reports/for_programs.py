"""A check as test servers and autograders read it: JUnit XML, Gradescope, GitHub Classroom.

JUnit XML conforms to Jenkins' schema (junit-10.xsd), and has the attributes that Ant's schema
requires. Gradescope's fields are those of "Autograder Specifications", section "Output format";
GitHub's those that the action ``autograding-grading-reporter`` reads.

A player may have put anything into its folder, in which a report may be as well, so no link in it
is followed.
"""

import json
import platform
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree
from lxml.builder import E

from ....protocol.files import is_device, replace_file, verify_replaceable
from ....protocol.settings_file import (
    InvalidFile,
    InvalidSettings,
    Wrong,
    in_brief,
    parse,
    read_settings,
)
from ...advising.explaining.explanation_text import plain_text, readable
from ..cases.case import CaseSection
from ..judging.check_result import CaseResult, CaseVerdict, CheckResult, reason
from .case_text import WIDTH, draw_case, draw_evidence, draw_whole

PACKAGE = "acquire"
FAILED = "failed"  # the type of a failure without an ejection
SKIPPED = (CaseVerdict.RIGHT_SO_FAR, CaseVerdict.NOT_REACHED)


def junit_xml(check: CheckResult) -> bytes:
    """Return a check as JUnit XML: a suite for each section, a test for each case."""
    totals = _totals(check.results)
    if not any(result.seconds for result in check.results):  # a match judges several cases
        totals["time"] = _seconds(check.seconds)
    suites = E.testsuites(
        *(_suite(check, id_, *section) for id_, section in enumerate(check.sections)),
        name=check.command,
        **totals,
    )
    return etree.tostring(suites, encoding="UTF-8", xml_declaration=True)


def _suite(
    check: CheckResult, id_: int, section: CaseSection, results: Sequence[CaseResult]
) -> etree._Element:
    properties = {
        "rulebook": check.rulebook.id,
        "strict": "yes" if check.strict else "no",
        check.subject: _xml_text(check.player),
    }
    skipped = sum(result.verdict in SKIPPED for result in results)
    return E.testsuite(
        E.properties(*(E.property(name=name, value=value) for name, value in properties.items())),
        *map(_testcase, results),
        name=f"{section.number} {section.title}",
        package=PACKAGE,
        id=str(id_),  # it counts from 0
        hostname=_xml_text(platform.node()) or "localhost",
        timestamp=check.began.strftime("%Y-%m-%dT%H:%M:%S"),
        skipped=str(skipped),
        **_totals(results),
    )


def _totals(results: Sequence[CaseResult]) -> dict[str, str]:
    return {
        "tests": str(len(results)),
        "errors": "0",
        "failures": str(sum(result.verdict is CaseVerdict.FAIL for result in results)),
        "time": _seconds(sum(result.seconds for result in results)),
    }


def _seconds(seconds: float) -> str:
    return str(round(seconds, 3))


def _testcase(result: CaseResult) -> etree._Element:
    """Return a case with why it failed or was skipped, if it was, and the output."""
    case, why, output = result.case, [], draw_whole(result)
    if result.verdict is CaseVerdict.FAIL:
        kind, output = result.ended_by or FAILED, draw_evidence(result)
        told = plain_text(draw_case(result), WIDTH)
        why.append(E.failure(told, message=_xml_text(reason(result)), type=kind))
    elif result.verdict in SKIPPED:
        why.append(E.skipped(message=_xml_text(result.actual)))
    return E.testcase(
        *why,
        E("system-out", plain_text(output, WIDTH)),
        name=f"{case.number} {case.title}",
        classname=f"{PACKAGE}.{case.section.slug}",
        time=_seconds(result.seconds),
    )


def _xml_text(text: str) -> str:
    """Escape the characters that XML cannot contain."""
    return readable(text.encode(errors="backslashreplace"))


def read_weights(path: Path, sections: Collection[str]) -> dict[str, float]:
    """Read a file with the points of sections, by their names; ``InvalidFile``."""
    data = parse(path, "Write the points of each section, such as mergers = 20.")
    try:
        return read_settings(data, dict.fromkeys(sections, _points), "section with cases here")
    except InvalidSettings as error:
        raise InvalidFile(path, error.mistakes) from error


def _points(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 10_000:
        raise Wrong(f"must be points from 0 to 10000, not {in_brief(value)}.")
    return float(value)


def results_json(check: CheckResult) -> str:
    """Return a check as Gradescope's JSON."""
    shares: list[float] = []
    for number in range(1, len(check.results) + 1):  # rounded so that their sum is right
        shares.append(round(check.points(check.results[:number])[1] - sum(shares), 2))
    results: dict[str, Any] = {
        "execution_time": round(check.seconds),
        "output": " ".join([check.sentence, f"Rulebook {check.rulebook.id}.", *check.notes]),
        "output_format": "text",
        "visibility": "visible",
        "tests": [_test(*each) for each in zip(check.results, shares, strict=True)],
        "extra_data": {
            "rulebook": check.rulebook.id,
            "strict": check.strict,
            "player": check.player,
            "began": check.began.isoformat(timespec="seconds"),
        },
    }
    if check.weights is not None:  # the sum of rounded parts might differ a little
        results["score"] = round(check.points(check.results)[0], 2)
    return json.dumps(results, indent=1)


def _test(result: CaseResult, most: float) -> dict[str, Any]:
    case, passed = result.case, result.verdict.passed
    return {
        "score": most if passed else 0.0,
        "max_score": most,
        "status": "passed" if passed else "failed",
        "name": f"{case.title} ({result.verdict.word})",
        "name_format": "text",
        "number": case.number,
        "output": plain_text(draw_case(result) if passed else draw_whole(result), WIDTH),
        "output_format": "text",
        "tags": [case.section.slug, result.verdict.code],
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


@dataclass(frozen=True, slots=True)
class ReportFiles:
    """The paths of the reports by format, which is the name of its command-line option."""

    paths: Mapping[str, Path]
    write_as: Mapping[str, Callable[[CheckResult], bytes]]
    folder: Path | None = None  # the folder of a player who is not trusted

    def remove_old(self) -> str | None:
        """Remove earlier reports, or return why a file cannot be written; nothing is left behind.

        They would be taken for those of a check that was killed.
        """
        for option, path in self.paths.items():
            try:
                verify_replaceable(path, self.folder)
            except OSError as error:
                return f"--{option}: cannot write {path}: {error.strerror}."
        for path in self.paths.values():
            if not is_device(path):
                with suppress(OSError):  # writing it will report this
                    path.unlink(missing_ok=True)
        return None

    def write(self, check: CheckResult) -> list[str]:
        """Write the files; return an error message for each that could not be written."""
        errors = []
        for option, path in self.paths.items():
            try:
                replace_file(path, self.write_as[option](check), self.folder)
            except OSError as error:
                errors.append(f"Cannot write {path}: {error.strerror}.")
        return errors
