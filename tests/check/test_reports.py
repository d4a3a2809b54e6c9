"""The reports of a check: transcript, terminal, JUnit, Gradescope, page."""

from __future__ import annotations

import io
import json
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from loops import for_each
from lxml import etree, html
from virtual_time import Players, PlayerSocket

from acquire.admin.cli.check_output import most_informative, show
from acquire.admin.cli.safe_console import SafeConsole
from acquire.admin.launching.limits import ProcessExit
from acquire.admin.pages.html.board_svg import CELL, MARGIN
from acquire.admin.pages.html.check_page import page
from acquire.admin.testing.cases.case import Case, CaseSection, CaseSource, Scenario
from acquire.admin.testing.judging.check_result import (
    CaseResult,
    CaseVerdict,
    CheckResult,
    completed,
    group_similar,
)
from acquire.admin.testing.judging.checker import Checker
from acquire.admin.testing.reports.case_text import WHOLE, explanation_of, output_lines, shorten
from acquire.admin.testing.reports.for_programs import (
    classroom_json,
    junit_xml,
    read_weights,
    results_json,
)
from acquire.admin.testing.trial.player_source import ExitReport, PlayerConnection
from acquire.admin.testing.trial.trial import TrialResult
from acquire.admin.testing.trial.wire import MAX_RECORDED_BYTES, TranscriptEntry
from acquire.game.rulebooks import REVISED
from acquire.game.violation import Violation
from acquire.protocol.framing import LIMIT_FROM_REFEREE, Framer
from acquire.protocol.settings_file import InvalidFile
from check.thread_players import ThreadSource
from rerun.failing_game import in_virtual_time

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ESCAPES = b"\x1b[31mred\x07 <b>&\x00\xff ]]> {{ 7 }}\n"
HOSTILE_NAME = "<script>alert('&')</script>\x1b[2J"
RIGHT = b'<pbuy><placement><tile column="6" row="E"/></placement><order/></pbuy>'
NOT_IN_HAND = b'<pbuy><placement><tile column="9" row="I"/></placement><order/></pbuy>'
JUNK = b"<pbuy>\x00\x1b[31m\xff</pbuy>"
REPEAT = "acquire check --only {} -- ./player".format

SECTIONS = {
    section.slug: section
    for section in (CaseSection(4, "turn", "The plain turn"), CaseSection(7, "mergers", "Mergers"))
}


def case(slug: str, number: str, tested: str = "turn", of: str = "turn") -> Case:
    """Make a case in which only 6E can be placed."""
    return Case(
        section=SECTIONS[of],
        slug=slug,
        title=f"Title of {slug} & <more>",
        source=CaseSource("The rules in short", "it stays, unincorporated"),
        expected="The tile 6E placed.",
        hint="naming a hotel.",
        tested=frozenset({tested}),
        script=Scenario("player 6E | ann | bob").script(REVISED),
        number=number,
    )


class Answering(ThreadSource):
    """A source of a player that sends `data` in answer to a turn, and crashes if that is wrong."""

    def __init__(self, data: bytes, players: Players) -> None:
        super().__init__(self._answer_all, players)
        self._data = data

    @asynccontextmanager
    async def connect(self, name: str) -> AsyncIterator[PlayerConnection]:
        """Connect it."""
        async with super().connect(name) as player:
            yield player
        if self._data != RIGHT:
            failed = ProcessExit(1, None, 0, 10, 1000)
            player.exit_report = ExitReport(failed, "It ended with exit code 1.", ESCAPES)

    def _answer_all(self, connection: PlayerSocket, name: str) -> None:
        framer = Framer(LIMIT_FROM_REFEREE)
        connection.sendall(f'<signup name="{name}"/>'.encode())
        while data := connection.recv(65536):
            found = framer.feed(data)
            while isinstance(found, bytes):
                connection.sendall(self._answer(found))
                found = framer.feed(b"")

    def _answer(self, question: bytes) -> bytes:
        if question.startswith(b"<turn>"):
            return self._data
        return b"<void/>" if question.startswith((b"<state>", b"<tile ", b"<score>")) else b""


