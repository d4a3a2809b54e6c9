"""A position as a picture: SVG for pages, slides and documentation.

Hotels are marked by letter and color.
"""

from xml.sax.saxutils import escape

from ....game.state import State
from ....game.tiles import COLUMNS, ROWS, Tile, column_of, row_of, tile_at, tile_name
from ...refereeing.view.board_text import ASIDE, hotel_at, initial
from ...refereeing.view.palette import HOTEL_COLORS, PAGE_COLORS
from ...refereeing.view.plain_text import dollars, plural

CELL = 40
MARGIN = 32
LEGEND = 56
PAPER, CELL_FILL, LINE, LOOSE, TEXT, SOFT, FRAME = (
    PAGE_COLORS[name].light for name in ("paper", "cell", "line", "loose", "ink", "soft", "frame")
)


def board_svg(state: State, framed: Tile | None = None) -> str:
    """Draw the board, a tile ``framed``, and below it the hotels on it with size and price."""
    width = MARGIN + COLUMNS * CELL + MARGIN // 2
    height = MARGIN + len(ROWS) * CELL + LEGEND + MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" role="img" '
        f'aria-label="{escape(_in_words(state))}">',
        f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
    ]
    for column in range(1, COLUMNS + 1):
        parts.append(_text(MARGIN + (column - 0.5) * CELL, MARGIN - 12, str(column), TEXT, 13))
    for index, row in enumerate(ROWS):
        parts.append(_text(MARGIN / 2, MARGIN + (index + 0.5) * CELL + 5, row, TEXT, 13))
        for column in range(1, COLUMNS + 1):
            x, y = MARGIN + (column - 1) * CELL, MARGIN + index * CELL
            parts.append(_cell(state, tile_at(column, row), x, y))
    if framed is not None:
        x, y = MARGIN + (column_of(framed) - 1) * CELL, MARGIN + ROWS.index(row_of(framed)) * CELL
        parts.append(
            f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" rx="6" fill="none" '
            f'stroke="{FRAME}" stroke-width="4" stroke-dasharray="9 4"/>'
        )
    parts.append(_legend(state, MARGIN + len(ROWS) * CELL + LEGEND // 2))
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def look_of(state: State, tile: Tile, *, small: int, large: int) -> tuple[str, str, str, int]:
    """Return how a cell looks: its fill, what is written on it in which color and size."""
    if (hotel := hotel_at(state, 1 << tile)) is not None:
        return (*HOTEL_COLORS[hotel], initial(state.rulebook, hotel), large)
    if state.board.loose >> tile & 1:
        return LOOSE, PAPER, tile_name(tile), small
    if state.aside >> tile & 1:
        return PAPER, SOFT, ASIDE, large
    return CELL_FILL, SOFT, tile_name(tile), small


def _cell(state: State, tile: Tile, x: float, y: float) -> str:
    fill, ink, text, size = look_of(state, tile, small=11, large=19)
    middle, edge = y + CELL / 2 + round(0.37 * size), CELL - 2
    square = (
        f'<rect x="{x + 1}" y="{y + 1}" width="{edge}" height="{edge}" rx="5" '
        f'fill="{fill}" stroke="{LINE}"/>'
    )
    return square + _text(x + CELL / 2, middle, text, ink, size, bold=size == 19)


def _text(x: float, y: float, text: str, fill: str, size: int, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" fill="{fill}" font-size="{size}" '
        f'text-anchor="middle"{weight}>{escape(text)}</text>'
    )


def _legend(state: State, y: float) -> str:
    """Name the hotels on the board, three to a row, and the sign of tiles set aside."""
    name = state.rulebook.hotel_name
    shown = [
        (HOTEL_COLORS[hotel].fill, f"{name(hotel)} {size} · {dollars(state.price(hotel))}")
        for hotel, size in enumerate(state.board.sizes)
        if size
    ]
    shown += [("", f"{ASIDE} set aside")] if state.aside else []
    parts = []
    for place, (fill, words) in enumerate(shown):
        x, line = MARGIN + place % 3 * 4 * CELL, y + place // 3 * 22
        if fill:
            square = f'<rect x="{x}" y="{line - 11}" width="13" height="13" rx="3" fill="{fill}"/>'
            parts.append(square)
            x += 18
        text = f'<text x="{x}" y="{line}" fill="{TEXT}" font-size="12">{escape(words)}</text>'
        parts.append(text)
    return "".join(parts)


def _in_words(state: State) -> str:
    hotels = [
        f"{state.rulebook.hotel_name(hotel)} with {plural(size, 'tile')}"
        for hotel, size in enumerate(state.board.sizes)
        if size
    ]
    loose = plural(state.board.loose.bit_count(), "unincorporated tile")
    aside = f", {state.aside.bit_count()} set aside" if state.aside else ""
    return f"Board: {', '.join(hotels) or 'no hotel'}, {loose}{aside}"
