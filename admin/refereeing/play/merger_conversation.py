"""The conversation of a merger, from the survivor to the last certificate disposed of.

The rules are in :mod:`acquire.game.merger`: who survives, the order of the acquired hotels, the
bonuses.

    join the hotels
    for each acquired hotel in turn                       (*keep*: all of them at once)
        draw the market's tile and send it to both          (two players)
        send all how many certificates each player holds    (hidden ones)
        pay the bonuses
        ask each holder, the mover first, in turn order
    place the market's tiles, in the order drawn            (two players)
        one that merges: ask the mover for the survivor, then as above

The merger works on a position of its own, apart from the committed one. A player at fault is
ejected from both; if it is the mover, there is no position after the merger.

A turn's own position may have drawn tiles that the committed one has not. If another player is
ejected meanwhile, one shuffle serves both: the working bag is the committed one without what the
turn has drawn.
"""

from collections import deque

from ....game import market
from ....game.disposal import Disposal, dispose, holders, keep, verify_disposal, verify_keep
from ....game.merger import Merger, join, pay, pay_bonuses
from ....game.placement import Kind, Placement, verify_hotels
from ....game.rulebook import DisposalRule
from ....game.state import State
from ....game.tiles import Tile, tile_name
from ....game.violation import Illegal, Violation
from ....protocol import messages
from ....protocol.faults import Fault
from ....protocol.player_view import view_for
from . import events
from .judge import Judge, fault_of
from .questions import Asking


