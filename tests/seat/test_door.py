"""People who take a seat in the lobby: who can, what they are sent, and what if they leave."""

import json
import re
import socket
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest
import trio
from axe_playwright_python.sync_playwright import Axe
from command_line import succeed
from lobby_updates import lobbies
from playwright.sync_api import Browser, expect
from trio.testing import MockClock

from acquire.admin.pages.seat import seat_door as door_module
from acquire.admin.pages.seat.browser import sentence_of
from acquire.admin.pages.seat.person import Person
from acquire.admin.pages.seat.seat_door import SeatDoor
from acquire.admin.pages.seat.seat_site import SeatSite
from acquire.admin.refereeing.log.reader import read
from acquire.protocol import messages
from acquire.protocol.faults import Fault, Reason
from seat.playing import play_by_clicks, wait_for_move
from view.browser import Watched
from web.test_site import Live, live, lobbies_of, stream
from web.visitor import visit

PATIENT = ("--turn-timeout", "600", "--reply-timeout", "600")
OPEN = ("--join", "0", "--join-clock", "90", *PATIENT)


def door_of(server: Live) -> str:
    """The address of the page on which people join, as the lobby has it."""
    port = next(lobby["join"] for lobby in lobbies_of(server.site) if lobby["join"])
    return f"http://127.0.0.1:{port}/"


def status(url: str, data: bytes | None = None, **headers: str) -> int:
    """The status of an answer."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        with urlopen(Request(url, data, sent), timeout=20) as answer:
            return int(answer.status)
    except HTTPError as error:
        return error.code


def join(address: str, **fields: Any) -> str:
    """Take a seat; return the address of its page."""
    body = json.dumps(fields).encode()
    request = Request(f"{address}join", body, {"Content-Type": "application/json"})
    with urlopen(request, timeout=20) as answer:
        path: str = json.load(answer)["path"]
    return address + path[1:]


def test_two_people_join_and_each_sees_its_own_hand_alone(tmp_path: Path) -> None:
    options = ("--players", "2", "--rulebook", "classic", "--secret", "open sesame")
    with live(tmp_path, *options, *OPEN) as server:
        address = door_of(server)
        refused(address)
        messages = stream(f"{join(address, name='eve', secret='no')}events")
        over = next(message["over"] for message in messages if message["over"])
        assert "with the secret of this server" in over["text"]
        names = ("ann", "<b>bob")
        seats = [join(address, name=name, secret="open sesame") for name in names]
        for name, seat in zip(names, seats, strict=True):
            frames: list[Any] = []
            for message in stream(f"{seat}events"):
                frames += message["frames"]
                if frames:
                    break
            with urlopen(seat, timeout=20) as page:
                data = re.findall(r'id="data">(.*?)</script>', page.read().decode())[0]
            (place,) = [
                place
                for place, other in enumerate(json.loads(data)["match"]["seats"])
                if other["name"] == name
            ]
            hands = [players for frame in frames for players in frame.get("players", {}).items()]
            assert {int(other) for other, has in hands if has.get("hand")} == {place}
        (game,) = next(lobby["matches"] for lobby in lobbies_of(server.site) if lobby["matches"])
        assert sorted(game["players"]) == sorted(names)
    (log,) = tmp_path.glob("*.xml")
    assert [seat.clock for seat in read(log).header.seats] == ["90", "90"]


def refused(address: str) -> None:
    """Check which requests take nobody to a seat."""
    body, kind = json.dumps({"name": "eve"}).encode(), {"Content_Type": "application/json"}
    host = urlsplit(address).netloc
    assert status(f"{address}join", body, Content_Type="text/plain") == 415
    assert status(f"{address}join", body, Origin="http://evil.example", **kind) == 403
    assert status(f"{address}join", body, Host="evil.example", **kind) == 421
    assert status(f"{address}join", b"x" * 2000, **kind) == 413
    assert status(f"{address}join") == 405
    assert status(f"{address}{'x' * 32}/events") == 404
    for wrong in (b"", b"[]", b'"eve"', b'{"name": 1}', b'{"name": " "}', b"[" * 900):
        assert status(f"{address}join", wrong, **kind) == 400
    for name in ("x" * 60, "a\u202eb", "a\nb"):
        assert status(f"{address}join", json.dumps({"name": name}).encode(), **kind) == 400
    assert status(address, Host=host) == 200


def test_join_without_a_lobby_is_refused() -> None:
    done = succeed("serve", "--join", "0", code=2)
    assert "--join needs the lobby of --web." in done.stderr


def test_end_without_a_score_is_explained() -> None:
    late = sentence_of(messages.Ejected(Reason.TIMED_OUT.value, "Too late."))
    assert late.startswith("Your time ran out") and "the game goes on without you" in late
    illegal = sentence_of(messages.Ejected("illegal", "The tile is not in hand."))
    assert illegal.endswith("the game goes on without you. The tile is not in hand.")
    assert sentence_of(messages.Ejected(Reason.INTERRUPTED.value, "Stopped.")) == "Stopped."
    assert "without a result" in sentence_of(Fault(Reason.DISCONNECTED, "It has ended."))
    assert sentence_of(messages.VOID) == ""


# -- who leaves ------------------------------------------------------------------------------------


class End(NamedTuple):
    """How a game ended."""

    last: Fault


ANN = b'{"name": "ann"}'


class Table:
    """A server's end of connections; a game lasts until its connection ends."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.others: list[socket.socket] = []

    def connect(self) -> socket.socket:
        ours, other = socket.socketpair()
        self.others.append(other)
        return ours

    def play(self, connection: socket.socket, name: str, make: Any) -> End:
        self.names.append(name)
        assert connection.recv(1) == b""
        connection.close()
        return End(Fault(Reason.DISCONNECTED, "It has ended."))


