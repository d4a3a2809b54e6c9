"""The recorded move: the answers of one turn, which are given again, then a strategy's answers.

The opponents may play differently than in the game, and the bag differs. So the move may become
illegal: the hand was replaced by other tiles, the bank has fewer certificates after a merger. When
the referee rejects an answer, the move is amended: an order is shortened, any other answer is left
to the strategy.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

from ....game.merger import join
from ....game.placement import Kind, kind_of
from ....game.state import State
from ....game.violation import Violation
from ....protocol import messages
from ....protocol.faults import Fault
from ....protocol.messages import PlayerMessage
from ...refereeing.play.in_process import Response

Answers: TypeAlias = tuple[tuple[str, PlayerMessage], ...]
"""The answers in a turn, each after its question (a root element), in order."""

END_OF_TURN: Final = ("tile", messages.VOID)
"""Follows the answers, so that none of them is given in a later turn."""
DECISIONS = ("replace", "turn", "keep", "dispose", "players")
"""The questions whose answers can be repeated: their tiles are the same in every game."""


def move_of(position: State, responses: Sequence[tuple[str, Response]]) -> Answers:
    """Return the mover's decisions in the turn that began with ``position``.

    Those about a merger by the market's tile are left out: the market will draw another tile.
    """
    answers = [
        (question, answer)
        for question, answer in responses
        if question in DECISIONS and not isinstance(answer, Fault)
    ]
    disposals = _disposals(position, answers)
    kept: list[tuple[str, PlayerMessage]] = []
    for question, answer in answers:
        if question == "dispose":
            disposals -= 1
            if disposals < 0:
                continue
        kept.append((question, answer))
    return tuple(kept)


def _disposals(position: State, answers: Sequence[tuple[str, PlayerMessage]]) -> int:
    """Count the acquired hotels of which the mover has certificates."""
    for _, answer in answers:
        match answer:
            case messages.Merge(placement):
                if not position.mover.hand >> placement.tile & 1:
                    return 0  # drawn when the hand was replaced, so not in every game
                if kind_of(position.board, placement.tile) is not Kind.MERGING:
                    return 0
                acquired = join(position, placement).acquired
                return sum(1 for hotel in acquired if position.mover.shares[hotel])
    return 0


def amend(answers: Answers, at: int, violation: Violation | None) -> Answers:
    """Return the answers without what the referee rejected in the one at index ``at``."""
    question, rejected = answers[at]
    match rejected:
        case messages.Order(hotels, True) if violation is Violation.NOT_OVER:
            shorter = messages.Order(hotels)
        case messages.Order(hotels, end) if hotels:
            shorter = messages.Order(hotels[:-1], end)
        case _:
            return answers[:at]
    return (*answers[:at], (question, shorter), *answers[at + 1 :])
