"""`run --keep-going` takes over new players, versions and settings while it runs."""

import os
import signal
from pathlib import Path

import pytest
from tournament_process import TournamentFolder, TournamentProcess, built_in

from acquire.admin.tournament.planning.plan_file import read_plan
from acquire.admin.tournament.run import tournament_files
from acquire.admin.tournament.run.tournament_files import PlanWatch

PLAYERS = ("random", "ordered", "largest-alpha")
ORDERED = "from acquire.player.strategies.simple import Ordered\n"


def play_to_the_end(process: TournamentProcess) -> None:
    """Read events until all games are played."""
    while True:
        game = process.until("game")
        if game["games"] == game["total"]:
            return


def replace(file: Path, text: str) -> None:
    """Replace a file at once, as an editor does."""
    file.with_suffix(".new").write_text(text)
    os.replace(file.with_suffix(".new"), file)


def test_hand_in_with_countless_files_takes_no_time_from_the_games(
    folder: TournamentFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files are looked at again and again, beside the games."""
    folder.write(built_in(*PLAYERS), tournament={"seats": 3, "submissions": "handed-in/*"})
    hand_in = folder.folder / "handed-in" / "ann"
    hand_in.mkdir(parents=True)
    plan, looked, lstat = read_plan(folder.file), list[Path](), os.lstat
    for number in range(200):
        (hand_in / str(number)).touch()

    def noted(path: Path) -> os.stat_result:
        looked.append(path)
        return lstat(path)

    monkeypatch.setattr(tournament_files, "MAX_FOLDER_FILES", 50)
    monkeypatch.setattr(os, "lstat", noted)
    PlanWatch(folder.file, plan, print)
    assert len([path for path in looked if hand_in in path.parents]) == 51


def test_changes_are_taken_over_while_it_runs(folder: TournamentFolder) -> None:
    folder.write(built_in(*PLAYERS), tournament={"seats": 3})
    with folder.run("--keep-going") as process:
        play_to_the_end(process)
        text = folder.file.read_text()

        replace(folder.file, text + "\n[[players]]\nname = 'ordered'\nstrategy = 'ordered'\n")
        assert "2 have the name 'ordered'" in process.until("trouble")["sentence"]
        replace(folder.file, text.replace("short.toml", "classic"))
        assert "has other settings now" in process.until("trouble")["sentence"]

        (folder.folder / "fay.py").write_text(ORDERED)
        four = text + "\n[[players]]\nname = 'fay'\nstrategy = 'fay.py:Ordered'\n"
        replace(folder.file, four)
        changed = process.until("players-changed")
        assert (changed["joined"], changed["archived"]) == (["fay"], 0)
        play_to_the_end(process)
        replace(folder.folder / "fay.py", f"{ORDERED}# a new version\n")
        assert process.until("players-changed")["new_versions"] == ["fay"]
        play_to_the_end(process)
        assert len(folder.results()) == 4 * 3

        replace(
            folder.file, four.replace("deals = 1", "").replace("seats = 3", "seats = 3\ndeals = 2")
        )
        play_to_the_end(process)
        assert len(folder.results()) == 4 * 3 * 2

        replace(folder.file, text.replace("seats = 3", "seats = 3\ndeals = 2"))
        changed = process.until("players-changed")
        assert (changed["withdrawn"], changed["archived"]) == (["fay"], 3 * 3 * 2)
        assert process.end(signal.SIGTERM) == 143, process.errors
        assert process.errors.count("A player may have games in 1 block only") == 1
    assert len(folder.results()) == 3 * 2


@pytest.mark.soak
def test_new_version_of_a_program_is_taken_over_between_games(folder: TournamentFolder) -> None:
    """In the arena: games that are being played end, and the next have the new version."""
    (folder.folder / "in" / "ada").mkdir(parents=True)
    program = folder.folder / "in" / "ada" / "player.py"
    program.write_text("raise SystemExit(1)\n")
    folder.write(
        built_in(*PLAYERS[:2]),
        tournament={"seats": 3, "deals": 500, "submissions": "in/*", "qualify": False},
    )
    with folder.run("--keep-going") as process:
        before = process.until("game")
        replace(program, "raise SystemExit(2)\n")
        assert process.until("players-changed")["new_versions"] == ["ada"]
        after = process.until("game")
        assert process.end(signal.SIGTERM) == 143, process.errors
    versions = [
        {seat["player"]: seat["version"] for seat in game["seats"]} for game in (before, after)
    ]
    assert len(versions[0]["ada"]) == 12 and versions[0]["ada"] != versions[1]["ada"]
    assert versions[0]["random"] == ""
    assert before["game"] not in folder.results() and after["game"] in folder.results()


def test_ladder_has_no_end(folder: TournamentFolder) -> None:
    folder.write(
        built_in(*PLAYERS), tournament={"seats": 3, "format": "ladder", "rulebook": "quick.toml"}
    )
    with folder.run("--keep-going") as process:
        for _ in range(4):
            process.until("game")
        assert process.end(signal.SIGINT) == 130, process.errors
    assert len(folder.results()) >= 4
    folder.play()
    assert not len(folder.results()) % 3
