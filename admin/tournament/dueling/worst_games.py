"""The games of a duel that its challenger lost: those not finished, by cause, and the worst others.

Each comes with the log that was written for it and the commands that show it.
"""

import shlex
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from ...refereeing.view.frames import FrameKind
from ..games.result import GameResult, PlayerVerdict
from ..reporting.game_story import Cause, PlayerGames, replay
from ..reporting.report_files import write_logs
from ..store.store import Store
from .contestants import Contestant
from .duel_evidence import DuelQuestion

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
    store: Store, results: Sequence[GameResult], question: DuelQuestion, folder: Path
) -> Losses:
    """Return the challenger's losses, and write their logs to the duel's folder."""
    mine = question.lineup.teams[0]
    failed, lost = [], []
    for result in results:
        own = [seat for seat in result.seats if seat.player in mine]
        if any(not seat.finished for seat in own):
            failed.append((result, all(seat.was_skipped for seat in own)))
        elif (difference := question.difference(result)) < 0:
            lost.append((difference, sum(seat.money for seat in own), result.game, result))
    # a program that was not even started, as it had missed sign-ups before, says nothing
    telling = [result for result, skipped in failed if not skipped][:MAX_REPLAYED]
    games = PlayerGames()
    for result in telling:
        if (replayed := replay(result.game, store.log(result.game))) is None:
            continue
        outputs = store.outputs(result.game)
        for number, seat in enumerate(result.seats, 1):
            if seat.player in mine and not seat.finished:
                games.take(result, number, replayed.story, outputs.get(seat.player, b""))
    causes = games.causes.values()
    faults = [_loss_cause(cause, question.lineup.mine, folder) for cause in causes]
    faults.sort(key=lambda cause: -cause.games)
    worst = tuple(
        _worst_game(store, result, difference, mine, folder)
        for difference, _, _, result in sorted(lost)[:MAX_WORST]
    )
    written = [fault.example for fault in faults] + [each.game for each in worst]
    write_logs(folder, store.logs(written))
    return Losses(len(failed), len(failed) - len(telling), tuple(faults), worst)


def _log(folder: Path, game: str) -> str:
    """Return where the log of a game is written, as typed in a shell."""
    return shlex.quote(str(folder / f"{game}.xml.gz"))


def _loss_cause(cause: Cause, mine: Contestant, folder: Path) -> LossCause:
    """Return a cause with its first loss as an example, and commands that explain and repeat it."""
    first = cause.losses[0]
    seat = first.seat
    log, name = _log(folder, first.game), shlex.quote(seat.player)
    commands = [f"acquire explain {log} --seat {name}"]
    if seat.turn and (command := mine.as_command):
        commands.append(f"acquire rerun {log} --seat {name} --from {seat.turn} -- {command}")
    games = len({loss.game for loss in cause.losses})
    example = (first.game, seat.player, seat.explanation, first.output)
    return LossCause(cause.verdict, cause.title, games, *example, tuple(commands))


def _worst_game(
    store: Store, result: GameResult, difference: float, mine: Collection[str], folder: Path
) -> WorstGame:
    replayed = replay(result.game, store.log(result.game))
    decisive = None if replayed is None else replayed.story.decisive
    turn = decisive.turn if decisive and decisive.turn else None
    log = _log(folder, result.game)
    commands = [f"acquire replay {log}" + (f" --turn {turn}" if turn else "")]
    if replayed is not None and turn is not None:
        last = min(turn, result.turns - 1)
        own = [
            (frame["turn"], name)
            for frame in replayed.frames
            if frame["kind"] == FrameKind.TurnBegan
            and frame["turn"] <= last
            and (name := replayed.story.players[frame["player"]]) in mine
        ]
        if own:
            start, seat = own[-1][0], shlex.quote(own[-1][1])
            played_on = f"--from {start} --seat {seat}=recorded --seat {seat}=investor"
            commands.append(f"acquire replay {log} {played_on}")
    order = sorted(result.seats, key=lambda seat: (seat.rank, -seat.money))
    places = tuple((seat.player, seat.rank, seat.money) for seat in order)
    return WorstGame(result.game, difference, turn, places, tuple(commands))
