"""A tournament goes on where its store stands, by the same plan; what is void too often is left."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from admin.tournament.planning.plan_file import read_plan
from admin.tournament.planning.schedule import Game
from admin.tournament.playing.built_in import GameSettings
from admin.tournament.playing.observer import Observer, Progress
from admin.tournament.playing.tournament_run import MAX_VOIDS, FailedGame, TournamentRun
from admin.tournament.results.result import GameResult, SeatResult
from admin.tournament.results.store import FinishedGame, Store, StoreError, VoidGame
from admin.tournament.results.verdict import PlayerVerdict

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
Change = Callable[[str], str]


class Ears(Observer):
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.began_games: list[str] = []
        self.over: list[tuple[str, Progress]] = []
        self.voids: list[tuple[VoidGame, bool]] = []
        self.away: list[tuple[str, str, str]] = []

    def game_began(self, game: Game) -> None:
        self.began_games.append(game.id)

    def game_over(self, result: GameResult, progress: Progress) -> None:
        self.over.append((result.game, progress))

    def game_void(self, void: VoidGame, again: bool) -> None:
        self.voids.append((void, again))

    def turned_away(self, address: str, name: str, why: str) -> None:
        self.away.append((address, name, why))


class Desk:
    """A folder with a plan and a store, at which campaigns come and go."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "cup.toml"
        self.path = folder / "cup.sqlite"
        self.ears = Ears()

    def tournament(self, store: Store, text: str = PLAN) -> TournamentRun:
        self.file.write_text(text)
        return TournamentRun(read_plan(self.file), store, self.ears)

    def open(self) -> Store:
        return Store.open_to_write(self.path)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def over(game: Game, *, backwards: bool = False) -> FinishedGame:
    """Return a game in which they come in by name."""
    order = sorted(game.players, reverse=backwards)
    ranks = {name: rank for rank, name in enumerate(order, 1)}
    seats = tuple(
        SeatResult(name, PlayerVerdict.FINISHED, ranks[name], 1000 * rank)
        for rank, name in enumerate(game.players)
    )
    return FinishedGame(
        GameResult(game.id, game.block, game.seed, "large-hotel", 40, None, seats), b"log"
    )


def play(tournament: TournamentRun, most: int = 10_000) -> list[Game]:
    """Play all games, or the first, and return them."""
    played: list[Game] = []
    for games in tournament.stages():
        for game in games:
            if len(played) == most:
                return played
            tournament.finish([over(game)])
            played.append(game)
    return played


# -- changed plans ------------------------------------------------------------------------------


def without(text: str, *lines: str) -> str:
    for line in lines:
        assert f"{line}\n" in text
        text = text.replace(f"{line}\n", "")
    return text


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
    "duplicate": (("seed = 11", "seed = 11\nduplicate = false"), ["tournament.duplicate"]),
    "points": (("[3, 1, 0]", "[3, 2, 0]"), ["tournament.points[2]"]),
    "seed": (("seed = 11", "seed = 12"), ["tournament.seed"]),
    "format": (
        ("seed = 11", 'seed = 11\nformat = "gauntlet"\nchallenger = "dot"'),
        ["tournament.challenger", "tournament.format"],
    ),
    "clock": (("reply = 2.0", "reply = 1.0"), ["clocks.reply"]),
    "limit": (("[lobby]", '[limits]\nmemory = "2 GiB"\n[lobby]'), ["limits.memory"]),
    "argument": (('"bea.py"', '"new.py"'), ["players[2].command[2]"]),
    "environment": (('"3"', '"4"'), ["players[2].environment.LEVEL"]),
    "name": (('"cid"', '"cyd"'), ["players[3].name"]),
    "strategy": (('"ordered"', '"investor"'), ["players[4].strategy"]),
    "way to play": (
        ('remote = { secret = "a-long-secret" }', 'strategy = "random"'),
        ["players[3].remote", "players[3].strategy"],
    ),
    "players": (
        (
            '[[players]]\nname = "dot"',
            '[[players]]\nname = "eve"\nstrategy = "random"\n[[players]]\nname = "dot"',
        ),
        ["players"],
    ),
}


@pytest.mark.parametrize(("change", "places"), CHANGES.values(), ids=CHANGES.keys())
def test_changed_plan_is_refused_with_the_names_of_what_changed(
    desk: Desk, change: tuple[str, str], places: list[str]
) -> None:
    old, new = change
    assert PLAN.count(old) == 1
    with desk.open() as store:
        play(desk.tournament(store), 1)
        with pytest.raises(StoreError) as refused:
            desk.tournament(store, PLAN.replace(old, new))
        assert str(refused.value) == (
            f"{desk.path} holds games that were played with other settings: {', '.join(places)} "
            "changed since. Change it back, or begin anew with --fresh or another --store."
        )
        assert len(play(desk.tournament(store))) == 23  # the refusal has done no harm


