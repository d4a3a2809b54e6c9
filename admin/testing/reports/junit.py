"""A check as JUnit XML, which test servers read: Jenkins, GitLab, GitHub Actions.

It conforms to Jenkins' schema (junit-10.xsd), and has the attributes that Ant's schema requires.
"""

import io
import platform

from junitparser import Attr, Failure, IntAttr, JUnitXml, Skipped, TestCase, TestSuite

from ...advising.explaining.explanation_text import readable
from ..case_parts.case import CaseSection
from ..judging.case_result import CaseResult, CaseVerdict
from ..judging.check_result import CheckResult, reason
from .case_text import draw_case, draw_evidence, draw_whole, plain_text

PACKAGE = "acquire"
FAILED = "failed"
"""The type of a failure without an ejection."""


class _Suite(TestSuite):
    """A suite; ``id`` counts from 0."""

    package = Attr()
    id = IntAttr()


def junit_xml(check: CheckResult) -> bytes:
    """Return a check as JUnit XML: a suite for each section, a test for each case."""
    suites = JUnitXml("acquire check")
    for number, (section, results) in enumerate(check.sections):
        suites.add_testsuite(_suite(check, number, section, results))
    suites.tests, suites.errors = len(check.results), 0
    suites.failures = check.counts[CaseVerdict.FAIL]
    suites.time = round(sum(result.seconds for result in check.results), 3)
    file = io.BytesIO()
    suites.write(file)
    return file.getvalue()


def _suite(
    check: CheckResult, number: int, section: CaseSection, results: list[CaseResult]
) -> TestSuite:
    suite = _Suite(f"{section.number} {section.title}")
    suite.package, suite.id = PACKAGE, number
    suite.hostname = _xml_text(platform.node()) or "localhost"
    suite.timestamp = check.began.strftime("%Y-%m-%dT%H:%M:%S")
    suite.add_property("rulebook", check.rulebook.id)
    suite.add_property("strict", "yes" if check.strict else "no")
    suite.add_property("player", _xml_text(check.player))
    suite.add_testcases([_test(result) for result in results])
    return suite


def _test(result: CaseResult) -> TestCase:
    case = result.case
    name = f"{case.number} {case.title}"
    test = TestCase(name, f"{PACKAGE}.{case.section.slug}", round(result.seconds, 3))
    match result.verdict:
        case CaseVerdict.FAIL:
            failure = Failure(_xml_text(reason(result)), result.ended_by or FAILED)
            failure.text = plain_text(draw_case(result))
            test.result = [failure]
            test.system_out = plain_text(draw_evidence(result))
        case CaseVerdict.RIGHT_SO_FAR | CaseVerdict.NOT_REACHED:
            test.result = [Skipped(_xml_text(result.actual))]
            test.system_out = plain_text(draw_whole(result))
        case CaseVerdict.PASS | CaseVerdict.WARN:
            test.system_out = plain_text(draw_whole(result))
    return test


def _xml_text(text: str) -> str:
    """Escape the characters that XML cannot contain."""
    return readable(text.encode(errors="backslashreplace"))
