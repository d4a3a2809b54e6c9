"""How the versions of each player did, one after the other."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..games.entries import Entries, Entry
from ..games.result import GameResult
from ..games.scoring import game_points
from .tally import places


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


def version_history(
    entries: Entries, results: Iterable[GameResult], points: Sequence[float]
) -> dict[str, list[VersionRow]]:
    """Return the versions of every player, in order; ``results`` are all games.

    ``points`` are those of the places, first place first.
    """
    found: defaultdict[int, list[tuple[float, int, bool]]] = defaultdict(list)
    for result in results:
        met = entries.of_game(result.game, result.players)
        if met is None:
            continue  # somebody has changed the store, which the audit finds
        earned = game_points(result, points)
        for entry, seat, place in zip(met, result.seats, places(result), strict=True):
            lost = not seat.finished
            found[entry.number].append((earned[seat.player], min(place, len(result.seats)), lost))
    return {
        name: [_row(entry, found[entry.number]) for entry in entries.of_player(name)]
        for name in dict.fromkeys(entry.name for entry in entries.all)
    }


def _row(entry: Entry, games: Sequence[tuple[float, int, bool]]) -> VersionRow:
    if not games:
        return VersionRow(entry, 0, None, None, 0)
    points, places, lost = zip(*games, strict=True)
    count = len(games)
    return VersionRow(entry, count, sum(points) / count, sum(places) / count, sum(lost))
