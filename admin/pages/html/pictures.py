"""Pictures to share: a GIF of a stretch of turns with captions, a PNG of the decisive moment.

They are drawn small, for a phone: a board of 480 pixels, a caption above it, the net worths below.
"""

from contextlib import suppress
from functools import cache
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple, TypeAlias
from unicodedata import normalize

from PIL import Image, ImageDraw, ImageFont

from ....game.state import State
from ....game.tiles import COLUMNS, ROWS, TILES, Tile, column_of, row_of
from ....protocol.user_error import UserError
from ...refereeing.log.reader import RecordedGame
from ...refereeing.log.recorder import Header
from ...refereeing.view.board_text import ASIDE
from ...refereeing.view.decisive_turn import decisive_turn
from ...refereeing.view.frames import (
    OF_PLACEMENT,
    Frame,
    FrameKind,
    Tabletop,
    frames_of,
    turn_order,
)
from ...refereeing.view.palette import PAGE_COLORS
from ...refereeing.view.plain_text import dollars, listed, printable
from .board_svg import look_of

CELL, EDGE, HEAD, LINE = 37, 18, 56, 22  # pixels: of a cell, margin, caption and line of text
WIDTH = 2 * EDGE + COLUMNS * CELL
READ = 1500  # milliseconds for which a picture is shown; the last one for twice as long
Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont
SHOWN = OF_PLACEMENT | {
    *(FrameKind.Acquired, FrameKind.BonusPaid, FrameKind.Returned, FrameKind.Sold),
    *(FrameKind.Traded, FrameKind.Bought, FrameKind.Declared, FrameKind.Ejected, FrameKind.Ended),
}
"""The frames of which there is a picture."""


class DrawnMoment(NamedTuple):
    """A position in a turn, what has just happened, the tile placed last, and the net worths."""

    turn: int
    caption: str
    state: State
    tile: Tile | None
    worths: dict[str, int]


def _moments(record: RecordedGame) -> tuple[list[DrawnMoment], list[Frame]]:
    """Return what there is to draw of a game, and the frames of its page."""
    (frames, _), found = frames_of(record), list[DrawnMoment]()
    table = Tabletop(record.header.rulebook, record.header.names)
    for frame in frames:
        if frame["kind"] == FrameKind.TurnBegan:
            table.last = None
        table.put(frame)
        if frame["kind"] in SHOWN:
            tile = None if table.last is None else TILES[table.last]
            worths = {row.name: row.worth for row in table.rows if row.worth is not None}
            found.append(DrawnMoment(frame["turn"], frame["text"], table.state, tile, worths))
    return found, frames


def write_gif(file: Path, record: RecordedGame, first: int, last: int) -> None:
    """Draw the turns from ``first`` to ``last`` as a GIF that goes on and on."""
    chosen = [one for one in _moments(record)[0] if first <= one.turn <= last]
    if not chosen:
        raise UserError(f"Nothing happened in turns {first} to {last}.")
    pictures = [_picture(record.header, one, f"Turn {one.turn}. {one.caption}") for one in chosen]
    palette = pictures[-1].quantize(128)
    begin, *rest = [one.quantize(palette=palette, dither=Image.Dither.NONE) for one in pictures]
    times = [READ] * len(rest) + [2 * READ]
    begin.save(file, save_all=True, append_images=rest, duration=times, loop=0, optimize=True)


def decisive_picture(record: RecordedGame) -> tuple[Image.Image, str]:
    """Draw the position after the turn that decided the game; return it and what it decided."""
    moments, frames = _moments(record)
    found = decisive_turn(frames)
    if found is None or not moments:
        raise UserError("No turn decided this game: nobody won it, or everybody did.")
    who = listed(record.header.names[place] for place in found.winners)
    lead = "" if found.after is None else f", at first by {dollars(found.after)}"
    sentence = f"Turn {found.turn} decided the game: from then on {who} led{lead}."
    until = [one for one in moments if one.turn <= max(found.turn, moments[0].turn)]
    return _picture(record.header, until[-1], sentence), sentence


