"""A check as JUnit XML, which test servers read: Jenkins, GitLab, GitHub Actions.

It conforms to Jenkins' schema (junit-10.xsd), and has the attributes that Ant's schema requires.
"""

import platform
from collections.abc import Sequence
from typing import assert_never

from lxml import etree
from lxml.builder import E

from ...advising.explaining.explanation_text import readable
from ..case_parts.case import CaseSection
from ..judging.check_result import CaseResult, CaseVerdict, CheckResult, reason
from .case_text import draw_case, draw_evidence, draw_whole, plain_text

PACKAGE = "acquire"
FAILED = "failed"
"""The type of a failure without an ejection."""


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
    return E.testsuite(
        E.properties(*(E.property(name=name, value=value) for name, value in properties.items())),
        *map(_test, results),
        name=f"{section.number} {section.title}",
        package=PACKAGE,
        id=str(id_),  # it counts from 0
        hostname=_xml_text(platform.node()) or "localhost",
        timestamp=check.began.strftime("%Y-%m-%dT%H:%M:%S"),
        skipped=_count(results, CaseVerdict.RIGHT_SO_FAR, CaseVerdict.NOT_REACHED),
        **_totals(results),
    )


def _totals(results: Sequence[CaseResult]) -> dict[str, str]:
    return {
        "tests": str(len(results)),
        "errors": "0",
        "failures": _count(results, CaseVerdict.FAIL),
        "time": _seconds(sum(result.seconds for result in results)),
    }


def _count(results: Sequence[CaseResult], *verdicts: CaseVerdict) -> str:
    return str(sum(result.verdict in verdicts for result in results))


def _seconds(seconds: float) -> str:
    return str(round(seconds, 3))


def _test(result: CaseResult) -> etree._Element:
    case = result.case
    return E.testcase(
        *_children(result),
        name=f"{case.number} {case.title}",
        classname=f"{PACKAGE}.{case.section.slug}",
        time=_seconds(result.seconds),
    )


def _children(result: CaseResult) -> list[etree._Element]:
    """Return why a case failed or was skipped, if it was, and the output."""
    match result.verdict:
        case CaseVerdict.FAIL:
            failure = E.failure(
                plain_text(draw_case(result)),
                message=_xml_text(reason(result)),
                type=result.ended_by or FAILED,
            )
            return [failure, E("system-out", plain_text(draw_evidence(result)))]
        case CaseVerdict.RIGHT_SO_FAR | CaseVerdict.NOT_REACHED:
            skipped = E.skipped(message=_xml_text(result.actual))
            return [skipped, E("system-out", plain_text(draw_whole(result)))]
        case CaseVerdict.PASS | CaseVerdict.WARN:
            return [E("system-out", plain_text(draw_whole(result)))]
        case unreachable:
            assert_never(unreachable)


def _xml_text(text: str) -> str:
    """Escape the characters that XML cannot contain."""
    return readable(text.encode(errors="backslashreplace"))
