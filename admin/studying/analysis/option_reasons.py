"""What an option does, in one sentence: the strongest thing that everybody at the table can see."""

from collections.abc import Sequence

from ....game.merger import bonuses_for, merge
from ....game.placement import Kind, Placement, kind_of, place
from ....game.purchase import Order, buy
from ....game.state import State
from ....game.turn import pay_out
from ....protocol import messages
from ...refereeing.view.plain_text import dollars, listed
from .decision import Decision, What


def option_reason(decision: Decision, option: int) -> str:
    """Return what an option does, beginning with a verb; money and holdings as they were then."""
    state, name, chosen = decision.state, decision.name, decision.options[option]
    match chosen.choice:
        case (Placement() as placement) | messages.Merge(placement):
            return _placement(state, placement)
        case messages.Pbuy(_, order, end) | messages.Order(order, end):
            if decision.what is What.END:
                return _money(state, "ends the game" if end else "plays on")
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
    return _list_of([(name, -count) for count, name in sorted(held) if count][:2], without)


def _list_of(held: Sequence[tuple[str, int]], without: str) -> str:
    words = [f"{name} {'holds ' if not at else ''}{count}" for at, (name, count) in enumerate(held)]
    return listed(words) if words else f"nobody{' else' if without else ''} holds any"


def _money(state: State, verb: str) -> str:
    scores = sorted(pay_out(state).scores, key=lambda each: -each[1])[:2]
    return f"{verb}, where {listed([f'{name} has {dollars(money)}' for name, money in scores])}"
