"""A table at home: ``acquire serve`` as a process, with one seat for the person who started it.

The referee has a process of its own, so the page's process never has a hidden tile.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ..web.serving import wait_or_kill

LAUNCH = "from acquire.admin.cli.main import main; main()"
STOP_TIMEOUT = 10.0
"""Seconds for the referee to end by itself."""


class NoTable(RuntimeError):
    """The referee could not begin; the text is what it printed."""


class HomeTable:
    """A referee that waits for one player on ``port`` of this machine."""

    def __init__(self, port: int, output: IO[str]) -> None:
        self.port = port
        self._output = output

    def log(self) -> Path | None:
        """Wait until the game is over; return its log, ``None`` if there is none."""
        for line in self._output:
            fields = json.loads(line)
            if fields["event"] == "over":
                return Path(fields["log"])
        return None


@contextmanager
def home_table(
    name: str, rulebook: str, opponents: Sequence[str], seed: int | None, hide: str | None
) -> Iterator[HomeTable]:
    """Serve one game of a person and built-in players; ``NoTable`` if it cannot begin.

    The person called ``name`` has no clock. ``rulebook`` is an id or a file.
    """
    command = [sys.executable, "-P", "-c", LAUNCH, "serve", "--json", "--port", "0"]
    command += ["--players", str(len(opponents) + 1), "--rulebook", rulebook]
    command += [word for opponent in opponents for word in ("--opponent", opponent)]
    command += ["--clock", f"{name}=none", "--reply-timeout", "60"]  # a busy machine signs up late
    command += [] if seed is None else ["--seed", str(seed)]
    command += [] if hide is None else ["--hide", hide]
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            encoding="utf-8",
            start_new_session=True,  # Ctrl-C ends this process, and that ends the referee
        )
        assert process.stdout is not None
        try:
            first = process.stdout.readline()
            if not first:
                process.wait()
                errors.seek(0)
                raise NoTable(errors.read().strip().removeprefix("Error: "))
            address: str = json.loads(first)["addresses"][0]
            yield HomeTable(int(address.rpartition(":")[2]), process.stdout)
        finally:
            process.terminate()
            wait_or_kill(process, STOP_TIMEOUT)
            process.stdout.close()
