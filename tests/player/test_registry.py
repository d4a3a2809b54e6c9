"""The players by name: the built-in ones first, then all misbehaving ones of any rulebook."""

import pytest
from loops import for_each
from quick_players import BUILT_IN

from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import RULEBOOKS
from acquire.player.misbehaving import NotInCast
from acquire.player.misbehaving.cast import cast_for
from acquire.player.program.registry import built_in_players, find_player, misbehaving_players
from acquire.player.strategies.strategy import Strategy

LISTED = {each.name: each for each in (*built_in_players(), *misbehaving_players())}
CAST = {each.name for each in misbehaving_players()}


def test_players_are_the_built_in_ones_and_the_whole_cast() -> None:
    casts = [cast_for(rulebook) for rulebook in RULEBOOKS.values()]
    assert set().union(*casts) == CAST
    assert not CAST & {*BUILT_IN}
    assert all(map(find_player, LISTED))


def test_each_player_is_described_in_a_line_of_its_own() -> None:
    lines = [each.description for each in LISTED.values()]
    assert len({*lines}) == len(lines)
    for line in lines:
        assert line.endswith(".") and "\n" not in line and 20 < len(line) < 100


def test_unknown_player_is_not_found() -> None:
    assert find_player("turn-fast-asleep") is None


@for_each("rulebook", RULEBOOKS.values(), ids=lambda rulebook: rulebook.id)
def test_player_is_made_exactly_for_the_rulebooks_it_can_play(rulebook: Rulebook) -> None:
    for name, _, rulebooks in LISTED.values():
        make = find_player(name)
        assert make is not None
        if rulebook.id in rulebooks:
            assert isinstance(make(rulebook, 1), Strategy) is (name in BUILT_IN)
        else:
            with pytest.raises(NotInCast):
                make(rulebook, 1)
