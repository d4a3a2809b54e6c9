"""Grades by student, from the standings and the scale of the tournament file.

They are for the instructor alone, so they are no part of the report.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ...studying.statistics.plots import number
from ..planning.plan import GradeSettings, GradeStep
from ..planning.plan_file import Grading
from ..planning.roster import Student
from ..standings.csv_tables import Cell, csv_text
from ..standings.summary import StandingsRow, Summary

COLUMNS = (
    *("id", "name", "section", "player", "grade", "why"),
    *("rank", "points", "points_low", "points_high", "games", "finished_percent"),
)
"""The columns of the file; rank is the place among the players that are not built in."""


class Achievement(NamedTuple):
    """What a player has reached; ``rank`` counts only players that are not built in."""

    row: StandingsRow
    rank: int

    @property
    def finished(self) -> float:
        """The percentage of its games that the player has played to the end."""
        return 100 * (self.row.games - self.row.lost) / self.row.games


def grades_csv(grading: Grading, summary: Summary, kinds: Mapping[str, str]) -> str:
    """Return the grades as CSV, in the order of the roster, or else of the standings.

    ``kinds`` are those of the players. A student who handed nothing in has no player.
    """
    rows = {row.player: row for row in summary.rows if row.games}
    reached = _achievements(rows, kinds)
    students = grading.students or tuple(
        Student(row.player) for row in summary.rows if _is_graded(kinds.get(row.player, ""))
    )
    return csv_text(COLUMNS, (_line(each, grading.settings, reached, rows) for each in students))


def _is_graded(kind: str) -> bool:
    return not kind.startswith("strategy")


def _achievements(
    rows: Mapping[str, StandingsRow], kinds: Mapping[str, str]
) -> dict[str, Achievement]:
    graded = [row for row in rows.values() if _is_graded(kinds.get(row.player, ""))]
    return {
        row.player: Achievement(row, 1 + sum(other.rank < row.rank for other in graded))
        for row in graded
    }


def _line(
    student: Student,
    settings: GradeSettings,
    reached: Mapping[str, Achievement],
    rows: Mapping[str, StandingsRow],
) -> Sequence[Cell]:
    found = reached.get(student.player)
    who = (student.id, student.name, student.section)
    if found is None:
        return (*who, "", settings.otherwise, "no games", *[None] * 6)
    grade, why = _grade(settings, found, rows)
    row = found.row
    return (
        *(*who, row.player, grade, why, found.rank),
        *(*row.points, row.games, round(found.finished, 1)),
    )


def _grade(
    settings: GradeSettings, found: Achievement, rows: Mapping[str, StandingsRow]
) -> tuple[str, str]:
    """Return the first grade that a player reaches, and by what."""
    for step in settings.scale:
        if all(holds for holds, _ in _conditions(step, found, rows)):
            return step.grade, ", ".join(words for _, words in _conditions(step, found, rows))
    return settings.otherwise, "reached no grade of the scale"


def _conditions(
    step: GradeStep, found: Achievement, rows: Mapping[str, StandingsRow]
) -> Iterator[tuple[bool, str]]:
    """Yield each condition of a grade: whether it holds, and in words."""
    points = found.row.points.value
    if step.points is not None:
        yield points >= step.points, f"{number(step.points, 2)} points per game"
    if step.rank is not None:
        yield found.rank <= step.rank, f"rank {step.rank}"
    if step.above is not None:
        other = rows.get(step.above)
        yield other is not None and found.row.rank < other.rank, f"above {step.above}"
    if step.finished is not None:
        yield found.finished >= step.finished, f"{step.finished:g} % of games finished"
