"""What a wire fault does to a connection."""

from __future__ import annotations

import socket
import threading

import pytest

from acquire.player.misbehaving.wire_faults import (
    Flood,
    HalfClose,
    RawBytes,
    Reset,
    Silence,
    SlowBytes,
    WireFault,
)
from acquire.player.program.client import connect


def everything(connection: socket.socket) -> bytes:
    """Read to the end."""
    received = b""
    while data := connection.recv(65536):
        received += data
    return received


@pytest.mark.parametrize(
    "fault", [Silence(), RawBytes(b""), HalfClose()], ids=lambda fault: type(fault).__name__
)
def test_some_faults_send_nothing(fault: WireFault) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        fault.do(theirs)
        theirs.close()
        assert everything(ours) == b""


def test_player_that_closes_its_side_can_still_receive() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        HalfClose(b"<vo").do(theirs)
        assert everything(ours) == b"<vo"
        ours.sendall(b"why?")
        assert theirs.recv(100) == b"why?"


def test_slow_bytes_end_when_the_referee_sends_something() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(b"enough")
        SlowBytes(b"<void/>", interval=3_600).do(theirs)
        assert ours.recv(100) == b"<"


def test_slow_bytes_go_on_while_the_referee_is_silent() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        SlowBytes(b"<void/>", interval=0).do(theirs)
        theirs.close()
        assert everything(ours) == b"<void/>"


def test_flood_has_the_given_length_and_no_end() -> None:
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


def test_flood_stops_when_the_referee_closes() -> None:
    ours, theirs = socket.socketpair()
    with theirs:
        ours.close()
        Flood().do(theirs)


def test_player_that_resets_the_connection_receives_nothing_more() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        theirs = connect("127.0.0.1", listener.getsockname()[1], 0)
        ours, _ = listener.accept()
        with ours:
            with pytest.raises(ConnectionAbortedError):
                Reset().do(theirs)
            with pytest.raises(ConnectionResetError):
                ours.recv(1)
