"""Live matches as a spectator has them: a real server, real streams, a real browser, a terminal."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, expect

from view.browser import Watched, chromium

ACQUIRE = Path(sys.executable).parent / "acquire"


class Live(NamedTuple):
    """A server with pages: where spectators go, where players go, and the process."""

    site: str
    port: int
    process: subprocess.Popen[str]


@contextmanager
def live(folder: Path, *options: str) -> Iterator[Live]:
    """Run a server with pages, and end it with the context."""
    process = subprocess.Popen(
        [ACQUIRE, "serve", "--port", "0", "--web", "0", "--log-dir", folder, "--json", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ),
    )
    assert process.stdout is not None and process.stderr is not None
    with process:
        try:
            site = process.stderr.readline().removeprefix("Spectators: ").strip()
            said = map(json.loads, process.stdout)
            assert next(said) == {"event": "spectators", "address": site}
            listening = next(said)
            yield Live(site, int(listening["addresses"][0].rpartition(":")[2]), process)
        finally:
            process.terminate()


def play(port: int, name: str) -> subprocess.Popen[bytes]:
    """Let a built-in player join."""
    command: list[str | Path]
    command = [ACQUIRE, "play", "127.0.0.1", str(port), "--name", name, "--strategy", "ordered"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Slow:
    """A player whose moves wait until they are asked for: a match that stands still meanwhile."""

    def __init__(self, port: int, name: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.sendall(f'<signup name="{name}"/>'.encode())
        self._socket.recv(1000)

    def close(self) -> None:
        self._socket.close()


def stream(url: str) -> Iterator[dict[str, Any]]:
    """The messages of an event stream."""
    with urlopen(url, timeout=20) as answer:
        for line in answer:
            if line.startswith(b"data: "):
                yield json.loads(line[6:])


FILLED = ("--players", "3", "--fill", "ordered", "--signup-timeout", "0.5")


def test_match_is_told_step_by_step_and_revealed_at_its_end(tmp_path: Path) -> None:
    with live(tmp_path, *FILLED, "--games", "30", "--rulebook", "classic") as server:
        lobby = stream(f"{server.site}events")
        over = next(told for told in lobby if any(match["ending"] for match in told["matches"]))
        done = next(match for match in over["matches"] if match["ending"])
        assert done["results"] and over["standings"]["rows"]
        (told,) = stream(f"{server.site}match/{done['id']}/events")
        assert told["over"] and len(told["reveal"]) > 50
        assert {step["kind"] for step in told["reveal"]} >= {"deal", "turn", "drew", "ended"}
        for page in ("", f"match/{done['id']}"):
            with urlopen(f"{server.site}{page}", timeout=10) as answer:
                assert b"default-src" in answer.read()
        with pytest.raises(HTTPError, match="404"):
            urlopen(f"{server.site}match/nonsense", timeout=10)


def test_no_hidden_hand_is_in_any_byte_before_the_end(tmp_path: Path) -> None:
    options = ("--players", "2", "--rulebook", "classic", "--turn-timeout", "60")
    with live(tmp_path, *options, "--reply-timeout", "60") as server:
        slow = [Slow(server.port, name) for name in ("ann", "bob")]
        try:
            told = stream(f"{server.site}match/1/events") if waits(server.site) else iter(())
            match, first = next(told), next(told)
        finally:
            for each in slow:
                each.close()
    assert match["match"]["names"] == ["ann", "bob"]
    text = json.dumps(first)
    assert '"hand"' not in text and '"secret"' not in text
    assert first["steps"][0]["kind"] == "deal"


def waits(site: str) -> bool:
    """Wait until a match has begun."""
    return any(told["matches"] for told in stream(f"{site}events"))


def test_a_spectator_that_stops_reading_holds_nobody_up(tmp_path: Path) -> None:
    with live(tmp_path, *FILLED, "--games", "3") as server:
        host, _, port = server.site.removeprefix("http://").rstrip("/").rpartition(":")
        deaf = []
        for _ in range(20):
            connection = socket.create_connection((host, int(port)))
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.sendall(b"GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
            deaf.append(connection)
        assert server.process.stdout is not None
        told = [json.loads(line)["event"] for line in server.process.stdout]
        assert told.count("over") == 3
        for connection in deaf:
            connection.close()


def test_pages_that_are_killed_are_not_missed_by_the_match(tmp_path: Path) -> None:
    with live(tmp_path, *FILLED, "--games", "2") as server:
        children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
        for child in children.read_text().split():
            os.kill(int(child), 9)
        assert server.process.stdout is not None
        told = [json.loads(line)["event"] for line in server.process.stdout]
        assert told.count("over") == 2
    assert server.process.returncode == 0


def test_port_in_use_is_told_and_nothing_begins(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [ACQUIRE, "serve", "--port", "0", "--web", port, "--log-dir", tmp_path],
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
    assert done.returncode == 2
    assert "Address already in use" in done.stderr and "--web" in done.stderr


# -- in a browser ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


def test_joining_in_the_middle_and_staying_when_the_server_is_gone(
    browser: Browser, tmp_path: Path
) -> None:
    options = ("--players", "3", "--turn-timeout", "60", "--reply-timeout", "60")
    with live(tmp_path, *options) as server:
        players = [play(server.port, name) for name in ("ann<b>", "bob")]
        tab = browser.new_page()
        watched = Watched(tab)
        tab.goto(server.site)
        expect(tab.locator("#waiting")).to_contain_text("2 of 3 signed up", timeout=20_000)
        slow = Slow(server.port, "cyd")
        link = tab.locator("#live a")
        expect(link).to_have_text("Match 1", timeout=20_000)
        link.click()
        expect(tab.locator("#names")).to_contain_text("ann<b>")
        expect(tab.locator("#notice")).to_have_text("Live.")
        expect(tab.locator("#facts")).to_contain_text("turn")
        slow.close()
        for player in players:
            player.wait(30)
        expect(tab.locator("#players .out")).to_contain_text("rank 3 · ejected", timeout=20_000)
    assert int(tab.get_attribute("#plot", "aria-valuemax") or 0) > 20
    tab.keyboard.press("Home")
    assert watched.text("#sentence").startswith("The table is set. ")
    hosts = {re.sub(r"(http://[^/]+).*", r"\1/", url) for url in watched.requests}
    assert hosts == {server.site}
    tab.close()


LOBBY_TWICE = """() => {
  const lobby = (turn) => ({
    title: "t", closed: false, waiting: [], seats: 3, played: 0, total: 0,
    standings: { columns: [], rows: [] },
    matches: [{ id: "9", title: "Match 9", players: ["a"], turn, ending: "", results: [] }],
  });
  show(lobby(1));
  const link = document.querySelector("#live a");
  show(lobby(2));
  return [link.isConnected, document.querySelector("#live .how").textContent];
}"""


def test_link_stays_where_it_is_while_its_match_goes_on(browser: Browser, tmp_path: Path) -> None:
    with live(tmp_path, "--players", "3") as server:
        tab = browser.new_page()
        tab.goto(server.site)
        assert tab.evaluate(LOBBY_TWICE) == [True, "turn 2"]
        tab.close()


FINISHED = """() => {
  show({
    title: "t", closed: false, waiting: [], seats: 3, played: 0, total: 0,
    standings: { columns: [], rows: [] },
    matches: [{
      id: "9", title: "Match 9", players: ["ann", "bob", "cyd"], turn: 9, ending: "All is safe.",
      results: [[1, "bob", 31000, true], [1, "cyd", 31000, true], [3, "ann", 0, false]],
    }],
  });
  return document.querySelector("#finished .who").textContent;
}"""


def test_lobby_ranks_all_players_of_a_finished_match(browser: Browser, tmp_path: Path) -> None:
    with live(tmp_path, "--players", "3") as server:
        tab = browser.new_page()
        tab.goto(server.site)
        ranked = "1.\u00a0bob $31,000, 1.\u00a0cyd $31,000, 3.\u00a0ann ejected"
        assert tab.evaluate(FINISHED) == ranked
        tab.close()


# -- at a terminal ---------------------------------------------------------------------------------


def test_watch_tells_a_match_in_sentences(tmp_path: Path) -> None:
    with live(tmp_path, *FILLED, "--games", "30") as server:
        over = next(
            told
            for told in stream(f"{server.site}events")
            if any(match["ending"] for match in told["matches"])
        )
        id_ = next(match["id"] for match in over["matches"] if match["ending"])
        done = subprocess.run(
            [ACQUIRE, "watch", server.site, "--match", id_],
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert "Turn 1: ordered" in done.stdout
    assert "The game is over." in done.stdout and "hotel" in done.stdout


def test_watch_waits_for_a_match_and_goes_on_with_the_next(tmp_path: Path) -> None:
    options = ("--players", "3", "--fill", "ordered", "--signup-timeout", "2", "--games", "2")
    with live(tmp_path, *options) as server:
        done = subprocess.run(
            [ACQUIRE, "watch", server.site, "--all"],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert "Waiting for a match." in done.stderr
    assert done.stdout.count("Turn 1: ordered") == 2
    assert done.stdout.count("The game is over.") == 2


def test_watch_says_that_the_server_is_gone_before_the_end(tmp_path: Path) -> None:
    options = ("--players", "2", "--rulebook", "classic", "--turn-timeout", "60")
    with live(tmp_path, *options, "--reply-timeout", "60") as server:
        slow = [Slow(server.port, name) for name in ("ann", "bob")]
        assert waits(server.site)
        watching = subprocess.Popen(
            [ACQUIRE, "watch", server.site],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert watching.stdout is not None
        assert watching.stdout.readline()
        server.process.terminate()
        _, complaint = watching.communicate(timeout=30)
        for each in slow:
            each.close()
    assert watching.returncode == 1
    assert "The server stopped before the match finished." in complaint


def test_what_lies_in_the_folder_is_no_part_of_the_pages(tmp_path: Path) -> None:
    for name in ("game", "admin", "trio", "random"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('a module of somebody else')")
    done = subprocess.run(
        [ACQUIRE, "serve", "--port", "0", "--web", "0", *FILLED],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("Spectators: http://")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://127.0.0.1:9/", "cannot be read"),
        ("127.0.0.1:8080", "an address begins with http://"),
        ("http://[::1", "cannot be read"),
        ("http://localhost:abc/", "cannot be read"),
        ("http://a b/\x1b[31m", "cannot be read"),
    ],
)
def test_watching_nothing_is_refused(url: str, said: str) -> None:
    done = subprocess.run(
        [ACQUIRE, "watch", url], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 2
    assert said in done.stderr and "defect" not in done.stderr and "\x1b" not in done.stderr
