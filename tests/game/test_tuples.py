"""Tuples made from tuples: the old one stays, and the new one is what its class would have made."""

from __future__ import annotations

from game.state import Player
from game.tuples import add, new, put


def test_amount_is_changed_at_one_place_only() -> None:
    amounts = (1, 2, 3)
    assert add(amounts, 0, 5) == (6, 2, 3)
    assert add(amounts, 2, -3) == (1, 2, 0)
    assert amounts == (1, 2, 3)


def test_value_is_put_at_one_place_only() -> None:
    before = (1, 2, 3)
    assert put(before, 2, 9) == (1, 2, 9)
    assert before == (1, 2, 3)


def test_named_tuple_made_quickly_is_the_one_that_its_class_makes() -> None:
    quick = new(Player, ("ann", 8_000, (0,) * 7, 1))
    assert type(quick) is Player
    assert quick == Player("ann", 8_000, (0,) * 7, 1)
    assert quick.cash == 8_000
