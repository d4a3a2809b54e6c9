"""Starts a player at a turn of a recorded game, for ``acquire debug``."""

from ..refereeing.table.clocks import NO_CLOCKS
from .chosen_player import attach_player
from .console import refuse
from .debug import DebugOptions
from .recorded_seat import RecordedSeat
from .rerun_run import show_rerun


def run(options: DebugOptions) -> None:
    """Replay the turn, and exit with the code for what was found."""
    recorded = RecordedSeat.read(options.game, lambda _: NO_CLOCKS)
    if options.turn not in recorded.turns:
        last = max(recorded.turns, default=0)
        refuse(f"--turn {options.turn}: the last turn of {recorded.seat!r} in the game is {last}.")
    first = 1 if options.whole else options.turn
    turns = [turn for turn in recorded.turns if first <= turn <= options.turn]
    show_rerun(recorded, turns, attach_player(options.command))
