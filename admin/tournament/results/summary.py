"""What a tournament's games come to, as values: the tables that show, report and files print.

Points, placements and wins are means a game of the player, money is in dollars a game. Ties share.
A player who did not finish a game is last in it, with no points, no win and no money.
"""

from dataclasses import dataclass

from admin.statistics.estimate import Estimate
from admin.statistics.rating import Rating


@dataclass(frozen=True, slots=True)
class Row:
    """One player in the standings.

    ``groups`` are the letters of the groups that the player belongs to: two players who share a
    letter cannot be told apart by these games. ``lost`` counts the games not finished.
    """

    rank: int
    player: str
    games: int
    points: Estimate
    placement: Estimate
    wins: Estimate
    money: Estimate
    rating: Rating
    groups: str
    lost: int


@dataclass(frozen=True, slots=True)
class Duel:
    """How often ``player`` was placed before ``other``; a tie counts half.

    ``share`` is ``None`` for two who have never met.
    """

    player: str
    other: str
    games: int
    share: float | None


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat, over all players: 1 moves first."""

    seat: int
    games: int
    points: Estimate
    placement: Estimate
    wins: Estimate


@dataclass(frozen=True, slots=True)
class TimeRow:
    """What a player used: seconds a game for its answers, its longest, processor seconds a game.

    ``None`` where nothing was measured: a player of the house takes none, and the processor is
    known of launched players only.
    """

    player: str
    thinking: float | None
    slowest: float | None
    processor: float | None


@dataclass(frozen=True, slots=True)
class Summary:
    """All tables of a tournament, players in the order of the standings.

    ``by_player_and_seat`` holds mean points by player and seat, ``verdicts`` counts by player and
    verdict (every verdict that occurred, ``finished`` first), ``endings`` counts by ending.
    """

    games: int
    blocks: int
    out_of_step: int
    rows: tuple[Row, ...]
    crosstable: tuple[Duel, ...]
    seats: tuple[SeatRow, ...]
    by_player_and_seat: dict[str, dict[int, float]]
    verdicts: dict[str, dict[str, int]]
    endings: dict[str, int]
    times: tuple[TimeRow, ...]
