"""Many spectators, deaf ones, and hostile ones; and names that would be more than text."""

import json
import os
import re
import signal
import socket
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, expect

from view.browser import Watched, closed
from web.test_site import FILLED, Live, Slow, live, lobbies_of, play, stream

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="looks at processes in /proc"
)


def address(server: Live) -> tuple[str, int]:
    """Where spectators connect."""
    host, _, port = server.site.removeprefix("http://").rstrip("/").rpartition(":")
    return host, int(port)


def pages_of(server: Live) -> int:
    """The process of the pages."""
    parent = server.process.pid
    (child,) = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return int(child)


def kinds_sent_by(server: Live) -> list[str]:
    """All that a server says until it ends, by the kind of event."""
    assert server.process.stdout is not None
    return [json.loads(line)["event"] for line in server.process.stdout]


def lobby_when(server: Live, holds: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """What the lobby says as soon as something holds."""
    return next(lobby for lobby in lobbies_of(server.site) if holds(lobby))


# -- a crowd ---------------------------------------------------------------------------------------


def deaf(server: Live, path: str, count: int) -> socket.socket:
    """A spectator that sends ``count`` requests and never reads."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    connection.connect(address(server))
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode() * count)
    return connection


def memory(pid: int) -> int:
    """The bytes of memory that a process has."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert found is not None
    return int(found[1]) * 1024


@pytest.mark.parametrize("end", ["by itself", pytest.param("by Ctrl-C", marks=pytest.mark.soak)])
def test_spectators_that_do_not_read_delay_no_step(tmp_path: Path, end: str) -> None:
    options = ("--players", "3", "--turn-timeout", "60", "--reply-timeout", "60")
    with (
        live(tmp_path, *options) as server,
        play(server.port, "ann") as ann,
        play(server.port, "bob") as bob,
        ExitStack() as stack,
    ):
        lobby_when(server, lambda lobby: len(lobby["waiting"]) == 2)
        slow = Slow(server.port, "cyd")
        lobby_when(server, lambda lobby: lobby["matches"])
        child = pages_of(server)
        readers = [stream(f"{server.site}match/1/events") for _ in range(2)]
        for reader in readers:
            assert sorted(next(reader)["match"]["names"]) == ["ann", "bob", "cyd"]
        for number in range(20):
            if number < 4:  # more than the kernel keeps for them: the pages have to wait
                stack.enter_context(closing(deaf(server, "/match/1", 100)))
            else:
                path = "/events" if number % 2 else "/match/1/events"
                stack.enter_context(closing(deaf(server, path, 1)))
        if end == "by itself":
            slow.close()
            for reader in readers:
                steps, last = [], {}
                for last in reader:
                    steps += last.get("steps", [])
                assert last == {"over": True}, "nothing was hidden"
                assert [step["kind"] for step in steps].count("ranked") == 3
            assert "over" in kinds_sent_by(server)
        else:
            server.process.send_signal(signal.SIGINT)
            kinds_sent_by(server)
            slow.close()
        code = server.process.wait(60)
        for player in (ann, bob):
            player.wait(60)
    assert code == (0 if end == "by itself" else 130)
    assert not Path(f"/proc/{child}").exists()


@pytest.mark.soak
def test_deaf_spectators_do_not_make_the_pages_grow(tmp_path: Path) -> None:
    with live(tmp_path, "--players", "3", "--signup-timeout", "60") as server, ExitStack() as stack:
        child = pages_of(server)
        urlopen(server.site, timeout=5).close()
        before = memory(child)
        for _ in range(10):  # 6 KB a page: more than a socket takes for somebody who does not read
            stack.enter_context(closing(deaf(server, "/", 1000)))
        for _ in range(20):
            urlopen(server.site, timeout=20).close()
        assert memory(child) - before < 20e6


# -- the pages are gone ----------------------------------------------------------------------------


def test_end_of_the_pages_is_reported_once_and_the_games_go_on(tmp_path: Path) -> None:
    with live(tmp_path, *FILLED, "--games", "2") as server:
        os.kill(pages_of(server), signal.SIGKILL)
        assert kinds_sent_by(server).count("over") == 2
        assert server.process.stderr is not None
        reported = server.process.stderr.read()
        assert server.process.wait(10) == 0
    assert reported.count("The pages for spectators are gone; the games go on without them.") == 1


# -- hostile names, in a browser -------------------------------------------------------------------

NAMES = (
    "</script><script>hit()</script>",
    '"><img src=x onerror=hit()>',
    "\u202eevil\u2066 \u00e9\U0001f600\u2028data: x",
    "&lt;b&gt;" + "W" * 55,
    "id: 7 {{ 7*7 }} ${7*7} \\u003c %s \\",
)


def test_hostile_names_are_text_wherever_they_are_shown(browser: Browser, tmp_path: Path) -> None:
    options = ("--players", "6", "--games", "2", "--turn-timeout", "60", "--reply-timeout", "60")
    shown = [*map(closed, NAMES), "plain"]
    with live(tmp_path, *options) as server, ExitStack() as stack:
        tab = browser.new_page()
        watched = Watched(tab)
        tab.add_init_script("window.hits = 0; window.hit = () => { window.hits += 1; };")
        tab.goto(server.site)
        seated = [stack.enter_context(sitting(server, escaped(name))) for name in NAMES]
        expect(tab.locator("#waiting bdi")).to_have_text(shown[:-1], timeout=20_000)
        seated.append(stack.enter_context(sitting(server, "plain")))
        expect(tab.locator("#live bdi")).to_have_text(shown, timeout=20_000)
        tab.locator("#live a").click()
        expect(tab.locator("#names bdi")).to_have_text(shown, timeout=20_000)
        expect(tab.locator("#notice")).to_have_text("Live.", timeout=20_000)
        for each in seated:
            each.close()
        listed = tab.locator("#events")
        for name in shown[:-2]:
            expect(listed).to_contain_text(f"{name} is ejected", timeout=20_000)
        tab.goto(server.site)
        over = lobby_when(server, lambda lobby: lobby["matches"][0]["ending"])
        assert over["matches"][0]["players"] == [*NAMES, "plain"]
        expect(tab.locator("#finished > li")).to_have_count(1, timeout=20_000)
        assert tab.evaluate("window.hits") == 0
        assert watched.complaints == []
        tab.close()


def sitting(server: Live, name: str) -> closing[Slow]:
    """One who has signed up, and leaves at the end."""
    return closing(Slow(server.port, name))


def escaped(name: str) -> str:
    """A name as it stands in an attribute."""
    return name.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
