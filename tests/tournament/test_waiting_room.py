"""Players who come by themselves: who gets a place, who is told why not, and whole games by TLS."""

from __future__ import annotations

import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
import trio
import trio.testing
from loopback import Peer, closing_peers

from admin.table.listeners import CannotListen, tls_context
from admin.tournament.playing.waiting_room import MAX_PENDING_SIGNUPS, WaitingRoom
from admin.tournament.results.verdict import PlayerVerdict
from game.rulebooks import REVISED
from player.program.client import start_tls
from protocol import messages
from protocol.dialect import Dialect
from protocol.inbox import DocumentCache
from protocol.reading import player_reader
from protocol.writing import Writer

if TYPE_CHECKING:
    import rogue_programs as disk
else:  # the folder is no package, and only its parent is on the path
    from tournament import rogue_programs as disk

SECRET = "a-secret-of-the-guest"
GUEST = f"guest:{SECRET}"
HOUSE = [disk.Entry(name, {"strategy": name}) for name in ("ordered", "random", "largest-alpha")]
LONG = 30.0


class Turned(NamedTuple):
    """A connection that got no seat."""

    name: str
    why: str


class Door:
    """A lobby that is open, and who was turned away there."""

    def __init__(self, patience: float) -> None:
        self.turned: list[Turned] = []
        self.lobby = WaitingRoom(
            Writer(REVISED),
            DocumentCache(player_reader(REVISED)),
            Dialect.COURSE,
            None,
            patience,
            lambda _address, name, why: self.turned.append(Turned(name, why)),
        )
        self.lobby.listen("127.0.0.1", 0)
        self.guest = self.lobby.keep("guest", SECRET, lasting=True)
        self.background = trio.CancelScope()

    async def run(self, farewells: trio.Nursery, tls: ssl.SSLContext | None) -> None:
        """Be open until the end."""
        self._farewells = farewells
        with self.background:
            await self.lobby.run(farewells, tls)

    def end(self) -> None:
        """Close as at the end of a tournament; what is said last goes on."""
        self.lobby.dismiss_all(self._farewells)
        self.background.cancel()

    async def come(self, name: str = GUEST) -> Peer:
        """Connect and sign up."""
        return await Peer.signed_up(self.lobby.port, name)

    async def refused(self, name: str, reason: str = "no-seat") -> str:
        """Connect, sign up, and be told that there is no seat, and why."""
        peer = await Peer.connect(self.lobby.port)
        await peer.say(messages.SignUp(name))
        return await peer.is_told(reason)


@asynccontextmanager
async def opened(patience: float = LONG, tls: ssl.SSLContext | None = None) -> AsyncIterator[Door]:
    """Open a lobby for the block; it is closed at the end as at the end of a tournament."""
    door = Door(patience)
    with trio.fail_after(disk.PATIENCE):
        async with trio.open_nursery() as farewells, closing_peers():
            farewells.start_soon(door.run, farewells, tls)
            yield door
            door.end()


async def until(look: Callable[[], object]) -> None:
    """Look again and again until something is true; the lobby's own limit ends it otherwise."""
    while not look():
        await trio.sleep(0.005)


# -- who gets a place ---------------------------------------------------------------------------


async def test_a_player_with_his_secret_gets_a_place_under_his_plain_name() -> None:
    async with opened() as door:
        peer = await door.come()
        assert peer.name == "guest"
        assert door.guest.present


WRONG = {
    "a wrong secret": "guest:a-secret-of-the-guesT",
    "half the secret": "guest:a-secret",
    "no secret": "guest",
    "an empty secret": "guest:",
    "an empty name": f":{SECRET}",
    "the secret alone": SECRET,
    "the secret and more": f"{GUEST}x",
    "a second secret": f"{GUEST}:{SECRET}",
    "another's name": f"host:{SECRET}",
    "another case": f"Guest:{SECRET}",
    "letters that are not ASCII": "guest:ä-secret-öf-the-guest",
}


@pytest.mark.parametrize("what", WRONG)
async def test_nobody_else_gets_the_place(what: str) -> None:
    async with opened() as door:
        sentence = await door.refused(WRONG[what])
        assert "NAME:PROOF" in sentence or "Nobody is expected" in sentence
        assert not door.guest.present
        assert len(door.turned) == 1
        assert (await door.come()).name == "guest"


