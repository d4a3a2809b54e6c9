"""Matches played in this process beforehand, to find bags that lead to what has not been reached.

Our players choose alike whenever they are sent the same, so a match with the same bag at the
administrator goes the same way, as long as it does nothing wrong.
"""

from collections import Counter

from ....game.rulebook import Rulebook
from ....protocol import messages
from ....protocol.dialect import Dialect
from ....protocol.faults import Fault, Reason
from ....protocol.messages import PlayerMessage, RefereeMessage
from ...refereeing.play import in_process
from ...refereeing.play.dealer import Dealer
from ...refereeing.play.events import Event
from ...refereeing.play.referee import Referee
from .explorer import Explorer
from .game_moment import GameMoment
from .line_up import Cast, MatchPlan
from .milestones import milestones
from .seat_client import SeatPlayer


class _Rehearsed:
    """A player that plays in this process; what it does to a socket becomes a fault."""

    def __init__(self, player: SeatPlayer) -> None:
        self._player = player
        self.cheated = False

    def __call__(self, message: RefereeMessage) -> PlayerMessage | Fault:
        answer = self._player(message)
        if isinstance(answer, PlayerMessage):
            return answer
        self.cheated = True
        return Fault(Reason.DISCONNECTED, "It would misbehave.")


def rehearse(plan: MatchPlan, rulebook: Rulebook, cast: Cast) -> set[str]:
    """Play a match with the bag of a plan, and return the cases that it comes to."""
    assert plan.bag is not None, "a rehearsal is for chosen bags"
    names = [plan.name_of(seat) for seat in range(len(plan.seats))]
    dealer, found, tried = Dealer(plan.seed), set[str](), Counter[str]()
    players: dict[str, _Rehearsed] = {}
    for number, (name, seat) in enumerate(zip(names, plan.seats, strict=True)):
        seed = plan.seed + number
        if seat.cheat is not None:
            players[name] = _Rehearsed(cast.player(seat.cheat.name, rulebook, seed))
        else:
            players[name] = _Rehearsed(Explorer(rulebook, seat.style, seed, tried))
        players[name](messages.SignUp(name))
    moment = GameMoment()
    referee: Referee

    def emit(event: Event) -> None:
        if moment.number or hasattr(event, "state"):
            found.update(milestones(event, moment.last, moment.turn))
        moment.take(event)

    referee = Referee(rulebook, names, plan.bag, dealer.shuffle, emit)
    moment.before = referee.state
    outcome = in_process.play(referee.play(), players, Dialect.of(rulebook))
    for name, seat in zip(names, plan.seats, strict=True):
        if seat.cheat is not None:
            left = [each for each in outcome.ejected if each.name == name]
            rule = left[0].violation if left else None
            if players[name].cheated or (rule is not None and rule is seat.cheat.violation):
                found.add(f"ejection/{seat.cheat.name}")
    return found
