"""Replays a game for ``acquire rerun`` or ``debug``, and shows where the answers differ."""

import sys
from collections.abc import Sequence
from typing import NoReturn

from ..refereeing.table.clocks import NO_CLOCKS
from ..testing.rerun.rerunning import RerunResult, draw_rerun
from ..testing.trial.player_source import PlayerSource
from .chosen_player import ChosenPlayer, attach_player, choose_player
from .console import exit_after, refuse
from .debug import DebugOptions
from .recorded_seat import RecordedSeat, run_with_source
from .rerun import RerunOptions
from .safe_console import SafeConsole


def run(options: RerunOptions) -> None:
    """Replay a game, and exit with the code for what was found."""
    recorded = RecordedSeat.read(options.recorded.game, options.recorded.clocks.at_table)
    turns = [turn for turn in recorded.turns if options.first is None or turn >= options.first]
    if options.first is not None and not turns:
        _refuse_turn(f"--from {options.first}", recorded)
    _show_rerun(recorded, turns, choose_player(options.player))


def debug(options: DebugOptions) -> None:
    """Start a player at a turn; replay it, and exit with the code for what was found."""
    recorded = RecordedSeat.read(options.game, lambda _: NO_CLOCKS)
    if options.turn not in recorded.turns:
        _refuse_turn(f"--turn {options.turn}", recorded)
    first = 1 if options.whole else options.turn
    turns = [turn for turn in recorded.turns if first <= turn <= options.turn]
    _show_rerun(recorded, turns, attach_player(options.command))


def _refuse_turn(option: str, recorded: RecordedSeat) -> NoReturn:
    last = max(recorded.turns, default=0)
    refuse(f"{option}: the last turn of {recorded.seat!r} in the game is {last}.")


def _show_rerun(recorded: RecordedSeat, turns: Sequence[int], player: ChosenPlayer) -> NoReturn:
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
