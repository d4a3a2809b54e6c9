"""A game played on from a turn of a recorded one, among players in this process.

There is no clock and no connection. A game is a pure function of the setup, the variant and the
game's number.

The recorded move of a seat are the answers of one turn, which are given again before a strategy's.
The opponents may play differently than in the game, and the bag differs. So the move may become
illegal: the hand was replaced by other tiles, the bank has fewer certificates after a merger. From
an answer that the referee rejects, the turn is left to the strategy.
"""

import random
import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import lcm
from typing import Final, NamedTuple, TypeAlias

from ....game.drawing import redeal
from ....game.merger import join
from ....game.placement import Kind, kind_of
from ....game.rulebook import Rulebook
from ....game.state import State
from ....game.tiles import Mask, Tile
from ....protocol import messages
from ....protocol.faults import Fault, Reason
from ....protocol.knowledge import Knowledge
from ....protocol.messages import TAGS, PlayerMessage, RefereeMessage
from ....protocol.plugins import names_file
from ....protocol.user_error import UserError
from ...launching.program import as_typed
from ...refereeing.play.dealer import Dealer
from ...refereeing.play.events import Ejected
from ...refereeing.play.in_process import Answerer, RecordedAnswers, Response, Strategy, play_from
from ...refereeing.play.outcome import Outcome, Standing
from ...refereeing.play.referee import Segment

WIN = lcm(*range(1, 7))  # units of a win: those who share first place each get a whole number

ABSENT = "absent"  # the reason if a game was lost because a program did not connect
SEEDS = 1 << 32  # how many different seeds a strategy can get

Answers: TypeAlias = tuple[tuple[str, PlayerMessage], ...]
"""The answers in a turn, each after its question (a root element), in order."""

END_OF_TURN: Final = ("tile", messages.VOID)
"""Follows the answers, so that none of them is given in a later turn."""
DECISIONS = ("replace", "turn", "keep", "dispose", "players")
"""The questions whose answers can be repeated: their tiles are the same in every game."""

Maker: TypeAlias = Callable[[Rulebook, int], Strategy]  # gets a rulebook and a seed
RECORDED = "recorded"  # stands for the recorded move on the command line


@dataclass(frozen=True, slots=True)
class Variant:
    """Who takes a seat: a program, which is launched for each game, or a player in this process."""

    seat: str
    strategy: str = ""  # a built-in player, or a class in a file; empty for a program
    recorded: bool = False  # the seat makes its recorded move first
    words: tuple[str, ...] = ()  # the command of a program

    @property
    def kind(self) -> str:
        """Whether it is a command, the recorded move, or a player in this process."""
        return "command" if self.words else "recorded" if self.recorded else "house"

    @property
    def label(self) -> str:
        """Its name in tables; of a program the command as typed in a shell."""
        if self.words:
            return as_typed(self.words)
        return f"{RECORDED}, then {self.strategy}" if self.recorded else self.strategy


def parse_variant(
    text: str, seats: Sequence[str], strategies: Collection[str], default: str
) -> Variant:
    """Parse ``NAME=WHO``; ``default`` is the strategy that goes on after a recorded move.

    Raises ``UserError`` if no seat has that name; WHO may be empty, which no program is.
    """
    # a name may contain = as well
    found = [seat for seat in sorted(seats, key=len) if text.startswith(f"{seat}=")]
    if not found:
        name, equals, _ = text.partition("=")
        what = f"no player is called {name!r}" if equals else "expected NAME=WHO"
        known = ", ".join(map(repr, seats))
        raise UserError(f"--seat {text!r}: {what}. Players: {known}.")
    seat = found[-1]
    who = text[len(seat) + 1 :].strip()
    if who == RECORDED:
        return Variant(seat, default, recorded=True)
    if who in strategies:
        return Variant(seat, who)
    try:
        words = tuple(shlex.split(who))
    except ValueError as error:
        raise UserError(f"--seat {text!r}: the command cannot be parsed: {error}.") from error
    if len(words) == 1 and names_file(words[0]):
        return Variant(seat, words[0])
    return Variant(seat, words=words)


# -- the games ------------------------------------------------------------------------------------


class SeatOutcome(NamedTuple):
    """The result of a game for one seat."""

    score: int  # in dollars; 0 for a player that was ejected or did not connect
    win: int  # in units of `WIN`; 0 for the same players
    lost: str = ""  # why: the code of the reason, or of the broken rule
    amended: bool = False  # part of the recorded move had become illegal


