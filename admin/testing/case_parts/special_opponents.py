"""Scripts in which one opponent behaves in a particular way."""

from dataclasses import replace

from ....game.disposal import TRADED_FOR_ONE
from ....game.rulebook import Rulebook
from ....protocol import messages
from ....protocol.faults import Fault, Reason
from ....protocol.messages import TAGS, PlayerMessage, RefereeMessage
from ...refereeing.play.in_process import Answerer
from ..trial.script import Script

LEAVES = Fault(Reason.DISCONNECTED, "This opponent leaves here, as the case requires.")


def with_leaver(script: Script, name: str, question: str) -> Script:
    """Return the script with an opponent that leaves when it is asked ``question``.

    With ``state`` it leaves at the first position.
    """
    make = script.opponents[name]

    def maker(rulebook: Rulebook) -> Answerer:
        answer = make(rulebook)

        def leaver(message: RefereeMessage) -> PlayerMessage | Fault:
            return LEAVES if TAGS[type(message)] == question else answer(message)

        return leaver

    return replace(script, opponents={**script.opponents, name: maker})


def with_trader(script: Script, name: str) -> Script:
    """Return the script with an opponent that trades all its certificates of acquired hotels.

    The bank must have enough of the survivor, or the opponent is ejected.
    """
    make = script.opponents[name]

    def maker(rulebook: Rulebook) -> Answerer:
        answer = make(rulebook)

        def trader(message: RefereeMessage) -> PlayerMessage | Fault:
            if isinstance(message, messages.Dispose):
                return messages.DisposeAnswer(0, _tradable(message, name))
            return answer(message)

        return trader

    return replace(script, opponents={**script.opponents, name: maker})


def _tradable(question: messages.Dispose, name: str) -> int:
    """Return how many certificates of the acquired hotel a player can trade two for one."""
    (own,) = [player for player in question.view.players if player.name == name]
    assert own.shares is not None, "a player sees its own certificates"
    return own.shares[question.hotel] // TRADED_FOR_ONE * TRADED_FOR_ONE
