"""Grades by student, from the standings and the scale of the tournament file.

They are for the instructor alone, so they are no part of the report.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from ...refereeing.view.plain_text import number
from ..games.result import GameResult
from ..planning.plan_file import Grading
from ..planning.roster import Student, with_teams_as_named
from ..planning.sections import GradeStep
from ..standings.summarize import grouped_by_rating
from ..standings.summary import StandingsRow, Summary, groups_of
from .csv_tables import Cell, csv_text

COLUMNS = (
    *("id", "name", "section", "player", "grade", "why"),
    *("rank", "points", "points_low", "points_high", "games", "finished_percent"),
)
"""The columns of the file; rank is the place among the players that are not built in."""


CLOSE = " (too close to separate)"  # follows a player whose place before another may be chance

CANVAS_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
"""The columns of a gradebook of Canvas; it looks for a student by each of these ids, if there is
one, and then by the name. The column of an assignment follows."""


def grades_csv(rows: Iterable[Sequence[Cell]]) -> str:
    """Return grades as CSV. Moodle imports it too, for there you say which column is what."""
    return csv_text(COLUMNS, rows)


def canvas_csv(assignment: str, rows: Iterable[Sequence[Cell]]) -> str:
    """Return grades as Canvas imports them into the column of an assignment."""
    return csv_text(
        (*CANVAS_COLUMNS, assignment),
        ((name or id_, "", id_, id_, section, grade) for id_, name, section, _, grade, *_ in rows),
    )


def grade_rows(
    grading: Grading,
    summary: Summary,
    kinds: Mapping[str, str],
    results: Iterable[GameResult],
    left_out: Collection[str] = (),
) -> list[Sequence[Cell]]:
    """Return the values of all columns, in the order of the roster, or else of the standings.

    ``kinds`` are those of the players. A student who handed nothing in has no player, and one whose
    program was ``left_out`` has no games. ``results`` are the games that count,
    from which a ladder has its groups.
    """
    rows = {row.player: row for row in summary.rows if row.games}
    grouped: Iterable[StandingsRow] = summary.rows
    if summary.by_rating and any(step.above for step in grading.settings.scale):
        grouped = grouped_by_rating(summary.rows, results)
    groups = groups_of(grouped)
    graded = [row for row in summary.rows if not kinds.get(row.player, "").startswith("strategy")]
    played = [row for row in graded if row.games]
    ranks = {row.player: 1 + sum(other.rank < row.rank for other in played) for row in played}
    students = with_teams_as_named(grading.students, [*ranks, *left_out])
    students = students or tuple(Student(row.player) for row in graded)

    def line(student: Student) -> Sequence[Cell]:
        who = (student.id, student.name, student.section)
        if student.player not in ranks:
            why = (
                "left out: `tournament check` says why"
                if student.player in left_out
                else "no games"
            )
            return (*who, "", grading.settings.otherwise, why, *[None] * 6)
        row, rank = rows[student.player], ranks[student.player]
        finished = 100 * (row.games - row.lost) / row.games
        grade, why = grading.settings.otherwise, "reached no grade of the scale"
        for step in grading.settings.scale:
            conditions = list(_conditions(step, row, rank, finished, rows, groups))
            if all(holds for holds, _ in conditions):
                grade, why = step.grade, ", ".join(words for _, words in conditions)
                break
        result = (rank, *row.points, row.games, number(finished, 1))
        return (*who, row.player, grade, why, *result)

    return [line(student) for student in students]


def _conditions(
    step: GradeStep,
    row: StandingsRow,
    rank: int,
    finished: float,
    rows: Mapping[str, StandingsRow],
    groups: Mapping[str, set[str]],
) -> Iterator[tuple[bool, str]]:
    """Yield each condition of a grade: whether it holds, and in words."""
    if step.points is not None:
        least = f"{step.points:.6f}".rstrip("0").rstrip(".")
        noun = "point" if step.points == 1 else "points"
        yield row.points.value >= step.points, f"at least {least} {noun} per game"
    if step.rank is not None:
        yield rank <= step.rank, f"rank {step.rank} or better"
    if step.above is not None:
        other = rows.get(step.above)
        close = CLOSE if groups[row.player] & groups.get(step.above, set()) else ""
        yield other is not None and row.rank < other.rank, f"above {step.above}{close}"
    if step.finished is not None:
        yield finished >= step.finished, f"at least {step.finished:g} % of games finished"
