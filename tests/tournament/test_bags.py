"""Tournaments with secret bags: none is dealt twice, and a kill changes no result."""

import random
import shutil
import signal
import time
from pathlib import Path

import pytest
from tournament_process import TournamentFolder

from acquire.admin.refereeing.log.reader import read_bytes
from acquire.admin.refereeing.table.server_events import to_each
from acquire.admin.tournament.planning.game_seeds import GameSeed, Seeds, check_seed, stored_series
from acquire.admin.tournament.planning.plan_file import read_plan
from acquire.admin.tournament.run.tournament_run import TournamentRun
from acquire.admin.tournament.standings.summarize import summarize
from acquire.admin.tournament.store.store import Store
from acquire.game.tiles import Tile


def bags(folder: Path, **settings: object) -> dict[str, tuple[Tile, ...]]:
    """Play two deals of a tournament with a program; return the bag of each game's log."""
    folder.mkdir()
    tournament = TournamentFolder(folder)
    tournament.write_beside(tournament.starter("ada"), {"deals": 2, **settings})
    tournament.play()
    with Store.open_to_read(tournament.store) as store:
        return {game: read_bytes(Path(game), log).header.bag for game, log in store.logs()}


def test_no_two_games_have_the_same_bag(tmp_path: Path) -> None:
    first, second = bags(tmp_path / "first"), bags(tmp_path / "second")
    assert first.keys() == second.keys() and len(first) == 6
    assert len({*first.values(), *second.values()}) == 12, "the same file has another secret"


def test_games_of_a_block_share_a_bag_where_deals_are_duplicate(tmp_path: Path) -> None:
    dealt = bags(tmp_path / "cup", duplicate=True)
    blocks = {(game.rpartition("-")[0], bag) for game, bag in dealt.items()}
    assert len(dealt) == 6 and len(blocks) == len({bag for _, bag in blocks}) == 2


# -- killed -------------------------------------------------------------------------------------


def outcome(folder: TournamentFolder) -> dict[str, object]:
    """Return what a tournament has decided: standings and games, without times."""
    results, plan = folder.results(), read_plan(folder.file)
    standings = summarize(plan.names, [*results.values()], plan.points).rows
    games = {
        game: [result.seed, result.ending, *(seat[:4] for seat in result.seats)]
        for game, result in results.items()
    }
    return {"games": games, "standings": standings}


def assert_bags_are_right(folder: TournamentFolder) -> None:
    """Every log has the seed that the revealed secret gives its game."""
    with Store.open_to_read(folder.store) as store:
        series = stored_series(store)
        assert [each.secret is not None for each in series] == [True]
        for game, log in store.logs():
            header = read_bytes(Path(game), log).header
            found, block = GameSeed(header.seed, header.commitment), game.rpartition("-")[0]
            checked = check_seed(found, game, block, Seeds(0, False, series))
            assert checked is True


@pytest.mark.soak
def test_tournament_with_programs_killed_at_any_moment_ends_as_if_it_had_not_been(
    tmp_path: Path,
) -> None:
    """With the same secret: the second tournament starts with a copy of the first's."""
    kills, deals = 12, 10
    for name in ("whole", "killed"):
        (tmp_path / name).mkdir()
    whole, killed = folders = [TournamentFolder(tmp_path / name) for name in ("whole", "killed")]
    for folder in folders:
        folder.write_beside(folder.starter("ada"), {"deals": deals})
    with Store.open_to_write(whole.store) as store:
        commitment = TournamentRun(read_plan(whole.file), store, to_each()).commitment
    for path in (whole.store, whole.store.with_suffix(".secret")):
        shutil.copy(path, killed.folder)
    chance = random.Random(7)
    for _ in range(kills):
        with killed.run("--workers", "2") as process:
            if process.until("began")["games"] < 3 * deals - 1:
                process.until("game")
            time.sleep(chance.uniform(0, 0.3))  # so that it is killed at any moment
            process.end(signal.SIGKILL)
    for folder in folders:
        with folder.run("--workers", "2") as process:
            assert process.until("began")["commitment"] == commitment
            assert process.end() == 0, process.errors
        assert f"Commitment to the bags: {commitment}" in process.errors
        assert not [event for event in process.of_kind("game") if "seed" in event]
        assert_bags_are_right(folder)
    assert outcome(killed) == outcome(whole)
    assert len(killed.results()) == 3 * deals
