"""A table at home: a referee as a process, with one seat for the person who started it.

The referee has a process of its own, so the page's process never has a hidden tile. A new game is
one of ``acquire serve``; a recorded game is played again from a turn by ``recorded_table``.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from ....protocol.rulebook_file import from_json
from ..web.serving import wait_or_kill
from .seat_site import LAUNCH

RECORDED_TABLE = f"{__package__}.recorded_table"
STOP_TIMEOUT = 10.0
"""Seconds for the referee to end by itself."""


class NoTable(RuntimeError):
    """The referee could not begin; the text is what it printed."""


class HomeTable:
    """A referee that waits for a player, ``name``, on ``port`` of this machine.

    It plays by ``rulebook``, if that is known only now.
    """

    def __init__(self, first: dict[str, Any], name: str, output: IO[str]) -> None:
        self.port = int(first["addresses"][0].rpartition(":")[2])
        self.name: str = first.get("name", name)
        self.rulebook = from_json(first["rulebook"]) if "rulebook" in first else None
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
    name: str,
    rulebook: str,
    opponents: Sequence[str],
    seed: int | None,
    hide: str | None,
    start: tuple[Path, int, str] | None = None,
) -> Iterator[HomeTable]:
    """Referee one game of a person and built-in players; ``NoTable`` if it cannot begin.

    The person called ``name`` has no clock. ``rulebook`` is an id or a file. With a ``start`` a
    recorded game is played again, and nothing else counts.
    """
    command = [sys.executable, "-P"]
    if start is not None:
        command += ["-m", RECORDED_TABLE, *map(str, start)]
    else:
        command += ["-c", LAUNCH, "serve", "--json", "--port", "0", "--rulebook", rulebook]
        command += ["--players", str(len(opponents) + 1)]
        command += [word for opponent in opponents for word in ("--opponent", opponent)]
        command += ["--clock", f"{name}=none", "--reply-timeout", "60"]  # may sign up late
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
            yield HomeTable(json.loads(first), name, process.stdout)
        finally:
            process.terminate()
            wait_or_kill(process, STOP_TIMEOUT)
            process.stdout.close()
