"""``acquire rerun`` and ``acquire shrink``: the options, and how both begin and end."""

import itertools
import shlex
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from admin.trial.entrance import SECONDS, Entrance, player_options

if TYPE_CHECKING:
    from admin.progress import Outlet
    from admin.rerun.rerunning import Rerun
    from admin.table import Clocks
    from admin.trial.door import Door, Listening
    from admin.trial.recorded import Recorded


def recorded_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add what both commands are told of the log, and of the clocks."""
    for option in reversed(
        [
            click.argument("log", type=click.Path(path_type=Path)),
            click.option(
                "--seat",
                metavar="NAME",
                help="Whose seat the player takes; needed unless one alone was ejected.",
            ),
            click.option(
                "--reply-timeout",
                type=SECONDS,
                default=1.0,
                show_default=True,
                metavar="S",
                help="Seconds for the answer to any message but a turn; many, under a debugger.",
            ),
            click.option(
                "--turn-timeout",
                type=SECONDS,
                metavar="S",
                help="Seconds for all that the mover thinks in a turn.  [default: 3 x (seats + 1)]",
            ),
        ]
    ):
        command = option(command)
    return command


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
    recorded, subject = _recorded(log, seat)
    turns = [turn for turn in recorded.turns_of(subject) if first is None or turn >= first]
    if first is not None and not turns:
        last = max(recorded.turns_of(subject), default=0)
        _refuse(f"--from {first}: {subject!r} was at the table until turn {last}.")
    clocks = _clocks(recorded, reply_timeout, turn_timeout)
    found = _driven(Entrance.of(entrance), recorded, subject, turns, clocks)

    from admin.progress import Outlet
    from admin.rerun.drawing import draw_rerun

    Outlet().print(draw_rerun(found))
    sys.exit(0 if found.agrees else 1)


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
    recorded, subject = _recorded(log, seat)
    path = _out(log, out)
    clocks = _clocks(recorded, reply_timeout, turn_timeout)
    _shrink(Entrance.of(entrance), recorded, subject, clocks, path)


# -- before it begins ---------------------------------------------------------------------------


def _refuse(text: str) -> NoReturn:
    from admin.board import printable

    click.echo(f"Error: {printable(text)}", err=True)
    sys.exit(2)


def _recorded(log: Path, seat: str | None) -> "tuple[Recorded, str]":
    """Read a log, and find out whose seat is meant."""
    from admin.record import UnreadableLog, read
    from admin.trial.recorded import CannotFollow, Recorded

    try:
        recorded = Recorded(read(log))
    except UnreadableLog as error:
        _refuse(str(error))
    except CannotFollow as error:
        _refuse(f"{log}: {error}")
    names = recorded.names
    known = ", ".join(map(repr, names))
    if seat is None and len(recorded.ejected) == 1:
        return recorded, next(iter(recorded.ejected))
    if seat is None:
        how_many = "nobody was" if not recorded.ejected else f"{len(recorded.ejected)} were"
        _refuse(f"{log}: {how_many} ejected; say whose seat the player takes, by --seat: {known}.")
    if seat not in names:
        _refuse(f"{log}: nobody is called {seat!r}. There are: {known}.")
    return recorded, seat


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
        _refuse(f"--out {path} is the log itself. Give another file.")
    existed = path.exists() or path.is_symlink()
    try:
        path.open("ab").close()
    except OSError as error:
        _refuse(f"{path} cannot be written: {error.strerror}. Give another --out.")
    if not existed:
        path.unlink()
    return path


def _clocks(recorded: "Recorded", reply: float, turn: float | None) -> "Clocks":
    from admin.table import Clocks

    return Clocks(reply, turn or 3.0 * (len(recorded.names) + 1))


# -- driving ------------------------------------------------------------------------------------


def _with_door(
    entrance: Entrance, subject: str, run: "Callable[[Door], Awaitable[None]]"
) -> int | None:
    """Run what needs the player's door; return the signal that stopped it, if one did."""
    from admin.board import printable
    from admin.run import run_until_stopped
    from admin.trial.door import NoShow

    def tell(door: "Listening") -> None:
        where = " and ".join(door.addresses)
        click.echo(f"Listening on {where}. Connect, and sign up as {printable(subject)}.")

    with entrance.opened(tell) as (_, open_door):

        async def main() -> None:
            async with open_door() as door:
                await run(door)

        try:
            stopped_by = run_until_stopped(main)
        except NoShow as absent:
            output = absent.departure.output.decode(errors="replace") if absent.departure else ""
            how = f" {absent.departure.how}" if absent.departure else ""
            click.echo(f"The player did not come. {absent}{how}\n{output}".rstrip(), err=True)
            sys.exit(1)
    return stopped_by


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

    stopped_by = _with_door(entrance, subject, run)
    if stopped_by is not None:
        sys.exit(128 + stopped_by)
    return found[0]


def _shrink(
    entrance: Entrance, recorded: "Recorded", subject: str, clocks: "Clocks", path: Path
) -> None:
    """Shrink a match, save what is left, and explain it."""
    from admin.progress import Outlet, plural

    console = Outlet()
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

    stopped_by = _with_door(entrance, subject, run)
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
        _refuse(f"{path} cannot be written: {error.strerror}. Give another --out.")


def _show_shrunk(
    console: "Outlet", whole: "Rerun", best: "Rerun", path: Path, entrance: Entrance
) -> None:
    """Explain what is left of a match, and say how to try it again."""
    from rich.text import Text

    from admin.explaining.drawing import draw_explanation
    from admin.explaining.explanation import explain
    from admin.progress import plural
    from admin.record import read_bytes

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
