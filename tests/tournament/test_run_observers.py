"""A running tournament at a terminal, and for spectators: its pages, what they are sent, when."""

import io
import json
import os
import re
import signal
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from command_line import refused
from rich.console import Console
from tournament_process import (
    TIMEOUT,
    PlayerEntry,
    TournamentFolder,
    TournamentProcess,
    built_in_toml,
    children_of,
    free_port,
    is_refused,
    lobbies_of,
    port_of,
    remote,
    stream,
)

from acquire.admin.pages.web.serving import Feed
from acquire.admin.refereeing.table.crowds import SHOWN
from acquire.admin.tournament.driving import run_observers
from acquire.admin.tournament.driving.run_observers import INTERVAL, TerminalObserver
from acquire.admin.tournament.games.result import FailedGame, GameResult, PlayerVerdict, SeatResult
from acquire.admin.tournament.planning.plan import Plan
from acquire.admin.tournament.planning.plan_file import read_plan
from acquire.admin.tournament.planning.schedule import Game, new_schedule
from acquire.admin.tournament.run import run_events
from acquire.admin.tournament.run.built_in import game_settings, play_built_in_game
from acquire.admin.tournament.run.run_events import GameFinished, GameVoided, Progress, RunStarted

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


ORDERED = PlayerEntry("ann", {"strategy": "ordered"})
RANDOM = PlayerEntry("cid", {"strategy": "random"})


def write_cup(
    folder: TournamentFolder,
    third: PlayerEntry = RANDOM,
    rulebook: str = "revised",
    *,
    deals: int = 2,
    duplicate: bool = True,
    first: PlayerEntry = ORDERED,
    **sections: Mapping[str, object],
) -> None:
    """Write a tournament of three players, with three games per deal."""
    bob = PlayerEntry("bob <b>&", {"strategy": "smallest-anti"})
    general = {"name": "Cup <of> names", "rulebook": rulebook, "seats": 3, "deals": deals}
    general |= {"seed": 5, "seatings": "rotations", "duplicate": duplicate}
    folder.write([first, bob, third], tournament=general, **sections)


# -- the pages of a real tournament -------------------------------------------------------------


@contextmanager
def running(folder: TournamentFolder) -> Iterator[tuple[TournamentProcess, str]]:
    """Run a tournament with pages; give the process and their address."""
    with folder.run("--web", "0") as process:
        yield process, process.until("spectators")["address"]


@pytest.fixture
def held(folder: TournamentFolder) -> TournamentFolder:
    """A tournament whose third player holds its games up."""
    write_cup(folder, folder.program("cid", HELD), deals=1)
    return folder


def live_game(site: str) -> dict[str, Any]:
    """Return a game that is shown and not over."""
    return next(
        game for lobby in lobbies_of(site) for game in lobby["matches"] if not game["ending"]
    )


def test_game_of_a_program_is_shown_while_it_is_played(held: TournamentFolder) -> None:
    with running(held) as (process, site):
        game = live_game(site)
        assert sorted(game["players"]) == ["ann", "bob <b>&", "cid"]
        messages = stream(f"{site}match/{game['id']}/events")
        first = next(messages)
        assert first["match"]["names"] == game["players"]
        (held.folder / "go").touch()
        *updates, last = messages
        assert all(update["steps"] for update in updates)
        assert last["over"]
        steps = [step for update in (*updates, last) for step in update.get("steps", [])]
        assert len(steps) > 50
        *_, end = lobbies_of(site)
        assert (end["title"], end["played"], end["total"]) == ("Cup <of> names", 3, 3)
        assert {row[1] for row in end["standings"]["rows"]} == {"ann", "bob <b>&", "cid"}
        assert len(end["matches"]) == 3 and all(game["ending"] for game in end["matches"])
        assert process.end() == 0


@pytest.mark.soak
def test_game_of_built_in_players_is_shown_after_its_end(folder: TournamentFolder) -> None:
    (folder.folder / "waiting.py").write_text(WAITING)
    write_cup(folder, PlayerEntry("cid", {"strategy": "waiting.py:Waiting"}), deals=1)
    with running(folder) as (process, site):
        over = (game for now in lobbies_of(site) for game in now["matches"] if game["ending"])
        game = next(over)
        assert game["results"]
        (whole,) = stream(f"{site}match/{game['id']}/events")
        assert whole["over"] and len(whole["steps"]) > 50
        (folder.folder / "go").touch()
        assert process.end() == 0, process.errors
        assert len(process.of_kind("game")) == 3