SAME: dict[str, tuple[str, str]] = {
    "name of the tournament": ('name = "Cup"', 'name = "Bowl"'),
    "workers": ("seed = 11", "seed = 11\nworkers = 7"),
    "port": ("port = 5555", "port = 6666\nwait = 3.0"),
    "secret": ("a-long-secret", "another-secret"),
    "no seed": ("seed = 11\n", ""),
    "whole number": ("reply = 2.0", "reply = 2"),
}


@pytest.mark.parametrize(("old", "new"), SAME.values(), ids=SAME.keys())
def test_what_no_result_hangs_on_may_change(desk: Desk, old: str, new: str) -> None:
    assert PLAN.count(old) == 1
    with desk.open() as store:
        before = play(desk.tournament(store), 5)
        after = play(desk.tournament(store, PLAN.replace(old, new)))
    desk.path = desk.path.with_name("whole.sqlite")
    with desk.open() as store:
        assert before + after == play(desk.tournament(store))


def test_seed_that_was_chosen_is_kept(desk: Desk) -> None:
    text = without(PLAN, "seed = 11")
    with desk.open() as store:
        before = play(desk.tournament(store, text), 5)
        seed = store.about("seed")
        after = play(desk.tournament(store, text))
        assert store.about("seed") == seed
    assert len({game.id for game in before + after}) == 24
    blocks: dict[str, set[int]] = {}
    for game in before + after:
        blocks.setdefault(game.block, set()).add(game.seed)
    assert all(len(seeds) == 1 for seeds in blocks.values())


def test_seeds_that_are_chosen_are_others_each_time(desk: Desk) -> None:
    seeds = set()
    for number in range(3):
        desk.path = desk.path.with_name(f"{number}.sqlite")
        with desk.open() as store:
            desk.tournament(store, without(PLAN, "seed = 11"))
            seeds.add(store.about("seed"))
    assert len(seeds) == 3


# -- going on -----------------------------------------------------------------------------------


def test_games_that_are_over_are_not_played_again(desk: Desk) -> None:
    with desk.open() as store:
        first = play(desk.tournament(store), 7)
    with desk.open() as store:
        tournament = desk.tournament(store)
        assert tournament.progress == Progress(7, 24)
        second = play(tournament)
        assert tournament.progress == Progress(24, 24)
        assert play(tournament) == [] == play(desk.tournament(store))
        assert [result.game for result in tournament.results()] == [g.id for g in first + second]
    assert len({game.id for game in first + second}) == 24
    assert [progress.games for _, progress in desk.ears.over] == [*range(1, 25)]


def test_more_deals_go_on_after_the_games_of_fewer(desk: Desk) -> None:
    with desk.open() as store:
        before = play(desk.tournament(store))
        more = desk.tournament(store, PLAN.replace("deals = 2", "deals = 5"))
        assert more.progress == Progress(24, 60)
        after = play(more)
    assert {game.id[:2] for game in before} == {"d1", "d2"}
    assert Counter(game.id[:2] for game in after) == {"d3": 12, "d4": 12, "d5": 12}


def test_game_is_counted_once_and_told_once(desk: Desk) -> None:
    with desk.open() as store:
        tournament = desk.tournament(store)
        (games,) = tournament.stages()
        tournament.begin(games[0])
        tournament.finish([over(games[0]), over(games[1])])
        tournament.turned_away("127.0.0.1:9", "eve", "nobody knows her")
    assert desk.ears.began_games == [games[0].id]
    assert [game for game, _ in desk.ears.over] == [games[0].id, games[1].id]
    assert desk.ears.away == [("127.0.0.1:9", "eve", "nobody knows her")]


def test_rules_name_house_players_alone(desk: Desk) -> None:
    with desk.open() as store:
        assert desk.tournament(store).rules == GameSettings(
            "revised", False, True, (("ann", "random"), ("dot", "ordered"))
        )


def test_reader_of_the_store_is_told_of_the_plan_as_it_is_now(desk: Desk) -> None:
    with desk.open() as store:
        desk.tournament(store)
        first = store.about("shown")
        desk.tournament(store, PLAN.replace("deals = 2", "deals = 3").replace("Cup", "Bowl"))
        second = store.about("shown")
    assert first is not None and second is not None
    assert '"total": 24' in first and '"name": "Cup"' in first
    assert '"total": 36' in second and '"name": "Bowl"' in second
    assert not re.search("secret|5555", first + second)


# -- voids --------------------------------------------------------------------------------------


def voided(game: Game, number: int) -> FailedGame:
    return FailedGame(game, "the host", f"trace {number}", f"log {number}".encode())


