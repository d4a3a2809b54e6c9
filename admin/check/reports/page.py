"""A check as one HTML page that needs nothing else: no script, no file, nothing from the network.

Names and all else that comes from a player are text on it, whatever they contain.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from jinja2 import Template
from markupsafe import Markup

from admin.check.case import Section
from admin.check.hinting import hinted
from admin.check.judging import Result, Verdict
from admin.check.reports.drawing import PAGE
from admin.check.reports.evidence import explanation_of, position_of, printed
from admin.check.reports.transcript import LONG, SHORT, Transcript, transcript
from admin.check.summary import MARKS, WORDS, Checked
from admin.explaining.explanation import Explanation
from admin.explaining.explanation_text import readable, when
from admin.view.board_svg import CELL, MARGIN, board_svg
from admin.view.board_text import initial
from admin.view.html_page import INLINE, content_security_policy, stylesheet, template
from admin.view.palette import HOTEL_COLORS, PAGE_COLORS
from admin.view.plain_text import printable
from game.board import lay_out
from game.rulebook import Rulebook
from game.state import State, position
from game.tiles import ROWS, Tile, column_of, row_of, tile_name, tiles_in

MOST_BYTES = 2000
"""How many of the bytes that came are shown where they are explained."""


class Share(NamedTuple):
    """A part of a section's bar: so many cases, which are ``part`` per cent of the section."""

    verdict: Verdict
    cases: int
    part: float


class Group(NamedTuple):
    """A section with its cases."""

    section: Section
    entries: list["Entry"]
    shares: list[Share]
    counts: dict[Verdict, int]


class Holding(NamedTuple):
    """What a player has: certificates by hotel, 0 where there are none, and tiles by name."""

    name: str
    cash: int
    shares: tuple[int, ...]
    tiles: str
    subject: bool


class Entry(NamedTuple):
    """A case with all that the page shows of it; ``anchor`` is its address on the page.

    There is no picture where nothing was laid out: the player did not sign up.
    """

    result: Result
    anchor: str
    explanation: Explanation | None
    picture: Markup | None
    hotels: list[tuple[str, str, str, str]]
    holdings: list[Holding]
    wire: Transcript
    output: list[str]

    @property
    def open(self) -> bool:
        """Whether the case is to be seen at once."""
        return self.result.verdict is Verdict.FAIL


def page(checked: Checked) -> str:
    """Return a check as HTML."""
    groups = [_group(section, results) for section, results in checked.sections]
    entries = [entry for group in groups for entry in group.entries]
    return _template().render(
        policy=content_security_policy(INLINE),
        style=stylesheet("admin.check.reports", "check.css"),
        when=when,
        hinted=hinted,
        checked=checked,
        grid=Markup("\n".join(_grid(checked.rulebook))),
        groups=groups,
        to_see=[entry for entry in entries if not entry.result.verdict.good],
        warned=[entry for entry in entries if entry.result.verdict is Verdict.WARN],
        verdicts=list(Verdict),
        marks=MARKS,
        words=WORDS,
        protocol=PAGE,
    )


@cache
def _template() -> Template:
    return template(
        "admin.check.reports", "check.html.jinja", printable=printable, shown=_shown, tile=tile_name
    )


def _shown(data: bytes) -> str:
    """Write bytes as text, at most so many of them."""
    more = f" [.. {len(data):,} bytes in all]" if len(data) > MOST_BYTES else ""
    return readable(data[:MOST_BYTES]) + more


@cache
def _grid(rulebook: Rulebook) -> dict[str, None]:
    """Return the elements of an empty board in their order; they are on the page once."""
    board = lay_out(rulebook, 0, (0,) * len(rulebook.hotels))
    return dict.fromkeys(board_svg(position(rulebook, board, (), ())).splitlines()[1:-1])


def _group(section: Section, results: Sequence[Result]) -> Group:
    counts = dict.fromkeys(Verdict, 0)
    for result in results:
        counts[result.verdict] += 1
    shares = [
        Share(verdict, count, round(100 * count / len(results), 2))
        for verdict, count in counts.items()
        if count
    ]
    return Group(section, [_entry(result) for result in results], shares, counts)


def _entry(result: Result) -> Entry:
    state, explanation = position_of(result), explanation_of(result)
    tried = None if explanation is None else explanation.tried
    measure = SHORT if result.verdict is Verdict.PASS else LONG
    return Entry(
        result=result,
        anchor=result.case.id.replace("/", "-"),
        explanation=explanation,
        picture=_picture(state, tried) if result.tried.name else None,
        hotels=_hotels(state),
        holdings=_holdings(state, result.tried.name),
        wire=transcript(result.tried.lines, measure),
        output=printed(result),
    )


def _picture(state: State, tried: Tile | None) -> Markup:
    """Draw the board over an empty one, with a frame round the cell where a tile was tried."""
    grid = _grid(state.rulebook)
    begin, *lines = board_svg(state).splitlines()
    parts = [begin, '<use href="#grid"/>', *(line for line in lines if line not in grid)]
    if tried is not None:
        x, y = MARGIN + (column_of(tried) - 1) * CELL, MARGIN + ROWS.index(row_of(tried)) * CELL
        frame = (
            f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" rx="6" fill="none" '
            f'stroke="{PAGE_COLORS["frame"].light}" stroke-width="4" stroke-dasharray="9 4"/>'
        )
        parts.insert(-1, frame)
    return Markup("\n".join(parts))


def _hotels(state: State) -> list[tuple[str, str, str, str]]:
    """Return name, initial, color and ink of each hotel."""
    return [
        (
            state.rulebook.hotel_name(hotel),
            initial(state.rulebook, hotel),
            *HOTEL_COLORS[hotel],
        )
        for hotel in range(len(state.bank))
    ]


def _holdings(state: State, subject: str) -> list[Holding]:
    return [
        Holding(
            player.name,
            player.cash,
            player.shares,
            " ".join(map(tile_name, tiles_in(player.hand))),
            player.name == subject,
        )
        for player in state.players
    ]
