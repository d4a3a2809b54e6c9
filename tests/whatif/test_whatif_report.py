"""What games played on come to: statistics of each variant, the tables, and for a program."""

import io
import json

from positions import at_table, player
from rich.console import Console

from acquire.admin.studying.whatif.report import Fields, Opponent, draw_report, report_of, spread_of
from acquire.admin.studying.whatif.single_game import ABSENT, WIN, GameSetup, SeatOutcome, Variant
from acquire.game.rulebooks import CLASSIC

SEAT = "al[i]ce"
MINUS = "\N{MINUS SIGN}"
GAMES = [SeatOutcome(21_000 + 1_000 * game, WIN * (game % 2)) for game in range(11)]
WORSE = [game._replace(score=game.score - 21_000, win=0) for game in GAMES]
FAILING = [
    *WORSE[:8],
    SeatOutcome(0, 0, ABSENT),
    SeatOutcome(0, 0, "timed-out"),
    SeatOutcome(0, 0, amended=True),
]
PROGRAM = Variant(
    SEAT, words=("/a/long/way/to/python3", "my player.py", "{host}", "{port}", "{name}")
)


def report(really: Fields) -> Fields:
    players = (player(SEAT), player("bob"), player("cyd"))
    position = at_table("", *players, rulebook=CLASSIC)
    games = {
        Variant(SEAT, "investor"): GAMES,
        Variant(SEAT, "investor", recorded=True): WORSE,
        PROGRAM: FAILING,
        Variant(SEAT, "random"): [],
    }
    others = (Opponent("bob", "ordered", None), Opponent("cyd", "investor", "a program"))
    setup = GameSetup((SEAT, "bob", "cyd"), position, 7, {}, {})
    return report_of("game.xml", 57, setup, others, games, {SEAT: really})


FINISHED = {"score": 26_000, "rank": 2, "finished": True, "ejected_in": None}


def drawn(width: int, really: Fields = FINISHED) -> str:
    file = io.StringIO()
    console = Console(file=file, width=width, color_system=None, legacy_windows=False)
    console.print(draw_report(report(really)))
    return file.getvalue()


def test_table_has_means_quartiles_wins_and_differences() -> None:
    lines = drawn(120).splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("1 investor"))
    assert lines[first].split() == ["1", "investor", "11", "26,000", "26,000", "45"]
    assert "23,500..28,500" in lines[first + 1]
    second = next(line for line in lines if "2 recorded, then investor" in line)
    assert second.split()[-1] == f"{MINUS}21,000"
    assert next(line for line in lines if "the real game" in line).split()[-2:] == [*("rank", "2")]


def test_nothing_is_cut_on_a_terminal_of_eighty_columns() -> None:
    shown = drawn(80)
    assert "…" not in shown
    assert "vs the first" in shown and f"{MINUS}21,000..{MINUS}21,000" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_what_went_wrong_is_counted_and_said() -> None:
    shown = " ".join(drawn(120).split())
    name = "/a/long/way/to/python3 'my player.py' {host} {port} {name}"
    assert f"{name}: did not connect for 1 game, which score 0." in shown
    assert f"{name}: ejected (timed-out) in 1 game, which score 0." in shown
    assert f"{name}: in 1 game part of the move was no longer legal." in shown
    assert "random: no game was played." in shown


def test_others_and_what_was_dealt_are_named() -> None:
    shown = drawn(120)
    assert f"From turn 57, {SEAT} to move" in shown
    assert "the other players' hands and the bag redealt, seed 7" in shown
    assert "bob is played by ordered, as in the game." in shown
    assert "cyd is played by investor, in place of a program." in shown


def test_ejected_player_has_no_real_score_to_show() -> None:
    shown = drawn(120, {"score": 0, "rank": 3, "finished": False, "ejected_in": 60})
    (real,) = [line for line in shown.splitlines() if "ejected in turn 60" in line]
    assert real.split()[3:5] == ["1", "-"]


def test_program_reads_the_same() -> None:
    found = json.loads(json.dumps(report(FINISHED)))
    (seat,) = found["seats"]
    assert [each["kind"] for each in seat["variants"]] == ["house", "recorded", "command", "house"]
    assert seat["variants"][0]["score"]["median"] == 26_000
    assert seat["variants"][1]["difference"]["score"] == {
        "mean": -21_000, "low": -21_000, "high": -21_000
    }  # fmt: skip
    assert seat["variants"][2]["lost"] == {"absent": 1, "timed-out": 1}
    assert seat["variants"][3] == {"player": "random", "kind": "house", "games": 0}
    assert seat["really"]["rank"] == 2


# -- statistics of a variant -----------------------------------------------------------------------

OUTCOMES = ((10, 0), (50, WIN), (30, WIN // 2), (20, 0), (40, WIN))
FIVE = [SeatOutcome(score, win) for score, win in OUTCOMES]


def test_mean_quartiles_and_wins_of_five_games() -> None:
    found = spread_of(FIVE, None)
    assert found["scores"] == [10, 50, 30, 20, 40]
    score = found["score"]
    assert [score[f"{which}_quartile"] for which in ("lower", "upper")] == [20, 40]
    assert (score["lowest"], score["median"], score["highest"]) == (10, 30, 50)
    assert 10 < score["low"] < score["mean"] == 30 < score["high"] < 50
    assert found["wins"]["mean"] == 0.5
    assert found["difference"] is None and not found["lost"] and not found["amended"]


def test_quartiles_between_two_scores_are_interpolated() -> None:
    score = spread_of([SeatOutcome(0, 0), SeatOutcome(10, 0)], None)["score"]
    assert (score["lower_quartile"], score["median"], score["upper_quartile"]) == (2.5, 5, 7.5)


def test_with_few_games_there_is_no_interval() -> None:
    found = spread_of(FIVE[:4], FIVE[:4])
    assert found["score"]["mean"] == 27.5 and found["score"]["low"] is None
    assert found["wins"] == {"mean": 0.375, "low": None, "high": None}
    assert found["difference"]["score"] == {"mean": 0, "low": None, "high": None}


def test_difference_is_taken_game_by_game() -> None:
    """However far the games are apart, what they differ by is certain if it is always the same."""
    better = [SeatOutcome(game.score + 7, WIN) for game in FIVE]
    ahead = spread_of(better, FIVE)["difference"]
    assert ahead["games"] == 5
    assert ahead["score"] == {"mean": 7, "low": 7, "high": 7}
    assert ahead["wins"]["mean"] == 0.5


def test_wins_that_are_the_same_in_all_games_have_no_interval() -> None:
    found = spread_of(WORSE[:8], WORSE[1:9])
    assert found["wins"] == found["difference"]["wins"] == {"mean": 0, "low": None, "high": None}
    assert found["difference"]["score"]["low"] is not None


def test_difference_is_over_the_games_that_both_played() -> None:
    ahead = spread_of(FIVE[:2], FIVE[1:])["difference"]
    assert (ahead["games"], ahead["score"]["mean"]) == (2, (10 - 50 + 50 - 30) / 2)


def test_games_not_finished_are_counted_by_reason_and_score_nothing() -> None:
    lost = [SeatOutcome(0, 0, why) for why in ("timed-out", "absent", "timed-out")]
    found = spread_of([*FIVE, *lost, SeatOutcome(30, 0, amended=True)], None)
    assert found["lost"] == {"absent": 1, "timed-out": 2}
    assert found["amended"] == 1
    assert found["score"]["mean"] == 20