class MergerConversation:
    """The conversation of one turn's merger; ``with_market`` where the market is a holder."""

    def __init__(self, judge: Judge, *, with_market: bool) -> None:
        self._judge = judge
        self._emit = judge.emit
        self._with_market = with_market
        self._waiting: deque[Tile] = deque()

    def run(self, state: State, placement: Placement) -> Asking[State | None]:
        """Merge by a legal placement; return the position after it, ``None`` without the mover."""
        merger = join(state, placement)
        tile, survivor = placement.tile, merger.survivor
        self._emit(events.Placed(state.mover.name, tile, Kind.MERGING, survivor, merger.state))
        settled = yield from self._settle(state, merger)
        while settled is not None and self._waiting:
            settled = yield from self._place_for_market(settled, self._waiting.popleft())
        return settled

    def _settle(self, before: State, merger: Merger) -> Asking[State | None]:
        for hotel, price in zip(merger.acquired, merger.prices, strict=True):
            size = before.board.size(hotel)
            self._emit(events.Acquired(merger.survivor, hotel, size, price, merger.state))
        if before.rulebook.disposal is DisposalRule.KEEP_OR_RETURN:
            settled = yield from self._ask_to_keep(self._pay(merger, merger.acquired))
        else:
            settled = yield from self._dispose_of_each(merger)
        return None if settled is None else settled.state

    def _pay(self, merger: Merger, hotels: tuple[int, ...], held: int = 0) -> Merger:
        """Pay the bonuses of these hotels; the market holds ``held`` certificates."""
        paid, state = pay_bonuses(merger, hotels, held), merger.state
        for bonus in paid.bonuses[len(merger.bonuses) :]:
            state = state._replace(players=pay(state.players, [bonus]))
            self._emit(events.BonusPaid(bonus.name, bonus.hotel, bonus.amount, state))
        return paid

    def _without(self, merger: Merger, name: str, fault: Fault | Illegal) -> Merger | None:
        """Eject a player at fault; ``None`` if it is the mover, whose turn is undone."""
        if name == merger.state.mover.name:
            self._judge.eject_mover(fault, undo=True)
            return None
        return merger._replace(state=self._judge.eject(name, fault, merger.state))

    # -- keep or return -------------------------------------------------------------------------

    def _ask_to_keep(self, merger: Merger) -> Asking[Merger | None]:
        question = messages.Keep(merger.acquired)
        for name in [player.name for player in merger.state.players]:
            answer = yield from self._judge.ask(name, question, merger.state, merger=merger)
            if not isinstance(answer, messages.KeepAnswer):
                left = self._without(merger, name, fault_of(answer))
            elif (illegal := verify_keep(merger, answer.decisions)) is not None:
                left = self._without(merger, name, illegal)
            else:
                left = self._keep(merger, name, answer.decisions)
            if left is None:
                return None
            merger = left
        return merger

    def _keep(self, merger: Merger, name: str, decisions: tuple[bool, ...]) -> Merger:
        shares, hotels = merger.state.player(name).shares, merger.acquired
        for hotel, price, kept in zip(hotels, merger.prices, decisions, strict=True):
            if (count := shares[hotel]) and not kept:
                merger = keep(merger, name, [other != hotel for other in hotels])
                self._emit(events.Returned(name, hotel, count, price * count, merger.state))
        return merger

    # -- hold, sell, trade ----------------------------------------------------------------------

    def _dispose_of_each(self, merger: Merger) -> Asking[Merger | None]:
        for hotel in merger.acquired:
            counted, held = yield from self._count(merger, hotel)
            if counted is None:
                return None
            merger = self._pay(counted, (hotel,), held)
            for name in holders(merger, hotel):
                left = yield from self._ask_to_dispose(merger, name, hotel)
                if left is None:
                    return None
                merger = left
        return merger

    def _count(self, merger: Merger, hotel: int) -> Asking[tuple[Merger | None, int]]:
        """Let all know who holds how many certificates of a hotel; return the market's number."""
        if self._with_market:
            return (yield from self._draw_for_market(merger, hotel))
        if not merger.state.rulebook.assets.hides_certificates:
            return merger, 0
        counts = [(player.name, player.shares[hotel]) for player in merger.state.players]
        message = messages.Holders(hotel, tuple([each for each in counts if each[1]]))
        return (yield from self._notify(merger, message)), 0

    def _ask_to_dispose(self, merger: Merger, name: str, hotel: int) -> Asking[Merger | None]:
        price, survivor = merger.price(hotel), merger.survivor
        question = messages.Dispose(hotel, price, survivor, view_for(merger.state, name))
        answer = yield from self._judge.ask(name, question, merger.state, merger=merger)
        if not isinstance(answer, messages.DisposeAnswer):
            return self._without(merger, name, fault_of(answer))
        disposed = Disposal(answer.sell, answer.trade)
        if (illegal := verify_disposal(merger, name, hotel, disposed)) is not None:
            return self._without(merger, name, illegal)
        sell, trade = disposed.sell, disposed.trade
        if sell:
            merger = dispose(merger, name, hotel, Disposal(sell=sell))
            self._emit(events.Sold(name, hotel, sell, sell * price, merger.state))
        if trade:
            merger = dispose(merger, name, hotel, Disposal(trade=trade))
            gained = disposed.gained
            self._emit(events.Traded(name, hotel, trade, survivor, gained, merger.state))
        return merger

    # -- the market -----------------------------------------------------------------------------

    def _draw_for_market(self, merger: Merger, hotel: int) -> Asking[tuple[Merger | None, int]]:
        state, holding = market.draw_holding(merger.state, hotel)
        merger = merger._replace(state=state)
        if holding.tile is not None:
            self._waiting.append(holding.tile)
        self._emit(events.MarketDrew(hotel, holding.tile, holding.shares, state))
        message = messages.MarketTile(hotel, holding.tile, holding.shares)
        return (yield from self._notify(merger, message)), holding.shares

    def _notify(self, merger: Merger, message: messages.RefereeMessage) -> Asking[Merger | None]:
        """Notify all and eject those at fault; ``None`` if the mover is one of them."""
        left: Merger | None = merger

        def at_fault(name: str, fault: Fault) -> None:
            nonlocal left
            if left is None:  # the mover is gone, and the turn undone
                self._judge.eject(name, fault)
            else:
                left = self._without(left, name, fault)

        state = merger.state
        names = [player.name for player in state.players]
        yield from self._judge.notify(dict.fromkeys(names, message), state, at_fault, merger)
        return left

    def _place_for_market(self, state: State, tile: Tile) -> Asking[State | None]:
        """Place a tile of the market; if it merges hotels, the mover names the survivor."""
        kind = market.kind_for_market(state.board, tile)
        if kind is not Kind.MERGING:
            grown = state.board.touched(tile)[0] if kind is Kind.GROWING else None
            placed = market.place_tile(state, tile)
            self._emit(events.MarketPlaced(tile, kind, grown, placed))
            return placed
        mover = state.mover.name
        question = messages.MarketMerger(tile, view_for(state, mover))
        answer = yield from self._judge.ask(mover, question, state, thinking=True)
        fault: Fault | Illegal | None
        if not isinstance(answer, messages.Merge):
            fault = fault_of(answer)
        elif (named := answer.placement.tile) != tile:
            detail = f"The market places {tile_name(tile)}, not {tile_name(named)}."
            fault = Illegal(Violation.OTHER_TILE, detail)
        else:
            fault = verify_hotels(state.rulebook, state.board, answer.placement)
            if fault is None:
                merger = join(state, answer.placement)
                self._emit(events.MarketPlaced(tile, kind, merger.survivor, merger.state))
                return (yield from self._settle(state, merger))
        self._judge.eject_mover(fault, undo=True)
        return None
