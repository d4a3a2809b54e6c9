"""The command as a person uses it, from an empty folder to the published page."""

from __future__ import annotations

import csv
import json
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from lxml import html

from admin.cli.main import acquire
from admin.log.reader import read
from admin.log.verifier import Verifier

PLAN = """
[tournament]
name = "Cup <&>"
seats = 3
seatings = "rotations"
deals = 2
workers = 1
seed = 3
[[players]]
name = "ann"
strategy = "ordered"
[[players]]
name = "bea <b>"
strategy = "random"
[[players]]
name = "cid"
strategy = "largest-alpha"
"""
GAMES = 6


def tournament(*arguments: object) -> Result:
    return CliRunner().invoke(acquire, ["tournament", *map(str, arguments)])


def told(result: Result) -> str:
    """Return what a command that succeeded has said, on one line."""
    assert result.exit_code == 0, result.output
    return " ".join(result.output.split())


def refused(result: Result) -> str:
    """Return what a command that could not begin has said, on one line."""
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    return " ".join(result.output.split())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "cup.toml"
    path.write_text(PLAN)
    return path


@pytest.fixture
def played(file: Path) -> Path:
    told(tournament("run", file))
    return file


def test_file_that_init_writes_can_be_checked_and_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "new.toml"
    assert "Next: acquire tournament check" in told(tournament("init", file))
    assert "games 360 in 15 blocks" in told(tournament("check", file))
    file.write_text(PLAN)
    assert "is there already" in refused(tournament("init", file))
    assert file.read_text() == PLAN
    told(tournament("init", file, "--force"))
    assert file.read_text() != PLAN


def test_init_says_where_it_cannot_write(tmp_path: Path) -> None:
    assert "cannot be written" in refused(tournament("init", tmp_path / "no" / "new.toml"))


def test_check_tells_the_games_and_lists_them(file: Path) -> None:
    assert f"games {GAMES} in 2 blocks; 6 a player" in told(tournament("check", file))
    facts = json.loads(tournament("check", file, "--json").output)
    assert (facts["games"], facts["blocks"], facts["slow"]) == (GAMES, 2, None)
    lines = tournament("check", file, "--schedule", "--json").output.splitlines()
    games = [json.loads(line) for line in lines]
    assert len(games) == GAMES
    assert all(sorted(game["players"]) == ["ann", "bea <b>", "cid"] for game in games)


def test_run_ends_with_the_standings_and_the_next_step(file: Path) -> None:
    said = told(tournament("run", file))
    assert "Cup <&>: 6 games." in said and "Standings" in said and "bea <b>" in said
    assert f"Next: acquire tournament report {file}" in said
    assert "6 are played already" in told(tournament("run", file))


def test_show_tells_what_run_told(played: Path) -> None:
    said = told(tournament("show", played))
    assert "Standings" in said and "bea <b>" in said
    summary = json.loads(tournament("show", played, "--json").output)
    assert (summary["name"], summary["total"], summary["games"]) == ("Cup <&>", GAMES, GAMES)
    assert {row["player"] for row in summary["rows"]} == {"ann", "bea <b>", "cid"}


def test_show_tells_one_game(played: Path) -> None:
    assert "d1-t1-s1: " in told(tournament("show", played, "--game", "d1-t1-s1"))
    fields = json.loads(tournament("show", played, "--game", "d2-t1-s3", "--json").output)
    assert fields["game"] == "d2-t1-s3"
    assert "No game d9 has been played" in refused(tournament("show", played, "--game", "d9"))


def test_nothing_can_be_shown_before_anything_was_played(file: Path) -> None:
    for command in ("show", "report", "logs"):
        assert "nothing has been played yet" in refused(tournament(command, file))


def test_report_writes_the_page_the_tables_and_every_log(played: Path, tmp_path: Path) -> None:
    assert "report.html" in told(tournament("report", played))
    folder = tmp_path / "cup"
    page = html.parse(folder / "report.html")
    (title,) = page.findall(".//h1")
    assert title.text_content() == "Cup <&>"
    assert len(list(csv.reader((folder / "standings.csv").read_text().splitlines()))) == 1 + 3
    assert len(list(csv.reader((folder / "games.csv").read_text().splitlines()))) == 1 + 3 * GAMES
    whole = json.loads((folder / "tournament.json").read_text())
    assert len(whole["results"]) == GAMES
    logs = sorted(folder.glob("logs/*.xml.gz"))
    assert [log.name.removesuffix(".xml.gz") for log in logs] == sorted(
        result["game"] for result in whole["results"]
    )
    for log in logs:
        assert Verifier(read(log)).verify().divergence is None


def test_report_without_logs_links_to_none(played: Path, tmp_path: Path) -> None:
    told(tournament("report", played, "--no-logs", "--to", tmp_path / "page"))
    assert sorted(path.name for path in (tmp_path / "page").iterdir()) == [
        "games.csv",
        "report.html",
        "standings.csv",
        "tournament.json",
    ]
    page = html.parse(tmp_path / "page" / "report.html")
    (data,) = page.findall(".//script[@type='application/json']")
    assert json.loads(data.text_content())["logs"] is None


def test_report_says_where_it_cannot_write(played: Path, tmp_path: Path) -> None:
    (tmp_path / "taken" / "report.html").mkdir(parents=True)
    assert "cannot be written" in refused(tournament("report", played, "--to", tmp_path / "taken"))


def test_logs_writes_those_asked_for(played: Path, tmp_path: Path) -> None:
    to = tmp_path / "some"
    assert "Wrote 2 logs" in told(tournament("logs", played, "d1-t1-s1", "d2-t1-s2", "--to", to))
    assert sorted(path.name for path in to.iterdir()) == ["d1-t1-s1.xml.gz", "d2-t1-s2.xml.gz"]
    assert "No game d7" in refused(tournament("logs", played, "d7", "--to", to))
    assert f"Wrote {GAMES} logs" in told(tournament("logs", played, "--to", to))


def test_changed_file_is_refused_by_name_and_fresh_puts_the_games_aside(played: Path) -> None:
    played.write_text(PLAN.replace('"rotations"', '"all"'))
    said = refused(tournament("run", played))
    assert "tournament.seatings changed" in said and "--fresh" in said
    assert "cup-1.sqlite" in told(tournament("run", played, "--fresh"))
    with sqlite3.connect(played.with_name("cup-1.sqlite")) as connection:
        assert connection.execute("SELECT count(*) FROM games").fetchone() == (GAMES,)
    connection.close()


def test_cluster_is_for_house_players_alone(file: Path) -> None:
    file.write_text(PLAN.replace('strategy = "ordered"', 'command = ["true"]'))
    said = refused(tournament("run", file, "--cluster", "tcp://127.0.0.1:1"))
    assert "house players only" in said
