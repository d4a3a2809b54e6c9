"""Explains the refused orders of a whole check together: one mistake breaks many cases."""

from collections.abc import Iterator
from dataclasses import replace

from ....game.placement import Placement, place, verify_placement
from ....game.purchase import verify_order
from ....game.violation import Violation
from ....protocol import messages
from ....protocol.faults import Diagnosis
from ...refereeing.diagnosis.beliefs import Purchase, explained
from ...refereeing.play.events import Answered, TurnBegan
from ..trial.trial import TrialResult
from .check_result import CaseResult


def with_common_cause(results: tuple[CaseResult, ...]) -> tuple[CaseResult, ...]:
    """Return the results of a check, the refused orders with the cause that all orders prove."""
    refused: dict[int, Purchase] = {}
    accepted: list[Purchase] = []
    for number, result in enumerate(results):
        left, found = result.trial.ejected, [*_purchases(result.trial)]
        if found and left is not None and left.violation is Violation.TOO_DEAR:
            refused[number] = found.pop()
        accepted += [each for each in found if verify_order(each.state, each.order) is None]
    told = [*results]
    if refused:
        for number, cause in zip(refused, explained([*refused.values()], accepted), strict=True):
            told[number] = _with_hint(told[number], cause)
    return tuple(told)


def _with_hint(result: CaseResult, hint: Diagnosis) -> CaseResult:
    """Return a result in which the ejection has another hint."""
    left = result.trial.ejected
    assert left is not None, "its order was refused"
    new = left._replace(hint=str(hint))
    events = [new if event is left else event for event in result.trial.events]
    actual = result.actual.replace(left.sentences, new.sentences)
    return replace(result, actual=actual, trial=replace(result.trial, events=events))


def _purchases(trial: TrialResult) -> Iterator[Purchase]:
    """Yield the orders of a trial's player whose placement was legal."""
    state = begun = None
    for event in trial.events:
        match event:
            case TurnBegan():
                state = begun = event.state
            case Answered(trial.name, _, message) if state and begun:
                match message:
                    case messages.Order(order):
                        yield Purchase(order, state, begun.board, merged=True)
                    case messages.Pbuy(None, order):
                        yield Purchase(order, state, begun.board)
                    case messages.Pbuy(Placement() as tile, order) if not verify_placement(
                        state, tile
                    ):
                        yield Purchase(order, place(state, tile), begun.board)
            case _:
                state = getattr(event, "state", state)