def played(data: bytes, *cases: Case) -> list[CaseResult]:
    """Play cases at a connection."""
    return in_virtual_time(
        lambda players: Checker(cases, Answering(data, players), keep_going=True).run()
    )


@pytest.fixture(scope="module")
def results() -> tuple[CaseResult, ...]:
    """One result of each kind: passed, warned, failed twice, not reached twice."""
    passed, warned = played(RIGHT, case("passed", "4.1"), case("warned", "4.2"))
    warned = replace(warned, verdict=CaseVerdict.WARN, warnings=("<turn> took 2.01 s \x1b[5m.",))
    illegal, keep = played(
        NOT_IN_HAND, case("illegal", "4.3"), case("keep", "7.1", "keep", of="mergers")
    )
    (junk,) = played(JUNK, case("junk", "4.4"))
    never = CaseResult(
        case("never", "7.2", of="mergers"), CaseVerdict.NOT_REACHED, "Not played: stopped."
    )
    verdicts = [each.verdict.code for each in (passed, illegal, keep, junk)]
    assert verdicts == ["pass", "fail", "not-reached", "fail"]
    return passed, warned, illegal, junk, keep, never


@pytest.fixture(scope="module")
def checked(results: tuple[CaseResult, ...]) -> CheckResult:
    began = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    return CheckResult(REVISED, f"./player {HOSTILE_NAME}", False, results, began, 2.0)


# -- the transcript -----------------------------------------------------------------------------


def lines(count: int) -> list[TranscriptEntry]:
    return [TranscriptEntry(number / 10, "AP"[number % 2], b"<void/>") for number in range(count)]


def test_short_conversation_is_shown_in_full() -> None:
    assert shorten(lines(5), (4, 100)) == shorten(lines(5), WHOLE)
    assert [message.sender for message in shorten(lines(5), WHOLE)] == [*"APAPA"]


def test_long_conversation_keeps_its_beginning_and_its_end() -> None:
    found = shorten(lines(20), (8, 100))
    assert [each.seconds for each in found[:3]] == [0.0, 0.1, 0.2]
    assert (found[3].sender, found[3].text) == ("", "12 messages omitted")
    assert [each.seconds for each in found[4:]] == [1.5, 1.6, 1.7, 1.8, 1.9]
    assert len(shorten(lines(20), WHOLE)) == 20


@for_each(
    ("data", "splits", "text"),
    [
        (b"<" + b"x" * 998 + b">", 0, f"<{'x' * 39} [.. 900 characters ..] {'x' * 59}>"),
        (b"\x1b\x00\xff\n", 0, r"\x1b\x00\xff\n"),
        (b"<state/>", 4, "<│s│t│a│te/>"),
        (b"<state/>", 5, "<state/> (in 6 pieces)"),
    ],
)
def test_message_is_cut_escaped_and_marked_where_it_was_split(
    data: bytes, splits: int, text: str
) -> None:
    entry = TranscriptEntry(0, "A", data, tuple(range(1, splits + 1)))
    assert [each.text for each in shorten([entry], (4, 100))] == [text]


def test_sender_of_more_than_was_recorded_is_named() -> None:
    much = [TranscriptEntry(0, "P", b"x" * MAX_RECORDED_BYTES), TranscriptEntry(0, "A", b"x")]
    notes = [message.text for message in shorten(much) if not message.sender]
    assert notes == ["The player sent more than was recorded."]


# -- the whole ----------------------------------------------------------------------------------


def test_sentence_counts_every_verdict(checked: CheckResult) -> None:
    assert checked.sentence == "1 of 6 passed, 1 warned, 2 failed, 2 not reached."
    assert not checked.passed
    assert replace(checked, results=checked.results[:2]).passed
    passed, *_, other = checked.results
    nearly = replace(other, verdict=CaseVerdict.RIGHT_SO_FAR)
    assert replace(checked, results=(passed, nearly)).sentence == "1 of 2 passed, 1 right so far."
    assert replace(checked, results=(nearly, other)).sentence == (
        "1 of 2 right so far, 1 not reached."
    )


