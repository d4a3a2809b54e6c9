"""``acquire rerun``, ``shrink`` and ``check --case`` with launched players: output, exit codes."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from child_processes import ending
from command_line import ACQUIRE, invoke, process, refused, succeed
from log.played import play_logged
from sandboxes import BWRAP_AND_SOAK

from acquire.admin.launching.sandbox import Sandbox
from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.play.outcome import Outcome
from acquire.admin.testing.cases.catalogue import saved_cases
from acquire.admin.testing.judging.case_judge import judge
from acquire.admin.testing.judging.check_result import CaseVerdict
from acquire.admin.testing.trial.game_history import GameHistory
from acquire.admin.testing.trial.trial import TrialResult
from acquire.game.turn import Ending
from check.mistakes import GENEROUS, STARTER, TRUSTED, WHERE, started
from rerun.failing_game import BROKEN, LEFT_IN, failing_game

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the log of the failing game and the player that failed in it."""
    (tmp_path / "game.xml").write_bytes(failing_game().log)
    (tmp_path / "broken.py").write_text(BROKEN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    return tmp_path


FAILING = started("broken.py")


# -- rerun --------------------------------------------------------------------------------------


def test_explain_prints_the_command_that_plays_the_game_again() -> None:
    told = invoke("explain", "game.xml").stdout
    (command,) = re.findall(r"acquire (rerun game.xml .*) -- COMMAND", told)
    done = succeed(*command.split(), *FAILING)
    assert "All 99 answers agree with the recorded game." in done.stdout


def test_rerun_of_the_fixed_player_exits_with_1() -> None:
    words = ("--seat", "alice", "--from", LEFT_IN)
    done = succeed("rerun", "game.xml", *words, *started(), code=1)
    assert f"First different answer: in turn {LEFT_IN}, to <turn>" in done.stdout


def test_player_that_does_not_connect_is_reported_with_its_output() -> None:
    code = "import sys; sys.exit('no such strategy')"
    done = succeed("rerun", "game.xml", *started("-c", code, "{port}"), code=1)
    assert "The player did not connect." in done.stderr
    assert "no such strategy" in done.stderr and "exit code 1" in done.stderr


def test_option_after_the_command_is_noted() -> None:
    words = ("--", "false", "--host", "{port}", "--seat", "alice")
    done = succeed("rerun", "game.xml", *TRUSTED, *words, code=1)
    assert "Note: --seat is given to the player. If it is meant for acquire, write" in done.stderr


FAILS_LIKE_NODE = r'sys.exit("TypeError: x is null\n    at turn\n\nNode.js v20.20.2")'


@pytest.mark.parametrize(
    ("command", "options", "ends", "words"),
    [
        (
            *("rerun", ("--from", str(LEFT_IN)), 'print("bye"); sys.exit(0)'),
            "0 before it answered <turn>. Last line of its output: bye",
        ),
        (*("shrink", (), FAILS_LIKE_NODE), "1 before it answered <turn>: TypeError: x is null"),
    ],
)
def test_program_that_ends_before_it_answers_is_explained_by_its_exit(
    command: str, options: tuple[str, ...], ends: str, words: str
) -> None:
    """With code 0 too, which alone does not look like a failure."""
    early = STARTER.read_text().replace('case "turn":', f'case "turn":\n                {ends}')
    Path("early.py").write_text(early)
    done = invoke(command, "game.xml", *options, *started("early.py"))
    told = f"The program ended with exit code {words}"
    assert told in " ".join(done.stdout.split()) and "Node.js" not in done.stdout


# -- debug --------------------------------------------------------------------------------------


def debug(*options: str, player: str = "broken.py") -> subprocess.CompletedProcess[str]:
    """Debug a player at a pipe in place of a terminal, as pdb reads its commands."""
    words = (*options, "--", sys.executable, "-m", "pdb", player, *WHERE)
    commands = 'b send, element.startswith("<pbuy")\nc\np "it answers " + element\nc\nc\nq\n'
    return process("debug", "game.xml", "--seat", "alice", *words, typed=commands)


def test_program_is_debugged_at_a_turn_of_a_game() -> None:
    """It reads its debugger's commands, and is asked in that turn first and last."""
    done = debug("--turn", str(LEFT_IN), player=str(STARTER))
    assert done.stdout.count("it answers <pbuy>") == 1
    assert f"First different answer: in turn {LEFT_IN}, to <turn>" in done.stdout
    assert done.returncode == 1


def test_program_that_waits_in_a_debugger_is_not_late() -> None:
    slow = STARTER.read_text().replace('case "turn":', 'case "turn":\n                pause()')
    Path("slow.py").write_text(f"import time\npause = lambda: time.sleep(1.5)\n{slow}")
    where = ("--turn", "1", "--", sys.executable, "slow.py", *WHERE)
    done = invoke("debug", "game.xml", "--seat", "alice", *where)
    assert "timed-out" not in done.stdout
    assert "answer" in done.stdout and done.exit_code in (0, 1)


def test_turns_before_are_replayed_for_a_player_that_remembers_them() -> None:
    where = ("--turn", LEFT_IN, "--whole", "--", sys.executable, "broken.py", *WHERE)
    done = succeed("debug", "game.xml", *where)
    assert f"In the recorded game the player was ejected in turn {LEFT_IN}" in done.stdout


def test_turn_that_is_not_in_the_game_cannot_be_debugged() -> None:
    error = refused("debug", "game.xml", "--turn", "999", "--", "true", "{port}")
    assert f"the last turn of 'alice' in the game is {LEFT_IN}" in error


def test_program_that_ends_before_it_connects_to_be_debugged() -> None:
    done = succeed("debug", "game.xml", "--turn", "1", "--", "false", "{port}", code=1)
    assert "ended with exit code 1 before it connected" in done.stderr


@pytest.mark.parametrize("command", ["rerun", "shrink"])
@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("no.xml", *FAILING), "not a game log"),
        (("{golden}", *FAILING), "no player was ejected. Choose a seat with --seat."),
        (("{golden}", "--seat", "grower-1"), "No player given."),
        (("{golden}", "--seat", "grower-1", "--", "./missing", "{port}"), "no such program"),
        (("game.xml", "--seat", "nobody", *FAILING), "no player is called 'nobody'. Players: "),
    ],
)
def test_rerun_and_shrink_refuse_what_cannot_begin(
    command: str, words: tuple[str, ...], error: str
) -> None:
    Path("no.xml").write_text("no log")
    golden = str(GOLDEN / "revised-large-hotel.xml")
    assert error in refused(command, *(golden if word == "{golden}" else word for word in words))


