"""Doors to a check for players in this process: each plays in a thread, over a real connection."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import trio

from admin.check.case import Case
from admin.check.checking import Checker
from admin.check.judging import Result, clocks_for
from admin.table.clocks import Clocks
from admin.trial.door import Door, Visit
from game.rulebook import Rulebook
from player.misbehaving.wire_faults import WireFault
from player.program.client import AnswererFactory, Client, MatchEnd


class Quiet:
    """A watcher that is told everything and says nothing."""

    def begun(self, case: Case) -> None:
        """Say nothing."""

    def judged(self, result: Result) -> None:
        """Say nothing."""


class Threads:
    """A door through which a player comes, in a thread of its own for each visit.

    `play` is called with the player's end of a connection and the name to sign up with; `watch`
    may put another in its place.
    """

    def __init__(
        self,
        play: Callable[[socket.socket, str], object],
        watch: Callable[[socket.socket], socket.socket] = lambda own: own,
    ) -> None:
        self._play = play
        self._watch = watch

    @asynccontextmanager
    async def visit(self, name: str) -> AsyncIterator[Visit]:
        """Let the player come; it has left when the context is left."""
        listener = socket.create_server(("127.0.0.1", 0))
        with listener:
            own = socket.create_connection(listener.getsockname())
            connection, _ = listener.accept()
        for each in (own, connection):
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setblocking(False)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.to_thread.run_sync, self._play, self._watch(own), name)
            yield Visit(connection, "thread")


def house(
    make: Callable[[], AnswererFactory], sign_up: WireFault | None = None
) -> Callable[[socket.socket, str], MatchEnd]:
    """A way to play as a player of the house, or of the misbehaving cast, does."""
    return lambda own, name: Client(own).play(name, make(), sign_up)


async def check(
    rulebook: Rulebook,
    cases: Sequence[Case],
    make: Callable[[], AnswererFactory],
    *,
    strict: bool = False,
    jobs: int = 8,
) -> list[Result]:
    """Check a player of the house."""
    return await check_by(rulebook, cases, Threads(house(make)), strict=strict, jobs=jobs)


async def check_by(
    rulebook: Rulebook,
    cases: Sequence[Case],
    door: Door,
    *,
    strict: bool = False,
    jobs: int = 8,
    clocks: Callable[[Case], Clocks] = clocks_for,
) -> list[Result]:
    """Check the player that comes through a door."""
    checker = Checker(
        rulebook,
        cases,
        door,
        Quiet(),
        jobs=jobs,
        strict=strict,
        keep_going=True,
        clocks=clocks,
    )
    return await checker.run()
