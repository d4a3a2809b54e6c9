"""The tables of a tournament, as values.

Points, placements, wins and money are averages per game of the player, money in dollars. Ties are
shared. A player who did not finish a game is last in it, without points, win or money.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ...refereeing.view.plain_text import number, plural
from ...studying.statistics.intervals import MAX_GROWTH, Estimate
from ..games.entries import Entry
from ..games.result import MAX_MISSED_SIGN_UPS

LADDER_ORDER = (
    "Players are in the order of their ratings: in a ladder they meet others of their own "
    "strength, so points per game say little."
)


class StandingsRow(NamedTuple):
    """One player in the standings."""

    rank: int
    player: str
    games: int
    points: Estimate
    placement: Estimate
    wins: Estimate
    money: Estimate
    rating: float  # the strength that `studying.statistics.rating` fits
    groups: str  # letters; two players who share one are too close to separate
    lost: int  # games that the player did not finish


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
    """The share of common games in which ``player`` placed before ``other``; a tie counts half."""

    player: str
    other: str
    games: int
    share: float | None  # None for two players who have never met


class SeatRow(NamedTuple):
    """One seat, over all players; seat 1 moves first."""

    seat: int
    games: int
    points: Estimate
    placement: Estimate
    wins: Estimate


class TimeRow(NamedTuple):
    """Seconds that a player used; ``None`` where nothing was measured."""

    player: str
    thinking: float | None  # per game, for all answers; built-in players have no clock
    slowest: float | None  # the longest answer
    processor: float | None  # CPU time per game, known of started programs only


class Summary(NamedTuple):
    """All tables of a tournament, with the players in the order of the standings."""

    games: int
    blocks: int
    out_of_step: int
    rows: tuple[StandingsRow, ...]
    crosstable: tuple[Duel, ...]
    seats: tuple[SeatRow, ...]
    by_player_and_seat: dict[str, dict[int, float]]  # average points
    verdicts: dict[str, dict[str, int]]  # counts by player; all that occurred, `finished` first
    endings: dict[str, int]
    times: tuple[TimeRow, ...]
    ties: tuple[Tie, ...] = ()
    skipped: Mapping[str, int] = {}  # by player: games lost unstarted, after missed sign-ups
    by_rating: bool = False  # players are in order of their ratings, and there are no groups


class VersionRow(NamedTuple):
    """One entry of a player, with all its games, also archived ones.

    Averages do not compare well between versions: opponents change as well.
    """

    entry: Entry
    games: int
    points: float | None  # average per game, None without a game
    place: float | None  # average per game, None without a game
    lost: int  # games that it did not finish


def groups_of(rows: Iterable[StandingsRow]) -> dict[str, set[str]]:
    """Return the letters of each player's groups.

    They have blanks between them if some groups have two letters: the first of these is aa, which
    single letters written together cannot be.
    """
    groups = {row.player: row.groups for row in rows}
    blanks = any(" " in letters or letters == "aa" for letters in groups.values())
    return {name: {*(letters.split() if blanks else letters)} for name, letters in groups.items()}


def skipped_in_words(games: int) -> str:
    """Return a user-facing sentence about a player's games in ``skipped``."""
    return (
        f"lost {plural(games, 'game')} without being started, after {MAX_MISSED_SIGN_UPS} missed "
        "sign-ups in a row; a new version is started again, and this one by "
        "`acquire tournament run --retry`."
    )


def tie_in_words(tie: Tie) -> str:
    """Return a user-facing sentence about what would separate two players, without their names."""
    stays = f"would separate them if the difference stays {number(tie.difference, 2)}"
    if tie.more_blocks is not None:
        return f"about {plural(tie.more_blocks, 'more block')} of each {stays}."
    if not tie.difference:
        return "they have equal points."
    return f"not even {MAX_GROWTH} times their games {stays}."