def test_rerun_from_a_turn_after_the_ejection_is_refused() -> None:
    error = refused("rerun", "game.xml", "--from", "90", *FAILING)
    assert f"the last turn of 'alice' in the game is {LEFT_IN}" in error


def test_player_in_a_debugger_connects_by_itself() -> None:
    options = ("--from", "59", "--listen", "0", "--turn-timeout", "3600")
    command = [ACQUIRE, "rerun", "game.xml", *options]
    with ending(subprocess.Popen(command, stdout=subprocess.PIPE, text=True)) as rerun:
        assert rerun.stdout is not None
        found = re.search(r"Listening on (.*):(\d+)\. .* sign up as alice", rerun.stdout.readline())
        assert found is not None
        started = [sys.executable, "broken.py", found[1], found[2], "alice"]
        subprocess.run(started, stderr=subprocess.DEVNULL, timeout=GENEROUS, check=False)
        output = rerun.stdout.read()
    assert rerun.returncode == 0 and "agree with the recorded game" in output


def test_rerun_stopped_by_a_signal_exits_with_its_code() -> None:
    command = [ACQUIRE, "rerun", "game.xml", "--listen", "0"]
    with ending(subprocess.Popen(command, stdout=subprocess.PIPE, text=True)) as rerun:
        assert rerun.stdout is not None
        port = int(re.findall(r":(\d+)\.", rerun.stdout.readline())[0])
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(b'<signup name="alice"/>')
            assert connection.recv(100)
            rerun.send_signal(signal.SIGTERM)
            rerun.wait(GENEROUS)
    assert rerun.returncode == 128 + signal.SIGTERM


