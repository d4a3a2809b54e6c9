"""A failing match driven into its player again, compared, and made short: real processes."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from admin.check.case_result import CaseVerdict
from admin.check.judging import judge
from admin.check.saved_case import saved_case
from admin.log.reader import read
from admin.log.verifier import Verifier
from admin.match.outcome import Outcome
from admin.trial.match_history import MatchHistory
from admin.trial.trial import TrialResult
from check.mutants import STARTER
from game.turn import Ending
from rerun.failing_match import ACQUIRE, LEFT_IN, Failing, acquire, failing_match

WHERE = ("{host}", "{port}", "{name}")


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory) -> Failing:
    return failing_match(tmp_path_factory.mktemp("failing"))


def player(path: Path) -> tuple[str | Path, ...]:
    return ("--", sys.executable, path, *WHERE)


def edited(folder: Path, old: str, new: str) -> Path:
    """The starter with an edit."""
    source = STARTER.read_text()
    assert source.count(old) == 1
    path = folder / "edited.py"
    path.write_text(source.replace(old, new))
    return path


# -- rerun -----------------------------------------------------------------------------------------


def test_same_player_answers_the_same_to_its_ejection(failing: Failing) -> None:
    done = acquire("rerun", failing.log, *player(failing.player), cwd=failing.folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"All \d\d+ answers agree with the recorded match\.", done.stdout)
    assert done.stdout.count(f"in turn {LEFT_IN}") == 1 and "safe-merger" in done.stdout


def test_mended_player_differs_first_where_the_broken_one_was_ejected(failing: Failing) -> None:
    done = acquire("rerun", failing.log, *player(STARTER), cwd=failing.folder)
    assert done.returncode == 1
    assert f"First different answer: in turn {LEFT_IN}, to <turn>" in done.stdout
    recorded, now = re.findall(r"^ +(?:recorded|now) +(<.*>) *$", done.stdout, re.MULTILINE)
    assert recorded.startswith("<placement>") and recorded != now
    assert "now it stayed to the end" in done.stdout


def test_rerun_begins_with_the_turn_asked_for(failing: Failing) -> None:
    options = ("--seat", "alice", "--from", str(LEFT_IN))
    done = acquire("rerun", failing.log, *options, *player(failing.player), cwd=failing.folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "The only answer agrees with the recorded match." in done.stdout


def test_answer_that_breaks_a_rule_is_called_so(failing: Failing, tmp_path: Path) -> None:
    naming = edited(tmp_path, 'in ("found", "merge")', '!= "alone"')
    done = acquire("rerun", failing.log, *player(naming), cwd=failing.folder)
    assert done.returncode == 1
    assert "Only a founding or a merger names a hotel." in done.stdout


def test_player_that_does_not_come_is_told_with_what_it_printed(failing: Failing) -> None:
    code = "import sys; sys.exit('no such strategy')"
    done = acquire(
        "rerun", failing.log, "--", sys.executable, "-c", code, "{port}", cwd=failing.folder
    )
    assert done.returncode == 1
    assert "no such strategy" in done.stderr and "exit code 1" in done.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--seat", "nobody"), "no player is called 'nobody'. Players: 'alice', 'investor'"),
        (("--from", "90"), f"the last turn of 'alice' in the match is {LEFT_IN}"),
    ],
)
def test_what_cannot_be_rerun_is_refused(
    failing: Failing, options: tuple[str, ...], said: str
) -> None:
    done = acquire("rerun", failing.log, *options, *player(STARTER), cwd=failing.folder)
    assert done.returncode == 2
    assert said in done.stderr


@pytest.mark.parametrize("command", ["rerun", "shrink"])
def test_without_log_seat_or_player_nothing_begins(command: str, tmp_path: Path) -> None:
    (tmp_path / "no.xml").write_text("no log")
    golden = Path(__file__).parents[1] / "golden" / "revised-large-hotel.xml"
    for arguments, said in (
        (("no.xml", *player(STARTER)), "not a match log"),
        ((golden, *player(STARTER)), "no player was ejected. Choose a seat"),
        ((golden, "--seat", "grower-1"), "No player given."),
        ((golden, "--seat", "grower-1", "--", "./missing", "{port}"), "no such program"),
    ):
        done = acquire(command, *arguments, cwd=tmp_path)
        assert done.returncode == 2, done.stdout
        assert said in done.stderr and "Traceback" not in done.stderr


def test_player_in_a_debugger_connects_by_itself(failing: Failing) -> None:
    options = ("--from", "50", "--listen", "0", "--turn-timeout", "3600")
    command: list[str | Path] = [ACQUIRE, "rerun", failing.log, *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as rerun:
        assert rerun.stdout is not None
        found = re.search(r"Listening on (.*):(\d+)\. .* sign up as alice", rerun.stdout.readline())
        assert found is not None
        subprocess.run([sys.executable, failing.player, found[1], found[2], "alice"],
                       stderr=subprocess.DEVNULL, timeout=30, check=False)  # fmt: skip
        told = rerun.stdout.read()
    assert rerun.returncode == 0 and "agree with the recorded match" in told


def test_rerun_stopped_by_a_signal_says_so_in_its_exit_code(failing: Failing) -> None:
    command: list[str | Path] = [ACQUIRE, "rerun", failing.log, "--listen", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as rerun:
        assert rerun.stdout is not None
        port = int(re.findall(r":(\d+)\.", rerun.stdout.readline())[0])
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(b'<signup name="alice"/>')
            assert connection.recv(100)
            rerun.send_signal(signal.SIGTERM)
            rerun.wait(30)
    assert rerun.returncode == 128 + signal.SIGTERM


# -- shrink ----------------------------------------------------------------------------------------


def test_match_shrinks_to_a_few_messages_that_explain_themselves(failing: Failing) -> None:
    done = acquire("shrink", failing.log, "--out", "short.xml", *player(failing.player),
                   cwd=failing.folder)  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    found = re.search(r"from (\d+) messages to (\d+): only turn (\d+) of", done.stdout)
    assert found is not None
    assert int(found[1]) > 60 and int(found[2]) <= 4 and int(found[3]) == LEFT_IN
    short = failing.folder / "short.xml"
    record = read(short)
    assert Verifier(record).verify().divergence is None
    assert sum(1 for element in record.elements if element.tag == "turn") == 1
    told = acquire("explain", short, cwd=failing.folder)
    assert told.returncode == 0 and "safe-merger" in told.stdout
    again = acquire("rerun", short, *player(failing.player), cwd=failing.folder)
    assert again.returncode == 0, again.stdout


def test_player_that_is_not_ejected_cannot_be_shrunk(failing: Failing) -> None:
    done = acquire("shrink", failing.log, "--out", "none.xml", *player(STARTER), cwd=failing.folder)
    assert done.returncode == 1
    assert "was not ejected" in done.stdout
    assert not (failing.folder / "none.xml").exists()


def test_player_that_falls_silent_is_shrunk_as_well(failing: Failing, tmp_path: Path) -> None:
    silent = edited(
        tmp_path,
        '            case "turn":\n',
        '            case "turn" if len(read_board(message)) > 30:\n                pass\n'
        '            case "turn":\n',
    )
    clocks = ("--turn-timeout", "0.5")
    done = acquire("shrink", failing.log, *clocks, "--out", "silent.xml", *player(silent),
                   cwd=failing.folder)  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "timed-out" in done.stdout


def test_what_needs_two_turns_is_shrunk_to_two(failing: Failing, tmp_path: Path) -> None:
    forgetful = edited(
        tmp_path,
        '            case "turn":\n                board, players',
        '            case "turn" if (told := told + [len(read_board(message)) // 25]) and sum(\n'
        "                1 for n in set(told)) > 1:\n"
        "                raise NoScoreError('confused')\n"
        '            case "turn":\n                board, players',
    )
    begun = "    board: Board = {}"
    forgetful.write_text(forgetful.read_text().replace(begun, f"    told = []\n{begun}"))
    done = acquire("shrink", failing.log, "--out", "two.xml", *player(forgetful),
                   cwd=failing.folder)  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    record = read(failing.folder / "two.xml")
    assert sum(1 for element in record.elements if element.tag == "turn") == 2
    assert "disconnected" in done.stdout


# -- as a case -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def short(failing: Failing) -> Path:
    """The failing match made short."""
    out = failing.folder / "case.xml"
    done = acquire("shrink", failing.log, "--out", out, *player(failing.player), cwd=failing.folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


def test_case_is_failed_by_the_broken_player_and_passed_by_the_mended(
    failing: Failing, short: Path
) -> None:
    done = acquire("check", "--case", short, *player(failing.player), cwd=failing.folder)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "0 of 1 passed, 1 failed." in done.stdout
    assert f"To repeat: acquire check --case {short} -- " in done.stdout
    done = acquire("check", "--case", short, "--strict", *player(STARTER), cwd=failing.folder)
    assert done.returncode == 0, done.stdout + done.stderr


def test_whole_log_is_a_case_as_well_and_two_can_be_played(failing: Failing, short: Path) -> None:
    cases = ("--case", failing.log, "--case", short)
    done = acquire("check", *cases, *player(STARTER), cwd=failing.folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 of 2 passed." in done.stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--case", "no.xml"), "not a match log"),
        (("--case", "{golden}/revised-large-hotel.xml"), "no player was ejected in this match"),
        (("--case", "{golden}/revised-nobody-left.xml"), "choose a player with --seat"),
        (("--case", "missing.xml"), "No such file"),
        (("--case", "{short}", "--only", "turn"), "Give either --only or --case"),
    ],
)
def test_what_is_no_case_is_refused(
    failing: Failing, short: Path, options: tuple[str, ...], said: str
) -> None:
    (failing.folder / "no.xml").write_text("no log")
    golden = Path(__file__).parents[1] / "golden"
    filled = [option.format(golden=golden, short=short) for option in options]
    done = acquire("check", *filled, *player(STARTER), cwd=failing.folder)
    assert done.returncode == 2, done.stdout
    assert said in done.stderr and "Traceback" not in done.stderr


# -- what a rerun proves ---------------------------------------------------------------------------


def test_rerun_that_compares_nothing_does_not_agree(failing: Failing, tmp_path: Path) -> None:
    mute = edited(
        tmp_path,
        '            case "state":\n',
        '            case "state" if True:\n                pass\n            case "state":\n',
    )
    done = acquire("rerun", failing.log, "--from", "20", *player(mute), cwd=failing.folder)
    assert done.returncode == 1
    assert "No answers could be compared." in done.stdout and "timed-out" in done.stdout


@pytest.mark.parametrize(
    ("out", "said"), [("{log}", "is the log itself"), ("no/folder/x.xml", "Cannot write")]
)
def test_shrink_finds_out_first_that_it_cannot_save(failing: Failing, out: str, said: str) -> None:
    before = failing.log.read_bytes()
    options = ("--out", out.format(log=failing.log))
    done = acquire("shrink", failing.log, *options, "--", "false", "{port}", cwd=failing.folder)
    assert done.returncode == 2
    assert said in done.stderr
    assert failing.log.read_bytes() == before


def test_shrink_does_without_a_player_that_comes_no_more(failing: Failing) -> None:
    flaky = failing.folder / "flaky.sh"
    flaky.write_text(
        "#!/bin/sh\n[ -e came.txt ] && exit 3\n: > came.txt\n"
        f'exec "{sys.executable}" "{failing.player}" "$@"\n'
    )
    flaky.chmod(0o755)
    done = acquire("shrink", failing.log, "--out", "flaky.xml", "--", flaky, *WHERE,
                   cwd=failing.folder)  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert (failing.folder / "flaky.xml").exists()


def test_case_that_ends_before_its_turn_is_not_passed(failing: Failing, tmp_path: Path) -> None:
    """Under a rulebook that lets players end a game a saved case can be over too soon."""
    golden = Path(__file__).parents[1] / "golden" / "classic-turn-undone.xml"
    record = read(golden)
    left = [element for element in record.elements if element.tag == "ejected"]
    assert left, "a golden game in which somebody is ejected"
    name = left[0].attrib["player"]
    case = saved_case(golden, name)
    assert case.required_turns == len(MatchHistory(record).turns_of(name))
    early = TrialResult(requested_name=name, name=name, outcome=Outcome(Ending.ALL_SAFE, 1, (), ()))
    assert judge(case, early, None, strict=False).verdict is CaseVerdict.NOT_REACHED


def test_turn_that_nobody_answered_is_not_driven_again(failing: Failing, tmp_path: Path) -> None:
    text = failing.log.read_text()
    cut = tmp_path / "cut.xml"
    head, turn, _ = text.partition('<turn number="30"')
    cut.write_text(head + turn + text[len(head) + len(turn) :].partition("\n")[0] + "\n")
    assert max(MatchHistory(read(cut)).positions) == 29