@dataclass(frozen=True, slots=True)
class GameSetup:
    """What all games have in common.

    If it begins within a turn, ``given`` are the recorded answers of all in that turn. Tiles that
    were ``drawn`` or ``revealed`` before the decision are not dealt anew.
    """

    names: tuple[str, ...]  # all seats in sign-up order
    position: State  # before the turn
    seed: int
    opponents: Mapping[str, Maker]  # make the players of the seats that no variant takes
    makers: Mapping[str, Maker]  # make the strategies that variants name
    move: Answers = ()  # the seat's recorded answers in the turn
    given: Mapping[str, Answers] = field(default_factory=dict)
    drawn: tuple[Tile, ...] = ()
    revealed: Mask = 0

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook of the game."""
        return self.position.rulebook

    def deal(self, seat: str, game: int) -> State:
        """Return the position in which a game begins for this seat."""
        return redeal(self.position, {seat}, deals(self.seed, game), self.revealed, self.drawn)

    def make_player(self, maker: Maker, name: str, game: int) -> Strategy:
        """Make the player of a seat in a game."""
        return maker(self.rulebook, strategy_seed(self.seed, game, name))

    def opponent(self, name: str, game: int) -> Answerer:
        """Make the player of a seat that no variant takes."""
        player = self.make_player(self.opponents[name], name, game)
        given = self.given.get(name)
        return (
            player if given is None else _as_recorded(given, Knowledge(self.rulebook, name), player)
        )


def _as_recorded(answers: Answers, knowledge: Knowledge, player: Strategy) -> Answerer:
    """Have a player go on from its answers in a turn; an illegal one becomes the simplest legal.

    Only what follows the decision can be illegal: its orders and disposals.
    """
    recorded = RecordedAnswers((*answers, END_OF_TURN))

    def answered(message: RefereeMessage) -> Response:
        question, answer = knowledge.hear(message), recorded.take(TAGS[type(message)])
        if answer is None or isinstance(answer, Fault):
            answer = player(message)
        elif question is not None and isinstance(answer, messages.Order | messages.DisposeAnswer):
            answer = answer if answer in question.answers else question.simplest()
        knowledge.answered(answer)
        return answer

    return answered


def deals(seed: int, game: int) -> Callable[[list[Tile]], None]:
    """Return what shuffles the tiles that are dealt anew in a game: the same for every variant."""
    return random.Random(f"acquire dealt anew {seed} {game}").shuffle


def strategy_seed(seed: int, game: int, name: str) -> int:
    """Return the seed of the player called ``name`` in a game: the same for every variant."""
    return random.Random(f"acquire played on {seed} {game} {name}").randrange(SEEDS)


def play(setup: GameSetup, variant: Variant, game: int) -> SeatOutcome:
    """Play one game here; from what has become illegal on, a recorded move is left out."""
    answers = setup.move if variant.recorded else ()
    others = [each.name for each in setup.position.players if each.name != variant.seat]
    is_amended = False
    while True:
        strategy = setup.make_player(setup.makers[variant.strategy], variant.seat, game)
        recorded = RecordedAnswers((*answers, END_OF_TURN))
        players = {
            **{name: setup.opponent(name, game) for name in others},
            variant.seat: recorded.then(strategy),
        }
        segment, dealer = Segment(setup.deal(variant.seat, game), None), Dealer(setup.seed, game)
        outcome = play_from(segment, setup.names, players, dealer, variant.seat)
        left = ejection(outcome, variant.seat)
        if recorded.last is None or left is None or left.reason is not Reason.ILLEGAL:
            return seat_result(outcome, variant.seat)._replace(amended=is_amended)
        answers, is_amended = answers[: recorded.last], True


def ejection(outcome: Outcome, name: str) -> Ejected | None:
    """Return how a player was ejected, if it was."""
    return next((left for left in outcome.ejected if left.name == name), None)


def seat_result(outcome: Outcome, name: str) -> SeatOutcome:
    """Return the result of a game for one player."""
    for standing in outcome.standings:
        if standing.name == name and standing.finished:
            return SeatOutcome(standing.score, win_of(outcome.standings, name))
    left = ejection(outcome, name)
    assert left is not None, "a player that did not finish was ejected"
    return SeatOutcome(0, 0, left.violation.value if left.violation else left.reason.value)


def win_of(standings: Sequence[Standing], name: str) -> int:
    """Return a player's part of the win in units of ``WIN``: those who tie share it."""
    winners = [standing.name for standing in standings if standing.won]
    return WIN // len(winners) if name in winners else 0


# -- the recorded move ----------------------------------------------------------------------------


def move_of(
    position: State, name: str, responses: Sequence[tuple[str, Response]], given: Answers = ()
) -> Answers:
    """Return a player's decisions in the turn that began with ``position``.

    ``given`` is what the mover has answered, if it is another. Decisions about a merger by the
    market's tile are left out: the market will draw another tile.
    """
    answers = [
        (question, answer)
        for question, answer in responses
        if question in DECISIONS and not isinstance(answer, Fault)
    ]
    disposals = _disposals(position, name, (*given, *answers))
    kept: list[tuple[str, PlayerMessage]] = []
    for question, answer in answers:
        if question == "dispose":
            disposals -= 1
            if disposals < 0:
                continue
        kept.append((question, answer))
    return tuple(kept)


def _disposals(position: State, name: str, answers: Answers) -> int:
    """Count the acquired hotels of which the player has certificates."""
    for _, answer in answers:
        match answer:
            case messages.Merge(placement):
                if not position.mover.hand >> placement.tile & 1:
                    return 0  # drawn when the hand was replaced, so not in every game
                if kind_of(position.board, placement.tile) is not Kind.MERGING:
                    return 0
                acquired = join(position, placement).acquired
                shares = position.player(name).shares
                return sum(1 for hotel in acquired if shares[hotel])
    return 0