# -- shrink, and the result as a case -----------------------------------------------------------


def test_shrunk_game_is_explained_and_is_a_case() -> None:
    done = succeed("shrink", "game.xml", *FAILING)
    found = re.search(r"from (\d+) messages to (\d+): only turn (\d+) of the game", done.stdout)
    assert found is not None
    assert int(found[1]) > 60 and int(found[2]) <= 4 and int(found[3]) == LEFT_IN
    assert "safe-merger" in done.stdout
    assert "acquire check --case game-shrunk.xml --sandbox none -- " in done.stdout
    assert "safe-merger" in succeed("explain", "game-shrunk.xml").stdout
    checked = succeed("check", "--case", "game-shrunk.xml", *FAILING, code=1)
    assert "0 of 1 passed, 1 failed." in checked.stdout
    assert "To repeat: acquire check --case game-shrunk.xml --sandbox none -- " in checked.stdout
    both = ("--case", "game.xml", "--case", "game-shrunk.xml")
    assert "2 of 2 passed." in succeed("check", *both, "--strict", *started()).stdout


@pytest.mark.parametrize(
    ("late", "error", "needed"),
    [
        (
            "if turns == 4",
            "ValueError: late",
            r"turns (\d+, ){3}\d+ of the game are needed \(1 to 4",
        ),
        (
            "if turns >= 4 or jumped",
            "IndexError: {turns}, {there[0]}",
            r"only turn \d+ of the game",
        ),
    ],
)
def test_program_that_ends_otherwise_is_not_shrunk_further(
    late: str, error: str, needed: str
) -> None:
    """The same error about another number or tile is no other end."""
    crashes = (
        "turns, there = turns + 1, sorted(read_board(message))\n"
        "jumped, seen = len(there) > seen + 5, len(there)\n"
        f'{late}: sys.exit(f"{error}")\n'
        'if jumped: sys.exit("ValueError: jumped")\n'
    ).replace("\n", "\n                ")
    first = "    board: Board = {}"
    source = STARTER.read_text().replace(first, f"    turns, seen = 0, 4\n{first}")
    Path("late.py").write_text(
        source.replace('case "turn":', f'case "turn":\n                {crashes}')
    )
    done = succeed("shrink", "game.xml", *started("late.py"))
    assert re.search(needed, done.stdout) and "jumped" not in done.stdout


def test_printed_commands_choose_among_several_ejected_players() -> None:
    """Its program starts once only: all turns are kept, with that in which another one leaves."""
    fails = 'case "turn":\n                if len(players) == 1: sys.exit(1)'
    once = "import os, sys\nif os.path.exists('ran'): sys.exit(2)\nopen('ran', 'w')\n"
    Path("once.py").write_text(once + STARTER.read_text().replace('case "turn":', fails))
    words = (str(GOLDEN / "digest-nobody-left.xml"), "--seat", "random-1", "--out", "all.xml")
    shrunk = succeed("shrink", *words, *started("once.py"))
    found = re.search(r"acquire (check --case all.xml --seat random-1 .*)", shrunk.stdout)
    assert found is not None
    Path("ran").unlink()
    assert f"To repeat: {found[0]}" in succeed(*found[1].split(), code=1).stdout


