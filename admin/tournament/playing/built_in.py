"""A game among house players alone: a pure function, to be called in whichever process.

Everything it needs comes in as plain values, everything it makes goes out as such, so that a
process pool, a cluster and this process itself give the same bytes.
"""

from collections.abc import Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from admin.match.in_process import LocalSeat, drive
from admin.match.questions import Ask, Reply
from admin.match.referee import Referee
from admin.tournament.planning.schedule import Game, seed_of
from admin.tournament.playing.game_recorder import GameRecorder
from admin.tournament.results.result import GameResult
from admin.tournament.results.verdict import PlayerVerdict
from game.rulebook import Rulebook, with_hidden_assets
from game.rulebooks import RULEBOOKS
from protocol.dialect import Dialect
from protocol.faults import Fault, Reason
from protocol.messages import AdministratorMessage, PlayerMessage

if TYPE_CHECKING:
    from collections.abc import Callable

    from admin.match.in_process import Strategy
    from admin.tournament.planning.plan import Plan


class GameSettings(NamedTuple):
    """What all games of a tournament are played with, house players by name and strategy."""

    rulebook: str
    hide_assets: bool
    duplicate: bool
    strategies: tuple[tuple[str, str], ...]

    def book(self) -> Rulebook:
        """Return the rulebook, always the same value."""
        return _book(self.rulebook, self.hide_assets)


def game_settings(plan: "Plan") -> GameSettings:
    """Return what all games of a tournament are played with."""
    general = plan.tournament
    strategies = tuple((player.name, player.strategy) for player in plan.players if player.strategy)
    return GameSettings(general.rulebook, general.hide_assets, general.duplicate, strategies)


@cache
def _book(name: str, hide_assets: bool) -> Rulebook:
    return with_hidden_assets(RULEBOOKS[name]) if hide_assets else RULEBOOKS[name]


class Played(NamedTuple):
    """A game that was played to its end, and its log, compressed."""

    result: GameResult
    log: bytes


class Broken(NamedTuple):
    """A game that a defect of this program broke off: the traceback."""

    game: str
    why: str


class BuiltInSeat(LocalSeat):
    """A house player whose exceptions are its own loss: another distribution may have made it."""

    broke = ""

    def ask(self, ask: Ask) -> Reply | Fault:
        """Put a question; whatever the strategy raises is the fault of one who is gone."""
        try:
            return super().ask(ask)
        except (Exception, SystemExit) as error:
            self.broke = f"The house player raised {_shown(error)}."
            return Fault(Reason.DISCONNECTED, self.broke)


def _shown(error: BaseException) -> str:
    try:
        return repr(error)
    except Exception:
        return type(error).__name__


def seat_built_in_players(rules: GameSettings, game: Game) -> dict[str, BuiltInSeat]:
    """Make the house players of a game; their chance hangs on the game alone."""
    rulebook, strategies = rules.book(), dict(rules.strategies)
    dialect = Dialect.of(rulebook)
    return {
        name: BuiltInSeat(
            name,
            _make(strategies[name], rulebook, seed_of(game.seed, f"{game.id} {name}")),
            strategies[name],
            dialect,
        )
        for name in game.players
        if name in strategies
    }


def _make(strategy: str, rulebook: Rulebook, seed: int) -> "Strategy":
    """Make a house player; one that cannot be made raises at the first question."""
    maker = _maker(strategy)
    try:
        return maker(rulebook, seed)
    except (Exception, SystemExit) as error:
        return partial(_raise, error)


def _raise(error: BaseException, _message: AdministratorMessage) -> PlayerMessage:
    raise error


@cache
def _maker(strategy: str) -> "Callable[[Rulebook, int], Strategy]":
    from admin.match.plugins import load_strategy

    return load_strategy(strategy)


def play_built_in_game(rules: GameSettings, game: Game) -> Played:
    """Play one game among house players."""
    account = GameRecorder(game, rules.book(), dict(rules.strategies), duplicate=rules.duplicate)
    seats = seat_built_in_players(rules, game)
    dealer = account.dealer
    referee = Referee(rules.book(), game.players, dealer.bag, dealer.shuffle, account.emit)
    outcome = drive(referee.play(), seats)
    broke = {
        name: (PlayerVerdict.CRASHED, seats[name].broke)
        for name in account.lost
        if name in seats and seats[name].broke
    }
    log = account.close()
    return Played(account.result(outcome, broke), log)


def play_batch(rules: GameSettings, games: Sequence[Game]) -> list[Played | Broken]:
    """Play some games one after the other; one that breaks leaves the others be."""
    import traceback

    played: list[Played | Broken] = []
    for game in games:
        try:
            played.append(play_built_in_game(rules, game))
        except Exception as error:
            played.append(Broken(game.id, "".join(traceback.format_exception(error))))
    return played
