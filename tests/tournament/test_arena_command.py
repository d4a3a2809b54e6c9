"""``acquire arena``: one match, from the command line to the board, the words and the exit code."""

import re
import shlex
import shutil
import signal
import subprocess
from pathlib import Path
from urllib.request import urlopen

import pytest
from child_processes import ending
from command_line import ACQUIRE, invoke, on_one_line, refused, said, succeed
from loops import for_each
from sandboxes import sandbox_params
from tournament_process import TIMEOUT

import acquire
from acquire.admin.launching.sandbox import Sandbox
from acquire.admin.tournament.dueling.contestants import Contestant
from acquire.admin.tournament.dueling.duel_plan import match_lineup
from check.mistakes import TRUSTED

HERE = ("--no-browser", "--sandbox", "none", "--seed", "1")
QUICKLY = ("--rulebook", "short.toml")


@pytest.fixture(autouse=True)
def folder(folder_with_bots: Path) -> Path:
    return folder_with_bots


def starter(folder: Path, *lines: str) -> Path:
    """Make a folder with the starter, as `acquire new` does, and perhaps a player.toml."""
    succeed("new", "python", folder)
    shutil.move(folder / "player" / "player.py", folder / "player.py")
    if lines:
        (folder / "player.toml").write_text("\n".join(lines) + "\n")
    return folder


def log_of(match: str) -> acquire.GameRecord:
    return acquire.read_game(Path("arena", match, "match.xml"))


def test_folders_play_and_the_losers_are_told_why(folder: Path) -> None:
    starter(folder / "mine")
    starter(
        folder / "theirs",
        'command = ["python3", "player.py", "{host}", "{port}", "{name}"]',
        'build = ["python3", "-m", "py_compile", "player.py"]',
        'environment = { PLACE = "{port}" }',
    )
    output = said("arena", "mine", "theirs", "investor", *HERE, *QUICKLY)
    game = log_of("mine-theirs")
    assert game.players and {*game.players} == {"mine", "theirs", "investor"}
    assert output.startswith("mine, theirs and investor, seed 1.")
    (winner,) = game.winners
    best = game.scores[winner]
    for name, score in game.scores.items():
        assert f"{name} ${score:,}" in output
        behind = f"with ${score:,}, ${best - score:,} behind {winner}. The largest swing of net"
        assert (behind in output) is (name != winner)
    assert " decided it. " in output and f"{winner} was ahead in net worth from then on" in output
    page = Path("arena", "mine-theirs", "match.html")
    assert output.endswith(f"Log: arena/mine-theirs/match.xml Page: {page}")
    assert "<title>" in page.read_text()


@pytest.mark.soak
def test_same_seed_repeats_a_match_in_a_new_folder() -> None:
    first = said("arena", "bots.py:Legal", "random", "ordered", *HERE)
    second = said("arena", "bots.py:Legal", "random", "ordered", *HERE)
    assert log_of("Legal-random").scores == log_of("Legal-random-2").scores
    assert "arena/Legal-random-2/match.xml" in second and "Legal-random-2" not in first


@for_each(
    ("names", "rulebook", "seats", "teams"),
    [
        ("Legal random ordered", acquire.REVISED, 5, "Legal random,random.2 ordered,ordered.2"),
        ("Legal random", acquire.REVISED, None, "Legal random,random.2"),
        ("Legal random", acquire.CLASSIC, None, "Legal random"),
    ],
)
def test_opponents_take_the_seats_that_are_left(
    names: str, rulebook: acquire.Rulebook, seats: int | None, teams: str
) -> None:
    contestants = [Contestant(name, name) for name in names.split()]
    found = match_lineup(contestants, rulebook, seats).teams
    assert " ".join(map(",".join, found)) == teams


def ejecting(*words: str) -> str:
    """Play a match in which a player is ejected; return what is printed, on one line."""
    return on_one_line(succeed("arena", *words, *HERE, *QUICKLY, code=1).output)


