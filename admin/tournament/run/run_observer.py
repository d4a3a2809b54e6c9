"""What is reported about a tournament while it is played."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...launching.sandbox import Chosen
from ..games.entries import Changes
from ..games.result import GameResult
from ..planning.schedule import Game
from ..store.stored_rows import VoidGame


class Progress(NamedTuple):
    """The number of games that count so far, and of all games of the tournament."""

    games: int
    total: int


class Observer:
    """Receives the events of a tournament; does nothing, until a method is overridden.

    Every method returns at once.
    """

    def started(
        self, progress: Progress, results: Iterable[GameResult], commitment: str = ""
    ) -> None:
        """The tournament starts, or resumes with the results of earlier runs.

        ``commitment`` is that to the bags of the games to come; empty if they are not secret.
        """

    def players_changed(self, changes: Changes, archived: int) -> None:
        """The players are not those of the run before; some games do not count any more."""

    def listening(self, addresses: Sequence[str]) -> None:
        """Players can connect at these addresses."""

    def sandbox_chosen(self, chosen: Chosen) -> None:
        """The programs that are started from now on have this sandbox."""

    def worker_joined(self, address: str, games: int, sandbox: str) -> None:
        """A worker joined the cluster: it plays ``games`` at a time, programs in ``sandbox``."""

    def folder_sent(self, address: str, digest: str, size: int) -> None:
        """A worker was sent the folder of a player, in so many bytes."""

    def turned_away(self, address: str, name: str, why: str) -> None:
        """A connection got no place; ``name`` is empty if it gave none."""

    def waiting_for(self, name: str, timeout: float) -> None:
        """A game waits for a remote player, for at most ``timeout`` seconds."""

    def lobby_changed(self, names: Sequence[str]) -> None:
        """These remote players have signed up and are waiting for a game."""

    def game_started(self, game: Game) -> None:
        """A game starts."""

    def log_written(self, game: Game, data: bytes) -> None:
        """The log of a game between connections has grown by some bytes."""

    def game_finished(self, result: GameResult, progress: Progress) -> None:
        """A game is over, counts, and is stored."""

    def game_voided(self, void: VoidGame, again: bool) -> None:
        """A game does not count; ``again`` is whether it will be played again."""

    def problem(self, sentence: str) -> None:
        """Something went wrong that the tournament survives."""


class ForwardingObserver(Observer):
    """Passes every event on to another observer; a subclass does more with some of them."""

    def __init__(self, other: Observer) -> None:
        self._other = other

    def started(
        self, progress: Progress, results: Iterable[GameResult], commitment: str = ""
    ) -> None:
        """Pass it on."""
        self._other.started(progress, results, commitment)

    def players_changed(self, changes: Changes, archived: int) -> None:
        """Pass it on."""
        self._other.players_changed(changes, archived)

    def listening(self, addresses: Sequence[str]) -> None:
        """Pass it on."""
        self._other.listening(addresses)

    def sandbox_chosen(self, chosen: Chosen) -> None:
        """Pass it on."""
        self._other.sandbox_chosen(chosen)

    def worker_joined(self, address: str, games: int, sandbox: str) -> None:
        """Pass it on."""
        self._other.worker_joined(address, games, sandbox)

    def folder_sent(self, address: str, digest: str, size: int) -> None:
        """Pass it on."""
        self._other.folder_sent(address, digest, size)

    def turned_away(self, address: str, name: str, why: str) -> None:
        """Pass it on."""
        self._other.turned_away(address, name, why)

    def waiting_for(self, name: str, timeout: float) -> None:
        """Pass it on."""
        self._other.waiting_for(name, timeout)

    def lobby_changed(self, names: Sequence[str]) -> None:
        """Pass it on."""
        self._other.lobby_changed(names)

    def game_started(self, game: Game) -> None:
        """Pass it on."""
        self._other.game_started(game)

    def log_written(self, game: Game, data: bytes) -> None:
        """Pass it on."""
        self._other.log_written(game, data)

    def game_finished(self, result: GameResult, progress: Progress) -> None:
        """Pass it on."""
        self._other.game_finished(result, progress)

    def game_voided(self, void: VoidGame, again: bool) -> None:
        """Pass it on."""
        self._other.game_voided(void, again)

    def problem(self, sentence: str) -> None:
        """Pass it on."""
        self._other.problem(sentence)