async def test_closed_page_gives_its_seat_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door_module, "AWAY", 0.0)
    table = Table()
    async with trio.open_nursery() as nursery:
        door = SeatDoor(nursery, table.connect, table.play, "word", "90")
        code, _, text = await visit(door, "/join", ANN)
        assert code == 200
        other = trio.socket.from_stdlib_socket(table.others[0])
        assert await other.recv(1) == b"", "nobody has opened the page"
        code = 200
        while code != 404:
            await trio.lowlevel.checkpoint()
            code, _, page = await visit(door, json.loads(text)["path"])
        assert b"no seat at this address any more" in page and b">Take a seat</a>" in page
        nursery.cancel_scope.cancel()
    other.close()
    assert table.names == ["ann:word"]


async def test_page_counts_as_closed_after_a_minute_without_it(autojump_clock: MockClock) -> None:
    ours, other = socket.socketpair()
    site, left = SeatSite("token"), []
    site.seat(Person(ours))

    async def wait() -> None:
        await site.wait_until_left(60.0)
        left.append(trio.current_time() - began)

    began = trio.current_time()
    with ours, other:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(wait)
            await trio.sleep(40.0)
            with trio.move_on_after(10.0):
                await visit(site.app, "/token/events", stays=True)
    assert left == [pytest.approx(110.0)]


async def test_people_are_limited_in_number() -> None:
    table = Table()
    async with trio.open_nursery() as nursery:
        door = SeatDoor(nursery, table.connect, table.play, "", "90")
        for _ in range(door_module.MAX_PEOPLE):
            assert (await visit(door, "/join", ANN)).status == 200
        code, _, text = await visit(door, "/join", ANN)
        assert code == 503 and b"Try again later" in text
        for other in table.others:
            other.close()
        while (await visit(door, "/join", ANN)).status != 200:
            await trio.lowlevel.checkpoint()
        table.others[-1].close()
        nursery.cancel_scope.cancel()


async def test_open_pages_of_ended_games_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door_module, "MAX_PAGES", 3)
    table, paths = Table(), []
    async with trio.open_nursery() as nursery:
        door = SeatDoor(nursery, table.connect, table.play, "", "90")
        for _ in range(6):
            code, _, text = await visit(door, "/join", ANN)
            assert code == 200
            paths.append(json.loads(text)["path"])
            nursery.start_soon(partial(visit, door, f"{paths[-1]}events", stays=True))
            table.others[-1].close()
            while b'"over":null' in (await visit(door, f"{paths[-1]}events")).body:
                await trio.lowlevel.checkpoint()
        codes = [(await visit(door, path)).status for path in paths]
        assert codes == [404, 404, 404, 200, 200, 200]
        nursery.cancel_scope.cancel()


async def test_person_whom_the_server_refuses_takes_no_place() -> None:
    table, tries = Table(), iter(range(door_module.MAX_PEOPLE))

    def connect() -> socket.socket:
        if next(tries, None) is not None:
            raise ConnectionRefusedError
        return table.connect()

    async with trio.open_nursery() as nursery:
        door = SeatDoor(nursery, connect, table.play, "", "90")
        for _ in range(door_module.MAX_PEOPLE):
            code, _, text = await visit(door, "/join", ANN)
            assert (code, text) == (503, b"The referee takes no more players.")
        assert (await visit(door, "/join", ANN)).status == 200
        table.others[0].close()
        nursery.cancel_scope.cancel()


# -- in a browser ----------------------------------------------------------------------------------


@pytest.mark.soak
def test_person_joins_in_the_lobby_and_plays_to_the_end(browser: Browser, tmp_path: Path) -> None:
    options = ("--players", "3", "--opponent", "ordered", "--opponent", "ordered")
    with live(tmp_path, *options, *OPEN) as server:
        tab = browser.new_page(reduced_motion="reduce")
        watched = Watched(tab)
        tab.goto(server.site)
        tab.locator("#join a").click()
        for scheme in ("light", "dark"):
            tab.emulate_media(color_scheme=scheme)
            assert Axe().run(tab).response["violations"] == []
        tab.fill("#name", "x" * 40 + ":")
        tab.fill("#name", "</script><b>ann")
        tab.keyboard.press("Enter")
        expect(tab.locator("#players")).to_contain_text("</script><b>ann", timeout=20_000)
        assert wait_for_move(tab)
        play_by_clicks(tab)
        cut = "net::ERR_INCOMPLETE_CHUNKED_ENCODING"  # the server has ended after its only game
        assert not [each for each in watched.complaints if cut not in each]
        tab.close()
        *_, last = lobbies(stream(f"{server.site}events"))
    assert last["matches"][0]["state"] == "finished"
