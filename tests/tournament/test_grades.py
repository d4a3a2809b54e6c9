"""Grades: the first step of the scale that a player reaches; for the instructor alone."""

import csv
import signal
import stat
from collections.abc import Sequence
from pathlib import Path

import pytest
from command_line import refused, succeed
from summaries import row, summary
from tournament_process import TournamentFolder, built_in

from acquire.admin.studying.statistics.intervals import Estimate
from acquire.admin.tournament.games.result import GameResult, PlayerVerdict, SeatResult
from acquire.admin.tournament.planning.plan_file import Grading
from acquire.admin.tournament.planning.roster import Student, with_teams_as_named
from acquire.admin.tournament.planning.sections import GradeSettings, GradeStep
from acquire.admin.tournament.reporting.grades import canvas_csv, grade_rows, grades_csv
from acquire.admin.tournament.standings.summarize import summarize
from acquire.admin.tournament.standings.summary import StandingsRow

KINDS = {"investor": "strategy investor", "ann": "command", "bob": "remote", "cyd": "command"}


def of(rank: int, player: str, points: float, lost: int = 0) -> StandingsRow:
    mean = Estimate(points, points - 0.25, points + 0.25)
    return row(rank, player, mean, games=10, lost=lost)


ROWS = (of(1, "ann", 2.5), of(2, "investor", 2.0), of(3, "bob", 1.5, lost=4), of(4, "cyd", 0.5))
SUMMARY = summary(*ROWS)


def grades(*steps: GradeStep, students: tuple[Student, ...] = ()) -> list[dict[str, str]]:
    settings = GradeSettings(scale=steps, otherwise="F")
    text = grades_csv(grade_rows(Grading(settings, students), SUMMARY, KINDS, ()))
    return list(csv.DictReader(text.splitlines()))


@pytest.mark.parametrize(
    ("step", "passed"),
    [
        (GradeStep(grade="A", points=1.5), ["ann", "bob"]),
        (GradeStep(grade="A", points=1.51), ["ann"]),
        (GradeStep(grade="A", above="investor"), ["ann"]),
        (GradeStep(grade="A", above="ann"), []),
        (GradeStep(grade="A", rank=2), ["ann", "bob"]),  # investor is built in
        (GradeStep(grade="A", finished=60), ["ann", "bob", "cyd"]),
        (GradeStep(grade="A", finished=61), ["ann", "cyd"]),
        (GradeStep(grade="A", points=0.5, finished=61), ["ann", "cyd"]),
    ],
)
def test_grade_needs_all_its_conditions(step: GradeStep, passed: list[str]) -> None:
    found = grades(step)
    assert [line["player"] for line in found] == ["ann", "bob", "cyd"]
    assert [line["player"] for line in found if line["grade"] == "A"] == passed
    assert {line["grade"] for line in found} <= {"A", "F"}


def test_team_is_found_in_another_form_of_unicode() -> None:
    ann = Student("1", team="a\u0301nn")
    named = with_teams_as_named([ann, Student("bob")], ["\u00e1nn", "bob"])
    assert [one.player for one in named] == ["\u00e1nn", "bob"]
    found = grades(GradeStep(grade="A", rank=3), students=(Student("1", team="bob"),))
    assert found[0]["grade"] == "A"


def test_first_grade_that_is_reached_counts() -> None:
    found = grades(GradeStep(grade="A", points=2), GradeStep(grade="B", points=1))
    assert [(line["grade"], line["why"]) for line in found] == [
        ("A", "at least 2 points per game"),
        ("B", "at least 1 point per game"),
        ("F", "reached no grade of the scale"),
    ]


@pytest.mark.parametrize(
    ("groups", "close"),
    [
        (("a", "ab"), True),
        (("b", "a"), False),
        (("z aa", "aa"), True),
        (("y z", "aa ab"), False),  # of 28 groups
    ],
)
def test_place_that_may_be_chance_is_called_close(groups: Sequence[str], close: bool) -> None:
    settings = GradeSettings(scale=(GradeStep(grade="A", above="investor"),), otherwise="F")
    found = [each._replace(groups=own) for each, own in zip(ROWS, groups, strict=False)]
    rows = SUMMARY._replace(rows=(*found, *ROWS[2:]))
    first, *_ = grade_rows(Grading(settings, ()), rows, KINDS, ())
    assert f"above investor{' (too close to separate)' if close else ''}" in first


def test_place_in_a_ladder_is_called_close_by_tests_of_the_ratings() -> None:
    """Of bob there are too few blocks to separate anybody."""
    results = []
    for block in range(20):
        better = "bob" if block < 4 else "ann"
        order = (better, "investor", "cyd") if block % 8 else (better, "cyd", "investor")
        seats = (
            SeatResult(player, PlayerVerdict.FINISHED, place, 4000 - 1000 * place)
            for place, player in enumerate(order, 1)
        )
        game = f"r{block + 1}-t1-s1"
        results.append(GameResult(game, game, 1, "large-hotel", 40, None, (*seats,)))
    ladder = summarize([*KINDS], results, (2, 1, 0), by_rating=True)
    settings = GradeSettings(scale=(GradeStep(grade="A", above="investor"),), otherwise="F")
    lines = grade_rows(Grading(settings, ()), ladder, KINDS, results)
    assert {line[3]: line[5] for line in lines} == {
        "ann": "above investor",
        "bob": "above investor (too close to separate)",
        "cyd": "reached no grade of the scale",
    }


