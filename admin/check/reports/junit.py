"""A check as JUnit XML, which servers that run tests read: Jenkins, GitLab, GitHub's actions.

It is of the form that Jenkins' schema (junit-10.xsd) has, with the attributes besides that Ant's
requires.
"""

import io
import platform

from junitparser import Attr, Failure, IntAttr, JUnitXml, Skipped, TestCase, TestSuite

from admin.check.case import Section
from admin.check.judging import Result, Verdict
from admin.check.reports.drawing import draw_case, draw_evidence, draw_whole, plain
from admin.check.summary import Checked, reason
from admin.explaining.explanation_text import readable

PACKAGE = "acquire"
FAILED = "failed"
"""The type of a failure that ended nothing."""


class _Suite(TestSuite):
    """A suite among others: ``id`` counts from 0."""

    package = Attr()
    id = IntAttr()


def junit_xml(checked: Checked) -> bytes:
    """Return a check as JUnit XML: a suite for each section, a test for each case."""
    whole = JUnitXml("acquire check")
    for number, (section, results) in enumerate(checked.sections):
        whole.add_testsuite(_suite(checked, number, section, results))
    whole.tests, whole.errors = len(checked.results), 0
    whole.failures = checked.counts[Verdict.FAIL]
    whole.time = round(sum(result.seconds for result in checked.results), 3)
    file = io.BytesIO()
    whole.write(file)
    return file.getvalue()


def _suite(checked: Checked, number: int, section: Section, results: list[Result]) -> TestSuite:
    suite = _Suite(f"{section.number} {section.title}")
    suite.package, suite.id = PACKAGE, number
    suite.hostname = _text(platform.node()) or "localhost"
    suite.timestamp = checked.began.strftime("%Y-%m-%dT%H:%M:%S")
    suite.add_property("rulebook", checked.rulebook.id)
    suite.add_property("strict", "yes" if checked.strict else "no")
    suite.add_property("player", _text(checked.player))
    suite.add_testcases([_test(result) for result in results])
    return suite


def _test(result: Result) -> TestCase:
    case = result.case
    name = f"{case.number} {case.title}"
    test = TestCase(name, f"{PACKAGE}.{case.section.slug}", round(result.seconds, 3))
    match result.verdict:
        case Verdict.FAIL:
            failure = Failure(_text(reason(result)), result.ended_by or FAILED)
            failure.text = plain(draw_case(result))
            test.result = [failure]
            test.system_out = plain(draw_evidence(result))
        case Verdict.NOT_REACHED:
            test.result = [Skipped(_text(result.came))]
            test.system_out = plain(draw_whole(result))
        case _:
            test.system_out = plain(draw_whole(result))
    return test


def _text(text: str) -> str:
    """Return a text without what XML cannot hold."""
    return readable(text.encode(errors="backslashreplace"))
