"""What ``acquire serve`` prints while it runs."""

import io

import trio
from trio.testing import MockClock

from acquire.admin.cli.safe_console import SafeConsole
from acquire.admin.cli.serve_output import ServeTerminal
from acquire.admin.refereeing.table.crowds import SHOWN
from acquire.admin.refereeing.table.reception import CROWDED_OUT
from acquire.admin.refereeing.table.server_events import TurnedAway
from acquire.game.rulebooks import REVISED
from acquire.protocol.faults import Fault, Reason


def test_crowd_is_printed_in_few_lines_and_others_beside_it() -> None:
    file = io.StringIO()
    with ServeTerminal(SafeConsole(file=file, pipe_width=200), REVISED) as terminal:
        for number in range(1, 1500):
            terminal(TurnedAway(f"10.0.0.1:{number}", "", CROWDED_OUT))
        terminal(TurnedAway("10.0.0.2:7", "ann", Fault(Reason.NO_SEAT, "Too late.")))
    lines = file.getvalue().splitlines()
    assert len(lines) == SHOWN + 2
    assert lines[0] == f"Turned away: 10.0.0.1:1 (no-seat). {CROWDED_OUT.detail}"
    assert lines[SHOWN].startswith("Turned away: ann (10.0.0.2:7)")
    assert lines[-1] == f"Turned away: {1499 - SHOWN:,} more in the last 10 s (silent)."


async def test_crowd_is_summed_up_in_every_period(autojump_clock: MockClock) -> None:
    """And shown one by one again after a period without a crowd."""
    file = io.StringIO()
    closed = Fault(Reason.DISCONNECTED, "The connection was closed.")
    with ServeTerminal(SafeConsole(file=file, pipe_width=200), REVISED) as terminal:
        for seconds in (3, 3, 30, 3):
            for number in range(SHOWN + 100):
                terminal(TurnedAway(f"10.0.0.1:{number}", "", closed))
            await trio.sleep(seconds)
        lines = file.getvalue().splitlines()
    shown = [line.partition(" more ")[0] for line in lines]
    assert len(shown) == 2 * SHOWN + 1
    assert shown[SHOWN] == f"Turned away: {SHOWN + 100 + 100 + SHOWN + 100:,}"
    assert file.getvalue().splitlines()[-1].startswith("Turned away: 100 more")
