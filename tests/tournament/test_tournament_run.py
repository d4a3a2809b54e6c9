"""A run resumes where the store ends, with the same plan; games void too often are given up."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from tournament_process import Workspace, finish, finished

from acquire.admin.tournament.games.entries import MAX_VOIDS
from acquire.admin.tournament.games.result import FailedGame
from acquire.admin.tournament.planning.schedule import Game
from acquire.admin.tournament.reporting.report_content import content_of
from acquire.admin.tournament.run.game_recorder import GameSettings
from acquire.admin.tournament.run.run_events import GameFinished, GameStarted, GameVoided, Progress
from acquire.admin.tournament.run.tournament_run import TournamentRun
from acquire.admin.tournament.store.store import Store
from acquire.admin.tournament.store.store_reader import StoreError
from acquire.game.rulebooks import REVISED
from acquire.protocol.rulebook_file import to_json

PLAN = """
[tournament]
name = "Cup"
seats = 3
seatings = "rotations"
deals = 2
seed = 11
points = [3, 1, 0]
[clocks]
reply = 2.0
[lobby]
port = 5555
[[players]]
name = "ann"
strategy = "random"
[[players]]
name = "bea"
command = ["python3", "bea.py", "{host}"]
environment = { LEVEL = "3" }
[[players]]
name = "cid"
remote = { secret = "a-long-secret" }
[[players]]
name = "dot"
strategy = "ordered"
"""
SWISS = PLAN.replace("seed = 11", 'seed = 11\nformat = "swiss"\nrounds = 3')
LADDER = PLAN.replace("seed = 11", 'seed = 11\nformat = "ladder"')
Change = Callable[[str], str]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


# -- changed plans ------------------------------------------------------------------------------

CHANGES: dict[str, tuple[tuple[str, str], list[str]]] = {
    "rulebook": (("seats = 3", 'seats = 3\nrulebook = "classic"'), ["tournament.rulebook"]),
    "seats": (
        (
            'seats = 3\nseatings = "rotations"\ndeals = 2\nseed = 11\npoints = [3, 1, 0]',
            'seats = 4\nseatings = "rotations"\ndeals = 2\nseed = 11\npoints = [3, 1, 1, 0]',
        ),
        ["tournament.points", "tournament.seats"],
    ),
    "seatings": (('seatings = "rotations"', 'seatings = "all"'), ["tournament.seatings"]),
    "duplicate": (("seed = 11", "seed = 11\nduplicate = true"), ["tournament.duplicate"]),
    "points": (("[3, 1, 0]", "[3, 2, 0]"), ["tournament.points[2]"]),
    "seed": (("seed = 11", "seed = 12"), ["tournament.seed"]),
    "format": (
        ("seed = 11", 'seed = 11\nformat = "gauntlet"\nchallenger = "dot"'),
        ["tournament.challenger", "tournament.format"],
    ),
    "clock": (("reply = 2.0", "reply = 1.0"), ["clocks.reply"]),
    "limit": (("[lobby]", '[limits]\nmemory = "2 GiB"\n[lobby]'), ["limits.memory"]),
}


def test_changed_plan_is_refused_with_the_changed_settings(workspace: Workspace) -> None:
    workspace.play(PLAN, 1)
    for (old, new), places in CHANGES.values():
        assert PLAN.count(old) == 1
        with pytest.raises(StoreError) as refused:
            workspace.play(PLAN.replace(old, new))
        assert str(refused.value) == (
            f"{workspace.path} has games that were played with other settings; changed since: "
            f"{', '.join(places)}. Change the file back, or start over with --fresh or another "
            "--store."
        )
    assert len(workspace.play(PLAN)) == 23, "the refusals have changed nothing"


SAME: dict[str, tuple[str, str]] = {
    "name of the tournament": ('name = "Cup"', 'name = "Bowl"'),
    "workers": ("seed = 11", "seed = 11\nworkers = 7"),
    "port": ("port = 5555", "port = 6666\nwait = 3.0"),
    "secret": ("a-long-secret", "another-secret"),
    "no seed": ("seed = 11\n", ""),
    "whole number": ("reply = 2.0", "reply = 2"),
}


def test_settings_that_results_do_not_depend_on_may_change(workspace: Workspace) -> None:
    games = workspace.play(PLAN, 5)
    for old, new in SAME.values():
        assert PLAN.count(old) == 1
        games += workspace.play(PLAN.replace(old, new), 2)
    games += workspace.play(PLAN)
    workspace.path = workspace.path.with_name("whole.sqlite")
    assert games == workspace.play(PLAN)


def test_random_seed_is_kept_and_another_one_in_another_store(workspace: Workspace) -> None:
    text, seeds = PLAN.replace("seed = 11\n", ""), set()
    for number in range(3):
        workspace.path = workspace.path.with_name(f"{number}.sqlite")
        with Store.open_to_write(workspace.path) as store:
            games = finish(workspace.run(store, text), 5)
            seed = store.about("seed")
            games += finish(workspace.run(store, text))
            assert store.about("seed") == seed
        seeds.add(seed)
        for kind, count in (("id", 24), ("block", 8), ("seed", 24)):
            assert len({getattr(game, kind) for game in games}) == count
    assert len(seeds) == 3


# -- resuming -----------------------------------------------------------------------------------


def test_finished_games_are_not_played_again(workspace: Workspace) -> None:
    first = workspace.play(PLAN, 7)
    with Store.open_to_write(workspace.path) as store:
        tournament = workspace.run(store, PLAN)
        assert tournament.progress == Progress(7, 24)
        second = finish(tournament)
        assert tournament.progress == Progress(24, 24)
        assert finish(tournament) == [] == finish(workspace.run(store, PLAN))
        assert [result.game for result in tournament.results()] == [g.id for g in first + second]
    assert len({game.id for game in first + second}) == 24
    assert [each.progress.games for each in workspace.observer.of(GameFinished)] == [*range(1, 25)]


def test_more_deals_add_games_after_those_of_fewer(workspace: Workspace) -> None:
    before = workspace.play(PLAN)
    with workspace.running(PLAN.replace("deals = 2", "deals = 5")) as more:
        assert more.progress == Progress(24, 60)
        after = finish(more)
    assert {game.id[:2] for game in before} == {"d1", "d2"}
    assert Counter(game.id[:2] for game in after) == {"d3": 12, "d4": 12, "d5": 12}


def test_every_event_is_reported_once(workspace: Workspace) -> None:
    with workspace.running(PLAN) as tournament:
        (games,) = tournament.stages()
        tournament.start(games[0])
        tournament.finish([finished(games[0]), finished(games[1])])
    assert [each.game.id for each in workspace.observer.of(GameStarted)] == [games[0].id]
    assert [each.game for each in workspace.observer.results] == [games[0].id, games[1].id]


def test_settings_name_built_in_players_only(workspace: Workspace) -> None:
    with workspace.running(PLAN) as run:
        built_in = {"ann": "random", "dot": "ordered"}
        folder, versions = str(run.plan.folder), {"bea": run.plan.entrant("bea").version}
        known = GameSettings(to_json(REVISED), False, built_in, folder, versions)
        assert run.settings == known


def test_store_has_the_facts_of_the_plan_as_it_is_now(workspace: Workspace) -> None:
    with Store.open_to_write(workspace.path) as store:
        workspace.run(store, PLAN)
        first = store.about("shown")
        workspace.run(store, PLAN.replace("deals = 2", "deals = 3").replace("Cup", "Bowl"))
        second = store.about("shown")
    assert first is not None and second is not None
    assert '"total": 24' in first and '"name": "Cup"' in first
    assert '"total": 36' in second and '"name": "Bowl"' in second
    assert not re.search("secret|5555", first + second)


# -- void games ---------------------------------------------------------------------------------


def failed(game: Game, number: int) -> FailedGame:
    return FailedGame(game.id, "the host", f"trace {number}", f"log {number}".encode())


def test_game_that_is_void_five_times_is_given_up(workspace: Workspace) -> None:
    with Store.open_to_write(workspace.path) as store:
        tournament = workspace.run(store, PLAN)
        (games,) = tournament.stages()
        again = [tournament.void(failed(games[0], number)) for number in range(MAX_VOIDS)]
        assert again == [True] * (MAX_VOIDS - 1) + [False]
        assert tournament.given_up == [games[0].id]
        assert tournament.progress == Progress(0, 24)
        assert store.voids() == [
            FailedGame(games[0].id, "the host", f"trace {number}", attempt=number + 1)
            for number in range(MAX_VOIDS)
        ]
        assert [log for _, log in store.void_logs()] == [
            f"log {number}".encode() for number in range(MAX_VOIDS)
        ]
    assert [each.again for each in workspace.observer.of(GameVoided)] == again
    assert MAX_VOIDS == 5


def test_next_run_retries_a_game_that_was_given_up(workspace: Workspace) -> None:
    with workspace.running(PLAN) as tournament:
        (games,) = tournament.stages()
        for number in range(3):
            assert tournament.void(failed(games[0], number))
            assert tournament.void(failed(games[1], number)), "each game has its own attempts"
    with workspace.running(PLAN) as tournament:
        assert [tournament.void(failed(games[0], number)) for number in (3, 4)] == [True, False]
    with Store.open_to_write(workspace.path) as store:
        tournament = workspace.run(store, PLAN)
        (left,) = tournament.stages()
        assert games[0] in left
        assert [tournament.void(failed(games[0], number)) for number in range(5, 10)] == (
            [True] * 4 + [False]
        )
        attempts = [void.attempt for void in store.voids() if void.game == games[0].id]
        assert attempts == [*range(1, 11)]


def test_void_game_counts_when_it_is_played_again(workspace: Workspace) -> None:
    with Store.open_to_write(workspace.path) as store:
        tournament = workspace.run(store, PLAN)
        (games,) = tournament.stages()
        assert tournament.void(failed(games[0], 1))
        tournament.finish([finished(games[0])])
        assert tournament.progress.games == 1 and store.finished() == {games[0].id}
        (left,) = tournament.stages()
        assert games[0] not in left


# -- Swiss --------------------------------------------------------------------------------------


def rounds_of(games: Iterable[Game]) -> set[str]:
    return {game.id.partition("-")[0] for game in games}


def test_swiss_has_a_stage_for_every_round(workspace: Workspace) -> None:
    with workspace.running(SWISS) as tournament:
        rounds = []
        for games in tournament.stages():
            tournament.finish([finished(game) for game in games])
            rounds.append(rounds_of(games))
            assert len(games) == 6
        assert rounds == [{"r1"}, {"r2"}, {"r3"}]
        assert tournament.progress == Progress(18, 18)


def test_stopped_swiss_resumes_to_the_same_games(workspace: Workspace) -> None:
    whole = workspace.play(SWISS)
    for stop in (0, 1, 6, 7, 11, 17):
        workspace.path = workspace.path.with_name(f"stopped-{stop}.sqlite")
        assert workspace.play(SWISS, stop) + workspace.play(SWISS) == whole


def test_more_rounds_of_a_swiss_add_games_after_those_of_fewer(workspace: Workspace) -> None:
    workspace.play(SWISS)
    assert rounds_of(workspace.play(SWISS.replace("rounds = 3", "rounds = 5"))) == {"r4", "r5"}


def give_up(tournament: TournamentRun, *games: Game) -> None:
    for game in games:
        for number in range(MAX_VOIDS):
            tournament.void(failed(game, number))


def test_rounds_go_on_without_a_game_that_is_given_up(workspace: Workspace) -> None:
    """Once a later round has begun, no run plays it any more."""
    with workspace.running(SWISS) as tournament:
        stages = tournament.stages()
        first, *others = next(stages)
        tournament.finish([finished(game) for game in others])
        give_up(tournament, first)
        second = next(stages)
        assert rounds_of(second) == {"r2"}
        tournament.finish([finished(game) for game in second[:2]])
    with workspace.running(SWISS) as tournament:  # which pairs the round in the same way
        assert {game.id for game in next(tournament.stages())} == {game.id for game in second[2:]}
        assert len(finish(tournament)) == 4 + 6
        assert tournament.given_up == [first.id]
        assert tournament.progress == Progress(17, 18)


def test_game_that_is_given_up_is_tried_again_before_a_later_round_begins(
    workspace: Workspace,
) -> None:
    with workspace.running(SWISS) as tournament:
        first, *others = next(tournament.stages())
        tournament.finish([finished(game) for game in others])
        give_up(tournament, first)
    with workspace.running(SWISS) as tournament:
        assert next(tournament.stages()) == [first]
        assert len(finish(tournament)) == 13
        assert tournament.given_up == []


@pytest.mark.parametrize(
    "form", [SWISS, SWISS.replace("swiss", "ladder").replace("rounds = 3", "")]
)
def test_rounds_end_when_no_game_of_one_can_be_played(workspace: Workspace, form: str) -> None:
    """Whatever is wrong, it is wrong with the machine, and the next run begins there."""
    with workspace.running(form) as tournament:
        stages = tournament.stages()
        games = next(stages)
        give_up(tournament, *games)
        assert [*stages] == []
    with workspace.running(form) as tournament:
        assert next(tournament.stages()) == games


def test_ladder_ends_although_a_game_is_given_up(workspace: Workspace) -> None:
    with Store.open_to_write(workspace.path) as store:
        tournament = workspace.run(store, LADDER)
        lost = None
        for games in tournament.stages():
            first, *others = games
            tournament.finish([finished(game) for game in others])
            if lost is None:
                lost = first
                give_up(tournament, lost)
            else:
                tournament.finish([finished(first)])
        assert lost is not None and tournament.given_up == [lost.id]
        assert tournament.progress.games == tournament.progress.total
        assert content_of(store).given_up == [lost.id]
    assert workspace.play(LADDER) == [], "nothing is left to play"


# -- bugs of the past ----------------------------------------------------------------------------


def test_more_deals_of_a_swiss_are_refused_because_rounds_depend_on_them(
    workspace: Workspace,
) -> None:
    workspace.play(SWISS)
    with pytest.raises(StoreError, match=r"changed since: tournament\.deals\."):
        workspace.play(SWISS.replace("deals = 2", "deals = 3"))


def test_fewer_deals_or_rounds_than_were_played_are_refused(workspace: Workspace) -> None:
    workspace.play(PLAN)
    with pytest.raises(StoreError, match=r"games of 2 deals, but tournament\.deals is now 1"):
        workspace.play(PLAN.replace("deals = 2", "deals = 1"))
