"""Filling a table, where the moment matters: several connections in the same turn of the loop."""

import re
import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from acquire.admin.refereeing.table.listeners import listen
from acquire.admin.refereeing.table.reception import Reception
from acquire.admin.refereeing.table.seat import RemoteSeat
from acquire.admin.refereeing.table.signup import (
    FIRST_PAUSE,
    FORGET,
    LONGEST_PAUSE,
    PENDING,
    PENDING_OF_ADDRESS,
    Guesses,
    SignUpQueue,
)
from acquire.game.rulebooks import REVISED
from acquire.protocol.faults import Fault, Reason

RECEPTION = Reception(REVISED, 20)
SEATS = 3
Pair = tuple[socket.socket, RemoteSeat]


@contextmanager
def connected(count: int) -> Iterator[list[Pair]]:
    """Players that are connected, each with the seat at the other end of the connection."""
    (listener,) = listen("127.0.0.1", 0)
    with listener, ExitStack() as stack:
        listener.setblocking(True)
        found = []
        for _ in range(count):
            player = stack.enter_context(socket.create_connection(listener.getsockname()))
            accepted = stack.enter_context(listener.accept()[0])
            accepted.setblocking(False)
            found.append((player, RECEPTION.seat(accepted, "somewhere")))
        yield found


async def test_who_is_dismissed_before_it_is_read_leaves_no_report_of_a_bug(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A crowd could fill the disk with them."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with connected(30) as players, trio.fail_after(30):
        async with trio.open_nursery() as closing:
            queue = SignUpQueue(RECEPTION, closing, lambda *_: None)
            for _, seat in players:
                queue.add(seat)
            queue.dismiss_all(Fault(Reason.NO_SEAT, "No further match begins."))
            for player, _ in players:
                player.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("trial", range(12))
async def test_who_is_dismissed_in_the_moment_of_a_wrong_sign_up_is_dismissed_once(
    trial: int,
) -> None:
    """Which task of a turn of the loop runs first is chance, here as well."""
    dismissed = []
    with connected(2) as players, trio.fail_after(30):
        async with trio.open_nursery() as nursery, trio.open_nursery() as closing:
            queue = SignUpQueue(RECEPTION, closing, lambda seat, _: dismissed.append(seat), "word")
            queue.add(players[0][1])

            async def dismiss() -> None:
                await trio.lowlevel.wait_readable(players[1][1].socket)
                queue.dismiss_all(Fault(Reason.NO_SEAT, "No further match begins."))

            nursery.start_soon(dismiss)
            await wait_all_tasks_blocked()
            for player, _ in players:
                player.sendall(b'<signup name="eve"/>')
                player.shutdown(socket.SHUT_WR)
    assert dismissed == [players[0][1]]


class Broken(Reception):
    """It has a bug: it cannot read one name."""

    async def sign_up(self, seat: RemoteSeat, patience: int = 1) -> str | Fault:
        wanted = await super().sign_up(seat, patience)
        if wanted == "eve":
            raise LookupError("no such name")
        return wanted


async def test_bug_in_reading_a_sign_up_costs_one_connection() -> None:
    dismissed = []
    with connected(3) as players, trio.fail_after(30):
        async with trio.open_nursery() as closing:
            queue = SignUpQueue(
                Broken(REVISED, 20), closing, lambda seat, why: dismissed.append((seat, why))
            )
            for name, (player, seat) in zip(("eve", "ann", "bob"), players, strict=True):
                queue.add(seat)
                player.sendall(f'<signup name="{name}"/>'.encode())
            table = await queue.fill(2, trio.current_time() + 20, lambda _: None)
            queue.dismiss_all(Fault(Reason.INTERRUPTED, "No match had begun."))
    assert [seat.name for seat in table] == ["ann", "bob"]
    ((seat, why),) = dismissed
    assert seat is players[0][1]
    report = re.search(r"Please report it with (.+)\.$", why.detail)
    assert report is not None and "LookupError" in why.detail
    Path(report[1]).unlink()


async def fill_while_one_leaves(turns: int, players: list[Pair]) -> None:
    """Fill a table; its first player leaves some turns of the loop after the last one came."""

    def sign_up(number: int) -> None:
        players[number][0].sendall(f'<signup name="{number}"/>'.encode())

    async with trio.open_nursery() as nursery, trio.open_nursery() as closing:
        queue = SignUpQueue(RECEPTION, closing, lambda *_: None)
        for number, (_, seat) in enumerate(players):
            queue.add(seat)
            if number < SEATS - 1:
                sign_up(number)

        async def leave() -> None:
            while len(queue.seated) < SEATS - 1:
                await trio.lowlevel.checkpoint()
            sign_up(SEATS - 1)
            for _ in range(turns):
                await trio.lowlevel.checkpoint()
            players[0][0].close()
            sign_up(SEATS)

        nursery.start_soon(leave)
        table = await queue.fill(SEATS, trio.current_time() + 20, lambda _: None)
        assert len(table) == SEATS
        assert len({seat.name for seat in table}) == SEATS
        queue.dismiss_all(Fault(Reason.INTERRUPTED, "No match had begun."))


async def test_who_leaves_in_the_moment_in_which_the_table_is_full_frees_the_seat() -> None:
    """Which task of a turn of the loop runs first is chance: hence many trials."""
    with ExitStack() as stack, trio.fail_after(60):
        async with trio.open_nursery() as trials:
            for number in range(60):
                players = stack.enter_context(connected(SEATS + 1))
                trials.start_soon(fill_while_one_leaves, number % 6, players)


def guesses_in(seconds: int, hosts: int) -> int:
    """Count the secrets that are looked at if each address tries twenty times a second."""
    guesses, looked_at = Guesses(), 0
    for twentieth in range(seconds * 20):
        now = twentieth / 20
        for host in map(str, range(hosts)):
            if not guesses.wait(host, now):
                guesses.wrong(host, now)  # the connection is closed at once: that frees nothing
                looked_at += 1
    return looked_at


def test_guesses_of_one_address_and_of_many_are_bounded() -> None:
    early = PENDING_OF_ADDRESS * 2
    assert 60 < guesses_in(100, 1) < early + 100 * PENDING_OF_ADDRESS / LONGEST_PAUSE
    assert guesses_in(20, 40) < PENDING * (3 + 20 / LONGEST_PAUSE)


def test_wrong_secret_delays_no_other_address_and_is_forgotten() -> None:
    guesses = Guesses()
    pauses = [guesses.wrong("eve", 0.0) for _ in range(PENDING_OF_ADDRESS)]
    assert pauses == [1, 2, 4, 8, 8, 8, 8, 8]
    assert guesses.wait("eve", 0.5) == 0.5 and guesses.wait("ann", 0.5) == 0
    assert guesses.wrong("ann", 0.5) == FIRST_PAUSE
    assert guesses.wait("eve", 8.0) == 0
    assert guesses.wrong("eve", FORGET) == FIRST_PAUSE


def test_secret_of_a_player_is_delayed_only_by_guesses_at_the_same_one() -> None:
    guesses = Guesses()
    for _ in range(PENDING_OF_ADDRESS):
        guesses.wrong("class", 0.0, "ann")
    assert guesses.wait("class", 0.0, "ann") == FIRST_PAUSE
    assert guesses.wait("class", 0.0, "bob") == 0
    assert guesses.wrong("class", 0.0, "bob") == LONGEST_PAUSE
    assert guesses.wait("class", 0.0, "bob") == FIRST_PAUSE
