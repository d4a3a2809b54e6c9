"""Speed without a clock: how many Python functions a game calls."""

from __future__ import annotations

import os

import pytest

from bench import calls


@pytest.mark.skipif(os.environ.get("ACQUIRE_COMPILED") == "1", reason="compiled calls are unseen")
def test_games_call_no_more_functions_than_recorded() -> None:
    for what, found in calls.per_game().items():
        allowed = calls.RECORDED[what] * calls.TOLERANCE
        assert found <= allowed, f"{what}: {found:,.1f} calls, {calls.RECORDED[what]:,.1f} recorded"


def test_calls_are_counted() -> None:
    def one() -> None:
        two()
        two()

    def two() -> None:
        len([])

    assert calls.calls_of(one) == 3
