"""The command line for tests: a command in this process, or as a process of its own."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from acquire.admin.cli.main import acquire

ACQUIRE = str(Path(sys.executable).parent / "acquire")
"""The program, for tests that start it."""


def invoke(*words: object, columns: int | None = None) -> Result:
    """Run a command in this process, as in a pipe; a bug of it is raised."""
    runner = CliRunner(env={} if columns is None else {"COLUMNS": str(columns)})
    return runner.invoke(acquire, [*map(str, words)], catch_exceptions=False)


def succeed(*words: object, code: int = 0) -> Result:
    """Run a command in this process that ends with an exit code."""
    done = invoke(*words)
    assert done.exit_code == code, done.output
    return done


def said(*words: object) -> str:
    """Return what a command prints that succeeds in this process, on one line."""
    return on_one_line(succeed(*words).output)


def printed(*words: object) -> Any:
    """Return the JSON that a command prints that succeeds in this process."""
    return json.loads(succeed(*words).stdout)


def refused(*words: object) -> str:
    """Run a command that cannot begin; return what it prints, on one line."""
    output = succeed(*words, code=2).output
    assert "Traceback" not in output
    return on_one_line(output)


def on_one_line(output: str) -> str:
    """Return what was printed, whatever the width of the terminal was."""
    return " ".join(output.split())


def process(
    *words: object, timeout: float = 240, typed: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run a command as a process of its own; ``typed`` is what it can read."""
    return subprocess.run(
        [ACQUIRE, *map(str, words)],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        input=typed,
    )
