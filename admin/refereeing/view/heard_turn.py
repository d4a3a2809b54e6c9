"""One turn's events as one player can tell them, from the positions that it is sent."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

from ....game import market
from ....game.disposal import Disposal, dispose, legal_disposals
from ....game.merger import Bonus, Merger, bonuses_for, join, pay
from ....game.placement import Kind, Placement, kind_of, place, placements_of, playable
from ....game.purchase import buy
from ....game.records import add, put
from ....game.rulebook import DisposalRule, Hands, StuckHand
from ....game.state import Player, State
from ....game.tiles import Tile, mask_of, tile_name, tiles_in
from ....protocol.question import Known
from ..play import events
from ..play.events import Event
from .frames import FrameKind
from .plain_text import dollars, listed


class Remark(NamedTuple):
    """What the wire tells, or leaves untold, where no event is known."""

    kind: FrameKind
    text: str
    state: State
    name: str | None = None  # the player that it is about


Heard: TypeAlias = Event | Remark
Disposals: TypeAlias = Mapping[int, Disposal]
"""By acquired hotel: how many certificates a player sold and traded; it kept the others."""


class PlacedTile(NamedTuple):
    """A tile that was placed, by the mover or for the market; ``merger`` if it merged hotels."""

    placement: Placement
    kind: Kind | None
    for_market: bool
    after: State
    merger: Merger | None = None


class HeardTurn:
    """Works out what happens in a turn that begins in a position, for the player ``name``.

    What the wire says on the way is noted by its owner: ``market`` has the market's tiles by
    hotel, ``holders`` who holds a hotel's certificates where they are hidden, ``disposed`` the
    player's own disposals, ``disposing`` the hotel whose holders are asked, ``drawn`` the player's
    own tiles.
    """

    def __init__(self, begun: State, bag: int, name: str) -> None:
        self.begun = begun
        self.state = begun  # the position as far as it has been told
        self.bag = bag
        self.ejected: list[str] = []
        self.market: dict[int, market.Holding] = {}
        self.holders: dict[int, dict[str, int]] = {}
        self.disposed: dict[int, Disposal] = {}
        self.disposing: int | None = None
        self.drawn: list[Tile] = []
        self._rulebook = begun.rulebook
        self._name = name
        self._placed = False
        self._mergers: list[Merger] = []
        self._paid: set[int] = set()  # hotels whose bonuses have been told

    def finish(self, known: Known) -> Iterator[Heard]:
        """Tell the rest of a turn: purchases, and what was drawn."""
        mover = self.state.mover
        yield from self.advance(known, over=True)
        self.bag = known.bag
        yield from self._draws(mover, known.state)

    def _draws(self, before: Player, state: State) -> Iterator[Heard]:
        final = mask_of(self._market_tiles(state, final=True))
        name, aside = before.name, state.aside & ~self.state.aside & ~final
        drawn: Sequence[Tile] = self.drawn
        if name != self._name:
            seen = (state.player(name).hand | aside) & ~before.hand
            drawn = tiles_in(seen) if self._rulebook.hands is Hands.OPEN else ()
        first = len(drawn) - aside.bit_count() if drawn else 0
        for tile in drawn[:first]:
            yield events.Drew(name, tile, state)
        if aside:
            yield events.SetAside(name, aside, state)
        for tile in drawn[first:]:
            yield events.Drew(name, tile, state)

    def replaced_hand(self, known: Known) -> Iterator[Heard]:
        """Tell at the start of one's own turn that a hand without a playable tile was replaced."""
        state, before = known.state, self.state
        aside = state.aside & ~before.aside
        if aside:
            yield events.SetAside(self._name, aside, state)
            for tile in tiles_in(state.mover.hand & ~before.mover.hand):
                yield events.Drew(self._name, tile, state)
            self.state, self.bag = state, known.bag

    # -- within a turn --------------------------------------------------------------------------

    def announce(self, hotels: Sequence[int]) -> Iterator[Heard]:
        """Tell of another player's merger, of which only the acquired hotels are known so far.

        Where hands are open, often just one of the mover's tiles can acquire them.
        """
        mover, acquired = self.state.mover, {*hotels}
        found = [
            step
            for tile in tiles_in(playable(self.state) & self.state.board.joining)
            for step in _possible(self.state, tile, for_market=False)
            if step.merger is not None and {*step.merger.acquired} == acquired
        ]
        if len(found) == 1:
            self._placed = True
            yield from self._step(mover.name, found[0])
        else:
            tiles = [tile_name(step.placement.tile) for step in found]
            told = f" with {listed(tiles, 'or')}" if tiles else ""
            names = [*map(self._rulebook.hotel_name, hotels)]
            verb = "is" if len(names) == 1 else "are"
            text = f"{mover.name} merges hotels{told}: {listed(names)} {verb} acquired."
            yield Remark(FrameKind.ACQUIRING, text, self.state, mover.name)
        for hotel in hotels:
            price = self.begun.price(hotel)
            yield from self._pay(hotel, self._bonuses(hotel, price))

    def advance(self, known: Known, *, over: bool = False) -> Iterator[Heard]:
        """Tell what has happened since the last position, up to this one of the same turn."""
        to = known.state
        yield from self._ejections(to)
        yield from self._early_replacement(to)
        told = len(self._mergers)
        yield from self._placements(to, over=over)
        if self._mergers and len(self._mergers) - told < 2:  # else too much is unknown
            yield from self._settle(self._mergers[-1], known, over=over)
        if over:
            yield from self._purchases(known)
        yield from self._unexplained(known)
        self.state = to._replace(aside=self.state.aside)

    def _ejections(self, to: State) -> Iterator[Heard]:
        remaining = {player.name for player in to.players}
        for player in self.state.players:
            if player.name not in remaining:
                self.ejected.append(player.name)
                self.state = without(self.state, player.name)
                text = f"{player.name} is ejected."
                yield Remark(FrameKind.Ejected, text, self.state, player.name)

    def _early_replacement(self, to: State) -> Iterator[Heard]:
        mover, aside = self.state.mover, to.aside & ~self.state.aside
        may = self._rulebook.stuck_hand in (StuckHand.REPLACED, StuckHand.MAY_REPLACE)
        if not may or aside.bit_count() < self._rulebook.hand_size or mover.name == self._name:
            return
        self.state = self.state._replace(aside=to.aside)
        yield events.SetAside(mover.name, aside, self.state)

    def _placements(self, to: State, *, over: bool) -> Iterator[Heard]:
        before = self.state
        laid = to.board.occupied & ~before.board.occupied
        drawn = self._market_tiles(to, final=False)
        due = [(tile, True) for tile in drawn if (laid | to.aside & ~before.aside) >> tile & 1]
        own = [(tile, False) for tile in tiles_in(laid) if tile not in drawn]
        steps = placed_tiles(before, [*own, *due], to)
        for step in steps:
            yield from self._step(before.mover.name, step)
        if over and not steps and not self._placed:
            yield events.NothingPlaced(before.mover.name, self.state)
        self._placed = self._placed or bool(steps)

    def _market_tiles(self, state: State, *, final: bool) -> list[Tile]:
        """List the tiles drawn for acquired hotels; or at the end, for those on the board."""
        return [
            one.tile
            for one in self.market.values()
            if one.tile is not None and bool(state.board.sizes[one.hotel]) is final
        ]

    def _step(self, mover: str, step: PlacedTile) -> Iterator[Heard]:
        before, tile, hotel = self.state, step.placement.tile, step.placement.hotel
        self.state = after = step.after
        if step.kind is Kind.GROWING:
            hotel = before.board.grown_by(tile)
        if step.for_market:
            yield events.MarketPlaced(tile, step.kind, hotel, after)
        else:
            assert step.kind is not None, "only the market's tiles can be set aside"
            yield from events.of_placement(mover, tile, step.kind, hotel, before.bank, after)
        if step.merger is not None:
            self._mergers.append(step.merger)
            for acquired, price in zip(step.merger.acquired, step.merger.prices, strict=True):
                size = before.board.size(acquired)
                yield events.Acquired(step.merger.survivor, acquired, size, price, after)

    # -- mergers --------------------------------------------------------------------------------

    def _settle(self, merger: Merger, known: Known, *, over: bool) -> Iterator[Heard]:
        due = merger.acquired
        if not over and self.disposing in due:
            due = due[: due.index(self.disposing) + 1]
        bonuses = {hotel: self._bonuses(hotel, merger.price(hotel)) for hotel in due}
        paid = [bonus for found in bonuses.values() for bonus in found]
        solved = {
            player.name: self._solved(merger, player, known, over=over)
            for player in pay(self.state.players, paid)
        }
        at_once = self._rulebook.disposal is DisposalRule.KEEP_OR_RETURN
        for hotels in [due] if at_once else [(hotel,) for hotel in due]:
            for hotel in hotels:
                yield from self._pay(hotel, bonuses[hotel])
            for name, disposed in solved.items():
                for hotel in hotels:
                    if hotel in disposed:
                        yield from self._disposal(name, merger, hotel, disposed[hotel])

    def _bonuses(self, hotel: int, price: int) -> list[Bonus]:
        """Return the bonuses of an acquired hotel that are not paid yet, where they are known."""
        if hotel in self._paid:
            return []
        players: Sequence[Player] = self.state.players
        if self._rulebook.assets.hides_certificates:
            if hotel not in self.holders:
                return []
            counts = self.holders[hotel]
            players = [
                one._replace(shares=put(one.shares, hotel, counts.get(one.name, 0)))
                for one in players
            ]
        held = self.market.get(hotel)
        return bonuses_for(self._rulebook, hotel, price, players, held.shares if held else 0)

    def _pay(self, hotel: int, bonuses: Sequence[Bonus]) -> Iterator[Heard]:
        if hotel in self._paid:
            return
        self._paid.add(hotel)
        if held := self.market.get(hotel):
            yield events.MarketDrew(*held, held.shares, self.state)
        for bonus in bonuses:
            self.state = self.state._replace(players=pay(self.state.players, [bonus]))
            yield events.BonusPaid(bonus.name, hotel, bonus.amount, self.state)

    def _solved(self, merger: Merger, had: Player, known: Known, *, over: bool) -> Disposals:
        """Return how many certificates of each acquired hotel a player has sold and traded.

        Nothing is returned if that is hidden, or if more than one answer is possible.
        """
        has = known.state.player(had.name)
        shows_cash, shows_certificates = self._shows(had.name)
        if not shows_certificates or had.shares == has.shares:
            return {}
        if had.name == self._name and self.disposed:
            own, self.disposed = self.disposed, {}
            return own
        buys = over and had.name == self.state.mover.name
        found = possible_disposals(self.state, merger, had, has, shows_cash=shows_cash, buys=buys)
        return found[0] if len(found) == 1 else {}

    def _disposal(
        self, name: str, merger: Merger, hotel: int, disposal: Disposal
    ) -> Iterator[Heard]:
        (sell, trade), price = disposal, merger.price(hotel)
        if sell:
            merger = dispose(merger._replace(state=self.state), name, hotel, Disposal(sell=sell))
            self.state = merger.state
            returned = self._rulebook.disposal is DisposalRule.KEEP_OR_RETURN
            made = events.Returned if returned else events.Sold
            yield made(name, hotel, sell, price * sell, self.state)
        if trade:
            merger = dispose(merger._replace(state=self.state), name, hotel, Disposal(trade=trade))
            self.state, gained = merger.state, disposal.gained
            yield events.Traded(name, hotel, trade, merger.survivor, gained, self.state)

    # -- the end of a turn ----------------------------------------------------------------------

    def _purchases(self, known: Known) -> Iterator[Heard]:
        mover, to = self.state.mover, known.state
        if self._shows(mover.name)[1]:
            counts = [*map(int.__sub__, to.player(mover.name).shares, mover.shares)]
        else:
            unclear = {
                hotel for merger in self._mergers for hotel in (merger.survivor, *merger.acquired)
            }
            counts = [
                0 if hotel in unclear else before - after
                for hotel, (before, after) in enumerate(zip(self.state.bank, to.bank, strict=True))
            ]
        if min(counts) < 0 or sum(counts) > self._rulebook.order_limit:
            return
        for hotel, count in enumerate(counts):
            if count:
                amount = count * self.state.price(hotel)
                self.state = buy(self.state, (hotel,) * count)
                yield events.Bought(mover.name, hotel, count, amount, self.state)

    def _unexplained(self, known: Known) -> Iterator[Heard]:
        name = self._rulebook.hotel_name
        for before in self.state.players:
            after = known.state.player(before.name)
            shows_cash, shows_certificates = self._shows(before.name)
            both = enumerate(zip(before.shares, after.shares, strict=True))
            changes = [f"{name(hotel)} {had} → {has}" for hotel, (had, has) in both if had != has]
            if not shows_certificates:
                changes.clear()
            if shows_cash and before.cash != after.cash:
                changes.append(f"cash {dollars(before.cash)} → {dollars(after.cash)}")
            if changes:
                text = f"{before.name}: {', '.join(changes)}."
                yield Remark(FrameKind.SETTLED, text, known.state, before.name)

    def _shows(self, name: str) -> tuple[bool, bool]:
        """Whether a player's cash is known, and its certificates."""
        own, assets = name == self._name, self._rulebook.assets
        return own or not assets.hides_cash, own or not assets.hides_certificates


