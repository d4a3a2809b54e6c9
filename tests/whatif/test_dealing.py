"""What is hidden is redealt, and nothing else: over every turn of the golden games."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from loops import for_each

from acquire.admin.refereeing.log.reader import read
from acquire.admin.studying.whatif.single_game import deals, strategy_seed
from acquire.admin.testing.trial.game_history import GameHistory
from acquire.game.drawing import redeal as redealt_for
from acquire.game.rulebook import Hands, with_hidden_assets
from acquire.game.state import State
from acquire.game.tiles import tiles_in
from acquire.protocol.player_view import view_for

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.xml"))
EVERY = 7
"""One in this many turns is checked."""


@cache
def recorded(name: str) -> GameHistory:
    return GameHistory(read(GOLDEN[0].with_name(f"{name}.xml")))


def redeal(state: State, viewer: str, seed: int, game: int) -> State:
    return redealt_for(state, {viewer}, deals(seed, game))


def views(log: Path) -> Iterator[tuple[State, str, int]]:
    """The positions of a golden game, with each player at the table, and a game's number."""
    for turn, state in recorded(log.stem).positions.items():
        if turn % EVERY == 0:
            for player in state.players:
                yield state, player.name, turn


def tiles_of(state: State) -> list[int]:
    """All tiles that are in hands or in the bag."""
    return sorted([*state.bag, *(tile for each in state.players for tile in tiles_in(each.hand))])


def without_tiles(state: State) -> State:
    """A position without what is in hands, and in the bag."""
    return state._replace(
        bag=(), players=tuple(player._replace(hand=0) for player in state.players)
    )


@for_each("log", GOLDEN, ids=lambda log: log.stem)
def test_viewer_sees_the_same_and_every_tile_is_there_once(log: Path) -> None:
    for state, viewer, game in views(log):
        redealt = redeal(state, viewer, 7, game)
        assert view_for(redealt, viewer) == view_for(state, viewer)
        assert tiles_of(redealt) == tiles_of(state)
        assert without_tiles(redealt) == without_tiles(state)
        sizes = [player.hand.bit_count() for player in redealt.players]
        assert sizes == [player.hand.bit_count() for player in state.players]
        assert len(redealt.bag) == len(state.bag)


@for_each("log", GOLDEN, ids=lambda log: log.stem)
def test_deal_reveals_nothing_of_the_true_one(log: Path) -> None:
    for state, viewer, game in views(log):
        other = redeal(state, viewer, 99, game)
        assert redeal(other, viewer, 7, game) == redeal(state, viewer, 7, game)


def test_open_hands_stay_and_the_deal_is_the_same_for_every_viewer() -> None:
    state = recorded("revised-large-hotel").positions[30]
    assert state.rulebook.hands is Hands.OPEN
    deals = {redeal(state, player.name, 7, 1) for player in state.players}
    assert len(deals) == 1
    (redealt,) = deals
    assert redealt.players == state.players and redealt.bag != state.bag


def test_hidden_assets_stay_as_they_were_gained() -> None:
    state = recorded("corporations-equals-ordered-by-the-placer").positions[30]
    hiding = state._replace(rulebook=with_hidden_assets(state.rulebook))
    redealt = redeal(hiding, "random-1", 7, 1)
    assert without_tiles(redealt) == without_tiles(hiding) and redealt != hiding


def test_every_game_has_a_deal_of_its_own_and_every_seed() -> None:
    state = recorded("classic-large-hotel").positions[30]
    deals = [redeal(state, "random-1", seed, game) for seed in (7, 8) for game in range(1, 6)]
    assert len({(deal.bag, deal.players) for deal in deals}) == len(deals)


def test_every_unseen_tile_comes_to_every_place() -> None:
    state = recorded("classic-large-hotel").positions[40]
    deals = [redeal(state, "random-1", 7, game) for game in range(1, 1001)]
    unseen = {tile for tile in tiles_of(state) if not state.player("random-1").hand >> tile & 1}
    assert {deal.bag[0] for deal in deals} == unseen == {deal.bag[-1] for deal in deals}
    for other in (player.name for player in state.players if player.name != "random-1"):
        held = {tile for deal in deals for tile in tiles_in(deal.player(other).hand)}
        assert held == unseen


def test_each_player_of_each_game_has_chance_of_his_own() -> None:
    seeds = {
        strategy_seed(seed, game, name) for seed in (1, 2) for game in (1, 2) for name in ("a", "b")
    }
    assert len(seeds) == 8
    assert strategy_seed(1, 1, "a") == strategy_seed(1, 1, "a")
