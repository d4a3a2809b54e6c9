"""Compare the rules and in-process games with an earlier commit: ``python -m bench.versus``.

Each side runs in processes of its own, in turn, with the same bags and the same answers; what is
compared are the medians of the ratios of CPU time. Besides the checkout there are two compiled
sides, if `make compiled` has built a wheel: with the driver of the games interpreted, as in a
tournament, and with it compiled together with the rules, as an engine in one language would be.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parents[2]
BASELINE = "b38759f"
"""The last commit whose positions were named tuples."""
ROUNDS = 3 if "--quick" in sys.argv else 7
GAMES = 60

ONE_SIDE = f"""
import time
from bench import engine
from acquire.game.rulebooks import CLASSIC, REVISED
from acquire.admin.tournament.run.built_in import play_built_in_game
from acquire.admin.tournament.run.game_settings import GameSettings
from acquire.admin.tournament.planning.schedule import Game
from acquire.protocol.rulebook_json import to_json

def timed(run):
    run(0)
    began = time.process_time()
    for number in range({GAMES}):
        run(number)
    return time.process_time() - began

bags, names = engine.bags({GAMES}), engine.NAMES
for rulebook in (CLASSIC, REVISED):
    print(timed(lambda n: engine.fast(rulebook, bags[n], n)))
for rulebook in (CLASSIC, REVISED):
    players = tuple((name, "random") for name in names)
    settings = GameSettings(to_json(rulebook), True, players)
    print(timed(lambda n: play_built_in_game(settings, Game(f"d1-t1-s{{n}}", "d1-t1", n, names))))
"""
ROWS = ("rules, classic", "rules, revised", "random x 4, classic", "random x 4, revised")
COMPILE = """
from mypyc.build import mypycify
from pathlib import Path
from setuptools import setup

modules = [str(path) for path in Path("game").glob("*.py") if path.name != "__init__.py"]
modules = mypycify([*modules, "bench/engine.py"], opt_level="3", debug_level="0")
setup(name="compiled", packages=[], ext_modules=modules)
"""
GOALS = {
    "this checkout": (1.15, None, None, None),
    "compiled": (2.3, None, None, 2.7),
    "compiled with the driver": (3.2, None, None, None),
}


def sides(folder: Path) -> dict[str, list[Path]]:
    """Return where each side's packages are; the later ones have what the earlier ones lack."""
    archive = subprocess.run(
        ["git", "archive", BASELINE], cwd=ROOT, capture_output=True, check=True
    ).stdout
    with tarfile.open(fileobj=BytesIO(archive)) as tar:
        tar.extractall(folder / "before", filter="data")
    found = {
        "before": [folder / "before", folder / "before" / "tests"],
        "this checkout": [ROOT, ROOT / "tests"],
    }
    wheels = sorted((ROOT / "dist").glob("acquire_referee-*-cp*.whl"))
    if not wheels:
        return found
    with ZipFile(wheels[-1]) as wheel:
        wheel.extractall(folder / "compiled")
    found["compiled"] = [folder / "compiled", ROOT / "tests"]
    whole = folder / "whole"
    shutil.copytree(ROOT / "game", whole / "game")
    for package in ("bench", "reference"):
        shutil.copytree(ROOT / "tests" / package, whole / package)
    (whole / "setup.py").write_text(COMPILE)
    subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"],
        cwd=whole,
        env={**os.environ, "CFLAGS": "-w"},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    found["compiled with the driver"] = [whole, ROOT]
    return found


def seconds(paths: list[Path]) -> list[float]:
    """Return the CPU seconds of each row, on one side."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))}
    command = [sys.executable, "-P", "-c", ONE_SIDE]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return [float(line) for line in run.stdout.split()]


def main() -> None:
    """Measure all sides in turn, and print how many times as fast as before they are."""
    with tempfile.TemporaryDirectory() as folder:
        found = sides(Path(folder))
        rounds = [{side: seconds(paths) for side, paths in found.items()} for _ in range(ROUNDS)]
    table = Table(
        title=f"times as fast as {BASELINE} (CPU, medians of {ROUNDS}); goals in brackets"
    )
    table.add_column("")
    for row in ROWS:
        table.add_column(row, justify="right")
    before = [statistics.median(each["before"][row] for each in rounds) for row in range(4)]
    table.add_row("before, games/s", *(f"{GAMES / value:,.0f}" for value in before))
    for side, goals in GOALS.items():
        if side not in found:
            table.add_row(side, "make compiled first")
            continue
        ratios = [
            statistics.median(each["before"][row] / each[side][row] for each in rounds)
            for row in range(4)
        ]
        if found[side][-1] == ROOT:  # only the rules are compiled there
            del ratios[2:]
        shown = zip(ratios, goals, strict=False)
        table.add_row(side, *(f"{r:.2f}" + (f" ({goal:g})" if goal else "") for r, goal in shown))
    console = Console()
    console.width = max(console.width, 118)
    console.print(table)


if __name__ == "__main__":
    main()
