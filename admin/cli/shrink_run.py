"""Cuts a game for ``acquire shrink``, saves the result, and explains it."""

import itertools
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from rich.text import Text

from ..advising.explaining.explanation import explain
from ..advising.explaining.explanation_text import draw_explanation
from ..refereeing.log.reader import read_bytes
from ..refereeing.view.plain_text import plural
from ..testing.reports.check_files import replace_file, verify_replaceable
from ..testing.rerun.rerunning import Failure, RerunResult, Shrinker
from ..testing.trial.player_source import PlayerSource
from .chosen_player import ChosenPlayer, choose_player
from .console import exit_after, refuse, unwritable_refused
from .recorded_seat import RecordedSeat, run_with_source
from .safe_console import SafeConsole
from .shrink import ShrinkOptions


def run(options: ShrinkOptions) -> None:
    """Cut a game, save the shortest that was found, and exit with the code for how that went."""
    recorded = RecordedSeat.read(options.recorded.game, options.recorded.clocks.at_table)
    player = choose_player(options.player)
    path = _output_path(recorded.log, options.out, player.distrusted_folder)
    console = SafeConsole()
    turns = plural(len(recorded.game.positions), "turn")
    with console.status(f"the whole game: {turns}") as status:

        def on_trial(trial: int, turns: int) -> None:
            status.update(f"trial {trial}: {plural(turns, 'turn')}")

        whole, best, stopped_by = _find_shortest(recorded, player, on_trial, path)
    if whole is None:
        exit_after(stopped_by)
    if best is None:
        answered = plural(len(whole.comparisons), "question")
        console.print(
            f"The player was not ejected: it answered {answered}, {len(whole.differing)} of them "
            "not as recorded."
        )
        sys.exit(1)
    with unwritable_refused(path, "Give another --out."):
        replace_file(path, best.trial.log, player.distrusted_folder)
    _show_result(console, whole, best, path, player)
    exit_after(stopped_by)


def _output_path(log: Path, out: Path | None, folder: Path | None) -> Path:
    """Return where to save the result: ``out``, or else a new file. It is known to be writable."""
    stem = log.name.removesuffix(".gz").removesuffix(".xml")
    candidates = (
        log.with_name(f"{stem}-shrunk{'' if count == 1 else f'-{count}'}.xml")
        for count in itertools.count(1)
    )
    path = out or next(path for path in candidates if not path.exists())
    if path.exists() and path.samefile(log):
        refuse(f"--out {path} is the log itself. Give another file.")
    with unwritable_refused(path, "Give another --out."):
        verify_replaceable(path, folder)
    return path


def _find_shortest(
    recorded: RecordedSeat, player: ChosenPlayer, on_trial: Callable[[int, int], None], path: Path
) -> tuple[RerunResult | None, RerunResult | None, int | None]:
    """Return the rerun of the whole game, the shortest with the same failure, and a signal."""
    whole: list[RerunResult] = []
    shrinkers: list[Shrinker] = []

    async def run(source: PlayerSource) -> None:
        async def play(turns: Sequence[int]) -> RerunResult:
            return await recorded.rerun(turns, source)

        whole.append(await play(recorded.turns))
        if Failure.in_trial(whole[0].trial) is not None:
            shrinkers.append(Shrinker(play, on_trial, whole[0]))
            await shrinkers[0].shrink()

    stopped_by = run_with_source(recorded, player, run, path)
    best = shrinkers[0].best if shrinkers else None
    return whole[0] if whole else None, best, stopped_by


def _show_result(
    console: SafeConsole, whole: RerunResult, best: RerunResult, path: Path, player: ChosenPlayer
) -> None:
    """Explain the ejection in the result, and print how to play it again."""
    for explanation in explain(read_bytes(path, best.trial.log), best.trial.name):
        detail = best.early_exit or explanation.detail
        console.print(draw_explanation(replace(explanation, detail=detail)))
    before, after = (
        sum(1 for entry in result.trial.transcript if entry.sender == "A")
        for result in (whole, best)
    )
    lines = [
        f"Shrunk from {plural(before, 'message')} to {after}: {_needed(best.turns)}",
        f"Saved in {path}. To play it again: acquire check --case {shlex.quote(str(path))} "
        f"{player.as_arguments}",
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
