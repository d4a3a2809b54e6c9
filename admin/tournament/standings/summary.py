"""The tables of a tournament, as values.

Points, placements, wins and money are averages per game of the player, money in dollars. Ties are
shared. A player who did not finish a game is last in it, without points, win or money.

They can be written as JSON, and as CSV (RFC 4180) for spreadsheets and statistics programs. A
spreadsheet takes text that begins with = + - @ for a formula, and players choose their names
freely. So such text, and text that begins with white space or an apostrophe, is written with an
apostrophe in front: a reader that removes one leading apostrophe from any text gets the original.
Some cut lines at semicolons or tabs instead, inside of quotes, too. So behind these, and where a
line begins, an apostrophe comes before what would be a formula, or an apostrophe, there.
Characters that cannot be shown are replaced. Numbers are bare, and missing ones empty.
"""

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from operator import attrgetter
from typing import NamedTuple

from ...refereeing.view.plain_text import plural, printable_text
from ...studying.statistics.intervals import MAX_GROWTH, Estimate
from ..games.entries import Entry
from ..games.result import MAX_MISSED_SIGN_UPS, GameResult

LADDER_ORDER = (
    "Players are in the order of their ratings: in a ladder they meet others of their own "
    "strength, so points per game say little."
)


class StandingsRow(NamedTuple):
    """One player in the standings.

    ``groups`` are the letters of the player's groups: two players who share a letter are too close
    to separate. ``rating`` is the strength by the Plackett-Luce model, 25 at first. ``lost`` counts
    the games that the player did not finish.
    """

    rank: int
    player: str
    games: int
    points: Estimate
    placement: Estimate
    wins: Estimate
    money: Estimate
    rating: float
    groups: str
    lost: int


class Tie(NamedTuple):
    """Two neighbours in the standings that are too close to separate.

    ``difference`` is in points per game. So many more blocks of each would separate them if it
    stays; ``None`` if that is more than 100 times the blocks that they have played.
    """

    player: str
    other: str
    difference: float
    more_blocks: int | None


class Duel(NamedTuple):
    """The share of common games in which ``player`` placed before ``other``; a tie counts half.

    ``share`` is ``None`` for two players who have never met.
    """

    player: str
    other: str
    games: int
    share: float | None


class SeatRow(NamedTuple):
    """One seat, over all players; seat 1 moves first."""

    seat: int
    games: int
    points: Estimate
    placement: Estimate
    wins: Estimate


class TimeRow(NamedTuple):
    """Seconds that a player used: per game for all answers, the longest answer, CPU per game.

    ``None`` where nothing was measured: built-in players have no clock, and CPU time is known of
    started programs only.
    """

    player: str
    thinking: float | None
    slowest: float | None
    processor: float | None


class Summary(NamedTuple):
    """All tables of a tournament, with the players in the order of the standings.

    ``by_player_and_seat`` are average points by player and seat. ``verdicts`` counts by player and
    verdict (every verdict that occurred, ``finished`` first), ``endings`` by ending. ``skipped``
    counts, by player, the games that it lost without being started, as it had missed sign-ups.
    With ``by_rating``, players are in the order of their ratings, and there are no groups.
    """

    games: int
    blocks: int
    out_of_step: int
    rows: tuple[StandingsRow, ...]
    crosstable: tuple[Duel, ...]
    seats: tuple[SeatRow, ...]
    by_player_and_seat: dict[str, dict[int, float]]
    verdicts: dict[str, dict[str, int]]
    endings: dict[str, int]
    times: tuple[TimeRow, ...]
    ties: tuple[Tie, ...] = ()
    skipped: Mapping[str, int] = {}
    by_rating: bool = False


class VersionRow(NamedTuple):
    """One entry of a player, with all its games, also archived ones.

    ``points`` and ``place`` are averages per game, ``None`` without a game; ``lost`` are the games
    that it did not finish. They do not compare well between versions: opponents change as well.
    """

    entry: Entry
    games: int
    points: float | None
    place: float | None
    lost: int


def skipped_in_words(games: int) -> str:
    """Return a user-facing sentence about a player's games in ``skipped``."""
    return (
        f"lost {plural(games, 'game')} without being started, after {MAX_MISSED_SIGN_UPS} missed "
        "sign-ups in a row; a new version is started again, and this one by `run --retry`."
    )


def tie_in_words(tie: Tie) -> str:
    """Return a user-facing sentence about what would separate two players, without their names."""
    stays = f"would separate them if the difference stays {tie.difference:.2f}"
    if tie.more_blocks is not None:
        return f"about {plural(tie.more_blocks, 'more block')} of each {stays}."
    if not tie.difference:
        return "they have equal points."
    return f"not even {MAX_GROWTH} times their games {stays}."


def summary_fields(summary: Summary) -> dict[str, object]:
    """Return the summary as dicts, lists and bare values, in the order of its fields.

    Seats that are keys become text, as in JSON.
    """
    return {name: _plain(value) for name, value in summary._asdict().items()}


def _plain(value: object) -> object:
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


# -- CSV ----------------------------------------------------------------------------------------

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
