"""What is known of the machine that tasks run on."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from acquire.admin.refereeing.table.run import write_crash_report

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


def test_bug_is_reported_where_no_temporary_file_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    try:
        raise KeyError("\udcff")
    except KeyError as error:
        unwritten = write_crash_report(error)
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        written = write_crash_report(error)
    assert "KeyError" in unwritten and f"of {__file__}). Please report it" in unwritten
    assert "No such file or directory" in unwritten
    (file,) = tmp_path.iterdir()
    assert str(file) in written and "test_run.py" in file.read_text()
