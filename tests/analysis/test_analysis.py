"""The analysis of a whole game: as JSON, in the terminal, the same in any number of processes."""

import io
import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from child_processes import ending
from command_line import ACQUIRE, invoke, printed, refused
from rich.console import Console
from test_json_schemas import check

from acquire.admin.pages.html.replay_page import page_and_verdict
from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.view.plain_text import dollars
from acquire.admin.studying.analysis.analysis import Analysis, analyse, work_on
from acquire.admin.studying.analysis.analysis_report import as_json, draw_analysis
from acquire.admin.studying.analysis.decision_log import DecisionLog
from acquire.admin.studying.analysis.playing import (
    AnalysedTable,
    Chances,
    TurningPoint,
    chances,
    change,
    shares,
    turning_turns,
)
from acquire.admin.studying.analysis.valuing import Valued
from acquire.admin.studying.analysis.words import Decided, point_words
from acquire.admin.studying.statistics.intervals import Estimate
from acquire.admin.tournament.run.executors import process_pool
from acquire.game.tiles import tile_name
from analysis.blunders import short_game

GOLDEN = Path(__file__).parents[1] / "golden"


class Watching:
    """Waits for an analysis, and stops it after so many figures."""

    def __init__(self, most: int = 10**6) -> None:
        self.told: list[tuple[Valued | Chances, int]] = []
        self.done: list[tuple[int, int]] = []
        self._most = most

    def is_stopped(self) -> bool:
        """Whether enough has been found."""
        return len(self.told) >= self._most

    def advance(self, done: int, due: int) -> None:
        """Note how much is done."""
        self.done.append((done, due))

    def found(self, found: Valued | Chances, turn: int, known: Callable[[], Analysis]) -> None:
        """Note what was found."""
        self.told.append((found, turn))


@pytest.fixture(scope="module")
def found() -> Analysis:
    work, watch = work_on(short_game().log, 2, 3), Watching()
    with process_pool(1) as executor:
        analysis = analyse(work, executor, 1, watch.found, watch.advance)
    assert watch.done == sorted(watch.done)
    assert watch.done[-1][0] == watch.done[-1][1]
    valued = [found for found, _ in watch.told if isinstance(found, Valued)]
    assert valued == [*analysis.valued]
    return analysis


def test_blunder_is_the_first_costly_decision_of_the_table(found: Analysis) -> None:
    first = found.costly(short_game().players[0])[0].decision
    assert (first.turn, first.name) == (1, short_game().players[0])
    file = io.StringIO()
    Console(file=file, width=100).print(draw_analysis(as_json(found)))
    lines = [line.split() for line in file.getvalue().splitlines()]
    assert [first.name, "1", *first.options[first.recorded].text.split()] in [x[:5] for x in lines]


def test_plain_values_say_what_was_recorded_and_better(found: Analysis) -> None:
    values = as_json(found)
    decision = next(each for each in values["decisions"] if each["costly"])
    cost = decision["cost"]
    lost = cost["better"]["lead"] - cost["played"]["lead"]
    assert cost["lead"]["mean"] == pytest.approx(lost, abs=1)
    assert 0 < decision["recorded"] < len(decision["options"])
    assert cost["reason"].startswith(("takes a $", "strengthens a $"))
    assert values["analysed"] == {"decisions": len(found.valued), "of": found.due}
    options = [len(each.decision.options) for each in found.valued]
    told = [(len(each["options"]), each["left_out"]) for each in values["decisions"]]
    assert [*map(sum, told)] == options and any(left for _, left in told)
    assert values["seed"] == "3"
    assert len(values["chances"]) == len({each.decision.turn for each in found.valued})
    for each in values["chances"]:
        assert sum(win["mean"] for win in each["win"]) == pytest.approx(1, abs=0.01)
        assert all(0 <= win["low"] <= win["mean"] <= win["high"] <= 1 for win in each["win"])
    assert json.loads(json.dumps(values)) == values