def test_every_student_of_the_roster_has_a_line_by_id() -> None:
    students = (
        Student("s1", "Ada L.", "ann", "Mon"),
        Student("s2", "Bo", "ann"),
        Student("s3", "=Cy", "nobody"),
        Student("bob"),
    )
    found = grades(GradeStep(grade="A", points=2), students=students)
    assert [(line["id"], line["player"], line["grade"]) for line in found] == [
        ("s1", "ann", "A"),
        ("s2", "ann", "A"),
        ("s3", "", "F"),
        ("bob", "bob", "F"),
    ]
    assert found[0] | {"name": "Ada L.", "section": "Mon", "points_low": "2.25"} == found[0]
    assert found[2]["name"] == "'=Cy" and found[2]["why"] == "no games"
    assert found[3]["finished_percent"] == "60.0" and found[3]["rank"] == "2"


def test_program_that_was_left_out_is_told_from_none() -> None:
    students = (Student("eve", "Ada L."), Student("s2"))
    settings = GradeSettings(scale=(GradeStep(grade="A", points=2),), otherwise="F")
    rows = grade_rows(Grading(settings, students), SUMMARY, KINDS, (), ["eve"])
    reasons = [line["why"] for line in csv.DictReader(grades_csv(rows).splitlines())]
    assert reasons == ["left out: `tournament check` says why", "no games"]


def test_canvas_finds_a_student_by_any_id_or_the_name() -> None:
    students = (Student("s1", "Ada L.", "ann", "Mon"), Student("bob"))
    settings = GradeSettings(scale=(GradeStep(grade="A", points=2),), otherwise="F")
    rows = grade_rows(Grading(settings, students), SUMMARY, KINDS, ())
    assert canvas_csv("Cup", rows).splitlines() == [
        "Student,ID,SIS User ID,SIS Login ID,Section,Cup",
        "Ada L.,,s1,s1,Mon,A",
        "bob,,bob,bob,,F",
    ]


# -- the file and the command ----------------------------------------------------------------------

PLAN = """
[tournament]
name = "Cup"
seats = 2
rulebook = "classic"
{roster}
[grades]
otherwise = "F"
scale = {scale}
[lobby]
port = 51234
[[players]]
name = "ann"
strategy = "random"
[[players]]
name = "ordered"
strategy = "ordered"
"""


@pytest.mark.parametrize(
    ("scale", "words"),
    [
        ("[]", "grades.scale"),
        ('[{ grade = "A" }]', "grades.scale[1] has no condition"),
        ('[{ grade = "A", above = "eve" }]', "grades.scale[1].above: 'eve' is not a player"),
        ('[{ grade = "A", point = 3 }]', "points"),
        ('[{ grade = "A", finished = 101 }]', "grades.scale[1].finished"),
    ],
)
def test_mistakes_in_the_scale_are_named(tmp_path: Path, scale: str, words: str) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(PLAN.format(scale=scale, roster=""))
    assert words in refused("tournament", "check", file).replace(": has", " has")


def test_grades_are_written_beside_the_report_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    (tmp_path / "students.csv").write_text("id,name,team\ns1,Ada,ann\n")
    scale = '[{ grade = "A", points = 0 }]'
    file.write_text(PLAN.format(scale=scale, roster='roster = "students.csv"'))
    for command in ("run", "report"):
        done = succeed("tournament", command, file)
    path = tmp_path / "cup-private" / "grades.csv"
    assert f"Wrote {path}, for you alone" in done.output.replace("\n", "")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    (line,) = csv.DictReader(path.read_text().splitlines())
    assert (line["id"], line["name"]) == ("s1", "Ada")  # built in, so it is not graded
    assert (line["grade"], line["why"]) == ("F", "no games")
    assert not list((tmp_path / "cup").rglob("*grades*"))
    file.write_text(file.read_text().replace('grade = "A"', 'grade = "B"'))  # plays nothing again
    for command in ("run", "report"):
        done = succeed("tournament", command, file)


def test_grades_before_the_last_game_are_called_provisional(folder: TournamentFolder) -> None:
    general = {"seats": 2, "rulebook": "quick.toml", "deals": 200}
    scale = {"otherwise": "F", "scale": [{"grade": "A", "points": 0}]}
    folder.write(built_in("random", "ordered", "investor"), tournament=general, grades=scale)
    with folder.run() as process:
        process.until("game")
        assert process.end(signal.SIGINT) == 130
    done = succeed("tournament", "report", folder.file)
    assert "of 1,200 games have been played. These grades are provisional." in done.stderr