def test_cases_without_a_verdict_are_not_reached(results: Sequence[CaseResult]) -> None:
    cases = [result.case for result in results]
    whole = completed(cases, results[1:3], "Not played.")
    assert [each.case.id for each in whole] == [each.id for each in cases]
    assert whole[1] is results[1]
    assert (whole[0].verdict, whole[0].actual) == (CaseVerdict.NOT_REACHED, "Not played.")


def test_sentences_that_differ_in_numbers_are_grouped(results: Sequence[CaseResult]) -> None:
    found = [
        ("<turn> took 2.01 s.", results[0]),
        ("x", results[1]),
        ("<turn> took 3 s.", results[2]),
    ]
    assert [(sentence, len(found)) for sentence, found in group_similar(found)] == [
        ("<turn> took 2.01 s.", 2),
        ("x", 1),
    ]


def test_evidence_is_the_explanation_and_the_output(results: Sequence[CaseResult]) -> None:
    passed, _, illegal, junk, _, never = results
    explanation = explanation_of(illegal)
    assert explanation is not None and explanation.violation is not None
    assert explanation.violation.value == "tile-not-in-hand"
    assert explanation_of(passed) is explanation_of(never) is None
    assert explanation_of(junk) is not None
    assert output_lines(junk) == [r"\x1b[31mred\x07 <b>&\x00\xff ]]> {{ 7 }}"]
    assert output_lines(passed) == []


# -- the terminal -------------------------------------------------------------------------------


def shown(checked: CheckResult, *, verbose: bool = False, colour: bool = False) -> str:
    file = io.StringIO()
    width = {"width": 100} if colour else {"pipe_width": 100}
    console = SafeConsole(file=file, force_terminal=colour, **width)
    show(console, checked, REPEAT, verbose=verbose)
    return file.getvalue()


def test_last_line_has_the_counts_and_the_pace(checked: CheckResult) -> None:
    last = shown(checked).splitlines()[-1]
    assert re.fullmatch(re.escape(checked.sentence) + r" \(2\.0 s\)", last)


def test_cases_without_times_of_their_own_have_no_column_of_seconds(checked: CheckResult) -> None:
    """As those of an administrator, several of which are judged by one match."""
    assert " seconds" in shown(checked)
    untimed = replace(
        checked, results=tuple(replace(each, seconds=0.0) for each in checked.results)
    )
    assert " seconds" not in shown(untimed)
    assert shown(untimed).splitlines()[-1].endswith(" (2.0 s)")


def test_failed_case_is_shown_with_its_evidence(checked: CheckResult) -> None:
    output = shown(checked)
    for part in (
        "✗ failed  4.3  Title of illegal",
        "docs/reference/protocol.md, The rules in short: “it stays, unincorporated”",
        "expected  The tile 6E placed.",
        "Tile 9I is not in the hand",
        "guess     A common bug here is naming a hotel.",
        "[ ] where 9I was tried",
        'P> <pbuy><placement><tile column="9" row="I"/>',
        "Output of the program",
        "To repeat: acquire check --only 4.3 -- ./player",
    ):
        assert part in output, part


def test_output_to_a_file_is_plain(checked: CheckResult) -> None:
    output = shown(checked, verbose=True)
    assert all(char.isprintable() or char == "\n" for char in output)
    assert not re.search(r" +$", output, re.MULTILINE)


def test_player_cannot_control_the_terminal(checked: CheckResult) -> None:
    output = shown(checked, verbose=True, colour=True)
    assert r"\x1b[31mred\x07" in output
    assert "\x07" not in output
    assert "\x00" not in output
    ours = re.sub(r"\x1b\[[0-9;]*m", "", output)
    assert "\x1b" not in ours
    assert not re.search(r"\x1b\[5m", output)


