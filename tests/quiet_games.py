"""Games among players of this process, for tests of the players and of what happens to them."""

from collections.abc import Callable, Mapping

from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.events import Event
from acquire.admin.refereeing.play.in_process import Answerer, play
from acquire.admin.refereeing.play.outcome import Outcome
from acquire.admin.refereeing.play.referee import Referee
from acquire.game.rulebook import Rulebook
from acquire.protocol.dialect import Dialect


def play_quietly(
    rulebook: Rulebook,
    players: Mapping[str, Answerer],
    seed: int,
    game: int = 1,
    emit: Callable[[Event], None] = lambda _: None,
) -> Outcome:
    """Play a game with this bag to its end, the players in their order."""
    dealer = Dealer(seed, game)
    referee = Referee(rulebook, [*players], dealer.bag, dealer.shuffle, emit)
    return play(referee.play(), players, Dialect.of(rulebook))
