"""The opponents in scenarios: a strategy, one that leaves, one that trades as much as it can."""

from functools import cache

from ....game.disposal import TRADED_FOR_ONE
from ....game.rulebook import Rulebook
from ....protocol import messages
from ....protocol.faults import Fault, Reason
from ....protocol.messages import TAGS, PlayerMessage, RefereeMessage
from ....protocol.plugins import load_strategy
from ...refereeing.play.in_process import Answerer
from ..trial.script import MakePlayer

LEAVES = Fault(Reason.DISCONNECTED, "This opponent leaves here, as the case requires.")

_load_strategy = cache(load_strategy)
"""Cached: searching all installed packages for a strategy takes longer than a case."""


def plays(strategy: str) -> MakePlayer:
    """Return an opponent that plays by an installed strategy."""
    return lambda rulebook: _load_strategy(strategy)(rulebook, 0)


def leaves(*questions: str, after: int = 0) -> MakePlayer:
    """Return an opponent that answers this many of some questions, and leaves at the next.

    At the ``state`` it leaves at the first position.
    """

    def make(rulebook: Rulebook) -> Answerer:
        answer, left = plays("ordered")(rulebook), after

        def leaver(message: RefereeMessage) -> PlayerMessage | Fault:
            nonlocal left
            if TAGS[type(message)] in questions:
                if not left:
                    return LEAVES
                left -= 1
            return answer(message)

        return leaver

    return make


def trades_all(name: str) -> MakePlayer:
    """Return the opponent of this name, which trades all its certificates of acquired hotels.

    The bank must have enough of the survivor, or the opponent is ejected.
    """

    def make(rulebook: Rulebook) -> Answerer:
        answer = plays("ordered")(rulebook)

        def trader(message: RefereeMessage) -> PlayerMessage | Fault:
            if isinstance(message, messages.Dispose):
                return messages.DisposeAnswer(0, _tradable(message, name))
            return answer(message)

        return trader

    return make


def _tradable(question: messages.Dispose, name: str) -> int:
    """Return how many certificates of the acquired hotel a player can trade two for one."""
    (own,) = [player for player in question.view.players if player.name == name]
    assert own.shares is not None, "a player sees its own certificates"
    return own.shares[question.hotel] // TRADED_FOR_ONE * TRADED_FOR_ONE
