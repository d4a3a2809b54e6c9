"""A tournament for spectators: the pages of a real one, and what they are told, and when."""

from __future__ import annotations

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
from urllib.request import urlopen

import pytest

from admin.tournament.planning.plan_file import read_plan
from admin.tournament.planning.schedule import Game, Schedule
from admin.tournament.playing.built_in import game_settings, play_built_in_game
from admin.tournament.playing.observer import Observer, Progress
from admin.tournament.playing.publisher import EVERY, TournamentPublisher
from admin.tournament.results.store import VoidGame
from admin.web.feed import Feed, FeedReader

ACQUIRE = Path(sys.executable).parent / "acquire"
STARTER = Path(__file__).parents[2] / "player" / "starters" / "python"
PATIENT = "[clocks]\nreply = 10\nturn = 60\n"


def plan_text(
    rulebook: str, *, program: bool = False, deals: int = 1, duplicate: bool = True
) -> str:
    """A tournament of three players, one of them a program if that is wanted."""
    third = 'strategy = "random"'
    if program:
        command = json.dumps([sys.executable, "player.py", "{host}", "{port}", "{name}"])
        third = f"command = {command}\ndirectory = {json.dumps(str(STARTER))}"
    return f"""
[tournament]
name = "Cup <of> names"
rulebook = "{rulebook}"
seats = 3
deals = {deals}
seed = 5
seatings = "rotations"
duplicate = {str(duplicate).lower()}
{PATIENT}
[[players]]
name = "ann"
strategy = "ordered"
[[players]]
name = "bob <b>&"
strategy = "smallest-anti"
[[players]]
name = "cid"
{third}
"""


# -- a real tournament --------------------------------------------------------------------------


class Live(NamedTuple):
    """A tournament under way, and where its pages are."""

    site: str
    process: subprocess.Popen[str]


@contextmanager
def running(folder: Path, text: str, *options: str) -> Iterator[Live]:
    """Run a tournament with pages; it is stopped with the context."""
    file = folder / "cup.toml"
    file.write_text(text)
    process = subprocess.Popen(
        [ACQUIRE, "tournament", "run", file, "--web", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ),
    )
    assert process.stderr is not None
    with process:
        try:
            yield Live(process.stderr.readline().removeprefix("Spectators: ").strip(), process)
        finally:
            process.terminate()


def stream(url: str) -> Iterator[dict[str, Any]]:
    """The messages of an event stream."""
    with urlopen(url, timeout=60) as answer:
        for line in answer:
            if line.startswith(b"data: "):
                yield json.loads(line[6:])


def test_game_between_programs_is_watched_while_it_is_played(tmp_path: Path) -> None:
    text = plan_text("revised", program=True, deals=4)
    with running(tmp_path, text, "--workers", "1") as tournament:
        lobby = stream(f"{tournament.site}events")
        under_way = (
            (each, list(stream(f"{tournament.site}match/{each['id']}/events")))
            for told in lobby
            for each in told["matches"]
            if not each["ending"]
        )  # by the time that it is asked for, one may be over
        game, watched = next(found for found in under_way if len(found[1]) > 2)
        assert sorted(game["players"]) == ["ann", "bob <b>&", "cid"]
        match, *steps, last = watched
        assert match["match"]["names"] == game["players"]
        assert all(step["steps"] for step in steps)
        assert last["over"] and len(last["reveal"]) > 50
        *_, end = lobby
        assert (end["title"], end["played"], end["total"]) == ("Cup <of> names", 12, 12)
        assert {row[1] for row in end["standings"]["rows"]} == {"ann", "bob <b>&", "cid"}
        assert all(match["ending"] for match in end["matches"])
        assert tournament.process.wait(30) == 0


def test_games_of_the_house_can_be_looked_at(tmp_path: Path) -> None:
    text = plan_text("revised", deals=10)
    with running(tmp_path, text, "--workers", "1") as tournament:
        lobby = stream(f"{tournament.site}events")
        over = (match for told in lobby for match in told["matches"] if match["ending"])
        game = next(over)
        assert game["results"]
        (whole,) = stream(f"{tournament.site}match/{game['id']}/events")
        assert whole["over"] and len(whole["reveal"]) > 50
        assert tournament.process.wait(60) == 0
        assert tournament.process.stdout is not None
        assert "30 games" in tournament.process.stdout.read()


