"""The tables of a tournament, as values.

Points, placements, wins and money are averages per game of the player, money in dollars. Ties are
shared. A player who did not finish a game is last in it, without points, win or money.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ...refereeing.view.plain_text import plural
from ...studying.statistics.intervals import MAX_GROWTH, Estimate
from ..games.entries import Entry
from ..games.result import MAX_MISSED_SIGN_UPS

LADDER_ORDER = (
    "Players are in the order of their ratings: in a ladder they meet others of their own "
    "strength, so points per game say little."
)


class StandingsRow(NamedTuple):
    """One player in the standings.

    ``groups`` are the letters of the player's groups: two players who share a letter are too close
    to separate. ``rating`` is the strength as :mod:`acquire.admin.studying.statistics.rating` fits
    it. ``lost`` counts the games that the player did not finish.
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
    stays = f"would separate them if the difference stays {tie.difference:.2f}"
    if tie.more_blocks is not None:
        return f"about {plural(tie.more_blocks, 'more block')} of each {stays}."
    if not tie.difference:
        return "they have equal points."
    return f"not even {MAX_GROWTH} times their games {stays}."
