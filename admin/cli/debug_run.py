"""Starts a player at a turn of a recorded game, for ``acquire debug``."""

import signal
import sys

from ..refereeing.table.clocks import NO_CLOCKS
from ..testing.rerun.rerun_text import draw_rerun
from ..testing.rerun.rerunning import RerunResult
from ..testing.trial.player_source import PlayerSource
from .chosen_player import attach_player
from .console import exit_after, refuse
from .debug import DebugOptions
from .recorded_seat import RecordedSeat, run_with_source
from .safe_console import SafeConsole


def run(options: DebugOptions) -> None:
    """Replay the turn, and exit with the code for what was found."""
    recorded = RecordedSeat.read(options.game, lambda _: NO_CLOCKS)
    if options.turn not in recorded.turns:
        last = max(recorded.turns, default=0)
        refuse(f"--turn {options.turn}: the last turn of {recorded.seat!r} in the game is {last}.")
    first = 1 if options.whole else options.turn
    turns = [turn for turn in recorded.turns if first <= turn <= options.turn]
    results: list[RerunResult] = []

    async def run(source: PlayerSource) -> None:
        signal.signal(signal.SIGINT, lambda *_: None)  # Ctrl-C is for the debugger
        results.append(await recorded.rerun(turns, source))

    stopped_by = run_with_source(recorded, attach_player(options.command), run)
    if stopped_by is not None:
        exit_after(stopped_by)
    (result,) = results
    SafeConsole().print(draw_rerun(result))
    sys.exit(0 if result.agrees else 1)
