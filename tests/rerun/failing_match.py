"""A match with a player of its own process that has a mistake, and is ejected late in the match."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from check.mutants import MUTANTS, mutated

ACQUIRE = Path(sys.executable).parent / "acquire"
SEED, LEFT_IN = 39, 61
"""With this seed, beside three investors, the tile that merges a safe hotel is tried in turn 61."""
BROKEN = next(mutant for mutant in MUTANTS if mutant.name == "safe-one-late")


def acquire(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the command line as a person does."""
    return subprocess.run(
        [ACQUIRE, *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        env=dict(os.environ),
    )


class Failing(NamedTuple):
    """The folder of a match: its log, and the player that was ejected in it."""

    folder: Path
    log: Path
    player: Path


def failing_match(folder: Path) -> Failing:
    """Play the match between `alice`, a process of her own, and the house."""
    player = folder / "broken.py"
    player.write_text(mutated(BROKEN))
    serve = subprocess.Popen(
        [
            *(ACQUIRE, "serve", "--port", "0", "--players", "4", "--seed", str(SEED)),
            *("--fill", "investor", "--signup-timeout", "2", "--log-dir", "logs", "--json"),
        ],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert serve.stdout is not None
    with serve.stdout as lines:
        host, _, port = json.loads(lines.readline())["addresses"][0].rpartition(":")
        alice = subprocess.run(
            [sys.executable, player, host, port, "alice"],
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
        over = [json.loads(line) for line in lines][-1]
    assert serve.wait(30) == 1 or over["event"] == "over"
    assert alice.returncode == 1 and b"ejected" in alice.stderr
    return Failing(folder, folder / over["log"], player)
