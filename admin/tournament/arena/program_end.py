"""What the end of a program says about its player: the referee's testimony, and what is suspicious.

A log shows only that a player was late, or that its connection was lost.
"""

import signal
from collections.abc import Iterator
from typing import NamedTuple

from ....protocol.faults import Reason
from ...launching.limits import Limits
from ...launching.process_exit import ProcessExit
from ...refereeing.play import events
from ..games.result import PlayerVerdict
from ..games.result_so_far import Testimony


class PlayerEnd(NamedTuple):
    """How one player's game ended, as far as events do not show it.

    ``exit`` is how its program ended, if one was started. ``unbuilt`` is why its program could not
    be built, ``late`` how one that did not sign up had spent its time, in words.
    """

    exit: ProcessExit | None
    absent: bool
    unbuilt: str = ""
    late: str = ""

    def testimony(self, ejection: events.Ejected | None, limits: Limits) -> Testimony:
        """Return what is to be believed about a player that connects."""
        if self.unbuilt:
            why = f"It could not be built. {self.unbuilt}"
            return Testimony(PlayerVerdict.NEVER_STARTED, why)
        if self.exit is None:
            absent = Testimony(PlayerVerdict.NEVER_STARTED, "It was not in the lobby.")
            return absent if self.absent else Testimony()
        processor = self.exit.processor
        # limits have the names that they have in the tournament file
        description = self.exit.describe(limits, "limits.{}".format)
        if self.absent:
            description = " ".join(filter(None, (description, self.late)))
            return Testimony(PlayerVerdict.NEVER_STARTED, description, processor)
        if ejection is not None and ejection.reason is Reason.DISCONNECTED:
            if self.exit.failed:
                return Testimony(PlayerVerdict.CRASHED, description, processor)
            return Testimony(processor=processor, cause=description)
        if ejection is not None and ejection.reason is Reason.TIMED_OUT:
            return Testimony(processor=processor, cause=_cause_of_silence(self.exit, ejection))
        return Testimony(processor=processor)


def _cause_of_silence(ended: ProcessExit, ejection: events.Ejected) -> str:
    """Return why a program may have been late, or nothing."""
    if ended.suspended:
        return _suspended(ended)
    if ejection.question == "state" and not ejection.data:
        return "It showed no sign of life after its sign-up."
    return ""


def _suspended(ended: ProcessExit) -> str:
    return f"Its processes stood still for {ended.suspended / 1000:.1f} s after a signal."


def suspicions(ended: ProcessExit | None, limits: Limits) -> Iterator[str]:
    """Yield what is suspicious about how a program ended."""
    if ended is None:
        return
    if ended.stopped == "unknown":
        yield "Its supervisor was killed, or the supervisor's report was tampered with."
    if ended.suspended:
        yield _suspended(ended)
    if ended.yielded:
        yield "It kept more than one processor busy, so that all others went first from then on."
    if ended.killed_from_outside(limits):
        yield f"It was ended by {signal.Signals(-(ended.code or 0)).name}, which no limit explains."
