"""Options and turning points in words.

What an option is fits in a line of a list; what it does is the strongest thing that everybody at
the table can see.
"""

from collections.abc import Sequence

from ....game.disposal import TRADED_FOR_ONE
from ....game.merger import bonuses_for, merge
from ....game.placement import Kind, Placement, kind_of, place
from ....game.purchase import Order, buy
from ....game.state import State
from ....game.tiles import tile_name
from ....game.turn import pay_out
from ....protocol import messages
from ....protocol.question import Question
from ...refereeing.view.plain_text import dollars, listed, printable
from .chances import TurningPoint
from .decision import Choice, Decision, What


def choice_words(question: Question, choice: Choice) -> str:
    """Return a placement, or an answer to a question, in words."""
    state = question.state
    own, name = state.player(question.name).shares, state.rulebook.hotel_name
    match question.message, choice:
        case _, (Placement() as placement) | messages.Merge(placement):
            return _placement_words(state, placement)
        case _, messages.Pbuy(_, order) | messages.Order(order):
            bought = [f"{order.count(hotel)} {name(hotel)}" for hotel in sorted({*order})]
            return f"buy {', '.join(bought) or 'nothing'}"
        case messages.Keep(hotels), messages.KeepAnswer(kept):
            return ", ".join(
                f"{'keep' if keeps else 'return'} {name(hotel)}"
                for hotel, keeps in zip(hotels, kept, strict=True)
                if own[hotel]
            )
        case messages.Dispose(hotel), messages.DisposeAnswer(sell, trade):
            held = own[hotel] - sell - trade
            traded = f"trade {trade} for {trade // TRADED_FOR_ONE}"
            done = ((held, f"hold {held}"), (sell, f"sell {sell}"), (trade, traded))
            return ", ".join(words for count, words in done if count)
        case _, messages.ReplaceAnswer(replaces):
            return "replace the hand" if replaces else "keep the hand"
    raise AssertionError(f"{choice} does not answer {question.message}")


def end_words(_question: Question, choice: Choice) -> str:
    """Return in words whether an order declares the end."""
    declares = isinstance(choice, messages.Pbuy | messages.Order) and choice.end
    return "declare the end" if declares else "play on"


def _placement_words(state: State, placement: Placement) -> str:
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


# -- what an option does ------------------------------------------------------------------------


def option_reason(decision: Decision, option: int) -> str:
    """Return what an option does, beginning with a verb; money and holdings as they were then."""
    state, name, chosen = decision.state, decision.name, decision.options[option]
    match chosen.choice:
        case (Placement() as placement) | messages.Merge(placement):
            return _placement(state, placement)
        case messages.Pbuy(_, order, end) | messages.Order(order, end):
            if decision.what is What.END:
                scores = sorted(pay_out(state).scores, key=lambda each: -each[1])[:2]
                leaders = listed(f"{who} has {dollars(money)}" for who, money in scores)
                return f"{'ends the game' if end else 'plays on'}, where {leaders}"
            return _order(state, order)
        case messages.Dispose() | messages.DisposeAnswer() | messages.KeepAnswer():
            return f"{chosen.text}, with {dollars(state.player(name).cash)} in cash"
    return chosen.text


def _placement(state: State, placement: Placement) -> str:
    called, kind = state.rulebook.hotel_name, kind_of(state.board, placement.tile)
    if kind is Kind.MERGING:
        merger = merge(state, placement)
        paid = [
            f"{bonus.name} {dollars(bonus.amount)} for {called(bonus.hotel)}"
            for bonus in merger.bonuses
        ]
        return f"pays {listed(paid)}" if paid else "pays no bonus"
    after = place(state, placement)
    for hotel, (size, new) in enumerate(zip(state.board.sizes, after.board.sizes, strict=True)):
        if size != new:
            prices = f"{dollars(state.price(hotel))} to {dollars(after.price(hotel))}"
            if kind is Kind.FOUNDING:
                return f"founds {called(hotel)} at {dollars(after.price(hotel))} a certificate"
            return f"takes a certificate of {called(hotel)} from {prices}; {_holders(after, hotel)}"
    return "changes no hotel"


def _order(state: State, order: Order) -> str:
    """Return what an order does for the hotel in which the mover's bonus rises most."""
    mover, after = state.mover.name, buy(state, order)
    if not order:
        return f"keeps {dollars(state.mover.cash)} in cash"

    def rise(hotel: int) -> int:
        return _bonus(after, hotel, mover) - _bonus(state, hotel, mover)

    hotel = max(sorted({*order}), key=rise)
    bonus, others = _bonus(after, hotel, mover), [each.shares[hotel] for each in after.players[1:]]
    own, best = after.mover.shares[hotel], max(others, default=0)
    which = "majority" if own > best else "tied majority" if own == best else "minority"
    holders = _holders(after, hotel, without=mover)
    if not bonus:
        return f"gets no bonus of {state.rulebook.hotel_name(hotel)} yet; {holders}"
    verb = "takes" if rise(hotel) > 0 else "strengthens"
    return f"{verb} a {dollars(bonus)} {which} of {state.rulebook.hotel_name(hotel)}; {holders}"


def _bonus(state: State, hotel: int, name: str) -> int:
    paid = bonuses_for(state.rulebook, hotel, state.price(hotel), state.players)
    return sum(bonus.amount for bonus in paid if bonus.name == name)


def _holders(state: State, hotel: int, without: str = "") -> str:
    """Return who holds most certificates of a hotel, two players at most."""
    held = [(-each.shares[hotel], each.name) for each in state.players if each.name != without]
    most = [(name, -count) for count, name in sorted(held) if count][:2]
    words = [f"{name} {'' if at else 'holds '}{count}" for at, (name, count) in enumerate(most)]
    return listed(words) if words else f"nobody{' else' if without else ''} holds any"


# -- turning points -----------------------------------------------------------------------------


def point_words(point: TurningPoint, names: Sequence[str]) -> str:
    """Return how the chance has changed for whom it changed most, and by what."""
    seat, at = point.seat, point.decisive
    before, after = point.before[seat], point.after[seat]
    text = f"{printable(names[seat])} from {before * 100:.0f} % to {after * 100:.0f} %"
    if not point.steps:
        return text
    parts = [round(each * 100) for each in point.by_decision]
    draw = f"{_points(round(point.change * 100) - sum(parts))} by the draw"
    if at is None:
        return f"{text}: {_points(sum(parts))} by decisions, {draw}"
    decision = point.steps[at][0]
    chosen = decision.options[decision.recorded].text
    others = sum(parts) - parts[at]
    return (
        f"{text}: {_points(parts[at])} by \N{LEFT DOUBLE QUOTATION MARK}{chosen}"
        f"\N{RIGHT DOUBLE QUOTATION MARK} of {printable(decision.name)}"
        f"{f', {_points(others)} by other decisions' if others else ''}, {draw}"
    )


def _points(change: int) -> str:
    """Write a change in percentage points, with a minus sign."""
    return f"{change:+}".replace("-", "\N{MINUS SIGN}")
