"""``acquire replay --from``: what is asked for, what is told, and the exit codes."""

import json
import os
import select
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from child_processes import ending
from click.testing import Result
from command_line import ACQUIRE, on_one_line, succeed

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
LARGE = GOLDEN / "revised-large-hotel.xml"
CLASSIC = GOLDEN / "classic-large-hotel.xml"
STARTER = ROOT / "player" / "starters" / "python" / "player.py"


def player(file: Path) -> str:
    """Return the command of a player in Python, as it is written after --seat."""
    return shlex.join([sys.executable, str(file), "{host}", "{port}", "{name}"])


PLAYER = player(STARTER)


def replay(log: Path, options: str, *seats: str, code: int = 0) -> Result:
    """Play a game on; ``seats`` are values of --seat that have blanks."""
    words = (*options.split(), *(f"--seat={seat}" for seat in seats))
    return succeed("replay", log, *words, code=code)


def told(log: Path, options: str, *seats: str) -> Any:
    return json.loads(replay(log, f"{options} --json", *seats).stdout)


def test_file_that_only_the_log_names_is_not_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, imported = tmp_path / "theirs.py", tmp_path / "imported"
    file.write_text(
        f"open({str(imported)!r}, 'w').close()\n"
        "from acquire.player.strategies.simple import Ordered as Mine\n"
    )
    log = tmp_path / "game.xml"
    log.write_text(LARGE.read_text().replace('strategy="grower"', f'strategy="{file}:Mine"'))
    options = "--from 60 --seat grower-1=ordered --games 2"
    (why,) = {other["instead_of"] for other in told(log, options)["others"]}
    assert why.endswith("theirs.py:Mine', which is a file: if you trust it, name it by --others")
    assert not imported.exists()
    monkeypatch.chdir(tmp_path)
    others = told(log, f"{options} --others theirs.py:Mine")["others"]
    assert {other["strategy"] for other in others} == {"theirs.py:Mine"}
    assert imported.exists()


def test_strategies_are_compared_at_the_same_deals_beside_what_really_happened() -> None:
    options = "--from 60 --seat grower-1=ordered --seat grower-1=random --games 12"
    found = told(LARGE, f"{options} --others ordered")
    assert (found["from"], found["mover"], found["seed"]) == (60, "grower-3", 1964)
    assert found["dealt_anew"] == ["bag"]
    assert {other["strategy"] for other in found["others"]} == {"ordered"}
    why = {other["instead_of"] for other in found["others"]}
    assert why == {"the strategy 'grower', which is not installed"}
    (seat,) = found["seats"]
    assert seat["really"] == {"score": 39200, "rank": 2, "finished": True, "ejected_in": None}
    first, second = seat["variants"]
    assert (first["player"], first["kind"], first["games"]) == ("ordered", "house", 12)
    assert first["difference"] is None
    differences = [b - a for a, b in zip(first["scores"], second["scores"], strict=True)]
    assert second["difference"]["games"] == 12
    assert second["difference"]["score"]["mean"] == pytest.approx(sum(differences) / 12, abs=1e-3)
    assert first["score"]["mean"] == pytest.approx(sum(first["scores"]) / 12, abs=1e-3)


def test_built_in_players_continue_and_are_listed() -> None:
    done = replay(CLASSIC, "--from 40 --seat random-1=ordered --games 2 --others random")
    assert "the other players' hands and the bag redealt, seed 1964" in done.stdout
    assert "ordered-2 is played by ordered, as in the game." in done.stdout
    assert "largestalpha-3 is played by random, in place of the strategy" in done.stdout
    assert "random-1 is played by" not in done.stdout


@pytest.mark.parametrize(
    ("seat", "said"),
    [
        ('kind="remote"', "a program"),
        ('kind="house"', "a built-in player whose strategy is not in the log"),
    ],
)
def test_player_that_cannot_be_asked_again_is_replaced_and_listed(
    seat: str, said: str, tmp_path: Path
) -> None:
    log = tmp_path / "game.xml"
    log.write_text(CLASSIC.read_text().replace('kind="house" strategy="ordered"', seat))
    found = told(log, "--from 50 --seat random-1=ordered --games 1 --others random")
    (other,) = [other for other in found["others"] if other["name"] == "ordered-2"]
    assert other == {"name": "ordered-2", "strategy": "random", "instead_of": said}


def test_seed_decides_the_games() -> None:
    options = "--from 50 --seat grower-1=ordered --games 5 --others ordered"
    games = [
        told(LARGE, f"{options} {seed}")["seats"][0]["variants"][0]["scores"]
        for seed in ("", "--seed 1964", "--seed 3")
    ]
    assert games[0] == games[1] != games[2]