async def test_a_proof_is_never_told_to_those_who_watch() -> None:
    async with opened() as door:
        for name in (GUEST[:-1], f"other:{SECRET}", f"{GUEST}:{SECRET}"):
            await door.refused(name)
        await door.come()
        await door.refused(GUEST)
        assert len(door.turned) == 4
        assert not [told for told in door.turned if SECRET in told.why]
        assert [told.name for told in door.turned[:2]] == ["guest", "other"]


async def test_a_player_who_is_there_cannot_come_a_second_time() -> None:
    async with opened() as door:
        first = await door.come()
        assert "signed up already" in await door.refused(GUEST)
        seat = door.guest.take()
        assert seat is not None
        seat.send("state", b"<ejected reason='interrupted'>the first</ejected>")
        assert (await first.hear(messages.Ejected)).sentence == "the first"
        seat.close()


async def test_a_player_who_leaves_the_lobby_can_come_back() -> None:
    async with opened() as door:
        for _ in range(3):
            peer = await door.come()
            await peer.stream.aclose()
            await until(lambda: not door.guest.present)
        await door.come()
        assert [told.name for told in door.turned] == ["guest"] * 3


async def test_a_player_who_breaks_the_connection_can_come_back() -> None:
    async with opened() as door:
        peer = await door.come()
        peer.stream.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        await peer.stream.aclose()
        await until(lambda: not door.guest.present)
        await door.come()


async def test_a_player_who_speaks_early_is_told_so_and_can_come_back() -> None:
    async with opened() as door:
        peer = await door.come()
        await peer.say(messages.Void())
        assert "<void/>" in await peer.is_told("out-of-turn")
        await until(lambda: not door.guest.present)
        await door.come()


async def test_white_space_while_waiting_is_nothing() -> None:
    async with opened() as door:
        peer = await door.come()
        await peer.send(b" \r\n\t")
        await door.refused(GUEST)  # by now it has been read
        assert door.guest.present


async def test_a_player_at_a_table_can_sign_up_for_the_next_match_once() -> None:
    async with opened() as door:
        await door.come()
        seat = door.guest.take()
        assert seat is not None and not door.guest.present
        await door.come()
        assert "signed up already" in await door.refused(GUEST)
        seat.close()
        await trio.testing.wait_all_tasks_blocked()
        assert door.guest.present


async def test_a_token_is_good_for_one_sign_up() -> None:
    async with opened() as door:
        place = door.lobby.keep("ada", "token")
        peer = await door.come("ada:token")
        assert "signed up already" in await door.refused("ada:token")
        await peer.stream.aclose()
        await until(lambda: place.present)
        assert "signed up already" in await door.refused("ada:token")


async def test_one_name_has_a_place_in_each_of_its_games() -> None:
    async with opened() as door:
        places = {token: door.lobby.keep("ada", token) for token in ("one", "two")}
        await door.come("ada:two")
        assert [place.present for place in places.values()] == [False, True]
        await door.come("ada:one")
        assert all(place.present for place in places.values())


async def test_a_place_that_is_given_up_is_nobodys_any_more() -> None:
    async with opened() as door:
        place = door.lobby.keep("ada", "token")
        peer = await door.come("ada:token")
        door.lobby.give_up(place)
        assert await peer.next() is None
        assert "Nobody is expected" in await door.refused("ada:token")


async def test_those_who_wait_are_told_when_the_tournament_is_over() -> None:
    async with opened() as door:
        peer = await door.come()
        await until(lambda: door.guest.present)
        door.end()
        assert "The tournament is over." in await peer.is_told("no-seat")


# -- who says nothing, or nonsense --------------------------------------------------------------


async def test_a_connection_that_does_not_sign_up_is_told_so_and_closed() -> None:
    async with opened(0.2) as door:
        peer = await Peer.connect(door.lobby.port)
        await peer.send(b"<signup name=")
        assert "The limit for <signup> was 0.2 s." in await peer.is_told("timed-out")


