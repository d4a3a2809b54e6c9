"""Plays one match at an administrator, with all seats, and returns what every connection saw."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace

import trio

from ....game.rulebook import Rulebook
from ...refereeing.table.clocks import Clocks
from ...refereeing.table.lag import Lag
from .exchanges import MatchTrace, SeatTrace
from .plans import HONESTLY, Cast, MatchPlan, player_for
from .seat_client import SeatClient, Timeline
from .source import Administrator, NoAdministrator

STALL = 8.0
"""Seconds without any message, beyond the clocks, after which an administrator hangs."""
PATIENT = 4
"""How many times longer than usual is waited for an administrator on a busy machine."""
BUSY = 0.1
"""Seconds of delay that show a busy machine."""
ENOUGH = 6
"""Messages that an honest player still answers in a short match when all others have cheated."""


@dataclass(slots=True)
class MatchPlayer:
    """Plays matches under a rulebook; ``clocks`` are those that the administrator is to keep."""

    rulebook: Rulebook
    cast: Cast
    reply: float
    turn: float | None
    tried: Counter[str] = field(default_factory=Counter)
    lag: Lag = field(default_factory=Lag)

    def clocks(self, seats: int) -> Clocks:
        """Return the clocks of a table of this size."""
        return Clocks.for_seats(seats, self.reply, self.turn)

    async def play(self, plan: MatchPlan, administrator: Administrator) -> MatchTrace:
        """Play a match to its end, or until nothing comes any more."""
        trace = MatchTrace(self.rulebook)
        timeline = Timeline()
        clocks = self.clocks(len(plan.seats))
        patience = STALL + (1.3 * max(clocks.turn, clocks.reply) if plan.slow else clocks.reply)
        trace.seats = [
            SeatTrace(plan.name_of(number), cheat=seat.cheat, point=seat.point)
            for number, seat in enumerate(plan.seats)
        ]
        clients: list[SeatClient] = []
        try:
            await self._bad_sign_ups(plan, administrator, trace, timeline)
            # one after the other, so that the order of the seats is known
            for seat, seen in zip(plan.seats, trace.seats, strict=True):
                manner = seat.manner
                if plan.short and seat.cheat is None:
                    manner = replace(manner, enough=_enough(trace))
                stream = await administrator.connect()
                clients.append(SeatClient(stream, self.rulebook, seen, timeline, manner))
                await clients[-1].sign_up()
        except NoAdministrator as error:
            trace.trouble = str(error)
            return trace
        # a match with a chosen bag was rehearsed, by players that knew nothing of other matches
        tried = self.tried if plan.bag is None else Counter[str]()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._watch, timeline, patience, trace, nursery.cancel_scope)
            async with trio.open_nursery() as playing:
                for _ in range(plan.surplus):
                    nursery.start_soon(_stay, administrator)
                for place, client in enumerate(clients):
                    chosen = player_for(plan, place, self.rulebook, self.cast, tried)
                    playing.start_soon(client.play, chosen)
            nursery.cancel_scope.cancel()
        trace.late = self.late_since(timeline.began)
        return trace

    def late_since(self, time: float) -> bool:
        """Whether this machine was too busy since a time to judge by a clock."""
        return self.lag.worst_since(time) > BUSY

    async def _watch(
        self, timeline: Timeline, patience: float, trace: MatchTrace, scope: trio.CancelScope
    ) -> None:
        while True:
            # on a machine that is late the administrator's clocks may be late, too
            most = patience * (PATIENT if self.late_since(timeline.last) else 1)
            if (left := timeline.last + most - trio.current_time()) <= 0:
                break
            await trio.sleep(left)
        trace.trouble = f"Nothing was sent for {patience:.0f} s."
        scope.cancel()

    async def _bad_sign_ups(
        self, plan: MatchPlan, administrator: Administrator, trace: MatchTrace, timeline: Timeline
    ) -> None:
        patience = self.clocks(len(plan.seats)).reply + 1.5
        for cheat in plan.sign_ups:
            seen = SeatTrace(cheat.name, cheat=cheat)
            stream = await administrator.connect()
            trace.turned_away.append(seen)
            client = SeatClient(stream, self.rulebook, seen, timeline, HONESTLY)
            await client.cheat_at_sign_up(self.cast.sign_up(cheat.name), patience)


async def _stay(administrator: Administrator) -> None:
    """Connect although the table is full, and stay."""
    with suppress(NoAdministrator):
        stream = await administrator.connect()
        async with stream:
            await trio.sleep_forever()


def _enough(trace: MatchTrace) -> Callable[[], bool]:
    """Return whether all who cheat in a match have done so some messages ago."""
    left = ENOUGH

    def enough() -> bool:
        nonlocal left
        cheats = [seat for seat in trace.seats if seat.cheat is not None]
        if all(seat.cheated is not None or seat.end for seat in cheats):
            left -= 1
        return left < 0

    return enough