def test_tournament_goes_on_without_its_pages(tmp_path: Path) -> None:
    with running(tmp_path, plan_text("revised", program=True)) as tournament:
        next(told for told in stream(f"{tournament.site}events") if told["matches"])
        (pages,) = children_of(tournament.process.pid, "admin.web")
        os.kill(pages, signal.SIGKILL)
        told, complaint = tournament.process.communicate(timeout=60)
        assert tournament.process.returncode == 0, complaint
        assert "3 games in 1 blocks" in told
        assert "The pages for spectators are gone" in complaint


def test_remote_player_who_waits_for_a_game_is_in_the_lobby(tmp_path: Path) -> None:
    text = plan_text("revised")
    for strategy, secret in (("random", "a-long-secret"), ("ordered", "another-secret")):
        text = text.replace(f'strategy = "{strategy}"', f'remote = {{ secret = "{secret}" }}')
    port = free_port()
    with running(tmp_path, f"{text}[lobby]\nport = {port}\nwait = 60\n", "--json") as tournament:
        assert tournament.process.stdout is not None
        told = map(json.loads, tournament.process.stdout)
        next(line for line in told if line["event"] == "listening")
        lobby = stream(f"{tournament.site}events")
        assert next(lobby)["waiting"] == []
        with socket.create_connection(("127.0.0.1", port)) as player:
            player.sendall(b'<signup name="cid:a-long-secret"/>')
            assert next(now["waiting"] for now in lobby if now["waiting"]) == ["cid"]
        assert next(now["waiting"] for now in lobby if not now["waiting"]) == []


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def children_of(parent: int, word: str) -> list[int]:
    """The processes of a parent that have this word in their command."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat, command = (folder / "stat").read_text(), (folder / "cmdline").read_bytes()
        except OSError:
            continue  # it has ended
        if int(stat.rpartition(")")[2].split()[1]) == parent and word.encode() in command:
            found.append(int(folder.name))
    return found


def test_stopped_tournament_leaves_no_pages_behind(tmp_path: Path) -> None:
    with running(tmp_path, plan_text("revised", program=True, deals=20)) as tournament:
        next(told for told in stream(f"{tournament.site}events") if told["matches"])
        assert children_of(tournament.process.pid, "admin.web")
        tournament.process.send_signal(signal.SIGINT)
        assert tournament.process.wait(30) == 130
        port = int(re.findall(r":(\d+)/", tournament.site)[0])
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), timeout=5)


def test_port_that_is_taken_is_told_before_anything_is_played(tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(plan_text("revised"))
    played: list[str | Path] = [ACQUIRE, "tournament", "run", tmp_path / "cup.toml"]
    assert subprocess.run(played, capture_output=True, timeout=60, check=False).returncode == 0
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [*played, "--fresh", "--web", str(port)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    assert f"port {port}" in done.stderr and "Give another --web port" in done.stderr
    assert [path.name for path in tmp_path.glob("*.sqlite")] == ["cup.sqlite"]


# -- what the pages are told --------------------------------------------------------------------


class Told:
    """A showing whose feed is read here."""

    def __init__(self, folder: Path, text: str) -> None:
        file = folder / "cup.toml"
        file.write_text(text)
        plan = read_plan(file)
        self.games = list(Schedule(plan, 5).stage(1))
        self.rules = game_settings(plan)
        self.now = 0.0
        self._logs: dict[str, bytes] = {}
        self._reading, writing = os.pipe()
        os.set_blocking(self._reading, False)
        self._reader = FeedReader()
        self.other = Written()
        self.showing = TournamentPublisher(
            self.other, Feed(writing), plan, self._logs.__getitem__, clock=lambda: self.now
        )

    def play(self, game: Game, done: int) -> None:
        """Play a game and say that it is over."""
        played = play_built_in_game(self.rules, game)
        self._logs[game.id] = played.log
        self.showing.game_over(played.result, Progress(done, len(self.games)))

    def heard(self) -> list[tuple[dict[str, Any], bytes]]:
        """What came since the last time."""
        found: list[tuple[dict[str, Any], bytes]] = []
        while True:
            try:
                found += self._reader.take(os.read(self._reading, 1 << 16))
            except BlockingIOError:
                return found

    def said(self, what: str) -> list[dict[str, Any]]:
        """The messages of one kind that came since the last time."""
        return [message for message, _ in self.heard() if message["what"] == what]


class Written(Observer):
    """Notes which methods were called."""

    def __init__(self) -> None:
        self.called: list[str] = []

    def __getattribute__(self, name: str) -> Any:
        if name in vars(Observer) and not name.startswith("_"):
            self.called.append(name)
        return super().__getattribute__(name)


def test_secrets_are_kept_until_the_tiles_are_dealt_no_more(tmp_path: Path) -> None:
    told = Told(tmp_path, plan_text("classic", deals=2))
    assert [game.block for game in told.games[:3]] == [told.games[0].block] * 3
    for number, game in enumerate(told.games[:3], start=1):
        told.now += EVERY
        told.play(game, number)
        heard = told.heard()
        (begun,) = [message for message, _ in heard if message["what"] == "begun"]
        assert begun["sealed"]
        unsealed = [message["match"] for message, _ in heard if message["what"] == "unsealed"]
        expected = [game.id for game in told.games[:3]] if number == 3 else []
        assert unsealed == expected


def test_games_before_an_interruption_count_for_the_block(tmp_path: Path) -> None:
    told = Told(tmp_path, plan_text("classic"))
    before = [play_built_in_game(told.rules, game).result for game in told.games[:2]]
    told.showing.began(Progress(2, 3), before)
    (progress,) = told.said("progress")
    assert (progress["games"], progress["total"]) == (2, 3)
    told.play(told.games[2], 3)
    assert [message["match"] for message in told.said("unsealed")] == [told.games[2].id]


def test_with_a_bag_for_each_game_its_end_is_the_end_of_its_secrets(tmp_path: Path) -> None:
    told = Told(tmp_path, plan_text("classic", duplicate=False))
    told.play(told.games[0], 1)
    assert [message["match"] for message in told.said("unsealed")] == [told.games[0].id]


def test_open_hands_have_no_secrets(tmp_path: Path) -> None:
    told = Told(tmp_path, plan_text("revised"))
    told.play(told.games[0], 1)
    heard = told.heard()
    assert [message["sealed"] for message, _ in heard if message["what"] == "begun"] == [False]
    assert not [message for message, _ in heard if message["what"] == "unsealed"]


def test_of_games_that_take_milliseconds_two_a_second_are_shown(tmp_path: Path) -> None:
    told = Told(tmp_path, plan_text("revised"))
    for number, game in enumerate(told.games, start=1):
        told.play(game, number)
    assert [message["match"] for message in told.said("begun")] == [told.games[0].id]
    told.showing.began(Progress(0, 3), [])
    told.now += EVERY
    told.heard()
    told.play(told.games[0], 1)
    (begun,) = told.said("begun")
    assert (begun["match"], begun["title"]) == (
        f"{told.games[0].id}-2",
        f"{told.games[0].id}, attempt 2",
    )


def test_void_game_is_shown_as_void_and_its_second_attempt_by_another_name(tmp_path: Path) -> None:
    told = Told(tmp_path, plan_text("classic", program=True))
    game = told.games[0]
    for attempt, name in enumerate((game.id, f"{game.id}-2"), start=1):
        told.showing.game_began(game)
        told.showing.logged(game, b"<match>")
        told.showing.game_void(VoidGame(game.id, attempt, "Late itself."), again=True)
        heard = told.heard()
        assert [message["match"] for message, _ in heard if message["what"] == "begun"] == [name]
        (over,) = [message for message, _ in heard if message["what"] == "over"]
        assert (over["match"], over["ending"]) == (name, "Void. Late itself.")
        assert not [message for message, _ in heard if message["what"] == "unsealed"]


def test_everything_is_passed_on(tmp_path: Path) -> None:
    told = Told(tmp_path, plan_text("revised"))
    showing, game = told.showing, told.games[0]
    result = play_built_in_game(told.rules, game).result
    showing.began(Progress(0, 3), [])
    showing.listening(["127.0.0.1:1"])
    showing.turned_away("127.0.0.1:2", "x", "Nobody.")
    showing.awaited("cid", 1)
    showing.waiting(["cid"])
    showing.game_began(game)
    showing.logged(game, b"<match>")
    showing.game_over(result, Progress(1, 3))
    showing.game_void(VoidGame(game.id, 1, "Late."), again=True)
    showing.trouble("A worker was lost.")
    every = [name for name in vars(Observer) if not name.startswith("_")]
    assert sorted(told.other.called) == sorted(every)
    assert told.said("waiting") == [{"what": "waiting", "names": ["cid"], "seats": 0}]
