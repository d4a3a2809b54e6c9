"""Replays a game for ``acquire rerun``, and shows where the answers differ."""

import sys
from collections.abc import Sequence
from typing import NoReturn

from ..testing.rerun.rerun_text import draw_rerun
from ..testing.rerun.rerunning import RerunResult
from ..testing.trial.player_source import PlayerSource
from .chosen_player import ChosenPlayer, choose_player
from .console import exit_after, refuse
from .recorded_seat import RecordedSeat, run_with_source
from .rerun import RerunOptions
from .safe_console import SafeConsole


def run(options: RerunOptions) -> None:
    """Replay a game, and exit with the code for what was found."""
    recorded = RecordedSeat.read(options.recorded.game, options.recorded.clocks.at_table)
    turns = [turn for turn in recorded.turns if options.first is None or turn >= options.first]
    if options.first is not None and not turns:
        last = max(recorded.turns, default=0)
        refuse(f"--from {options.first}: the last turn of {recorded.seat!r} in the game is {last}.")
    show_rerun(recorded, turns, choose_player(options.player))


def show_rerun(recorded: RecordedSeat, turns: Sequence[int], player: ChosenPlayer) -> NoReturn:
    """Replay turns against a player, show what differs, and exit with the code for that."""
    results: list[RerunResult] = []

    async def run(source: PlayerSource) -> None:
        results.append(await recorded.rerun(turns, source))

    stopped_by = run_with_source(recorded, player, run)
    if stopped_by is not None:
        exit_after(stopped_by)
    (result,) = results
    SafeConsole().print(draw_rerun(result))
    sys.exit(0 if result.agrees else 1)
