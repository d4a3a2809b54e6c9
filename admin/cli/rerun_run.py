"""Plays a recorded game against a player, for ``acquire rerun``, ``debug`` and ``shrink``."""

import itertools
import shlex
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn, TypeAlias

import click
from rich.text import Text

from ...protocol.files import replace_file, verify_replaceable
from ..advising.explaining.explanation import findings
from ..advising.explaining.explanation_text import draw_explanation
from ..refereeing.log.reader import read, read_bytes
from ..refereeing.play.events import Ejected
from ..refereeing.table.clocks import NO_CLOCKS, Clocks
from ..refereeing.table.run import run_until_stopped
from ..refereeing.view.plain_text import plural, printable
from ..testing.trial.game_history import DivergentLog, GameHistory
from ..testing.trial.player_source import PlayerNotConnected
from ..testing.trial.rerunning import Failure, RerunResult, Shrinker, draw_rerun, rerun
from .chosen_player import ChosenPlayer, attach_player, choose_player
from .console import exit_after, refuse, unwritable_refused
from .rerun import DebugOptions, RerunOptions, SeatOptions, ShrinkOptions
from .safe_console import SafeConsole

Play: TypeAlias = Callable[[Sequence[int]], Awaitable[RerunResult]]
"""Plays some turns against a player."""
ONLY_REASON = (
    "Only the reason and the question were compared: nothing else is known of this failure. Make "
    "sure that it is the mistake you look for."
)


@dataclass(frozen=True, slots=True)
class _RecordedSeat:
    """The seat, the game, and the clocks of the player that takes the seat."""

    log: Path
    game: GameHistory
    seat: str
    clocks: Clocks

    @classmethod
    def read(cls, options: SeatOptions, at_table: Callable[[int], Clocks]) -> "_RecordedSeat":
        """Read a log, and find the seat that the player takes; or refuse.

        ``at_table`` returns the clocks for this number of seats.
        """
        log, seat = options.log, options.seat
        try:
            game = GameHistory(read(log))
        except DivergentLog as error:
            refuse(f"{log}: {error}")
        known = ", ".join(map(repr, game.names))
        if seat is None and len(game.ejected) == 1:
            (seat,) = game.ejected
        elif seat is None:
            count = len(game.ejected)
            ejected = f"{count} players were" if count else "no player was"
            refuse(f"{log}: {ejected} ejected. Choose a seat with --seat. Players: {known}.")
        elif seat not in game.names:
            refuse(f"{log}: no player is called {seat!r}. Players: {known}.")
        return cls(log, game, seat, at_table(len(game.names)))

    @property
    def turns(self) -> Sequence[int]:
        """The turns in which the player is asked anything."""
        return self.game.turns_of(self.seat)

    def play(
        self, player: ChosenPlayer, work: Callable[[Play], Awaitable[None]], *private: Path
    ) -> int | None:
        """Do something that plays turns; return the signal that stopped it, if any.

        The player is not to see the log, nor ``private`` files.
        """
        advice = f"Connect, and sign up as {printable(self.seat)}."

        async def main() -> None:
            async with player.opened(advice, [self.log, *private]) as (_, source):
                await work(lambda turns: rerun(self.game, self.seat, turns, source, self.clocks))

        with exit_if_not_connected():
            return run_until_stopped(main)


@contextmanager
def exit_if_not_connected() -> Iterator[None]:
    """Report a player that did not connect, with its output, and exit with code 1."""
    try:
        yield
    except PlayerNotConnected as error:
        report = error.exit_report
        output = report.output.decode(errors="replace") if report else ""
        click.echo(f"The player did not connect. {error}\n{output}".rstrip(), err=True)
        sys.exit(1)


def run(options: RerunOptions) -> None:
    """Replay a game, and exit with the code for what was found."""
    recorded = _RecordedSeat.read(options.game, options.clocks.at_table)
    turns = [turn for turn in recorded.turns if options.first is None or turn >= options.first]
    if options.first is not None and not turns:
        _refuse_turn(f"--from {options.first}", recorded)
    _show_rerun(recorded, turns, choose_player(options.player))


