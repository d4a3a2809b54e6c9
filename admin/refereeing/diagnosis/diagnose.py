"""The entry: the hint on a fault or an illegal move."""

from ....game.placement import place, verify_placement
from ....game.rulebook import Rulebook
from ....game.rulebooks import REVISED
from ....game.state import State
from ....game.violation import Violation
from ....protocol import messages
from ....protocol.faults import Circumstance, Diagnosis, Fault, Reason
from ....protocol.messages import PlayerMessage, RefereeMessage
from . import broken_xml, not_xml, wrong_moment
from .orders import of_keep, of_order
from .placements import of_placement


def hint_on_fault(fault: Fault, question: str, rulebook: Rulebook, *, first: bool = False) -> str:
    """Return the probable cause of a fault and what to do, ``""`` where nothing is recognised.

    ``question`` is the root element of the question that the fault came instead of an answer to;
    ``signup`` for a connection that has not signed up. ``first`` is whether no other question has
    been answered before.
    """
    found = _of_fault(fault, question, rulebook, first=first)
    return "" if found is None else str(found)


def hint_on_sign_up(fault: Fault) -> str:
    """Return the hint on a fault before the player had a seat, or ``""``.

    No rulebook matters so early: all begin with the same messages.
    """
    return hint_on_fault(fault, "signup", REVISED, first=True)


def sign_up_fault_with_hint(fault: Fault) -> str:
    """Return a fault before the player had a seat in words, the hint first if there is one."""
    hint = hint_on_sign_up(fault)
    return f"{hint} {fault}" if hint else str(fault)


def hint_on_move(
    violation: Violation,
    message: RefereeMessage,
    state: State,
    name: str,
    answer: PlayerMessage | None,
) -> str:
    """Return the probable cause of an illegal move and what to do, or ``""``.

    ``message`` is the question, ``state`` the position in which it was put to the player ``name``.
    """
    found = _of_move(violation, message, state, name, answer)
    return "" if found is None else str(found)


def _of_fault(fault: Fault, question: str, rulebook: Rulebook, *, first: bool) -> Diagnosis | None:
    data = fault.data
    match fault.reason:
        case Reason.MALFORMED:
            return _of_bytes(data)
        case Reason.OUT_OF_TURN if fault.circumstance is Circumstance.UNASKED:
            return wrong_moment.of_unasked(data, after_sign_up=first)
        case Reason.OUT_OF_TURN:
            return wrong_moment.of_surplus(data, question) or wrong_moment.of_unexpected(
                data, question
            )
        case Reason.TIMED_OUT if data:
            return broken_xml.unfinished(data)
        case Reason.TIMED_OUT if fault.circumstance is Circumstance.UNREAD:
            return Diagnosis(
                f"The player does not read what it is sent: <{question}> is still on its way.",
                "Read from the connection whenever you wait.",
            )
        case Reason.TIMED_OUT if fault.circumstance is Circumstance.COMPUTING:
            return Diagnosis(
                f"The program was computing when its time for <{question}> was over: probably an "
                "endless loop, or a search without a limit.",
                "Print where it is, or interrupt it in a debugger.",
            )
        case Reason.TIMED_OUT:
            return _of_silence(question, first=first)
    return None


def _of_bytes(data: bytes) -> Diagnosis | None:
    recognisers = (*not_xml.RECOGNISERS, *broken_xml.RECOGNISERS)
    return next((found for recognise in recognisers if (found := recognise(data))), None)


def _of_silence(question: str, *, first: bool) -> Diagnosis:
    if question == "signup":
        return Diagnosis(
            "Nothing at all arrived: the sign-up is still in an output buffer, or was not sent.",
            "Flush the output after every message, and do not wait for a greeting: the player "
            "speaks first.",
        )
    advice = (
        f"Answer it with {wrong_moment.answers_to(question)}, flush the output, and do not wait "
        "for more where the element ends."
    )
    if first:
        advice += (
            " The answer to the sign-up and this message may arrive in one read: keep what follows "
            "the first element."
        )
    return Diagnosis(f"Nothing was sent in time in answer to <{question}>.", advice)


def _of_move(
    violation: Violation,
    message: RefereeMessage,
    state: State,
    name: str,
    answer: PlayerMessage | None,
) -> Diagnosis | None:
    match message, answer:
        case _, messages.Pbuy(None, order):
            return of_order(state, state, order, violation)
        case ((messages.Turn() | messages.TurnView()), messages.Pbuy() as pbuy):
            assert pbuy.placement is not None, "the case above has those without"
            found = of_placement(state, pbuy.placement, violation, name)
            if found is not None or verify_placement(state, pbuy.placement) is not None:
                return found
            return of_order(place(state, pbuy.placement), state, pbuy.order, violation)
        case ((messages.Turn() | messages.TurnView()), messages.Merge(placement)):
            return of_placement(state, placement, violation, name)
        case _, messages.Order(hotels):
            return of_order(state, state, hotels, violation)
        case messages.Keep(asked), messages.KeepAnswer(decisions):
            return of_keep(asked, len(decisions), state.player(name).shares)
    return None
