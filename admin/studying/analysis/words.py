"""What an option does, the strongest thing that everybody can see, and turning points in words."""

from collections.abc import Sequence

from ....game.merger import bonuses_for, merge
from ....game.placement import Kind, Placement, kind_of, place
from ....game.purchase import Order, buy
from ....game.state import State
from ....game.turn import pay_out
from ....protocol import messages
from ...refereeing.view.plain_text import dollars, listed, printable
from .chances import TurningPoint
from .decision_log import Decision, What


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
