"""Which modules are compiled: none in a checkout, all of the list in `make test-compiled`.

A compilation that fails leaves pure modules, which are imported without a word.
"""

import importlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from functools import partial
from pathlib import Path

import pytest
from tournament_process import built_in_toml

from acquire.game.rulebooks import RULEBOOKS

ROOT = Path(__file__).parents[1]
COMPILED = os.environ.get("ACQUIRE_COMPILED") == "1"
HOOKS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]
FOLDERS = HOOKS["wheel"]["only-include"]


def modules() -> list[Path]:
    """The modules of the compiled wheel, relative to the project's folder."""
    found: list[Path] = []
    left_out = ("__init__.py", *HOOKS["wheel"]["hooks"]["custom"]["interpreted"])
    for name in HOOKS["wheel"]["hooks"]["custom"]["modules"]:
        path = ROOT / name
        found += [path] if name.endswith(".py") else sorted(path.glob("*.py"))
    return [path.relative_to(ROOT) for path in found if path.name not in left_out]


def test_modules_are_loaded_as_they_should_be() -> None:
    expected = sysconfig.get_config_var("EXT_SUFFIX") if COMPILED else ".py"
    for path in modules():
        module = importlib.import_module(".".join(("acquire", *path.with_suffix("").parts)))
        assert module.__file__ is not None
        found = ROOT / "acquire" / path.with_suffix(expected)
        assert Path(module.__file__) == found, "another one is loaded"


def test_list_of_compiled_modules_is_of_files_that_exist() -> None:
    assert len(modules()) > 30
    for path in modules():
        assert (ROOT / path).is_file(), f"{path} is not there: correct pyproject.toml"


def test_usual_wheel_is_pure() -> None:
    assert HOOKS["wheel"]["hooks"]["custom"]["enable-by-default"] is False
    if not COMPILED:
        assert not [path for name in FOLDERS for path in (ROOT / name).rglob("*.so")]


PLAN = '[tournament]\nrulebook = "{rulebook}"\ndeals = 30\nseed = 2013\nworkers = 1\n'
PLAYERS = built_in_toml(ann="random", bob="ordered", cyd="investor", dan="smallest-anti")
SUFFIX_AND_COMMAND = (
    "import acquire.game.board, sys; print(acquire.game.board.__file__, file=sys.stderr);"
    "import acquire.admin.cli.main; acquire.admin.cli.main.main()"
)


def played(packages: Path, folder: Path, rulebook: str) -> tuple[str, dict[str, bytes]]:
    """Play a tournament of 120 games by these packages; return the standings and all logs."""
    folder.mkdir()
    (folder / "plan.toml").write_text(PLAN.format(rulebook=rulebook) + PLAYERS)

    def acquire(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", SUFFIX_AND_COMMAND, "tournament", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(packages)}
        run = partial(subprocess.run, cwd=folder, env=environment, capture_output=True, text=True)
        done = run(command, check=True)
        assert done.stderr.startswith(str(packages / "acquire" / "game"))
        assert (".so" in done.stderr) == (packages == ROOT)
        return done

    acquire("run", "plan.toml")
    acquire("logs", "plan.toml", "--to", "logs")
    shown = acquire("show", "plan.toml", "--json").stdout
    logs = {path.name: path.read_bytes() for path in (folder / "logs").iterdir()}
    return shown, logs


@pytest.mark.skipif(not COMPILED, reason="only in make test-compiled")
def test_600_compiled_games_are_those_of_pure_python(tmp_path: Path) -> None:
    pure = tmp_path / "pure"
    shutil.copytree(ROOT / "acquire", pure / "acquire", ignore=shutil.ignore_patterns("*.so"))
    for rulebook in RULEBOOKS:
        standings, logs = played(ROOT, tmp_path / f"{rulebook}-compiled", rulebook)
        assert len(logs) == 120
        assert (standings, logs) == played(pure, tmp_path / f"{rulebook}-pure", rulebook)