def test_verbose_shows_the_messages_of_passed_cases(checked: CheckResult) -> None:
    heading = "✓ passed  4.1"
    assert heading not in shown(checked)
    assert heading in shown(checked, verbose=True)
    assert "characters ..]" in shown(checked)
    assert "characters ..]" not in shown(checked, verbose=True)


def test_warnings_and_unreached_cases_have_a_line(checked: CheckResult) -> None:
    output = shown(checked)
    assert re.search(r"^! warning  <turn> took 2\.01 s .*4\.2$", output, re.MULTILINE)
    assert re.search(r"^- not reached  7\.2\n +Not played: stopped\.$", output, re.MULTILINE)


def test_of_many_failures_one_of_each_kind_is_shown_in_full(
    checked: CheckResult, results: Sequence[CaseResult]
) -> None:
    illegal, junk = results[2:4]
    same = [replace(illegal, case=case(f"same-{n}", f"4.{n}")) for n in range(10, 18)]
    chosen = most_informative([*same, junk])
    assert [each.case.number for each in chosen] == ["4.10", "4.4"]
    output = shown(replace(checked, results=(*same, junk)))
    assert output.count("To repeat: ") == 2
    assert "7 more failed. For details: acquire check --only NUMBER -- ./player" in output


def test_case_with_the_most_frequent_hint_is_shown_in_full(results: Sequence[CaseResult]) -> None:
    """The rest of the sentence may differ from case to case."""
    left, kinds = results[2].trial.ejected, []
    assert left is not None
    for number, hint in enumerate(["Two were sent.", "It came twice.", "It came twice."]):
        trial = TrialResult(name=left.name, events=[left._replace(hint=hint)])
        named = case(f"hint-{number}", f"4.{number}")
        kinds.append(replace(results[2], case=named, actual=f"{hint} {hint * number}", trial=trial))
    assert [each.case.number for each in most_informative(kinds)] == ["4.1"]


def test_case_of_framing_is_shown_last_unless_its_bytes_are_wrong(
    results: Sequence[CaseResult],
) -> None:
    illegal, junk = results[2:4]

    def framing(result: CaseResult) -> CaseResult:
        section = result.case.section._replace(slug="framing")
        return replace(result, case=replace(result.case, section=section, number="2.1"))

    for other, numbers in ((illegal, ["4.4", "2.1"]), (junk, ["2.1", "4.3"])):
        beside = junk if other is illegal else illegal
        chosen = most_informative([framing(other), beside])
        assert [each.case.number for each in chosen] == numbers


def test_no_more_than_five_failures_are_shown_in_full(results: Sequence[CaseResult]) -> None:
    left = results[2].trial.ejected
    assert left is not None
    kinds = []
    for number, violation in enumerate(Violation):
        other = TrialResult(name=left.name, events=[left._replace(violation=violation)])
        kinds.append(replace(results[2], case=case(f"kind-{number}", f"4.{number}"), trial=other))
    chosen = most_informative(kinds)
    assert [each.case.number for each in chosen] == ["4.0", "4.1", "4.2", "4.3", "4.4"]


@pytest.mark.parametrize(("count", "more"), [(12, ""), (13, " and 1 more"), (15, " and 3 more")])
def test_no_more_than_twelve_numbers_are_listed(
    checked: CheckResult, results: Sequence[CaseResult], count: int, more: str
) -> None:
    never = results[-1]
    same = [replace(never, case=case(f"n-{n}", f"7.{n}")) for n in range(1, count + 1)]
    listed = ", ".join(f"7.{n}" for n in range(1, 13))
    found = shown(replace(checked, results=(results[2], *same)))
    assert f"- not reached  {listed}{more}\n" in found


def test_section_has_a_row_with_its_counts(checked: CheckResult) -> None:
    rows = [line.split() for line in shown(checked).splitlines()]
    assert ["4", "The", "plain", "turn", "1", "1", "2", "·"] in [row[:-1] for row in rows]
    assert ["7", "Mergers", "·", "·", "·", "2"] in [row[:-1] for row in rows]


