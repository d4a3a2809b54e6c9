"""``planner``: looks beyond the next turn, to the mergers that are likely.

It compares every legal placement with the best order after it, as ``investor`` does, but values
what follows by :mod:`acquire.player.strategies.outlook`.
"""

from collections.abc import Callable, Iterable
from itertools import product
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from ...game.disposal import Disposal, dispose, keep
from ...game.merger import Merger, merge
from ...game.placement import Kind, Placement, kind_of, place
from ...game.purchase import Order, legal_orders
from ...game.records import add
from ...game.rulebook import DisposalRule, Rulebook
from ...game.state import State
from ...protocol import messages
from ...protocol.question import disposals
from .outlook import Outlook, lead_of
from .strategy import FarSighted, with_player

T = TypeVar("T")


class TurnPlan(NamedTuple):
    """A turn, and the lead that it promises; ``after`` is the position before the order."""

    lead: float
    placement: Placement | None
    order: Order
    after: State


class Planner(FarSighted):
    """Whatever promises the largest lead in the long run: cash, growth and the likely mergers."""

    def __init__(self, rulebook: Rulebook, seed: int = 0) -> None:
        super().__init__(rulebook, seed)
        self.compared: dict[str, list[tuple[float, Any]]] = {}
        """What was compared last to "place", "order" or "settle": leads and options, best first."""

    def _first(self, what: str, options: Iterable[T], lead: Callable[[T], float]) -> T:
        """Return the option that promises the largest lead."""
        found = sorted(((lead(one), one) for one in options), key=lambda each: -each[0])
        self.compared[what] = found
        return found[0][1]

    def best(self, state: State, placements: list[Placement]) -> Placement:
        """Choose the placement that, with the best order after it, promises the largest lead."""
        outlook = Outlook(state)
        return self._first("place", placements, lambda one: plans(outlook, state, one)[0].lead)

    def order(self, state: State) -> Order:
        """Choose the order that promises the largest lead."""
        self.compared["order"] = orders(Outlook(state), state)
        best: Order = self.compared["order"][0][1]
        return best

    def keep(self, hotels: tuple[int, ...]) -> tuple[bool, ...]:
        """Keep what promises more, once its hotel is founded again, than the money for it."""
        state = self.state
        assert state is not None, "a position is sent before any question"
        outlook = Outlook(state)
        me, board = state.player(self.name), state.board
        sizes = tuple([0 if hotel in hotels else size for hotel, size in enumerate(board.sizes)])
        acquired = state._replace(board=board._replace(sizes=sizes))

        def promised(kept: tuple[bool, ...]) -> float:
            shares, cash = me.shares, me.cash
            for hotel, keeps in zip(hotels, kept, strict=True):
                if not keeps:
                    cash += state.price(hotel) * shares[hotel]
                    shares = add(shares, hotel, -shares[hotel])
            settled = with_player(acquired, me._replace(cash=cash, shares=shares))
            return outlook.lead(settled, self.name)

        options: Iterable[tuple[bool, ...]] = product((False, True), repeat=len(hotels))
        return self._first("settle", options, promised)

    def dispose(self, state: State, question: messages.Dispose) -> Disposal:
        """Hold, sell and trade as promises the largest lead."""
        outlook = Outlook(state)

        def promised(choice: Disposal) -> float:
            return outlook.lead(self.disposed(state, question, choice), self.name)

        return self._first("settle", disposals(state, question, self.name), promised)


def plans(outlook: Outlook, state: State, placement: Placement, most: int = 1) -> list[TurnPlan]:
    """Return the turns with this placement and the best orders, at most so many, best first."""
    if kind_of(state.board, placement.tile) is Kind.MERGING:
        after = settle(outlook, merge(state, placement))
    else:
        after = place(state, placement)
    return [
        TurnPlan(lead, placement, order, after) for lead, order in orders(outlook, after)[:most]
    ]


def orders(outlook: Outlook, state: State) -> list[tuple[float, Order]]:
    """Return the mover's legal orders with the leads that they promise, the best first."""
    players, board, prices = state.players, state.board, state.rulebook.prices
    held = list(zip(*[player.shares for player in players], strict=True))
    chances = outlook.chances(state)
    base = outlook.lead(state, players[0].name, chances)
    cash = players[0].cash
    base -= outlook.cash(cash)
    gains: dict[tuple[int, int], float] = {}
    found = []
    for order in legal_orders(state):
        gain, left = base, cash
        for hotel in set(order):
            count = order.count(hotel)
            left -= count * prices[hotel][board.sizes[hotel]]
            if (hotel, count) not in gains:
                if (hotel, 0) not in gains:
                    gains[hotel, 0] = lead_of(outlook.values(board, hotel, held[hotel], chances), 0)
                more = add(held[hotel], 0, count)
                after = lead_of(outlook.values(board, hotel, more, chances), 0)
                gains[hotel, count] = after - gains[hotel, 0]
            gain += gains[hotel, count]
        found.append((gain + outlook.cash(left), order))
    found.sort(key=itemgetter(0), reverse=True)
    return found


def settle(outlook: Outlook, merger: Merger) -> State:
    """Return the position after a merger, if each certificate goes where it is worth most."""
    sizes, survivor = merger.state.board.sizes, merger.survivor
    for hotel, price in zip(merger.acquired, merger.prices, strict=True):
        sold = outlook.kept(hotel, survivor, sizes[survivor]) <= price * outlook.spending
        keeps = outlook.rulebook.disposal is DisposalRule.KEEP_OR_RETURN
        if keeps and not sold:
            continue
        for player in merger.state.players:
            owned = player.shares[hotel]
            if owned and keeps:
                merger = keep(merger, player.name, [h != hotel for h in merger.acquired])
            elif owned:
                trade = 0 if sold else min(owned // 2, merger.state.bank[survivor]) * 2
                merger = dispose(merger, player.name, hotel, Disposal(owned - trade, trade))
    return merger.state
