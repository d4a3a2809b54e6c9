"""Tuples made from tuples: the old one stays as it was."""

from __future__ import annotations

from acquire.game.tuples import add, put


def test_amount_is_changed_at_one_place_only() -> None:
    amounts = (1, 2, 3)
    assert add(amounts, 0, 5) == (6, 2, 3)
    assert add(amounts, 2, -3) == (1, 2, 0)
    assert amounts == (1, 2, 3)


def test_value_is_put_at_one_place_only() -> None:
    before = (1, 2, 3)
    assert put(before, 2, 9) == (1, 2, 9)
    assert before == (1, 2, 3)
