"""A table at home: a referee as a process, with one seat for the person who started it.

The referee has a process of its own, so the page's process never has a hidden tile. A new game is
one of ``acquire serve``. A recorded game is played again from a turn, by the person and built-in
players, by ``python -m acquire.admin.pages.seat.home_table LOG TURN NAME``: it prints where it
listens, and waits for the person, who has the seat of ``NAME``; of whoever moves, if that is empty.
The tiles in the bag are those of the game. The log begins with the position of the turn.
"""

import json
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import IO, Any

import trio

from ....protocol.plugins import load_strategy
from ....protocol.rulebook_file import from_json, to_json
from ...refereeing.log.reader import UnreadableLog, read
from ...refereeing.play.referee import Segment
from ...refereeing.table.clocks import NO_CLOCKS
from ...refereeing.table.lag import Lag
from ...refereeing.table.run import beside
from ...refereeing.view.turn_text import turns_of
from ...testing.trial.trial import Script, Trial
from ..web.serving import own_process
from .adviser import ADVISER
from .seat_site import LAUNCH

FOLDER = Path("matches")  # where logs are written, as `acquire serve` does
STOP_TIMEOUT = 10.0  # seconds for the referee to end by itself


class HomeTable:
    """A referee that waits for a player, ``name``, on ``port`` of this machine.

    It plays by ``rulebook``, if that is known only now.
    """

    def __init__(self, first: dict[str, Any], name: str, output: IO[bytes]) -> None:
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
    """Referee one game of a person and built-in players; ``UserError`` if it cannot begin.

    The person called ``name`` has no clock. ``rulebook`` is an id or a file. With a ``start`` a
    recorded game is played again, and nothing else counts.
    """
    if start is not None:
        command = ["-m", __name__, *map(str, start)]
    else:
        command = ["-c", LAUNCH, "serve", "--json", "--port", "0", "--rulebook", rulebook]
        command += ["--players", str(len(opponents) + 1)]
        command += [word for opponent in opponents for word in ("--opponent", opponent)]
        command += ["--clock", f"{name}=none", "--reply-timeout", "60"]  # may sign up late
        command += [] if seed is None else ["--seed", str(seed)]
        command += [] if hide is None else ["--hide", hide]
    with own_process(command, patience=STOP_TIMEOUT) as (process, first_line, _):
        assert process.stdout is not None
        try:
            yield HomeTable(json.loads(first_line), name, process.stdout)
        finally:
            process.terminate()


# -- a recorded game --------------------------------------------------------------------------


def replay_table(log: str, turn: str, name: str) -> None:
    """Referee a recorded game; exit with what is wrong if there is no such turn or player."""
    script = _script(Path(log), int(turn), name)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        rulebook = to_json(script.rulebook)
        first = {"addresses": [address], "name": script.subject, "rulebook": rulebook}
        print(json.dumps(first), flush=True)
        connection, _ = listener.accept()
    connection.setblocking(False)
    if played := trio.run(_referee, script, connection):
        written = _write(played, Path(log), turn)
        print(json.dumps({"event": "over", "log": str(written)}), flush=True)


def _script(log: Path, turn: int, name: str) -> Script:
    try:
        record = read(log)
    except UnreadableLog as error:
        sys.exit(str(error))
    begun = {turned.number: turned.state for turned in turns_of(record)[0] if turned.who}
    if (state := begun.get(turn)) is None:
        sys.exit(f"{log} has turns 1 to {len(begun)}, not {turn}.")
    names = tuple(player.name for player in state.players)
    subject = name or state.mover.name
    if subject not in names:
        players = ", ".join(map(repr, names))
        sys.exit(f"In turn {turn} no player is called {subject!r}. Players: {players}.")
    make = load_strategy(ADVISER)
    opponents = {other: (lambda rulebook: make(rulebook, 0)) for other in names if other != subject}
    return Script(record.header.rulebook, names, subject, (Segment(state, None),), opponents)


async def _referee(script: Script, connection: socket.socket) -> bytes:
    """Referee the game; return its log, which is empty if the person took no seat."""
    lag = Lag()
    async with beside(lag.run):
        return (await Trial(script, NO_CLOCKS, lag).play(connection, "")).log


def _write(log: bytes, of: Path, turn: str) -> Path:
    """Write a log beside those of other games, under a name that is free."""
    FOLDER.mkdir(exist_ok=True)
    for number in count(1):
        path = FOLDER / f"{of.stem}-turn-{turn}-{number}.xml"
        with suppress(FileExistsError), path.open("xb") as file:
            file.write(log)
            return path
    raise AssertionError("numbers do not end")


if __name__ == "__main__":
    replay_table(*sys.argv[1:])
