"""A short game for tests: the last turns of a golden game, in which a player errs once, badly."""

from functools import cache
from pathlib import Path

from acquire.game.purchase import Order
from acquire.game.state import State
from acquire.played_games import GameRecord, play_on, read_game
from acquire.player.strategies.outlook import Outlook
from acquire.player.strategies.planner import Planner, orders

GOLDEN = Path(__file__).parents[1] / "golden"
TURNS = 10


class Blunderer(Planner):
    """Its first order is the one that promises least; everything else is the planner's."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]  # as every strategy
        self._has_erred = False

    def order(self, state: State) -> Order:
        """Choose the worst order first, then the best ones."""
        found = orders(Outlook(state), state)
        if self._has_erred or found[0][0] - found[-1][0] < 2500:
            return found[0][1]
        self._has_erred = True
        return found[-1][1]


@cache
def short_game() -> GameRecord:
    """Play the end of a game again, with the first mover a blunderer among planners."""
    start = read_game(GOLDEN / "revised-no-tile-to-hand-back.xml").turns[-TURNS]
    names = [player.name for player in start.players]
    return play_on(start, {name: Blunderer if name == names[0] else "planner" for name in names})