def test_void_game_is_replayed_so_many_times_and_then_given_up(desk: Desk) -> None:
    with desk.open() as store:
        tournament = desk.tournament(store)
        (games,) = tournament.stages()
        again = [tournament.void(voided(games[0], number)) for number in range(MAX_VOIDS)]
        assert again == [True] * (MAX_VOIDS - 1) + [False]
        assert tournament.given_up == [games[0].id]
        assert tournament.progress == Progress(0, 24)
        assert store.voids() == [
            VoidGame(games[0].id, number + 1, "the host", f"trace {number}")
            for number in range(MAX_VOIDS)
        ]
        assert [log for _, log in store.void_logs()] == [
            f"log {number}".encode() for number in range(MAX_VOIDS)
        ]
    assert [told for _, told in desk.ears.voids] == again
    assert MAX_VOIDS == 5


def test_each_game_has_attempts_of_its_own(desk: Desk) -> None:
    with desk.open() as store:
        tournament = desk.tournament(store)
        (games,) = tournament.stages()
        for number in range(MAX_VOIDS - 1):
            assert all(tournament.void(voided(game, number)) for game in games[:3])
        assert tournament.given_up == []


def test_next_run_tries_again_and_counts_on(desk: Desk) -> None:
    with desk.open() as store:
        tournament = desk.tournament(store)
        (games,) = tournament.stages()
        for number in range(3):
            assert tournament.void(voided(games[0], number))
    with desk.open() as store:
        tournament = desk.tournament(store)
        assert [tournament.void(voided(games[0], number)) for number in (3, 4)] == [True, False]
    with desk.open() as store:
        tournament = desk.tournament(store)
        assert tournament.given_up == []
        (left,) = tournament.stages()
        assert games[0] in left
        assert [tournament.void(voided(games[0], number)) for number in range(5, 10)] == (
            [True] * 4 + [False]
        )
        assert [void.attempt for void in store.voids()] == [*range(1, 11)]


def test_void_game_counts_once_it_was_played(desk: Desk) -> None:
    with desk.open() as store:
        tournament = desk.tournament(store)
        (games,) = tournament.stages()
        assert tournament.void(voided(games[0], 1))
        tournament.finish([over(games[0])])
        assert tournament.progress.games == 1 and store.finished() == {games[0].id}
        (left,) = tournament.stages()
        assert games[0] not in left


# -- Swiss --------------------------------------------------------------------------------------


def ids(games: Iterable[Game]) -> set[str]:
    return {game.id.partition("-")[0] for game in games}


def test_swiss_has_a_stage_for_every_round(desk: Desk) -> None:
    with desk.open() as store:
        tournament = desk.tournament(store, SWISS)
        rounds = []
        for games in tournament.stages():
            tournament.finish([over(game) for game in games])
            rounds.append(ids(games))
            assert len(games) == 6
        assert rounds == [{"r1"}, {"r2"}, {"r3"}]
        assert tournament.progress == Progress(18, 18)


@pytest.mark.parametrize("stop", [0, 1, 6, 7, 11, 17])
def test_swiss_that_was_stopped_goes_on_to_the_same_games(desk: Desk, stop: int) -> None:
    with desk.open() as store:
        whole = play(desk.tournament(store, SWISS))
    desk.path = desk.path.with_name("stopped.sqlite")
    with desk.open() as store:
        before = play(desk.tournament(store, SWISS), stop)
    with desk.open() as store:
        after = play(desk.tournament(store, SWISS))
    assert before + after == whole


def test_more_rounds_of_a_swiss_go_on_after_fewer(desk: Desk) -> None:
    with desk.open() as store:
        play(desk.tournament(store, SWISS))
        more = desk.tournament(store, SWISS.replace("rounds = 3", "rounds = 5"))
        assert ids(play(more)) == {"r4", "r5"}


def test_round_is_not_begun_while_a_game_of_the_one_before_is_given_up(desk: Desk) -> None:
    with desk.open() as store:
        tournament = desk.tournament(store, SWISS)
        stages = tournament.stages()
        first, *others = next(stages)
        tournament.finish([over(game) for game in others])
        for number in range(MAX_VOIDS):
            tournament.void(voided(first, number))
        assert [*stages] == []
    with desk.open() as store:  # the next run has it played first
        tournament = desk.tournament(store, SWISS)
        assert next(tournament.stages()) == [first]
        assert len(play(tournament)) == 13


# -- what went wrong once ------------------------------------------------------------------------


def test_more_deals_of_a_swiss_are_refused_for_its_rounds_hang_on_those_before(desk: Desk) -> None:
    with desk.open() as store:
        play(desk.tournament(store, SWISS))
        with pytest.raises(StoreError, match=r"tournament\.deals changed"):
            desk.tournament(store, SWISS.replace("deals = 2", "deals = 3"))


def test_fewer_deals_or_rounds_than_were_played_are_refused(desk: Desk) -> None:
    with desk.open() as store:
        play(desk.tournament(store))
        with pytest.raises(StoreError, match=r"games of 2 deals; tournament\.deals is 1"):
            desk.tournament(store, PLAN.replace("deals = 2", "deals = 1"))
