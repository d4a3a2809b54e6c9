"""Speed without a clock: how many Python functions a game calls."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench import calls


@pytest.mark.skipif(os.environ.get("ACQUIRE_COMPILED") == "1", reason="compiled calls are unseen")
def test_games_call_no_more_functions_than_recorded() -> None:
    for what, found in calls.per_game().items():
        allowed = calls.RECORDED[what] * calls.TOLERANCE
        assert found <= allowed, f"{what}: {found:,.1f} calls, {calls.RECORDED[what]:,.1f} recorded"


@pytest.mark.soak
@pytest.mark.parametrize("row", ["game-revised", "rules-classic"])
def test_game_is_measured_beside_the_oldest_commit(row: str) -> None:
    """Its modules have other names, so a move of ours can break its side alone."""
    root = Path(__file__).parents[1]
    command = [sys.executable, "-m", "bench", row, "--quick"]
    environment = {**os.environ, "PYTHONPATH": str(root / "tests")}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
