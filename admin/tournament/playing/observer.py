"""Who is told what happens in a tournament: nobody, until a method is overridden."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from admin.tournament.planning.schedule import Game
from admin.tournament.results.result import GameResult
from admin.tournament.results.store import VoidGame


class Progress(NamedTuple):
    """How many games count so far, and how many there will be."""

    games: int
    total: int


class Observer:
    """Told of a tournament as it goes; every method returns at once."""

    def began(self, progress: Progress, before: Iterable[GameResult]) -> None:
        """The tournament begins, or goes on after the games that were played before."""

    def listening(self, addresses: Sequence[str]) -> None:
        """Players can connect at these addresses."""

    def turned_away(self, address: str, name: str, why: str) -> None:
        """A connection got no seat; no name if none was given."""

    def awaited(self, name: str, patience: float) -> None:
        """A game waits for a remote player, for so many seconds at most."""

    def waiting(self, names: Sequence[str]) -> None:
        """The remote players who have signed up and wait for a game are these now."""

    def game_began(self, game: Game) -> None:
        """A game begins."""

    def logged(self, game: Game, data: bytes) -> None:
        """More bytes of a game's log, of a game that is played by connections."""

    def game_over(self, result: GameResult, progress: Progress) -> None:
        """A game is over, counts, and is kept."""

    def game_void(self, void: VoidGame, again: bool) -> None:
        """A game counts for nothing; whether it will be played again."""

    def trouble(self, sentence: str) -> None:
        """Something went wrong that the tournament itself survives."""
