"""Where players connect: who gets a place, who is refused and why, TLS, and remote players."""

import re
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
import trio
import trio.testing
from child_processes import ending
from command_line import ACQUIRE
from loopback import Peer, closing_peers
from tournament_process import (
    TIMEOUT,
    PlayerEntry,
    RecordingObserver,
    TournamentFolder,
    TournamentProcess,
    built_in,
    free_port,
    play_here,
    remote,
    seat_of,
)

from acquire.admin.launching.launch import Launcher
from acquire.admin.launching.limits import Limits
from acquire.admin.launching.processes import PR_SET_CHILD_SUBREAPER, ask_kernel
from acquire.admin.launching.program import Program
from acquire.admin.refereeing.table.listeners import CannotListen, tls_context
from acquire.admin.refereeing.table.reception import CROWDED_OUT, MAX_SILENT, Reception
from acquire.admin.refereeing.table.seat import RemoteSeat
from acquire.admin.refereeing.table.signup import FIRST_PAUSE, LONGEST_PAUSE, PENDING_OF_ADDRESS
from acquire.admin.tournament.arena.waiting_room import (
    DEAD_AFTER,
    MAX_ARRIVALS,
    REPLACED_PAUSE,
    PlayerDoor,
    WaitingRoom,
)
from acquire.admin.tournament.games.result import PlayerVerdict
from acquire.admin.tournament.run.run_events import LobbyChanged, Notice, RunEvent, event_fields
from acquire.game.rulebooks import REVISED
from acquire.player.program.client import start_tls
from acquire.protocol import messages

SECRET = "a-secret-of-the-guest"
GUEST = f"guest:{SECRET}"
PUPIL = "pupil:the-word-of-the-pupil"


class TurnedAway(NamedTuple):
    """A connection that got no place."""

    name: str
    why: str


class OpenRoom:
    """A waiting room that is open, and the connections that were turned away."""

    def __init__(self, timeout: float) -> None:
        self.notices: list[Notice] = []
        self.lobby: list[list[str]] = []
        """Who waited, whenever that changed."""
        reception = Reception(REVISED, timeout)
        secrets = dict(each.split(":") for each in (GUEST, PUPIL))
        self.room = WaitingRoom(reception, secrets, 0.0, self._observe)
        (address,) = self.room.listen("127.0.0.1", 0)
        self.port = int(address.rpartition(":")[2])
        self.guest = self.room.places["guest"]
        self._background = trio.CancelScope()

    def _observe(self, event: RunEvent) -> None:
        if isinstance(event, Notice):
            self.notices.append(event)
        elif isinstance(event, LobbyChanged):
            self.lobby.append([*event.names])

    @property
    def turned_away(self) -> list[TurnedAway]:
        """The connections that got no place so far."""
        told = [notice.fields or {} for notice in self.notices]
        return [TurnedAway(fields["name"] or "", fields["why"]) for fields in told]

    async def run(self, farewells: trio.Nursery, tls: ssl.SSLContext | None) -> None:
        """Be open until the end."""
        self._farewells = farewells
        with self._background:
            await self.room.run(farewells, tls)

    def end(self) -> None:
        """Close as at the end of a tournament; last messages are still sent."""
        self.room.dismiss_all(self._farewells)
        self._background.cancel()

    def taken(self) -> RemoteSeat:
        """Hand over the guest, as a game does that begins."""
        seat = self.guest.take()
        assert seat is not None
        return seat

    async def sign_up(self, name: str = GUEST) -> Peer:
        """Connect and sign up."""
        return await Peer.signed_up(self.port, name)

    async def refused(self, name: str, reason: str = "no-seat") -> str:
        """Connect, sign up, and be refused; return the sentence."""
        peer = await Peer.connect(self.port)
        await peer.say(messages.SignUp(name))
        return await peer.is_told(reason)


@asynccontextmanager
async def open_room(
    timeout: float = TIMEOUT, tls: ssl.SSLContext | None = None
) -> AsyncIterator[OpenRoom]:
    """Open a waiting room, and close it as at the end of a tournament."""
    opened = OpenRoom(timeout)
    with trio.fail_after(TIMEOUT):
        async with trio.open_nursery() as farewells, closing_peers():
            farewells.start_soon(opened.run, farewells, tls)
            yield opened
            opened.end()


async def until(look: Callable[[], object]) -> None:
    """Call a function until its result is true; the room's own time-out ends it otherwise."""
    while not look():
        await trio.sleep(0.005)


