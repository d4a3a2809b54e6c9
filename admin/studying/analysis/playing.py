"""A recorded game played on from a decision to the end, with one of its options.

The referee plays the turn again from its beginning: what was answered before the decision is
answered again, then comes the option, and from there on analysts take all seats. So what is legal,
drawn and paid is decided by the code that decides it at a table. A game is a pure function of the
start, the option, the seed and the game's number.
"""

from typing import NamedTuple

from ....game.placement import Placement
from ....game.state import State
from ....protocol import messages
from ...refereeing.play.dealer import Dealer
from ...refereeing.play.in_process import Answerer, play_from
from ...refereeing.play.outcome import Outcome
from ...refereeing.play.recorded_answers import RecordedAnswers
from ...refereeing.play.referee import Segment
from ..whatif.dealing import redeal, strategy_seed
from ..whatif.recorded_move import END_OF_TURN
from ..whatif.single_game import WIN
from .analyst import Analyst, analyst
from .decision import Decision, DecisionStart, Option


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


def results(table: AnalysedTable, decision: Decision, option: Option, game: int) -> Result:
    """Play a game with this option; return the result of the player who decides."""
    start, name = decision.start, decision.name
    deal = redeal(
        start.position, name, table.seed, game, revealed=start.revealed, drawn=start.drawn
    )
    if isinstance(option.choice, Placement):
        start = start._replace(placed=option.choice)
    else:
        start = start._replace(given=(*start.given, (name, decision.question, option.choice)))
    return result_of(play(table, deal, start, game), name)


def play(table: AnalysedTable, deal: State, start: DecisionStart | None, game: int) -> Outcome:
    """Play a game from a position; its first turn goes as in ``start``, if that is given."""
    players: dict[str, Answerer] = {}
    for player in deal.players:
        name = player.name
        made = analyst(table.analyst)(deal.rulebook, strategy_seed(table.seed, game, name))
        players[name] = made if start is None else _guided(made, start, name)
    return play_from(Segment(deal, None), table.names, players, Dealer(table.seed, game))


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


def result_of(outcome: Outcome, name: str) -> Result:
    """Return the result of a game for one player; nobody is ejected in it."""
    assert not outcome.ejected, f"an answer was refused: {outcome.ejected[0].detail}"
    scores = {standing.name: standing.score for standing in outcome.standings}
    own, others = scores.pop(name), [*scores.values()]
    best = max(others, default=0)
    win = 0 if own < best else WIN // (1 + others.count(own))
    return Result(own - best, win)