NONSENSE = {
    "noise": (b"\x16\x03\x01\x02\x00", "malformed"),
    "another message": (b"<void/>", "out-of-turn"),
    "no name": (b"<signup/>", "invalid"),
    "an empty name": (b'<signup name=""/>', "invalid"),
    "too long a name": (b'<signup name="' + b"x" * 65 + b'"/>', "invalid"),
    "two": (f'<signup name="{GUEST}"/>'.encode() * 2, "out-of-turn"),
    "without an end": (b"<signup name='" + b"x" * 5000, "malformed"),
}


@pytest.mark.parametrize("what", NONSENSE)
async def test_nonsense_at_the_door_is_told_by_its_name(what: str) -> None:
    data, reason = NONSENSE[what]
    async with opened() as door:
        peer = await Peer.connect(door.lobby.port)
        await peer.send(data)
        await peer.is_told(reason)
        assert not door.guest.present
        await door.come()


CROWD = MAX_PENDING_SIGNUPS + 150


async def test_a_crowd_at_the_door_keeps_nobody_out_who_signs_up_at_once() -> None:
    """The clock is long: nobody waits for it."""
    async with opened() as door:
        crowd = [await trio.open_tcp_stream("127.0.0.1", door.lobby.port) for _ in range(CROWD)]
        await until(lambda: len(door.turned) == CROWD - MAX_PENDING_SIGNUPS)
        assert (await door.come()).name == "guest"
        assert door.guest.present
        assert len(door.turned) == CROWD - MAX_PENDING_SIGNUPS + 1
        for stream in crowd[: len(door.turned)]:  # those who came first have made room
            assert await stream.receive_some() == b""
        for stream in crowd:
            await trio.aclose_forcefully(stream)


async def test_a_crowd_does_not_drive_out_those_who_have_signed_up() -> None:
    async with opened() as door:
        peer = await door.come()
        crowd = [await trio.open_tcp_stream("127.0.0.1", door.lobby.port) for _ in range(CROWD)]
        await until(lambda: len(door.turned) == CROWD - MAX_PENDING_SIGNUPS)
        assert door.guest.present
        for stream in crowd:
            await trio.aclose_forcefully(stream)
        door.end()
        await peer.is_told("no-seat")


async def test_a_crowd_that_has_left_is_in_nobodys_way() -> None:
    async with opened() as door:
        for _ in range(MAX_PENDING_SIGNUPS + 10):
            stream = await trio.open_tcp_stream("127.0.0.1", door.lobby.port)
            await stream.aclose()
        await until(lambda: len(door.turned) == MAX_PENDING_SIGNUPS + 10)
        await door.come()


# -- TLS ----------------------------------------------------------------------------------------


class Papers(NamedTuple):
    """A certificate that signs itself, and its key."""

    certificate: Path
    key: Path


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Papers:
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl that could make a certificate")
    folder = tmp_path_factory.mktemp("papers")
    made = Papers(folder / "certificate.pem", folder / "key.pem")
    request = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    files = ["-out", str(made.certificate), "-keyout", str(made.key)]
    command = ["openssl", *request.split(), *files]
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"]
    subprocess.run([*command, *names], check=True, capture_output=True)
    return made


class Line:
    """A player's end of a TLS connection, with blocking sockets as in any player's program."""

    def __init__(self, port: int, papers: Papers) -> None:
        plain = socket.create_connection(("127.0.0.1", port), timeout=disk.PATIENCE)
        self.socket = start_tls(plain, "127.0.0.1", papers.certificate)

    def sign_up(self, name: str = GUEST) -> bytes:
        """Sign up, and return the answer."""
        self.socket.sendall(f'<signup name="{name}"/>'.encode())
        return self.socket.recv(4096)

    def close(self) -> None:
        """Leave as most programs do: without a word of TLS."""
        self.socket.close()

    def leave(self) -> None:
        """Leave as TLS has it; what is still said to it is nothing it could understand."""
        with self.socket, suppress(ssl.SSLError):
            self.socket.unwrap().close()


@asynccontextmanager
async def secured_door(papers: Papers, patience: float = LONG) -> AsyncIterator[Door]:
    async with opened(patience, tls_context(*map(str, papers))) as door:
        yield door


async def call(door: Door, papers: Papers) -> Line:
    """Connect by TLS."""
    return await trio.to_thread.run_sync(Line, door.lobby.port, papers)