def test_what_decided_a_match_is_told_with_what_the_blunder_cost() -> None:
    name = short_game().players[0]
    work = work_on(short_game().log, 2, 3, (name,))
    with process_pool(1) as executor:
        analysis = analyse(work, executor, 1)
    point = analysis.decisive[name]
    seat = short_game().players.index(name)
    changes = [
        after.found_by[seat] - before.found_by[seat]
        for before, after in pairwise(analysis.chances.values())
    ]
    fell = dict(zip(analysis.chances, changes, strict=False))
    if point.turn in fell:
        assert abs(fell[point.turn]) == max(map(abs, changes))
    decided = Decided(analysis, name)
    turn, own, luck = decided.sentences()
    assert f"{point.turn}, its own" in turn
    cost = analysis.costly(name)[0].found.cost
    assert cost is not None and f"cost {dollars(cost.lead.value)} of lead" in own
    drawn = tile_name(analysis.log.drew[point.turn][0])
    assert f"({drawn} drawn by {name}) changed " in luck
    assert as_json(analysis)["decided"] == [
        {"player": seat, "turn": point.turn, "sentences": [turn, own, luck]}
    ]
    assert json.loads(json.dumps(decided.fields()))["decision"]["lead"]["mean"] == cost.lead.value


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
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0}, raising=False)
    path = tmp_path / "game.xml"
    path.write_bytes(short_game().log)
    done = invoke("replay", path, "--analyse", "--games", "2", "--seed", "3", "--json")
    assert done.exit_code == 0, done.output
    printed_ = json.loads(done.stdout)
    assert printed_ == as_json(found) and printed_["decisions"] and printed_["chances"]
    check("replay-analyse", printed_)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--json", "--html", "x.html", "--analyse"), "Give --json without it"),
        (("--analyse", "--from", "3", "--seat", "a=recorded"), "Give only one of them"),
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


def test_analysis_of_one_player_has_its_decisions_only(found: Analysis, tmp_path: Path) -> None:
    path = tmp_path / "game.xml"
    path.write_bytes(short_game().log)
    name = short_game().players[1]
    words = ("replay", path, "--analyse", "--games", "2", "--seed", "3", "--seat")
    values, whole = printed(*words, name, "--json"), as_json(found)
    seat = whole["names"].index(name)
    assert values["decisions"] == [each for each in whole["decisions"] if each["player"] == seat]
    assert (values["chances"], values["turning_points"]) == (
        whole["chances"],
        whole["turning_points"],
    )
    assert "no player is called 'nobody'. Players: " in refused(*words, "nobody")


def test_stopped_analysis_has_the_first_turns_and_nothing_else_than_the_whole_one(
    found: Analysis,
) -> None:
    with process_pool(1) as executor:
        watch = Watching(9)
        part = analyse(found.work, executor, 1, watch.found, stops=watch.is_stopped)
    assert not part.is_whole
    assert 9 <= len(part.valued) + len(part.chances) <= 10
    assert part.valued == found.valued[: len(part.valued)]
    assert part.chances == {turn: found.chances[turn] for turn in part.chances}
    file = io.StringIO()
    Console(file=file, width=100).print(draw_analysis(as_json(part)))
    assert f"stopped after {len(part.valued)} of {found.due} decisions" in file.getvalue()


