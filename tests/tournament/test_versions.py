"""Players come, go, and hand in new versions: only the games concerned are played again."""

import random
import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from itertools import combinations, islice
from math import comb
from pathlib import Path

import pytest
from command_line import said, succeed
from forging import write_whole_report
from loops import in_soak
from lxml import html
from tournament_process import QUICK, Workspace, built_in_toml, finished

from acquire.admin.refereeing.table.server_events import to_each
from acquire.admin.tournament.auditing.audit import audit_report, audit_store
from acquire.admin.tournament.auditing.report_folder import ReportFolder
from acquire.admin.tournament.games import entries
from acquire.admin.tournament.games.entries import Changes
from acquire.admin.tournament.games.result import GameResult, PlayerVerdict, SeatResult
from acquire.admin.tournament.planning.game_seeds import GameSeed, Seeds, check_seed, stored_series
from acquire.admin.tournament.planning.plan_file import read_plan
from acquire.admin.tournament.planning.schedule import Game
from acquire.admin.tournament.reporting.report_content import content_of
from acquire.admin.tournament.run.executors import play_all, process_pool
from acquire.admin.tournament.run.run_events import Progress
from acquire.admin.tournament.run.tournament_run import TournamentRun
from acquire.admin.tournament.standings.summarize import summarize, version_history
from acquire.admin.tournament.store.secret_file import read_secret
from acquire.admin.tournament.store.store import Store
from acquire.admin.tournament.store.store_reader import StoreError

Players = Mapping[str, str]
"""The source of every player's program, by name."""
FIVE = {name: name for name in ("ada", "bob", "cyd", "dee", "eve")}
FOUR = {name: name for name in FIVE if name != "ada"}


def with_player(games: list[Game], name: str) -> list[Game]:
    return [game for game in games if name in game.players]


class Course:
    """A tournament of submissions, at tables of three, with a deal for each; games are made up."""

    def __init__(self, folder: Path, **settings: object) -> None:
        self.folder = folder
        self.workspace = Workspace(folder)
        self.store = self.workspace.path
        self.settings = {"seats": 3, "seatings": '"rotations"', **settings}

    def plan(self, players: Players, **settings: object) -> str:
        """Have these players' programs in the folder, and return the text of the plan."""
        for path in [*(self.folder / "in").glob("*")]:
            if path.name not in players:
                shutil.rmtree(path)
        for name, source in players.items():
            (self.folder / "in" / name).mkdir(parents=True, exist_ok=True)
            (self.folder / "in" / name / "player.py").write_text(source)
        lines = [f"{key} = {value}" for key, value in {**self.settings, **settings}.items()]
        return "\n".join(["[tournament]", 'submissions = "in/*"', *lines])

    def run(self, store: Store, players: Players) -> TournamentRun:
        return self.workspace.run(store, self.plan(players))

    def play(self, players: Players, limit: int = 10_000, **settings: object) -> list[Game]:
        """Play the games that are left, or the first ones; check what is stored."""
        played = self.workspace.play(self.plan(players, **settings), limit)
        assert {seat.player for result in self.counting() for seat in result.seats} <= {*players}
        return played

    def counting(self) -> list[GameResult]:
        with Store.open_to_read(self.store) as store:
            return [result for _, result in store.results()]

    def archived(self) -> list[GameResult]:
        with Store.open_to_read(self.store) as store:
            content = content_of(store)
        return [result for result in content.games if result not in content.results]


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return Course(tmp_path)


GAMES = comb(5, 3) * 3
WITH_ONE = comb(4, 2) * 3
"""The games of five players at tables of three, and those of one of them."""


def test_new_version_replays_the_games_of_its_player_only(course: Course) -> None:
    first = course.play(FIVE)
    assert len(first) == GAMES
    kept = {game.id for game in first if "bob" not in game.players}
    again = course.play({**FIVE, "bob": "better"})
    assert len(again) == len(with_player(again, "bob")) == WITH_ONE
    counting = course.counting()
    assert {result.game for result in counting} == kept | {game.id for game in again}
    assert not {game.id for game in first} & {game.id for game in again}
    assert len(course.archived()) == WITH_ONE
    assert len({seat.version for result in counting for seat in result.seats}) == 5
    assert course.play({**FIVE, "bob": "better"}) == []


