"""The players by name: the built-in ones first, then all misbehaving ones of any rulebook."""

from __future__ import annotations

import pytest
from loops import for_each
from quick_players import BUILT_IN

from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import RULEBOOKS
from acquire.player.misbehaving import NotInCast
from acquire.player.misbehaving.cast import cast_for
from acquire.player.program.registry import cast_names, describe, find_player, rulebooks_of
from acquire.player.strategies.strategy import Strategy

DIALECT = ["corporations", "classic", "wikipedia", "digest"]


def test_players_are_the_built_in_ones_and_the_whole_cast() -> None:
    casts = [cast_for(rulebook) for rulebook in RULEBOOKS.values()]
    assert {*cast_names()} == set().union(*casts)
    assert not {*cast_names()} & {*BUILT_IN}
    assert all(find_player(name) for name in [*BUILT_IN, *cast_names()])


def test_each_player_is_described_in_a_line_of_its_own() -> None:
    lines = [describe(name) for name in [*BUILT_IN, *cast_names()]]
    assert len({*lines}) == len(lines)
    for line in lines:
        assert line.endswith(".") and "\n" not in line and 20 < len(line) < 100


def test_unknown_player_is_not_found_and_has_no_description() -> None:
    assert find_player("turn-fast-asleep") is None
    with pytest.raises(KeyError):
        describe("turn-fast-asleep")


@for_each(
    ("name", "rulebooks"),
    [
        *((name, [*RULEBOOKS]) for name in BUILT_IN),
        ("turn-silent", [*RULEBOOKS]),
        ("turn-mixed", ["revised"]),
        ("keep-one-too-many", ["revised"]),
        ("order-three-certificates", ["revised"]),
        ("dispose-silent", DIALECT),
        ("turn-declares-falsely", DIALECT),
        ("market-silent", ["classic"]),
        ("merger-another-tile", ["classic"]),
    ],
)
def test_rulebooks_of_a_player_are_those_that_give_it_something_to_do(
    name: str, rulebooks: list[str]
) -> None:
    assert rulebooks_of(name) == rulebooks


@for_each("rulebook", RULEBOOKS.values(), ids=lambda rulebook: rulebook.id)
def test_player_is_made_exactly_for_the_rulebooks_it_can_play(rulebook: Rulebook) -> None:
    for name in [*BUILT_IN, *cast_names()]:
        make = find_player(name)
        assert make is not None
        if rulebook.id in rulebooks_of(name):
            assert isinstance(make(rulebook, 1), Strategy) is (name in BUILT_IN)
        else:
            with pytest.raises(NotInCast):
                make(rulebook, 1)
