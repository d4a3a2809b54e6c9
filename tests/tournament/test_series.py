"""Bags of a run are secret until all its games count, and those of later games even then."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from forging import write_whole_report
from tournament_process import Workspace, built_in_toml, finished

from acquire.admin.tournament.games.entries import MAX_VOIDS
from acquire.admin.tournament.games.result import FailedGame
from acquire.admin.tournament.planning import game_seeds
from acquire.admin.tournament.planning.game_seeds import Series, stored_series
from acquire.admin.tournament.planning.plan_file import read_plan
from acquire.admin.tournament.planning.schedule import Game, new_schedule
from acquire.admin.tournament.store.secret_file import read_secret
from acquire.admin.tournament.store.store import Store

REMOTE = '[[players]]\nname = "cid"\nremote = { secret = "a-long-secret" }\n'
BUILT_IN = built_in_toml(cid="ordered")


class Deals(Workspace):
    """A tournament of three players, by its settings; the third one decides on secrets."""

    third = REMOTE

    def plan(self, **settings: object) -> str:
        lines = [f"{name} = {value}" for name, value in {"seats": 3, **settings}.items()]
        players = built_in_toml(ann="random", b="random")
        text = ["[tournament]", *lines, "[lobby]", "port = 5555", players, self.third]
        return "\n".join(text)

    def deal(self, limit: int = 10_000, **settings: Any) -> list[Game]:
        """Finish the games that are left, or the first ones, in a run of their own."""
        return self.play(self.plan(**settings), limit)

    def series(self) -> tuple[Series, ...]:
        with Store.open_to_read(self.path) as store:
            return stored_series(store)


@pytest.fixture
def workspace(tmp_path: Path) -> Deals:
    return Deals(tmp_path)


def check(
    game: Game, series: tuple[Series, ...], *, duplicate: bool = False, voids: int = 0
) -> bool | None:
    found, seeds = (game.seed, game.commitment), game_seeds.Seeds(0, duplicate, series)
    return game_seeds.check_seed(game_seeds.GameSeed(*found), game.id, game.block, seeds, voids)


@pytest.mark.parametrize("duplicate", [False, True])
def test_secret_is_revealed_with_the_last_game_and_explains_every_bag(
    workspace: Deals, duplicate: bool
) -> None:
    settings: dict[str, Any] = {"deals": 2, "duplicate": str(duplicate).lower()}
    games = workspace.deal(5, **settings)
    (committed,) = workspace.series()
    assert (committed.first, committed.last, committed.secret) == (1, None, None)
    games += workspace.deal(**settings)
    (revealed,) = workspace.series()
    assert revealed.secret is not None and revealed.last == 2
    digest = hashlib.sha256(bytes.fromhex(revealed.secret)).hexdigest()
    assert digest == committed.commitment == revealed.commitment
    assert {game.commitment for game in games} == {digest}
    assert {check(game, (revealed,), duplicate=duplicate) for game in games} == {True}
    assert len({game.seed for game in games}) == (2 if duplicate else 6)


def test_games_after_a_reveal_have_a_secret_of_their_own(workspace: Deals) -> None:
    games = workspace.deal(deals=2)
    assert workspace.deal(deals=2) == []
    more = workspace.deal(1, deals=3)
    first, second = workspace.series()
    assert first.secret is not None and (first.first, first.last) == (1, 2)
    assert second.secret is None and (second.first, second.last) == (3, None)
    assert more[0].commitment == second.commitment != first.commitment
    more += workspace.deal(deals=4)  # raised once more before all games count: the same series
    more += workspace.deal(deals=5)
    series = workspace.series()
    assert [(each.number, each.first, each.last) for each in series] == [
        (1, 1, 2),
        (2, 3, 4),
        (3, 5, 5),
    ]
    assert len({each.secret for each in series}) == 3
    assert {check(game, series) for game in games + more} == {True}
    assert len({game.seed for game in games + more}) == 15


def test_rounds_of_a_swiss_are_revealed_like_deals(workspace: Deals) -> None:
    swiss: dict[str, Any] = {"format": '"swiss"', "deals": 2}
    games = workspace.deal(rounds=2, **swiss) + workspace.deal(rounds=3, **swiss)
    series = workspace.series()
    assert [(each.first, each.last) for each in series] == [(1, 2), (3, 3)]
    assert {game.commitment for game in games if game.id.startswith("r3")} == {series[1].commitment}
    assert {check(game, series) for game in games} == {True} and len(games) == 18


def test_plan_that_is_extended_and_reduced_again_reveals_nothing_new(workspace: Deals) -> None:
    workspace.deal(deals=1)
    with Store.open_to_write(workspace.path) as store:
        workspace.run(store, workspace.plan(deals=2))
        workspace.run(store, workspace.plan(deals=1))
    assert workspace.series()[1].secret is None
    workspace.deal(deals=3)
    assert [(each.first, each.last) for each in workspace.series()] == [(1, 1), (2, 3)]


def test_run_that_was_killed_before_the_reveal_catches_up(workspace: Deals) -> None:
    workspace.deal(deals=1)
    (revealed,) = workspace.series()
    with Store.open_to_write(workspace.path) as store:
        store.sign_with(read_secret(store).signing_key())
        game_seeds.store_series(store, (Series(1, 1, revealed.commitment),))
    assert workspace.series()[0].secret is None
    assert workspace.deal(deals=1) == []
    assert workspace.series() == (revealed,)


def test_game_that_was_void_is_dealt_another_bag(workspace: Deals) -> None:
    with Store.open_to_write(workspace.path) as store:
        run = workspace.run(store, workspace.plan())
        planned = next(run.stages())[0]
        seeds = []
        for _ in range(MAX_VOIDS):
            seeds.append(run.start(planned).seed)
            run.void(FailedGame(planned.id, "the host"))
        again = next(workspace.run(store, workspace.plan()).stages())[0]
        assert again.id == planned.id
        seeds.append(again.seed)
        _, *others = next(workspace.run(store, workspace.plan()).stages())
        run.finish([finished(game) for game in others])
        assert stored_series(store)[0].secret is None, "the last game does not count yet"
    assert len(set(seeds)) == MAX_VOIDS + 1
    (game,) = workspace.deal()
    assert game == again
    checks = [check(game, workspace.series(), voids=voids) for voids in (0, MAX_VOIDS)]
    assert checks == [False, True]


@pytest.mark.parametrize("third", [REMOTE, BUILT_IN], ids=["seed", "built-in players"])
def test_bags_follow_from_the_seed_of_a_reproducible_run(workspace: Deals, third: str) -> None:
    workspace.third = third
    seeds = [game.seed for game in workspace.deal(seed=3, duplicate="false")]
    plan = read_plan(workspace.file)
    assert seeds == [game.seed for game in new_schedule(plan, 3).stage(1)]
    assert workspace.series() == ()
    with Store.open_to_write(workspace.path) as store:
        assert workspace.run(store, workspace.plan(seed=3, duplicate="false")).commitment == ""


def test_secret_decides_nothing_but_bags(workspace: Deals) -> None:
    games = workspace.deal(deals=2)
    with Store.open_to_read(workspace.path) as store:
        seed, master = int(store.about("seed") or ""), read_secret(store).master
    planned = [*new_schedule(read_plan(workspace.file), seed).stage(1)]
    assert [(game.id, game.players) for game in games] == [
        (game.id, game.players) for game in planned
    ]
    assert not {game.seed for game in games} & {game.seed for game in planned}
    assert master.hex() not in str(workspace.path.read_bytes())


def reported(workspace: Deals) -> tuple[list[dict[str, Any]], str]:
    """Write the report, and return its series and its page."""
    folder = workspace.file.with_name("report")
    with Store.open_to_read(workspace.path) as store:
        write_whole_report(store, folder)
    whole = json.loads((folder / "tournament.json").read_text())
    assert whole["duplicate"] is False
    return whole["series"], (folder / "index.html").read_text()


def test_report_reveals_the_secret_only_when_every_planned_game_counts(workspace: Deals) -> None:
    games = workspace.deal(5, deals=2)
    secret = (workspace.path.with_suffix(".secret")).read_text().strip()
    with Store.open_to_read(workspace.path) as store:
        deals = read_secret(store).deals(1).hex()
    (open_series,), page = reported(workspace)
    assert open_series["secret"] is None and open_series["commitment"] == games[0].commitment
    assert games[0].commitment in page and deals not in page and "not revealed yet" in page
    workspace.deal(deals=2)
    (revealed,), page = reported(workspace)
    assert revealed == {**open_series, "last": 2, "tables": 1, "secret": deals}
    assert deals in page and "not revealed yet" not in page
    assert secret not in page


@pytest.mark.parametrize("third", [REMOTE, BUILT_IN], ids=["seed", "built-in players"])
def test_report_has_the_seed_of_bags_only_when_every_planned_game_counts(
    workspace: Deals, third: str
) -> None:
    workspace.third = third
    facts = []
    for limit in (2, 10):
        workspace.deal(limit, seed=3, duplicate="false")
        reported(workspace)
        lines = workspace.file.with_name("report").joinpath("rows.jsonl").read_text().splitlines()
        facts.append(json.loads(lines[0])["facts"])
    assert "seed" not in facts[0] and facts[1]["seed"] == "3"
