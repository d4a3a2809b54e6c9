"""``acquire duel``: whole duels, from the command line to the exit code."""

import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from child_processes import ending
from click.testing import Result
from command_line import ACQUIRE, invoke, refused, said, succeed
from tournament_process import TIMEOUT

from acquire.admin.refereeing.log.reader import read
from acquire.admin.testing.trial.game_history import GameHistory

QUICKLY = ("--rulebook", "short.toml")
STRONGER, WEAKER, EQUAL, UNDECIDED = 0, 1, 3, 4


@pytest.fixture(autouse=True)
def folder(folder_with_bots: Path) -> Path:
    return folder_with_bots


def duel(*words: str) -> Result:
    return invoke("duel", *words, "--concurrency", "1", "--seed", "1")


def as_json(*words: str) -> dict[str, Any]:
    done = duel(*words, "--json")
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    assert json.loads(Path(found["folder"], "duel.json").read_text()) == found
    return {**found, "exit": done.exit_code}


def test_better_program_is_stronger_and_the_other_weaker() -> None:
    done = duel("random", "bots.py:Broken", *QUICKLY)
    assert done.exit_code == STRONGER, done.output
    assert "random is stronger than Broken: Broken finished none of 8 games." in done.output
    assert "wrong verdict" not in done.output, "that holds for verdicts by the interval"
    command = shlex.split(done.output.partition("To see why: acquire ")[2].partition("\n")[0])
    assert "Broken raised LookupError('no such certificate')" in said(*command)
    found = as_json("bots.py:Broken", "random", *QUICKLY)
    assert found["exit"] == WEAKER
    assert found["verdict"] == "weaker" and found["difference"] == -2.5
    assert found["sentence"] == "Broken is weaker than random: Broken finished none of 8 games."
    assert found["games"] == 4 * found["blocks"] == 8 <= found["games_played"] < 100, "it ended"
    assert [row["label"] for row in found["contestants"]] == ["Broken", "random"]
    assert found["contestants"][0]["lost"] == 2 * found["games"], "both seats, every game"
    played = found["games_played"]  # of which at most 12 are played again
    assert (found["unfinished"], found["faults"][0]["games"]) == (played, min(played, 12))


def test_opponents_are_an_average_and_each_has_a_row() -> None:
    found = as_json("ordered", "random", "bots.py:Legal", "--max-games", "6", *QUICKLY)
    assert "ordered against the average of random and Legal: " in found["sentence"]
    assert [row["behind"] is None for row in found["contestants"]] == [True, False, False]
    first = next(row for row in found["contestants"] if row["label"] == "ordered")
    share = sum(row["behind"] for row in found["contestants"][1:]) / 2
    assert share * 2 == pytest.approx(first["points"]), "a point for each player placed behind"


def test_copy_of_a_program_is_noticed_and_few_games_say_nothing(folder: Path) -> None:
    shutil.copy(folder / "bots.py", folder / "copy.py")
    done = duel("bots.py:Legal", "copy.py:Legal", "--max-games", "4")
    note = "Note: copy and bots are the same program, byte by byte. A duel cannot show a"
    assert note in " ".join(done.output.split())
    assert "so far, too early to tell" in done.output
    assert "the same program" not in duel("bots.py:Legal", "random", "--max-games", "4").output


@pytest.mark.soak
def test_same_program_is_equal() -> None:
    """All rotations of a deal give every seat to the same play, so nothing varies."""
    found = as_json("ordered", "ordered", "--margin", "1")
    assert (found["exit"], found["verdict"], found["difference"]) == (EQUAL, "equal", 0)


def test_games_can_run_out_and_the_duel_goes_on_later() -> None:
    two = ("random", "ordered", *QUICKLY)
    first = as_json(*two, "--max-games", "11")
    assert (first["exit"], first["games"], first["blocks"]) == (UNDECIDED, 8, 2)
    more = as_json(*two, "--max-games", "12", "--log-dir", first["folder"])
    assert (more["folder"], more["games"]) == (first["folder"], 12)
    whole = as_json(*two, "--max-games", "12")
    assert whole["folder"] != first["folder"]
    assert [whole[key] for key in ("difference", "low")] == [more["difference"], more["low"]]
    other = duel("random", "investor", *QUICKLY, "--log-dir", first["folder"])
    assert other.exit_code == 2 and "has another duel" in other.output


def test_games_of_a_changed_class_do_not_count(folder: Path) -> None:
    pair = ("bots.py:Legal", "random", "--max-games", "4", "--log-dir", "here")
    assert as_json(*pair)["games"] == 4
    with (folder / "bots.py").open("a") as bots:
        bots.write("# better\n")
    done = duel(*pair)
    assert "Changed: Legal, Legal.2. 4 games of before do not count." in done.output
    assert "Legal against random" in done.output and "4 games." in done.output


def test_failing_class_is_shown_with_its_traceback_and_commands_that_work() -> None:
    done = duel("bots.py:Broken", "ordered", "--max-games", "4", "--margin", "1")
    assert "Broken did not finish 4 of 4 games" in done.output
    assert "LookupError: no such certificate" in done.output
    assert "in order" in done.output
    (explain,) = commands(done.output, "acquire explain")
    assert "no such certificate" in run(explain) or "disconnected" in run(explain)
    (rerun,) = commands(done.output, "acquire rerun")
    assert rerun.endswith("--name {name} --strategy bots.py:Broken")


