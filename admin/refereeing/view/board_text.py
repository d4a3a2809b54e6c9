"""A position drawn for the terminal: letters for those who see no colours, colours beside them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.style import Style
from rich.table import Table
from rich.text import Text

from ....game.rulebook import Rulebook
from ....game.state import State
from ....game.tiles import COLUMNS, ROWS, Mask, Tile, tile_at, tile_name, tiles_in
from ....game.turn import worth
from .fitted_table import UNBOUNDED, Column, FittedTable
from .palette import HOTEL_COLORS
from .plain_text import printable

FREE = "·"
LOOSE = "■"
ASIDE = "✕"
HIDDEN = "?"
MARKED = "bold white on red"


def hotel_style(hotel: int) -> Style:
    """Return the style of a hotel's tiles."""
    return Style(color=HOTEL_COLORS[hotel].ink, bgcolor=HOTEL_COLORS[hotel].fill, bold=True)


def draw_board(state: State, marked: Tile | None = None, style: str = MARKED) -> Text:
    """Draw the grid: a hotel's tiles as its initial, unincorporated ones as a square.

    Where the tile was set aside, which can never be placed, is a cross. The ``marked`` cell is in
    brackets of a style.
    """
    text = Text("   " + "".join(f"{column:>2} " for column in range(1, COLUMNS + 1)) + "\n")
    for row in ROWS:
        text.append(f" {row} ", "dim")
        for column in range(1, COLUMNS + 1):
            tile = tile_at(column, row)
            cell = _cell(state, 1 << tile)
            text.append_text(Text(f"[{cell.plain[1]}]", style) if tile == marked else cell)
        text.append("\n")
    text.right_crop(1)
    return text


def hotel_at(state: State, bit: Mask) -> int | None:
    """Return the hotel that has this one tile, if one does."""
    return next((hotel for hotel, tiles in enumerate(state.board.hotels) if tiles & bit), None)


def _cell(state: State, bit: Mask) -> Text:
    if (hotel := hotel_at(state, bit)) is not None:
        return Text(f" {initial(state.rulebook, hotel)} ", hotel_style(hotel))
    if state.board.loose & bit:
        return Text(f" {LOOSE} ", "bold")
    if state.aside & bit:
        return Text(f" {ASIDE} ", "dim")
    return Text(f" {FREE} ", "dim")


def initial(rulebook: Rulebook, hotel: int) -> str:
    """Return the letter of a hotel on the board."""
    return rulebook.hotel_name(hotel)[0]


def draw_hotels(state: State, *, names: bool = True) -> Table:
    """Draw a table of the hotels: size, price, certificates left; ``names`` or letters alone."""
    aside = f"   {ASIDE} set aside" if state.aside else ""
    table = Table(
        box=None,
        padding=(0, 1, 0, 0),
        pad_edge=False,
        caption=f"* safe{aside}\n{LOOSE} unincorporated",
        caption_justify="right",
    )
    table.add_column("hotel" if names else "", no_wrap=True)
    for heading in ("tiles", "price", "bank"):
        table.add_column(heading, justify="right", no_wrap=True)
    rulebook = state.rulebook
    for hotel, left in enumerate(state.bank):
        size = state.board.size(hotel)
        tiles = f"{size}*" if size >= rulebook.safe_size else str(size or FREE)
        name = Text(f" {initial(rulebook, hotel)} ", hotel_style(hotel))
        if names:
            name = Text.assemble(name, " ", rulebook.hotel_name(hotel))
        price = state.price(hotel)
        table.add_row(name, tiles, f"{price:,}" if price else FREE, str(left))
    return table


class BoardAndHotels(NamedTuple):
    """The board with the hotels beside it, by their letters or below it where there is no room."""

    state: State
    marked: Tile | None = None  # the tile whose cell is shown in `style`
    style: str = MARKED

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        board = draw_board(*self)
        unbounded = options.update_width(UNBOUNDED)
        for names in (True, False):
            hotels, grid = draw_hotels(self.state, names=names), Table.grid(padding=(0, 1))
            widths = [Measurement.get(console, unbounded, each).maximum for each in (board, hotels)]
            if sum(widths) + 1 <= options.max_width:
                for width in widths:  # or they would be measured again
                    grid.add_column(no_wrap=True, width=width)
                grid.add_row(board, hotels)
                yield grid
                return
        yield Group(board, draw_hotels(self.state))


class PlayerRow(NamedTuple):
    """What is shown of a player; ``None`` is hidden. An ``ejected`` one has nothing any more."""

    name: str
    cash: int | None = None
    shares: Sequence[int] | None = None
    worth: int | None = None
    hand: Mask | None = None
    ejected: bool = False


def player_rows(
    state: State, net_worth: Mapping[str, int] | None = None, ejected: Iterable[str] = ()
) -> list[PlayerRow]:
    """Return the rows of a position, its players in turn order, and of the ejected players.

    The net worth in dollars is that of the position unless another is given, as in a merger.
    """
    found = worth(state) if net_worth is None else net_worth
    rows = [
        PlayerRow(player.name, player.cash, player.shares, found[player.name], player.hand)
        for player in state.players
    ]
    return [*rows, *(PlayerRow(name, ejected=True) for name in ejected)]


def draw_players(
    rulebook: Rulebook, rows: Sequence[PlayerRow], *, wrap: bool = True
) -> FittedTable:
    """Draw a table of the players: cash, certificates by hotel, net worth, tiles in hand.

    Where there is no room, names and hands are wrapped, or else hands left out and names cut.
    """
    hand = Column("hand", text=True) if wrap else Column("hand", optional=1, left=True)
    hotels = [Column(initial(rulebook, hotel)) for hotel in range(len(rulebook.hotels))]
    table = FittedTable(
        Column("player", text=True), Column("cash"), *hotels, Column("worth"), hand, dense=True
    )
    for name, cash, shares, net_worth, tiles, ejected in rows:
        counts = [HIDDEN] * len(hotels) if shares is None else [str(n or FREE) for n in shares]
        held = HIDDEN if tiles is None else " ".join(map(tile_name, tiles_in(tiles)))
        row = [_dollars(cash), *counts, _dollars(net_worth), held]
        if ejected:
            row = [""] * (len(row) - 1) + ["ejected"]
        shown = Text(printable(name), no_wrap=not wrap, overflow="fold" if wrap else "ellipsis")
        table.add_row(shown, *row)
    return table


def _dollars(amount: int | None) -> str:
    return HIDDEN if amount is None else f"{amount:,}"


def draw(state: State, rows: Sequence[PlayerRow] | None = None) -> RenderableType:
    """Draw a position: the grid with the hotels beside it, the players below."""
    players = draw_players(state.rulebook, player_rows(state) if rows is None else rows)
    return Group(BoardAndHotels(state), Text(), players)
