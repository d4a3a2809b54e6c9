"""Positions as text and as plain data, so that tests can be read.

A drawing has one line a row, from A on, and one sign a cell, from column 1 on: a hotel's initial,
``o`` for an unincorporated tile, ``.`` for an empty cell. Rows and columns that are left out are
empty.

    at_table("TT.SSS", player("ann", "3A", Tower=2), player("bob"))

Where one position is laid out for several rulebooks hotels go by their initials, of which all have
A and F (medium) and S (cheap), and a player is one line:

    scene(rulebook, "AA.SSS", "ann 3A 12I A2 $600", "bob S1")
"""

from collections.abc import Sequence
from textwrap import dedent
from typing import Any

from acquire.game.board import Board
from acquire.game.notation import parse_board, parse_position
from acquire.game.placement import Placement
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import REVISED
from acquire.game.state import Player, State, position
from acquire.game.tiles import COLUMNS, ROWS, Mask, Tile, mask_of, parse_tile, tile_name, tiles_in
from reference.game import Game


def hotel(name: str, rulebook: Rulebook = REVISED) -> int:
    """A hotel's index."""
    return rulebook.hotel_index(name)


def hotels(names: str, rulebook: Rulebook = REVISED) -> tuple[int, ...]:
    """Hotels such as "Tower Sackson", in the order given."""
    return tuple(rulebook.hotel_index(name) for name in names.split())


def tiles(names: str) -> tuple[Tile, ...]:
    """Tiles such as "1A 12I", in the order given."""
    return tuple(map(parse_tile, names.split()))


def mask(names: str) -> Mask:
    """A set of tiles such as "1A 12I"."""
    return mask_of(tiles(names))


def names(cells: Mask) -> str:
    """The tiles of a set, row by row, as `mask` takes them."""
    return " ".join(tile_names(cells))


def tile_names(cells: Mask) -> list[str]:
    """The tiles of a set as a list, row by row."""
    return [tile_name(tile) for tile in tiles_in(cells)]


def placement(tile: str, name: str | None = None) -> Placement:
    """A tile, and the hotel that it founds or that survives."""
    return Placement(parse_tile(tile), None if name is None else hotel(name))


def board(drawing: str, rulebook: Rulebook = REVISED) -> Board:
    """The board that a drawing shows."""
    return parse_board(rulebook, dedent(drawing).strip("\n"))


CENTRE = "6E"


def crossing(**sizes: int) -> str:
    """A drawing of up to four hotels that meet at 6E: to its left, above, to its right, below it.

    ``crossing(Tower=2, Sackson=3)``: Tower is 5E 4E, Sackson 6D 6C 6B.
    """
    column, row = int(CENTRE[0]), ROWS.index(CENTRE[1])
    grid = [["."] * COLUMNS for _ in ROWS]
    arms = [(-1, 0), (0, -1), (1, 0), (0, 1)]
    for (name, size), (across, down) in zip(sizes.items(), arms, strict=False):
        for step in range(1, size + 1):
            grid[row + down * step][column - 1 + across * step] = name[0]
    return "\n".join(map("".join, grid))


def player(name: str, hand: str = "", cash: int = 8_000, **shares: int) -> Player:
    """A player; certificates are given as ``Tower=2``."""
    held = [0] * len(REVISED.hotels)
    for owned, count in shares.items():
        held[hotel(owned)] = count
    return Player(name, cash, tuple(held), mask(hand))


def at_table(
    drawing: str = "", *players: Player, bag: str = "", rulebook: Rulebook = REVISED
) -> State:
    """A position, the mover first; ann, bob and cyd have 8,000 dollars each if nobody is named."""
    seated = players or (player("ann"), player("bob"), player("cyd"))
    return position(rulebook, board(drawing, rulebook), seated, tiles(bag))


def holders(
    hotel_name: str, counts: Sequence[int], *, hand: str = "", cash: int = 0
) -> list[Player]:
    """Players a, b, c .., each with a number of one hotel's certificates; a has the hand."""
    return [
        player(name, hand if name == "a" else "", cash, **{hotel_name: count})
        for name, count in zip("abcdef", counts, strict=False)
    ]


