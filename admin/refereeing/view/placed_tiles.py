"""Which tiles were placed between two positions of a turn, and what they did."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ....game import market
from ....game.merger import Merger, join
from ....game.placement import Kind, Placement, kind_of, place, placements_of
from ....game.state import State
from ....game.tiles import Tile


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
