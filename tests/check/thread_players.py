"""Players in threads of this process, each at a real connection, in virtual time."""

import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TypeAlias

import trio
from virtual_time import Players, PlayerSocket

from acquire.admin.refereeing.table.clocks import Clocks
from acquire.admin.testing.cases.case import Case
from acquire.admin.testing.judging.case_judge import clocks_for
from acquire.admin.testing.judging.check_result import CaseResult
from acquire.admin.testing.judging.checker import Checker
from acquire.admin.testing.judging.common_cause import with_common_cause
from acquire.admin.testing.trial.player_source import PlayerConnection
from acquire.player.program.client import Client
from acquire.player.strategies.simple import Ordered

Play: TypeAlias = Callable[[PlayerSocket, str], object]
"""Plays over a connection, given the name to sign up with."""


def play_well(connection: PlayerSocket, name: str) -> None:
    """Play as ``ordered``."""
    Client(connection).play(name, lambda rulebook: Ordered(rulebook, 0))


class ThreadSource:
    """A source that runs a player in a thread for each trial; time stops while it is busy."""

    def __init__(self, play: Play, players: Players) -> None:
        self._play = play
        self._players = players

    @asynccontextmanager
    async def connect(self, name: str) -> AsyncIterator[PlayerConnection]:
        """Start the player; it has ended when the context is left."""
        own, connection = socket.socketpair()  # over TCP, a busy kernel delivers a little late
        connection.setblocking(False)
        watched = self._players.watch(own)

        def play() -> None:
            with watched, suppress(OSError):  # the referee sees how it ended
                self._play(watched, name)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.to_thread.run_sync, play)
            yield PlayerConnection(connection, "thread")


async def check(
    cases: Sequence[Case],
    play: Play,
    players: Players,
    *,
    strict: bool = False,
    jobs: int = 8,
    clocks: Callable[[Case], Clocks] = clocks_for,
) -> list[CaseResult]:
    """Check a player."""
    checker = Checker(
        cases, ThreadSource(play, players), jobs=jobs, strict=strict, keep_going=True, clocks=clocks
    )
    results = await checker.run()
    with_common_cause(tuple(results))  # whatever a player sends, there is an explanation, or none
    return results