# -- JUnit XML ----------------------------------------------------------------------------------

ELEMENTS: dict[str, tuple[set[str], set[str], set[str]]] = {
    "testsuites": ({"testsuite"}, set(), {"name", "time", "tests", "failures", "errors"}),
    "testsuite": (
        {"testsuite", "properties", "testcase", "system-out", "system-err"},
        {
            *("name", "tests", "failures", "errors"),
            *("package", "id", "timestamp", "hostname", "time"),
        },
        {"group", "skipped", "file", "log", "url", "version"},
    ),
    "properties": ({"property"}, set(), set()),
    "property": (set(), {"name", "value"}, set()),
    "testcase": (
        {"skipped", "error", "failure", "system-out", "system-err"},
        {"name", "classname", "time"},
        {"group"},
    ),
    "failure": (set(), {"type"}, {"message"}),
    "skipped": (set(), set(), {"type", "message"}),
    "system-out": (set(), set(), set()),
}
"""Children, attributes that have to be there, and others, by Jenkins' schema, junit-10.xsd.

More attributes have to be there by Ant's schema, JUnit.xsd, than by Jenkins'.
"""
TIME = r"(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]{0,3})?"
"""Seconds, as junit-10.xsd has them: three decimals at most."""


def test_junit_xml_is_of_the_form_of_both_schemas(checked: CheckResult) -> None:
    root = etree.fromstring(junit_xml(checked))
    assert root.tag == "testsuites"
    for element in root.iter():
        children, required, others = ELEMENTS[str(element.tag)]
        assert {str(child.tag) for child in element} <= children
        assert required <= {*element.attrib} <= required | others
        assert re.fullmatch(TIME, element.get("time", "0"))
    for number, suite in enumerate(root):
        assert suite.get("id") == str(number)
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.attrib["timestamp"])


def test_junit_xml_has_a_suite_for_each_section_and_the_counts(checked: CheckResult) -> None:
    root = etree.fromstring(junit_xml(checked))
    assert [root.get(name) for name in ("tests", "failures", "errors")] == ["6", "2", "0"]
    suites = root.findall("testsuite")
    for parent in (root, *suites):
        times = [float(child.get("time", "0")) for child in parent]
        assert float(parent.get("time", "0")) == pytest.approx(sum(times), abs=0.01)
    counts = [
        [suite.get(name) for name in ("name", "tests", "failures", "errors", "skipped")]
        for suite in suites
    ]
    assert counts == [["4 The plain turn", "4", "2", "0", "0"], ["7 Mergers", "2", "0", "0", "2"]]
    for suite in suites:
        tests = suite.findall("testcase")
        assert len(tests) == int(suite.attrib["tests"])
        assert len(suite.findall("testcase/failure")) == int(suite.attrib["failures"])
        assert len(suite.findall("testcase/skipped")) == int(suite.attrib["skipped"])
        properties = {each.get("name"): each.get("value") for each in suite.iter("property")}
        assert properties["rulebook"] == "revised"
        assert properties["player"] == f"./player {HOSTILE_NAME}".replace("\x1b", r"\x1b")


def test_junit_failure_has_the_reason_and_the_messages(checked: CheckResult) -> None:
    root = etree.fromstring(junit_xml(checked))
    (test,) = root.xpath("//testcase[starts-with(@name, '4.3 ')]")
    failure = test.find("failure")
    assert failure.get("type") == "illegal"
    assert "Tile 9I is not in the hand" in failure.get("message")
    assert "expected  The tile 6E placed." in failure.text
    assert 'P> <signup name="player"/>' in test.findtext("system-out")


def test_junit_xml_can_contain_whatever_a_player_sends(checked: CheckResult) -> None:
    written = junit_xml(checked).decode()
    assert r"\x00\x1b[31m\xff" in written
    assert all(char.isprintable() or char == "\n" for char in written)


# -- Gradescope ---------------------------------------------------------------------------------

