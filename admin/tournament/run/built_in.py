"""A game of built-in players: a pure function that can be called in any process.

Arguments and results are plain values, so that a process pool, a cluster and this process all
produce the same bytes.
"""

import traceback
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from ....game.rulebook import Rulebook
from ....protocol.dialect import Dialect
from ....protocol.faults import Fault, Reason
from ....protocol.messages import PlayerMessage, RefereeMessage
from ....protocol.plugins import StrategyFactory, load_strategy, traceback_of
from ....protocol.rulebook_file import to_json
from ...refereeing.play.in_process import LocalSeat, Strategy, drive
from ...refereeing.play.referee import Referee
from ..games.result import FailedGame, FinishedGame, PlayerVerdict
from ..planning.game_seeds import seed_of
from ..planning.plan import Plan
from ..planning.schedule import Game
from .game_recorder import GameRecorder, GameSettings, Testimony


@cache
def _loaded(kind: str, folder: Path, _version: str) -> StrategyFactory:
    """Load a strategy; one in a file that was changed has another version, and is loaded again."""
    return load_strategy(kind, folder)


def game_settings(plan: Plan) -> GameSettings:
    """Return the settings of a plan's games."""
    strategies = {each.name: each.strategy for each in plan.players if each.strategy}
    versions = {each.name: each.version for each in plan.players if each.version}
    rulebook = to_json(plan.tournament.rulebook_value())
    return GameSettings(rulebook, plan.duplicate, strategies, str(plan.folder), versions)


class BuiltInSeat:
    """The ``seat`` of a built-in player. If its strategy raises, the player loses its game.

    Strategies may come from other distributions, so an exception is not a bug of ours.
    """

    def __init__(self, name: str, strategy: Strategy, kind: str, dialect: Dialect) -> None:
        self.seat = LocalSeat(name, strategy, kind, dialect, self._at_error)
        self.error = ""  # what the strategy raised, as a sentence
        self.output = b""  # the traceback

    def _at_error(self, error: BaseException) -> Fault:
        try:
            text = repr(error)
        except Exception:  # the representation is the strategy's, too
            text = type(error).__name__
        self.error = f"The strategy {self.seat.kind} raised {text}."
        self.output = f"{traceback_of(error)}\n".encode(errors="replace")
        return Fault(Reason.DISCONNECTED, self.error)


def seat_built_in_players(settings: GameSettings, game: Game) -> dict[str, BuiltInSeat]:
    """Return the built-in players of a game; their random choices depend on the game alone."""
    rulebook, folder = settings.rulebook, Path(settings.folder)
    seats = {}
    for name in game.players:
        if (kind := settings.strategies.get(name)) is not None:
            maker = _loaded(kind, folder, settings.versions.get(name, ""))
            strategy = _made(maker, rulebook, seed_of(game.seed, f"{game.id} {name}"))
            seats[name] = BuiltInSeat(name, strategy, kind, Dialect.of(rulebook))
    return seats


def _made(maker: StrategyFactory, rulebook: Rulebook, seed: int) -> Strategy:
    """Make a built-in player; if that fails, return one that raises at the first question."""
    try:
        return maker(rulebook, seed)
    except (Exception, SystemExit) as error:
        failure = error

    def fail(_message: RefereeMessage) -> PlayerMessage:
        raise failure

    return fail


def play_built_in_game(settings: GameSettings, game: Game) -> FinishedGame:
    """Play one game of built-in players."""
    recorder = GameRecorder(game, settings)
    seats = seat_built_in_players(settings, game)
    dealer = recorder.dealer
    referee = Referee(settings.rulebook, game.players, dealer.bag, dealer.shuffle, recorder.emit)
    outcome = drive(referee.play(), {name: player.seat for name, player in seats.items()})
    log = recorder.close()
    outputs = {name: seat.output for name, seat in seats.items() if seat.output}
    return FinishedGame(recorder.result(outcome, testimony_of(seats, recorder)), log, outputs)


def testimony_of(seats: Mapping[str, BuiltInSeat], recorder: GameRecorder) -> dict[str, Testimony]:
    """Return what a log does not show of built-in players: that they raised."""
    return {
        name: Testimony(PlayerVerdict.CRASHED, seats[name].error)
        for name in recorder.ejections
        if name in seats and seats[name].error
    }


def play_batch(settings: GameSettings, games: Sequence[Game]) -> list[FinishedGame | FailedGame]:
    """Play some games one after the other; if one fails, the others are played all the same."""
    played: list[FinishedGame | FailedGame] = []
    for game in games:
        try:
            played.append(play_built_in_game(settings, game))
        except Exception as error:
            text = "".join(traceback.format_exception(error))
            played.append(FailedGame(game.id, "A bug of the referee broke it off.", text))
    return played
