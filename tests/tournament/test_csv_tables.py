"""The CSV files: they have all values, and no name is a formula."""

import csv
import re
from io import StringIO

import pytest
from summaries import row, summary

from acquire.admin.studying.statistics.intervals import Estimate
from acquire.admin.tournament.games.result import GameResult, PlayerVerdict, SeatResult
from acquire.admin.tournament.reporting.csv_tables import FORMULA_STARTS, games_csv, standings_csv
from acquire.admin.tournament.standings.summary import StandingsRow

AWKWARD = [
    "ada",
    "Lovelace, Ada",
    'the "first"',
    "two\nlines",
    "carriage\rreturn",
    "both\r\nends",
    "a;b\tc",
    "שלום 🎲",
    "a=b+c-d@e'",
]
FORMULAS = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    "\N{FULLWIDTH EQUALS SIGN}1+1",
    "'=1",
    "'a; =1;'+1;\t-1\n''@A1",
]


def standing(player: str) -> StandingsRow:
    """Return a row with intervals and without."""
    wins, money = Estimate(0.3333, 0.0833, 0.5833), Estimate(31416.7, 28000.1, 34000.9)
    points, others = Estimate(1.5833, 1.25, 1.9167), {"wins": wins, "money": money, "games": 12}
    return row(3, player, points, "ab", placement=Estimate(2.4167), rating=26.125, **others)


def game(*seats: SeatResult) -> GameResult:
    return GameResult("d1-t3-s05", "d1-t3", 99, "large-hotel", 71, 12, seats)


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text, newline=""), strict=True))


def unguarded(text: str) -> str:
    return re.sub(r"""^'|(?<=[;\t\r\n])'(?=[ "]*[=+\-@'\uff1d\uff0b\uff0d\uff20])""", "", text)


def test_standings_have_every_value_of_a_row() -> None:
    assert standings_csv(summary(standing("ada"))).splitlines() == [
        "rank,player,groups,games,points,points_low,points_high,placement,placement_low,"
        "placement_high,wins,wins_low,wins_high,money,money_low,money_high,rating,lost",
        "3,ada,ab,12,1.5833,1.25,1.9167,2.4167,,,0.3333,0.0833,0.5833,31416.7,28000.1,34000.9,"
        "26.125,1",
    ]


def test_games_have_a_row_for_every_seat() -> None:
    measured = (9, 20, 5000, 900, 31)
    lost = SeatResult("bob", PlayerVerdict.TIMED_OUT, 2, 0, "Too late.", *measured, "It slept.")
    won = SeatResult("ada", PlayerVerdict.FINISHED, 1, 30100)
    assert games_csv([game(won, lost)]).splitlines() == [
        "game,block,seed,ending,turns,out_of_step,seat,player,verdict,rank,money,turn,answers,"
        "thought_us,slowest_us,processor_ms,detail",
        "d1-t3-s05,d1-t3,99,large-hotel,71,12,1,ada,finished,1,30100,,0,0,0,,",
        "d1-t3-s05,d1-t3,99,large-hotel,71,12,2,bob,timed-out,2,0,9,20,5000,900,31,"
        "Too late. It slept.",
    ]


@pytest.mark.parametrize("name", AWKWARD)
def test_text_comes_back_as_it_was(name: str) -> None:
    seat = SeatResult(name, PlayerVerdict.CRASHED, 1, 0, name)
    (listed,) = read(standings_csv(summary(standing(name))))
    (played,) = read(games_csv([game(seat)]))
    assert listed["player"] == played["player"] == played["detail"] == name


@pytest.mark.parametrize("name", FORMULAS)
def test_text_is_never_a_formula_and_the_guard_can_be_removed(name: str) -> None:
    seat = SeatResult(name, PlayerVerdict.CRASHED, 1, 0, name)
    (listed,) = read(standings_csv(summary(standing(name))))
    (played,) = read(games_csv([game(seat)]))
    for text in (listed["player"], played["player"], played["detail"]):
        assert not text.startswith(tuple(set(FORMULA_STARTS) - {"'"}))
        assert unguarded(text) == name


def test_negative_numbers_stay_numbers() -> None:
    (found,) = read(standings_csv(summary(standing("ada")._replace(rating=-1.5))))
    assert float(found["rating"]) == -1.5


def test_tables_without_games_have_headings_only() -> None:
    assert read(games_csv([])) == []
    assert games_csv([]).startswith("game,block,")
    assert standings_csv(summary()).startswith("rank,player,")
