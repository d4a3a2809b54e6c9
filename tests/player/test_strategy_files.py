"""A strategy in a file of one's own, wherever it can be given."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from child_processes import ending
from command_line import ACQUIRE, invoke, on_one_line, refused, succeed
from loops import for_each
from tournament_process import PlayerEntry, TournamentFolder, built_in

import acquire
from acquire.admin.tournament.planning.plan_file import read_plan
from acquire.protocol.plugins import StrategyFileError, load_strategy_file
from acquire.protocol.settings_file import InvalidFile

MINE = """
import acquire
from helper import best

class Mine(acquire.Strategy):
    def place(self, state):
        return best(acquire.legal_placements(state))

    def order(self, state):
        return acquire.legal_orders(state)[-1]
"""
HELPER = "def best(choices):\n    return choices[0]\n"
TRUSTED = ("--sandbox", "none")
FAILS = MINE.replace("return acquire.legal_orders", "return {}['an idea'] or acquire.legal_orders")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with three files."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "fails.py").write_text(FAILS)
    (tmp_path / "helper.py").write_text(HELPER)
    return tmp_path


def test_game_in_this_process(folder: Path) -> None:
    players = {"me": f"{folder}/mine.py:Mine", "ann": "random", "bob": "ordered"}
    game = acquire.play_game(players, seed=1)
    assert not game.ejected
    assert game.log == acquire.play_game(players, seed=1).log


def test_no_file_of_mine_hides_a_package(folder: Path) -> None:
    for name in ("admin", "game", "player", "protocol", "schemas"):
        (folder / f"{name}.py").write_text("raise AssertionError('it is not imported')")
    (folder / "bot.py").write_text(
        "import acquire\n"
        "players = dict.fromkeys(('ann', 'bob', 'cyd'), 'random')\n"
        "print(acquire.play_game(players, seed=1).winners)"
    )
    ended = subprocess.run(
        [sys.executable, "bot.py"], cwd=folder, capture_output=True, text=True, timeout=60
    )
    assert (ended.stderr, ended.returncode) == ("", 0)
    assert ended.stdout.startswith("('")


WRONG = {
    "abstract": (
        "e.py:Mine",
        "import acquire\nclass Mine(acquire.Strategy):\n    def place(self, state): pass\n",
        "the class does not define order.",
    ),
    "no file": ("none.py:Mine", "", "there is no file"),
    "no class": ("a.py:Mien", "class Mine: pass", "has no class 'Mien'. There is Mine."),
    "syntax": ("b.py:Mine", "class Mine(:", "SyntaxError"),
    "import": ("c.py:Mine", "import nothing_of_this_name", "No module named 'nothing_of_this"),
    "exit": ("d.py:Mine", "raise SystemExit('bye')", "SystemExit: bye"),
}


@for_each(("strategy", "source", "words"), WRONG.values(), [*WRONG])
def test_file_that_cannot_be_loaded_is_explained(
    strategy: str, source: str, words: str, tmp_path: Path
) -> None:
    if source:
        (tmp_path / strategy.partition(":")[0]).write_text(source)
    with pytest.raises(StrategyFileError) as found:
        load_strategy_file(strategy, tmp_path)
    assert words in str(found.value)
    assert "plugins.py" not in str(found.value), "only frames of the file are shown"
    file = tmp_path / "cup.toml"
    file.write_text(f'[[players]]\nname = "me"\nstrategy = "{strategy}"\n')
    with pytest.raises(InvalidFile) as refused:
        read_plan(file)
    assert words in str(refused.value)


def test_changed_file_is_imported_again(folder: Path) -> None:
    first = load_strategy_file("mine.py:Mine", folder)
    assert load_strategy_file("mine.py:Mine", folder) is first
    (folder / "mine.py").write_text(MINE + "    changed = True\n")
    assert load_strategy_file("mine.py:Mine", folder).changed  # type: ignore[attr-defined]


@pytest.mark.soak
def test_tournament_plays_it_and_shows_the_traceback(folder: Path) -> None:
    """In several processes; a new version archives its games. A file may be called player.py."""
    (folder / "mine.py").rename(folder / "player.py")
    tournament = TournamentFolder(folder)
    mine = PlayerEntry("mine", {"strategy": "player.py:Mine"})
    fails = PlayerEntry("fails", {"strategy": "fails.py:Mine"})
    tournament.write([mine, fails, *built_in("largest-alpha")], tournament={"seats": 3})
    with tournament.run("--workers", "2") as process:
        assert process.end() == 0, process.errors
    results = tournament.results()
    seats = [seat for result in results.values() for seat in result.seats]
    assert {seat.player: seat.verdict.value for seat in seats} == {
        "mine": "finished",
        "fails": "crashed",
        "largest-alpha": "finished",
    }
    assert {len(seat.version) for seat in seats if seat.player != "largest-alpha"} == {12}
    output = tournament.outputs(next(iter(results)))["fails"].decode()
    assert output.endswith("KeyError: 'an idea'\n") and 'fails.py", line 10' in output
    (folder / "fails.py").write_text(MINE)
    with tournament.run() as process:
        changed = process.until("players-changed")
        assert (changed["new_versions"], changed["archived"]) == (["fails"], 3)
        assert process.end() == 0, process.errors
    audit = invoke("tournament", "audit", tournament.file, "--json")
    assert json.loads(audit.stdout)["holds"], audit.stdout


def test_player_over_tcp_shows_the_traceback(folder: Path) -> None:
    with ending(
        subprocess.Popen(
            [ACQUIRE, "serve", "--port=0", "--json", "--players=3", *2 * ["--opponent=random"]],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            text=True,
        )
    ) as server:
        assert server.stdout is not None
        port = json.loads(server.stdout.readline())["addresses"][0].rpartition(":")[2]
        command = [ACQUIRE, "play", "127.0.0.1", port, "--name", "me", "--strategy"]
        played = subprocess.run(
            [*command, "fails.py:Mine"], cwd=folder, capture_output=True, text=True, timeout=200
        )
        server.stdout.read()
    assert played.returncode == 1
    assert "me: fails.py:Mine has failed.\nTraceback" in played.stderr
    assert played.stderr.rstrip().endswith("KeyError: 'an idea'")
    assert "client.py" not in played.stderr
    assert "there is no file" in refused(*command[1:], "none.py:Mine")


# -- on the command line ------------------------------------------------------------------------


def test_class_is_checked_as_a_player(folder: Path) -> None:
    """It is started by `acquire play`, which prints the traceback, under one's own rulebook too."""
    (folder / "mine.toml").write_text('id = "mine"\nbase = "classic"\ncash = 5000\n')
    words = ("--rulebook", "mine.toml", "--strict", "--only", "4.1", "--", "mine.py:Mine")
    assert succeed("check", *TRUSTED, *words).stdout.count("1 of 1 passed") == 1
    shown = on_one_line(
        succeed("check", *TRUSTED, "--only", "4.1", "--", "fails.py:Mine", code=1).stdout
    )
    assert "before it answered <turn>: KeyError: 'an idea'" in shown
    assert ", in order" in shown and "{}['an idea']" in shown


