"""Games of built-in players, and the rules alone, against an earlier commit.

Each side runs in processes of its own, in turn, with the same bags and the same answers. The
compiled side is the wheel that `make compiled` has built in ``dist/``, if there is one.
"""

import os
import subprocess
import sys
import tarfile
import tempfile
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

from bench.rows import Figure, Row, compare

ROOT = Path(__file__).parents[2]
BASELINE = "2071998"
"""The oldest commit that runs with the packages of today: it has their names and libraries."""
GAMES = 40

ONE_SIDE = f"""
import sys, time
from bench import engine
from acquire.game.rulebooks import RULEBOOKS
from acquire.admin.tournament.run.built_in import play_built_in_game
from acquire.admin.tournament.planning.schedule import Game
try:
    from acquire.admin.tournament.run.game_recorder import GameSettings
    from acquire.protocol.rulebook_file import to_json
except ImportError:  # at the earlier commit
    from acquire.admin.tournament.run.game_settings import GameSettings
    from acquire.protocol.rulebook_json import to_json

what, rulebook = sys.argv[1], RULEBOOKS[sys.argv[2]]
bags, names = engine.bags({GAMES}), engine.NAMES
settings = GameSettings(to_json(rulebook), True, dict.fromkeys(names, "random"))

def rules(number):
    engine.fast(rulebook, bags[number], number)

def game(number):
    play_built_in_game(settings, Game(f"d1-t1-s{{number}}", "d1-t1", number, names))

run = rules if what == "rules" else game
run(0)
began = time.process_time()
for number in range({GAMES}):
    run(number)
print((time.process_time() - began) / {GAMES})
"""


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


@cache
def before() -> list[Path]:
    """Return where the packages of the earlier commit are."""
    command = ["git", "archive", BASELINE]
    archive = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    folder = Path(_folder().name, "before")
    with tarfile.open(fileobj=BytesIO(archive)) as tar:
        tar.extractall(folder, filter="data")
    return [folder, folder / "tests"]


@cache
def compiled() -> list[Path]:
    """Return where the packages of the compiled wheel are; none without one."""
    wheels = sorted((ROOT / "dist").glob("acquire_referee-*-cp*.whl"))
    if not wheels:
        return []
    folder = Path(_folder().name, "compiled")
    with ZipFile(wheels[-1]) as wheel:
        wheel.extractall(folder)
    return [folder, ROOT / "tests"]


def seconds(paths: list[Path], what: str, rulebook: str) -> float:
    """Return the CPU seconds of one game on one side."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))}
    command = [sys.executable, "-P", "-c", ONE_SIDE, what, rulebook]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(run.stdout)


def measure(what: str, rulebook: str, is_compiled: bool, quick: bool) -> Figure:
    """Compare with the earlier commit: the ratio is how many times as fast."""
    ours = compiled() if is_compiled else [ROOT, ROOT / "tests"]
    if not ours:
        return Figure(float("nan"), "make compiled first", "")
    found = compare(
        lambda: seconds(ours, what, rulebook),
        lambda: seconds(before(), what, rulebook),
        3 if quick else 5,
        "ms",
        1000,
    )
    return found._replace(ratio=1 / found.ratio)


_GOALS = {("game", "revised"): (1.3, 2.4), ("game", "classic"): (1.35, 2.4)}
_GOALS |= {("rules", "revised"): (1.0, 2.2), ("rules", "classic"): (1.0, 2.2)}
_WHAT = {
    "game": "game of four random, {}: {} / {}",
    "rules": "random game by the rules, {}: {} / {}",
}
ROWS = tuple(
    Row(
        f"{what}-{rulebook}{'-compiled' * is_compiled}",
        _WHAT[what].format(rulebook, ("this checkout", "compiled")[is_compiled], BASELINE),
        goals[is_compiled],
        partial(measure, what, rulebook, is_compiled),
        fast=True,
    )
    for (what, rulebook), goals in _GOALS.items()
    for is_compiled in (False, True)
)
