"""The command line as a user has it: its output and its exit codes.

Commands run in this process, and as processes of their own where a test is about the program.
"""

import json
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import invoke, process, refused, succeed
from log.played import play_logged
from lxml import etree

from acquire.protocol.faults import Fault, Reason

GOLDEN = Path(__file__).parents[1] / "golden"
Played = tuple[Path, dict[str, Any]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Let built-in players fill a table; return the log and what was printed of the game."""
    folder = tmp_path_factory.mktemp("logs")
    done = succeed(
        *("serve", "--port", "0", "--players", "3", "--fill", "random", "--seed", "4"),
        *("--signup-timeout", "0.1", "--log-dir", folder, "--json"),
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["event"] for line in lines] == ["listening", "begun", "over"]
    return Path(lines[-1]["log"]), lines[-1]


@pytest.mark.parametrize("words", [(), ("replay",), ("tournament", "show")], ids=" ".join)
def test_short_option_for_help_is_understood_by_every_command(words: tuple[str, ...]) -> None:
    assert succeed(*words, "-h").stdout == succeed(*words, "--help").stdout


def test_json_has_ending_standings_and_log(played: Played) -> None:
    log, over = played
    assert log.name == "revised-seed4-game1.xml"
    assert over["ending"] == etree.parse(log).find("ended").get("ending")  # type: ignore[union-attr]  # it is there
    assert [place["rank"] for place in over["standings"]] == [1, 2, 3]
    assert over["ejected"] == []


def test_verify_prints_what_is_proved_and_exits_0(played: Played) -> None:
    done = invoke("replay", played[0], "--verify")
    assert (done.exit_code, done.stderr) == (0, "")
    first, *others = done.stdout.splitlines()
    assert re.fullmatch(r".*: verified: \d+ facts, \d+ turns, log complete\.", first)
    assert others == [
        "Proved      the bag, from the seed; every draw, placement, payment and rank, by",
        "            the rules",
        "Testimony   how the seed was chosen; who sent the answers, and when",
    ]


def test_verify_names_the_commitment_that_the_seed_follows_from(tmp_path: Path) -> None:
    log = play_logged(tmp_path, 21)
    committed = log.read_text().replace('game="1">', f'game="1" commitment="{"0a" * 32}">', 1)
    log.write_text(committed)
    done = succeed("replay", log, "--verify")
    assert "that the seed follows from the committed secret" in " ".join(done.stdout.split())


FAULTS = {
    "for the recorded bytes": Fault(Reason.INVALID, "", b"<nothing/>"),
    "for lateness, a lost connection": Fault(Reason.TIMED_OUT, ""),
    "whose bytes are not all in the log": Fault(Reason.INVALID, ""),
}


@pytest.mark.parametrize(("words", "fault"), FAULTS.items(), ids=FAULTS)
def test_verify_prints_what_an_ejection_rests_on(words: str, fault: Fault, tmp_path: Path) -> None:
    log = play_logged(tmp_path, 21, leaves="bob", fault=fault)
    done = invoke("replay", log, "--verify")
    assert f"1 ejection {words}" in " ".join(done.stdout.split())
    assert all(len(line) <= 80 for line in done.stdout.splitlines()[1:])


def test_verify_of_an_ejection_that_the_bytes_contradict_exits_1(tmp_path: Path) -> None:
    fault = Fault(Reason.MALFORMED, "", b"<void/>")
    log = play_logged(tmp_path, 21, leaves="bob", fault=fault)
    why = "'bob' was ejected as malformed, but the recorded bytes are a valid <void>"
    assert why in succeed("replay", log, "--verify", code=1).stdout


def test_verify_of_a_log_with_a_false_record_exits_1(played: Played, tmp_path: Path) -> None:
    log = tmp_path / "false.xml"
    log.write_text(re.sub(r'(<bought [^>]*amount=")\d', r"\g<1>7", played[0].read_text(), count=1))
    done = succeed("replay", log, "--verify", code=1)
    assert "diverges: line" in done.stdout


def test_verify_of_a_file_that_is_not_a_log_exits_2(tmp_path: Path) -> None:
    (tmp_path / "no.xml").write_text("no log")
    for name in ("no.xml", "missing.xml"):
        done = succeed("replay", tmp_path / name, "--verify", code=2)
        assert done.stderr.startswith("Error: ")
        assert done.stdout == ""


def test_replay_shows_the_board_and_the_standings(played: Played) -> None:
    done = succeed("replay", played[0])
    rows = re.findall(r"^ ([A-I])  [·■ACFISTW]  ", done.stdout, re.MULTILINE)
    assert rows == list("ABCDEFGHI")
    assert "rank" in done.stdout
    assert "\x1b" not in done.stdout, "plain where it is not a terminal"


def test_replay_shows_when_and_why_each_player_was_ejected() -> None:
    done = invoke("replay", GOLDEN / "revised-nobody-left.xml")
    shown = [line for line in done.stdout.splitlines() if line.startswith("Ejected")]
    assert [re.split(r": | \(", line)[:2] for line in shown] == [
        ["Ejected in turn 4", "random-1"],
        ["Ejected in turn 9", "ordered-2"],
        ["Ejected in turn 15", "largestalpha-3"],
    ]
    assert all("disconnected" in line for line in shown)


def test_output_is_plain_and_not_folded_in_a_pipe() -> None:
    done = process("replay", GOLDEN / "classic-large-hotel.xml")
    assert "\x1b" not in done.stdout
    assert re.search(r"(?m)^A hotel has reached .* ending, after \d+ turns\)$", done.stdout)


def test_replay_draws_a_picture(played: Played, tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    succeed("replay", played[0], "--svg", picture)
    root = etree.parse(picture).getroot()
    squares = root.findall("{http://www.w3.org/2000/svg}rect")
    assert len([square for square in squares if square.get("width") == "38"]) == 108
    nowhere = invoke("replay", played[0], "--svg", tmp_path / "none" / "board.svg")
    assert nowhere.exit_code == 2
    assert "No such file" in nowhere.stderr


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (
            ["--fill", "nobody"],
            "Choose one of investor, largest-alpha, ordered, planner, random, simulator",
        ),
        (["--reply-timeout", "0"], "0.0 is not in the range"),
        (["--clock", "ann"], "'ann' is not NAME=SECONDS or NAME=none"),
        (["--clock", "ann=0"], "0.0 is not in the range"),
        (
            ["--players", "3", *["--opponent", "ordered"] * 3],
            "3 of 3 seats leave none for a player",
        ),
        (["--port", "70000"], "70000 is not in the range"),
        (["--host", "no.such.host.invalid"], "Cannot listen on no.such.host.invalid"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_options_are_refused_with_what_is_allowed(options: list[str], error: str) -> None:
    assert error in refused("serve", *options)


def test_log_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = succeed("serve", "--port", "0", "--log-dir", tmp_path / "file" / "logs", code=2)
    assert "cannot be written" in done.stderr


def test_port_in_use_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        words = refused("serve", "--port", port)
    assert f"Cannot listen on 127.0.0.1 port {port}: Address already in use." in words
    assert "Give another --host or --port" in words


def test_player_without_a_referee_is_reported() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    words = refused("play", "127.0.0.1", port, "--name", "ann")
    assert "Is the referee running there?" in words


def test_unknown_strategy_is_refused_with_the_known_ones() -> None:
    words = refused("play", "127.0.0.1", "1", "--name", "ann", "--strategy", "chess")
    assert "ordered, planner, random, simulator, smallest-anti" in words


@pytest.mark.parametrize(("option", "least"), [("--list", 5), ("--cast", 100)])
def test_players_are_listed_with_a_line_each(option: str, least: int) -> None:
    done = succeed("play", option)
    lines = [line.split(maxsplit=1) for line in done.stdout.splitlines()]
    assert len(lines) >= least
    assert all(len(line) == 2 for line in lines)


@pytest.mark.parametrize("words", [["chek"], ["tournament", "rnu"]])
def test_unknown_command_is_answered_by_the_nearest(words: list[str]) -> None:
    assert "Did you mean '" in refused(*words)


def test_a_copy_that_is_not_installed_says_so(tmp_path: Path) -> None:
    """Such as an unpacked archive on PYTHONPATH: nothing says which commands there are."""
    code = (
        "import importlib.metadata as metadata; metadata.Distribution.discover = lambda **_: [];"
        "import sys; sys.argv = ['acquire', 'serve'];"
        "from acquire.admin.cli.main import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Error: This project is not installed")
