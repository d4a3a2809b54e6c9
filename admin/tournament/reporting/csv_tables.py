"""The standings, the games and other tables as CSV (RFC 4180).

They are for spreadsheets and statistics programs. A spreadsheet takes text that begins with
= + - @ for a formula, and players choose their names freely. So such text, and text that begins
with white space or an apostrophe, is written with an apostrophe in front, which a reader may
remove. Some programs cut lines at semicolons or tabs instead, inside of quotes, too. So behind
these, and where a line begins, an apostrophe comes before what would be a formula, or an
apostrophe, there. Characters that cannot be shown are replaced. Numbers are bare, and missing ones
empty.
"""

import csv
import re
from collections.abc import Iterable, Sequence
from io import StringIO
from operator import attrgetter

from ...refereeing.view.plain_text import printable_text
from ..games.result import GameResult
from ..standings.summary import Summary

FORMULA_STARTS = tuple("=+-@＝＋－＠\t\r\n '")  # noqa: RUF001 the wide ones count as well
"""Characters at the start of a text to be guarded; the last one makes guarding reversible."""
_BEGINNING = re.compile(
    f"^(?=[{re.escape(''.join(FORMULA_STARTS))}])"
    r"""|(?<=[;\t\r\n])(?=[ "]*[=+\-@＝＋－＠'])"""  # noqa: RUF001
)
"""The places where a spreadsheet may see a cell begin that would be a formula."""

Cell = str | int | float | None

ESTIMATED = ("points", "placement", "wins", "money")
WITH_BOUNDS = [f"{what}{bound}" for what in ESTIMATED for bound in ("", "_low", "_high")]
STANDINGS = ["rank", "player", "groups", "games", *WITH_BOUNDS, "rating", "lost"]
"""The columns of the standings; low and high are the bounds of the 95 % interval."""

OF_GAME = ["game", "block", "seed", "ending", "turns", "out_of_step"]
GAMES = [*OF_GAME, "seat", "player", "verdict", "rank", "money", "turn", "answers"]
GAMES += ["thought_us", "slowest_us", "processor_ms", "detail"]
"""The columns of the games: those of the game are repeated for every seat."""


def standings_csv(summary: Summary) -> str:
    """Return the standings, one row per player; money is in dollars per game, wins are a share."""
    rows = (
        (
            *(row.rank, row.player, row.groups, row.games),
            *(*row.points, *row.placement, *row.wins, *row.money, row.rating, row.lost),
        )
        for row in summary.rows
    )
    return csv_text(STANDINGS, rows)


def games_csv(results: Iterable[GameResult]) -> str:
    """Return the games in the order given, one row per seat; ``_us`` and ``_ms`` are units."""
    of_game = attrgetter(*OF_GAME)
    rows = (
        (
            *(*of_game(game), number, seat.player, seat.verdict.value, seat.rank, seat.money),
            *(seat.turn, seat.answers, seat.thought, seat.slowest, seat.processor),
            seat.explanation,
        )
        for game in results
        for number, seat in enumerate(game.seats, start=1)
    )
    return csv_text(GAMES, rows)


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Return a table as CSV."""
    # the writer quotes text that contains a character of its line end, which is CR LF
    text = StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(header)
    for row in rows:
        writer.writerow(_guarded(cell) if isinstance(cell, str) else cell for cell in row)
    return text.getvalue()


def _guarded(cell: str) -> str:
    return _BEGINNING.sub("'", printable_text(cell, "\n\r\t"))
