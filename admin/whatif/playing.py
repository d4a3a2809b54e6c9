"""One game from a turn of a recorded match, among players in this process.

No clock and no connection is in here. A game is a pure function of the setting, the variant and
the game's number.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import lcm
from typing import NamedTuple, TypeAlias

from admin.match.dealer import Dealer
from admin.match.events import Ejected, Event
from admin.match.in_process import Answerer, LocalSeat, Strategy, drive
from admin.match.outcome import Outcome
from admin.match.referee import Referee, Segment
from admin.whatif.dealing import dealt_anew, strategy_seed
from admin.whatif.recalling import Answers, Recalled, amended
from admin.whatif.variant import House, Move
from game.rulebook import Rulebook
from game.state import State
from protocol.dialect import Dialect
from protocol.faults import Reason

WIN = lcm(*range(1, 7))
"""Units of a win: those who share the first place each have a whole number."""

ABSENT = "absent"
"""Why a game is lost in which a program did not come."""

Maker: TypeAlias = Callable[[Rulebook, int], Strategy]


class Played(NamedTuple):
    """What a game came to for one seat.

    ``score`` is in dollars and ``win`` in units of ``WIN``, both 0 for a player who was ejected or
    did not come; ``lost`` then is the code of the reason, or of the rule broken. ``amended`` says
    that the recorded move could not be made to its end.
    """

    score: int
    win: int
    lost: str = ""
    amended: bool = False


@dataclass(frozen=True, slots=True)
class Setting:
    """What all games have in common.

    ``names`` are all seats in sign-up order, ``position`` is that before the turn. ``others`` makes
    who plays for a name, unless a variant does; ``makers`` has what variants ask for, by name of
    the strategy. ``move`` are the mover's recorded answers in the turn.
    """

    names: tuple[str, ...]
    position: State
    seed: int
    others: Mapping[str, Maker]
    makers: Mapping[str, Maker]
    move: Answers = ()

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook of the match."""
        return self.position.rulebook

    def deal(self, seat: str, game: int) -> State:
        """Return the position with which a game begins for this seat."""
        return dealt_anew(self.position, seat, self.seed, game)

    def player(self, maker: Maker, name: str, game: int) -> Strategy:
        """Make who plays for a name in a game."""
        return maker(self.rulebook, strategy_seed(self.seed, game, name))

    def others_of(self, seat: str, game: int) -> dict[str, Strategy]:
        """Make who plays at the other seats of the table."""
        return {
            player.name: self.player(self.others[player.name], player.name, game)
            for player in self.position.players
            if player.name != seat
        }


def play(setting: Setting, variant: House | Move, game: int) -> Played:
    """Play one game. Of a recorded move as much is made as can be."""
    answers = setting.move if isinstance(variant, Move) else ()
    cut = False
    while True:
        strategy = setting.player(setting.makers[variant.strategy], variant.seat, game)
        player = Recalled(answers, strategy)
        outcome = _outcome(setting, variant.seat, player, game)
        left = ejection(outcome, variant.seat)
        if player.last is None or left is None or left.reason is not Reason.ILLEGAL:
            return played(outcome, variant.seat)._replace(amended=cut)
        answers, cut = amended(answers, player.last, left.violation), True


def _outcome(setting: Setting, seat: str, player: Recalled, game: int) -> Outcome:
    dialect, dealer = Dialect.of(setting.rulebook), Dealer(setting.seed, game)
    referee = Referee(setting.rulebook, setting.names, dealer.bag, dealer.shuffle, _unread)
    players: dict[str, Answerer] = {**setting.others_of(seat, game), seat: player}
    seats = {name: LocalSeat(name, each, dialect=dialect) for name, each in players.items()}
    return drive(referee.play_segments([Segment(setting.deal(seat, game), None)], seat), seats)


def _unread(event: Event) -> None:
    """Take an event of which nobody is told: the outcome says all."""


def ejection(outcome: Outcome, name: str) -> Ejected | None:
    """Return how a player was ejected, if it was."""
    return next((left for left in outcome.ejected if left.name == name), None)


def played(outcome: Outcome, name: str) -> Played:
    """Return what an outcome is for one player."""
    first = [standing.name for standing in outcome.standings if standing.rank == 1]
    for standing in outcome.standings:
        if standing.name == name and standing.finished:
            return Played(standing.score, WIN // len(first) if name in first else 0)
    left = ejection(outcome, name)
    assert left is not None, "who did not finish was ejected"
    return Played(0, 0, left.violation.value if left.violation else left.reason.value)
