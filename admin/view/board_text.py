"""A position drawn for the terminal: letters for those who see no colours, colours beside them."""

from rich import box
from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from admin.view.palette import HOTEL_COLORS
from admin.view.plain_text import printable
from game.rulebook import Rulebook
from game.state import State
from game.tiles import COLUMNS, ROWS, Mask, tile_at, tile_name, tiles_in

FREE = "·"
LOOSE = "■"
ASIDE = "✕"


def hotel_style(hotel: int) -> Style:
    """Return the style of a hotel's tiles."""
    return Style(color=HOTEL_COLORS[hotel].ink, bgcolor=HOTEL_COLORS[hotel].fill, bold=True)


def draw_board(state: State) -> Text:
    """Draw the grid: a hotel's tiles as its initial, unincorporated ones as a square.

    Where the tile was set aside, which can never be placed, is a cross.
    """
    text = Text("   " + "".join(f"{column:>2} " for column in range(1, COLUMNS + 1)) + "\n")
    for row in ROWS:
        text.append(f" {row} ", "dim")
        for column in range(1, COLUMNS + 1):
            text.append_text(_cell(state, 1 << tile_at(column, row)))
        text.append("\n")
    text.right_crop(1)
    return text


def hotel_at(state: State, bit: Mask) -> int | None:
    """Return the hotel that has this one tile, if one does."""
    for hotel, mask in enumerate(state.board.hotels):
        if mask & bit:
            return hotel
    return None


def _cell(state: State, bit: Mask) -> Text:
    hotel = hotel_at(state, bit)
    if hotel is not None:
        return Text(f" {initial(state.rulebook, hotel)} ", hotel_style(hotel))
    if state.board.loose & bit:
        return Text(f" {LOOSE} ", "bold")
    if state.aside & bit:
        return Text(f" {ASIDE} ", "dim")
    return Text(f" {FREE} ", "dim")


def initial(rulebook: Rulebook, hotel: int) -> str:
    """Return the letter of a hotel on the board."""
    return rulebook.hotel_name(hotel)[0]


def draw_hotels(state: State) -> Table:
    """Draw a table of the hotels: size, price, certificates left."""
    aside = f"\n{ASIDE} set aside" if state.aside else ""
    table = Table(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        caption=f"* safe   {LOOSE} unincorporated{aside}",
        caption_justify="right",
    )
    table.add_column("hotel", no_wrap=True)
    for heading in ("tiles", "price", "bank"):
        table.add_column(heading, justify="right")
    rulebook = state.rulebook
    for hotel, left in enumerate(state.bank):
        size = state.board.size(hotel)
        tiles = f"{size}*" if size >= rulebook.safe_size else str(size or FREE)
        name = Text.assemble(
            (f" {initial(rulebook, hotel)} ", hotel_style(hotel)),
            " ",
            rulebook.hotel_name(hotel),
        )
        price = state.price(hotel)
        table.add_row(name, tiles, f"{price:,}" if price else FREE, str(left))
    return table


def draw_players(state: State) -> Table:
    """Draw a table of the players: cash, certificates by hotel, tiles in hand."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("player", overflow="fold")
    table.add_column("cash", justify="right")
    for hotel in range(len(state.bank)):
        table.add_column(initial(state.rulebook, hotel), justify="right")
    table.add_column("hand")
    for player in state.players:
        counts = [str(count) if count else FREE for count in player.shares]
        hand = " ".join(map(tile_name, tiles_in(player.hand)))
        table.add_row(Text(printable(player.name)), f"{player.cash:,}", *counts, Text(hand))
    return table


def draw(state: State) -> RenderableType:
    """Draw a position: the grid with the hotels beside it, the players below."""
    beside = Table.grid(padding=(0, 1))
    beside.add_column(no_wrap=True)
    beside.add_column(no_wrap=True)
    beside.add_row(draw_board(state), draw_hotels(state))
    return Group(beside, draw_players(state))
