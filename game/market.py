"""The stock market as third holder, where two play.

For each acquired hotel, and at the end for each on the board, a tile is drawn from the bag: its
number is how many certificates the market is taken to hold. In a merger the tiles drawn are placed
on the board afterwards, in the order drawn. Rule text: "How to play Acquire", Special rules for two
players.
"""

from collections.abc import Mapping
from typing import NamedTuple

from game.board import Board
from game.placement import Kind, kind_of, with_tile
from game.rulebook import Rulebook
from game.state import State
from game.tiles import Tile, column_of


class Holding(NamedTuple):
    """A tile drawn for the market, and how many certificates of ``hotel`` it stands for.

    The tile is ``None``, and the market holds nothing, when the bag is empty.
    """

    hotel: int
    tile: Tile | None

    @property
    def shares(self) -> int:
        """How many certificates the market is taken to hold: 9 for 9F."""
        return 0 if self.tile is None else column_of(self.tile)


def takes_part(rulebook: Rulebook, seats: int) -> bool:
    """Whether the market is a holder in a game dealt to this many players."""
    return rulebook.market_for_two and seats == 2


def draw_holding(state: State, hotel: int) -> tuple[State, Holding]:
    """Draw the tile that says what the market holds of a hotel."""
    if not state.bag:
        return state, Holding(hotel, None)
    return state._replace(bag=state.bag[1:]), Holding(hotel, state.bag[0])


def kind_for_market(board: Board, tile: Tile) -> Kind | None:
    """Return what placing the market's tile does; ``None`` when it can never be placed.

    The market founds nothing: such a tile stays unincorporated.
    """
    if board.closed >> tile & 1:
        return None
    kind = kind_of(board, tile)
    return Kind.SINGLETON if kind is Kind.FOUNDING else kind


def place_tile(state: State, tile: Tile) -> State:
    """Place a tile of the market's that merges nothing, or set aside one that cannot be placed."""
    if kind_for_market(state.board, tile) is None:
        return state._replace(aside=state.aside | 1 << tile)
    return state._replace(board=with_tile(state.rulebook, state.board, tile))


def draw_final_holdings(state: State) -> tuple[State, list[Holding]]:
    """Draw a tile for each hotel on the board, largest first, equals alphabetically.

    The tiles are set aside.
    """
    sizes = state.board.sizes
    found: list[Holding] = []
    for hotel in sorted((h for h, size in enumerate(sizes) if size), key=lambda h: -sizes[h]):
        state, holding = draw_holding(state, hotel)
        if holding.tile is not None:
            state = state._replace(aside=state.aside | 1 << holding.tile)
        found.append(holding)
    return state, found


def shares_by_hotel(holdings: list[Holding]) -> Mapping[int, int]:
    """Return how many certificates the market holds by hotel."""
    return {holding.hotel: holding.shares for holding in holdings}
