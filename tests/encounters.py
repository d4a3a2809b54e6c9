"""One member of the misbehaving cast against the real server over TCP, and how its game went.

The member plays with the player program's blocking client in a thread, in the deal in which it
finds its opening. Built-in players take the other seats. Time passes only while all wait, so nobody
is late by accident.
"""

import socket
from functools import partial
from pathlib import Path
from typing import NamedTuple

import trio
from loopback import Peer, Witness, serving, verification
from misbehaviour import deal_for, plays, seats_for
from trio.testing import MockClock
from virtual_time import passing

from acquire.admin.refereeing.log.reader import RecordedGame
from acquire.admin.refereeing.log.verifier import Verification
from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.table.clocks import Clocks
from acquire.admin.refereeing.table.server_events import GameEnded
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import REVISED
from acquire.player.misbehaving.cast import Member, MisbehavingPlayer, sign_up_fault
from acquire.player.misbehaving.wire_faults import WireFault
from acquire.player.program.client import Client, GameEnd, connect
from acquire.player.strategies.simple import Ordered
from acquire.protocol.faults import Fault
from acquire.protocol.messages import PlayerMessage

CLOCKS = Clocks(1, 1)
SIGNUP_TIMEOUT = 2.0
"""Seconds until built-in players take the empty seats; a failed sign-up is noticed before."""
NEXT = "next"
"""The player that takes the seat of one that did not sign up."""


class Encounter(NamedTuple):
    """A member's game: how it went for the member, and for the server.

    ``fault`` is what the member did wrong, ``refused`` are those turned away before the game.
    """

    member: Member
    end: GameEnd
    fault: PlayerMessage | WireFault
    game: GameEnded
    record: RecordedGame
    verdict: Verification
    refused: list[tuple[str, Fault]]

    @property
    def ejected(self) -> events.Ejected:
        """The only ejection of the game."""
        (ejected,) = self.game.outcome.ejected
        return ejected


def play_member(
    connection: socket.socket, name: str, rulebook: Rulebook, member: Member
) -> tuple[GameEnd, PlayerMessage | WireFault | None]:
    """Play as the player program does; blocks.

    Return how it ended and what the member did wrong, ``None`` where it had no opening.
    """
    sign_up = sign_up_fault(member.name)
    assert plays(member) is (sign_up is None), f"{member.name} signs up correctly"
    player = MisbehavingPlayer(member, rulebook, 0)
    end = Client(connection).play(name, lambda _: player, sign_up)
    return end, sign_up or player.fault


def misbehave(
    port: int, rulebook: Rulebook, member: Member
) -> tuple[GameEnd, PlayerMessage | WireFault | None]:
    """Connect and play; blocks."""
    return play_member(connect("127.0.0.1", port, 0), member.name, rulebook, member)


def everything(connection: socket.socket) -> bytes:
    """Read to the end."""
    received = b""
    while data := connection.recv(65536):
        received += data
    return received


async def meet(rulebook: Rulebook, member: Member, log_dir: Path, clock: MockClock) -> Encounter:
    """Let a member play a game; one that does not sign up is followed by a player that does."""
    async with (
        passing(clock) as players,
        serving(
            log_dir,
            rulebook=rulebook,
            players=seats_for(member),
            seed=deal_for(rulebook, member),
            clocks=CLOCKS,
            signup_timeout=SIGNUP_TIMEOUT,
            fill=("ordered", lambda _: Ordered(rulebook, 0)),
        ) as (_, witness),
    ):
        connection = players.watch(connect("127.0.0.1", witness.port, 0))
        play = partial(play_member, connection, member.name, rulebook, member)
        end, fault = await players.run(connection, play)
        if not plays(member):
            await sit_down(witness, NEXT, rulebook=rulebook)
    assert fault is not None, f"{member.name} had no opening"
    game = witness.games[1]
    return Encounter(member, end, fault, game, *verification(game.log), witness.refused)


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
