"""A running tournament at a terminal, and for spectators: its pages, what they are sent, when."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from child_processes import ending
from command_line import ACQUIRE, refused, succeed
from rich.console import Console
from tournament_process import (
    TIMEOUT,
    built_in_toml,
    children_of,
    eventually,
    free_port,
    lobbies_of,
    small_program,
    stream,
)

from acquire.admin.pages.web.serving import Feed, FeedReader
from acquire.admin.refereeing.table.crowds import SHOWN
from acquire.admin.tournament.driving.run_observers import (
    INTERVAL,
    TerminalObserver,
    TournamentPublisher,
)
from acquire.admin.tournament.games.result import FailedGame, GameResult, PlayerVerdict, SeatResult
from acquire.admin.tournament.planning.plan import Plan
from acquire.admin.tournament.planning.plan_file import read_plan
from acquire.admin.tournament.planning.schedule import Game, new_schedule
from acquire.admin.tournament.run.built_in import game_settings, play_built_in_game
from acquire.admin.tournament.run.run_events import (
    FolderSent,
    GameFinished,
    GameLogged,
    GameStarted,
    GameVoided,
    LobbyChanged,
    Notice,
    Progress,
    RunStarted,
)

CLOCKS = "[clocks]\nsignup = 120\nreply = 120\nturn = 120\n"
HELD = """
connection = sign_up()
read(connection, b"</state>")
while not os.path.exists(FOLDER + "/go"):
    time.sleep(0.01)
"""
"""Holds its game up at the first question until there is a file `go`, and then leaves."""
WAITING = """
import time
from pathlib import Path
import acquire
FOLDER = Path(__file__).parent
class Waiting(acquire.Strategy):
    def __init__(self, rulebook, seed):
        super().__init__(rulebook, seed)
        while (FOLDER / "first").exists() and not (FOLDER / "go").exists():
            time.sleep(0.01)
        (FOLDER / "first").touch()
    def place(self, state):
        return acquire.legal_placements(state)[0]
    def order(self, state):
        return ()
"""
"""Plays its first game, and holds every other one up until there is a file `go`."""


def plan_text(
    rulebook: str = "revised",
    *,
    third: str = 'strategy = "random"',
    deals: int = 2,
    duplicate: bool = True,
) -> str:
    """Return the text of a tournament of three players, with three games per deal."""
    return f"""
