"""What holds for all tests: their order, and the width of the terminal, which is not known.

`make test` deals whole files to several processes, each to the next that has nothing left to do. A
long one that came last would keep one process busy while the others wait. So what takes long begins
first.
"""

from __future__ import annotations

import os

import pytest

for told in ("COLUMNS", "LINES"):  # by readline, which pytest loads, to every process it starts
    os.environ.pop(told, None)

LONGEST_FIRST = (
    "check/test_matrix.py",
    "check/test_cases.py",
    "admin/test_ejections.py",
    "check/test_starters_pass.py",
    "test_agreement.py",
    "test_table_agreement.py",
    "tournament/test_rogue_players.py",
    "tournament/test_arena.py",
    "test_house_over_tcp.py",
    "tournament/test_pool.py",
    "player/test_investor.py",
    "protocol/test_recorded_messages.py",
)
"""The files that take more than 15 seconds; the others come after them in their usual order."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the tests of the longest files first; within a file they stay as they are."""
    root = config.rootpath / "tests"
    places = {root / name: place for place, name in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: places.get(item.path, len(places)))