@pytest.mark.soak
def test_tournament_goes_on_without_its_pages(held: TournamentFolder) -> None:
    with running(held) as (process, site):
        live_game(site)
        (pages,) = children_of(process.process.pid, "live_report")
        os.kill(pages, signal.SIGKILL)
        (held.folder / "go").touch()
        assert process.end() == 0, process.errors
        assert len(process.of_kind("game")) == 3
        assert "The pages for spectators are gone" in process.errors


@pytest.mark.soak
def test_lobby_shows_waiting_players_until_the_tournament_is_stopped(
    folder: TournamentFolder,
) -> None:
    ann, cid = remote("ann", "another-secret"), remote("cid", "a-long-secret")
    write_cup(folder, cid, first=ann, lobby={"port": free_port(), "wait": TIMEOUT})
    with running(folder) as (process, site):
        process.until("listening")
        lobby = lobbies_of(site)
        assert next(lobby)["waiting"] == []
        with socket.create_connection(("127.0.0.1", process.port)) as player:
            player.sendall(b'<signup name="cid:a-long-secret"/>')
            assert next(now["waiting"] for now in lobby if now["waiting"]) == ["cid"]
        assert next(now["waiting"] for now in lobby if not now["waiting"]) == []
        assert children_of(process.process.pid, "live_report")
        assert process.end(signal.SIGINT) == 130
    assert is_refused(port_of([site.rstrip("/")]))


def test_port_in_use_is_reported_before_a_store_is_set_aside(folder: TournamentFolder) -> None:
    write_cup(folder, deals=1)
    folder.store.touch()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        words = refused("tournament", "run", folder.file, "--fresh", "--web", port)
    assert f"port {port}" in words and "Give another --web port" in words
    assert [path.name for path in folder.folder.glob("*.sqlite")] == ["cup.sqlite"]


# -- what the pages are sent --------------------------------------------------------------------


class Harness:
    """A publisher whose feed is read here."""

    def __init__(self, folder: TournamentFolder) -> None:
        plan = read_plan(folder.file)
        self.games = list(new_schedule(plan, 5).stage(1))
        self.settings = game_settings(plan)
        self.now = 0.0
        self._logs: dict[str, bytes] = {}
        self._read_end, write_end = os.pipe()
        os.set_blocking(self._read_end, False)
        self._partial_line = b""
        self.publisher = run_observers.TournamentPublisher(
            Feed(write_end), plan, self._logs.__getitem__, clock=lambda: self.now
        )

    def play(self, game: Game, finished: int) -> None:
        """Play a game, and report its end."""
        played = play_built_in_game(self.settings, game)
        self._logs[game.id] = played.log
        self.publisher(GameFinished(played.result, Progress(finished, len(self.games))))

    def messages(self) -> list[dict[str, Any]]:
        """Return the messages since the last time."""
        data = self._partial_line
        with suppress(BlockingIOError):
            while True:
                data += os.read(self._read_end, 1 << 16)
        *lines, self._partial_line = data.split(b"\n")
        return [json.loads(line) for line in lines]

    def of_kind(self, what: str) -> list[dict[str, Any]]:
        """Return the messages of one kind since the last time; the others are dropped."""
        return kind(self.messages(), what)


def kind(messages: list[dict[str, Any]], what: str) -> list[dict[str, Any]]:
    """Return the messages of one kind."""
    return [message for message in messages if message["what"] == what]


def test_games_are_unsealed_when_all_games_with_their_tiles_are_over(
    folder: TournamentFolder,
) -> None:
    write_cup(folder, rulebook="classic")
    harness = Harness(folder)
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


def test_games_of_earlier_runs_count_for_their_block(folder: TournamentFolder) -> None:
    write_cup(folder, rulebook="classic")
    harness = Harness(folder)
    *before, last = [game for game in harness.games if game.block == harness.games[0].block]
    results = [play_built_in_game(harness.settings, game).result for game in before]
    harness.publisher(RunStarted(Progress(2, 6), results))
    shown = harness.of_kind("lobby")[-1]["fields"]
    assert (shown["played"], shown["total"]) == (2, 6)
    harness.play(last, 3)
    assert [message["match"] for message in harness.of_kind("unsealed")] == [last.id]


