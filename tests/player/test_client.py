"""The player program: one blocking connection, and how it deals with a referee.

The referee's part is written into the connection beforehand. The client reads it message by
message, because it sends strictly in turn.
"""

import socket
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
import trio
from command_line import ACQUIRE, invoke, refused, succeed
from encounters import everything, sit_down
from loopback import Peer, serving
from positions import at_table, player, scene

from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, REVISED, RULEBOOKS
from acquire.player.misbehaving.wire_faults import RawBytes, Reset, WireFault
from acquire.player.program.client import RETRY_INTERVAL, Answerer, Client, GameEnd, connect
from acquire.player.program.registry import built_in_players, misbehaving_players
from acquire.player.strategies.simple import Ordered
from acquire.protocol import messages
from acquire.protocol.faults import Fault, LocalProtocolError, Reason
from acquire.protocol.messages import PlayerMessage, RefereeMessage
from acquire.protocol.player_view import view_for
from acquire.protocol.writing import Writer

WRITER = Writer(REVISED)
POSITION = at_table("", player("ann-2", "1A 3C 5E 7G 9I 11A"), player("bob"), player("cyd"))
GIVEN = messages.SignUp("ann-2")
STATE = messages.State(POSITION.board, POSITION.players)
TURN = messages.Turn(POSITION.board, POSITION.players)
TILE = messages.NewTile(1)
SCORE = messages.Score((("ann-2", 9_000), ("bob", 8_000)), POSITION.board, POSITION.players)
EJECTED = messages.Ejected("invalid", "So it was.")
TIMEOUT = 60
"""Seconds after which a test that hangs fails instead."""


def written(*said: RefereeMessage | bytes) -> bytes:
    """Write the referee's part; bytes are left as they are."""
    return b"".join(part if isinstance(part, bytes) else WRITER.write(part) for part in said)


def play_against(
    *said: RefereeMessage | bytes, choose: Answerer | None = None, sign_up: WireFault | None = None
) -> tuple[GameEnd, bytes]:
    """Send this to a client, by default ``ordered``; return how its game ended and its part."""
    return in_pieces(written(*said), [], lambda _: choose or Ordered(REVISED, 0), sign_up)


def in_pieces(
    data: bytes,
    cuts: list[int],
    make: Callable[[Rulebook], Answerer],
    sign_up: WireFault | None = None,
) -> tuple[GameEnd, bytes]:
    """Send these bytes in pieces; return how the game ended, and the client's part."""
    ours, theirs = socket.socketpair()

    def administer() -> None:
        with suppress(OSError):  # the client may have left
            for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True):
                ours.sendall(data[start:end])
            ours.shutdown(socket.SHUT_WR)

    referee = threading.Thread(target=administer)
    with ours:
        referee.start()
        theirs.settimeout(TIMEOUT)
        played = Client(theirs).play("ann", make, sign_up)
        referee.join()
        return played, everything(ours)


# -- a game ------------------------------------------------------------------------------------


def test_client_signs_up_answers_in_turn_and_ends_with_the_scores() -> None:
    played, said = play_against(GIVEN, STATE, TURN, TILE, STATE, SCORE)
    assert played == GameEnd("ann-2", SCORE, seated=True)
    assert said == (
        b'<signup name="ann"/><void/>'
        b'<pbuy><placement><tile column="1" row="A"/></placement>'
        b'<order><hotel label="American"/><hotel label="American"/></order></pbuy>'
        b"<void/><void/><void/>"
    )


def test_white_space_between_elements_is_accepted() -> None:
    spaced = [written(part).replace(b"><", b">\n  <") + b"\n" for part in (GIVEN, STATE, TURN)]
    played, said = play_against(b"\n", *spaced, b"\n\n", EJECTED)
    assert played.last == EJECTED
    assert b"<pbuy>" in said


def test_player_goes_by_the_name_it_was_given() -> None:
    ordered = Ordered(REVISED, 0)
    play_against(GIVEN, STATE, EJECTED, choose=ordered)
    assert ordered.name == "ann-2"


def test_referee_that_gives_a_name_of_nobody_is_at_fault() -> None:
    """Such as a student's that numbers players: a page could not tell whose tiles to show."""
    played, said = play_against(messages.SignUp("1"), STATE, EJECTED)
    assert isinstance(fault := played.last, Fault) and fault.reason is Reason.INVALID
    assert "calls you '1', who is not among the players" in str(fault)
    assert said == b'<signup name="ann"/>'


