"""A recorded game played on from a decision to the end, with one of its options.

The referee plays the turn again from its beginning: what was answered before the decision is
answered again, then comes the option, and from there on analysts take all seats. So what is legal,
drawn and paid is decided by the code that decides it at a table. From the next turn on an analyst
may play for all seats at once, without questions and events: that takes half the time. A game is a
pure function of the start, the option, the seed and the game's number.

Analysts are entry points of the group ``acquire.analysts``, because ``admin`` does not import
players. ``quick`` is about as strong as ``planner``, and takes a fifth of its time. An analyst can
be told its next placement, and then chooses the order that belongs to it; otherwise a placement
would be blamed for an order.
"""

import random
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple, Protocol

from ....game.drawing import redeal
from ....game.market import takes_part
from ....game.placement import Placement
from ....game.purchase import Order
from ....game.rulebook import Rulebook
from ....game.state import State
from ....game.tiles import TILES
from ....game.turn import Ending
from ....protocol import messages
from ....protocol.dialect import Dialect
from ....protocol.messages import PlayerMessage, RefereeMessage
from ....protocol.plugins import ANALYSTS, plugins
from ...refereeing.play.dealer import Dealer
from ...refereeing.play.in_process import Answerer, RecordedAnswers
from ...refereeing.play.in_process import play as put_to
from ...refereeing.play.outcome import standings
from ...refereeing.play.referee import Referee, Segment
from ..statistics.intervals import Estimate, share_interval
from ..whatif.single_game import END_OF_TURN, WIN, deals, strategy_seed, win_of
from .decision_log import Decision, DecisionStart


class Analyst(Protocol):
    """A player whose next placement can be prescribed."""

    def __call__(self, message: RefereeMessage, /) -> PlayerMessage:
        """Answer one message."""

    def place_next(self, placement: Placement) -> None:
        """Prescribe the placement of the next turn; what is ordered after it is chosen."""

    def estimate_placements(self, state: State, placements: Sequence[Placement]) -> list[float]:
        """Return the lead that each placement promises, by what the mover can see."""

    def estimate_orders(self, state: State, found: Sequence[Order]) -> list[float]:
        """Return the lead that each of these legal orders promises, likewise."""

    def scores_from(self, state: State) -> dict[str, int]:
        """Play for all seats from between two turns to the end; return the money of each player.

        The stock market takes no part.
        """


@cache
def analyst(name: str) -> Callable[[Rulebook, int], Analyst]:
    """Return what makes the analyst of this name from a rulebook and a seed."""
    make: Callable[[Rulebook, int], Analyst] = plugins(ANALYSTS)[name].load()
    return make


class AnalysedTable(NamedTuple):
    """What all games of an analysis have in common: the seats, the seed, who plays on."""

    names: tuple[str, ...]
    seed: int
    analyst: str


class Result(NamedTuple):
    """How a game ended for one player."""

    lead: int  # its money less that of the best other player, in dollars
    win: int  # its share of the win, in units of `WIN`


def results(table: AnalysedTable, decision: Decision, option: int, game: int) -> Result:
    """Play a game with this option; return the result of the player who decides."""
    start, name = decision.start, decision.name
    shuffle = deals(table.seed, game)
    deal = redeal(start.position, {name}, shuffle, start.revealed, start.drawn)
    return result_of(play(table, deal, decision.start_with(option), game), name)


def play(
    table: AnalysedTable, deal: State, start: DecisionStart | None, game: int
) -> dict[str, int]:
    """Play a game from a position; its first turn goes as in ``start``, if that is given.

    Return the money of each player at the table.
    """
    players: dict[str, Answerer] = {}
    seed = strategy_seed(table.seed, game, "")
    for player in deal.players:
        name = player.name
        made = analyst(table.analyst)(deal.rulebook, seed)
        players[name] = made if start is None else _guided(made, start, name)
    alone = None if takes_part(deal.rulebook, len(table.names)) else made.scores_from
    if start is None and alone is not None:
        return alone(deal)
    dealer = Dealer(table.seed, game)
    referee = Referee(deal.rulebook, table.names, dealer.bag, dealer.shuffle, lambda _: None)
    questions = referee.play_segments([Segment(deal, None if alone is None else 1)])
    outcome = put_to(questions, players, Dialect.of(deal.rulebook))
    assert not outcome.ejected, f"an answer was refused: {outcome.ejected[0].detail}"
    if outcome.ending is Ending.NO_MORE_TURNS and alone is not None:
        return alone(referee.state)
    return {place.name: place.score for place in outcome.standings}


def _guided(player: Analyst, start: DecisionStart, name: str) -> Answerer:
    """Have a player go on from what it answered before, or would have."""
    given = [(question, answer) for who, question, answer in start.given if who == name]
    if name == start.position.mover.name:
        if start.placed is not None:
            player.place_next(start.placed)
        if "replace" not in dict(given):
            # the hand was kept, or is new already
            given.insert(0, ("replace", messages.ReplaceAnswer(replaces=False)))
        given.append(END_OF_TURN)
    return RecordedAnswers(given).then(player)


def result_of(scores: dict[str, int], name: str) -> Result:
    """Return the result of a game for one player, from the money of all."""
    best = max((money for who, money in scores.items() if who != name), default=0)
    return Result(scores[name] - best, win_of(standings([*scores.items()], ()), name))


