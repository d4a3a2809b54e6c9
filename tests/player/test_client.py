"""The player program: one blocking connection, and what it makes of an administrator.

The administrator's part is written into the connection beforehand: the client reads it message by
message, for it speaks strictly in turn.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import trio
from loopback import Peer, serving
from positions import at_table, player

from game.rulebook import REVISED
from player.cast import CAST
from player.client import RETRY, Choose, Client, Played, connect
from player.misdeeds import Dribble, Flood, GoAway, Misdeed, Reset, Send, Silence
from player.registry import HOUSE, describe
from player.strategies import Ordered
from protocol import messages
from protocol.faults import Fault, Misspoken, Reason
from protocol.messages import AdministratorMessage, PlayerMessage
from protocol.writing import Writer

ACQUIRE = shutil.which("acquire", path=Path(sys.executable).parent)
WRITER = Writer(REVISED)
POSITION = at_table("", player("ann-2", "1A 3C 5E 7G 9I 11A"), player("bob"), player("cyd"))
GIVEN = messages.SignUp("ann-2")
STATE = messages.State(POSITION.board, POSITION.players)
TURN = messages.Turn(POSITION.board, POSITION.players)
TILE = messages.NewTile(1)
SCORE = messages.Score((("ann-2", 9_000), ("bob", 8_000)), POSITION.board, POSITION.players)
EJECTED = messages.Ejected("invalid", "So it was.")
TIMEOUT = 20
"""Seconds after which a test that hangs fails instead."""


def written(*said: AdministratorMessage | bytes) -> bytes:
    """Write the administrator's part; bytes go as they are."""
    return b"".join(part if isinstance(part, bytes) else WRITER.write(part) for part in said)


def meets(
    *said: AdministratorMessage | bytes,
    choose: Choose | None = None,
    sign_up: Misdeed | None = None,
) -> tuple[Played, bytes]:
    """Let a client, by default ``ordered``, hear this; return its part, and how it went."""
    ours, theirs = socket.socketpair()
    with ours:
        ours.sendall(written(*said))
        ours.shutdown(socket.SHUT_WR)
        theirs.settimeout(TIMEOUT)
        played = Client(theirs, REVISED).play("ann", choose or Ordered(REVISED, 0), sign_up)
        return played, everything(ours)


def everything(connection: socket.socket) -> bytes:
    """Read to the end."""
    received = b""
    while data := connection.recv(65536):
        received += data
    return received


# -- a match ------------------------------------------------------------------------------------


def test_it_signs_up_answers_in_turn_and_ends_with_the_scores() -> None:
    played, said = meets(GIVEN, STATE, TURN, TILE, STATE, SCORE)
    assert played == Played("ann-2", SCORE)
    assert said == (
        b'<signup name="ann"/><void/>'
        b'<pbuy><placement><tile column="1" row="A"/></placement>'
        b'<order><hotel label="American"/><hotel label="American"/></order></pbuy>'
        b"<void/><void/><void/>"
    )


def test_it_is_all_the_same_however_the_messages_are_cut() -> None:
    part = written(GIVEN, STATE, TURN, TILE, STATE, SCORE)
    ours, theirs = socket.socketpair()

    def administer() -> None:
        for index in range(len(part)):
            ours.send(part[index : index + 1])
        ours.shutdown(socket.SHUT_WR)

    administrator = threading.Thread(target=administer)
    with ours:
        administrator.start()
        theirs.settimeout(TIMEOUT)
        played = Client(theirs, REVISED).play("ann", Ordered(REVISED, 0))
        administrator.join()
        assert everything(ours).count(b"<void/>") == 4
    assert played == Played("ann-2", SCORE)


def test_it_understands_the_white_space_of_other_administrators() -> None:
    spaced = [written(part).replace(b"><", b">\n  <") + b"\n" for part in (GIVEN, STATE, TURN)]
    played, said = meets(b"\n", *spaced, b"\n\n", EJECTED)
    assert played.last == EJECTED
    assert b"<pbuy>" in said


def test_it_knows_itself_by_the_name_that_it_was_given() -> None:
    ordered = Ordered(REVISED, 0)
    meets(GIVEN, STATE, EJECTED, choose=ordered)
    assert ordered.name == "ann-2"


@pytest.mark.parametrize("before", [(), (GIVEN,), (GIVEN, STATE), (GIVEN, STATE, TURN)])
def test_an_ejection_is_the_end_wherever_it_comes(before: tuple[AdministratorMessage, ...]) -> None:
    played, said = meets(*before, EJECTED)
    assert played == Played("ann-2" if before else "ann", EJECTED)
    assert said.count(b"<void/>") + said.count(b"<pbuy>") == max(len(before) - 1, 0)


# -- administrators that misbehave --------------------------------------------------------------


@pytest.mark.parametrize("before", [(), (GIVEN,), (GIVEN, STATE), (GIVEN, STATE, TURN)])
def test_an_administrator_that_closes_without_a_word_is_a_fault(
    before: tuple[AdministratorMessage, ...],
) -> None:
    played, _ = meets(*before)
    assert played.last == Fault(Reason.DISCONNECTED, "The administrator closed the connection.")


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
def test_an_administrator_that_does_not_keep_to_the_protocol_is_a_fault(
    said: bytes, reason: Reason
) -> None:
    played, answered = meets(GIVEN, said)
    assert isinstance(played.last, Fault) and played.last.reason is reason
    assert answered == b'<signup name="ann"/>'


def test_an_administrator_that_breaks_off_is_a_fault() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = connect("127.0.0.1", listener.getsockname()[1], 0)
        administrator, _ = listener.accept()
        with pytest.raises(ConnectionAbortedError):
            Reset().do(administrator)
        played = Client(client, REVISED).play("ann", Ordered(REVISED, 0))
    assert isinstance(played.last, Fault)
    assert played.last.reason is Reason.DISCONNECTED
    assert played.last.detail in ("Connection reset by peer.", "Broken pipe.")