def test_class_that_fails_at_a_server_is_ejected_with_its_traceback(folder: Path) -> None:
    """The game goes on without it."""
    filled = ("--games", "1", "--signup-timeout", "0.1", "--port", "0", "--seed", "1")
    served = succeed("serve", "--players", "3", "--fill", "fails.py:Mine", *filled)
    assert served.stdout.count("{}['an idea']") == 3
    shown = on_one_line(served.stdout)
    assert "(disconnected, in answer to <turn>). fails.py:Mine has failed: KeyError" in shown
    assert not any(line.endswith(" ") for line in served.stdout.splitlines())


def test_game_is_played_on_by_a_class(folder: Path) -> None:
    log = folder / "game.xml"
    log.write_bytes(acquire.play_game({"me": "random", "ann": "random", "bob": "ordered"}).log)
    seat = ("replay", log, "--from", "1", "--games", "2", "--json", "--others", "ordered", "--seat")
    better = succeed(*seat, "me=mine.py:Mine", "--seat", "me=ordered")
    (found,) = json.loads(better.stdout)["seats"]
    assert [each["player"] for each in found["variants"]] == ["mine.py:Mine", "ordered"]
    assert all(min(each["scores"]) > 0 for each in found["variants"])
    assert "{}['an idea']" in succeed(*seat, "me=fails.py:Mine", code=1).stderr


@for_each(
    "arguments",
    [("serve", "--fill", "mine.py:Mien"), ("check", "--sandbox", "none", "--", "mine.py:Mien")],
)
def test_class_that_does_not_exist_is_refused(arguments: tuple[str, ...], folder: Path) -> None:
    assert "mine.py has no class 'Mien'. There is Mine." in refused(*arguments)