def test_every_kind_of_lost_game_is_counted_and_explained(folder: Path) -> None:
    """However many games of another kind were lost before."""
    with (folder / "bots.py").open("a") as bots:
        bots.write(
            "class Both(Mixed):\n"
            "    made = 0\n"
            "    def __init__(self, *given):\n"
            "        super().__init__(*given)\n"
            "        Both.made += 1\n"
            "        kind = [Legal, Broken, Mixed][(Both.made > 2) + (Both.made > 32)]\n"
            "        self.order = kind.order.__get__(self)\n"
        )
    output = duel("bots.py:Both", "random", "--max-games", "24").output
    assert "Both did not finish 23 of 24 games (15 crashed, 8 illegal), and lost them:" in output
    explained = [
        int(count) for count in re.findall(r"^  (\d+) (?:crashed|illegal)  ", output, re.M)
    ]
    assert len(explained) == 2 and sum(explained) == 12
    assert "  and 11 more games, not replayed" in output


def test_worst_games_are_listed_with_commands_that_work() -> None:
    done = duel("bots.py:Legal", "ordered", "random", "--max-games", "6")
    found = json.loads(Path("duels/Legal-ordered/duel.json").read_text())
    assert 1 <= len(found["worst_games"]) <= 3
    differences = [each["difference"] for each in found["worst_games"]]
    assert differences == sorted(differences) and differences[-1] < 0
    shown, played_on = commands(done.output, "acquire replay")[:2]
    assert f"Turn {found['worst_games'][0]['turn']}" in run(shown)
    assert "Legal=recorded" in played_on
    assert "recorded, then investor" in run(f"{played_on} --games 2")
    for worst in found["worst_games"]:
        shown, played_on = worst["commands"]
        movers = GameHistory(read(Path(shlex.split(shown)[2]))).movers
        to_play_on = [turn for turn in movers if turn <= worst["turn"] and turn < max(movers)]
        own = [turn for turn in to_play_on if movers[turn] == "Legal"]
        assert f"--from {own[-1]} " in played_on, "its last turn up to the decisive one"


def commands(output: str, start: str) -> list[str]:
    return [line.strip() for line in output.splitlines() if line.strip().startswith(start)]


def run(command: str) -> str:
    """Run a command as it would be copied."""
    first, *words = shlex.split(command)
    assert first == "acquire"
    return succeed(*words).output


def test_program_that_never_starts_loses_and_is_reported() -> None:
    """Also the end of a run in the arena, which would have 3,000 games."""
    failing = shlex.join([sys.executable, "-c", "raise OSError(17)", "{port}"])
    words = ("--rulebook", "classic", "--seats", "2", "--max-games", "3000", "--sandbox", "none")
    found = as_json(failing, "ordered", *words)
    assert found["exit"] == WEAKER and found["difference"] == -1
    assert found["games"] <= found["games_played"] < 1500
    (fault,) = found["faults"][:1]
    assert fault["verdict"] == "never-started" and fault["title"] == "OSError: 17"
    assert fault["output"].startswith("Traceback") and len(fault["commands"]) == 1


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("random", "investro"), "neither a built-in player"),
        (("random", "ordered", "--seats", "2"), "between 3 and 6 for rulebook revised"),
        (("random", "ordered", "--max-games", "3"), "one block has 4 games here"),
        (("random", "ordered", "--margin", "3"), "no difference is greater than 2.5 points"),
        (("random",), "Missing argument 'OTHER...'"),
    ],
)
def test_duel_that_cannot_begin_is_refused(words: tuple[str, ...], text: str) -> None:
    done = duel(*words)
    assert done.exit_code == 2 and text in done.output
    assert not Path("duels").exists()


@pytest.mark.parametrize(
    "text",
    [
        "[duel",
        f"a = {'[' * 60_000}",
        f"[tournament]\ndeals = 0x{'f' * 5000}",
        f"{'a.' * 200_000}a = 1",
    ],
    ids=["damaged", "deep", "large", "long"],
)
def test_folder_with_a_hostile_file_of_a_duel_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "duel.toml").write_text(text)
    done = duel("random", "ordered", "--log-dir", str(tmp_path))
    assert done.exit_code == 2 and "is not the file of a duel" in done.output


@pytest.fixture
def endless() -> Iterator[subprocess.Popen[str]]:
    """A duel that takes long, in a process of its own."""
    words = ("duel", "random", "ordered", "--margin", "0.001", "--concurrency", "1")
    with ending(subprocess.Popen([ACQUIRE, *words], stdout=subprocess.PIPE, text=True)) as process:
        yield process


@pytest.mark.soak
def test_stopped_duel_shows_what_is_known(endless: subprocess.Popen[str]) -> None:
    assert endless.stdout is not None
    for line in endless.stdout:
        if line.startswith("4 games: "):
            endless.send_signal(signal.SIGINT)
            break
    rest = endless.stdout.read()
    assert endless.wait(TIMEOUT) == 130
    assert "Undecided, random against ordered" in rest
    assert "the same command with --log-dir duels/random-ordered\n" in rest


@pytest.mark.parametrize("command", ["duel", "arena"])
def test_advice_about_a_store_names_an_option_that_there_is(tmp_path: Path, command: str) -> None:
    """Neither command has --store, --fresh or --retry."""
    name = "duel.sqlite" if command == "duel" else "match.sqlite"
    (tmp_path / name).write_text("something else")
    words = (command, "random", "ordered", "investor", "--log-dir", tmp_path)
    output = refused(*words, *(["--no-browser"] if command == "arena" else []))
    assert f"{name} cannot be used: file is not a database. Give another --log-dir." in output


def test_duel_without_its_secret_advises_what_it_can(tmp_path: Path) -> None:
    program = "false {host}"
    words = (
        program,
        "ordered",
        "--log-dir",
        str(tmp_path),
        "--sandbox",
        "none",
        "--max-games",
        "8",
    )
    duel(*words)
    (tmp_path / "duel.secret").unlink()
    output = refused("duel", *words)
    assert "is missing: it has the secret" in output and "--fresh" not in output
    assert output.endswith("Give another --log-dir.")