@pytest.mark.parametrize("before", [(), (GIVEN,), (GIVEN, STATE), (GIVEN, STATE, TURN)])
def test_ejection_ends_the_game_wherever_it_comes(before: tuple[RefereeMessage, ...]) -> None:
    played, said = play_against(*before, EJECTED)
    assert played == GameEnd("ann-2" if before else "ann", EJECTED, seated=bool(before))
    assert said.count(b"<void/>") + said.count(b"<pbuy>") == max(len(before) - 1, 0)


# -- another rulebook ---------------------------------------------------------------------------

CORPORATE = scene(CORPORATIONS, "", "ann-2 1A 3C 5E 7G 9I 11A $6000", "bob $6000", "cyd $6000")
GREETED = messages.SignUp("ann-2", "corporations")
SEEN_STATE = messages.StateView(view_for(CORPORATE, "ann-2"))
SEEN_TURN = messages.TurnView(view_for(CORPORATE, "ann-2"))
SEEN_SCORE = messages.ScoreView((("ann-2", 9_000), ("bob", 8_000)), SEEN_STATE.view)
CORPORATE_GAME = (GREETED, SEEN_STATE, SEEN_TURN, TILE, TILE, SEEN_STATE, SEEN_SCORE)
CORPORATE_ANSWERS = (
    b'<signup name="ann"/><void/>'
    b'<pbuy><placement><tile column="1" row="A"/></placement><order/></pbuy>'
    b"<void/><void/><void/><void/>"
)


class Making:
    """Makes ``ordered`` players, and notes by which rulebooks they play."""

    def __init__(self) -> None:
        self.made: list[str] = []

    def __call__(self, rulebook: Rulebook) -> Answerer:
        self.made.append(rulebook.id)
        return Ordered(rulebook, 0)


@pytest.mark.parametrize("cut", ["nowhere", "everywhere", "after the greeting", "in the state"])
def test_client_plays_by_the_rulebook_that_the_greeting_names(cut: str) -> None:
    writer = Writer(CORPORATIONS)
    data = b"".join([writer.write(message) for message in CORPORATE_GAME])
    greeting = len(writer.write(GREETED))
    cuts = {
        "nowhere": [],
        "everywhere": [*range(1, len(data))],
        "after the greeting": [greeting],
        "in the state": [greeting + 50],
    }
    make = Making()
    played, said = in_pieces(data, cuts[cut], make)
    assert played == GameEnd("ann-2", SEEN_SCORE, seated=True)
    assert said == CORPORATE_ANSWERS
    assert make.made == ["corporations"]


@pytest.mark.parametrize("greeting", [GIVEN, messages.SignUp("ann-2", "revised")])
def test_greeting_without_a_rulebook_means_revised(greeting: messages.SignUp) -> None:
    make = Making()
    played, said = in_pieces(written(greeting, STATE, TURN, TILE, STATE, SCORE), [], make)
    assert played == GameEnd("ann-2", SCORE, seated=True)
    assert b'<hotel label="American"/>' in said
    assert make.made == ["revised"]


@pytest.mark.parametrize("rest", [(), (STATE,), (b"<whatever/>",)], ids=["alone", "state", "more"])
def test_unknown_rulebook_is_a_fault(rest: tuple[RefereeMessage | bytes, ...]) -> None:
    played, said = play_against(messages.SignUp("ann-2", "house-rules"), *rest)
    assert played.name == "ann-2"
    assert isinstance(played.last, Fault) and played.last.reason is Reason.INVALID
    assert "'house-rules'" in played.last.detail
    assert all(known in played.last.detail for known in RULEBOOKS)
    assert said == b'<signup name="ann"/>'


@pytest.mark.parametrize(
    "said",
    [
        Writer(REVISED).write(STATE),
        Writer(CLASSIC).write(messages.Keep((0,))),
        Writer(CORPORATIONS).write(SEEN_TURN),
        Writer(CORPORATIONS).write(SEEN_STATE).replace(b'tiles="6"', b""),
    ],
    ids=["the course's state", "out of turn", "a turn before a state", "no number of tiles"],
)
def test_message_of_another_rulebook_is_a_fault(said: bytes) -> None:
    played, answered = play_against(GREETED, said)
    assert isinstance(played.last, Fault)
    assert played.last.reason in (Reason.INVALID, Reason.OUT_OF_TURN)
    assert answered == b'<signup name="ann"/>'


def test_ejection_is_understood_under_another_rulebook() -> None:
    played, _ = play_against(GREETED, EJECTED)
    assert played == GameEnd("ann-2", EJECTED, seated=True)


# -- referees that misbehave --------------------------------------------------------------