def without(state: State, name: str) -> State:
    """Return a position after a player has left; of its tiles nothing is known."""
    bank = tuple(map(int.__add__, state.bank, state.player(name).shares))
    return state.with_players(tuple(one for one in state.players if one.name != name), bank)


# -- what happened between two positions ------------------------------------------------------


def placed_tiles(state: State, tiles: Sequence[tuple[Tile, bool]], to: State) -> list[PlacedTile]:
    """Return what the tiles did, in this order, so that the board is as it is in ``to``.

    Each comes with whether it is the market's. The list is empty if nothing fits.
    """
    if not tiles:
        return []
    (tile, for_market), *rest = tiles
    for step in _possible(state, tile, for_market=for_market):
        later = placed_tiles(step.after, rest, to)
        if len(later) == len(rest) and (rest or step.after.board == to.board):
            return [step, *later]
    return []


def _possible(state: State, tile: Tile, *, for_market: bool) -> Iterator[PlacedTile]:
    kind = market.kind_for_market(state.board, tile) if for_market else kind_of(state.board, tile)
    if for_market and kind is not Kind.MERGING:
        yield PlacedTile(Placement(tile), kind, True, market.place_tile(state, tile))
        return
    for placement in placements_of(state.rulebook, state.board, tile):
        if placement.equals:
            continue  # the order of equal hotels is not told
        if kind is Kind.MERGING:
            merger = join(state, placement)
            yield PlacedTile(placement, kind, for_market, merger.state, merger)
        else:
            yield PlacedTile(placement, kind, False, place(state, placement))


