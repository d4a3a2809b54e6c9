"""One correct answer: close to the one given, if that could be parsed."""

from ....game.placement import Placement
from ....game.purchase import Order, verify_order
from ....protocol import messages
from ....protocol.messages import PlayerMessage
from ....protocol.question import Question


def suggest(question: Question, received: PlayerMessage | None) -> PlayerMessage:
    """Return the legal answer nearest to the one received, which is ``None`` if not parsed."""
    match question.message, received:
        case _, messages.Pbuy(wanted, order, end):
            placement = _nearest(question.placements(), wanted)
            return question.turn_answer(placement, *_affordable(question, placement, order, end))
        case _, messages.Merge(wanted):
            return question.turn_answer(_nearest(question.placements(), wanted))
        case _, messages.Order(order, end):
            return messages.Order(*_affordable(question, None, order, end))
        case messages.Keep(hotels), messages.KeepAnswer(decisions):
            return messages.KeepAnswer((decisions + (True,) * len(hotels))[: len(hotels)])
        case _, messages.DisposeAnswer(sell, trade):
            less = [one for one in question.disposals() if one.sell <= sell and one.trade <= trade]
            nearest = max(less, key=lambda one: (one.trade, one.sell))
            return messages.DisposeAnswer(nearest.sell, nearest.trade)
    return question.simplest()


def _nearest(options: list[Placement], wanted: Placement | None) -> Placement | None:
    """Return the very placement if it is legal, else one with its tile, or its hotel, or any."""
    if wanted is None:
        return options[0] if options else None
    return max(
        options,
        key=lambda option: (
            option.tile == wanted.tile,
            option.hotel == wanted.hotel,
            option.equals == wanted.equals,
            not option.equals,
        ),
        default=None,
    )


def _affordable(
    question: Question, placement: Placement | None, order: Order, end: bool
) -> tuple[Order, bool]:
    """Return as much of an order, from its beginning, as is legal; the end too, if it may come."""
    if placement is not None and question.merges(placement):
        return (), False
    state = question.ordering(placement)
    kept: Order = ()
    for hotel in order:
        if verify_order(state, (*kept, hotel)) is None:
            kept = (*kept, hotel)
    return kept, end and question.ending(placement) is not None