@pytest.mark.parametrize("before", [(), (GIVEN,), (GIVEN, STATE), (GIVEN, STATE, TURN)])
def test_referee_that_closes_the_connection_is_a_fault(before: tuple[RefereeMessage, ...]) -> None:
    played, _ = play_against(*before)
    assert played.last == Fault(Reason.DISCONNECTED, "The referee closed the connection.")


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (b"hello there", Reason.MALFORMED),
        (b"<state></turn>", Reason.MALFORMED),
        (b"<!DOCTYPE state><state/>", Reason.MALFORMED),
        (b"<state/>", Reason.INVALID),
        (b"<void/>", Reason.INVALID),
        (written(SCORE), Reason.OUT_OF_TURN),
        (written(TILE), Reason.OUT_OF_TURN),
        (b"<state>" + b" " * 70_000, Reason.MALFORMED),
    ],
)
def test_referee_that_breaks_the_protocol_is_a_fault(said: bytes, reason: Reason) -> None:
    played, answered = play_against(GIVEN, said)
    assert isinstance(played.last, Fault) and played.last.reason is reason
    assert answered == b'<signup name="ann"/>'


def test_referee_that_resets_the_connection_is_a_fault() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = connect("127.0.0.1", listener.getsockname()[1], 0)
        referee, _ = listener.accept()
        with pytest.raises(ConnectionAbortedError):
            Reset().do(referee)
        played = Client(client).play("ann", lambda _: Ordered(REVISED, 0))
    assert isinstance(played.last, Fault)
    assert played.last.reason is Reason.DISCONNECTED
    assert played.last.detail in ("Connection reset by peer.", "Broken pipe.")


def test_connection_that_the_referee_has_dropped_is_noticed_while_waiting() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        connect("127.0.0.1", listener.getsockname()[1], 0) as client,
    ):
        assert client.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        if (option := getattr(socket, "TCP_KEEPIDLE", None)) is not None:
            assert client.getsockopt(socket.IPPROTO_TCP, option) <= 60


def test_player_whose_connection_is_reset_while_it_waits_comes_back() -> None:
    lingers_not = b"\1\0\0\0\0\0\0\0"

    def lose_and_refuse(listener: socket.socket) -> None:
        first, _ = listener.accept()
        with first:
            first.recv(100)
            first.sendall(written(GIVEN))
            first.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, lingers_not)
        second, _ = listener.accept()
        with second:
            second.recv(100)
            second.sendall(written(GIVEN, messages.Ejected("no-seat", "The tournament is over.")))

    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(TIMEOUT)
        referee = threading.Thread(target=lose_and_refuse, args=(listener,))
        referee.start()
        port = listener.getsockname()[1]
        succeed("play", "127.0.0.1", port, "--name", "ann", "--again", code=1)
        referee.join(TIMEOUT)
        assert not referee.is_alive()


def test_wrong_kind_of_answer_from_a_strategy_is_our_own_error() -> None:
    def confused(_: RefereeMessage) -> PlayerMessage:
        return messages.Order(())

    with pytest.raises(LocalProtocolError):
        play_against(GIVEN, STATE, choose=confused)


# -- socket actions -----------------------------------------------------------------------------


def test_socket_action_replaces_the_answer_and_the_ejection_is_awaited() -> None:
    def misbehave(message: RefereeMessage) -> PlayerMessage | WireFault:
        return RawBytes(b"<mischief/>") if isinstance(message, messages.State) else messages.Void()

    played, said = play_against(GIVEN, STATE, EJECTED, choose=misbehave)
    assert played == GameEnd("ann-2", EJECTED, seated=True)
    assert said == b'<signup name="ann"/><mischief/>'


def test_any_message_but_an_ejection_is_a_fault_after_a_socket_action() -> None:
    played, _ = play_against(GIVEN, STATE, STATE, choose=lambda _: RawBytes(b""))
    assert isinstance(played.last, Fault) and played.last.reason is Reason.OUT_OF_TURN


def test_socket_action_can_replace_the_sign_up() -> None:
    played, said = play_against(EJECTED, sign_up=RawBytes(b"<mischief/>"))
    assert played == GameEnd("ann", EJECTED, seated=False)
    assert said == b"<mischief/>"


# -- connecting ---------------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return int(unused.getsockname()[1])


def test_connecting_fails_where_no_server_listens() -> None:
    with pytest.raises(ConnectionRefusedError):
        connect("127.0.0.1", free_port(), 0)


def test_connecting_fails_after_the_timeout() -> None:
    """It stops when another attempt would begin after the timeout."""
    timeout = 3 * RETRY_INTERVAL
    port, began = free_port(), time.monotonic()
    with pytest.raises(ConnectionRefusedError):
        connect("127.0.0.1", port, timeout)
    assert time.monotonic() - began > timeout - RETRY_INTERVAL