def possible_disposals(
    state: State, merger: Merger, had: Player, has: Player, *, shows_cash: bool, buys: bool
) -> list[Disposals]:
    """List all disposals that explain what a player had and has.

    ``state`` has the prices after the merger. ``buys`` is whether the player may also have bought
    certificates. There can be several: where a certificate of the survivor costs twice as much as
    one of the acquired hotel, trading two is the same as selling two and buying one.
    """
    choices = []
    for hotel in merger.acquired:
        owned, gone = had.shares[hotel], had.shares[hotel] - has.shares[hotel]
        found = legal_disposals(owned, state.rulebook.certificates)
        if state.rulebook.disposal is DisposalRule.KEEP_OR_RETURN:
            found = [Disposal(count) for count in {0, owned}]
        # under some rulebooks the hotel can be bought again at once
        again = buys and state.price(hotel)
        choices.append([one for one in found if again or one.sell + one.trade == gone])

    def explains(disposals: Disposals) -> bool:
        shares, money = had.shares, had.cash
        for hotel, disposal in disposals.items():
            shares = add(shares, hotel, -disposal.sell - disposal.trade)
            shares = add(shares, merger.survivor, disposal.gained)
            money += disposal.sell * merger.price(hotel)
        bought = [*map(int.__sub__, has.shares, shares)]
        if min(bought) < 0 or sum(bought) > (state.rulebook.order_limit if buys else 0):
            return False
        spent = sum(map(int.__mul__, bought, map(state.price, range(len(bought)))))
        return not shows_cash or money - spent == has.cash

    every = (dict(zip(merger.acquired, chosen, strict=True)) for chosen in product(*choices))
    return [disposals for disposals in every if explains(disposals)]
