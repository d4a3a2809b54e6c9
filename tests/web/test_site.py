"""Live games as a spectator has them: a real server, real streams, a real browser, a terminal."""

import io
import json
import os
import re
import socket
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from axe_playwright_python.sync_playwright import Axe
from child_processes import ending
from command_line import ACQUIRE, invoke, refused, succeed
from lobby_updates import lobbies
from loops import for_each
from playwright.sync_api import Browser, Page, Route, expect
from rich.console import Console

from acquire.admin.pages.html.replay_page import page as page_of
from acquire.admin.pages.web.watcher import Watcher, messages
from acquire.admin.refereeing.log.reader import read
from acquire.game.rulebooks import CLASSIC
from acquire.protocol.rulebook_file import to_json
from view.browser import Watched


class Live(NamedTuple):
    """A server with pages: where spectators go, where players go, the process and its logs."""

    site: str
    port: int
    process: subprocess.Popen[str]
    logs: Path


@contextmanager
def live(folder: Path, *options: str) -> Iterator[Live]:
    """Run a server with pages, and end it with the context."""
    words = ["--port", "0", "--web", "0", "--log-dir", str(folder), "--json", *options]
    with ending(
        subprocess.Popen(
            [ACQUIRE, "serve", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        site = process.stderr.readline().removeprefix("Spectators: ").strip()
        said = map(json.loads, process.stdout)
        assert next(said) == {"event": "spectators", "address": site}
        listening = next(said)
        yield Live(site, int(listening["addresses"][0].rpartition(":")[2]), process, folder)


def play(port: int, name: str) -> AbstractContextManager[subprocess.Popen[bytes]]:
    """Let a built-in player join, for a block."""
    words = ["play", "127.0.0.1", str(port), "--name", name, "--strategy", "ordered"]
    null = subprocess.DEVNULL
    return ending(subprocess.Popen([ACQUIRE, *words], stdout=null, stderr=null))


def watch(*words: str) -> AbstractContextManager[subprocess.Popen[str]]:
    """Watch games at a terminal that is none, for a block."""
    pipe = subprocess.PIPE
    return ending(subprocess.Popen([ACQUIRE, "watch", *words], stdout=pipe, stderr=pipe, text=True))


class Slow:
    """A player whose moves wait until they are asked for: a game that stands still meanwhile."""

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


def lobbies_of(site: str) -> Iterator[dict[str, Any]]:
    """The lobby, whenever it has changed."""
    return lobbies(stream(f"{site}events"))


FILLED = ("--players", "3", "--fill", "ordered", "--signup-timeout", "0.5")
PATIENT = ("--turn-timeout", "600", "--reply-timeout", "600")


@pytest.fixture(scope="module")
def two_games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server with game 1, which waits for `ann`, and game 2, which is over."""
    signup = ("--signup-timeout", "2")  # enough for `ann` on a busy machine
    names = ("--web-host", "Pages.example", "--web-host", "other.example")
    options = (*FILLED, *signup, *PATIENT, *names, "--games", "2", "--rulebook", "classic")
    with live(tmp_path_factory.mktemp("logs"), *options) as server:
        ann = Slow(server.port, "ann")
        endings: list[str] = []
        lobby = lobbies_of(server.site)
        while [bool(ending) for ending in endings] != [False, True]:
            games = sorted(next(lobby)["matches"], key=lambda game: int(game["id"]))
            endings = [game["ending"] for game in games]
        yield server
        ann.close()


def test_game_that_is_over_is_sent_at_once_with_its_results(two_games: Live) -> None:
    site = two_games.site
    lobby = next(lobbies_of(site))
    over = next(game for game in lobby["matches"] if game["id"] == "2")
    assert over["results"] and lobby["standings"]["rows"]
    (message,) = stream(f"{site}match/2/events")
    assert message["over"] and len(message["steps"]) > 50
    assert {step["kind"] for step in message["steps"]} >= {"deal", "turn", "drew", "ended"}
    for page in ("", "match/2"):
        with urlopen(f"{site}{page}", timeout=10) as answer:
            assert b"default-src" in answer.read()


@for_each(
    ("path", "why"),
    [
        ("match/nonsense", "There is no such game."),
        ("nonsense", "There is no such page."),
        ("report/", "There is no report"),
    ],
)
def test_page_that_is_not_there_says_why_and_leads_to_all_games(
    two_games: Live, path: str, why: str
) -> None:
    with pytest.raises(HTTPError, match="404") as error:
        urlopen(f"{two_games.site}{path}", timeout=10)
    text = error.value.read().decode()
    assert why in text and '<a href="/">All games</a>' in text
    assert error.value.headers["X-Content-Type-Options"] == "nosniff"
    error.value.close()


def test_player_leads_to_its_newest_game_or_to_the_lobby(two_games: Live) -> None:
    for name, path in (("ann", "match/1"), ("ordered", "match/2"), ("nobody", "")):
        with urlopen(f"{two_games.site}player/{name}", timeout=10) as answer:
            assert answer.url == f"{two_games.site}{path}"


def ask(site: str, request: str) -> str:
    """Send any request, and return the head of the answer and what came with it."""
    address = urlsplit(site)
    assert address.hostname is not None
    with socket.create_connection((address.hostname, address.port or 0), timeout=10) as connection:
        connection.sendall(request.replace("\n", "\r\n").encode())
        with suppress(OSError):  # it may have been refused, and closed, already
            connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(partial(connection.recv, 1 << 16), b"")).decode()


def get(site: str, *headers: str, version: str = "1.1", path: str = "/") -> str:
    return ask(
        site, "\n".join([f"GET {path} HTTP/{version}", *headers, "Connection: close", "", ""])
    )


OURS = ("127.0.0.1", "localhost", "LocalHost:8080", "localhost.", "[::1]:80", "[2001:db8::7]")
NAMES = (socket.gethostname(), f"{socket.gethostname()}.local:80", "pages.example", "other.example")


@for_each("host", [*OURS, "192.168.0.7:1234", *NAMES])
def test_pages_answer_to_addresses_and_to_our_names(two_games: Live, host: str) -> None:
    assert get(two_games.site, f"Host: {host}").startswith("HTTP/1.1 200")


@for_each(
    "host",
    [
        *("evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "x@localhost", ""),
        *("evil-localhost", "evil.localhost", "evil-pages.example", "www.pages.example"),
        *("ocalhost", "example", "pages"),
    ],
)
@for_each("path", ["/", "/match/2/events"])
def test_pages_do_not_answer_to_other_names(two_games: Live, host: str, path: str) -> None:
    answer = get(two_games.site, f"Host: {host}", path=path)
    assert answer.startswith("HTTP/1.1 421")
    assert "This server does not answer to the name" in answer and "--web-host" in answer
    assert_secure(answer)


def test_request_without_a_name_is_refused(two_games: Live) -> None:
    assert get(two_games.site, version="1.0").startswith("HTTP/1.1 421")


@for_each(
    ("origin", "status"),
    [
        ("http://127.0.0.1:80", 200),
        ("http://127.0.0.1", 403),
        ("http://evil.example", 403),
        ("http://evil-127.0.0.1:80", 403),
        ("http://27.0.0.1:80", 403),
        ("http://127.0.0.1:8", 403),
        ("http://127.0.0.1:80.evil.example", 403),
        ("null", 403),
    ],
)
@for_each("path", ["/", "/match/2/events"])
def test_pages_of_other_origins_get_nothing(
    two_games: Live, origin: str, status: int, path: str
) -> None:
    answer = get(two_games.site, "Host: 127.0.0.1:80", f"Origin: {origin}", path=path)
    assert answer.startswith(f"HTTP/1.1 {status}")
    assert_secure(answer)


UPGRADE = "Connection: Upgrade, HTTP2-Settings, close\nUpgrade: h2c\nHTTP2-Settings: AAMAAABk"
WEBSOCKET = "Connection: Upgrade\nUpgrade: websocket\nSec-WebSocket-Version: 13\n"
WEBSOCKET += "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="


@for_each(
    ("request_", "status"),
    [
        (f"GET / HTTP/1.1\nHost: localhost\n{UPGRADE}\n\n", 200),
        ("PRI * HTTP/2.0\n\nSM\n\n", 421),
        (f"GET / HTTP/1.1\nHost: localhost\n{WEBSOCKET}\n\n", 403),
        (f"GET / HTTP/1.1\nHost: evil.example\n{WEBSOCKET}\n\n", 421),
        ("nonsense\n\n", 400),
        ("GET / HTTP/1.1\n\n", 400),
        (f"GET / HTTP/1.1\nHost: localhost\nX: {'x' * 100_000}\n\n", 431),
        ("POST / HTTP/1.1\nHost: localhost\nContent-Length: 0\n\n", 405),
        ("GET /../../etc/passwd HTTP/1.1\nHost: localhost\nConnection: close\n\n", 404),
        ("GET /match/..%2f..%2fetc%2fpasswd HTTP/1.1\nHost: localhost\nConnection: close\n\n", 404),
        ("GET /match/%ff%fe HTTP/1.1\nHost: localhost\nConnection: close\n\n", 404),
    ],
    ids=lambda each: repr(each)[:70],
)
def test_odd_request_is_answered_and_only_in_plain_http_1(
    two_games: Live, request_: str, status: int
) -> None:
    answer = ask(two_games.site, request_)
    assert answer.startswith(f"HTTP/1.1 {status}") and "root:" not in answer
    assert_secure(answer)


def assert_secure(answer: str) -> None:
    """Check that an answer, of whichever kind, has our headers once, and no server's name."""
    headers = answer.partition("\r\n\r\n")[0].lower().split("\r\n")
    assert headers.count("x-content-type-options: nosniff") == 1
    assert headers.count("content-security-policy: frame-ancestors 'self'") == 1
    assert headers.count("referrer-policy: no-referrer") == 1
    assert not any(header.startswith("server:") for header in headers)


def waits(site: str) -> bool:
    """Wait until a game has begun."""
    return any(lobby["matches"] for lobby in lobbies_of(site))


def test_port_in_use_is_reported_before_anything_begins(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        options = ["--port", "0", "--web", port, "--log-dir", str(tmp_path)]
        words = refused("serve", *options)
    assert "Address already in use" in words and "--web" in words


# -- in a browser ----------------------------------------------------------------------------------


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    yield page
    page.close()


def test_page_joins_in_the_middle_and_stays_when_the_server_is_gone(
    tab: Page, tmp_path: Path
) -> None:
    watched = Watched(tab)
    with (
        live(tmp_path, "--players", "3", *PATIENT) as server,
        play(server.port, "ann<b>") as ann,
        play(server.port, "bob") as bob,
    ):
        tab.goto(server.site)
        expect(tab.locator("#waiting")).to_contain_text("2 of 3 signed up", timeout=20_000)
        slow = Slow(server.port, "cyd")
        link = tab.locator("#live a")
        expect(link).to_have_text("Game 1", timeout=20_000)
        link.click()
        expect(tab.locator("#names")).to_contain_text("ann<b>")
        expect(tab.locator("#notice")).to_have_text("Live.")
        expect(tab.locator("#facts")).to_contain_text("turn")
        slow.close()
        for player in (ann, bob):
            player.wait(30)
        expect(tab.locator("#players .out")).to_contain_text("rank 3 · ejected", timeout=20_000)
    assert int(tab.get_attribute("#plot", "aria-valuemax") or 0) > 20
    (step,) = saved(tab, tmp_path)["steps"][-1:]
    assert step["kind"] == "ranked" or step["kind"] == "result"
    for _ in range(2):
        tab.locator(".around a").first.click()
        expect(tab.locator("#notice")).to_contain_text("The referee has stopped.")
    tab.keyboard.press("Home")
    assert watched.text("#sentence").startswith("The table is set. ")
    hosts = {re.sub(r"(http://[^/]+).*", r"\1/", url) for url in watched.requests}
    assert hosts == {server.site}


def test_game_that_is_sent_again_after_a_lost_connection_has_its_steps_once(
    tab: Page, two_games: Live
) -> None:
    sent = stream(f"{two_games.site}match/1/events")
    messages = [next(sent), next(sent)]
    lines = [f"data: {json.dumps(message)}\n\n" for message in messages]
    connections = []

    def send_all_and_hang_up(route: Route) -> None:
        connections.append(route)
        body = "retry: 1\n" + "".join(lines)  # milliseconds until the browser connects again
        if len(connections) <= 3:
            route.fulfill(content_type="text/event-stream", body=body)
        else:
            route.fulfill(status=204)  # which ends it

    tab.route("**/match/1/events", send_all_and_hang_up)
    tab.goto(f"{two_games.site}match/1")
    while len(connections) <= 3:
        tab.wait_for_timeout(5)
    assert tab.evaluate("steps.length") == len(messages[1]["steps"]) > 0


def saved(tab: Page, folder: Path) -> dict[str, Any]:
    """Save the game of a page, open what was saved, and return its data."""
    with tab.expect_download() as download:
        tab.locator("#save").click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    assert tab.context.browser is not None
    other = tab.context.browser.new_page()
    watched = Watched(other)
    other.goto(path.as_uri())
    assert other.inner_text("#names") == tab.inner_text("#names")
    assert not other.is_visible(".around") and not watched.complaints
    assert watched.requests == [path.as_uri()]
    data: dict[str, Any] = json.loads(other.inner_text("#data"))
    other.close()
    return data


def test_saved_game_is_what_the_log_shows(tab: Page, two_games: Live, tmp_path: Path) -> None:
    (log,) = two_games.logs.glob("*game2*")
    expected = json.loads(re.findall(r'id="data">(.*?)</script>', page_of(read(log)))[0])
    tab.goto(f"{two_games.site}match/2")
    expect(tab.locator("#sentence")).to_contain_text("with $", timeout=20_000)
    found = saved(tab, tmp_path)
    assert found["match"].pop("seed") == "in the log" and expected["match"].pop("seed")
    assert found == expected


def test_game_leads_to_others_and_to_the_present(
    tab: Page, two_games: Live, tmp_path: Path
) -> None:
    watched = Watched(tab)
    tab.goto(two_games.site)
    for scheme in ("light", "dark"):
        tab.emulate_media(color_scheme=scheme)
        assert Axe().run(tab).response["violations"] == []
    tab.locator("#finished a").click()
    tab.locator("text=Next live").click()
    expect(tab).to_have_url(f"{two_games.site}match/1")
    expect(tab.locator("#notice")).to_have_text("Live.")
    assert not tab.is_visible("#jump")
    tab.keyboard.press("Home")
    assert Axe().run(tab).response["violations"] == []
    tab.locator("#jump").click()
    assert not tab.is_visible("#jump")
    plot = tab.locator("#plot")
    assert plot.get_attribute("aria-valuenow") == plot.get_attribute("aria-valuemax")
    data = saved(tab, tmp_path)
    assert data["notice"].startswith("Saved at turn ") and len(data["steps"]) > 1
    assert '"hand"' not in json.dumps(data)
    tab.locator("text=Previous").click()
    expect(tab).to_have_url(two_games.site)
    assert not watched.complaints


LOBBY_TWICE = """() => {
  const row = { id: "9", title: "Game 9", players: ["a"], state: "live", ending: "", results: [] };
  const table = { turn: 1, letters: "ACFISTW", board: "0".repeat(108), last: null, worths: [6000] };
  take({ whole: true, matches: [{ ...row, ...table }] });
  show();
  const link = document.querySelector("#live a");
  take({ matches: [{ id: "9", turn: 2, board: [0, 8, 15, 2, 16, 2], last: 0, worths: [5000] }] });
  show();
  const found = (kind) => byId("live").querySelector(kind);
  const [how, board, grown, worth] = [".how", ".cell-8", ".cell-2", ".worth"].map(found);
  const where = (text) => `${text.textContent} ${text.getAttribute("x")} ${text.getAttribute("y")}`;
  const named = [...byId("live").querySelectorAll("text")].map(where);
  const drawn = [board, grown].map((cells) => cells.getAttribute("d"));
  return [link.isConnected, how.textContent, ...drawn, worth.textContent, ...named];
}"""


def test_link_stays_in_place_while_its_game_goes_on(tab: Page, two_games: Live) -> None:
    tab.goto(two_games.site)
    expect(tab.locator("#live a")).to_have_text("Game 1")
    assert tab.evaluate("[...games.values()].map((game) => game.letters)") == ["ACFISTW"] * 2
    found = tab.evaluate(LOBBY_TWICE)
    drawn = ["M0 0h1v1h-1z", "M3 1h1v1h-1zM4 1h1v1h-1z"]
    assert found == [True, "turn 2", *drawn, "$5,000", "C 3.5 1.8"]


FINISHED = """() => {
  take({ matches: [{
    id: "99", title: "Game 99", players: ["ann", "bob", "cyd"], state: "finished", turn: 9,
    ending: "All is safe.", letters: "", board: "0".repeat(108), last: null, worths: [1, 2, 3],
    results: [[1, "bob", 31000, true], [1, "cyd", 31000, true], [3, "ann", 0, false]],
  }] });
  show();
  const lines = document.querySelectorAll("#finished li:first-child ol li");
  return [...lines].map((line) => line.textContent);
}"""


def test_lobby_ranks_all_players_of_a_finished_game(tab: Page, two_games: Live) -> None:
    tab.goto(two_games.site)
    expect(tab.locator("#live a")).to_have_text("Game 1")
    assert tab.evaluate(FINISHED) == ["1.2bob $31,000", "1.3cyd $31,000", "3.1ann ejected"]


# -- at a terminal ---------------------------------------------------------------------------------


def test_watch_prints_a_game_in_sentences(two_games: Live) -> None:
    done = succeed("watch", two_games.site, "--match", "2")
    assert "Turn 1: ordered" in done.stdout
    assert "The game is over." in done.stdout and "hotel" in done.stdout


def test_watch_asks_no_proxy_for_pages_of_this_machine(two_games: Live) -> None:
    words = [ACQUIRE, "watch", two_games.site, "--match", "2"]
    proxy = {"http_proxy": "http://127.0.0.1:1/", "no_proxy": ""}
    done = subprocess.run(words, env={**os.environ, **proxy}, capture_output=True, text=True)
    assert "The game is over." in done.stdout, done.stderr


def test_watch_keeps_board_players_and_the_last_sentence_on_a_small_screen(two_games: Live) -> None:
    console = Console(
        file=io.StringIO(), width=80, height=24, force_terminal=True, color_system=None
    )
    watcher = Watcher(console)
    (whole,) = messages(two_games.site, "match/2/events")
    for step in whole["steps"]:
        watcher._take({"match": whole["match"]} if step is whole["steps"][0] else {"steps": [step]})
        if step["kind"] == "drew":
            break
    assert watcher._table is not None
    lines = console.render_lines(watcher._drawn(watcher._table), pad=False)
    shown = ["".join(part.text for part in line) for line in lines]
    assert len(shown) <= 24 and max(map(len, shown)) <= 80
    assert sum(line[:3].strip() in {*"ABCDEFGHI"} and bool(line.strip()) for line in shown) == 9
    assert any("[" in line for line in shown), "the tile placed last is marked"
    assert all(any(line.startswith(name) for line in shown) for name in whole["match"]["names"])


def test_watch_by_a_name_that_the_pages_do_not_know_is_explained(two_games: Live) -> None:
    by_another_name = two_games.site.replace("127.0.0.1", "127.1")
    words = refused("watch", by_another_name)
    assert "does not answer to the name '127.1'" in words and "--web-host" in words


def test_watch_waits_for_a_game_and_goes_on_with_the_next(tmp_path: Path) -> None:
    options = ("--players", "3", "--opponent", "ordered", "--opponent", "ordered", "--games", "2")
    with live(tmp_path, *options) as server, watch(server.site, "--all") as watching:
        assert watching.stderr is not None
        for name in ("ann", "bob"):  # a game that is over before it is watched is not shown
            assert "Waiting for a game." in watching.stderr.readline()
            with play(server.port, name) as player:
                assert player.wait(timeout=100) == 0
        shown, _ = watching.communicate(timeout=100)
    assert watching.returncode == 0
    assert shown.count("Turn 1: ") == 2
    assert shown.count("The game is over.") == 2


def test_watch_reports_that_the_server_is_gone_before_the_end(tmp_path: Path) -> None:
    with live(tmp_path, "--players", "2", "--rulebook", "classic", *PATIENT) as server:
        slow = [Slow(server.port, name) for name in ("ann", "bob")]
        assert waits(server.site)
        with watch(server.site) as watching:
            assert watching.stdout is not None
            assert watching.stdout.readline()
            server.process.terminate()
            _, complaint = watching.communicate(timeout=30)
        for each in slow:
            each.close()
    assert watching.returncode == 1
    assert "The game did not finish: The game was interrupted before its end." in complaint


@contextmanager
def streams(
    messages: dict[str, list[Any]], status: int = 200, reason: str = "", **fields: str
) -> Iterator[str]:
    """Serve messages as the event streams at some paths; yield the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # as the server calls it
            self.send_response(status, reason)
            for field in ({"Content-Type": "text/event-stream"} | fields).items():
                self.send_header(*field)
            self.end_headers()
            for message in messages.get(self.path, ()):
                self.wfile.write(b"data: " + json.dumps(message).encode() + b"\n\n")

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        serving = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        serving.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            serving.join()


LOBBY = {"whole": True, "matches": [{"id": "7", "ending": ""}], "seats": 2, "waiting": []}
LOBBY |= {"closed": False}
OF_MATCH = {"rulebook": to_json(CLASSIC), "names": ["ann", "bob"]}
STEP = {"turn": 1, "kind": "note", "text": "ann draws."}


def test_watch_shows_nothing_of_a_server_that_could_steer_the_terminal() -> None:
    hostile = "\x1b]0;x\x07\x1b[2J"
    ranked = {"kind": "ranked", "player": 0, "rank": 1, "score": 9, "finished": True}
    steps = [STEP | {"text": f"ann draws {hostile}."}, STEP | ranked | {"text": hostile}]
    lobby = [LOBBY | {"matches": [], "waiting": [hostile]}, {"matches": LOBBY["matches"]}]
    game: list[Any] = [{"match": OF_MATCH | {"names": [hostile, "bob"]}}, {"steps": steps}]
    game.append({"over": True, "cut": hostile})
    with streams({"/events": lobby, "/match/7/events": game}) as site:
        done = succeed("watch", site, code=1)
    assert "The game did not finish" in done.stderr, done.stderr
    assert "ann draws \N{REPLACEMENT CHARACTER}]0;x" in done.stdout and "signed up" in done.stderr
    assert not {"\x1b", "\x07"} & {*done.stdout, *done.stderr}


@for_each(
    "lobby,game",
    [
        ([], {}),
        (3, {}),
        ({}, {}),
        (LOBBY | {"matches": 3}, {}),
        (LOBBY | {"matches": [{"id": [7]}]}, {}),
        (LOBBY | {"matches": [], "waiting": [5]}, {}),
        (LOBBY | {"rest": "x" * 2**24}, {}),
        (LOBBY, []),
        (LOBBY, {"steps": []}),
        (LOBBY, {"match": {"rulebook": {}, "names": ["ann"]}}),
        (LOBBY, {"match": OF_MATCH | {"names": 5}}),
        (LOBBY, {"match": OF_MATCH, "steps": [{}]}),
        (LOBBY, {"match": OF_MATCH, "steps": [STEP | {"text": 5}]}),
        (LOBBY, {"match": OF_MATCH, "steps": [STEP | {"board": [[999, 1]]}]}),
        (LOBBY, {"match": OF_MATCH, "steps": [STEP | {"players": {"0": {"hand": [999]}}}]}),
        (LOBBY, {"match": OF_MATCH, "steps": [STEP | {"players": {"0": {"shares": "x"}}}]}),
    ],
)
def test_server_that_sends_something_else_is_refused_in_a_sentence(lobby: Any, game: Any) -> None:
    with streams({"/events": [lobby], "/match/7/events": [game]}) as site:
        done = invoke("watch", site)
    assert done.exit_code in (1, 2)
    assert "Error: " in done.stderr and len(done.stderr) < 400


@for_each(
    "status,place",
    [
        (301, "http://127.0.0.1:{port}/events"),
        (302, "ftp://127.0.0.1:{port}/secret"),
        (303, "//127.0.0.1:{port}/"),
        (307, "file:///etc/passwd#{port}"),
        (308, "https://127.0.0.1:{port}/\x1b[2J"),
    ],
)
def test_watch_connects_nowhere_else_when_a_server_redirects_it(status: int, place: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as elsewhere:
        elsewhere.setblocking(False)
        place = place.format(port=elsewhere.getsockname()[1])
        with streams({}, status, Location=place) as site:
            words = refused("watch", site)
        assert f"it redirects to {place[:20]}" in words and "not followed" in words
        assert "\x1b" not in words
        with pytest.raises(BlockingIOError):
            elsewhere.accept()


@for_each(
    "status,reason,told",
    [
        (421, "", "the status 421."),
        (500, "", "the status 500."),
        (302, "", "the status 302."),
        (404, "Not here.", "Not here."),
    ],
)
def test_refusal_by_a_server_has_a_reason(status: int, reason: str, told: str) -> None:
    with streams({}, status, reason) as site:
        words = refused("watch", site)
    assert words.rstrip().endswith(told) and ".." not in words


def test_answer_of_a_server_is_told_on_one_line() -> None:
    """Other lines would look like ours."""
    with streams({"/events": ["This is another server.", "Error: give the key."]}, 421) as site:
        done = invoke("watch", site)
    assert done.exit_code != 0 and done.stderr.count("\n") == 1
    assert 'This is another server." data: "Error: give the key' in done.stderr


def test_watch_shortens_what_is_too_long_to_be_read() -> None:
    steps = [STEP | {"text": "x" * 10**6}]
    game = [{"match": OF_MATCH}, {"steps": steps}, {"over": True, "cut": "gone"}]
    with streams({"/events": [LOBBY], "/match/7/events": game}) as site:
        shown = succeed("watch", site, code=1).stdout
    assert shown.count("x") == 1000 and "x ..." in " ".join(shown.split())


def test_modules_in_the_current_folder_are_not_imported(tmp_path: Path) -> None:
    for name in ("game", "admin", "trio", "random"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('a module of the user')")
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


@for_each(
    ("url", "error"),
    [
        ("http://127.0.0.1:9/", "cannot be read"),
        (" http://127.0.0.1:9/", "cannot be read"),
        ("127.0.0.1:8080", "127.0.0.1:8080: an address begins with http://"),
        ("http://[::1", "cannot be read"),
        ("http://localhost:abc/", "cannot be read"),
        ("http://a b/\x1b[31m", "cannot be read"),
    ],
)
def test_address_that_cannot_be_watched_is_refused(url: str, error: str) -> None:
    words = refused("watch", url)
    assert error in words and "defect" not in words and "\x1b" not in words