[tournament]
name = "Cup <of> names"
rulebook = "{rulebook}"
seats = 3
deals = {deals}
seed = 5
seatings = "rotations"
duplicate = {str(duplicate).lower()}
{CLOCKS}
[limits]
sandbox = "none"
{built_in_toml(**{"ann": "ordered", "bob <b>&": "smallest-anti"})}
[[players]]
name = "cid"
{third}
"""


# -- the pages of a real tournament -------------------------------------------------------------


class Live(NamedTuple):
    """A tournament that is running, and the address of its pages."""

    site: str
    process: subprocess.Popen[str]


@contextmanager
def running(folder: Path, text: str, *options: str) -> Iterator[Live]:
    """Run a tournament with pages; it is stopped when the context is left."""
    file = folder / "cup.toml"
    file.write_text(text)
    with ending(
        subprocess.Popen(
            [ACQUIRE, "tournament", "run", file, "--web", "0", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    ) as process:
        assert process.stderr is not None
        yield Live(process.stderr.readline().removeprefix("Spectators: ").strip(), process)


def held(folder: Path) -> str:
    """Write the program that holds its games up, and return a tournament with it."""
    (folder / "held.py").write_text(small_program(HELD))
    command = json.dumps([sys.executable, "-I", "-S", "held.py"])
    environment = f'environment = {{ FOLDER = "{folder}" }}'
    return plan_text(deals=1, third=f"command = {command}\n{environment}")


def live_game(site: str) -> dict[str, Any]:
    """Return a game that is shown and not over."""
    return next(
        game for lobby in lobbies_of(site) for game in lobby["matches"] if not game["ending"]
    )


def test_game_of_a_program_is_shown_while_it_is_played(tmp_path: Path) -> None:
    with running(tmp_path, held(tmp_path), "--workers", "1") as tournament:
        game = live_game(tournament.site)
        assert sorted(game["players"]) == ["ann", "bob <b>&", "cid"]
        messages = stream(f"{tournament.site}match/{game['id']}/events")
        first = next(messages)
        assert first["match"]["names"] == game["players"]
        (tmp_path / "go").touch()
        *updates, last = messages
        assert all(update["steps"] for update in updates)
        assert last["over"]
        steps = [step for update in (*updates, last) for step in update.get("steps", [])]
        assert len(steps) > 50
        *_, end = lobbies_of(tournament.site)
        assert (end["title"], end["played"], end["total"]) == ("Cup <of> names", 3, 3)
        assert {row[1] for row in end["standings"]["rows"]} == {"ann", "bob <b>&", "cid"}
        assert len(end["matches"]) == 3 and all(game["ending"] for game in end["matches"])
        assert tournament.process.wait(TIMEOUT) == 0


@pytest.mark.soak
def test_game_of_built_in_players_is_shown_after_its_end(tmp_path: Path) -> None:
    (tmp_path / "waiting.py").write_text(WAITING)
    text = plan_text(deals=1, third='strategy = "waiting.py:Waiting"')
    with running(tmp_path, text, "--workers", "1") as tournament:
        lobby = lobbies_of(tournament.site)
        over = (game for now in lobby for game in now["matches"] if game["ending"])
        game = next(over)
        assert game["results"]
        (whole,) = stream(f"{tournament.site}match/{game['id']}/events")
        assert whole["over"] and len(whole["steps"]) > 50
        (tmp_path / "go").touch()
        output, _ = tournament.process.communicate(timeout=TIMEOUT)
        assert tournament.process.returncode == 0
        assert "3 games" in output


@pytest.mark.soak
def test_tournament_goes_on_without_its_pages(tmp_path: Path) -> None:
    with running(tmp_path, held(tmp_path)) as tournament:
        live_game(tournament.site)
        (pages,) = children_of(tournament.process.pid, "live_report")
        os.kill(pages, signal.SIGKILL)
        (tmp_path / "go").touch()
        output, errors = tournament.process.communicate(timeout=TIMEOUT)
        assert tournament.process.returncode == 0, errors
        assert "3 games in 1 block" in output
        assert "The pages for spectators are gone" in errors


@pytest.mark.soak
def test_lobby_shows_waiting_players_until_the_tournament_is_stopped(tmp_path: Path) -> None:
    text = plan_text(third='remote = { secret = "a-long-secret" }')
    text = text.replace('strategy = "ordered"', 'remote = { secret = "another-secret" }')
    port = free_port()
    text += f"[lobby]\nport = {port}\nwait = {TIMEOUT}\n"
    with running(tmp_path, text, "--json") as tournament:
        assert tournament.process.stdout is not None
        events = map(json.loads, tournament.process.stdout)
        next(event for event in events if event["event"] == "listening")
        lobby = lobbies_of(tournament.site)
        assert next(lobby)["waiting"] == []
        with socket.create_connection(("127.0.0.1", port)) as player:
            player.sendall(b'<signup name="cid:a-long-secret"/>')
            assert next(now["waiting"] for now in lobby if now["waiting"]) == ["cid"]
        assert next(now["waiting"] for now in lobby if not now["waiting"]) == []
        assert children_of(tournament.process.pid, "live_report")
        tournament.process.send_signal(signal.SIGINT)
        assert tournament.process.wait(TIMEOUT) == 130
        assert eventually(lambda: is_refused(tournament.site))


def is_refused(site: str) -> bool:
    """Whether nothing listens at an address."""
    with socket.socket() as client:
        port = int(re.findall(r":(\d+)/", site)[0])
        return client.connect_ex(("127.0.0.1", port)) != 0


def test_port_in_use_is_reported_before_a_store_is_set_aside(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(plan_text(deals=1))
    command = ["tournament", "run", str(file), "--workers", "1"]
    succeed(*command)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        words = refused(*command, "--fresh", "--web", port)
    assert f"port {port}" in words and "Give another --web port" in words
    assert [path.name for path in tmp_path.glob("*.sqlite")] == ["cup.sqlite"]


# -- what the pages are sent --------------------------------------------------------------------


class Harness:
    """A publisher whose feed is read here."""

    def __init__(self, folder: Path, text: str) -> None:
        file = folder / "cup.toml"
        file.write_text(text)
        plan = read_plan(file)
        self.games = list(new_schedule(plan, 5).stage(1))
        self.settings = game_settings(plan)
        self.now = 0.0
        self._logs: dict[str, bytes] = {}
        self._read_end, write_end = os.pipe()
        os.set_blocking(self._read_end, False)
        self._reader = FeedReader()
        self.publisher = TournamentPublisher(
            Feed(write_end), plan, self._logs.__getitem__, clock=lambda: self.now
        )

    def play(self, game: Game, finished: int) -> None:
        """Play a game, and report its end."""
        played = play_built_in_game(self.settings, game)
        self._logs[game.id] = played.log
        self.publisher(GameFinished(played.result, Progress(finished, len(self.games))))

    def messages(self) -> list[dict[str, Any]]:
        """Return the messages since the last time."""
        found: list[dict[str, Any]] = []
        while True:
            try:
                data = os.read(self._read_end, 1 << 16)
            except BlockingIOError:
                return found
            found += self._reader.take(data)

    def of_kind(self, what: str) -> list[dict[str, Any]]:
        """Return the messages of one kind since the last time; the others are dropped."""
        return kind(self.messages(), what)


def kind(messages: list[dict[str, Any]], what: str) -> list[dict[str, Any]]:
    """Return the messages of one kind."""
    return [message for message in messages if message["what"] == what]


def test_games_are_unsealed_when_all_games_with_their_tiles_are_over(tmp_path: Path) -> None:
    harness = Harness(tmp_path, plan_text("classic"))
    block = [game for game in harness.games if game.block == harness.games[0].block]
    assert len(block) == 3
    for number, game in enumerate(block, start=1):
        harness.now += INTERVAL
        harness.play(game, number)
        messages = harness.messages()
        (begun,) = kind(messages, "begun")
        assert begun["sealed"]
        unsealed = [message["match"] for message in kind(messages, "unsealed")]
        assert unsealed == ([game.id for game in block] if number == 3 else [])


def test_games_of_earlier_runs_count_for_their_block(tmp_path: Path) -> None:
    harness = Harness(tmp_path, plan_text("classic"))
    *before, last = [game for game in harness.games if game.block == harness.games[0].block]
    results = [play_built_in_game(harness.settings, game).result for game in before]
    harness.publisher(RunStarted(Progress(2, 6), results))
    (progress,) = harness.of_kind("progress")
    assert (progress["games"], progress["total"]) == (2, 6)
    harness.play(last, 3)
    assert [message["match"] for message in harness.of_kind("unsealed")] == [last.id]


def test_game_with_a_bag_of_its_own_is_unsealed_at_its_end(tmp_path: Path) -> None:
    harness = Harness(tmp_path, plan_text("classic", duplicate=False))
    harness.play(harness.games[0], 1)
    assert [message["match"] for message in harness.of_kind("unsealed")] == [harness.games[0].id]


def test_game_with_open_hands_is_never_sealed(tmp_path: Path) -> None:
    harness = Harness(tmp_path, plan_text())
    harness.play(harness.games[0], 1)
    messages = harness.messages()
    assert [message["sealed"] for message in kind(messages, "begun")] == [False]
    assert not kind(messages, "unsealed")


def test_only_two_finished_games_per_second_are_shown(tmp_path: Path) -> None:
    harness = Harness(tmp_path, plan_text())
    for number, game in enumerate(harness.games, start=1):
        harness.play(game, number)
    assert [message["match"] for message in harness.of_kind("begun")] == [harness.games[0].id]
    harness.now += INTERVAL
    harness.play(harness.games[1], 6)
    assert [message["match"] for message in harness.of_kind("begun")] == [harness.games[1].id]


def test_void_game_is_shown_as_void_and_its_next_attempt_has_another_name(tmp_path: Path) -> None:
    harness = Harness(tmp_path, plan_text("classic"))
    publisher, game = harness.publisher, harness.games[0]
    for attempt, name in enumerate((game.id, f"{game.id}-2"), start=1):
        publisher(GameStarted(game))
        publisher(GameLogged(game, b"<match>"))
        publisher(GameVoided(FailedGame(game.id, "It was late.", attempt=attempt), again=True))
        messages = harness.messages()
        (begun,) = kind(messages, "begun")
        assert begun["match"] == name
        assert begun["title"] == (game.id if attempt == 1 else f"{game.id}, attempt 2")
        (over,) = kind(messages, "over")
        assert (over["match"], over["ending"]) == (name, "Void. It was late.")
        assert not kind(messages, "unsealed")


def test_players_who_wait_for_a_game_are_shown(tmp_path: Path) -> None:
    harness = Harness(tmp_path, plan_text())
    harness.publisher(LobbyChanged(["cid"]))
    assert harness.of_kind("waiting") == [{"what": "waiting", "names": ["cid"], "seats": 0}]


# -- at a terminal ------------------------------------------------------------------------------

NAMES = ("investor-with-a-long-name", "ann", "bob", "a name of four words")
RESULT = GameResult(
    "d1-t1-s01",
    "d1-t1",
    7,
    "large-hotel",
    70,
    5,
    (
        SeatResult(NAMES[0], PlayerVerdict.FINISHED, 1, 29500),
        SeatResult("ann", PlayerVerdict.FINISHED, 2, 20000),
        SeatResult(NAMES[3], PlayerVerdict.FINISHED, 3, 10000),
        SeatResult("bob", PlayerVerdict.TIMED_OUT, 4, 0, "Too late.", 7),
    ),
)


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    file = tmp_path / "cup.toml"
    players = built_in_toml(**dict.fromkeys(NAMES, "random"))
    file.write_text('[tournament]\nname = "Cup"\nseed = 5\n' + players)
    return read_plan(file)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_standings_show_rank_player_points_and_each_game_on_one_line(
    plan: Plan, width: int
) -> None:
    screen = io.StringIO()
    console = Console(file=screen, width=width, height=24, force_terminal=True, color_system=None)
    with TerminalObserver(console, plan) as terminal:
        terminal(RunStarted(Progress(0, 1), []))
        terminal(GameFinished(RESULT, Progress(1, 1)))
    lines = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", screen.getvalue()).splitlines()
    assert max(map(len, lines)) <= width
    heading = next(line for line in lines if "rank" in line)
    assert re.split(" {3,}", heading.strip()) == [
        *("rank", "player", "points per game", "games", "lost")
    ]
    for rank, name, points in ((1, NAMES[0], "3.000"), (2, "ann", "2.000"), (4, "bob", "0.000")):
        row = next(line for line in lines if line.split()[:1] == [str(rank)])
        assert name[:15] in row and points in row
    games = [line for line in lines if "$" in line or "timed-out" in line]
    assert games and all(line.startswith("d1-t1-s01 ") for line in games)


def test_picture_before_the_first_game_is_over_says_how_many_are_played(plan: Plan) -> None:
    screen = io.StringIO()
    console = Console(file=screen, width=80, height=24, force_terminal=True, color_system=None)
    with TerminalObserver(console, plan) as terminal:
        terminal(RunStarted(Progress(0, 4), []))
        terminal(Notice("preparing", "Connected. Waiting for workers to join."))
        terminal(FolderSent("tcp://1", "ab", 100))
        terminal(GameStarted(Game("d1-t1-s1", "d1-t1", 7, NAMES)))
        terminal(RunStarted(Progress(0, 4), []))
    shown = screen.getvalue()
    assert "Connected. Waiting for workers to join." in shown
    assert "No game is over yet; in progress: 1. Sent to workers so far: 1 folder." in shown
    assert "0/4" in shown and "rank" not in shown


def test_crowd_at_the_lobby_is_printed_in_few_lines(plan: Plan) -> None:
    screen = io.StringIO()
    with TerminalObserver(Console(file=screen, width=200), plan) as terminal:

        def turned_away(who: str, crowd: str) -> None:
            terminal(Notice("turned-away", f"{who}. Not expected.", {}, "Turned away: ", crowd))

        for number in range(600):
            turned_away(f"10.0.0.1:{number}", "did not sign up")
        turned_away("ann (10.0.0.2:7)", "signed up")
    lines = screen.getvalue().splitlines()
    assert len(lines) == SHOWN + 2
    assert lines[SHOWN] == "Turned away: ann (10.0.0.2:7). Not expected."
    assert lines[-1] == f"Turned away: {600 - SHOWN} more in the last 10 s (did not sign up)."
