"""A program that misses three sign-ups in a row is not started any more, also by a later run."""

from pathlib import Path

import pytest
from command_line import printed, refused, said, succeed
from tournament_process import TournamentFolder, of_kind, seat_of

from acquire.admin.tournament.games.entries import Entries, Participant
from acquire.admin.tournament.games.result import NOT_STARTED, GameResult, PlayerVerdict, SeatResult
from acquire.admin.tournament.planning.plan_file import read_plan
from acquire.admin.tournament.run.tournament_run import MissedSignUps

ABSENT, THERE = PlayerVerdict.NEVER_STARTED, PlayerVerdict.TIMED_OUT
ENDED = PlayerVerdict.DISCONNECTED
QUICK = {"rulebook": "quick.toml"}


def report_that_holds(folder: TournamentFolder) -> list[Path]:
    """Write the report and audit it; return its pages."""
    out = folder.folder / "out"
    succeed("tournament", "report", folder.file, "--to", out)
    assert "No contradiction was found." in said("tournament", "audit", out)
    return [*out.glob("*.html")]


def test_program_is_started_three_times_and_others_play_all_their_games(
    folder: TournamentFolder,
) -> None:
    gus = folder.program("gus", 'note("started")')
    folder.write_beside(gus, {**QUICK, "deals": 2})
    (said,) = of_kind("trouble", folder.play())
    assert said["sentence"].startswith("gus has missed 3 sign-ups in a row.")
    assert "`acquire tournament run --retry`" in said["sentence"], "also in a duel, which has none"
    folder.write_beside(gus, {**QUICK, "deals": 3})
    again = folder.play()  # it resumes, and knows that from the results
    assert of_kind("trouble", again)[0]["sentence"] == said["sentence"]
    assert folder.notes() == ["started"] * 3
    seats = [seat_of(result, "gus") for result in folder.results().values()]
    assert [seat.verdict for seat in seats] == [PlayerVerdict.NEVER_STARTED] * 9
    assert [seat.detail == NOT_STARTED for seat in seats] == [False] * 3 + [True] * 6
    assert {seat.rank for seat in seats} == {3}
    others = [seat for result in folder.results().values() for seat in result.seats]
    assert {seat.verdict for seat in others if seat.player != "gus"} == {PlayerVerdict.FINISHED}

    sentence = "lost 6 games without being started, after 3 missed sign-ups in a row"
    assert f"gus: {sentence}" in succeed("tournament", "show", folder.file).stdout
    assert printed("tournament", "show", folder.file, "--json")["skipped"] == {"gus": 6}
    assert any(sentence in page.read_text() for page in report_that_holds(folder))


def test_new_version_is_started_again(folder: TournamentFolder) -> None:
    def play(source: str) -> None:
        folder.write_beside(folder.program("gus", source), {**QUICK, "deals": 2})
        folder.play()

    play('note("first")')
    play('note("second")')
    assert folder.notes() == ["first"] * 3 + ["second"] * 3
    assert printed("tournament", "show", folder.file, "--json")["skipped"] == {"gus": 3}


@pytest.mark.parametrize(
    "form",
    [{"deals": 2}, pytest.param({"format": "ladder", "deals": 2}, marks=pytest.mark.soak)],
    ids=str,
)
def test_losses_of_a_program_that_never_started_can_be_forgiven(
    folder: TournamentFolder, form: dict[str, object]
) -> None:
    """Its games are played again, under another number; the report shows both, and holds."""
    ready = folder.folder / "ready"
    waits = f"if os.path.exists({str(ready)!r}):\n    sign_up()\n    note('signed up')"
    folder.write_beside(folder.program("gus", waits), {**QUICK, **form})
    folder.play()
    before = folder.results()
    retried = ("--retry", "ordered", "--retry", "gus", "--retry", "nobody")
    words = refused("tournament", "run", folder.file, *retried)
    assert "ordered, nobody cannot be retried" in words and "Here that is gus." in words
    assert folder.results() == before

    ready.touch()
    (changed,) = of_kind("players-changed", folder.play("--retry", "gus"))
    assert (changed["retried"], changed["new_versions"]) == (["gus"], [])
    assert changed["archived"] == len(before) == 6
    after = folder.results()
    assert len(after) == 6 and not after.keys() & before.keys()
    assert {seat_of(result, "gus").verdict for result in after.values()} == {ENDED}
    assert folder.notes() == ["signed up"] * 6
    words = refused("tournament", "run", folder.file, "--retry", "gus")
    assert "Here that is no program." in words, "it has started now"
    shown = succeed("tournament", "show", folder.file, "--player", "gus").stdout
    assert shown.count(read_plan(folder.file).entrant("gus").version) == 2
    report_that_holds(folder)


def test_retried_version_returns_with_the_games_that_count(folder: TournamentFolder) -> None:
    """And not with those that were forgiven, after another version was played in between."""
    one, other = Participant("gus", "command", "1"), Participant("gus", "command", "2")
    entries = Entries.of([one])
    for wanted, retried in ((one, ["gus"]), (other, []), (one, [])):
        entries, _ = entries.updated([wanted], series=1, ladder=False, retried=retried)
    assert [entry.number for entry in entries.current] == [2]


def test_only_misses_in_a_row_count(folder: TournamentFolder) -> None:
    folder.write_beside(folder.program("gus", ""))
    plan = read_plan(folder.file)

    def result(verdict: PlayerVerdict, version: str = plan.entrant("gus").version) -> GameResult:
        gus = SeatResult("gus", verdict, 3, 0, version=version)
        seats = (gus, SeatResult("ordered", ABSENT, 3, 0))
        return GameResult("g", "b", 1, "nobody-left", 1, None, seats)

    missed = MissedSignUps(plan, map(result, [ABSENT, ABSENT, THERE, ABSENT, ABSENT]))
    assert not missed.skipped
    assert missed.count(result(ABSENT, "an older one")) == []
    assert missed.count(result(ABSENT)) == ["gus"]
    assert missed.count(result(ABSENT)) == []
    assert missed.skipped == ["gus"], "ordered is built in"
