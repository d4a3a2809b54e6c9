"""What ``acquire serve`` prints while it runs."""

from __future__ import annotations

import io

from rich.console import Console

from admin.cli.serve_output import ServeTerminal
from admin.table.signup import CROWDED_OUT
from game.rulebooks import REVISED
from protocol.faults import Fault, Reason


def test_crowd_of_silent_connections_is_printed_in_few_lines() -> None:
    file = io.StringIO()
    terminal = ServeTerminal(Console(file=file, width=200), REVISED)
    for number in range(1, 1500):
        terminal.turned_away(f"10.0.0.1:{number}", "", Fault(Reason.NO_SEAT, CROWDED_OUT))
    terminal.turned_away("10.0.0.2:7", "ann", Fault(Reason.NO_SEAT, "Too late."))
    lines = file.getvalue().splitlines()
    assert len(lines) == 5
    assert lines[3] == (
        "Turned away: 1,000 silent connections so far, the last from 10.0.0.1:1000 (no-seat). "
        f"{CROWDED_OUT}"
    )
    assert lines[4].startswith("Turned away: ann (10.0.0.2:7)")
