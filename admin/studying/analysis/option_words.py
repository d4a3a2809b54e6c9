"""Options in words, as short as a line of a list."""

from ....game.disposal import TRADED_FOR_ONE
from ....game.placement import Kind, Placement, kind_of
from ....game.purchase import Order
from ....game.rulebook import Rulebook
from ....game.state import State
from ....game.tiles import tile_name
from ....protocol import messages
from ....protocol.question import Question
from .decision import Choice


def choice_words(question: Question, choice: Choice) -> str:
    """Return a placement, or an answer to a question, in words."""
    state = question.state
    own, name = state.player(question.name).shares, state.rulebook.hotel_name
    match question.message, choice:
        case _, (Placement() as placement) | messages.Merge(placement):
            return _placement(state, placement)
        case _, messages.Pbuy(_, order) | messages.Order(order):
            return _order(state.rulebook, order)
        case messages.Keep(hotels), messages.KeepAnswer(kept):
            return ", ".join(
                f"{'keep' if keeps else 'return'} {name(hotel)}"
                for hotel, keeps in zip(hotels, kept, strict=True)
                if own[hotel]
            )
        case messages.Dispose(hotel), messages.DisposeAnswer(sell, trade):
            return _disposal(own[hotel] - sell - trade, sell, trade)
        case _, messages.ReplaceAnswer(replaces):
            return "replace the hand" if replaces else "keep the hand"
    raise AssertionError(f"{choice} does not answer {question.message}")


def end_words(_question: Question, choice: Choice) -> str:
    """Return in words whether an order declares the end."""
    declares = isinstance(choice, messages.Pbuy | messages.Order) and choice.end
    return "declare the end" if declares else "play on"


def _placement(state: State, placement: Placement) -> str:
    """Return a placement in words; the order of equal acquired hotels is left out."""
    tile, name = tile_name(placement.tile), state.rulebook.hotel_name
    kind = kind_of(state.board, placement.tile)
    if kind is Kind.GROWING:
        return f"{tile}: {name(state.board.touched(placement.tile)[0])} grows"
    if placement.hotel is None:
        return tile
    if kind is Kind.FOUNDING:
        return f"{tile}: found {name(placement.hotel)}"
    return f"{tile}: merge into {name(placement.hotel)}"


def _order(rulebook: Rulebook, order: Order) -> str:
    bought = [f"{order.count(hotel)} {rulebook.hotel_name(hotel)}" for hotel in sorted({*order})]
    return f"buy {', '.join(bought)}" if bought else "buy nothing"


def _disposal(held: int, sell: int, trade: int) -> str:
    parts = [f"hold {held}"] if held else []
    parts += [f"sell {sell}"] if sell else []
    parts += [f"trade {trade} for {trade // TRADED_FOR_ONE}"] if trade else []
    return ", ".join(parts)
