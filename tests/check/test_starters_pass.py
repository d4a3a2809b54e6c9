"""Every starter passes the whole check, to the letter, as a process of the real language."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from admin.check.catalogue import cases_for
from game.rulebooks import REVISED

ACQUIRE = Path(sys.executable).parent / "acquire"
STARTERS = Path(__file__).parents[2] / "player" / "starters"


def python(_: Path) -> list[str | Path]:
    return [sys.executable, STARTERS / "python" / "player.py"]


def javascript(_: Path) -> list[str | Path]:
    return [found("node"), STARTERS / "javascript" / "player.js"]


def java(folder: Path) -> list[str | Path]:
    source = STARTERS / "java" / "Player.java"
    subprocess.run([found("javac"), "-d", folder, source], timeout=60, check=True)
    return [found("java"), "-XX:TieredStopAtLevel=1", "-cp", folder, "Player"]


def found(program: str) -> str:
    path = shutil.which(program)
    assert path is not None, f"{program} is needed: node 18 and a JDK 17, or newer"
    return path


@pytest.mark.parametrize("language", [python, javascript, java], ids=lambda make: make.__name__)
def test_starter_passes_to_the_letter(language: object, tmp_path: Path) -> None:
    assert callable(language)
    command = [*language(tmp_path / "classes"), "{host}", "{port}", "{name}"]
    results = tmp_path / "results.json"
    done = subprocess.run(
        [ACQUIRE, "check", "--strict", "--jobs", "4", "--json", results, "--", *command],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env=dict(os.environ),
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    tests = json.loads(results.read_text())["tests"]
    assert len(tests) == len(cases_for(REVISED))
    assert {test["status"] for test in tests} == {"passed"}
