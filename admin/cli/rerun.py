"""``acquire rerun``: a recorded match driven into a player again, and its answers compared."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from admin.cli.console import refuse
from admin.cli.player_command import Entrance, player_options
from admin.cli.recorded_match import clocks_of, read_recorded, recorded_options, with_door

if TYPE_CHECKING:
    from admin.rerun.rerunning import Rerun
    from admin.table.clocks import Clocks
    from admin.trial.door import Door
    from admin.trial.recorded import Recorded


@click.command(
    short_help="Drive a recorded match into a player again, and compare its answers.",
    context_settings={"allow_interspersed_args": True},
)
@recorded_options
@click.option(
    "--from",
    "first",
    type=click.IntRange(1),
    metavar="TURN",
    help="Begin with this turn: the position before it is laid out.",
)
@player_options
def rerun(
    log: Path,
    seat: str | None,
    reply_timeout: float,
    turn_timeout: float | None,
    first: int | None,
    **entrance: Any,
) -> None:
    """Drive a recorded match into a player again, and show where it answers otherwise.

    The player that COMMAND starts takes the seat NAME. History is forced: every turn begins with
    the recorded position, and the others say what they said. So a mistake is met again without
    playing up to it, and what a change of the player changes is seen.

    \b
        acquire rerun match.xml --seat alice -- python3 player.py {host} {port} {name}
        acquire rerun match.xml --seat alice --from 57 -- ./player {host} {port} {name}
        acquire rerun match.xml --seat alice --from 57 --listen 51234 --turn-timeout 3600
                                                  (and start the player in a debugger)

    Exit codes: 0 all answers are as recorded, and it ended as it did; 1 one differs, and the
    first is shown beside the recorded one, or it ended otherwise, or the player did not come;
    2 it could not begin; 130 and 143 stopped by SIGINT and SIGTERM.
    """
    recorded, subject = read_recorded(log, seat)
    turns = [turn for turn in recorded.turns_of(subject) if first is None or turn >= first]
    if first is not None and not turns:
        last = max(recorded.turns_of(subject), default=0)
        refuse(f"--from {first}: {subject!r} was at the table until turn {last}.")
    clocks = clocks_of(recorded, reply_timeout, turn_timeout)
    found = _driven(Entrance.of(entrance), recorded, subject, turns, clocks)

    from admin.cli.safe_console import SafeConsole
    from admin.rerun.rerun_text import draw_rerun

    SafeConsole().print(draw_rerun(found))
    sys.exit(0 if found.agrees else 1)


def _driven(
    entrance: Entrance,
    recorded: "Recorded",
    subject: str,
    turns: Sequence[int],
    clocks: "Clocks",
) -> "Rerun":
    """Drive turns into the player once."""
    from admin.rerun import rerunning

    found: list[Rerun] = []

    async def run(door: "Door") -> None:
        found.append(await rerunning.rerun(recorded, subject, turns, door, clocks))

    stopped_by = with_door(entrance, subject, run)
    if stopped_by is not None:
        sys.exit(128 + stopped_by)
    return found[0]
