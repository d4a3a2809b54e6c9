"""A game played on from a turn of a recorded one, among players in this process.

There is no clock and no connection. A game is a pure function of the setup, the variant and the
game's number.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import lcm
from typing import NamedTuple, TypeAlias

from ....game.drawing import redeal
from ....game.rulebook import Rulebook
from ....game.state import State
from ....game.tiles import Tile
from ....protocol.faults import Reason
from ...refereeing.play.dealer import Dealer
from ...refereeing.play.events import Ejected
from ...refereeing.play.in_process import RecordedAnswers, Strategy, play_from
from ...refereeing.play.outcome import Outcome
from ...refereeing.play.referee import Segment
from .recorded_move import END_OF_TURN, Answers, amend
from .variant import Variant

WIN = lcm(*range(1, 7))
"""Units of a win: those who share first place each get a whole number."""

ABSENT = "absent"
"""The reason if a game was lost because a program did not connect."""
SEEDS = 1 << 32
"""How many different seeds a strategy can get."""

Maker: TypeAlias = Callable[[Rulebook, int], Strategy]


class SeatOutcome(NamedTuple):
    """The result of a game for one seat.

    ``score`` is in dollars and ``win`` in units of ``WIN``; both are 0 for a player that was
    ejected or did not connect. ``lost`` then is the code of the reason, or of the broken rule.
    ``amended`` says that part of the recorded move had become illegal.
    """

    score: int
    win: int
    lost: str = ""
    amended: bool = False


@dataclass(frozen=True, slots=True)
class GameSetup:
    """What all games have in common.

    ``names`` are all seats in sign-up order, ``position`` is that before the turn. ``opponents``
    makes the player of each seat that a variant does not take; ``makers`` makes the strategies that
    variants name. ``move`` are the mover's recorded answers in the turn.
    """

    names: tuple[str, ...]
    position: State
    seed: int
    opponents: Mapping[str, Maker]
    makers: Mapping[str, Maker]
    move: Answers = ()

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook of the game."""
        return self.position.rulebook

    def deal(self, seat: str, game: int) -> State:
        """Return the position in which a game begins for this seat."""
        return redeal(self.position, {seat}, deals(self.seed, game))

    def make_player(self, maker: Maker, name: str, game: int) -> Strategy:
        """Make the player of a seat in a game."""
        return maker(self.rulebook, strategy_seed(self.seed, game, name))


def deals(seed: int, game: int) -> Callable[[list[Tile]], None]:
    """Return what shuffles the tiles that are dealt anew in a game: the same for every variant."""
    return random.Random(f"acquire dealt anew {seed} {game}").shuffle


def strategy_seed(seed: int, game: int, name: str) -> int:
    """Return the seed of the player called ``name`` in a game: the same for every variant."""
    return random.Random(f"acquire played on {seed} {game} {name}").randrange(SEEDS)


def play(setup: GameSetup, variant: Variant, game: int) -> SeatOutcome:
    """Play one game here; a recorded move that has become illegal is amended and tried again."""
    answers = setup.move if variant.recorded else ()
    others = [each.name for each in setup.position.players if each.name != variant.seat]
    is_amended = False
    while True:
        strategy = setup.make_player(setup.makers[variant.strategy], variant.seat, game)
        recorded = RecordedAnswers((*answers, END_OF_TURN))
        opponents = {n: setup.make_player(setup.opponents[n], n, game) for n in others}
        players = {**opponents, variant.seat: recorded.then(strategy)}
        segment, dealer = Segment(setup.deal(variant.seat, game), None), Dealer(setup.seed, game)
        outcome = play_from(segment, setup.names, players, dealer, variant.seat)
        left = ejection(outcome, variant.seat)
        if recorded.last is None or left is None or left.reason is not Reason.ILLEGAL:
            return seat_result(outcome, variant.seat)._replace(amended=is_amended)
        answers, is_amended = amend(answers, recorded.last, left.violation), True


def ejection(outcome: Outcome, name: str) -> Ejected | None:
    """Return how a player was ejected, if it was."""
    return next((left for left in outcome.ejected if left.name == name), None)


def seat_result(outcome: Outcome, name: str) -> SeatOutcome:
    """Return the result of a game for one player."""
    winners = [standing.name for standing in outcome.standings if standing.won]
    for standing in outcome.standings:
        if standing.name == name and standing.finished:
            return SeatOutcome(standing.score, WIN // len(winners) if name in winners else 0)
    left = ejection(outcome, name)
    assert left is not None, "a player that did not finish was ejected"
    return SeatOutcome(0, 0, left.violation.value if left.violation else left.reason.value)