FIELDS = {
    *("score", "execution_time", "output", "output_format", "test_output_format"),
    *("test_name_format", "visibility", "stdout_visibility", "extra_data", "tests", "leaderboard"),
}
TEST_FIELDS = {
    *("score", "max_score", "status", "name", "name_format", "number", "output", "output_format"),
    *("tags", "visibility", "extra_data"),
}
VISIBILITY = {"visible", "hidden", "after_due_date", "after_published"}
FORMATS = {"text", "html", "simple_format", "md", "ansi"}


def test_gradescope_gets_its_own_fields(checked: CheckResult) -> None:
    results = json.loads(results_json(checked))
    assert set(results) <= FIELDS
    assert isinstance(results["execution_time"], int)
    assert results["output_format"] in FORMATS and results["visibility"] in VISIBILITY
    assert "score" not in results  # else the tests' would not count
    for test in results["tests"]:
        assert set(test) <= TEST_FIELDS
        assert 0 <= test["score"] <= test["max_score"]
        assert test["status"] in {"passed", "failed"}
        assert test["visibility"] in VISIBILITY
        assert {test["output_format"], test["name_format"]} <= FORMATS
        assert all(isinstance(test[key], str) for key in ("name", "number", "output"))
        assert all(isinstance(tag, str) for tag in test["tags"])


def test_gradescope_gets_a_point_for_each_passed_case(checked: CheckResult) -> None:
    tests = json.loads(results_json(checked))["tests"]
    found = [(test["number"], test["score"], test["status"]) for test in tests]
    assert found == [
        ("4.1", 1, "passed"),
        ("4.2", 1, "passed"),
        ("4.3", 0, "failed"),
        ("4.4", 0, "failed"),
        ("7.1", 0, "failed"),
        ("7.2", 0, "failed"),
    ]
    assert all(test["max_score"] == 1 for test in tests)
    assert "Tile 9I is not in the hand" in tests[2]["output"]
    assert r"\x1b[31mred" in tests[3]["output"]


def test_points_of_a_section_are_divided_among_its_cases(checked: CheckResult) -> None:
    weighted = replace(checked, weights={"turn": 10.0, "buying": 5.0})
    results = json.loads(results_json(weighted))
    parts = {test["number"]: (test["score"], test["max_score"]) for test in results["tests"]}
    assert (parts["4.1"], parts["4.3"], parts["7.1"]) == ((2.5, 2.5), (0, 2.5), (0, 0))
    assert results["score"] == 5
    assert "5 of 10" in shown(weighted) and " 5 of 10 points." in shown(weighted).splitlines()[-1]
    (test,) = json.loads(classroom_json(weighted))["tests"]
    assert (test["status"], test["score"], test["max_score"]) == ("fail", 5, 10)
    assert test["message"].startswith("4.3 ")


def test_points_of_cases_add_up_to_those_of_their_sections(checked: CheckResult) -> None:
    weighted = replace(checked, weights={"turn": 100.0, "mergers": 5.0 / 3})
    tests = json.loads(results_json(weighted))["tests"]
    assert round(sum(test["max_score"] for test in tests), 9) == 101.67


def test_weights_name_sections(tmp_path: Path) -> None:
    file = tmp_path / "weights.toml"
    file.write_text("turn = 20\nmergers = 2.5")
    assert read_weights(file, ["turn", "mergers"]) == {"turn": 20, "mergers": 2.5}
    file.write_text("turns = 20\nmergers = -1")
    with pytest.raises(InvalidFile) as caught:
        read_weights(file, ["turn", "mergers"])
    assert "mergers: must be points from 0 to 10000, not -1." in str(caught.value)
    assert "'turns' is not a section with cases here. Did you mean 'turn'?" in str(caught.value)
    file.write_text(f"turn = 0x{'f' * 5000}")  # more digits than Python writes
    with pytest.raises(InvalidFile, match="not a number that is too large"):
        read_weights(file, ["turn"])


# -- the page -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def document(checked: CheckResult) -> html.HtmlElement:
    return html.document_fromstring(page(checked))


