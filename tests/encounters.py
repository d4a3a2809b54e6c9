"""One member of the misbehaving cast against the real server over TCP, and how its match went.

The member plays with the player program's blocking client in a thread, in the deal in which it
finds its opening. Built-in players take the other seats. The server's clock stands still: nobody is
late by accident, however busy the machine is, and nobody has to be waited for. Only when a member
has committed a fault that makes it late, time passes until the server notices.
"""

from __future__ import annotations

import math
import socket
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import trio
from loopback import Peer, Witness, serving, verified
from misbehaviour import deal_for, plays, seats_for
from trio.testing import MockClock

from admin.log.reader import Record
from admin.match import events
from admin.table.clocks import Clocks
from admin.table.server import Match
from game.rulebook import Rulebook
from game.rulebooks import REVISED
from player.misbehaving.cast import Member
from player.misbehaving.misbehaving_player import MisbehavingPlayer, sign_up_fault
from player.misbehaving.wire_faults import Silence, WireFault
from player.program.client import Client, MatchEnd, connect
from player.strategies.simple import Ordered
from protocol.faults import Fault, Reason
from protocol.messages import AdministratorMessage, PlayerMessage

CLOCKS = Clocks(1, 1)
"""Seconds of the test's clock."""
SIGNUP_TIMEOUT = 5.0
"""Seconds of the test's clock until built-in players take the empty seats."""
NEXT = "next"
"""The player that takes the seat of one that did not sign up."""
HANGING = 60
"""Real seconds after which a server that does not answer has failed the test."""


class Encounter(NamedTuple):
    """A member's match: how it went for the member, and for the server.

    ``fault`` is what the member did wrong, ``refused`` are those turned away before the match.
    """

    member: Member
    end: MatchEnd
    fault: PlayerMessage | WireFault
    match: Match
    record: Record
    refused: list[tuple[str, Fault]]

    @property
    def ejected(self) -> events.Ejected:
        """The only ejection of the match."""
        (ejected,) = self.match.outcome.ejected
        return ejected


class ReportingSocket(socket.socket):
    """A connection that calls ``report`` when bytes were sent."""

    report: Callable[[], None]

    def sendall(self, data: bytes, flags: int = 0, /) -> None:  # type: ignore[override] # no buffers
        """Send, then report."""
        super().sendall(data, flags)
        self.report()


def misbehave(
    port: int, rulebook: Rulebook, member: Member
) -> tuple[MatchEnd, PlayerMessage | WireFault]:
    """Play as the player program does; blocks. Return how it ended, and the fault."""
    return _misbehave(port, rulebook, member, lambda: None)


def _misbehave(
    port: int, rulebook: Rulebook, member: Member, on_fault: Callable[[], None]
) -> tuple[MatchEnd, PlayerMessage | WireFault]:
    """Call ``on_fault`` when the first bytes of a fault were sent, or none are to be sent."""
    sign_up = sign_up_fault(member.name)
    assert plays(member) is (sign_up is None), f"{member.name} signs up correctly"
    misbehaving = MisbehavingPlayer(member, rulebook, 0)

    def fault() -> PlayerMessage | WireFault | None:
        return sign_up or misbehaving.fault

    def answer(message: AdministratorMessage) -> PlayerMessage | WireFault:
        given = misbehaving(message)
        if isinstance(given, Silence):
            on_fault()
        return given

    def report() -> None:
        if fault() is not None:
            on_fault()

    connection = ReportingSocket(fileno=connect("127.0.0.1", port, 0).detach())
    connection.settimeout(HANGING)
    connection.report = report
    if isinstance(sign_up, Silence):
        on_fault()
    end = Client(connection).play(member.name, lambda _: answer, sign_up)
    done = fault()
    assert done is not None, f"{member.name} had no opening"
    return end, done


async def meet(rulebook: Rulebook, member: Member, log_dir: Path, clock: MockClock) -> Encounter:
    """Let a member play a match; one that does not sign up is followed by a player that does."""
    players = seats_for(member)
    async with serving(
        log_dir,
        rulebook=rulebook,
        players=players,
        seed=deal_for(rulebook, member),
        clocks=CLOCKS,
        signup_timeout=SIGNUP_TIMEOUT,
        fill=("ordered", lambda _: Ordered(rulebook, 0)),
    ) as (_, witness):
        end, fault = await _play(rulebook, member, witness, clock)
        if not plays(member):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_fill, witness, NEXT, clock)
                await sit_down(witness, NEXT, rulebook=rulebook)
    match = witness.matches[1]
    return Encounter(member, end, fault, match, verified(match.log), witness.refused)


async def _play(
    rulebook: Rulebook, member: Member, witness: Witness, clock: MockClock
) -> tuple[MatchEnd, PlayerMessage | WireFault]:
    at_fault = trio.Event()

    async def let_it_be_late() -> None:
        await at_fault.wait()
        await _pass_time(witness, clock, until=lambda: witness.refused or _ejected(witness))

    async with trio.open_nursery() as nursery:
        if plays(member):
            nursery.start_soon(_fill, witness, member.name, clock)
        if member.reason is Reason.TIMED_OUT:
            nursery.start_soon(let_it_be_late)
        found = await trio.to_thread.run_sync(
            _misbehave,
            witness.port,
            rulebook,
            member,
            partial(trio.from_thread.run_sync, at_fault.set),
            abandon_on_cancel=True,
        )
    return found


async def _fill(witness: Witness, name: str, clock: MockClock) -> None:
    """Let built-in players take the empty seats once the player of this name has signed up."""
    await witness.until_signed_up(name)
    await _pass_time(witness, clock, until=lambda: witness.headers)


def _ejected(witness: Witness) -> bool:
    return any(isinstance(event, events.Ejected) for event in witness.events.get(1, []))


async def _pass_time(witness: Witness, clock: MockClock, until: Callable[[], object]) -> None:
    clock.autojump_threshold = 0
    await witness.until(until)
    clock.autojump_threshold = math.inf


async def sit_down(witness: Witness, *names: str, rulebook: Rulebook = REVISED) -> None:
    """Sign players up who behave well, and let them play to the end."""
    async with trio.open_nursery() as nursery:
        for name in names:
            peer = await Peer.signed_up(witness.port, name, rulebook)
            nursery.start_soon(peer.play, Ordered(rulebook, 0))


async def sit_down_after(
    witness: Witness, first: str, *names: str, rulebook: Rulebook = REVISED
) -> None:
    """Wait until another player has the first seat, then sit down."""
    await witness.until_signed_up(first)
    await sit_down(witness, *names, rulebook=rulebook)