def test_a_strategy_that_answers_what_was_not_asked_is_a_mistake_of_ours() -> None:
    def confused(_: AdministratorMessage) -> PlayerMessage:
        return messages.Order(())

    with pytest.raises(Misspoken):
        meets(GIVEN, STATE, choose=confused)


# -- misdeeds -----------------------------------------------------------------------------------


def test_a_misdeed_takes_the_place_of_the_answer_and_the_verdict_is_awaited() -> None:
    def mischief(message: AdministratorMessage) -> PlayerMessage | Misdeed:
        return Send(b"<mischief/>") if isinstance(message, messages.State) else messages.Void()

    played, said = meets(GIVEN, STATE, EJECTED, choose=mischief)
    assert played == Played("ann-2", EJECTED)
    assert said == b'<signup name="ann"/><mischief/>'


def test_a_misdeed_that_goes_unpunished_ends_at_whatever_is_said_next() -> None:
    played, _ = meets(GIVEN, STATE, STATE, choose=lambda _: Silence())
    assert isinstance(played.last, Fault) and played.last.reason is Reason.OUT_OF_TURN


def test_a_misdeed_can_take_the_place_of_the_sign_up() -> None:
    played, said = meets(EJECTED, sign_up=Send(b"<mischief/>"))
    assert played == Played("ann", EJECTED)
    assert said == b"<mischief/>"


@pytest.mark.parametrize(
    "misdeed", [Silence(), Send(b""), GoAway()], ids=lambda m: type(m).__name__
)
def test_some_misdeeds_say_nothing(misdeed: Misdeed) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        misdeed.do(theirs)
        theirs.close()
        assert everything(ours) == b""


def test_who_goes_away_can_still_hear() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        GoAway(b"<vo").do(theirs)
        assert everything(ours) == b"<vo"
        ours.sendall(b"why?")
        assert theirs.recv(100) == b"why?"


def test_a_dribble_ends_as_soon_as_the_administrator_speaks() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(b"enough")
        Dribble(b"<void/>", interval=3_600).do(theirs)
        assert ours.recv(100) == b"<"


def test_a_dribble_goes_on_byte_by_byte_while_the_administrator_is_silent() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        Dribble(b"<void/>", interval=0).do(theirs)
        theirs.close()
        assert everything(ours) == b"<void/>"


def test_a_flood_is_as_long_as_it_is_said_to_be_and_has_no_end() -> None:
    ours, theirs = socket.socketpair()
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(everything(ours)))
    with ours, theirs:
        reader.start()
        Flood(1_000_000).do(theirs)
        theirs.close()
        reader.join()
    assert 900_000 < len(received[0]) < 1_000_100
    assert received[0].startswith(b"<void ") and b">" not in received[0]


def test_a_flood_stops_where_the_administrator_closes() -> None:
    ours, theirs = socket.socketpair()
    with theirs:
        ours.close()
        Flood().do(theirs)


def test_who_resets_the_connection_hears_nothing_more() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        theirs = connect("127.0.0.1", listener.getsockname()[1], 0)
        ours, _ = listener.accept()
        with ours:
            with pytest.raises(ConnectionAbortedError):
                Reset().do(theirs)
            with pytest.raises(ConnectionResetError):
                ours.recv(1)


# -- connecting ---------------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return int(unused.getsockname()[1])


def test_where_nobody_listens_the_last_refusal_comes_out() -> None:
    with pytest.raises(ConnectionRefusedError):
        connect("127.0.0.1", free_port(), 0)


def test_patience_ends() -> None:
    port, began = free_port(), time.monotonic()
    with pytest.raises(ConnectionRefusedError):
        connect("127.0.0.1", port, 1.5 * RETRY)
    assert time.monotonic() - began >= RETRY


def test_patience_is_waiting_for_an_administrator_that_is_still_to_come() -> None:
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
    assert ACQUIRE is not None, "the project is not installed"
    command = [ACQUIRE, "play", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)


async def test_the_process_says_its_score(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, witness), trio.open_nursery() as nursery:
        for name in ("ann", "bob"):
            peer = await Peer.signed_up(witness.port, name)
            nursery.start_soon(peer.play, Ordered(REVISED, 0))
        process = await trio.to_thread.run_sync(
            acquire_play, "127.0.0.1", str(witness.port), "--name", "bob"
        )
    scores = {place.name: place.score for place in witness.matches[1].outcome.standings}
    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout == f"bob-2: {scores['bob-2']}\n"


def test_the_process_says_where_it_cannot_connect() -> None:
    port = free_port()
    process = acquire_play("127.0.0.1", str(port), "--name", "ann")
    assert process.returncode == 2
    assert f"Cannot connect to 127.0.0.1 port {port}: Connection refused." in process.stderr


def test_the_process_refuses_a_strategy_that_there_is_not() -> None:
    process = acquire_play("127.0.0.1", "1", "--name", "ann", "--strategy", "turn-fast-asleep")
    assert process.returncode == 2
    assert "'turn-fast-asleep' is no strategy" in process.stderr
    assert len(process.stderr) < 500, "nobody reads a list of some hundred names"


@pytest.mark.parametrize(
    ("option", "names"), [("--list", [*HOUSE]), ("--cast", [*CAST])], ids=["house", "cast"]
)
def test_the_process_lists_players_with_a_line_about_each(option: str, names: list[str]) -> None:
    process = acquire_play(option)
    assert process.returncode == 0
    assert [line.split() for line in process.stdout.splitlines()] == [
        [name, *describe(name).split()] for name in names
    ]
