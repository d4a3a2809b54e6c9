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

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple, Protocol

from ....game.drawing import redeal
from ....game.market import takes_part
from ....game.placement import Placement
from ....game.purchase import Order
from ....game.rulebook import Rulebook
from ....game.state import State
from ....game.turn import Ending
from ....protocol import messages
from ....protocol.dialect import Dialect
from ....protocol.messages import PlayerMessage, RefereeMessage
from ....protocol.plugins import ANALYSTS, plugins
from ...refereeing.play.dealer import Dealer
from ...refereeing.play.in_process import Answerer, RecordedAnswers
from ...refereeing.play.in_process import play as put_to
from ...refereeing.play.referee import Referee, Segment
from ..whatif.single_game import END_OF_TURN, WIN, deals, strategy_seed
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
    """How a game ended for one player.

    ``lead`` is its money less that of the best other player, in dollars; ``win`` its share of the
    win, in units of ``WIN``.
    """

    lead: int
    win: int


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
    for player in deal.players:
        name = player.name
        made = analyst(table.analyst)(deal.rulebook, strategy_seed(table.seed, game, name))
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
    own, others = scores[name], [money for who, money in scores.items() if who != name]
    best = max(others, default=0)
    win = 0 if own < best else WIN // (1 + others.count(own))
    return Result(own - best, win)
