"""Several cases in one test: all of them run, and a failure names its cases."""

from __future__ import annotations

import pytest
from loops import for_each


def test_every_row_runs_beside_fixtures_and_other_rows() -> None:
    seen: list[tuple[str, int, str]] = []

    @for_each(("text", "number"), [("a", 1), pytest.param("b", 2, id="second")])
    @for_each("sign", "+-")
    def test(given: str, text: str, number: int, sign: str) -> None:
        seen.append((text, number, sign + given))

    test(given="!")
    assert seen == [("a", 1, "+!"), ("a", 1, "-!"), ("b", 2, "+!"), ("b", 2, "-!")]


def test_first_failure_is_shown_and_all_are_named() -> None:
    @for_each("number", [3, 4, 5, 6], ids=lambda number: f"n{number}")
    def test(number: int) -> None:
        assert number % 2 == 0, f"{number} is odd"

    with pytest.raises(AssertionError, match="3 is odd") as caught:
        test()
    assert caught.value.__notes__ == ["2 of 4 cases failed: n3, n5"]


def test_rows_are_needed_and_take_no_marks() -> None:
    with pytest.raises(AssertionError, match="no rows"):
        for_each("number", [])
    with pytest.raises(AssertionError, match="marks"):
        for_each("number", [pytest.param(1, marks=pytest.mark.soak)])
