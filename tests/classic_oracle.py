"""What another program says of games by rules near those of `classic`, in words of ours.

Its files are read by the tests of each kind; they become moves and sheets here, which
`classic_table.Table` follows. It names chains by a letter. They are hotels of ours by their tier:
which of a tier is which makes no difference.
"""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator

from acquire.game.board import Board
from acquire.game.placement import Kind, kind_of
from acquire.game.rulebooks import CLASSIC
from acquire.game.tiles import (
    COLUMNS,
    NEIGHBOURS,
    ROWS,
    STRIDE,
    Mask,
    Tile,
    mask_of,
    parse_tile,
    tile_name,
    tiles_in,
)

EMPTY, LOOSE, ASIDE = ".", "O", "X"
UNKNOWN = "?"
LETTERS = {"cheap": "LT", "medium": "AFW", "expensive": "CI"}
HOTELS: dict[str, int] = {
    letter: [index for index, hotel in enumerate(CLASSIC.hotels) if hotel.tier == tier][rank]
    for tier, letters in LETTERS.items()
    for rank, letter in enumerate(letters)
}
"""Our hotel for each of its chains."""
NAMES = {index: letter for letter, index in HOTELS.items()}


class Reason(Enum):
    """The ways in which that program differs; the value describes the difference."""

    REPLACED_AGAIN = "a dead tile that replaced a dead one is replaced in the same turn"
    ALL_TILES = "over when all tiles are placed"
    CHANGED_HAND = "over after a round without a placement, though a hand changed in it"
    DECLARATION = "a false declaration is not heard"


class Over(Enum):
    """How that program ends a game; the value is its word for it."""

    DECLARED = "EndedGame"
    ALL_TILES = "AllTilesPlayed"
    DEAD_ROUND = "NoTilesPlayedForEntireRound"


class Due(NamedTuple):
    """Who has to choose next, and the chains concerned where that program lists them."""

    player: int
    action: str
    chains: frozenset[str] = frozenset()


class Sheet(NamedTuple):
    """A position as that program tells it: hotels and money as ours, rows from A on.

    A rack is sorted; ``?`` is a tile that is not known. Not all files tell the fields from
    ``turn`` on: whose it is, what is due, and what each tile in hand would do.
    """

    board: tuple[str, ...]
    cash: tuple[int, ...]
    net: tuple[int, ...]
    shares: tuple[tuple[int, ...], ...]
    bank: tuple[int, ...]
    sizes: tuple[int, ...]
    prices: tuple[int, ...]
    racks: tuple[tuple[str, ...], ...]
    over: Over | None
    turn: int | None = None
    due: Due | None = None
    signs: tuple[Mapping[str, str], ...] | None = None


class Move(NamedTuple):
    """What a player did, or wanted to do, and what was told of it.

    ``tile`` and ``chains`` are as they were written, be there such a tile or not. Files that do
    not know all hands tell before a move which tiles it will show, by player, and who is able to
    place one of his when it is his turn.
    """

    player: int
    action: str
    tile: str = ""
    chains: tuple[str, ...] = ()
    end: bool = False
    trade: Any = 0
    sell: Any = 0
    error: str | None = None
    shows: Mapping[int, list[Annotated[Tile, BeforeValidator(parse_tile)]]] = {}
    able: int | None = None
    told: Sheet | None = None


def by_hotel(values: Sequence[int], letters: str) -> tuple[int, ...]:
    """Values by chain, in the order of these letters, as values by hotel of ours."""
    by_letter = dict(zip(letters, values, strict=True))
    return tuple([by_letter[NAMES[hotel]] for hotel in range(len(CLASSIC.hotels))])


def over_by(messages: Sequence[str]) -> Over | None:
    """How the game ended, if one of that program's messages says so."""
    said = {message.split()[-1] for message in messages}
    return next((over for over in Over if over.value in said), None)


def drawing(board: Board, aside: Mask, letters: Mapping[int, str] = NAMES) -> tuple[str, ...]:
    """The board as that program draws it, or with other letters for the hotels."""
    cells = {letters[hotel]: tiles for hotel, tiles in enumerate(board.hotels)}
    cells |= {LOOSE: board.loose, ASIDE: aside}
    rows = [[EMPTY] * COLUMNS for _ in ROWS]
    for sign, tiles in cells.items():
        for tile in tiles_in(tiles):
            rows[tile // STRIDE][tile % STRIDE] = sign
    return tuple(map("".join, rows))


def signs(board: Board, hand: Mask) -> dict[str, str]:
    """What each tile in hand would do, in that program's signs."""
    found = {}
    lonely = mask_of([tile for tile in tiles_in(hand) if _lonely(board, tile)])
    for tile in tiles_in(hand):
        if board.closed >> tile & 1:
            sign = ASIDE
        elif board.unplayable >> tile & 1:
            sign = "c"
        elif lonely >> tile & 1:
            sign = "h" if NEIGHBOURS[tile] & lonely and 0 in board.sizes else "l"
        else:
            match kind_of(board, tile):
                case Kind.MERGING:
                    sign = "m"
                case Kind.GROWING:
                    sign = NAMES[board.touched(tile)[0]]
                case _:
                    sign = "n"
        found[tile_name(tile)] = sign
    return found


def _lonely(board: Board, tile: Tile) -> bool:
    return not board.unplayable >> tile & 1 and kind_of(board, tile) is Kind.SINGLETON