def test_ejection_is_told_as_explain_tells_it() -> None:
    output = ejecting("bots.py:Mixed", "bots.py:Broken", "random", "random")
    ejected = log_of("Mixed-Broken").ejected
    explained = said("explain", "arena/Mixed-Broken/match.xml", "--seat", "Mixed")
    sentence = "The order is for several hotels, which this rulebook does not allow."
    assert sentence in output and sentence in explained and sentence in ejected["Mixed"]
    assert "Mixed lost: it was ejected in turn " in output
    assert "All about it: acquire explain arena/Mixed-Broken/match.xml --seat Mixed" in output
    assert "raised LookupError('no such certificate')" in output
    assert 'in order raise LookupError("no such certificate")' in output, "the traceback"
    assert "4. Mixed ejected" in output and "4. Broken ejected" in output


def test_answer_that_no_message_can_say_is_told() -> None:
    output = ejecting("bots.py:Unwritable", "bots.py:Wordy", "random")
    assert "Wordy.order() returned ('Tower',), not one of legal_orders(state)" in output
    answered = "Unwritable answered <turn> with an order of (0, 0, 0), which no message can say."
    assert f"Unwritable lost: it was ejected in turn 2. {answered}" in output
    assert "Page: arena/Unwritable-Wordy/match.html" in output


def test_printed_command_builds_a_folder_and_plays_the_game_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = starter(
        folder / "my player",
        'command = ["python3", "player.py", "{host}", "{port}", "{name}"]',
        'build = ["python3", "-m", "py_compile", "player.py"]',
        'environment = { PLACE = "a b" }',
    )
    fails = "import os\nif os.environ['PLACE'] == 'a b' and len(begun) > 6: sys.exit(1)"
    played = (made / "player.py").read_text().replace("begun = board", f"begun = board; {fails}")
    (made / "player.py").write_text(played.replace("\nif os", "\n                if os"))
    output = ejecting("my player", "random", "investor")
    command = (
        output.partition("To repeat the ejection of my player: ")[2].partition(" {name}")[0]
        + " {name}"
    )
    (_, inside), build, (_, *rerun) = map(shlex.split, command.split(" && "))
    assert (inside, build[-1]) == (str(made), "player.py")
    monkeypatch.chdir(inside)
    rerun[rerun.index("--") : rerun.index("--")] = TRUSTED
    assert " agree with the recorded game" in said(*rerun)


def test_program_that_cannot_be_built_loses(folder: Path) -> None:
    starter(folder / "mine", 'command = ["python3", "player.py"]', 'build = ["false"]')
    output = ejecting("mine", "random", "random")
    assert "mine could not be built, and loses its games. It ended with exit code 1." in output
    assert "mine lost: it was ejected. It" in output
    assert "Note: mine: no {port} in the command. The port changes" in output


def test_sign_up_that_was_refused_is_told(folder: Path) -> None:
    (folder / "hello.py").write_text(
        "import socket, sys\n"
        "connection = socket.create_connection((sys.argv[1], int(sys.argv[2])))\n"
        "connection.sendall(b'hello\\n')\n"
        "connection.recv(4096)\n"
    )
    output = ejecting("python3 hello.py {host} {port} {name}", "random", "random")
    why = "Its sign-up failed: The player sent plain text, 'hello\\n', without XML tags."
    assert f"hello lost: it was ejected. {why}" in output
    told = on_one_line(invoke("explain", next(folder.glob("arena/*/match.xml"))).stdout)
    assert why in told and "hello was ejected at the set-up, without a sign-up" in told
    assert 'Expected <signup>. For example: <signup name="hello"/>' in told


SPY = """
import os
for folder, _, files in os.walk({folder!r}):
    for name in files:
        path = os.path.join(folder, name)
        try:
            open(path, "rb").close()
            print("SEEN", os.path.relpath(path, {folder!r}))
        except OSError:
            pass
"""
IN_SANDBOX = ("--no-browser", "--seed", "1")


@pytest.mark.parametrize("kind", sandbox_params(Sandbox.BWRAP))
def test_folder_that_is_built_plays_in_a_sandbox(folder: Path, kind: Sandbox) -> None:
    build = "build = [\"python3\", \"-c\", \"open('made', 'w').write(open('player.py').read())\"]"
    command = 'command = ["python3", "made", "{host}", "{port}", "{name}"]'
    starter(folder / "mine", command, build)
    let_all_read(folder)
    words = ("mine", "investor", "random", *IN_SANDBOX, "--sandbox", kind.value)
    assert "mine $" in said("arena", *words, *QUICKLY)


