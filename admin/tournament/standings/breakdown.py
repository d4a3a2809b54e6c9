"""The tables that only count: comparisons of players, verdicts, endings and times."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import permutations

from ..games.result import GameResult, SeatResult
from ..games.verdict import PlayerVerdict
from .summary import Duel, TimeRow
from .tally import HALVES, Tally, places

SHARE_DIGITS = 4
TIME_DIGITS = 6
MICROSECONDS, MILLISECONDS = 1_000_000, 1_000
"""Per second."""


def crosstable(players: Sequence[str], games: Sequence[GameResult]) -> tuple[Duel, ...]:
    """Compare every player with every other; two that both did not finish a game tie in it."""
    met: Counter[tuple[str, str]] = Counter()
    halves: Counter[tuple[str, str]] = Counter()
    for game in games:
        order = zip(game.seats, places(game), strict=True)
        for (seat, place), (other, behind) in permutations(order, 2):
            met[seat.player, other.player] += 1
            halves[seat.player, other.player] += (place < behind) + (place <= behind)
    return tuple(
        Duel(*pair, met[pair], _share(halves[pair], met[pair])) for pair in permutations(players, 2)
    )


def _share(halves: int, games: int) -> float | None:
    return round(halves / (HALVES * games), SHARE_DIGITS) if games else None


def points_by_seat(
    tallied: Tally, players: Sequence[str], order: Sequence[str], digits: int
) -> dict[str, dict[int, float]]:
    """Return average points by player, in this order, and by each seat that the player has had."""
    rows = dict(zip(players, tallied.by_seat.tolist(), strict=True))
    return {
        player: {
            seat: round(points / (games * tallied.units.points), digits)
            for seat, (games, points) in enumerate(rows[player], start=1)
            if games
        }
        for player in order
    }


def count_skipped(players: Sequence[str], games: Sequence[GameResult]) -> dict[str, int]:
    """Count the games that players lost without being started, for those who have any."""
    counts = Counter(seat.player for game in games for seat in game.seats if seat.was_skipped)
    return {player: counts[player] for player in players if counts[player]}


def count_verdicts(
    players: Sequence[str], games: Sequence[GameResult]
) -> dict[str, dict[str, int]]:
    """Count by player and verdict: finished, and every other verdict that occurred."""
    counts = Counter((seat.player, seat.verdict) for game in games for seat in game.seats)
    seen = {verdict for _, verdict in counts} | {PlayerVerdict.FINISHED}
    shown = [verdict for verdict in PlayerVerdict if verdict in seen]
    return {
        player: {verdict.value: counts[player, verdict] for verdict in shown} for player in players
    }


def count_endings(games: Sequence[GameResult]) -> dict[str, int]:
    """Count by ending, the most frequent first, then by name."""
    counts = Counter(game.ending for game in games)
    return dict(sorted(counts.items(), key=lambda ending: (-ending[1], ending[0])))


def times(players: Sequence[str], games: Sequence[GameResult]) -> tuple[TimeRow, ...]:
    """Return the time that each player used, over the games in which it was measured."""
    played: defaultdict[str, list[SeatResult]] = defaultdict(list)
    for game in games:
        for seat in game.seats:
            played[seat.player].append(seat)
    return tuple(_time_row(player, played[player]) for player in players)


def _time_row(player: str, seats: Sequence[SeatResult]) -> TimeRow:
    thought = [seat.thought for seat in seats if seat.thought > 0]
    slowest = max((seat.slowest for seat in seats), default=0)
    processor = [seat.processor for seat in seats if seat.processor is not None]
    return TimeRow(
        player,
        _mean_seconds(thought, MICROSECONDS),
        _mean_seconds([slowest], MICROSECONDS) if thought else None,
        _mean_seconds(processor, MILLISECONDS),
    )


def _mean_seconds(measured: Sequence[int], per_second: int) -> float | None:
    """Return the mean in seconds, ``None`` if nothing was measured."""
    if not measured:
        return None
    return round(sum(measured) / (len(measured) * per_second), TIME_DIGITS)
