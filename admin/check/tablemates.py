"""The other players of a case, where one of them has to do something in particular."""

from dataclasses import replace

from admin.match.in_process import Answerer
from admin.trial.script import Script
from game.disposal import TRADED_FOR_ONE
from protocol import messages
from protocol.faults import Fault, Reason
from protocol.messages import TAGS, AdministratorMessage, PlayerMessage

LEAVES = Fault(Reason.DISCONNECTED, "This player left in the middle, as the case has it.")


def leaving(script: Script, name: str, question: str) -> Script:
    """Return the script with another player who leaves when it is asked ``question``.

    Where that is ``state`` the player leaves at the first position.
    """
    make = script.others[name]

    def maker() -> Answerer:
        answer = make()

        def leaver(message: AdministratorMessage) -> PlayerMessage | Fault:
            return LEAVES if TAGS[type(message)] == question else answer(message)

        return leaver

    return replace(script, others={**script.others, name: maker})


def trading(script: Script, name: str) -> Script:
    """Return the script with another player who trades as many certificates as can be."""
    make = script.others[name]

    def maker() -> Answerer:
        answer = make()

        def trader(message: AdministratorMessage) -> PlayerMessage | Fault:
            if isinstance(message, messages.Dispose):
                return messages.DisposeAnswer(0, _most(message, name))
            return answer(message)

        return trader

    return replace(script, others={**script.others, name: maker})


def _most(question: messages.Dispose, name: str) -> int:
    """Return how many certificates can be traded at the most, by what the bank has left."""
    view = question.view
    (own,) = [player for player in view.players if player.name == name]
    pairs = own.shares[question.hotel] // TRADED_FOR_ONE
    return TRADED_FOR_ONE * min(pairs, view.bank[question.survivor])