async def test_a_player_signs_up_by_tls(papers: Papers) -> None:
    async with secured_door(papers) as door:
        with closing(await call(door, papers)) as line:
            assert await trio.to_thread.run_sync(line.sign_up) == b'<signup name="guest"/>'
            assert door.guest.present


@pytest.mark.parametrize("how", ["leave", "close"])
async def test_a_player_who_leaves_the_lobby_by_tls_can_come_back(papers: Papers, how: str) -> None:
    """Whether it says the end of TLS or not: most programs just close the socket."""
    async with secured_door(papers) as door:
        line = await call(door, papers)
        await trio.to_thread.run_sync(line.sign_up)
        await trio.to_thread.run_sync(getattr(line, how))
        with trio.move_on_after(10):
            await until(lambda: not door.guest.present)
        with closing(await call(door, papers)) as again:
            assert await trio.to_thread.run_sync(again.sign_up) == b'<signup name="guest"/>'


async def test_a_plain_client_at_a_tls_port_is_turned_away(papers: Papers) -> None:
    async with secured_door(papers) as door:
        stream = await trio.open_tcp_stream("127.0.0.1", door.lobby.port)
        async with stream:
            await stream.send_all(f'<signup name="{GUEST}"/>'.encode())
            await until(lambda: door.turned)
        assert "The TLS handshake failed" in door.turned[0].why
        assert not door.guest.present
        with closing(await call(door, papers)) as line:
            await trio.to_thread.run_sync(line.sign_up)


async def test_a_client_that_leaves_in_the_handshake_is_turned_away(papers: Papers) -> None:
    async with secured_door(papers) as door:
        for data in (b"", b"\x16\x03\x01\x02\x00\x01\x00"):
            async with await trio.open_tcp_stream("127.0.0.1", door.lobby.port) as stream:
                await stream.send_all(data)
        await until(lambda: len(door.turned) == 2)
        assert ["The TLS handshake failed" in told.why for told in door.turned] == [True, True]


async def test_a_handshake_that_does_not_come_ends_by_the_sign_up_clock(papers: Papers) -> None:
    async with secured_door(papers, 0.2) as door:
        async with await trio.open_tcp_stream("127.0.0.1", door.lobby.port) as stream:
            assert await stream.receive_some() == b""
        await until(lambda: door.turned)
        assert door.turned == [("", "No TLS handshake came in time.")]


async def test_a_crowd_without_handshakes_keeps_nobody_out(papers: Papers) -> None:
    async with secured_door(papers) as door:
        crowd = [await trio.open_tcp_stream("127.0.0.1", door.lobby.port) for _ in range(CROWD)]
        await until(lambda: len(door.turned) == CROWD - MAX_PENDING_SIGNUPS)
        with closing(await call(door, papers)) as line:
            await trio.to_thread.run_sync(line.sign_up)
            assert door.guest.present
        for stream in crowd:
            await trio.aclose_forcefully(stream)


async def test_a_handshake_after_the_end_of_the_tournament_breaks_nothing(papers: Papers) -> None:
    """The last connections are still seen off when somebody gets around to his handshake."""
    async with secured_door(papers, 5.0) as door:
        plain = await trio.to_thread.run_sync(
            partial(socket.create_connection, ("127.0.0.1", door.lobby.port), timeout=10)
        )
        await trio.testing.wait_all_tasks_blocked(0.05)  # it has been accepted
        door.end()
        await trio.testing.wait_all_tasks_blocked(0.05)
        with plain, suppress(OSError):  # it may be closed already, or heard out
            line = await trio.to_thread.run_sync(start_tls, plain, "127.0.0.1", papers.certificate)
            with closing(line):
                assert await trio.to_thread.run_sync(line.recv, 1) == b""


# -- whole games --------------------------------------------------------------------------------


