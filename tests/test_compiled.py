"""Which modules are compiled: none in a checkout, all of the list in `make test-compiled`.

A compilation that fails leaves pure modules, which are imported without a word.
"""

from __future__ import annotations

import importlib
import os
import sysconfig
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
COMPILED = os.environ.get("ACQUIRE_COMPILED") == "1"
HOOKS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]


def modules() -> list[Path]:
    """The modules of the compiled wheel, relative to the project's folder."""
    found: list[Path] = []
    for name in HOOKS["wheel"]["hooks"]["custom"]["modules"]:
        path = ROOT / name
        found += [path] if name.endswith(".py") else sorted(path.glob("*.py"))
    return [path.relative_to(ROOT) for path in found if path.name != "__init__.py"]


def test_modules_are_loaded_as_they_should_be() -> None:
    expected = sysconfig.get_config_var("EXT_SUFFIX") if COMPILED else ".py"
    for path in modules():
        module = importlib.import_module(".".join(path.with_suffix("").parts))
        assert module.__file__ is not None
        assert Path(module.__file__) == ROOT / path.with_suffix(expected), "another one is loaded"


def test_list_of_compiled_modules_is_of_files_that_exist() -> None:
    assert len(modules()) > 30
    for path in modules():
        assert (ROOT / path).is_file(), f"{path} is not there: correct pyproject.toml"


def test_usual_wheel_is_pure() -> None:
    assert HOOKS["wheel"]["hooks"]["custom"]["enable-by-default"] is False
    if not COMPILED:
        packages = HOOKS["wheel"]["packages"]
        assert not [path for name in packages for path in (ROOT / name).rglob("*.so")]
