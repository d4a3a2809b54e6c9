"""One member of the misbehaving cast against the real server over TCP: what came of its match.

The member plays with the player program's blocking client in a thread. A member that does not sign
up has nobody beside it; the others sit with the house, in the deal that `deal_for` found with the
strategies alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import trio
from loopback import PATIENT, Peer, Witness, serving, verified
from misbehaviour import deal_for, plays, seats_for

from admin.log.reader import Record
from admin.match import events
from admin.table.server import Match
from admin.table.table import Clocks
from game.rulebook import Rulebook
from game.rulebooks import REVISED
from player.misbehaving.cast import Member
from player.misbehaving.misbehaving_player import MisbehavingPlayer, sign_up_fault
from player.program.client import Client, MatchEnd, connect
from player.strategies.simple import Ordered
from protocol.faults import Fault, Reason

IMPATIENT = Clocks(0.5, 0.5)
"""For those who are to be late: real seconds, spent side by side."""
SIGNUP_TIMEOUT = 3.0
"""Seconds until the house takes the empty seats; only the member has to sign up in time."""


class Encounter(NamedTuple):
    """A member's match: how it went for the member, and for the server.

    ``deed`` is its misdeed, ``refused`` are those who were turned away before the match.
    """

    member: Member
    played: MatchEnd
    deed: object
    match: Match
    record: Record
    refused: list[tuple[str, Fault]]

    @property
    def ejected(self) -> events.Ejected:
        """The only ejection of the match."""
        (ejected,) = self.match.outcome.ejected
        return ejected


def misbehave(port: int, rulebook: Rulebook, member: Member) -> tuple[MatchEnd, object]:
    """Play as the player program does; blocks. Return how it went, and the misdeed."""
    sign_up = sign_up_fault(member.name)
    assert plays(member) is (sign_up is None), f"{member.name} signs up as anybody does"
    connection = connect("127.0.0.1", port, 0)
    connection.settimeout(60)
    misbehaving = MisbehavingPlayer(member, rulebook, 0)
    played = Client(connection).play(member.name, lambda _: misbehaving, sign_up)
    return played, sign_up or misbehaving.fault


def clocks_for(member: Member) -> Clocks:
    """Be impatient only with those who are to be late."""
    return IMPATIENT if member.reason is Reason.TIMED_OUT else PATIENT


async def meet(rulebook: Rulebook, member: Member, log_dir: Path) -> Encounter:
    """Let a member play a match beside the house; one that does not sign up, before others do."""
    if plays(member):
        serving_it = serving(
            log_dir,
            rulebook=rulebook,
            players=seats_for(member),
            seed=deal_for(rulebook, member),
            clocks=clocks_for(member),
            signup_timeout=SIGNUP_TIMEOUT,
            fill=("ordered", lambda _: Ordered(rulebook, 0)),
        )
    else:
        serving_it = serving(log_dir, rulebook=rulebook, clocks=clocks_for(member))
    async with serving_it as (_, witness):
        played, deed = await trio.to_thread.run_sync(
            misbehave,
            witness.port,
            rulebook,
            member,
            abandon_on_cancel=True,
            limiter=trio.CapacityLimiter(1),  # how many play at once is not decided here
        )
        if not plays(member):
            await sit_down(witness, "a", "b", "c", rulebook=rulebook)
    match = witness.matches[1]
    return Encounter(member, played, deed, match, verified(match.log), witness.refused)


async def sit_down(witness: Witness, *names: str, rulebook: Rulebook = REVISED) -> None:
    """Sign players up who behave well, and let them play to the end."""
    async with trio.open_nursery() as nursery:
        for name in names:
            peer = await Peer.signed_up(witness.port, name, rulebook)
            nursery.start_soon(peer.play, Ordered(rulebook, 0))


async def sit_down_after(
    witness: Witness, first: str, *names: str, rulebook: Rulebook = REVISED
) -> None:
    """Wait until somebody else has the first seat, then sit down."""
    await witness.until_signed_up(first)
    await sit_down(witness, *names, rulebook=rulebook)
