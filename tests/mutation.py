"""Change the source in one place at a time, and see whether a test fails.

    make mutants                     a sample of each package
    make mutants MUTANTS=1000        a larger one

Cosmic Ray makes the mutants, in a copy of the source. Each is first run against the tests of its
own module; one that survives them is run against all tests of its package. All mutants together
would take days, so a sample is run, chosen by a hash: the same source gives the same sample, and a
larger sample contains the smaller one. A survivor is either a gap in the tests or an equivalent
mutant, which only a reader can tell.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from oracle_files import ORACLES

if TYPE_CHECKING:
    from cosmic_ray.work_item import MutationSpec

ROOT = Path(__file__).parents[1]
PACKAGES = {
    "game": [
        "acquire/game",
        "tests/game",
        "tests/test_golden_games.py",
        "tests/test_others_games.py",
    ],
    "protocol": ["acquire/protocol", "tests/protocol"],
    "admin/refereeing/play": ["tests/play", "tests/trial", "tests/test_golden_games.py"],
}
"""The folders that are changed, and the tests that run on whatever survives its module's."""
OTHER_TESTS = {
    "game/rulebooks.py": ["tests/game/test_rulebook.py"],
    "game/notation.py": [],
    "protocol/faults.py": ["tests/protocol/test_conversation.py"],
    "protocol/messages.py": ["tests/protocol/test_writing.py", "tests/protocol/test_reading.py"],
}
"""The tests of modules without a test file of the same name."""
TIMEOUT = 300.0
"""Seconds for the tests of one mutant; one that takes longer hangs, and counts as killed."""


def command(tests: list[str]) -> str:
    """The command that runs some tests until one fails."""
    return f"{sys.executable} -m pytest -x -q -p no:cacheprovider -p no:xdist {' '.join(tests)}"


def own_tests(package: str, module: str) -> list[str]:
    """The tests of a module: its examples, and the file of its name."""
    folder, name = package.rpartition("/")[2], Path(module).name
    named = OTHER_TESTS.get(module, [f"tests/{folder}/test_{name}"])
    examples = [f"acquire/{module}"] if package != "admin/refereeing/play" else []
    return [*examples, *(test for test in named if Path(test).exists())]


def mutants(package: str) -> list[MutationSpec]:
    """Every mutant of a package, in the order in which they are sampled."""
    from cosmic_ray.commands.init import init
    from cosmic_ray.work_db import WorkDB, use_db

    paths = [path for path in sorted(Path(package).glob("*.py")) if path.name != "__init__.py"]
    with use_db("mutants.sqlite", WorkDB.Mode.create) as database:
        init(paths, database, {})
        found = [item.mutations[0] for item in database.work_items]
    return sorted(found, key=place_in_sample)


def place_in_sample(mutant: MutationSpec) -> str:
    """A number by which mutants are mixed, the same in every run."""
    named = f"{mutant.module_path} {mutant.operator_name} {mutant.occurrence}"
    return sha256(named.encode()).hexdigest()


def survives(mutant: MutationSpec, tests: list[str]) -> str:
    """The difference that a mutant makes to the source, or nothing when a test fails."""
    from cosmic_ray.mutating import mutate_and_test
    from cosmic_ray.work_item import TestOutcome

    result = mutate_and_test([mutant], command(tests), TIMEOUT)
    return str(result.diff) if result.test_outcome is TestOutcome.SURVIVED else ""


def run(package: str, size: int) -> None:
    """Run a sample of a package's mutants, and print those that survive and the score."""
    every, killed, began = mutants(package), 0, time.monotonic()
    sample = every[:size]
    print(f"{package}: {len(sample)} of {len(every)} mutants", flush=True)
    for mutant in sample:
        own = own_tests(package, str(mutant.module_path))
        difference = survives(mutant, own) if own else "untested"
        if difference:
            difference = survives(mutant, PACKAGES[package])
        if difference:
            print(f"survived: {mutant.operator_name} in {mutant.definition_name}")
            print(difference, flush=True)
        else:
            killed += 1
    took = time.monotonic() - began
    print(f"{package}: {killed} of {len(sample)} killed, {took:.0f} s", flush=True)


def copy_source(to: Path) -> None:
    """Copy the files of the project, without what is not under version control."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).exists():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, to / name, follow_symlinks=False)


def main() -> None:
    """Run a sample of each package's mutants, or of one package's."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=30, help="mutants of each package")
    parser.add_argument("packages", nargs="*", default=list(PACKAGES), help="game, protocol, ...")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy_source(Path(folder))
        os.chdir(folder)
        os.environ["PYTHONPATH"] = folder  # or the installed packages would be tested
        os.environ["ACQUIRE_ORACLES"] = str(ORACLES)
        for package in chosen.packages:
            if subprocess.run(command(PACKAGES[package]).split(), check=False).returncode:
                sys.exit(f"The tests of {package} fail without any change.")
            run(package, chosen.sample)


if __name__ == "__main__":
    main()
