"""What is known of the machine that tasks run on."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PINNED = """
import os
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
from acquire.admin.refereeing.table.run import cores
print(cores())
"""


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no process is pinned here")
def test_only_processors_that_this_process_may_use_are_counted() -> None:
    found = subprocess.run([sys.executable, "-c", PINNED], capture_output=True, check=True)
    assert found.stdout == b"1\n"