def test_last_recorded_move_comes_to_the_real_score_in_every_game() -> None:
    done = replay(LARGE, "--from 72 --seat grower-3=recorded --games 6")
    assert "recorded, then investor" in done.stdout
    assert "52,800..52,800" in done.stdout


def test_two_seats_have_a_table_each() -> None:
    seats = "--seat grower-1=ordered --seat grower-2=ordered"
    found = told(LARGE, f"--from 70 {seats} --games 3 --others ordered")
    assert [seat["name"] for seat in found["seats"]] == ["grower-1", "grower-2"]
    assert all(seat["variants"][0]["difference"] is None for seat in found["seats"])
    assert len(found["others"]) == 3, "whoever has one seat leaves the other to be played"


def test_what_really_happened_may_be_an_ejection_or_not_known() -> None:
    options = "--seat random-1=ordered --games 1 --others ordered"
    found = told(GOLDEN / "revised-nobody-left.xml", f"--from 3 {options}")
    left = found["seats"][0]["really"]
    assert left["ejected_in"] == 4 and left["finished"] is False
    cut = replay(GOLDEN / "revised-interrupted.xml", f"--from 19 {options}")
    assert "interrupted" in cut.stdout


# -- a program -------------------------------------------------------------------------------------

LATE = "--from 66 --others ordered"


def test_program_plays_the_same_deals_as_the_house() -> None:
    found = told(LARGE, f"{LATE} --games 3 --seat grower-1=ordered", f"grower-1={PLAYER}")
    house, program = found["seats"][0]["variants"]
    assert program["kind"] == "command" and program["games"] == 3
    assert not program["lost"] and all(score > 0 for score in program["scores"])
    assert program["difference"]["games"] == 3
    assert house["player"] == "ordered"


def test_program_that_breaks_a_rule_is_counted(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text(
        STARTER.read_text().replace('            case "turn":\n', '            case "turns":\n')
    )
    assert broken.read_text() != STARTER.read_text()
    done = replay(LARGE, f"{LATE} --games 2", f"grower-1={player(broken)}")
    assert "ejected (disconnected) in 2 games, which score 0." in done.stdout


def test_program_that_thinks_too_long_is_late(tmp_path: Path) -> None:
    silent = tmp_path / "silent.py"
    silent.write_text(
        STARTER.read_text().replace(
            '            case "turn":\n',
            '            case "turn" if True:\n                pass\n            case "turn":\n',
        )
    )
    options = f"{LATE} --games 1 --turn-timeout 0.2"
    done = replay(LARGE, options, f"grower-1={player(silent)}")
    assert "ejected (timed-out) in 1 game, which score 0." in done.stdout


def test_program_that_misses_two_games_in_a_row_goes_on(tmp_path: Path) -> None:
    starts, moody = tmp_path / "starts", tmp_path / "moody.sh"
    python, starter = shlex.quote(sys.executable), shlex.quote(str(STARTER))
    moody.write_text(
        f'echo >> "{starts}"\ntest $(wc -l < "{starts}") = 3 && exec {python} {starter} "$@"\n'
    )
    player = f"grower-1=sh {shlex.quote(str(moody))} {{host}} {{port}} {{name}}"
    found = told(LARGE, f"{LATE} --games 5", player)
    (program,) = found["seats"][0]["variants"]
    assert program["lost"] == {"absent": 4} and starts.read_text() == "\n" * 5
    assert [score > 0 for score in program["scores"]] == [False, False, True, False, False]


def test_program_that_never_comes_ends_it_with_what_it_printed() -> None:
    command = shlex.join([sys.executable, "-c", "import sys; sys.exit('no such thing')", "{port}"])
    done = replay(LARGE, "--from 66", f"grower-1={command}", code=1)
    assert "The player did not connect." in done.stderr and "no such thing" in done.stderr


def test_stopped_by_a_signal_it_shows_what_was_played(tmp_path: Path) -> None:
    """The second player that is started says so, and never connects."""
    mark, pipe, waiting = tmp_path / "started", tmp_path / "pipe", tmp_path / "waiting.py"
    os.mkfifo(pipe)
    waiting.write_text(
        "import pathlib, runpy, sys, time\n"
        f"mark, pipe = pathlib.Path({str(mark)!r}), pathlib.Path({str(pipe)!r})\n"
        "if mark.exists():\n"
        "    pipe.write_text('second')\n"
        "    time.sleep(60)\n"
        "mark.touch()\n"
        f"runpy.run_path({str(STARTER)!r}, run_name='__main__')\n"
    )
    options = f"{LATE} --json --connect-timeout 60 --games 5 --seat".split()
    command = [ACQUIRE, "replay", str(LARGE), *options, f"grower-1={player(waiting)}"]
    told_by = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with ending(subprocess.Popen(command, stdout=subprocess.PIPE, text=True)) as running:
        assert running.stdout is not None
        assert select.select([told_by], [], [], 60)[0], "no second player was started"
        running.send_signal(signal.SIGTERM)
        found = json.loads(running.stdout.read())
    os.close(told_by)
    assert running.returncode == 128 + signal.SIGTERM
    assert found["seats"][0]["variants"][0]["games"] == 1


# -- what cannot be --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--from 5", "--from needs --seat: who takes a seat"),
        ("--seat grower-1=ordered", "--seat needs --from: a turn"),
        ("--games 5", "--games needs --from"),
        ("--json", "--json needs --from"),
        ("--from 5 --seat grower-1=ordered --verify", "--verify shows the recorded game"),
        ("--from 5 --seat grower-1=ordered --svg x.svg", "--svg shows the recorded game"),
        ("--from 5 --seat grower-1=ordered --memory 1GB", "--memory needs a COMMAND"),
        ("--from 5 --seat grower-1=ordered --turn-timeout 9", "--turn-timeout needs a COMMAND"),
        ("--from 500 --seat grower-1=ordered", "the game has turns 1 to 72"),
        ("--from 5 --seat nobody=ordered", "no player is called 'nobody'"),
        ("--from 5 --seat grower-1", "expected NAME=WHO"),
        ("--from 5 --seat grower-1=ordred", "'ordred' is neither 'recorded', nor a strategy"),
        ("--from 5 --seat grower-1=./no{port}", "nor a program that can be found"),
        ("--from 5 --seat grower-1=", "'' is neither 'recorded', nor a strategy"),
        ("--from 5 --seat grower-1=ordered --others none", "'none' is not a strategy"),
        (
            "--from 5 --seat grower-1=recorded --seat grower-2=recorded",
            "belongs to 'grower-2'. Give a turn of",
        ),
        ("--from 5 --seat grower-1=random --seat grower-1=random", "given twice"),
    ],
)
def test_what_cannot_be_played_on_is_refused(options: str, said: str) -> None:
    assert said in on_one_line(replay(LARGE, options, code=2).stderr)


