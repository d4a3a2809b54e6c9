"""The picture of a running tournament in terminals of several widths."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from acquire.admin.refereeing.table.crowds import SHOWN
from acquire.admin.tournament.driving.run_observers import TerminalObserver
from acquire.admin.tournament.games.result import GameResult, PlayerVerdict, SeatResult
from acquire.admin.tournament.planning.plan import Plan
from acquire.admin.tournament.planning.plan_file import read_plan
from acquire.admin.tournament.planning.schedule import Game
from acquire.admin.tournament.run.run_events import (
    FolderSent,
    GameFinished,
    GameStarted,
    Notice,
    Progress,
    RunStarted,
)

NAMES = ("investor-with-a-long-name", "ann", "bob", "a name of four words")
RESULT = GameResult(
    "d1-t1-s01",
    "d1-t1",
    7,
    "large-hotel",
    70,
    5,
    (
        SeatResult(NAMES[0], PlayerVerdict.FINISHED, 1, 29500),
        SeatResult("ann", PlayerVerdict.FINISHED, 2, 20000),
        SeatResult(NAMES[3], PlayerVerdict.FINISHED, 3, 10000),
        SeatResult("bob", PlayerVerdict.TIMED_OUT, 4, 0, "Too late.", 7),
    ),
)


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    file = tmp_path / "cup.toml"
    players = [f'[[players]]\nname = "{name}"\nstrategy = "random"\n' for name in NAMES]
    file.write_text('[tournament]\nname = "Cup"\nseed = 5\n' + "\n".join(players))
    return read_plan(file)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_standings_show_rank_player_points_and_each_game_on_one_line(
    plan: Plan, width: int
) -> None:
    screen = io.StringIO()
    console = Console(file=screen, width=width, height=24, force_terminal=True, color_system=None)
    with TerminalObserver(console, plan) as terminal:
        terminal(RunStarted(Progress(0, 1), []))
        terminal(GameFinished(RESULT, Progress(1, 1)))
    lines = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", screen.getvalue()).splitlines()
    assert max(map(len, lines)) <= width
    heading = next(line for line in lines if "rank" in line)
    assert re.split(" {3,}", heading.strip()) == [
        *("rank", "player", "points per game", "games", "lost")
    ]
    for rank, name, points in ((1, NAMES[0], "3.000"), (2, "ann", "2.000"), (4, "bob", "0.000")):
        row = next(line for line in lines if line.split()[:1] == [str(rank)])
        assert name[:15] in row and points in row
    games = [line for line in lines if "$" in line or "timed-out" in line]
    assert games and all(line.startswith("d1-t1-s01 ") for line in games)


def test_picture_before_the_first_game_is_over_says_how_many_are_played(plan: Plan) -> None:
    screen = io.StringIO()
    console = Console(file=screen, width=80, height=24, force_terminal=True, color_system=None)
    with TerminalObserver(console, plan) as terminal:
        terminal(RunStarted(Progress(0, 4), []))
        terminal(Notice("preparing", "Connected. Waiting for workers to join."))
        terminal(FolderSent("tcp://1", "ab", 100))
        terminal(GameStarted(Game("d1-t1-s1", "d1-t1", 7, NAMES)))
        terminal(RunStarted(Progress(0, 4), []))
    shown = screen.getvalue()
    assert "Connected. Waiting for workers to join." in shown
    assert "No game is over yet; in progress: 1. Sent to workers so far: 1 folder." in shown
    assert "0/4" in shown and "rank" not in shown


def test_crowd_at_the_lobby_is_printed_in_few_lines(plan: Plan) -> None:
    screen = io.StringIO()
    with TerminalObserver(Console(file=screen, width=200), plan) as terminal:

        def turned_away(who: str, crowd: str) -> None:
            terminal(Notice("turned-away", f"{who}. Not expected.", {}, "Turned away: ", crowd))

        for number in range(600):
            turned_away(f"10.0.0.1:{number}", "did not sign up")
        turned_away("ann (10.0.0.2:7)", "signed up")
    lines = screen.getvalue().splitlines()
    assert len(lines) == SHOWN + 2
    assert lines[SHOWN] == "Turned away: ann (10.0.0.2:7). Not expected."
    assert lines[-1] == f"Turned away: {600 - SHOWN} more in the last 10 s (did not sign up)."
