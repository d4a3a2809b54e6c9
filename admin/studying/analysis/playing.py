"""A recorded game played on from a decision to the end, with one of its options.

The referee plays the turn again from its beginning: what was answered before the decision is
answered again, then comes the option, and from there on analysts take all seats. So what is legal,
drawn and paid is decided by the code that decides it at a table. A game is a pure function of the
start, the option, the seed and the game's number.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from ....game.placement import Placement
from ....game.state import State
from ....protocol import messages
from ....protocol.messages import PlayerMessage, RefereeMessage
from ...refereeing.play.dealer import Dealer
from ...refereeing.play.events import Event
from ...refereeing.play.given_answers import GivenAnswers
from ...refereeing.play.outcome import Outcome
from ...refereeing.play.questions import Replies, Reply
from ...refereeing.play.referee import Referee, Segment
from ..whatif.dealing import redeal, strategy_seed
from ..whatif.single_game import WIN
from .analyst import Analyst, analyst
from .decision import Decision, DecisionStart, Given, Option

Answers: TypeAlias = Callable[[RefereeMessage], PlayerMessage]
"""A player in this process."""


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


class _OnceBegun:
    """An analyst that goes on with a turn: its hand was kept, or is new already."""

    def __init__(self, player: Analyst) -> None:
        self._player = player
        self._begun = False

    def __call__(self, message: RefereeMessage) -> PlayerMessage:
        if isinstance(message, messages.Replace) and not self._begun:
            return messages.ReplaceAnswer(replaces=False)
        self._begun = True
        return self._player(message)


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
    rulebook, dealer = deal.rulebook, Dealer(table.seed, game)
    referee = Referee(rulebook, table.names, dealer.bag, dealer.shuffle, _ignore)
    given: tuple[Given, ...] = start.given if start else ()
    players: dict[str, Answers] = {}
    for player in deal.players:
        name = player.name
        made = analyst(table.analyst)(rulebook, strategy_seed(table.seed, game, name))
        made(messages.SignUp(name))
        if start is not None and start.placed is not None and name == deal.mover.name:
            made.place_next(start.placed)
        mine = [(question, answer) for who, question, answer in given if who == name]
        players[name] = made if start is None else GivenAnswers(mine, _OnceBegun(made))
    questions = referee.play_segments([Segment(deal, None)])
    asks = next(questions)
    while True:  # the conversation is not checked: analysts answer what they are asked
        replies: Replies = {name: Reply(players[name](ask.message)) for name, ask in asks.items()}
        try:
            asks = questions.send(replies)
        except StopIteration as stop:
            outcome: Outcome = stop.value
            return outcome


def _ignore(event: Event) -> None:
    """Ignore an event: the outcome is enough."""


def result_of(outcome: Outcome, name: str) -> Result:
    """Return the result of a game for one player; nobody is ejected in it."""
    assert not outcome.ejected, f"an answer was refused: {outcome.ejected[0].detail}"
    scores = {standing.name: standing.score for standing in outcome.standings}
    own, others = scores.pop(name), [*scores.values()]
    best = max(others, default=0)
    win = 0 if own < best else WIN // (1 + others.count(own))
    return Result(own - best, win)