# -- chances to win, and turning points -----------------------------------------------------------
# All hands are known here, also those that the players could not see; only the order of the bag
# is drawn again, and in a game all turns meet the same order. So a chance belongs to the table and
# not to a player. Some games find the turns that changed the chances; the chances that are shown
# are those of others, so that a turning point has not been chosen for its luck in them. It is
# listed if they confirm a part of the change, so the figures of a list are a little too high.
#
# What a turn has changed has two parts. Its answers are given again, and the rest is played on:
# that differs from the chance before by what the players decided, compared with what analysts would
# have. The other part is what the draw at its end has changed.

MOST_POINTS = 3  # how many turning points a game has at most
LEAST_CHANGE = 0.25
"""How much chance has to move from some players to others in a turning point, by some games."""
LEAST_CONFIRMED = 0.1
"""How much of the chance of a seat has moved in a turning point, by the games that are shown."""
LEAST_PART = 0.05  # how much of the change a decision has to bring to be named

Shares = tuple[float, ...]  # share of the games that each seat won; 0 for a player that left


class Chances(NamedTuple):
    """The chances in a position by seat, and the shares of other games, which find the changes."""

    win: tuple[Estimate, ...]
    found_by: Shares


class TurningPoint(NamedTuple):
    """A turn that changed the chances, above all those of ``seat``.

    ``steps`` are the chances after each of its decisions, in order, in the games of ``before`` and
    ``after``.
    """

    turn: int
    seat: int
    before: Shares
    after: Shares
    steps: tuple[tuple[Decision, Shares], ...]

    @property
    def change(self) -> float:
        """By how much the chance of the seat has changed, between -1 and 1."""
        return self.after[self.seat] - self.before[self.seat]

    @property
    def by_decision(self) -> list[float]:
        """The parts of the change that each decision has, in order."""
        chances = [self.before, *(shares for _, shares in self.steps)]
        return [after[self.seat] - before[self.seat] for before, after in pairwise(chances)]

    @property
    def by_draw(self) -> float:
        """The part that the draws have, 0 if the decisions are not known."""
        return self.change - sum(self.by_decision) if self.steps else 0.0

    @property
    def decisive(self) -> int | None:
        """The place of the decision with the largest part of the change, ``None`` if it is none."""
        parts = [part if self.change > 0 else -part for part in self.by_decision]
        most = max(parts, default=0.0)
        return parts.index(most) if most >= LEAST_PART else None


def chances(table: AnalysedTable, position: State, games: int) -> Chances:
    """Return the chances as a turn begins."""
    shown = games_shown(games)
    win = shares(table, position, shown)
    return Chances(
        tuple(Estimate(share, *share_interval(share, len(shown))) for share in win),
        shares(table, position, range(shown.start)),
    )


def games_shown(games: int) -> range:
    """Return which games give the chances that are shown; those before find the changes."""
    return range(2 * games, 5 * games)


def shares(
    table: AnalysedTable, position: State, games: Sequence[int], done: DecisionStart | None = None
) -> Shares:
    """Return who wins from a position; ``done``, if given, is answered in its first turn."""
    wins = [0] * len(table.names)
    drawn = 0 if done is None else len(done.drawn)
    for game in games:
        bag = (*position.bag[:drawn], *_in_order(table, position.bag[drawn:], game))
        scores = play(table, position._replace(bag=bag), done, game)
        for seat, name in enumerate(table.names):
            if name in scores:
                wins[seat] += result_of(scores, name).win
    return tuple(won / WIN / len(games) for won in wins)


def _in_order(table: AnalysedTable, bag: Sequence[int], game: int) -> list[int]:
    """Return the tiles in an order that a tile less does not change: turns meet the same luck."""
    chance = random.Random(f"acquire bag in order {table.seed} {game}")
    order = {tile: chance.random() for tile in TILES}
    return sorted(bag, key=order.__getitem__)


def change(before: Shares, after: Shares) -> float:
    """Return how much chance has moved from some players to others.

    >>> change((0.5, 0.5, 0.0), (0.25, 0.5, 0.25))
    0.25
    """
    return sum(abs(one - other) for one, other in zip(before, after, strict=True)) / 2


def gainer(before: Shares, after: Shares) -> int:
    """Return the seat whose chance has changed most.

    >>> gainer((0.5, 0.5, 0.0), (0.25, 0.625, 0.125))
    0
    """
    return max(range(len(before)), key=lambda seat: abs(after[seat] - before[seat]))


def turning_turns(turns: Sequence[int], found: Sequence[Shares]) -> list[int]:
    """Return the turns after which the chances differ most, in order.

    There is one chance more than turns, unless the last one is not known.
    """
    changes = {turn: change(*two) for turn, two in zip(turns, pairwise(found), strict=False)}
    most = sorted(changes, key=lambda turn: (-changes[turn], turn))[:MOST_POINTS]
    return sorted(turn for turn in most if changes[turn] >= LEAST_CHANGE)


def decisive_turn(
    turns: Sequence[int], found: Sequence[Shares], seat: int, *, for_better: bool
) -> int:
    """Return the turn that raised, or else lowered, the chance of a seat most.

    >>> decisive_turn([1, 2], [(0.5, 0.5), (0.4, 0.6), (0.0, 1.0)], 0, for_better=False)
    2
    """
    sign = 1 if for_better else -1
    changes = [sign * (after[seat] - before[seat]) for before, after in pairwise(found)]
    return turns[changes.index(max(changes))]