def test_game_of_a_player_that_is_not_ejected_cannot_be_shrunk(folder: Path) -> None:
    done = succeed("shrink", "game.xml", "--out", "none.xml", *started(), code=1)
    assert "The player was not ejected" in done.stdout and "try again" in done.stdout
    assert not (folder / "none.xml").exists()


@pytest.mark.parametrize(
    ("out", "error"), [("game.xml", "is the log itself"), ("no/folder/x.xml", "cannot be written")]
)
def test_shrink_refuses_an_unwritable_file_first(folder: Path, out: str, error: str) -> None:
    words = ("--out", out, *TRUSTED, "--", "false", "{port}")
    assert error in refused("shrink", "game.xml", *words)
    assert (folder / "game.xml").read_bytes() == failing_game().log


def test_shrunk_game_is_saved_in_the_current_folder(folder: Path) -> None:
    """An audit would find it in the logs of a report."""
    (folder / "logs").mkdir()
    (folder / "game.xml").rename(folder / "logs" / "game.xml")
    succeed("shrink", "logs/game.xml", *FAILING)
    assert (folder / "game-shrunk.xml").exists()
    assert [file.name for file in (folder / "logs").iterdir()] == ["game.xml"]


def test_shrink_never_overwrites_an_earlier_result(folder: Path) -> None:
    (folder / "game-shrunk.xml").write_text("an earlier result")
    succeed("shrink", "game.xml", *FAILING)
    assert (folder / "game-shrunk.xml").read_text() == "an earlier result"
    assert (folder / "game-shrunk-2.xml").exists()


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (("--case", "no.xml"), "not a game log"),
        (("--case", f"{GOLDEN}/revised-large-hotel.xml"), "no player was ejected in this game"),
        (("--case", f"{GOLDEN}/revised-nobody-left.xml"), "choose a player with --seat"),
        (("--case", "missing.xml"), "No such file"),
        (("--case", "game.xml", "--only", "turn"), "Give either --only or --case"),
    ],
)
def test_log_that_is_not_a_case_is_refused(options: tuple[str, ...], error: str) -> None:
    Path("no.xml").write_text("no log")
    assert error in refused("check", *options, *started())


def test_case_of_a_later_position_does_not_test_the_first(folder: Path) -> None:
    path = play_logged(folder, 1, leaves="cyd")
    assert saved_cases([path])[0].tested == {"state"}


def test_case_that_ends_before_its_turn_is_not_passed() -> None:
    """Under a rulebook in which players declare the end, a saved case can end too early."""
    golden = GOLDEN / "classic-turn-undone.xml"
    history = GameHistory(read(golden))
    name = next(iter(history.ejected))
    (case,) = saved_cases([golden], name)
    assert case.required_turns == len(history.turns_of(name))
    early = TrialResult(requested_name=name, name=name, outcome=Outcome(Ending.ALL_SAFE, 1, (), ()))
    assert judge(case, early, strict=False).verdict is CaseVerdict.NOT_REACHED


@pytest.mark.parametrize("kind", BWRAP_AND_SOAK)
def test_player_that_is_not_trusted_does_not_see_the_log(
    kind: Sandbox, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the bag in it, it could answer as recorded."""
    with tempfile.TemporaryDirectory() as name:  # which every user can read
        Path(name).chmod(0o755)
        for file in ("game.xml", "broken.py"):
            shutil.copy(folder / file, name)
        spying = "import os; print('sees', sorted(os.listdir('.')), flush=True)\n" + BROKEN
        Path(name, "broken.py").write_text(spying)
        monkeypatch.chdir(name)
        words = ("--sandbox", kind.value, "--", "/usr/bin/python3", "broken.py", *WHERE)
        succeed("rerun", "game.xml", "--from", "55", *words)
        succeed("shrink", "game.xml", *words)
        output = invoke("check", "-v", "--case", "game-shrunk.xml", *words).output
        sees = ["broken.py", "game.xml"] if kind is Sandbox.BWRAP else sorted(os.listdir("."))
        assert f"sees {sees}" in output
