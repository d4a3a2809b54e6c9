"""``acquire shrink``: cuts a game to the fewest turns that still get a player ejected."""

import itertools
import shlex
import sys
from collections.abc import Callable, Sequence
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
    from .safe_console import SafeConsole


@click.command(
    short_help="Cut a game to the fewest turns that still get the player ejected.",
    context_settings={"allow_interspersed_args": True},
)
@rerun_options
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where to save the result, a game log.  [default: the log's name with -shrunk]",
)
@player_options
def shrink(
    log: Path,
    seat: str | None,
    reply_timeout: float,
    turn_timeout: float | None,
    out: Path | None,
    **player: Any,
) -> None:
    """Cut a recorded game to the fewest turns that still get a player ejected.

    The game is played against the player as by `acquire rerun`. If it is ejected, turns are left
    out as long as it is still ejected for the same reason. The result is saved as a game log:
    `acquire explain` explains it, and `acquire check --case` plays it against the player again.

    \b
        acquire shrink game.xml --seat alice -- python3 player.py {host} {port} {name}
        acquire shrink game.xml --seat alice -- mine.py:Mine
        acquire explain game-shrunk.xml
        acquire check --case game-shrunk.xml -- python3 player.py {host} {port} {name}

    Exit codes: 0 shrunk and saved; 1 the player was not ejected, or did not connect; 2 it could not
    begin, or the result could not be saved; 130 and 143 stopped by SIGINT and SIGTERM, after saving
    the shortest result so far.
    """
    recorded, subject = read_recorded(log, seat)
    options = PlayerOptions.verified(player)
    path = _output_path(log, out, options.distrusted_folder)
    clocks = clocks_of(recorded, reply_timeout, turn_timeout)
    _shrink(options, recorded, subject, clocks, log, path)


def _output_path(log: Path, out: Path | None, folder: Path | None) -> Path:
    """Return where to save the result: ``out``, or else a new file. It is known to be writable."""
    path = out or _unused_path(log)
    if path.exists() and path.samefile(log):
        refuse(f"--out {path} is the log itself. Give another file.")
    from ..testing.reports.check_files import verify_replaceable

    try:
        verify_replaceable(path, folder)
    except OSError as error:
        refuse(f"Cannot write {path}: {error.strerror}. Give another --out.")
    return path


def _unused_path(log: Path) -> Path:
    stem = log.name.removesuffix(".gz").removesuffix(".xml")
    candidates = (
        log.with_name(f"{stem}-shrunk{'' if count == 1 else f'-{count}'}.xml")
        for count in itertools.count(1)
    )
    return next(path for path in candidates if not path.exists())


def _shrink(
    options: PlayerOptions,
    recorded: "GameHistory",
    subject: str,
    clocks: "Clocks",
    log: Path,
    path: Path,
) -> None:
    """Shrink a game, save the result, and explain it."""
    from ..refereeing.view.plain_text import plural
    from .safe_console import SafeConsole

    console = SafeConsole()
    with console.status(f"the whole game: {plural(len(recorded.positions), 'turn')}") as status:

        def on_trial(trial: int, turns: int) -> None:
            status.update(f"trial {trial}: {plural(turns, 'turn')}")

        whole, best, stopped_by = _find_shortest(
            options, recorded, subject, clocks, on_trial, [log, path]
        )
    if whole is None:
        sys.exit(128 + (stopped_by or 0))
    if best is None:
        answered = plural(len(whole.comparisons), "question")
        console.print(
            f"The player was not ejected: it answered {answered}, {len(whole.differing)} of them "
            "not as recorded."
        )
        sys.exit(1)
    _save(best, path, options.distrusted_folder)
    _show_result(console, whole, best, path, options)
    if stopped_by is not None:
        sys.exit(128 + stopped_by)


def _find_shortest(
    options: PlayerOptions,
    recorded: "GameHistory",
    subject: str,
    clocks: "Clocks",
    on_trial: Callable[[int, int], None],
    private: Sequence[Path],
) -> "tuple[RerunResult | None, RerunResult | None, int | None]":
    """Return the rerun of the whole game, the shortest with the same failure, and a signal."""
    from ..testing.rerun import rerunning
    from ..testing.rerun.shrinking import Shrinker

    whole: list[RerunResult] = []
    shrinkers: list[Shrinker] = []

    async def run(source: "PlayerSource") -> None:
        async def play(turns: Sequence[int]) -> "RerunResult":
            return await rerunning.rerun(recorded, subject, turns, source, clocks)

        whole.append(await play(recorded.turns_of(subject)))
        if rerunning.Failure.in_trial(whole[0].trial) is not None:
            shrinkers.append(Shrinker(play, on_trial, whole[0]))
            await shrinkers[0].shrink()

    stopped_by = run_with_source(options, subject, run, private)
    best = shrinkers[0].best if shrinkers else None
    return whole[0] if whole else None, best, stopped_by


def _save(best: "RerunResult", path: Path, folder: Path | None) -> None:
    from ..testing.reports.check_files import replace_file

    try:
        replace_file(path, best.trial.log, folder)
    except OSError as error:
        refuse(f"Cannot write {path}: {error.strerror}. Give another --out.")


def _show_result(
    console: "SafeConsole",
    whole: "RerunResult",
    best: "RerunResult",
    path: Path,
    options: PlayerOptions,
) -> None:
    """Explain the ejection in the result, and print how to play it again."""
    from dataclasses import replace

    from rich.text import Text

    from ..advising.explaining.explanation import explain
    from ..advising.explaining.explanation_text import draw_explanation
    from ..refereeing.log.reader import read_bytes
    from ..refereeing.view.plain_text import plural

    for explanation in explain(read_bytes(path, best.trial.log), best.trial.name):
        detail = best.early_exit or explanation.detail
        console.print(draw_explanation(replace(explanation, detail=detail)))
    lines = [
        f"Shrunk from {plural(_messages(whole), 'message')} to {_messages(best)}: "
        f"{_needed(best.turns)}",
        f"Saved in {path}. To play it again: acquire check --case {shlex.quote(str(path))} "
        f"{options.as_arguments}",
    ]
    console.print(Text("\n" + "\n".join(lines)), soft_wrap=True)


def _needed(turns: Sequence[int]) -> str:
    """Return which turns of the game are needed, and their numbers in the saved log."""
    match turns:
        case []:
            return "only the set-up is needed."
        case [turn]:
            return f"only turn {turn} of the game is needed (turn 1 of the saved log)."
        case _:
            listed = ", ".join(map(str, turns))
            return f"turns {listed} of the game are needed (1 to {len(turns)} of the saved log)."


def _messages(result: "RerunResult") -> int:
    """Count the messages that were sent to the player."""
    return sum(1 for entry in result.trial.transcript if entry.sender == "A")