@contextmanager
def playing(port: int, name: str, *options: str | Path) -> Iterator[subprocess.Popen[str]]:
    """Have the package's own client come back for every match, as long as the block at most."""
    command = [disk.ACQUIRE, "play", "127.0.0.1", str(port), "--name", name, "--again"]
    with subprocess.Popen(
        [*command, "--secret", SECRET, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as player:
        try:
            yield player
        finally:
            player.kill()


def cup(stage: disk.Stage, players: Sequence[disk.Entry], **lobby: object) -> int:
    """Write the file of a tournament with remote players, and return its port."""
    port = disk.free_port()
    stage.write(
        players,
        tournament={"seats": 3, "seatings": "rotations", "deals": 1},
        clocks={"signup": 20.0, "reply": 5.0, "turn": 30.0},
        lobby={"port": port, "wait": 30.0, **lobby},
    )
    return port


def remote(name: str) -> disk.Entry:
    return disk.Entry(name, {"remote": {"secret": SECRET}})


def test_remote_players_come_back_for_every_match_and_sit_at_one_table_at_a_time(
    tmp_path: Path,
) -> None:
    stage = disk.Stage(tmp_path)
    port = cup(stage, [remote("guest"), remote("friend"), *HOUSE])
    with stage.run("--workers", "4") as run:
        run.until("listening")
        with playing(port, "guest") as guest, playing(port, "friend") as friend:
            assert run.end() == 0, run.errors
            scores = [player.communicate(timeout=disk.PATIENCE)[0] for player in (guest, friend)]
            codes = [player.returncode for player in (guest, friend)]
    results = stage.results()
    assert len(results) == 30
    assert {seat.verdict for result in results.values() for seat in result.seats} == {
        PlayerVerdict.FINISHED
    }
    assert [len(re.findall(r": \d+\n", score)) for score in scores] == [18, 18]
    assert not overlapping(run, {"guest", "friend"})
    assert codes == [0, 0], scores


def overlapping(run: disk.Running, watched: set[str]) -> list[str]:
    """Return the games that began while a player of theirs was at another table."""
    at_table: dict[str, set[str]] = {}
    found = []
    for told in run.events:
        if told["event"] == "game-began":
            players = watched & set(told["players"])
            if any(players & others for others in at_table.values()):
                found.append(told["game"])
            at_table[told["game"]] = players
        elif told["event"] in ("game", "void"):
            del at_table[told["game"]]
    return found


def test_a_remote_player_who_never_comes_is_waited_for_three_times(tmp_path: Path) -> None:
    stage = disk.Stage(tmp_path)
    cup(stage, [remote("guest"), *HOUSE[:2]], wait=0.3)
    with stage.run() as run:
        assert run.end() == 0, run.errors
    verdicts = [disk.seat(result, "guest").verdict for result in stage.results().values()]
    assert verdicts == [PlayerVerdict.NEVER_STARTED] * 3


def test_whole_games_are_played_by_tls(tmp_path: Path, papers: Papers) -> None:
    stage = disk.Stage(tmp_path)
    certificate, key = map(str, papers)
    port = cup(stage, [remote("guest"), *HOUSE[:2]], certificate=certificate, key=key)
    with stage.run() as run:
        run.until("listening")
        with playing(port, "guest", "--ca", papers.certificate) as guest:
            assert run.end() == 0, run.errors
            scores, _ = guest.communicate(timeout=disk.PATIENCE)
            assert guest.returncode == 0, scores
    results = stage.results().values()
    assert [disk.seat(result, "guest").verdict for result in results] == [
        PlayerVerdict.FINISHED
    ] * 3
    assert not stage.voids()


def test_a_player_by_tls_who_hangs_up_at_the_table_is_disconnected(
    tmp_path: Path, papers: Papers
) -> None:
    stage = disk.Stage(tmp_path)
    certificate, key = map(str, papers)
    port = cup(stage, [remote("guest"), *HOUSE[:2]], certificate=certificate, key=key, wait=5.0)
    with stage.run() as run:
        run.until("listening")
        for _ in range(3):
            line = Line(port, papers)
            line.sign_up()
            line.close()
            run.until("game")
        assert run.end() == 0, run.errors
    results = stage.results().values()
    verdicts = [disk.seat(result, "guest").verdict for result in results]
    assert verdicts == [PlayerVerdict.DISCONNECTED] * 3


def test_certificates_of_no_use_are_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "junk.pem").write_text("junk")
    with pytest.raises(CannotListen, match=r"TLS cannot use .*junk\.pem"):
        tls_context(str(tmp_path / "junk.pem"), str(tmp_path / "junk.pem"))