class EndsWithTheCommand(Executor):
    """Makes three calls at once, and then has no process: nor has the command, if ``asked``."""

    def __init__(self, *, asked: bool) -> None:
        self._asked, self._calls, self._ended = asked, 0, False

    def is_stopped(self) -> bool:
        """Whether the command was asked to stop."""
        return self._asked and self._ended

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Make the call, or say that its process is gone."""
        future: Future[Any] = Future()
        self._calls += 1
        if self._calls <= 3:
            future.set_result(fn(*args, **kwargs))
        else:
            self._ended = True
            future.set_exception(BrokenProcessPool("all gone"))
        return future


def test_signal_that_ends_the_processes_first_keeps_what_is_known(found: Analysis) -> None:
    with EndsWithTheCommand(asked=True) as executor:
        part = analyse(found.work, executor, 1, stops=executor.is_stopped)
    assert not part.is_whole
    assert part.valued == found.valued[:1]
    assert part.chances == {turn: found.chances[turn] for turn in (1, 2)}
    with EndsWithTheCommand(asked=False) as executor, pytest.raises(BrokenProcessPool):
        analyse(found.work, executor, 1, stops=executor.is_stopped)


@pytest.mark.soak
@pytest.mark.parametrize(
    "stop", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.soak)]
)
def test_signal_to_all_processes_keeps_what_is_known(tmp_path: Path, stop: int) -> None:
    path, page = tmp_path / "game.xml", tmp_path / "game.html"
    path.write_bytes(short_game().log)
    shown, terminal = pty.openpty()
    words = (ACQUIRE, "replay", path, "--analyse", "--games", "60", "--html", page)
    with (
        open(shown, "rb", buffering=0) as screen,
        ending(
            subprocess.Popen(
                words, stderr=terminal, env={**os.environ, "TERM": "xterm"}, start_new_session=True
            )
        ) as run,
    ):
        os.close(terminal)
        text = b""
        while b"turn 1: chances" not in text:
            text += screen.read(1000)
        os.killpg(run.pid, stop)
        assert run.wait(60) == 128 + stop
    html = page.read_text()
    assert '"chances":[{"turn":1,' in html
    assert '"most_costly"' in html


def test_pool_ends_though_calls_wait_that_are_larger_than_a_pipe() -> None:
    """Python 3.11.2, which Debian 12 has, waited for ever where a process was killed."""
    code = (
        "import multiprocessing, sys\n"
        "from acquire.admin.tournament.run.executors import process_pool\n"
        "pool, slow = process_pool(2), '__import__(\"time\").sleep(60)'\n"
        "for _ in range(20): pool.submit(eval, slow, {'large': bytes(10**6)})\n"
        "pool.submit(len, '')\n"
        "for each in multiprocessing.active_children(): each.kill()\n"
        "pool.shutdown()\n"
    )
    with ending(subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE)) as run:
        assert run.wait(60) == 0, run.stderr


def test_decisions_of_one_player_can_come_first(found: Analysis) -> None:
    names = {each.decision.name for each in found.valued if each.decision.turn > 1}
    name, watch = min(names - {found.valued[0].decision.name}), Watching(2)
    with process_pool(1) as executor:
        analyse(found.work._replace(first=name), executor, 1, watch.found, stops=watch.is_stopped)
    told = [each.decision.name for each, _ in watch.told if isinstance(each, Valued)]
    assert told[:2] == [name] * len(watch.told[:2])


@pytest.mark.soak
def test_number_of_processes_changes_nothing(found: Analysis) -> None:
    with process_pool(2) as executor:
        again = analyse(found.work, executor, 2)
    assert as_json(again) == as_json(found)


@pytest.mark.soak
@pytest.mark.parametrize("name", ["digest-nobody-left", "revised-nobody-left"])
def test_game_in_which_players_leave_is_analysed(name: str) -> None:
    work = work_on((GOLDEN / f"{name}.xml").read_bytes(), 2, None)
    with process_pool(2) as executor:
        values: dict[str, Any] = as_json(analyse(work, executor, 2))
    assert values["decisions"]


# -- turning points -----------------------------------------------------------------------------


def test_chances_are_those_of_games_that_did_not_find_the_changes() -> None:
    record = read(GOLDEN / "revised-three-way-tie-of-holders.xml")
    table = AnalysedTable(tuple(seat.name for seat in record.header.seats), 3, "quick")
    _, position = DecisionLog(record).turns[66]
    both = chances(table, position, 4)
    assert both.found_by == shares(table, position, range(8))
    assert tuple(each.value for each in both.win) == shares(table, position, range(8, 20))
    assert both.found_by != shares(table, position, range(8, 20))


def test_a_moment_has_one_chance(found: Analysis) -> None:
    for point in found.points:
        assert point.before == tuple(each.value for each in found.chances[point.turn].win)
        later = found.chances.get(point.turn + 1)
        assert later is None or point.after == tuple(each.value for each in later.win)


def test_turning_points_are_the_three_turns_that_moved_most_in_order() -> None:
    half, sure, less = (0.5, 0.5), (1.0, 0.0), (0.45, 0.55)
    found = [half, less, sure, half, less, (0.2, 0.8), sure]
    assert turning_turns([1, 2, 3, 4, 5, 6], found) == [2, 3, 6]
    assert turning_turns([1, 2, 3, 4, 5, 6], found[:2]) == []
    assert change(half, sure) == 0.5


@pytest.mark.parametrize(
    ("before", "after", "won", "words"),
    [
        (
            0.29,
            0.38,
            0.0,
            "No turn is known to have hurt {}, but in others {} went from 29 % to 38 %.",
        ),
        (
            0.38,
            0.29,
            1.0,
            "No turn is known to have helped {}, but in others {} went from 38 % to 29 %.",
        ),
        (0.125, 0.13, 1.0, "No turn is known to have helped {}, but in others {} stayed at 13 %."),
        (0.38, 0.29, 0.0, "The turn that hurt {}: in others {} went from 38 % to 29 %."),
        (0.29, 0.38, 0.5, "The turn that helped {}: in others {} went from 29 % to 38 %."),
    ],
)
def test_sentence_on_the_decisive_turn_follows_from_the_chances_that_it_prints(
    found: Analysis, before: float, after: float, won: float, words: str
) -> None:
    name, turn = found.work.table.names[0], 3
    one, two = ((share, 1 - share, 0.0, 0.0, 0.0, 0.0) for share in (before, after))
    told = {at: Chances(tuple(map(Estimate, each)), each) for at, each in ((3, one), (4, two))}
    decisive = {name: TurningPoint(turn, 0, one, two, ())}
    made_up = replace(found, chances=told, won=(won, 1 - won), decisive=decisive)
    sentence, *_ = Decided(made_up, name).sentences()
    begin, middle, end = words.split("{}")
    assert sentence.startswith(f"{begin}{name} most")
    assert sentence.endswith(f"{middle}the chance to win{end}")


def test_parts_of_a_change_add_up_as_they_are_printed(found: Analysis) -> None:
    decision = found.valued[0].decision
    before, within, after = ((share, 1 - share) for share in (1 / 3, 1 / 6, 1 / 2))
    point = TurningPoint(1, 0, before, after, ((decision, within),))
    told = "from 33 % to 50 %: \N{MINUS SIGN}16 by decisions, +33 by the draw"
    assert point_words(point, found.work.table.names).endswith(told)
    name = found.work.table.names[0]
    luck = Decided(replace(found, decisive={name: point}), name).sentences()[-1]
    assert luck.endswith("changed it by +33 points.")


def test_words_of_a_turning_point_name_the_decision_that_moved_most() -> None:
    decisions = DecisionLog(read(GOLDEN / "revised-three-way-tie-of-holders.xml")).decisions[:2]
    before, first, second, after = ((share, 1 - share) for share in (0.2, 0.25, 0.7, 0.67))
    steps = tuple(zip(decisions, (first, second), strict=True))
    point = TurningPoint(9, 0, before, after, steps)
    chosen = decisions[1].options[decisions[1].recorded].text
    assert point_words(point, ("ann", "bob")) == (
        f"ann from 20 % to 67 %: +45 by \N{LEFT DOUBLE QUOTATION MARK}{chosen}"
        f"\N{RIGHT DOUBLE QUOTATION MARK} of {decisions[1].name}, +5 by other decisions, "
        "\N{MINUS SIGN}3 by the draw"
    )
    assert point_words(point._replace(steps=()), ("ann", "bob")) == "ann from 20 % to 67 %"
    lucky = point._replace(steps=((decisions[0], (0.24, 0.76)),))
    assert point_words(lucky, ("ann", "bob")).endswith(": +4 by decisions, +43 by the draw")
    down = point._replace(before=after, after=before, steps=((decisions[0], first),))
    assert down.decisive == 0
