"""A game of built-in players: a pure function that can be called in any process.

Arguments and results are plain values, so that a process pool, a cluster and this process all
produce the same bytes.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from ....game.rulebook import Rulebook
from ....protocol.dialect import Dialect
from ....protocol.faults import Fault, Reason
from ....protocol.messages import PlayerMessage, RefereeMessage
from ....protocol.strategy_file import traceback_of
from ...refereeing.play.in_process import LocalSeat, drive
from ...refereeing.play.referee import Referee
from ..games.result import FailedGame, FinishedGame, PlayerVerdict
from ..games.result_so_far import Testimony
from ..planning.game_seeds import seed_of
from ..planning.schedule import Game
from .game_recorder import GameRecorder
from .game_settings import GameSettings

if TYPE_CHECKING:
    from ...refereeing.play.in_process import Strategy


class BuiltInSeat:
    """The ``seat`` of a built-in player. If its strategy raises, the player loses its game.

    Strategies may come from other distributions, so an exception is not a bug of ours.
    """

    def __init__(self, name: str, strategy: "Strategy", kind: str, dialect: Dialect) -> None:
        self.seat = LocalSeat(name, strategy, kind, dialect, self._at_error)
        self.error = ""
        """What the strategy raised, as a sentence."""
        self.output = b""
        """The traceback."""

    def _at_error(self, error: BaseException) -> Fault:
        """Return the fault of a lost connection."""
        self.error = f"The strategy {self.seat.kind} raised {_text_of(error)}."
        self.output = f"{traceback_of(error)}\n".encode(errors="replace")
        return Fault(Reason.DISCONNECTED, self.error)


def _text_of(error: BaseException) -> str:
    try:
        return repr(error)
    except Exception:  # the representation is the strategy's, too
        return type(error).__name__


def seat_built_in_players(settings: GameSettings, game: Game) -> dict[str, BuiltInSeat]:
    """Return the built-in players of a game; their random choices depend on the game alone."""
    rulebook, strategies, folder = settings.rulebook, dict(settings.strategies), settings.folder
    dialect = Dialect.of(rulebook)
    return {
        name: BuiltInSeat(
            name,
            _make(strategies[name], folder, rulebook, seed_of(game.seed, f"{game.id} {name}")),
            strategies[name],
            dialect,
        )
        for name in game.players
        if name in strategies
    }


def _make(strategy: str, folder: str, rulebook: Rulebook, seed: int) -> "Strategy":
    """Make a built-in player; if that fails, return one that raises at the first question."""
    maker = _maker(strategy, folder)
    try:
        return maker(rulebook, seed)
    except (Exception, SystemExit) as error:
        return partial(_raise, error)


def _raise(error: BaseException, _message: RefereeMessage) -> PlayerMessage:
    raise error


@cache
def _maker(strategy: str, folder: str) -> "Callable[[Rulebook, int], Strategy]":
    from ....protocol.plugins import load_strategy

    return load_strategy(strategy, Path(folder))


def play_built_in_game(settings: GameSettings, game: Game) -> FinishedGame:
    """Play one game of built-in players."""
    strategies = dict(settings.strategies)
    recorder = GameRecorder(game, settings.rulebook, strategies, duplicate=settings.duplicate)
    seats = seat_built_in_players(settings, game)
    dealer = recorder.dealer
    referee = Referee(settings.rulebook, game.players, dealer.bag, dealer.shuffle, recorder.emit)
    outcome = drive(referee.play(), {name: player.seat for name, player in seats.items()})
    testimony = {
        name: Testimony(PlayerVerdict.CRASHED, seats[name].error)
        for name in recorder.ejections
        if name in seats and seats[name].error
    }
    for name, version in settings.versions:
        testimony[name] = testimony.get(name, Testimony())._replace(version=version)
    log = recorder.close()
    outputs = {name: seat.output for name, seat in seats.items() if seat.output}
    return FinishedGame(recorder.result(outcome, testimony), log, outputs)


def play_batch(settings: GameSettings, games: Sequence[Game]) -> list[FinishedGame | FailedGame]:
    """Play some games one after the other; if one fails, the others are played all the same."""
    import traceback

    played: list[FinishedGame | FailedGame] = []
    for game in games:
        try:
            played.append(play_built_in_game(settings, game))
        except Exception as error:
            text = "".join(traceback.format_exception(error))
            played.append(FailedGame(game.id, "A bug of the referee broke it off.", text))
    return played
