"""The analysis of a whole game: as JSON, in the terminal, the same in any number of processes."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypeVar

import pytest
from command_line import invoke
from rich.console import Console

from acquire.admin.pages.html.replay_page import page_and_verdict
from acquire.admin.refereeing.log.reader import read
from acquire.admin.studying.analysis.analysis import Analysis, analyse, work_on
from acquire.admin.studying.analysis.analysis_json import as_json
from acquire.admin.studying.analysis.analysis_text import draw_analysis
from acquire.admin.studying.analysis.chances import (
    TurningPoint,
    chances,
    change,
    most_changed,
    turning_points,
)
from acquire.admin.studying.analysis.decision_log import DecisionLog
from acquire.admin.studying.analysis.playing import AnalysedTable
from acquire.admin.tournament.run.executors import process_pool
from analysis.blunders import short_game

GOLDEN = Path(__file__).parents[1] / "golden"
P = ParamSpec("P")
T = TypeVar("T")


class Noting(Executor):
    """Has another executor do the calls, and notes which games they are to play."""

    def __init__(self, executor: Executor) -> None:
        self.games: list[range] = []
        self._executor = executor

    def submit(self, call: Callable[P, T], /, *arguments: P.args, **others: P.kwargs) -> Future[T]:
        """Note the games of a call, and pass it on."""
        self.games += [argument for argument in arguments if isinstance(argument, range)]
        return self._executor.submit(call, *arguments, **others)


class Found(NamedTuple):
    """An analysis, and the games that were played for chances, in order."""

    analysis: Analysis
    games: list[range]


@pytest.fixture(scope="module")
def noted() -> Found:
    work = work_on(short_game().log, 2, 3)
    done: list[tuple[int, int]] = []
    with process_pool(1) as executor:
        noting = Noting(executor)
        analysis = analyse(work, noting, lambda *count: done.append(count))
    assert done[-1][0] == len(done) <= done[-1][1]
    return Found(analysis, noting.games)


@pytest.fixture(scope="module")
def found(noted: Found) -> Analysis:
    return noted.analysis


def test_blunder_is_the_first_costly_decision_of_the_table(found: Analysis) -> None:
    first = found.costly[0].decision
    assert (first.turn, first.name) == (1, short_game().players[0])
    file = io.StringIO()
    Console(file=file, width=100).print(draw_analysis(found))
    lines = [line.split() for line in file.getvalue().splitlines()]
    assert ["1", first.name, *first.options[first.recorded].text.split()] in [x[:5] for x in lines]


def test_plain_values_say_what_was_recorded_and_better(found: Analysis) -> None:
    values = as_json(found)
    decision = next(each for each in values["decisions"] if each["costly"])
    leads = [option["lead"] for option in decision["options"]]
    assert leads == sorted(leads, reverse=True)
    assert decision["options"][decision["recorded"]]["more_lead"] == {"mean": 0, "error": 0}
    assert decision["cost"]["lead"]["mean"] >= 2000
    assert values["seed"] == "3"
    assert len(values["chances"]) == len({each.decision.turn for each in found.valued})
    for each in values["chances"]:
        assert sum(each["win"]) == pytest.approx(1, abs=0.01)
    assert json.loads(json.dumps(values)) == values


def test_page_has_the_analysis_only_if_it_was_made(found: Analysis, tmp_path: Path) -> None:
    path = tmp_path / "game.xml"
    path.write_bytes(short_game().log)
    with_it, _ = page_and_verdict(read(path), as_json(found))
    without, _ = page_and_verdict(read(path))
    assert 'id="why"' in with_it
    assert 'id="why"' not in without
    assert "#why" not in without.partition("<script")[0]


def test_command_prints_what_the_analysis_found(
    found: Analysis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    path = tmp_path / "game.xml"
    path.write_bytes(short_game().log)
    done = invoke("replay", path, "--analyse", "--games", "2", "--seed", "3", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout) == as_json(found)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--json", "--html", "x.html", "--analyse"), "Give --json without it"),
        (("--analyse", "--from", "3", "--seat", "a=recorded"), "Give only one of them"),
        (("--games", "3"), "--games needs --from"),
    ],
)
def test_options_that_do_not_fit_together_are_refused(
    arguments: tuple[str, ...], sentence: str
) -> None:
    log = GOLDEN / "revised-large-hotel.xml"
    done = invoke("replay", log, *arguments)
    assert done.exit_code == 2
    assert sentence in done.output


def test_diverging_log_is_refused(tmp_path: Path) -> None:
    text = (GOLDEN / "revised-large-hotel.xml").read_text()
    path = tmp_path / "game.xml"
    path.write_text(text.replace('amount="', 'amount="1', 1))
    done = invoke("replay", path, "--analyse")
    assert done.exit_code == 1
    assert "diverges" in done.output


@pytest.mark.soak
def test_number_of_processes_changes_nothing(found: Analysis) -> None:
    with process_pool(2) as executor:
        again = analyse(found.work, executor, lambda *_: None)
    assert as_json(again) == as_json(found)


@pytest.mark.soak
@pytest.mark.parametrize("name", ["digest-nobody-left", "revised-nobody-left"])
def test_game_in_which_players_leave_is_analysed(name: str) -> None:
    work = work_on((GOLDEN / f"{name}.xml").read_bytes(), 2, None)
    with process_pool(2) as executor:
        values: dict[str, Any] = as_json(analyse(work, executor, lambda *_: None))
    assert values["decisions"]


# -- turning points -----------------------------------------------------------------------------


def test_closer_look_plays_more_games_and_none_again(noted: Found) -> None:
    first, closer = dict.fromkeys(noted.games)
    assert not {*first} & {*closer}
    assert len(closer) > len(first)


def test_chances_are_those_of_the_games_that_are_asked_for() -> None:
    record = read(GOLDEN / "revised-three-way-tie-of-holders.xml")
    table = AnalysedTable(tuple(seat.name for seat in record.header.seats), 3, "quick")
    _, position = DecisionLog(record).turns[66]
    early, late, both = (
        chances(table, position, games) for games in (range(4), range(4, 8), range(8))
    )
    assert early != late
    assert both == pytest.approx([sum(each) / 2 for each in zip(early, late, strict=True)])


def test_turning_points_are_the_three_that_moved_most_in_order() -> None:
    half, sure, less = (0.5, 0.5), (1.0, 0.0), (0.55, 0.45)
    points = [
        TurningPoint(9, half, None, sure),
        TurningPoint(2, half, None, (0.7, 0.3)),
        TurningPoint(5, half, None, less),
        TurningPoint(7, half, half, (0.2, 0.8)),
        TurningPoint(1, sure, None, half),
    ]
    assert [point.turn for point in turning_points(points)] == [1, 7, 9]
    assert turning_points([points[2]]) == ()
    assert change(half, sure) == 0.5


def test_candidates_are_the_turns_after_which_chances_differ_most() -> None:
    found = [(0.5, 0.5), (0.6, 0.4), (0.2, 0.8), (0.0, 1.0)]
    assert most_changed([4, 5, 6], found, 2) == [5, 6]
