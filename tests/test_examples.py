"""The examples in docstrings of ``admin`` and ``player`` do what they show.

Those of ``game`` and ``protocol`` are collected by pytest. Here they are few, so that importing
every module to look for them would cost more than they do.
"""

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = [
    ".".join(("acquire", *path.relative_to(ROOT).with_suffix("").parts))
    for package in ("admin", "player")
    for path in sorted((ROOT / package).rglob("*.py"))
    if ">>>" in path.read_text()
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_hold(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted and not result.failed