def words(element: html.HtmlElement) -> str:
    return " ".join(element.text_content().split())


def test_page_needs_no_network(document: html.HtmlElement) -> None:
    (policy,) = document.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy.startswith("default-src 'none'")
    assert not document.xpath(
        "//script | //link[not(starts-with(@href, 'data:'))] | //img | //iframe | //object | //@src"
    )
    assert all(link.startswith("#") for link in document.xpath("//a/@href"))
    assert "url(" not in document.xpath("string(//style)")


def test_links_lead_to_cases_and_sections(document: html.HtmlElement) -> None:
    ids = document.xpath("//@id")
    assert len(set(ids)) == len(ids)
    assert {link[1:] for link in document.xpath("//a/@href")} <= set(ids)


def test_failed_cases_are_open(document: html.HtmlElement) -> None:
    assert document.xpath("//details/@id") == [
        *("turn-passed", "turn-warned", "turn-illegal", "turn-junk"),
        *("mergers-keep", "mergers-never"),
    ]
    assert document.xpath("//details[@open]/@id") == ["turn-illegal", "turn-junk"]


def test_of_many_failed_cases_the_first_is_open(checked: CheckResult) -> None:
    results = tuple(
        replace(result, case=replace(result.case, slug=f"{result.case.slug}{more}"))
        for more in ("", *range(6))
        for result in checked.results
    )
    many = html.document_fromstring(page(replace(checked, results=results)))
    assert many.xpath("//details[@open]/@id") == ["turn-illegal"]
    assert not many.xpath("//th[not(normalize-space())]"), "screen readers say nothing of it"


def test_page_shows_a_failed_case_with_its_evidence(document: html.HtmlElement) -> None:
    output = words(document.get_element_by_id("turn-illegal"))
    for part in (
        "✗ failed 4.3 Title of illegal & <more>",
        "docs/reference/protocol.md, The rules in short: it stays, unincorporated",
        "Expected The tile 6E placed.",
        "Tile 9I is not in the hand",
        "Guess A common bug here is naming a hotel.",
        "framed where 9I was tried",
        "player (under test)",
        'P> <signup name="player"/>',
        "Output of the program",
    ):
        assert part in output, part


def test_page_frames_the_cell_of_the_tile(document: html.HtmlElement) -> None:
    (rect,) = document.get_element_by_id("turn-illegal").xpath(".//*[@stroke-dasharray]")
    assert rect.get("x") == rect.get("y") == str(MARGIN + 8 * CELL), "9I"


def test_page_draws_the_position_where_there_was_one(document: html.HtmlElement) -> None:
    drawn = document.xpath("//details[.//*[local-name() = 'svg']]/@id")
    assert "turn-passed" in drawn and "turn-illegal" in drawn
    assert "mergers-never" not in drawn


def test_number_of_failed_cases_is_seen_on_a_phone(checked: CheckResult, browser: Browser) -> None:
    tab = browser.new_page(viewport={"width": 390, "height": 844})
    tab.set_content(page(checked))
    box = tab.locator(".counts th .fail").bounding_box()
    assert box is not None and box["x"] + box["width"] <= 390
    tab.close()


def test_names_and_bytes_are_text_on_the_page(document: html.HtmlElement) -> None:
    assert "<script>alert('&')</script>\ufffd[2J" in words(document)
    assert r"\x1b[31mred\x07 <b>&\x00\xff ]]> {{ 7 }}" in words(document)
    assert not document.xpath("//b")
    assert all(char.isprintable() or char in "\n\t" for char in document.text_content())


def test_bar_of_a_section_has_a_label(document: html.HtmlElement) -> None:
    labels = document.xpath("//span[@class='bar']/@aria-label")
    assert labels == ["1 passed, 1 warned, 2 failed", "2 not reached"]
    widths = [
        float(width)
        for width in re.findall(r"width: ([\d.]+)%", " ".join(document.xpath("//i/@style")))
    ]
    assert sum(widths) == pytest.approx(200)