def test_history_has_every_version_with_all_its_games(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    course.play(FIVE)
    course.play({**FIVE, "bob": "better"}, 7)
    with Store.open_to_read(course.store) as store:
        everything = [result for _, result in store.all_results()]
        history = version_history(store.entries(), everything, (2.0, 1.0, 0.0))
    first, second = history["bob"]
    assert (first.games, second.games) == (WITH_ONE, 7)
    assert first.entry.version != second.entry.version and second.entry.last is None
    met = [sum(name < "bob" for name in three) for three in combinations(FIVE, 3) if "bob" in three]
    assert first.points == pytest.approx(2 - sum(met) / len(met))
    assert [len(rows) for rows in history.values()] == [1, 2, 1, 1, 1]
    assert sum(rows[0].games for rows in history.values()) == GAMES * 3 + 7 * 2

    with Store.open_to_read(course.store) as store:
        write_whole_report(store, course.folder / "report")
    written = [*(course.folder / "report" / "outputs").iterdir()]
    assert len(written) == len(everything)  # the audit needs those of archived games too

    show = ("tournament", "show", course.workspace.file)
    monkeypatch.setenv("COLUMNS", "120")
    shown = succeed(*show, "--player", "bob")
    lines = [line.split() for line in shown.stdout.splitlines()]
    assert [first.entry.version, "18", f"{first.points:.2f}"] in [line[:3] for line in lines]
    assert [second.entry.version, "7"] in [line[:2] for line in lines]
    assert "Archived: 18 games of earlier versions and of withdrawn players." in said(*show)
    archived = next(result.game for result in course.archived())
    succeed(*show, "--game", archived)


def test_version_that_lost_games_was_last_in_them() -> None:
    three = (entries.Participant(name, "command", "1") for name in ("ada", "bob", "cyd"))
    ends = [("ada", PlayerVerdict.FINISHED, 1), ("bob", PlayerVerdict.CRASHED, 3)]
    seats = [SeatResult(*end, 0) for end in [*ends, ("cyd", PlayerVerdict.CRASHED, 3)]]
    result = GameResult("d1-t1-s1", "d1-t1", 1, "nobody-left", 4, None, tuple(seats))
    history = version_history(entries.Entries.of(three), [result], (2.0, 1.0, 0.0))
    found = [(row.points, row.place, row.lost) for (row,) in history.values()]
    assert found == [(2.0, 1.0, 0), (0.0, 3.0, 1), (0.0, 3.0, 1)]


def test_every_kind_of_change_is_named(course: Course) -> None:
    course.play(FIVE, 7)
    with Store.open_to_write(course.store) as store:
        run = course.run(store, {"ada": "ada", "bob": "better", "fay": "fay", "eve": "eve"})
        assert run.changes == Changes(("fay",), ("bob",), ("cyd", "dee"))
        assert run.progress == Progress(len(course.counting()), comb(4, 3) * 3)
        assert run.archived + run.progress.games == 7
        run = course.run(store, {"ada": "ada", "bob": "better", "fay": "fay", "eve": "eve"})
        assert (run.changes, run.archived) == (Changes(), 0)


def test_new_player_adds_its_games_and_those_of_a_withdrawn_one_do_not_count(
    course: Course,
) -> None:
    first = course.play(FIVE)
    more = course.play({**FIVE, "fay": "fay"})
    assert len(more) == len(with_player(more, "fay")) == comb(5, 2) * 3
    assert len(course.counting()) == len(first) + len(more)
    assert course.play(FOUR) == []
    counting = {result.game for result in course.counting()}
    assert counting == {game.id for game in first if "ada" not in game.players}


def test_player_that_returns_before_the_reveal_keeps_its_games(course: Course) -> None:
    """A folder may have been away by mistake, or a new version was no good."""
    first = course.play(FIVE, 20)
    second = course.play(FOUR, 3)
    assert not with_player(second, "ada")
    worse = course.play({**FIVE, "bob": "worse"}, 5)
    rest = course.play(FIVE)
    again = len(with_player(worse, "bob"))
    assert len(first + second + worse + rest) - again == len(course.counting()) == GAMES


def test_player_that_returns_after_the_reveal_is_dealt_other_bags(course: Course) -> None:
    """Else it would play with bags that everybody knows."""
    games = course.play(FIVE)
    games += course.play({**FIVE, "bob": "better"})
    games += course.play({**FIVE, "bob": "better", "ada": "better"}, 4)
    games += course.play({**FIVE, "ada": "better"})  # the first version of bob again
    assert_bags_were_secret(course, games)
    assert len(course.counting()) == GAMES


def assert_bags_were_secret(course: Course, games: list[Game]) -> None:
    """No game has the bag of another, and each follows from the secret that was committed to."""
    assert len({game.seed for game in games}) == len(games)
    with Store.open_to_read(course.store) as store:
        series, secret = stored_series(store), read_secret(store)
    known = [each._replace(secret=secret.deals(each.number).hex()) for each in series]
    for game in games:
        found = GameSeed(game.seed, game.commitment)
        check = check_seed(found, game.id, game.block, Seeds(0, False, known))
        assert check is True


@pytest.mark.parametrize("seed", [0, *in_soak(*range(1, 12))])
def test_whole_semester(course: Course, seed: int) -> None:
    """Whatever comes and goes: at the end all games among the players of the day count."""
    chance = random.Random(seed)
    players = {"ada": "1", "bob": "1", "cyd": "1"}
    games: list[Game] = []
    revealed: set[str] = set()
    for week in range(12):
        name = chance.choice(["ada", "bob", "cyd", "dee", "eve", "fay"])
        players = {**players, name: chance.choice("123")}
        if len(players) > 3 and chance.random() < 0.3:
            del players[chance.choice(sorted(players))]
        limit = chance.choice([0, 3, 10_000, 10_000])
        for game in course.play(players, limit, deals=1 + week // 6):
            assert game.commitment not in revealed, "nobody could have known the bag"
            games.append(game)
        with Store.open_to_read(course.store) as store:
            revealed |= {each.commitment for each in stored_series(store) if each.secret}
    course.play(players, deals=2)
    met = Counter(frozenset(seat.player for seat in result.seats) for result in course.counting())
    assert met == {frozenset(table): 6 for table in combinations(players, 3)}
    assert len({game.id for game in games}) == len(games)


def test_table_numbers_are_unique_and_decode() -> None:
    tables = {entries.table_number(three): three for three in combinations(range(1, 9), 3)}
    assert sorted(tables) == [*range(1, comb(8, 3) + 1)]
    for number, three in tables.items():
        assert [*entries.members_of(number, 3)] == sorted(three, reverse=True)


def test_swiss_tournament_keeps_its_players(tmp_path: Path) -> None:
    course = Course(tmp_path, format='"swiss"', rounds=3)
    course.play(FIVE, 4)
    with pytest.raises(StoreError, match=r"changed since: fay, bob\. .* format = \"ladder\""):
        course.play({**FIVE, "bob": "better", "fay": "1"})
    assert len(course.play(FIVE)) == 9 - 4


def test_gauntlet_is_played_again_by_a_new_challenger(tmp_path: Path) -> None:
    course = Course(tmp_path, format='"gauntlet"', challenger='"cyd"')
    assert len(course.play(FIVE)) == WITH_ONE
    assert len(course.play({**FIVE, "bob": "better"})) == comb(3, 1) * 3
    assert len(course.play({**FIVE, "bob": "better", "cyd": "better"})) == WITH_ONE


# -- ladders --------------------------------------------------------------------------------------


@pytest.fixture
def ladder(tmp_path: Path) -> Course:
    return Course(tmp_path, format='"ladder"', deals=4)


def blocks(course: Course) -> Counter[str]:
    found = {result.block: result for result in course.counting()}
    return Counter(seat.player for result in found.values() for seat in result.seats)


TEN = {f"p{number}": "1" for number in range(10)}


def test_ladder_ends_when_all_have_played_their_blocks(ladder: Course) -> None:
    games = ladder.play(TEN)
    played = blocks(ladder)
    assert {*played} == {*TEN} and 4 <= min(played.values()) <= max(played.values()) <= 6
    in_blocks = Counter(game.block for game in games)
    assert {*in_blocks.values()} == {3}, "every table plays all its seat orders"
    assert ladder.play(TEN) == []
    with Store.open_to_read(ladder.store) as store:
        (series,) = stored_series(store)
        assert series.secret is not None
    more = ladder.play(TEN, deals=5)
    assert more and min(blocks(ladder).values()) >= 5
    assert_bags_were_secret(ladder, games + more)


def test_ladder_plays_a_new_version_and_the_others_as_little_as_possible(ladder: Course) -> None:
    whole = ladder.play(TEN)
    before = blocks(ladder)
    better = {**TEN, "p3": "2"}
    again = ladder.play(better)
    assert min(blocks(ladder).values()) >= 4
    assert len(ladder.archived()) == 3 * before["p3"]
    with_it = {game.block for game in with_player(again, "p3")}
    assert 4 <= len(with_it) <= 6
    assert len(again) < 0.75 * len(whole)


def test_ladder_resumes_where_it_was_stopped(tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    settings = {"format": '"ladder"', "deals": 3, "seed": 5}
    whole = Course(tmp_path / "whole", **settings).play(TEN)
    stopped = Course(tmp_path / "stopped", **settings)
    parts: list[Game] = []
    while part := stopped.play(TEN, 7):
        parts += part
    assert parts == whole


def test_ladder_pairs_players_that_are_close(ladder: Course) -> None:
    """The made-up games are won by the first name, so neighbours meet more than others."""
    games = ladder.play(TEN, deals=20)
    rounds = [game for game in games if int(game.id.split("-")[0][1:]) > 8]
    met = Counter(
        abs(int(one[1]) - int(two[1]))
        for game in rounds
        for two in game.players
        for one in game.players
        if one < two
    )
    expected = {distance: 10 - distance for distance in range(1, 10)}  # pairs at this distance
    near = sum(met[d] for d in (1, 2, 3)) / sum(expected[d] for d in (1, 2, 3))
    far = sum(met[d] for d in (7, 8, 9)) / sum(expected[d] for d in (7, 8, 9))
    assert near > 1.3 * far


def test_ladder_is_ordered_by_rating(ladder: Course) -> None:
    """Points would rank a player high that has met weak ones only."""
    ladder.play(TEN, seed=1)
    summary = summarize([*TEN], ladder.counting(), (2, 1, 0), by_rating=True)
    ratings = [row.rating for row in summary.rows]
    assert ratings == sorted(ratings, reverse=True)
    assert [row.rank for row in summary.rows] == [*range(1, 11)]
    assert not summary.ties and {row.groups for row in summary.rows} == {""}
    points = [row.points.value for row in summary.rows]
    assert points != sorted(points, reverse=True)


def test_endless_ladder_goes_on(ladder: Course) -> None:
    with Store.open_to_write(ladder.store) as store:
        ladder.run(store, TEN)
        run = TournamentRun(read_plan(ladder.workspace.file), store, to_each(), endless=True)
        for games in islice(run.stages(), 20):
            run.finish([finished(game, run.plan) for game in games])
        assert run.progress.games == 20 * 9
        assert stored_series(store)[0].secret is None


# -- with real games ------------------------------------------------------------------------------

BUILT_IN = ("random", "ordered", "largest-alpha", "smallest-anti", "random", "ordered")


@pytest.mark.parametrize("form", ["ladder", pytest.param("round-robin", marks=pytest.mark.soak)])
def test_store_with_several_versions_holds(tmp_path: Path, form: str) -> None:
    """The audit finds nothing in an honest store, and another player in an archived game."""
    file = tmp_path / "cup.toml"
    deals = 2 if form == "ladder" else 1
    (tmp_path / "quick.toml").write_text(QUICK)
    general = f'[tournament]\nseats = 3\nformat = "{form}"\ndeals = {deals}\nduplicate = false\n'
    general += 'rulebook = "quick.toml"\n'
    path = tmp_path / "cup.sqlite"
    changes: list[Callable[[dict[str, str]], object]] = [
        lambda players: players.update(zip("abcd", BUILT_IN, strict=False)),
        lambda players: players.update(b="random"),
        lambda players: (players.pop("a"), players.update(e="ordered")),
    ]
    players: dict[str, str] = {}
    archived = []
    for change in changes:
        change(players)
        file.write_text(general + built_in_toml(**players))
        with Store.open_to_write(path) as store:
            run = TournamentRun(read_plan(file), store, to_each())
            play_all(run, partial(process_pool, 1), 1)
            assert run.progress.games == run.progress.total
            archived.append(run.archived)
    assert archived[0] == 0 < min(archived[1:])
    with Store.open_to_read(path) as store:
        audit, _ = audit_store(store)
        findings = [finding for check in audit.checks for finding in check.findings]
        assert findings == []
        (schedule,) = (check for check in audit.checks if check.name == "Schedule")
        assert f"{sum(archived)} archived" in schedule.checked
        write_whole_report(store, tmp_path / "report", logs=True)
        history = version_history(
            store.entries(), (result for _, result in store.all_results()), (2.0, 1.0, 0.0)
        )
    found = audit_report(ReportFolder(tmp_path / "report"))
    assert [each for check in found.checks[1:] for each in check.findings] == []
    page = (tmp_path / "report" / "index.html").read_text()
    tree = html.fromstring(page)
    rows = tree.xpath("//table[@id='versions-table']/tbody/tr")
    lines = [[cell.text_content().strip() for cell in line] for line in rows]
    assert [(line[0], line[2], line[6]) for line in lines] == [
        (name, str(row.games), "current" if row.entry.last is None else "archived")
        for name in "ab"
        for row in history[name]
    ]
    own = html.parse(tmp_path / "report" / "players" / "b.html")
    assert len(own.xpath("//table[@id='versions-table']/tbody/tr")) == 2
    assert ("by rating." in page) == (form == "ladder") != ("share a group letter" in page)
    assert "deals" in page
