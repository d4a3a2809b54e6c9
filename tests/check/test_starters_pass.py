"""The starters pass the check to the letter, each as a process of its language.

In `make test` the one in JavaScript plays cases of `revised` and of another rulebook, of every
eighth section. The one in Python plays all of `revised` in a thread there, see ``test_matrix``, and
Java takes long to start: the soak has other cases for them, and all cases of all rulebooks.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from typing import TypeAlias

import pytest
from command_line import ACQUIRE
from loops import in_soak

from acquire.admin.testing.cases.case import Case
from acquire.admin.testing.cases.catalogue import cases_for
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, REVISED, RULEBOOKS, WIKIPEDIA

STARTERS = Path(__file__).parents[2] / "player" / "starters"
ATTEMPTS = 3
"""How often a case is played: on a busy machine a process can answer too late for `--strict`."""
QUICK_START = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
"""Options for Java that save more than the compiler could gain."""

Command: TypeAlias = list[str | Path]


def python(_: Path) -> Command:
    return [sys.executable, STARTERS / "python" / "player.py"]


def javascript(_: Path) -> Command:
    return [found("node"), STARTERS / "javascript" / "player.js"]


def java(folder: Path) -> Command:
    source = STARTERS / "java" / "Player.java"
    options = [f"-J{option}" for option in QUICK_START]
    subprocess.run([found("javac"), *options, "-d", folder, source], timeout=120, check=True)
    return [found("java"), *QUICK_START, "-cp", folder, "Player"]


def found(program: str) -> str:
    path = shutil.which(program)
    assert path is not None, f"{program} is needed: node 18 and a JDK 17, or newer"
    return path


LANGUAGES = (python, javascript, java)


def one_of_each_section(rulebook: Rulebook, place: int) -> list[Case]:
    """A case of every section, at a place that differs from language to language."""
    sections = groupby(cases_for(rulebook), key=lambda case: case.section)
    by_section = [list(cases) for _, cases in sections]
    return [cases[place * len(cases) // len(LANGUAGES)] for cases in by_section]


def failing(
    command: Command, rulebook: Rulebook, cases: Sequence[Case], results: Path
) -> list[Case]:
    """Check a starter in these cases; return those that it does not pass."""
    check: Command = [
        *(ACQUIRE, "check", "--strict", "--keep-going", "--connect-timeout", "60", "--jobs", "2"),
        *("--sandbox", "none", "--rulebook", rulebook.id),
    ]
    only = [argument for case in cases for argument in ("--only", case.id)]
    done = subprocess.run(
        [*check, *only, "--json", results, "--", *command, "{host}", "{port}", "{name}"],
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    print(done.stdout)
    tests = json.loads(results.read_text())["tests"]
    status = {test["extra_data"]["id"]: test["status"] for test in tests}
    assert status.keys() == {case.id for case in cases}
    failed = [case for case in cases if status[case.id] != "passed"]
    assert bool(failed) is (done.returncode == 1)
    return failed


OTHER = {python: CLASSIC, javascript: CORPORATIONS, java: WIKIPEDIA}
"""Of which rulebook a language plays cases, too, if it does not play all."""


@pytest.mark.parametrize(
    "language", [javascript, *in_soak(python, java)], ids=lambda make: make.__name__
)
def test_starter_passes_to_the_letter(
    language: Callable[[Path], Command], soak: bool, tmp_path: Path
) -> None:
    command = language(tmp_path / "classes")
    place = LANGUAGES.index(language)
    for rulebook in RULEBOOKS.values() if soak else (REVISED, OTHER[language]):
        cases: Sequence[Case] = cases_for(rulebook)
        if not soak:
            cases = one_of_each_section(rulebook, place)[rulebook is REVISED :: 8]
        for _ in range(ATTEMPTS):
            if cases:
                cases = failing(command, rulebook, cases, tmp_path / "results.json")
        assert not cases, f"not passed by {rulebook.id}: {', '.join(case.id for case in cases)}"