# -- places -------------------------------------------------------------------------------------


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


async def test_only_a_player_with_its_secret_gets_a_place_under_its_plain_name(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with open_room() as opened:
        for occupied in (False, True):
            for what, name in WRONG.items():
                sentence = await opened.refused(name)
                assert "NAME:SECRET" in sentence or "No player is expected" in sentence, what
                assert opened.guest.occupied == occupied, what
            assert len(opened.turned_away) == (1 + occupied) * len(WRONG)
            if not occupied:
                assert (await opened.sign_up()).name == "guest"


async def test_refusal_is_reported_without_any_part_of_a_secret(
    autojump_clock: trio.testing.MockClock,
) -> None:
    half = SECRET[:9]
    shown = {
        SECRET: "",
        half: "",
        f":{SECRET}": "",
        f"::{half}": "",
        f"{SECRET}:guest": "",
        f"{half}:guest": "",
        f"{half}:x:guest": "",
        f"{SECRET}:Guest": "",
        f"guest {SECRET}:": "",
        f"{SECRET}:": "",
        f"{GUEST}:": "guest",
        f"{GUEST}:{half}": "guest",
        f"Guest:{half}:{SECRET}": "Guest",
        f"other:{SECRET}": "other",
        GUEST[:-1]: "guest",
        "guest": "guest",
    }
    async with open_room() as opened:
        for wanted, name in shown.items():
            await opened.refused(wanted)
            notice, (found, why) = opened.notices[-1], opened.turned_away[-1]
            told = event_fields(notice) or {}
            assert found == name and half not in f"{notice.sentence} {told}", wanted
        fields = {"event": "turned-away", "address": told["address"], "name": "guest"}
        assert told == {**fields, "why": why}
        sentence = f"guest ({told['address']}). {why}"
        assert (notice.label, notice.sentence) == ("Turned away: ", sentence)
        assert {notice.crowd for notice in opened.notices} == {"wrong secret"}


async def test_secret_of_a_player_is_guessed_slowly_and_keeps_nobody_at_that_address_out(
    autojump_clock: trio.testing.MockClock,
) -> None:
    guessers = 2 * PENDING_OF_ADDRESS
    async with open_room() as opened, trio.open_nursery() as nursery:

        async def guess() -> None:
            for _ in range(8):
                await opened.refused("guest:a-guess")

        for _ in range(guessers):
            nursery.start_soon(guess)
        began = trio.current_time()
        await until(lambda: len(opened.turned_away) >= 5 * PENDING_OF_ADDRESS)
        now = trio.current_time()
        assert now - began > 4 * PENDING_OF_ADDRESS
        await opened.sign_up(PUPIL)
        assert trio.current_time() - now < FIRST_PAUSE
        await opened.sign_up()  # its secret is looked at in its turn
        assert trio.current_time() - now < guessers + LONGEST_PAUSE
        nursery.cancel_scope.cancel()


async def test_newer_connection_takes_the_place_of_one_that_waits() -> None:
    """The older one may be dead, which nobody can tell."""
    async with open_room() as opened:
        older = await opened.sign_up()
        occupied = opened.guest.wait()
        newer = await opened.sign_up()
        await occupied
        assert "newer connection" in await older.is_told("no-seat")
        assert opened.lobby == [["guest"]], "the place was never empty"
        seat = opened.taken()
        seat.send("state", b"<ejected reason='interrupted'>the newer</ejected>")
        assert (await newer.hear(messages.Ejected)).sentence == "the newer"
        seat.close()


async def test_connection_that_was_replaced_and_leaves_does_not_empty_the_place() -> None:
    async with open_room() as opened:
        older = await opened.sign_up()
        await opened.sign_up()
        await older.stream.aclose()
        await until(lambda: opened.turned_away)
        await trio.testing.wait_all_tasks_blocked(0.05)
        assert opened.guest.occupied and opened.lobby == [["guest"]]


async def test_programs_that_take_the_place_from_each_other_are_slow_and_cost_others_nothing(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with open_room() as opened:
        began = trio.current_time()

        async def come_back(times: int) -> None:
            for _ in range(times):
                await (await opened.sign_up()).is_told("no-seat")

        async with trio.open_nursery() as programs:
            programs.start_soon(come_back, 4)
            programs.start_soon(come_back, 4)
            await until(lambda: len(opened.turned_away) == 7)
            assert trio.current_time() - began >= 3 * REPLACED_PAUSE
            opened.end()
    assert opened.lobby == [["guest"], []]
    assert {notice.crowd for notice in opened.notices} == {"signed up"}, "summed up if many"


async def test_crowd_of_one_player_is_bounded_and_keeps_no_other_out(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with open_room() as opened:
        crowd = [await opened.sign_up() for _ in range(MAX_SILENT + 20)]
        assert len(opened.turned_away) >= MAX_SILENT
        await crowd[0].is_told("no-seat")
        stranger = await Peer.connect(opened.port)
        await stranger.say(messages.SignUp("other:secret"))
        await stranger.is_told("no-seat")
        assert opened.guest.occupied


async def test_dead_peers_are_noticed_by_the_system() -> None:
    async with open_room() as opened:
        await opened.sign_up()
        seat = opened.taken()
        assert seat.socket.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        for name in ("TCP_KEEPIDLE", "TCP_USER_TIMEOUT"):
            if (option := getattr(socket, name, None)) is not None:
                value = seat.socket.getsockopt(socket.IPPROTO_TCP, option)
                assert 0 < value <= DEAD_AFTER * 1000
        seat.close()


async def leave(peer: Peer) -> None:
    await peer.stream.aclose()


async def reset(peer: Peer) -> None:
    peer.stream.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    await peer.stream.aclose()


async def speak_early(peer: Peer) -> None:
    await peer.say(messages.Void())
    assert "<void/>" in await peer.is_told("out-of-turn")


@pytest.mark.parametrize("lose_it", [leave, reset, speak_early])
async def test_player_that_has_lost_its_place_can_come_back(
    lose_it: Callable[[Peer], Awaitable[None]],
) -> None:
    async with open_room() as opened:
        for _ in range(3):
            await lose_it(await opened.sign_up())
            await until(lambda: not opened.guest.occupied)
        await opened.sign_up()
        assert [refusal.name for refusal in opened.turned_away] == ["guest"] * 3


async def test_player_at_a_table_can_sign_up_for_the_next_game() -> None:
    """What has become of the connection at the table is for the clock to tell."""
    async with open_room() as opened:
        playing = await opened.sign_up()
        seat = opened.taken()
        assert not opened.guest.occupied
        older = await opened.sign_up()
        await opened.sign_up()
        await older.is_told("no-seat")
        seat.send("state", b"<ejected reason='interrupted'>still here</ejected>")
        assert (await playing.hear(messages.Ejected)).sentence == "still here"
        seat.close()
        await trio.testing.wait_all_tasks_blocked()
        assert opened.guest.occupied


async def test_game_that_waits_for_a_player_to_come_back_sleeps_meanwhile() -> None:
    async with open_room() as opened, trio.open_nursery() as games:
        peer = await opened.sign_up()
        await opened.guest.wait()
        await peer.stream.aclose()
        await until(lambda: not opened.guest.occupied)
        games.start_soon(opened.guest.wait)
        with trio.move_on_after(10.0) as spinning:
            await trio.testing.wait_all_tasks_blocked()
        games.cancel_scope.cancel()
    assert not spinning.cancelled_caught


async def test_waiting_player_is_told_when_the_tournament_is_over() -> None:
    async with open_room() as opened:
        peer = await opened.sign_up()
        await until(lambda: opened.guest.occupied)
        opened.end()
        assert "The tournament is over." in await peer.is_told("no-seat")


# -- no sign-up, or nonsense --------------------------------------------------------------------


async def test_nonsense_is_refused_with_its_reason() -> None:
    async with open_room() as opened:
        for data, reason in (
            (b"\x16\x03\x01\x02\x00", "malformed"),
            (b"<signup/>", "invalid"),
            (f'<signup name="{GUEST}"/>'.encode() * 2, "out-of-turn"),
        ):
            peer = await Peer.connect(opened.port)
            await peer.send(data)
            await peer.is_told(reason)
            assert not opened.guest.occupied
        await opened.sign_up()


CROWD = MAX_SILENT + 150


@asynccontextmanager
async def crowd_at(opened: OpenRoom) -> AsyncIterator[list[trio.SocketStream]]:
    """Connect a crowd that says nothing, the oldest of which have to make room."""
    crowd = [await trio.open_tcp_stream("127.0.0.1", opened.port) for _ in range(CROWD)]
    await until(lambda: len(opened.turned_away) == CROWD - MAX_SILENT)
    yield crowd
    for stream in crowd:
        await trio.aclose_forcefully(stream)


async def test_crowd_of_idle_connections_does_not_keep_a_player_out() -> None:
    async with open_room() as opened, crowd_at(opened) as crowd:
        assert (await opened.sign_up()).name == "guest"
        assert opened.guest.occupied
        assert len(opened.turned_away) == CROWD - MAX_SILENT + 1
        for stream in crowd[: len(opened.turned_away)]:
            assert CROWDED_OUT.detail.encode() in await stream.receive_some()


async def test_crowd_does_not_drive_out_a_player_that_has_signed_up() -> None:
    async with open_room() as opened:
        peer = await opened.sign_up()
        async with crowd_at(opened):
            assert opened.guest.occupied
        opened.end()
        await peer.is_told("no-seat")


async def test_crowd_that_has_left_does_not_keep_a_player_out() -> None:
    async with open_room() as opened:
        for _ in range(MAX_SILENT + 10):
            stream = await trio.open_tcp_stream("127.0.0.1", opened.port)
            await stream.aclose()
        await until(lambda: len(opened.turned_away) == MAX_SILENT + 10)
        await opened.sign_up()


# -- TLS ----------------------------------------------------------------------------------------


class CertificateFiles(NamedTuple):
    """A self-signed certificate, and its key."""

    certificate: Path
    key: Path


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> CertificateFiles:
    if shutil.which("openssl") is None:
        pytest.skip("openssl is needed to make a certificate")
    folder = tmp_path_factory.mktemp("tls")
    made = CertificateFiles(folder / "certificate.pem", folder / "key.pem")
    request = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    out = ["-out", str(made.certificate), "-keyout", str(made.key)]
    command = ["openssl", *request.split(), *out]
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"]
    subprocess.run([*command, *names], check=True, capture_output=True)
    return made


class TlsClient:
    """A player's end of a TLS connection, with blocking sockets as in most programs."""

    def __init__(self, port: int, files: CertificateFiles) -> None:
        plain = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT)
        self.socket = start_tls(plain, "127.0.0.1", files.certificate)

    def sign_up(self, name: str = GUEST) -> bytes:
        """Sign up, and return the answer."""
        self.socket.sendall(f'<signup name="{name}"/>'.encode())
        return self.socket.recv(4096)

    def close(self) -> None:
        """Close the socket without ending TLS, as most programs do."""
        self.socket.close()

    def leave(self) -> None:
        """End TLS; data that still comes is an error, which does not matter."""
        with self.socket, suppress(ssl.SSLError):
            self.socket.unwrap().close()


@asynccontextmanager
async def open_tls_room(
    files: CertificateFiles, timeout: float = TIMEOUT
) -> AsyncIterator[OpenRoom]:
    async with open_room(timeout, tls_context(*map(str, files))) as opened:
        yield opened


async def connect(opened: OpenRoom, files: CertificateFiles) -> TlsClient:
    """Connect with TLS, and sign up."""
    line = await trio.to_thread.run_sync(TlsClient, opened.port, files)
    assert await trio.to_thread.run_sync(line.sign_up) == b'<signup name="guest"/>'
    assert opened.guest.occupied
    return line


@pytest.mark.parametrize("how", ["leave", "close"])
async def test_player_that_leaves_with_or_without_ending_tls_can_come_back(
    files: CertificateFiles, how: str
) -> None:
    async with open_tls_room(files) as opened:
        line = await connect(opened, files)
        await trio.to_thread.run_sync(getattr(line, how))
        await until(lambda: not opened.guest.occupied)
        (await connect(opened, files)).close()


async def test_client_that_makes_no_tls_handshake_is_turned_away(files: CertificateFiles) -> None:
    plain = f'<signup name="{GUEST}"/>'.encode()
    async with open_tls_room(files) as opened:
        for number, data in enumerate((b"", b"\x16\x03\x01\x02\x00\x01\x00", plain), 1):
            async with await trio.open_tcp_stream("127.0.0.1", opened.port) as stream:
                await stream.send_all(data)
            await until(partial(lambda count: len(opened.turned_away) == count, number))
        assert all("The TLS handshake failed" in refusal.why for refusal in opened.turned_away)
        assert not opened.guest.occupied
        (await connect(opened, files)).close()


async def test_handshake_has_to_come_within_the_sign_up_time(files: CertificateFiles) -> None:
    async with open_tls_room(files, 0.2) as opened:
        async with await trio.open_tcp_stream("127.0.0.1", opened.port) as stream:
            assert await stream.receive_some() == b""
        await until(lambda: opened.turned_away)
        assert opened.turned_away == [("", "No TLS handshake came in time.")]


async def test_crowd_without_handshakes_does_not_keep_a_player_out(files: CertificateFiles) -> None:
    async with open_tls_room(files) as opened, crowd_at(opened):
        (await connect(opened, files)).close()


async def test_handshake_after_the_end_of_the_tournament_is_harmless(
    files: CertificateFiles,
) -> None:
    """It can come while the last messages are still being sent."""
    async with open_tls_room(files, 5.0) as opened:
        plain = await trio.to_thread.run_sync(
            partial(socket.create_connection, ("127.0.0.1", opened.port), timeout=TIMEOUT)
        )
        await trio.testing.wait_all_tasks_blocked(0.05)  # it has been accepted
        opened.end()
        await trio.testing.wait_all_tasks_blocked(0.05)
        with plain, suppress(OSError):  # it may be closed already
            line = await trio.to_thread.run_sync(start_tls, plain, "127.0.0.1", files.certificate)
            with closing(line):
                assert await trio.to_thread.run_sync(line.recv, 1) == b""


# -- whole games --------------------------------------------------------------------------------


@contextmanager
def playing(port: int, name: str, *options: str | Path) -> Iterator[subprocess.Popen[str]]:
    """Have the built-in client come back for every game, until the context is left."""
    command = [ACQUIRE, "play", "127.0.0.1", str(port), "--name", name, "--again"]
    with ending(
        subprocess.Popen(
            [*command, "--secret", SECRET, *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    ) as player:
        yield player


@contextmanager
def playing_after(
    dead: TlsClient, port: int, *options: str | Path
) -> Iterator[subprocess.Popen[str]]:
    """Sign up on a connection that will not be heard of any more, and again with the client."""
    assert dead.sign_up().startswith(b"<signup")
    with playing(port, "guest", *options) as player:
        assert dead.socket.recv(4096).startswith(b'<ejected reason="no-seat">'), "it was replaced"
        yield player


def write_cup(folder: TournamentFolder, *more: PlayerEntry, deals: int = 1, **lobby: object) -> int:
    """Write a tournament file for the guest and others at tables of three; return its port."""
    port, players = free_port(), [remote("guest", SECRET), *more, *built_in("ordered")]
    general = {"seats": 3, "seatings": "rotations", "deals": deals}
    folder.write(players, tournament=general, lobby={"port": port, "wait": TIMEOUT, **lobby})
    return port


def test_remote_players_come_back_for_every_game_and_are_at_one_table_at_a_time(
    folder: TournamentFolder, files: CertificateFiles, soak: bool
) -> None:
    """With TLS, from the sign-up to the end of the last game.

    Each table has a friend, so no game begins before the guest has replaced its dead connection.
    """
    certificate, key = map(str, files)
    friends = ["friend", *(["neighbour"] if soak else [])]
    others = [remote(name, SECRET) for name in friends]
    port = write_cup(folder, *others, certificate=certificate, key=key)
    with folder.run("--workers", "4") as process:
        process.until("listening")
        ca = ("--ca", files.certificate)
        with closing(TlsClient(port, files)) as dead, ExitStack() as stack:
            players = [stack.enter_context(playing_after(dead, port, *ca))]
            players += [stack.enter_context(playing(port, name, *ca)) for name in friends]
            assert process.end() == 0, process.errors
            outputs = [player.communicate(timeout=TIMEOUT)[0] for player in players]
            codes = {player.returncode for player in players}
    results = folder.results()
    games, with_each = (12, 9) if soak else (3, 3)
    assert len(results) == games
    assert {seat.verdict for result in results.values() for seat in result.seats} == {
        PlayerVerdict.FINISHED
    }
    assert {len(re.findall(r": \d+\n", output)) for output in outputs} == {with_each}
    assert not overlapping_games(process, {"guest", *friends})
    assert codes == {0}, outputs


def overlapping_games(process: TournamentProcess, watched: set[str]) -> list[str]:
    """Return the games that began while one of their players was at another table."""
    tables: dict[str, set[str]] = {}
    found = []
    for event in process.events:
        if event["event"] == "game-began":
            players = watched & set(event["players"])
            if any(players & others for others in tables.values()):
                found.append(event["game"])
            tables[event["game"]] = players
        elif event["event"] in ("game", "void"):
            del tables[event["game"]]
    return found


# -- games in this process ----------------------------------------------------------------------


def verdicts(observer: RecordingObserver) -> list[PlayerVerdict]:
    """Return the guest's verdicts so far."""
    return [seat_of(result, "guest").verdict for result in observer.results]


async def test_games_wait_for_an_absent_player_three_times_and_then_no_more(
    folder: TournamentFolder, autojump_clock: trio.testing.MockClock
) -> None:
    write_cup(folder, *built_in("random"), deals=2, wait=100.0)
    observer = RecordingObserver()
    began = trio.current_time()
    await play_here(folder, observer)
    assert verdicts(observer) == [PlayerVerdict.NEVER_STARTED] * 6
    assert [each.fields for each in observer.of(Notice)] == [
        {"name": "guest", "patience": 100.0}
    ] * 3
    assert 300 <= trio.current_time() - began < 400


async def test_player_that_closes_its_tls_connection_at_the_table_is_disconnected(
    tmp_path: Path, files: CertificateFiles
) -> None:
    folder, observer = TournamentFolder(tmp_path), RecordingObserver()
    certificate, key = map(str, files)
    port = write_cup(folder, *built_in("random"), certificate=certificate, key=key)
    with trio.fail_after(TIMEOUT):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play_here, folder, observer)
            for number in range(3):
                client = await connect_soon(port, files)
                await trio.to_thread.run_sync(client.sign_up)
                client.close()
                await until(partial(lambda games: len(observer.results) == games, number + 1))
    assert verdicts(observer) == [PlayerVerdict.DISCONNECTED] * 3


async def connect_soon(port: int, files: CertificateFiles) -> TlsClient:
    """Connect with TLS as soon as somebody listens."""
    while True:
        with suppress(ConnectionRefusedError):
            return await trio.to_thread.run_sync(TlsClient, port, files)
        await trio.sleep(0.005)


def test_useless_certificate_is_reported_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "junk.pem").write_text("junk")
    with pytest.raises(CannotListen, match=r"TLS cannot use .*junk\.pem"):
        tls_context(str(tmp_path / "junk.pem"), str(tmp_path / "junk.pem"))


# -- a program's own address --------------------------------------------------------------------


@asynccontextmanager
async def door_of(
    program: Program, files: Path
) -> AsyncIterator[tuple[PlayerDoor, socket.socket, set[str], trio.Nursery]]:
    """Launch a program; yield its door, which does not run yet, its socket, and its alarms."""
    alarms: set[str] = set()
    try:
        with trio.fail_after(TIMEOUT), Launcher(Limits(), files) as launcher:
            async with trio.open_nursery() as nursery:
                process, listener = await launcher.launch_listening(program, "ada", nursery)
                try:
                    assert listener is not None
                    reception = Reception(REVISED, TIMEOUT)
                    door = PlayerDoor(
                        process, listener, launcher, reception, lambda _, what: alarms.add(what)
                    )
                    yield door, listener, alarms, nursery
                finally:
                    nursery.cancel_scope.cancel()
                    process.release()
    finally:
        ask_kernel(PR_SET_CHILD_SUBREAPER, 0)


async def test_connection_whose_owner_cannot_be_told_is_not_the_programs(tmp_path: Path) -> None:
    """The system names no owner of a connection that its other end has half closed."""
    program = Program(("sleep", "1000"), tmp_path)
    async with door_of(program, tmp_path / "files") as (door, listener, alarms, nursery):
        with socket.create_connection(listener.getsockname()) as stranger:
            stranger.sendall(b'<signup name="ada"/>')
            stranger.shutdown(socket.SHUT_WR)
            nursery.start_soon(door.run, nursery)
            with suppress(ConnectionResetError):
                assert await trio.to_thread.run_sync(stranger.recv, 100) == b""
        assert door.place.unused and not alarms


SIGN_UP = """
import socket, sys, time
connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
connection.sendall(b'<signup name="ada"/>')
time.sleep(1000)
"""


async def test_crowd_at_a_programs_address_is_not_said_to_be_the_programs(tmp_path: Path) -> None:
    program = Program((sys.executable, "-I", "-S", "-c", SIGN_UP, "{port}"), tmp_path)
    async with door_of(program, tmp_path / "files") as (door, listener, alarms, nursery):
        address = listener.getsockname()
        nursery.start_soon(door.run, nursery)
        await door.place.wait()
        crowd = [socket.create_connection(address) for _ in range(MAX_ARRIVALS + 1)]
        while not any("was closed" in what for what in alarms):
            await trio.sleep(0.005)
        for one in crowd:
            one.close()
        (told,) = [what for what in alarms if "was closed" in what]
    assert told.endswith("connections, not all of which need be its own.")