def test_game_with_a_bag_of_its_own_is_unsealed_at_its_end_and_one_with_open_hands_never_sealed(
    folder: TournamentFolder,
) -> None:
    write_cup(folder, rulebook="classic", duplicate=False)
    harness = Harness(folder)
    harness.play(harness.games[0], 1)
    assert [message["match"] for message in harness.of_kind("unsealed")] == [harness.games[0].id]
    write_cup(folder)
    harness = Harness(folder)
    harness.play(harness.games[0], 1)
    messages = harness.messages()
    assert [message["sealed"] for message in kind(messages, "begun")] == [False]
    assert not kind(messages, "unsealed")


def test_only_two_finished_games_per_second_are_shown_and_who_waits_for_one(
    folder: TournamentFolder,
) -> None:
    write_cup(folder)
    harness = Harness(folder)
    for number, game in enumerate(harness.games, start=1):
        harness.play(game, number)
    assert [message["match"] for message in harness.of_kind("begun")] == [harness.games[0].id]
    harness.now += INTERVAL
    harness.play(harness.games[1], 6)
    assert [message["match"] for message in harness.of_kind("begun")] == [harness.games[1].id]
    harness.publisher(run_events.LobbyChanged(["cid"]))
    shown = harness.of_kind("lobby")[-1]["fields"]
    assert shown == {"waiting": ["cid"], "seats": 0}


def test_void_game_is_shown_as_void_and_its_next_attempt_has_another_name(
    folder: TournamentFolder,
) -> None:
    write_cup(folder, rulebook="classic")
    harness = Harness(folder)
    publisher, game = harness.publisher, harness.games[0]
    for attempt, name in enumerate((game.id, f"{game.id}-2"), start=1):
        publisher(run_events.GameStarted(game))
        publisher(run_events.GameLogged(game, b"<match>"))
        publisher(GameVoided(FailedGame(game.id, "It was late.", attempt=attempt), again=True))
        messages = harness.messages()
        (begun,) = kind(messages, "begun")
        assert begun["match"] == name
        assert begun["title"] == (game.id if attempt == 1 else f"{game.id}, attempt 2")
        (over,) = kind(messages, "over")
        assert (over["match"], over["ending"]) == (name, "Void. It was late.")
        assert not kind(messages, "unsealed")


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


def screen(width: int = 80, *, terminal: bool = True) -> Console:
    """Return a console that writes to a text."""
    size: dict[str, Any] = {"width": width, "height": 24}
    return Console(file=io.StringIO(), force_terminal=terminal, color_system=None, **size)


def shown_on(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", console.file.getvalue())


@pytest.mark.parametrize("width", [60, 80, 120])
def test_standings_show_rank_player_points_and_each_game_on_one_line(
    plan: Plan, width: int
) -> None:
    with TerminalObserver(console := screen(width), plan) as terminal:
        terminal(RunStarted(Progress(0, 1), []))
        terminal(GameFinished(RESULT, Progress(1, 1)))
    lines = shown_on(console).splitlines()
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
    with TerminalObserver(console := screen(), plan) as terminal:
        terminal(RunStarted(Progress(0, 4), []))
        terminal(run_events.Notice("preparing", "Connected. Waiting for workers to join."))
        terminal(run_events.FolderSent("tcp://1", "ab", 100))
        terminal(run_events.GameStarted(Game("d1-t1-s1", "d1-t1", 7, NAMES)))
        terminal(RunStarted(Progress(0, 4), []))
    shown = shown_on(console)
    assert "Connected. Waiting for workers to join." in shown
    assert "No game is over yet; in progress: 1. Sent to workers so far: 1 folder." in shown
    assert "0/4" in shown and "rank" not in shown


def test_crowd_at_the_lobby_is_printed_in_few_lines(plan: Plan) -> None:
    crowd = [(f"10.0.0.1:{number}", "did not sign up") for number in range(600)]
    with TerminalObserver(console := screen(200, terminal=False), plan) as terminal:
        for who, kind in (*crowd, ("ann (10.0.0.2:7)", "signed up")):
            sentence = f"{who}. Not expected."
            terminal(run_events.Notice("turned-away", sentence, {}, "Turned away: ", kind))
    lines = shown_on(console).splitlines()
    assert len(lines) == SHOWN + 2
    assert lines[SHOWN] == "Turned away: ann (10.0.0.2:7). Not expected."
    assert lines[-1] == f"Turned away: {600 - SHOWN} more in the last 10 s (did not sign up)."
