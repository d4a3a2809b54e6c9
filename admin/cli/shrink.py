"""``acquire shrink``: the shortest conversation of a match that still breaks a player."""

import itertools
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from admin.cli.console import refuse
from admin.cli.player_command import Entrance, player_options
from admin.cli.recorded_match import (
    clocks_of,
    read_recorded,
    recorded_options,
    with_door,
)

if TYPE_CHECKING:
    from admin.cli.safe_console import SafeConsole
    from admin.rerun.rerunning import Rerun
    from admin.table.clocks import Clocks
    from admin.trial.door import Door
    from admin.trial.recorded import Recorded


@click.command(
    short_help="Find the shortest conversation of a match that still breaks a player.",
    context_settings={"allow_interspersed_args": True},
)
@recorded_options
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where the conversation is saved, as a log.  [default: the log's name and -shrunk]",
)
@player_options
def shrink(
    log: Path,
    seat: str | None,
    reply_timeout: float,
    turn_timeout: float | None,
    out: Path | None,
    **entrance: Any,
) -> None:
    """Find the shortest conversation of a recorded match that still breaks a player.

    The match is driven into the player as by `acquire rerun`. When it is ejected, turns are left
    out as long as it is still ejected in the same way: its last turn alone is tried first. What is
    left is saved as a match log, which `acquire explain` explains and `acquire check --case`
    lays before the player again.

    \b
        acquire shrink match.xml --seat alice -- python3 player.py {host} {port} {name}
        acquire explain match-shrunk.xml
        acquire check --case match-shrunk.xml -- python3 player.py {host} {port} {name}

    Exit codes: 0 it was shrunk and saved; 1 the player was not ejected, or did not come; 2 it could
    not begin, or the result not be saved; 130 and 143 stopped by SIGINT and SIGTERM, after the
    shortest so far was saved.
    """
    recorded, subject = read_recorded(log, seat)
    path = _out(log, out)
    clocks = clocks_of(recorded, reply_timeout, turn_timeout)
    _shrink(Entrance.of(entrance), recorded, subject, clocks, path)


def _out(log: Path, out: Path | None) -> Path:
    """Return where the result goes: a new file, unless one is named."""
    stem = log.name.removesuffix(".gz").removesuffix(".xml")
    path = out
    for count in itertools.count(1):
        if path is not None:
            break
        free = log.with_name(f"{stem}-shrunk{'' if count == 1 else f'-{count}'}.xml")
        path = None if free.exists() else free
    assert path is not None
    if path.exists() and path.samefile(log):
        refuse(f"--out {path} is the log itself. Give another file.")
    existed = path.exists() or path.is_symlink()
    try:
        path.open("ab").close()
    except OSError as error:
        refuse(f"{path} cannot be written: {error.strerror}. Give another --out.")
    if not existed:
        path.unlink()
    return path


def _shrink(
    entrance: Entrance, recorded: "Recorded", subject: str, clocks: "Clocks", path: Path
) -> None:
    """Shrink a match, save what is left, and explain it."""
    from admin.cli.safe_console import SafeConsole
    from admin.view.plain_text import plural

    console = SafeConsole()
    with console.status(f"the whole match: {plural(len(recorded.positions), 'turn')}") as status:

        def tell(trial: int, left: int) -> None:
            status.update(f"trial {trial}: {plural(left, 'turn')}")

        whole, best, stopped_by = _shrunk(entrance, recorded, subject, clocks, tell)
    if not whole:
        sys.exit(128 + (stopped_by or 0))
    if best is None:
        console.print(
            f"The player was not ejected: it answered {plural(len(whole[0].answers), 'question')}, "
            f"{len(whole[0].differing)} of them otherwise than was recorded."
        )
        sys.exit(1)
    _save(best, path)
    _show_shrunk(console, whole[0], best, path, entrance)
    if stopped_by is not None:
        sys.exit(128 + stopped_by)


def _shrunk(
    entrance: Entrance,
    recorded: "Recorded",
    subject: str,
    clocks: "Clocks",
    tell: Callable[[int, int], None],
) -> "tuple[list[Rerun], Rerun | None, int | None]":
    """Return the rerun of the whole match, the shortest that breaks the player, and a signal."""
    from admin.rerun import rerunning
    from admin.rerun.shrinking import Shrinker

    whole: list[Rerun] = []
    shrinkers: list[Shrinker] = []

    async def run(door: "Door") -> None:
        async def drive(turns: Sequence[int]) -> "Rerun":
            return await rerunning.rerun(recorded, subject, turns, door, clocks)

        whole.append(await drive(recorded.turns_of(subject)))
        if rerunning.Break.of(whole[0].tried) is not None:
            shrinkers.append(Shrinker(drive, tell, whole[0]))
            await shrinkers[0].shrink()

    stopped_by = with_door(entrance, subject, run)
    return whole, shrinkers[0].best if shrinkers else None, stopped_by


def _alone(turns: Sequence[int]) -> str:
    """Say which turns are left of a match, and by what numbers they are saved."""
    match turns:
        case []:
            return "the set-up alone will do"
        case [turn]:
            return f"turn {turn} alone will do, which is turn 1 of what is saved"
        case _:
            told = ", ".join(map(str, turns))
            return f"turns {told} will do, which are turns 1 to {len(turns)} of what is saved"


def _save(best: "Rerun", path: Path) -> None:
    try:
        path.write_bytes(best.tried.log)
    except OSError as error:
        refuse(f"{path} cannot be written: {error.strerror}. Give another --out.")


def _show_shrunk(
    console: "SafeConsole", whole: "Rerun", best: "Rerun", path: Path, entrance: Entrance
) -> None:
    """Explain what is left of a match, and say how to try it again."""
    from rich.text import Text

    from admin.explaining.explanation import explain
    from admin.explaining.explanation_text import draw_explanation
    from admin.log.reader import read_bytes
    from admin.view.plain_text import plural

    for explanation in explain(read_bytes(path, best.tried.log), best.tried.name):
        console.print(draw_explanation(explanation))
    lines = [
        f"From {plural(_messages(whole), 'message')} to {_messages(best)}: of the match "
        f"{_alone(best.turns)}.",
        f"Saved in {path}. To try it again: acquire check --case {shlex.quote(str(path))} "
        f"{entrance.again}",
    ]
    console.print(Text("\n" + "\n".join(lines)), soft_wrap=True)


def _messages(found: "Rerun") -> int:
    """Count what was said to the player."""
    return sum(1 for line in found.tried.lines if line.speaker == "A")
