"""``acquire rerun``: replays a recorded game against a player and compares its answers."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .console import refuse
from .player_options import PlayerOptions, player_options
from .rerun_options import clocks_of, read_recorded, rerun_options, run_with_source

if TYPE_CHECKING:
    from ..refereeing.table.clocks import Clocks
    from ..testing.rerun.rerunning import RerunResult
    from ..testing.trial.game_history import GameHistory
    from ..testing.trial.player_source import PlayerSource


@click.command(
    short_help="Replay a recorded game against a player and compare answers.",
    context_settings={"allow_interspersed_args": True},
)
@rerun_options
@click.option(
    "--from",
    "first",
    type=click.IntRange(1),
    metavar="TURN",
    help="Begin with this turn, from its recorded position.",
)
@player_options
def rerun(
    log: Path,
    seat: str | None,
    reply_timeout: float,
    turn_timeout: float | None,
    first: int | None,
    **player: Any,
) -> None:
    """Replay a recorded game against a player, and show where its answers differ.

    The player that COMMAND starts takes the seat NAME. Every turn begins with the recorded
    position, and the opponents give their recorded answers. So you can meet a bug again without
    playing up to it, and see what a change to the player changes.

    \b
        acquire rerun game.xml --seat alice -- python3 player.py {host} {port} {name}
        acquire rerun game.xml --seat alice --from 57 -- ./player {host} {port} {name}
        acquire rerun game.xml --seat alice -- mine.py:Mine
        acquire rerun game.xml --seat alice --from 57 --listen 51234 --turn-timeout 3600
                                                  (and start the player in a debugger)

    Exit codes: 0 all answers and the ending are as recorded; 1 an answer or the ending differs, or
    the player did not connect; 2 it could not begin; 130 and 143 stopped by SIGINT and SIGTERM.
    """
    from ..testing.rerun.rerun_text import draw_rerun
    from .safe_console import SafeConsole

    recorded, subject = read_recorded(log, seat)
    turns = [turn for turn in recorded.turns_of(subject) if first is None or turn >= first]
    if first is not None and not turns:
        last = max(recorded.turns_of(subject), default=0)
        refuse(f"--from {first}: the last turn of {subject!r} in the game is {last}.")
    clocks = clocks_of(recorded, reply_timeout, turn_timeout)
    result = _rerun_once(PlayerOptions.verified(player), recorded, subject, turns, clocks, log)
    SafeConsole().print(draw_rerun(result))
    sys.exit(0 if result.agrees else 1)


def _rerun_once(
    options: PlayerOptions,
    recorded: "GameHistory",
    subject: str,
    turns: Sequence[int],
    clocks: "Clocks",
    log: Path,
) -> "RerunResult":
    from ..testing.rerun import rerunning

    results: list[RerunResult] = []

    async def run(source: "PlayerSource") -> None:
        results.append(await rerunning.rerun(recorded, subject, turns, source, clocks))

    stopped_by = run_with_source(options, subject, run, [log])
    if stopped_by is not None:
        sys.exit(128 + stopped_by)
    return results[0]
