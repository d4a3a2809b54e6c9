"""A recorded game, played again from a turn by a person and built-in players.

``python -m acquire.admin.pages.seat.recorded_table LOG TURN NAME`` is the referee, a process of its
own. It prints where it listens, and waits for the person, who has the seat of ``NAME``; of whoever
moves, if that is empty. The tiles in the bag are those of the game.
"""

import json
import socket
import sys
from pathlib import Path

import trio

from ....game.state import State
from ....protocol.plugins import load_strategy
from ....protocol.rulebook_file import to_json
from ...refereeing.log.reader import UnreadableLog, read
from ...refereeing.log.verifier import Verifier
from ...refereeing.play.events import Event, TurnBegan
from ...refereeing.play.referee import Segment
from ...refereeing.table.clocks import NO_CLOCKS
from ...refereeing.table.lag import Lag
from ...testing.trial.script import Script
from ...testing.trial.trial import Trial
from .adviser import ADVISER


def main(log: str, turn: str, name: str) -> None:
    """Referee the game; exit with what is wrong if there is no such turn or player."""
    script = _script(Path(log), int(turn), name)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        rulebook = to_json(script.rulebook)
        first = {"addresses": [address], "name": script.subject, "rulebook": rulebook}
        print(json.dumps(first), flush=True)
        connection, _ = listener.accept()
    connection.setblocking(False)
    trio.run(_referee, script, connection)


def _script(log: Path, turn: int, name: str) -> Script:
    begun: dict[int, State] = {}

    def take(event: Event) -> None:
        if isinstance(event, TurnBegan):
            begun[event.number] = event.state

    try:
        record = read(log)
    except UnreadableLog as error:
        sys.exit(str(error))
    Verifier(record, take).verify()
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


async def _referee(script: Script, connection: socket.socket) -> None:
    lag = Lag()
    async with trio.open_nursery() as background:
        background.start_soon(lag.run)
        await Trial(script, NO_CLOCKS, lag).play(connection, "")
        background.cancel_scope.cancel()


if __name__ == "__main__":
    main(*sys.argv[1:])
