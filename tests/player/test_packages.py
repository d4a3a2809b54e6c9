"""The arrows between the packages of `player`: how a player chooses is known to nobody it needs."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PLAYER = Path(__file__).parents[2] / "player"

MAY_IMPORT = {
    "strategies": {"strategies"},
    "misbehaving": {"misbehaving", "strategies"},
    "program": {"program", "misbehaving", "strategies"},
    "program/client.py": set[str](),
}


def modules(path: str) -> list[Path]:
    """The modules of a package, or one module."""
    return [PLAYER / path] if path.endswith(".py") else sorted((PLAYER / path).glob("*.py"))


def imported(module: Path) -> set[str]:
    """The packages of `player` that a module imports from, anywhere in it."""
    nodes = ast.walk(ast.parse(module.read_text()))
    names = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    return {name.split(".")[1] for name in names if name.startswith("player.")}


@pytest.mark.parametrize("path", MAY_IMPORT)
def test_arrows_are_the_drawn_ones(path: str) -> None:
    assert modules(path)
    for module in modules(path):
        assert imported(module) <= MAY_IMPORT[path], module.name


def test_every_module_is_in_a_package() -> None:
    assert [module.name for module in PLAYER.glob("*.py")] == ["__init__.py"]
    packages = {package.parent.name for package in PLAYER.glob("*/__init__.py")}
    assert packages == {path for path in MAY_IMPORT if not path.endswith(".py")}
