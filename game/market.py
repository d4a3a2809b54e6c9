"""The stock market, a third holder in a game of two.

For each acquired hotel, and at the end for each hotel on the board, a tile is drawn from the bag.
Its number is how many certificates the market holds for this purpose. After a merger the drawn
tiles are placed on the board, in the order drawn. Rule text: "How to play Acquire", Special rules
for two players.
"""

from __future__ import annotations

from typing import NamedTuple

from .board import Board
from .placement import Kind, kind_of, with_tile
from .rulebook import Rulebook
from .state import State
from .tiles import Tile, column_of


class Holding(NamedTuple):
    """The tile drawn for the market's certificates of a hotel.

    If the bag is empty, the tile is ``None`` and the market holds nothing.
    """

    hotel: int
    tile: Tile | None

    @property
    def shares(self) -> int:
        """How many certificates the market holds: the number of the tile."""
        return 0 if self.tile is None else column_of(self.tile)


def takes_part(rulebook: Rulebook, seats: int) -> bool:
    """Return whether the market is a holder in a game dealt to this many players."""
    return rulebook.market_for_two and seats == 2


def draw_holding(state: State, hotel: int) -> tuple[State, Holding]:
    """Draw the tile that decides how many certificates of a hotel the market holds."""
    if not state.bag:
        return state, Holding(hotel, None)
    return state._replace(bag=state.bag[1:]), Holding(hotel, state.bag[0])


def kind_for_market(board: Board, tile: Tile) -> Kind | None:
    """Return what placing the market's tile does, or ``None`` if it cannot be placed.

    The market never founds: such a tile stays unincorporated. Where a tile may not touch both a
    hotel and unincorporated tiles, the market's may not either.

    >>> from acquire import CLASSIC, parse_position, parse_tile
    >>> kind_for_market(parse_position(CLASSIC, "o", ["ann"]).board, parse_tile("2A"))
    <Kind.SINGLETON: 'singleton'>
    """
    refused = board.closed | board.unplayable & board.beside
    if refused >> tile & 1:
        return None
    kind = kind_of(board, tile)
    return Kind.SINGLETON if kind is Kind.FOUNDING else kind


def place_tile(state: State, tile: Tile) -> State:
    """Place a tile of the market's that is not a merger, or set it aside if it cannot be placed."""
    if kind_for_market(state.board, tile) is None:
        return state._replace(aside=state.aside | 1 << tile)
    return state._replace(board=with_tile(state.rulebook, state.board, tile))


def draw_final_holdings(state: State) -> list[tuple[Holding, State]]:
    """Draw a tile for each hotel on the board at the end of the game, and set it aside.

    Hotels go by size, largest first, then alphabetically. Each holding comes with the position
    after its draw.

    >>> from acquire import CLASSIC, parse_position
    >>> state = parse_position(CLASSIC, "AA.TTT", ["ann", "bob"], bag="9F 1I")
    >>> [(CLASSIC.hotel_name(held.hotel), held.shares) for held, _ in draw_final_holdings(state)]
    [('Tower', 9), ('American', 1)]
    """
    sizes = state.board.sizes
    found: list[tuple[Holding, State]] = []
    for hotel in sorted((h for h, size in enumerate(sizes) if size), key=lambda h: -sizes[h]):
        state, holding = draw_holding(state, hotel)
        if holding.tile is not None:
            state = state._replace(aside=state.aside | 1 << holding.tile)
        found.append((holding, state))
    return found
