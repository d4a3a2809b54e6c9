"""The commands as a person uses them, from an empty folder to the report."""

import csv
import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from command_line import ACQUIRE, invoke, printed, refused, said
from forging import connected
from lxml import html
from sandboxes import in_bwrap
from tournament_process import built_in_toml, small_program

from acquire.admin.launching.sandbox import Sandbox
from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.log.verifier import Verifier
from acquire.admin.tournament.driving import forecast
from acquire.admin.tournament.planning.plan_file import read_plan

PLAN = """
[tournament]
name = "Cup <&>"
seats = 3
seatings = "rotations"
deals = 2
workers = 1
seed = 3
"""
PLAN += built_in_toml(**{"ann": "ordered", "bea <b>": "random", "cid": "largest-alpha"})
GAMES = 6
CRASHER = "read(sign_up(), b'</state>')\nsys.exit(1)\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "cup.toml"
    path.write_text(PLAN)
    return path


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a tournament that is over, for tests that change nothing in it."""
    file = tmp_path_factory.mktemp("played") / "cup.toml"
    file.write_text(PLAN)
    text = said("tournament", "run", file, "--workers", 1)
    assert "Cup <&>: 6 games." in text and "Standings" in text and "bea <b>" in text
    assert f"Next: acquire tournament report {shlex.quote(str(file))}" in text
    return file


def test_key_and_commitment_are_announced_before_a_game_is_played(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    remote = 'remote = { secret = "a-long-secret" }'
    plan = PLAN.replace('strategy = "ordered"', remote).replace("seed = 3\n", "")
    file.write_text(f"{plan}[lobby]\nport = 51234\n")
    lines = [
        line
        for _ in range(2)
        for line in invoke("tournament", "run", file, "--announce").output.splitlines()
    ]
    for begin in ("Key of the results: ", "Commitment to the bags: "):
        (line,) = {line for line in lines if line.startswith(begin)}  # the same the second time
        assert len(line.removeprefix(begin)) == 64
    assert "0 of 6 games" in said("tournament", "show", file)
    for options, folder in (((), "cup"), (("--public",), "cup-public")):
        assert "Wrote" in said("tournament", "report", file, *options)
        assert "No contradiction" in said("tournament", "audit", tmp_path / folder)


def test_init_writes_a_file_that_can_be_checked_and_does_not_overwrite_one(tmp_path: Path) -> None:
    assert "cannot be written" in refused("tournament", "init", tmp_path / "no" / "new.toml")
    file = tmp_path / "new.toml"
    assert "Next: acquire tournament check" in said("tournament", "init", file)
    assert "games 200 in 50 blocks" in said("tournament", "check", file)
    file.write_text(PLAN)
    assert "exists already" in refused("tournament", "init", file)
    assert file.read_text() == PLAN
    said("tournament", "init", file, "--force")
    assert file.read_text() != PLAN


def test_check_prints_the_number_of_games_and_lists_them(file: Path) -> None:
    (file.parent / "mine.py").write_text("from acquire.player.strategies.simple import Ordered\n")
    file.write_text(PLAN.replace('strategy = "ordered"', 'strategy = "mine.py:Ordered"'))
    assert f"games {GAMES} in 2 blocks; 6 per player" in said("tournament", "check", file)
    facts = printed("tournament", "check", file, "--json")
    assert (facts["games"], facts["blocks"], facts["slow"]) == (GAMES, 2, None)
    lines = invoke("tournament", "check", file, "--schedule", "--json").output.splitlines()
    games = [json.loads(line) for line in lines]
    assert len(games) == GAMES
    assert all(sorted(game["players"]) == ["ann", "bea <b>", "cid"] for game in games)


SHARED_FOLDER = """
[tournament]
seats = 3
deals = 5
[limits]
sandbox = "none"
[[players]]
name = "ann"
command = ["python3", "ann.py"]
directory = "players"
[[players]]
name = "bea"
command = ["python3", "bea.py"]
directory = "players/../players"
[[players]]
name = "cid"
command = ["python3", "cid.py"]
"""


def test_check_shows_the_sandbox_and_warns_about_folders_that_are_shared(file: Path) -> None:
    (file.parent / "players").mkdir()
    file.write_text(SHARED_FOLDER)
    assert "sandbox none. Programs run without a sandbox" in said("tournament", "check", file)
    facts = printed("tournament", "check", file, "--json")
    own, shared = facts["warnings"]
    assert own.startswith("cid has no folder of its own")
    assert shared.startswith("ann and bea have the same folder")
    assert facts["sandbox"].startswith("none.")


@in_bwrap
def test_check_names_what_programs_see_beyond_the_system(
    kind: Sandbox, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "players").mkdir()
    for name in ("home/bin/a", "home/bin/b", "home/bin/notes", "home/.ssh/key", "rules/x"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
        (tmp_path / name).chmod(0o755 if len(Path(name).name) == 1 else 0o644)
    monkeypatch.setenv("PATH", f"{tmp_path}/home/bin:/usr/bin:/bin")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    file.write_text(SHARED_FOLDER.replace('"none"', '"bwrap"\nread_only = ["rules"]'))
    seen = f"2 files of {tmp_path}/home/bin, {tmp_path}/rules"
    assert f"Programs also see: {seen}" in said("tournament", "check", file)
    assert printed("tournament", "check", file, "--json")["also_seen"] == seen
    file.write_text(SHARED_FOLDER)
    assert "also see" not in said("tournament", "check", file)


@in_bwrap
def test_check_says_whose_rights_programs_have(
    kind: Sandbox, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root gives each a user of its own, but only where that user can read what it needs."""
    rules = file.with_name("rules")
    file.with_name("players").mkdir()
    rules.touch(mode=0o644)
    file.write_text(SHARED_FOLDER.replace('"none"', '"bwrap"\nread_only = ["rules"]'))

    def sandbox() -> str:
        return str(printed("tournament", "check", file, "--json")["sandbox"])

    own, shared = "Each program has a user of its own.", "All programs share your user."
    assert sandbox().endswith(own if os.geteuid() == 0 else shared)
    rules.chmod(0o600)
    assert sandbox().endswith(shared)
    rules.chmod(0o644)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert sandbox().endswith(shared)


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder below ones that everybody may enter, whatever holds the usual temporary files."""
    with TemporaryDirectory(dir="/var/tmp") as folder:
        yield Path(folder)


def test_check_warns_about_files_of_a_course_that_others_can_read(
    public_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(public_folder)
    names = "course.toml", "roster.csv", "handed-in"
    Path("handed-in/ann").mkdir(parents=True)
    Path("handed-in/ann/player.py").touch()
    Path("roster.csv").write_text("id\nann\n")
    general = 'seats = 3\ndeals = 5\nsubmissions = "handed-in/*"\nroster = "roster.csv"'
    built_in = PLAN[PLAN.index("[[players]]") :].replace("ann", "dan")
    Path("course.toml").write_text(
        f'[tournament]\n{general}\n[limits]\nsandbox = "auto"\n{built_in}'
    )

    file = Path("course.toml")
    plan, store = read_plan(file), Path("course.sqlite")
    expected = forecast.forecast(plan)

    def advice(*modes: int, above: int = 0o755) -> str:
        for name, mode in zip(names, modes, strict=True):
            Path(name).chmod(mode)
        public_folder.chmod(above)
        warnings = forecast.warnings_of(plan, expected, store, file)
        found = [warning for warning in warnings if "chmod" in warning]
        assert len(found) <= 1
        return found[0].partition(" Run: ")[2] if found else ""

    files, hand_ins = "chmod 600 course.toml roster.csv", "chmod 700 handed-in"
    assert advice(0o644, 0o644, 0o755) == f"{files} && {hand_ins}"
    assert advice(0o600, 0o600, 0o711) == hand_ins
    assert advice(0o640, 0o600, 0o700) == "chmod 600 course.toml"
    assert advice(0o600, 0o600, 0o700) == ""
    assert advice(0o644, 0o644, 0o755, above=0o700) == "", "nobody can enter the folder above"


def test_show_prints_the_same_standings_as_run(played: Path) -> None:
    assert "6 games, 6 of them already played" in said("tournament", "run", played)
    text = said("tournament", "show", played)
    assert "Standings" in text and "bea <b>" in text
    summary = printed("tournament", "show", played, "--json")
    assert (summary["name"], summary["total"], summary["games"]) == ("Cup <&>", GAMES, GAMES)
    assert {row["player"] for row in summary["rows"]} == {"ann", "bea <b>", "cid"}


def test_show_prints_one_game(played: Path) -> None:
    assert "d1-t1-s1: " in said("tournament", "show", played, "--game", "d1-t1-s1")
    fields = printed("tournament", "show", played, "--game", "d2-t1-s3", "--json")
    assert fields["game"] == "d2-t1-s3"
    assert "There is no game d9" in refused("tournament", "show", played, "--game", "d9")


def test_results_before_the_first_game_are_refused(file: Path) -> None:
    for command in ("show", "report", "logs"):
        assert "no game has been played yet" in refused("tournament", command, file)


def test_report_writes_the_page_the_tables_and_all_logs(played: Path) -> None:
    assert "index.html" in said("tournament", "report", played)
    folder = played.with_name("cup")
    page = html.parse(folder / "index.html")
    (title,) = page.findall(".//h1")
    assert title.text_content() == "Cup <&>"
    for name, rows in (("standings.csv", 3), ("games.csv", 3 * GAMES)):
        assert len([*csv.reader((folder / name).read_text().splitlines())]) == 1 + rows
    whole = json.loads((folder / "tournament.json").read_text())
    assert len(whole["results"]) == GAMES
    logs = sorted(folder.glob("logs/*.xml.gz"))
    assert [log.name.removesuffix(".xml.gz") for log in logs] == sorted(
        result["game"] for result in whole["results"]
    )
    for log in logs:
        assert Verifier(read(log)).verify().divergence is None


@in_bwrap
def test_command_of_a_loss_starts_the_program_in_the_sandbox_of_the_tournament(
    kind: Sandbox, tmp_path: Path
) -> None:
    folder = tmp_path / "handed-in" / "ann"
    folder.mkdir(parents=True)
    (folder / "player.py").write_text(small_program(CRASHER))
    (folder / "player.toml").write_text('environment = { FOLDER = "." }\n')
    file = tmp_path / "cup.toml"
    general = 'seats = 3\ndeals = 1\nsubmissions = "handed-in/*"\nqualify = false'
    built_in = PLAN[PLAN.index('[[players]]\nname = "bea') :]  # ann is the program
    file.write_text(f'[tournament]\n{general}\n[limits]\nsandbox = "bwrap"\n{built_in}')
    said("tournament", "run", file, "--workers", 1)
    report = invoke("tournament", "report", file, "--shrink", "60").output
    (command,) = (line for line in report.splitlines() if line.startswith("    cd "))
    assert " --sandbox bwrap " in command
    path = f"{Path(ACQUIRE).parent}:{os.environ['PATH']}"
    again = subprocess.run(
        ["/bin/sh", "-c", command], env={**os.environ, "PATH": path}, capture_output=True, text=True
    )
    assert again.returncode == 1 and "disconnected" in again.stdout, again


def test_report_without_logs_has_no_links_to_logs(played: Path, tmp_path: Path) -> None:
    said("tournament", "report", played, "--no-logs", "--to", tmp_path / "page")
    assert {path.name for path in (tmp_path / "page").iterdir()} == {
        *("games.csv", "games.html", "index.html", "manifest.json", "manifest.sig", "players"),
        *("rows.jsonl", "standings.csv", "tournament.json"),
    }
    page = html.parse(tmp_path / "page" / "games.html")
    (data,) = page.findall(".//script[@type='application/json']")
    assert json.loads(data.text_content())["logs"] is None


def test_report_refuses_a_folder_that_it_cannot_write_to(played: Path, tmp_path: Path) -> None:
    (tmp_path / "index.html").mkdir()
    assert "cannot be written" in refused("tournament", "report", played, "--to", tmp_path)


def test_logs_writes_the_logs_asked_for(played: Path, tmp_path: Path) -> None:
    to = tmp_path / "some"
    assert "Wrote 2 logs" in said("tournament", "logs", played, "d1-t1-s1", "d2-t1-s2", "--to", to)
    assert sorted(path.name for path in to.iterdir()) == ["d1-t1-s1.xml.gz", "d2-t1-s2.xml.gz"]
    assert "There is no game d7" in refused("tournament", "logs", played, "d7", "--to", to)
    (log := to / "d1-t1-s1.xml.gz").unlink()
    log.symlink_to(other := tmp_path / "of another")
    words = shlex.split(said("tournament", "logs", played, "--to", to))
    assert not log.is_symlink() and not other.exists(), "no link is followed"
    assert words[:3] == ["Wrote", f"{GAMES}", "logs."]
    assert words[-1] == f"{to}/GAME.xml.gz"


def test_changed_setting_is_named_and_fresh_sets_the_games_aside(
    played: Path, tmp_path: Path
) -> None:
    file = Path(shutil.copytree(played.parent, tmp_path / "changed"), played.name)
    file.write_text(PLAN.replace('"rotations"', '"all"').replace("deals = 2", "deals = 1"))
    text = refused("tournament", "run", file)
    assert "changed since: tournament.seatings" in text and "--fresh" in text
    assert "cup-1.sqlite" in said("tournament", "run", file, "--fresh")
    with connected(file.with_name("cup-1.sqlite")) as connection:
        assert connection.execute("SELECT count(*) FROM games").fetchone() == (GAMES,)


def test_cluster_is_refused_if_a_player_is_remote(file: Path) -> None:
    remote = 'remote = { secret = "a-long-secret" }'
    file.write_text(PLAN.replace('strategy = "ordered"', remote, 1) + "[lobby]\nport = 5555\n")
    text = refused("tournament", "run", file, "--cluster", "tcp://127.0.0.1:1")
    assert "A cluster cannot play this tournament:" in text and "is a remote player" in text
