"""The tables of a tournament as CSV files (RFC 4180), for spreadsheets and statistics programs.

A spreadsheet takes text that begins with = + - @ for a formula, and names are whatever players
chose. Such text, and text that begins with white space or an apostrophe, gets an apostrophe in
front: who reads the files takes one leading apostrophe off any text and has what was there.
Numbers are bare, and empty where there is none.
"""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from admin.tournament.results.result import GameResult
from admin.tournament.results.summary import Summary

FORMULA_STARTS = tuple("=+-@＝＋－＠\t\r\n '")  # noqa: RUF001 the wide ones count as well
"""Characters with which a guarded text begins; the last one is there to make guarding undoable."""

Cell = str | int | float | None

STANDINGS = (
    *("rank", "player", "groups", "games"),
    *("points", "points_low", "points_high"),
    *("placement", "placement_low", "placement_high"),
    *("wins", "wins_low", "wins_high"),
    *("money", "money_low", "money_high"),
    *("rating_mu", "rating_sigma", "lost"),
)
"""The columns of the standings; low and high bound the 95 % interval."""

GAMES = (
    *("game", "block", "seed", "ending", "turns", "out_of_step"),
    *("seat", "player", "verdict", "rank", "money", "turn", "answers"),
    *("thought_us", "slowest_us", "processor_ms", "detail"),
)
"""The columns of the games: what is of the game stands again in the row of every seat."""


def standings_csv(summary: Summary) -> str:
    """Return the standings, one row a player; money is in dollars a game, wins are a share."""
    return _csv(
        STANDINGS,
        (
            (
                *(row.rank, row.player, row.groups, row.games),
                *(*row.points, *row.placement, *row.wins, *row.money, *row.rating),
                row.lost,
            )
            for row in summary.rows
        ),
    )


def games_csv(results: Iterable[GameResult]) -> str:
    """Return the games in the order given, one row a seat; ``_us`` and ``_ms`` say the units."""
    return _csv(
        GAMES,
        (
            (
                *(game.game, game.block, game.seed, game.ending, game.turns, game.out_of_step),
                *(number, seat.player, seat.verdict.value, seat.rank, seat.money, seat.turn),
                *(seat.answers, seat.thought, seat.slowest, seat.processor, seat.detail),
            )
            for game in results
            for number, seat in enumerate(game.seats, start=1)
        ),
    )


def _csv(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    # The writer's own line end, CR LF, is what makes it quote text with either of the two.
    text = StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(header)
    writer.writerows([_guard(cell) for cell in row] for row in rows)
    return text.getvalue()


def _guard(cell: Cell) -> Cell:
    if isinstance(cell, str) and cell.startswith(FORMULA_STARTS):
        return f"'{cell}"
    return cell
