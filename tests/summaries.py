"""The summary of a tournament for tests: each test says what matters to it."""

from itertools import permutations
from typing import Any

from acquire.admin.studying.statistics.intervals import Estimate
from acquire.admin.tournament.standings.summary import Duel, SeatRow, StandingsRow, Summary, TimeRow

USUAL = StandingsRow(
    1, "", 2, Estimate(1.0), Estimate(1.37), Estimate(0.618), Estimate(31415.9), 27.18, "a", 1
)


def row(rank: int, player: str, points: Estimate, groups: str = "a", **other: Any) -> StandingsRow:
    """Return a row of the standings."""
    return USUAL._replace(rank=rank, player=player, points=points, groups=groups, **other)


def summary(*rows: StandingsRow, **tables: Any) -> Summary:
    """Return a summary with these standings."""
    names = [one.player for one in rows]
    usual = Summary(
        games=2,
        blocks=1,
        out_of_step=1,
        rows=rows,
        crosstable=tuple(
            Duel(one, other, 2, 0.73 if one < other else 0.27)
            for one, other in permutations(names, 2)
        ),
        seats=(
            SeatRow(1, 2, Estimate(1.91, 1.81, 2.01), Estimate(1.11), Estimate(0.66)),
            SeatRow(2, 2, Estimate(0.19, 0.09, 0.29), Estimate(1.89), Estimate(0.34)),
        ),
        by_player_and_seat={name: {1: 1.46, 2: 0.54} for name in names},
        verdicts={name: {"finished": 5, "timed-out": 17} for name in names},
        endings={"large-hotel": 3, "dead-round": 1},
        times=tuple(TimeRow(name, 4.321, 0.987, None) for name in names),
    )
    return usual._replace(**tables)