def test_connecting_waits_for_a_referee_that_starts_later() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))  # connecting is refused until it listens
        port = listener.getsockname()[1]
        refused = threading.Event()
        found: list[socket.socket] = []

        def look_for_it() -> None:
            with pytest.raises(ConnectionRefusedError):
                connect("127.0.0.1", port, 0)
            refused.set()
            found.append(connect("127.0.0.1", port, TIMEOUT))

        player = threading.Thread(target=look_for_it)
        player.start()
        refused.wait()
        listener.listen()
        player.join()
    assert found[0].getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    found[0].close()


# -- as a process -------------------------------------------------------------------------------


def acquire_play(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [ACQUIRE, "play", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)


async def test_process_prints_its_name_while_the_table_is_filling(tmp_path: Path) -> None:
    """So a script can seat players in a fixed order, each after the line of the one before."""
    async with serving(tmp_path) as (_, witness), trio.open_nursery() as nursery:
        command = [ACQUIRE, "play", "127.0.0.1", str(witness.port), "--name", "ann"]
        process = await trio.lowlevel.open_process(command, stdout=subprocess.PIPE)
        nursery.start_soon(process.wait)
        assert process.stdout is not None
        assert await process.stdout.receive_some() == b"Signed up as ann.\n"
        await process.stdout.aclose()  # nobody reads on: a game goes on without it
        for name in ("bob", "cyd"):
            peer = await Peer.signed_up(witness.port, name)
            nursery.start_soon(peer.play, Ordered(REVISED, 0))
    assert [seat.name for seat in witness.games[1].seats] == ["ann", "bob", "cyd"]
    assert not witness.games[1].outcome.ejected


def test_sign_up_that_is_not_answered_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acquire.player.program.client.SILENCE", 0.01)
    told = list[str]()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = Client(connect("127.0.0.1", listener.getsockname()[1], 0))
        answers_nothing, _ = listener.accept()

        def leave() -> None:
            told.append("silence")
            answers_nothing.close()

        end = client.play("ann", lambda _: Ordered(REVISED, 0), on_silence=leave)
    assert (told, end.seated) == (["silence"], False)
    assert isinstance(end.last, Fault) and end.last.reason is Reason.DISCONNECTED


def test_command_says_where_it_cannot_connect_and_which_strategies_there_are() -> None:
    port = free_port()
    said = refused("play", "127.0.0.1", port, "--name", "ann")
    assert f"Cannot connect to 127.0.0.1 port {port}: Connection refused." in said
    said = refused("play", "127.0.0.1", 1, "--name", "ann", "--strategy", "turn-fast-asleep")
    assert "'turn-fast-asleep' is not a strategy" in said
    assert len(said) < 500, "nobody reads a list of hundreds of names"


async def test_process_is_told_name_and_rulebook_and_prints_its_score(tmp_path: Path) -> None:
    async with (
        serving(tmp_path, rulebook=CLASSIC, players=2) as (_, witness),
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(partial(sit_down, witness, "bob", rulebook=CLASSIC))
        await witness.until_signed_up("bob")
        process = await trio.to_thread.run_sync(
            acquire_play, "127.0.0.1", str(witness.port), "--name", "bob", "--strategy", "investor"
        )
    scores = {place.name: place.score for place in witness.games[1].outcome.standings}
    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout == f"Signed up as bob-2.\nbob-2: {scores['bob-2']}\n"


async def test_process_leaves_where_its_strategy_has_nothing_to_break(tmp_path: Path) -> None:
    options = ("--name", "bob", "--strategy", "turn-mixed")
    async with serving(tmp_path, rulebook=CLASSIC) as (_, witness):
        process = await trio.to_thread.run_sync(
            acquire_play, "127.0.0.1", str(witness.port), *options
        )
        await sit_down(witness, "a", "b", "c", rulebook=CLASSIC)
    assert process.returncode == 2
    assert process.stdout == ""
    assert process.stderr == (
        "Error: turn-mixed has nothing to break under rulebook classic. "
        "--cast lists the rulebooks of each player.\n"
    )
    assert not witness.games[1].outcome.ejected, "its seat was free again"


def test_players_are_listed_with_their_rulebooks() -> None:
    for option, players in (("--list", built_in_players()), ("--cast", misbehaving_players())):
        lines = succeed("play", option).stdout.splitlines()
        for line, (name, description, rulebooks) in zip(lines, players, strict=True):
            only = "" if rulebooks == [*RULEBOOKS] else f" ({', '.join(rulebooks)})"
            assert [*line.split()] == [name, *f"{description}{only}".split()]
        narrow = invoke("play", option, columns=80).stdout
        assert max(map(len, narrow.splitlines())) <= 80
        assert narrow.split() == [word for line in lines for word in line.split()]
