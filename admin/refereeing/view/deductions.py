"""What happened between two positions of a turn: tiles placed, certificates disposed of."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

from ....game import market
from ....game.disposal import TRADED_FOR_ONE, Disposal, legal_disposals
from ....game.merger import Merger, join
from ....game.placement import Kind, Placement, kind_of, place, placements_of
from ....game.rulebook import DisposalRule
from ....game.state import Player, State
from ....game.tiles import Tile
from ....game.tuples import add


class PlacedTile(NamedTuple):
    """A tile that was placed, by the mover or for the market; ``merger`` if it merged hotels."""

    placement: Placement
    kind: Kind | None
    for_market: bool
    after: State
    merger: Merger | None = None


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
    """Yield what placing a tile can do."""
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


Disposals: TypeAlias = Mapping[int, Disposal]
"""By acquired hotel: how many certificates a player sold and traded; it kept the others."""


class Change(NamedTuple):
    """A player before and after: ``cash`` is whether its cash is known, ``buys`` whether it may
    also have bought certificates.
    """

    had: Player
    has: Player
    cash: bool
    buys: bool


def possible_disposals(state: State, merger: Merger, change: Change) -> list[Disposals]:
    """List all disposals that explain a change; ``state`` has the prices after the merger.

    They can be several: where a certificate of the survivor costs twice as much as one of the
    acquired hotel, trading two is the same as selling two and buying one.
    """
    choices = [_choices(state, hotel, change) for hotel in merger.acquired]
    found = [dict(zip(merger.acquired, chosen, strict=True)) for chosen in product(*choices)]
    return [disposals for disposals in found if _explains(state, merger, change, disposals)]


def _choices(state: State, hotel: int, change: Change) -> list[Disposal]:
    """List the disposals of one hotel. Under some rulebooks it can be bought again at once."""
    owned, rulebook = change.had.shares[hotel], state.rulebook
    if rulebook.disposal is DisposalRule.KEEP_OR_RETURN:
        choices = [Disposal(), *([Disposal(owned)] if owned else [])]
    else:
        choices = legal_disposals(owned, rulebook.certificates)
    if change.buys and state.price(hotel):
        return choices
    gone = owned - change.has.shares[hotel]
    return [choice for choice in choices if choice.sell + choice.trade == gone]


def _explains(state: State, merger: Merger, change: Change, disposals: Disposals) -> bool:
    """Return whether these disposals, with purchases after them, explain what a player has."""
    shares, money = change.had.shares, change.had.cash
    for hotel, (sell, trade) in disposals.items():
        shares = add(shares, hotel, -sell - trade)
        shares = add(shares, merger.survivor, trade // TRADED_FOR_ONE)
        money += sell * merger.price(hotel)
    bought = [*map(int.__sub__, change.has.shares, shares)]
    if min(bought) < 0 or sum(bought) > (state.rulebook.order_limit if change.buys else 0):
        return False
    spent = sum(map(int.__mul__, bought, map(state.price, range(len(bought)))))
    return not change.cash or money - spent == change.has.cash