def held(owner: Player, rulebook: Rulebook = REVISED) -> dict[str, int]:
    """A player's certificates by hotel, those that there are."""
    counts = zip(rulebook.hotels, owner.shares, strict=True)
    return {hotel.name: count for hotel, count in counts if count}


def cash(state: State) -> dict[str, int]:
    """Every player's dollars."""
    return {owner.name: owner.cash for owner in state.players}


def plain(state: State) -> dict[str, Any]:
    """Everything on and around the table as the reference shows it."""
    on_board = zip(state.rulebook.hotels, state.board.hotels, strict=True)
    return {
        "loose": tile_names(state.board.loose),
        "hotels": {hotel.name: tile_names(cells) for hotel, cells in on_board if cells},
        "players": [
            {
                "name": owner.name,
                "cash": owner.cash,
                "shares": held(owner, state.rulebook),
                "tiles": tile_names(owner.hand),
            }
            for owner in state.players
        ],
        "bag": [tile_name(tile) for tile in state.bag],
        "aside": tile_names(state.aside),
    }


def reference_game(state: State, *, market: bool = False) -> Game:
    """The same position, laid out for the reference."""
    position = plain(state)
    players = [tuple(owner.values()) for owner in position.pop("players")]
    return Game.laid_out(state.rulebook.id, players, **position, market=market)


def named(
    choice: Placement, rulebook: Rulebook = REVISED
) -> tuple[str, str | None, tuple[str, ...]]:
    """A placement as the reference names it."""
    tile, index, equals = choice
    name = rulebook.hotel_name
    return tile_name(tile), None if index is None else name(index), tuple(map(name, equals))


# -- for several rulebooks -------------------------------------------------------------------------


def by_initials(initials: str, rulebook: Rulebook) -> tuple[int, ...]:
    """Hotels such as "AAF", in the order given: an order, or the acquired of a merger."""
    index = {hotel.name[0]: place for place, hotel in enumerate(rulebook.hotels)}
    return tuple(index[initial] for initial in initials)


def initials_of(indices: Sequence[int], rulebook: Rulebook) -> str:
    """The initials of hotels, in their order, as `by_initials` takes them."""
    return "".join(rulebook.hotel_name(index)[0] for index in indices)


ROW_E_IS_DEAD = """
    FF..........
    ............
    ............
    AAAAAAAAAAAA
    ............
    SSSSSSSSSSSS
"""
"""A and S are safe wherever there are safe hotels, and all of row E would merge them."""


SEVEN = """
    {0}{0}.{1}{1}.{2}{2}.{3}{3}
    ...........
    {4}{4}.{5}{5}.{6}{6}...
    ...........
    .o.........
"""


def seven(rulebook: Rulebook) -> str:
    """A drawing of all hotels, and of 2E: 1E, 2D, 2F and 3E would found an eighth."""
    return SEVEN.format(*(hotel.name[0] for hotel in rulebook.hotels))


def scene(rulebook: Rulebook, drawing: str, *seats: str, bag: str = "") -> State:
    """A position, the mover first; of players that are one line each."""
    return parse_position(rulebook, dedent(drawing).strip("\n"), seats, bag)


def move(told: str, rulebook: Rulebook) -> Placement:
    """A placement such as "6E", "6E S", or "6E S FA": the equal F is acquired before A."""
    tile, hotel_named, equals, *_ = [*told.split(), "", ""]
    survivor = by_initials(hotel_named, rulebook)[0] if hotel_named else None
    return Placement(parse_tile(tile), survivor, by_initials(equals, rulebook))


def owned(state: State, name: str) -> str:
    """A player's certificates and money, as `scene` takes them: "A2 S1 $600"."""
    owner, rulebook = state.player(name), state.rulebook
    counts = zip(rulebook.hotels, owner.shares, strict=True)
    shares = [f"{hotel.name[0]}{count}" for hotel, count in counts if count]
    return " ".join([*shares, f"${owner.cash}"])


def sizes(state: State) -> str:
    """The hotels on the board by initial and size: "A2 S3"."""
    on_board = zip(state.rulebook.hotels, state.board.sizes, strict=True)
    return " ".join(f"{hotel.name[0]}{size}" for hotel, size in on_board if size)
