"""Games that other people's programs played agree with our rules, but for what is documented.

Their logs verify, and each turn of them is what the other program reported.
``tests/golden/others/README.md`` says what the files are.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import succeed
from loops import for_each
from oracle_files import OTHERS
from others_games import Follower, Report, agree_on_the_deal, reports_of

from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.log.verifier import Verifier

LOGS = sorted(OTHERS.glob("*.xml.gz"))


def follow(log: Path, reports: list[Report]) -> None:
    """Verify a log, and assert that the deal and every turn are as they were reported."""
    if "bag" in reports[0]:
        agree_on_the_deal(reports[0])
    follower = Follower(reports)
    verdict = Verifier(read(log)).verify()
    for event in verdict.events:
        follower(event)
    assert verdict.divergence is None
    follower.finish()


@for_each("log", LOGS, ids=lambda log: log.name)
def test_game_of_another_program_is_as_that_program_reported(log: Path) -> None:
    follow(log, reports_of(log))


@pytest.mark.parametrize("name", ["revised-54", "classic-58"])
def test_logs_of_other_programs_games_verify_on_the_command_line(name: str) -> None:
    assert "log complete" in succeed("replay", OTHERS / f"{name}.xml.gz", "--verify").output


# -- what was reported counts --------------------------------------------------------------------


def altered(report: Report) -> Iterator[tuple[str, Report]]:
    """For each thing that a report has, the report with another value of it."""
    for key, value in report.get("sheet", {}).items():
        yield key, report | {"sheet": report["sheet"] | {key: another(value)}}
    for key, value in report.items():
        if key != "sheet" and value:
            yield key, report | {key: another(value)}


def another(value: object) -> object:
    """Another value of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + 100
        case str():
            return value.replace("A", "B") if "A" in value else value + "A"
        case list():
            return [another(value[0]), *value[1:]]
        case dict():
            return {key: another(each) for key, each in value.items()}
    raise AssertionError(value)


def agrees(log: Path, reports: list[Report]) -> bool:
    """Whether a log is as these reports say."""
    try:
        follow(log, reports)
    except (AssertionError, KeyError):  # it is another position, or there is no such name
        return False
    return True


ALWAYS = {"player", "tile", "merged", "board", "cash", "shares", "tiles", "ending", "scores"}
REPORTED = {
    "revised": {*ALWAYS, "kind", "hotel"},
    "classic": {
        *ALWAYS,
        *("bag", "drew", "legal", "choices", "bonuses", "disposals", "can_end"),
        *("worth", "bank", "sizes", "prices"),
    },
}


@pytest.mark.parametrize("name", ["revised-54", "classic-rare-13"])
def test_any_other_report_of_a_turn_is_noticed(name: str) -> None:
    log = OTHERS / f"{name}.xml.gz"
    reports = reports_of(log)
    tried: dict[str, list[Report]] = {}
    for place, report in enumerate(reports):
        for key, other in altered(report):
            tried.setdefault(key, [*reports[:place], other, *reports[place + 1 :]])
    assert [key for key, others in tried.items() if agrees(log, others)] == []
    assert tried.keys() >= REPORTED[name.partition("-")[0]]
