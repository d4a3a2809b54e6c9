"""Explains the failures of a whole check together: one mistake breaks many cases.

A cause is named only where every move of its kind that was refused fits it, and no accepted one
refutes it: all moves for an old board, for money all orders that cost too much. Of tiles that are
not in the hand, those causes are named that fit all of them.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import NamedTuple, TypeAlias

from ....game.merger import after
from ....game.placement import Placement, place
from ....game.purchase import verify_order
from ....game.state import State
from ....game.tiles import Tile
from ....game.violation import Violation
from ....protocol import messages
from ....protocol.faults import Diagnosis
from ....protocol.messages import PlayerMessage
from ...refereeing.diagnosis.orders import Purchase, explained
from ...refereeing.diagnosis.placements import READ_BOARD, Reading, fits, of_readings, readings
from ...refereeing.play.events import Answered, LaidOut, TurnBegan
from ..trial.trial import TrialResult
from ..trial.wire import PLAIN_DELIVERY
from .check_result import CaseResult, CaseVerdict

Causes: TypeAlias = dict[int, Diagnosis | None]
"""The cause of a refused move, by the number of its result; ``None`` where none is proven."""
OLD_BOARDS = (
    ("keeps its first board and adds only its own tiles", READ_BOARD),
    ("plays on the first board that it read", "Read the board of each message that has one."),
)
"""Why a program has an old board, and what to do: in the order of ``Move.boards``."""


class Move(NamedTuple):
    """An answer to ``<turn>`` or ``<players>``, with the boards of its case."""

    answer: PlayerMessage
    state: State  # the position in which it was sent
    turns: tuple[State, ...]  # the positions in which the turns began, with this one
    boards: tuple[State, State]  # as positions: its first with its own tiles, the first `<state>`

    @property
    def begun(self) -> State:
        """The position in which its turn began."""
        return self.turns[-1]

    def legal_on(self, other: State) -> bool:
        """Whether it would be legal on the board of another position."""
        if isinstance(self.answer, messages.Merge):
            return fits(self.state, other.board, self.answer.placement, alone=True)
        purchase = self._replace(state=self.state._replace(board=other.board)).purchase
        return purchase is not None and verify_order(purchase.state, purchase.order) is None

    @property
    def purchase(self) -> Purchase | None:
        """The order, with the position for it; ``None`` if the placement merges or is illegal."""
        state, begun = self.state, self.begun.board
        match self.answer:
            case messages.Order(order):
                return Purchase(order, state, begun, merged=True)
            case messages.Pbuy(None, order):
                return Purchase(order, state, begun)
            case messages.Pbuy(Placement() as placed, order):
                if fits(state, state.board, placed, alone=False):
                    return Purchase(order, place(state, placed), begun)
        return None


def with_common_cause(results: tuple[CaseResult, ...]) -> tuple[CaseResult, ...]:
    """Return the results of a check, the failures with the cause that all cases prove."""
    moves = {number: [*_moves(result.trial)] for number, result in enumerate(results)}
    refused = {
        number: found.pop()
        for number, found in moves.items()
        if found and (left := results[number].trial.ejected) and left.violation is not None
    }
    accepted = [*chain.from_iterable(moves.values())]
    told = [*results]
    causes = _of_old_board(refused, accepted)
    causes = causes or {**_of_hand(refused), **_of_money(refused, accepted)}
    for number, cause in causes.items():
        told[number] = _with_hint(told[number], cause)
    if why := _of_pieces(results) or _of_silence(results):
        for number, result in enumerate(results):
            if result.verdict is CaseVerdict.FAIL:
                case = replace(result.case, hint="")  # nothing is left to guess
                told[number] = replace(result, case=case, actual=f"{why} {result.actual}")
    # what is common in a case is no guess where others failed for which it is not
    if len({each.case.hint for each in told if each.verdict is CaseVerdict.FAIL}) > 1:
        told = [replace(each, case=replace(each.case, hint="")) for each in told]
    return tuple(told)


def _of_silence(results: tuple[CaseResult, ...]) -> str:
    """Recognise a program that answers every message but one, which it never answers."""
    failed = [each.trial for each in results if each.verdict is CaseVerdict.FAIL]
    silent = {
        each.failed_question
        for each in failed
        if each.was_silent and not each.late_by and not each.printed
    }
    answered = {question for each in results for question, _ in each.trial.answers}
    asked = {each.failed_question for each in failed}
    if asked != silent or len(silent) != 1 or silent & answered or not answered:
        return ""
    return (
        f"The program never answered <{silent.pop()}>, and all other messages in time: "
        "it does not wait for this one, or has no answer to it."
    )


def _of_pieces(results: tuple[CaseResult, ...]) -> str:
    """Recognise a program that fails only where a message is not alone in one read."""
    failed = [result.case for result in results if result.verdict is CaseVerdict.FAIL]
    in_pieces = [case for case in failed if case.delivery.gap or case.delivery.join_sign_up]
    passed = any(
        result.verdict.passed and result.case.delivery == PLAIN_DELIVERY for result in results
    )
    # a case whose messages come whole passes all the same if it ends so after its own step
    alike = {_end(each) for each in results if each.case.delivery == PLAIN_DELIVERY}
    ends = {_end(each) for each in results if each.verdict is CaseVerdict.FAIL}
    if not failed or failed != in_pieces or not passed or ends <= alike:
        return ""
    ((hint, _),) = Counter(case.hint for case in failed).most_common(1)
    return (
        "The player fails only where a message comes in several reads, or several in one: "
        f"the cause is {hint}"
    )


def _end(result: CaseResult) -> tuple[str, str]:
    """Return how a case ended, and in answer to which question."""
    return result.ended_by, result.trial.failed_question


def _of_old_board(refused: dict[int, Move], accepted: list[Move]) -> Causes:
    """Recognise a program that does not read the board of each message."""
    for which, (cause, advice) in enumerate(OLD_BOARDS):
        old = [(move, move.boards[which]) for move in refused.values()]
        later = any(move.begun.board != state.board for move, state in old)
        if (
            later
            and len(refused) > 1
            and all(move.state.board != state.board and move.legal_on(state) for move, state in old)
            and all(move.legal_on(move.boards[which]) for move in accepted)
        ):
            told = Diagnosis(f"The program {cause}: there, the move would be legal.", advice)
            return dict.fromkeys(refused, told)
    return {}


def _of_hand(refused: dict[int, Move]) -> Causes:
    """Recognise why tiles are not in the hand: what explains all of them explains each."""
    found: dict[int, tuple[Tile, list[Reading]]] = {}
    for number, move in refused.items():
        match move.answer:
            case messages.Pbuy(Placement(tile)) | messages.Merge(Placement(tile)) if (
                not move.state.mover.hand >> tile & 1
            ):
                found[number] = tile, readings(move.state, tile, move.turns)
    hows = [{each.how for each in read} for _, read in found.values()]
    if not hows or not (common := set.intersection(*hows)):
        return {}
    return {
        number: of_readings(tile, [each for each in read if each.how in common])
        for number, (tile, read) in found.items()
    }


def _of_money(refused: dict[int, Move], accepted: list[Move]) -> Causes:
    """Recognise why orders cost too much."""
    dear = {
        number: purchase
        for number, move in refused.items()
        if (purchase := move.purchase)
        and (illegal := verify_order(purchase.state, purchase.order))
        and illegal.violation is Violation.TOO_DEAR
    }
    legal = [purchase for move in accepted if (purchase := move.purchase)]
    return dict(zip(dear, explained([*dear.values()], legal), strict=True)) if dear else {}


def _with_hint(result: CaseResult, hint: Diagnosis | None) -> CaseResult:
    left = result.trial.ejected
    assert left is not None, "its order was refused"
    new = left._replace(hint=str(hint or ""))
    events = [new if event is left else event for event in result.trial.events]
    actual = result.actual.replace(left.sentences, new.sentences)
    return replace(result, actual=actual, trial=replace(result.trial, events=events))


def _placed(state: State, answer: PlayerMessage) -> State:
    """Return a position with the tile of an answer, if it can be placed there."""
    match answer:
        case messages.Pbuy(Placement() as placed) | messages.Merge(placed):
            if fits(state, state.board, placed, alone=isinstance(answer, messages.Merge)):
                return after(state, placed)
    return state


def _moves(trial: TrialResult) -> Iterator[Move]:
    laid_out: list[State] = []
    turns: list[State] = []
    state = own = None
    for event in trial.events:
        match event:
            case LaidOut():
                laid_out.append(event.state)
            case TurnBegan():
                turns.append(state := event.state)
            case Answered(trial.name, "turn" | "players", message) if turns and state and laid_out:
                own = own or state
                yield Move(message, state, tuple(turns), (own, laid_out[0]))
                own = _placed(own._replace(players=state.players), message)
            case _:
                state = getattr(event, "state", state)