def _picture(header: Header, moment: DrawnMoment, caption: str) -> Image.Image:
    state, rows = moment.state, (len(header.seats) + 1) // 2
    color = {name: one.light for name, one in PAGE_COLORS.items()}
    size = (WIDTH, HEAD + CELL * len(ROWS) + LINE * rows + EDGE)
    picture = Image.new("RGB", size, color["paper"])
    draw = ImageDraw.Draw(picture)
    (text, font), letters = _lettered(caption, 17), 56
    while max(map(font.getlength, lines := wrap(text, letters))) > WIDTH - 2 * EDGE:
        letters -= 1
    if len(lines) > 2:
        lines = [lines[0], f"{lines[1]} …"]
    for place, line in enumerate(lines):
        draw.text((EDGE, 7 + place * LINE), line, color["ink"], font)
    for tile in TILES:
        x, y = EDGE + (column_of(tile) - 1) * CELL, HEAD + ROWS.index(row_of(tile)) * CELL
        fill, ink, text, high = look_of(state, tile, small=12, large=22)
        box = (x + 1, y + 1, x + CELL - 2, y + CELL - 2)
        draw.rounded_rectangle(box, 5, fill, color["line"])
        if tile == moment.tile:
            draw.rounded_rectangle(box, 5, None, color["ink"], 4)
        middle = (x + CELL / 2, y + CELL / 2)
        if text == ASIDE:  # few fonts have it
            for left in (12, CELL - 12):
                draw.line((x + left, y + 12, x + CELL - left, y + CELL - 12), ink, 3)
            continue
        text, font = _lettered(text, high)
        draw.text(middle, text, ink, font, "mm")
    _draw_worths(draw, header, moment.worths, color)
    return picture


@cache
def _lettered(text: str, size: int, room: float = 1e6) -> tuple[str, Font]:
    """Return a text, cut to its room, and its font; letters that no font has lose their accents."""
    text, font = normalize("NFC", printable(text)), ImageFont.load_default(size)
    if missing := _missing(text, font):  # Pillow's own font has little more than English
        with suppress(OSError):
            font = ImageFont.truetype("DejaVuSans.ttf", size)
            missing = _missing(text, font)
    for char in missing:
        text = text.replace(char, normalize("NFKD", char).encode("ascii", "ignore").decode() or "?")
    while font.getlength(text) > room:
        text = f"{text[:-2]}…"
    return text, font


def _missing(text: str, font: Font) -> list[str]:
    box = bytes(font.getmask("\uffff"))  # what is drawn for every letter that is missing
    return [char for char in text if not char.isspace() and bytes(font.getmask(char)) == box]


def _draw_worths(
    draw: ImageDraw.ImageDraw, header: Header, worths: dict[str, int], color: dict[str, str]
) -> None:
    """Write each player's number, name and net worth, two to a line, in turn order."""
    font = ImageFont.load_default(16)
    seats = sorted(zip(turn_order(header), header.seats, strict=True))
    for number, seat in seats:
        x = EDGE + number % 2 * (WIDTH // 2)
        y = HEAD + CELL * len(ROWS) + 8 + number // 2 * LINE
        draw.ellipse((x, y, x + 18, y + 18), color[f"seat-{number % 6}"])
        draw.text((x + 9, y + 9), str(number + 1), color["seat-ink"], font, "mm")
        amount = dollars(worths[seat.name]) if seat.name in worths else "ejected"
        name, its = _lettered(seat.name, 16, WIDTH // 2 - EDGE - 44 - font.getlength(amount))
        draw.text((x + 24, y + 9), name, color["ink"], its, "lm")
        draw.text((x + WIDTH // 2 - EDGE - 12, y + 9), amount, color["ink"], font, "rm")