def debug(options: DebugOptions) -> None:
    """Start a player at a turn; replay it, and exit with the code for what was found."""
    recorded = _RecordedSeat.read(options.game, lambda _: NO_CLOCKS)
    if options.turn not in recorded.turns:
        _refuse_turn(f"--turn {options.turn}", recorded)
    first = 1 if options.whole else options.turn
    turns = [turn for turn in recorded.turns if first <= turn <= options.turn]
    _show_rerun(recorded, turns, attach_player(options.command))


def _refuse_turn(option: str, recorded: _RecordedSeat) -> NoReturn:
    last = max(recorded.turns, default=0)
    refuse(f"{option}: the last turn of {recorded.seat!r} in the game is {last}.")


def _show_rerun(recorded: _RecordedSeat, turns: Sequence[int], player: ChosenPlayer) -> NoReturn:
    """Replay turns against a player, show what differs, and exit with the code for that."""
    results: list[RerunResult] = []

    async def work(play: Play) -> None:
        results.append(await play(turns))

    stopped_by = recorded.play(player, work)
    if stopped_by is not None:
        exit_after(stopped_by)
    (result,) = results
    SafeConsole().print(draw_rerun(result))
    sys.exit(0 if result.agrees else 1)


def shrink(options: ShrinkOptions) -> None:
    """Cut a game, save the shortest that was found, and exit with the code for how that went."""
    recorded = _RecordedSeat.read(options.game, options.clocks.at_table)
    player = choose_player(options.player)
    path = _output_path(recorded.log, options.out, player.distrusted_folder)
    console = SafeConsole()
    turns = plural(len(recorded.game.positions), "turn")
    reruns: list[RerunResult] = []
    shrinkers: list[Shrinker] = []
    with console.status(f"the whole game: {turns}") as status:

        def on_trial(trial: int, turns: int) -> None:
            status.update(f"trial {trial}: {plural(turns, 'turn')}")

        async def work(play: Play) -> None:
            reruns.append(await play(recorded.turns))
            if Failure.in_trial(reruns[0].trial) is not None:
                shrinkers.append(Shrinker(play, on_trial, reruns[0]))
                await shrinkers[0].shrink()

        stopped_by = recorded.play(player, work, path)
    if not reruns:
        exit_after(stopped_by)
    (whole,) = reruns
    if not shrinkers:
        answered = plural(len(whole.comparisons), "question")
        console.print(
            f"The player was not ejected: it answered {answered}, {len(whole.differing)} of them "
            "not as recorded. Nothing is saved. If it fails by chance, try again; `acquire rerun` "
            "shows the first answer that differs."
        )
        sys.exit(1)
    with unwritable_refused(path, "Give another --out."):
        replace_file(path, shrinkers[0].best.trial.log, player.distrusted_folder)
    _show_result(console, whole, shrinkers[0].best, path, player)
    exit_after(stopped_by)


def _output_path(log: Path, out: Path | None, folder: Path | None) -> Path:
    """Return where to save the result: ``out``, or else a new file in the current folder.

    It is known to be writable. Beside the log it might be in a report, which an audit would refuse.
    """
    stem = log.name.removesuffix(".gz").removesuffix(".xml")
    candidates = (
        Path(f"{stem}-shrunk{'' if count == 1 else f'-{count}'}.xml")
        for count in itertools.count(1)
    )
    path = out or next(path for path in candidates if not path.exists())
    if path.exists() and path.samefile(log):
        refuse(f"--out {path} is the log itself. Give another file.")
    with unwritable_refused(path, "Give another --out."):
        verify_replaceable(path, folder)
    return path


def _show_result(
    console: SafeConsole, whole: RerunResult, best: RerunResult, path: Path, player: ChosenPlayer
) -> None:
    record = read_bytes(path, best.trial.log)
    for explanation in findings(record, best.trial.name).explanations:
        detail = best.early_exit or explanation.detail
        console.print(draw_explanation(replace(explanation, detail=detail)))
    before, after = (
        sum(1 for entry in result.trial.transcript if entry.sender == "A")
        for result in (whole, best)
    )
    several = sum(isinstance(event, Ejected) for event in best.trial.events) > 1
    seat = f"--seat {shlex.quote(best.trial.name)} " if several else ""
    lines = [
        f"Shrunk from {plural(before, 'message')} to {after}: {_needed(best.turns)}",
        *([ONLY_REASON] if best.reason_only else []),
        f"Saved in {path}. To play it again: acquire check --case {shlex.quote(str(path))} "
        f"{seat}{player.as_arguments}",
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
