"""How the versions of each player did, one after the other."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..games.entries import Entries, Entry
from ..games.result import GameResult, game_points
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
            last = min(place, len(result.seats))
            found[entry.number].append((earned[seat.player], last, not seat.finished))

    def row(entry: Entry) -> VersionRow:
        games = found[entry.number]
        if not games:
            return VersionRow(entry, 0, None, None, 0)
        earned, ranks, lost = zip(*games, strict=True)
        count = len(games)
        return VersionRow(entry, count, sum(earned) / count, sum(ranks) / count, sum(lost))

    names = dict.fromkeys(entry.name for entry in entries.all)
    return {name: [row(entry) for entry in entries.of_player(name)] for name in names}
