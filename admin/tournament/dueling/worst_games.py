"""The games of a duel that its challenger lost: those not finished, by cause, and the worst others.

Each comes with the log that was written for it and the commands that show it.
"""

import shlex
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ...refereeing.view.frames import FrameKind
from ..games.result import GameResult
from ..games.verdict import PlayerVerdict
from ..reporting.game_story import ReplayedGame, replay
from ..reporting.losses import Cause, Loss, PlayerGames
from ..reporting.report_files import write_logs
from ..store.store import Store
from .contestants import Contestant
from .duel_plan import Lineup
from .measures import Measure

MAX_WORST = 3
"""Games played to the end that are listed."""
MAX_REPLAYED = 12
"""Games not finished that are replayed to find the cause; more are only counted."""


class LossCause(NamedTuple):
    """A cause for which a contestant did not finish games, so that it lost them.

    ``example`` is the first of them, in which ``player`` was the contestant's seat; ``sentence``
    and ``output``, the end of what the program printed or the traceback of a class, are of that
    one.
    """

    verdict: PlayerVerdict
    title: str
    games: int
    example: str
    player: str
    sentence: str
    output: str
    commands: tuple[str, ...]


class WorstGame(NamedTuple):
    """A game in which the challenger did badly; ``turn`` is the decisive one if it is known.

    ``places`` are the players in the order of their places, with their money.
    """

    game: str
    difference: float
    turn: int | None
    places: tuple[tuple[str, int, int], ...]
    commands: tuple[str, ...]


class Losses(NamedTuple):
    """What a contestant lost: games that it did not finish, in all and by cause, and bad games.

    ``not_replayed`` are those of ``unfinished`` whose cause was not looked for.
    """

    unfinished: int = 0
    not_replayed: int = 0
    faults: tuple[LossCause, ...] = ()
    worst: tuple[WorstGame, ...] = ()


def losses_of(
    store: Store, results: Sequence[GameResult], lineup: Lineup, measure: Measure, folder: Path
) -> Losses:
    """Return the challenger's losses, and write their logs to the duel's folder."""
    mine = lineup.teams[0]
    failed = [
        result
        for result in results
        if any(seat.player in mine and not seat.finished for seat in result.seats)
    ]
    telling = [result for result in failed if not _was_skipped(result, mine)][:MAX_REPLAYED]
    faults = _faults(store, telling, lineup, folder)
    without = {result.game for result in failed}
    lost = [
        (measure.difference(result, mine), _own_money(result, mine), result)
        for result in results
        if result.game not in without
    ]
    lost = [each for each in lost if each[0] < 0]
    lost.sort(key=lambda each: (*each[:2], each[2].game))
    worst = tuple(
        _worst_game(store, result, difference, mine, folder)
        for difference, _, result in lost[:MAX_WORST]
    )
    written = [fault.example for fault in faults] + [each.game for each in worst]
    write_logs(folder, store.logs(written))
    return Losses(len(failed), len(failed) - len(telling), faults, worst)


def _was_skipped(result: GameResult, mine: Collection[str]) -> bool:
    """Whether the contestant was not even started, as it had missed sign-ups before."""
    return all(seat.was_skipped for seat in result.seats if seat.player in mine)


def _own_money(result: GameResult, mine: Collection[str]) -> int:
    return sum(seat.money for seat in result.seats if seat.player in mine)


def log_file(folder: Path, game: str) -> Path:
    """Return where the log of a game is written."""
    return folder / f"{game}.xml.gz"


# -- games not finished -------------------------------------------------------------------------


def _faults(
    store: Store, failed: Sequence[GameResult], lineup: Lineup, folder: Path
) -> tuple[LossCause, ...]:
    """Return the causes of games not finished, the most frequent first."""
    games = PlayerGames()
    for result in failed:
        replayed = replay(result.game, store.log(result.game))
        if replayed is None:
            continue
        outputs = store.outputs(result.game)
        for number, seat in enumerate(result.seats, 1):
            if seat.player in lineup.teams[0] and not seat.finished:
                output = outputs.get(seat.player, b"")
                games.take(result, number, replayed.story, output)
    causes = [_loss_cause(cause, lineup.mine, folder) for cause in games.causes.values()]
    return tuple(sorted(causes, key=lambda cause: -cause.games))


def _loss_cause(cause: Cause, mine: Contestant, folder: Path) -> LossCause:
    """Return a cause with its first loss as an example."""
    first = cause.losses[0]
    return LossCause(
        cause.verdict,
        cause.title,
        len({loss.game for loss in cause.losses}),
        first.game,
        first.player,
        first.sentence,
        first.output,
        _loss_commands(first, mine, folder),
    )


def _loss_commands(loss: Loss, mine: Contestant, folder: Path) -> tuple[str, ...]:
    """Return the commands that explain a loss, and repeat it."""
    log, name = shlex.quote(str(log_file(folder, loss.game))), shlex.quote(loss.player)
    explain = f"acquire explain {log} --seat {name}"
    if not loss.turn or not (command := mine.as_command):
        return (explain,)
    return (explain, f"acquire rerun {log} --seat {name} --from {loss.turn} -- {command}")


# -- games played to the end --------------------------------------------------------------------


def _worst_game(
    store: Store, result: GameResult, difference: float, mine: Collection[str], folder: Path
) -> WorstGame:
    replayed = replay(result.game, store.log(result.game))
    decisive = replayed.story.decisive if replayed else None
    turn = decisive.turn if decisive and decisive.turn else None
    order = sorted(result.seats, key=lambda seat: (seat.rank, -seat.money))
    return WorstGame(
        result.game,
        difference,
        turn,
        tuple((seat.player, seat.rank, seat.money) for seat in order),
        tuple(_commands(result, replayed, turn, mine, folder)),
    )


def _commands(
    result: GameResult,
    replayed: ReplayedGame | None,
    turn: int | None,
    mine: Collection[str],
    folder: Path,
) -> Iterator[str]:
    log = shlex.quote(str(log_file(folder, result.game)))
    yield f"acquire replay {log}" + (f" --turn {turn}" if turn else "")
    if replayed is None or turn is None:
        return
    moves = [
        (frame["turn"], replayed.story.players[frame["player"]])
        for frame in replayed.frames
        if frame["kind"] == FrameKind.TURN
        and frame["turn"] <= turn
        and frame["turn"] < result.turns
    ]
    own = [(number, name) for number, name in moves if name in mine]
    if own:
        number, name = own[-1]
        seat = shlex.quote(name)
        yield (
            f"acquire replay {log} --from {number} --seat {seat}=recorded --seat {seat}=investor"
        )