@pytest.mark.parametrize("kind", sandbox_params(Sandbox.BWRAP))
def test_programs_see_no_secret_copy_or_rival_in_the_current_folder(
    folder: Path, kind: Sandbox
) -> None:
    (folder / "course.secret").write_text("a secret")
    named = '"/proc/self/cwd/rival/player.py", "/proc/self/root/etc/shadow", "/tmp"'
    for name, more in (("spying", f", {named}"), ("rival", "")):
        starter(folder / name, f'command = ["python3", "player.py"{more}]', 'build = ["true"]')
    for place in (folder / "spying" / "player.py", folder / "spy.py"):
        place.write_text(SPY.format(folder=str(folder)))
    let_all_read(folder)
    (folder / "course.secret").chmod(0o600)
    (folder / "rival").chmod(0o700)
    words = ("spying", "python3 spy.py {host} {port} {name}", "rival", *IN_SANDBOX)
    done = invoke("arena", *words, *QUICKLY, "--sandbox", kind.value)
    assert done.exit_code == 1
    folders, command = done.output.split("spy lost: ")
    found = [set(re.findall(r"SEEN (.*)", text)) for text in (folders, command)]
    (own,) = {path.rpartition("/")[0] for path in found[0]}
    assert own.startswith("arena/spying-spy/match.builds/") and own.endswith("/program")
    assert "bots.py" in found[1] and "spy.py" in found[1]
    assert not [
        path for path in found[1] if path.startswith(("course", "rival", "spying", "arena"))
    ]


def let_all_read(folder: Path) -> None:
    """Let a program's user read what is in a folder, whatever the umask was."""
    subprocess.run(["chmod", "-R", "a+rX", str(folder)], check=True)


def test_match_is_shown_while_it_is_played_and_stopping_it_leaves_a_log() -> None:
    command = (ACQUIRE, "arena", "bots.py:Slow", "bots.py:Legal", "random", *HERE)
    with ending(subprocess.Popen(command, stdout=subprocess.PIPE, text=True)) as process:
        assert process.stdout is not None
        board = next(line for line in process.stdout if line.startswith("Board: "))
        with urlopen(board.split()[1]) as page:
            assert b"Slow" in page.read()
        process.send_signal(signal.SIGINT)
        rest = on_one_line(process.stdout.read())
        assert process.wait(TIMEOUT) == 130
    assert rest == (
        "The match was stopped. Log: arena/Slow-Legal/match.xml Page: arena/Slow-Legal/match.html"
    )
    assert not log_of("Slow-Legal").winners or log_of("Slow-Legal").outcome.ending.value
    assert "interrupted" in said("replay", "arena/Slow-Legal/match.xml")


def test_browser_is_given_the_board_and_the_time_to_load_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also of a match that is over at once."""
    browser = folder / "browser"
    browser.write_text(
        f"#!/bin/sh\nexec {shutil.which('python3')} -c "
        "'import sys, urllib.request as u; page = u.urlopen(sys.argv[1]).read(); "
        'open("seen", "wb").write(page)\' "$1"\n'
    )
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(browser))
    words = ("arena", "bots.py:Legal", "random", "random", "--seed", "1", *QUICKLY)
    output = succeed(*words).output
    assert "Board: http://127.0.0.1:" in output
    assert b"Legal" in (folder / "seen").read_bytes()


@for_each(
    ("words", "why"),
    [
        (("nobody", "random"), "'nobody' is neither a built-in player"),
        (("empty", "random"), "empty: The folder has no player.toml with a command, and none of"),
        (("wrong", "random"), "wrong: player.toml: 'comand' is not a setting here."),
        (("random", "ordered", "--seats", "2"), "2 players at a table of 2: rulebook revised has"),
        (("random",) * 7, "7 players at a table of 7: rulebook revised has tables of 3 to 6"),
        (("random", "ordered", "--log-dir", "played"), "played has a match already."),
    ],
)
def test_match_that_cannot_begin_is_refused(folder: Path, words: tuple[str, ...], why: str) -> None:
    for name in ("empty", "wrong", "played"):
        (folder / name).mkdir(exist_ok=True)
    (folder / "wrong" / "player.toml").write_text('comand = ["a"]\n')
    (folder / "played" / "match.toml").touch()
    assert why in refused("arena", *words, "--no-browser")
    assert not (folder / "arena").exists()
