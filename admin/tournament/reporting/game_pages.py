"""The pages of games, each made while the game's log is verified, so that no log is read twice."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from ..games.result import GameResult
from ..planning.facts import TournamentFacts
from .game_page import game_page
from .game_story import GameStory, ReplayedGame
from .page_files import game_path, player_paths

OnPage: TypeAlias = Callable[[str, bytes], object]
"""Is given the path of a page and its bytes."""
OnGame: TypeAlias = Callable[[GameResult, ReplayedGame, Mapping[str, bytes]], object]
"""Is given a game that counts, as it was played again, and what programs printed, by player."""


class GamePages:
    """Makes a page for each game that it is given, and keeps what other pages need of the game."""

    def __init__(self, facts: TournamentFacts, on_page: OnPage) -> None:
        self._title = facts.name
        self._players = player_paths(facts.names)
        self._on_page = on_page
        self.stories: dict[str, GameStory] = {}
        """What was told of each game; a page itself is far too large to be kept."""

    def take(
        self, result: GameResult, replayed: ReplayedGame, outputs: Mapping[str, bytes]
    ) -> None:
        """Make the page of a game; ``outputs`` are what programs printed, by player."""
        self.stories[result.game] = replayed.story
        text = game_page(self._title, result, replayed, outputs, self._players)
        self._on_page(game_path(result.game), text.encode(errors="replace"))