@pytest.mark.parametrize(
    ("log", "options", "said"),
    [
        ("revised-nobody-left", "--from 6 --seat random-1=ordered", "(ejected in turn 4)"),
        ("revised-nobody-left", "--from 4 --seat random-1=recorded", "did not complete turn 4"),
    ],
)
def test_who_has_left_cannot_be_replaced(log: str, options: str, said: str) -> None:
    assert said in replay(GOLDEN / f"{log}.xml", options, code=2).stderr


def test_missing_program_is_refused() -> None:
    missing = replay(LARGE, "--from 5", "grower-1=./missing {port}", code=2)
    assert "no such program" in missing.stderr


def test_unreadable_or_divergent_log_is_reported(tmp_path: Path) -> None:
    bad = tmp_path / "bad.xml"
    bad.write_text("no log")
    replay(bad, "--from 5 --seat a=random", code=2)
    text = LARGE.read_text()
    assert 'score="52800"' in text
    bad.write_text(text.replace('score="52800"', 'score="52801"'))
    done = replay(bad, "--from 5 --seat grower-1=random", code=1)
    assert "diverges from the rules" in done.stderr


@pytest.mark.parametrize(
    ("log", "turn", "seat", "mover"),
    [
        ("all-hotels-safe", 86, "ordered-3", "investor-1"),
        ("trade-cut-by-the-bank", 62, "random-1", "ordered-2"),
    ],
)
def test_disposal_in_anothers_last_merger_comes_to_the_real_score(
    log: str, turn: int, seat: str, mover: str
) -> None:
    """What was answered before it is given again, and what comes after changes nothing here."""
    options = f"--from {turn} --seat {seat}=recorded --seat {seat}=investor --games 3"
    found = told(GOLDEN / f"classic-{log}.xml", options)
    assert (found["from"], found["mover"], found["decision"]) == (turn, mover, "disposal")
    (played,) = found["seats"]
    recorded, other = (each["scores"] for each in played["variants"])
    assert recorded == [played["really"]["score"]] * 3
    assert other != recorded


def test_recorded_move_in_anothers_turn_is_the_next_decision_of_the_seat() -> None:
    done = replay(LARGE, "--from 61 --seat grower-3=recorded --games 9 --others ordered")
    assert "played on from the keep decision of grower-3 in turn 62." in done.stderr
    assert "From the keep decision in turn 62 of grower-" in done.stdout


def test_recorded_move_is_that_of_the_next_turn_of_the_seat() -> None:
    done = replay(LARGE, "--from 5 --seat grower-1=recorded --games 2 --others ordered --json")
    assert "Turn 5 is that of grower-2: played on from turn 7, the next of grower-1." in done.stderr
    found = json.loads(done.stdout)
    assert (found["from"], found["mover"]) == (7, "grower-1")
