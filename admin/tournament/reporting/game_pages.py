"""The pages of games, each made while the game's log is verified, so that no log is read twice.

That may be in another process: an order and a made page are plain values.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from ..games.result import GameResult
from ..planning.facts import TournamentFacts
from .game_page import game_page
from .game_story import GameStory, ReplayedGame
from .page_files import game_path, player_paths

OnPage: TypeAlias = Callable[[str, bytes], object]
"""Is given the path of a page and its bytes."""


class MadePage(NamedTuple):
    """The page of a game, and what other pages need of the game."""

    story: GameStory
    page: bytes


class PageOrder(NamedTuple):
    """The page of a game, to be made: what it needs beside the log.

    ``paths`` are where the pages of the players are, ``outputs`` what their programs printed.
    """

    tournament: str
    result: GameResult
    paths: Mapping[str, str]
    outputs: Mapping[str, bytes]

    def make(self, replayed: ReplayedGame) -> MadePage:
        """Return the page of a game, as it was played again."""
        text = game_page(self.tournament, self.result, replayed, self.outputs, self.paths)
        return MadePage(replayed.story, text.encode(errors="replace"))


class GamePages:
    """Orders a page for each game that counts, and keeps what other pages need of the game."""

    def __init__(self, facts: TournamentFacts, on_page: OnPage) -> None:
        self._title = facts.name
        self._players = player_paths(facts.names)
        self._on_page = on_page
        self.stories: dict[str, GameStory] = {}
        """What was told of each game; a page itself is far too large to be kept."""

    def order(self, result: GameResult, outputs: Mapping[str, bytes]) -> PageOrder:
        """Return what a game's page is made of; ``outputs`` are what programs printed."""
        paths = {name: self._players[name] for name in result.players}
        return PageOrder(self._title, result, paths, outputs)

    def take(self, game: str, made: MadePage) -> None:
        """Take the page of a game."""
        self.stories[game] = made.story
        self._on_page(game_path(game), made.page)
