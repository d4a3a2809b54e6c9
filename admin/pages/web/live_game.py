"""One game as spectators may see it: its log replayed as it is written, hidden hands taken out.

The messages of its event stream are made once for all spectators. A spectator who joins later, or
comes back, is sent all of them. Where something is hidden, all are sent the whole game at the end.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import trio
from lxml import etree

from ....game.tiles import TILES
from ....protocol.rulebook_file import to_json
from ...refereeing.log.reader import read_bytes
from ...refereeing.log.recorder import Header
from ...refereeing.log.verifier import Replay
from ...refereeing.view import frames
from ...refereeing.view.board_text import initial
from .application import event

OUT = "out"  # in place of the worth of a player who was ejected


def miniature(table: frames.Tabletop | None) -> frames.Frame:
    """Return a table, small, for the lobby, as values for JSON; ``None`` before the game.

    ``board`` is a digit for each cell: 0 is free, then the hotels, 8 a loose tile, 9 one set aside.
    ``last`` is the cell of the tile placed last. ``worths`` are by seat: dollars, :data:`OUT` or,
    where it is hidden, ``None``.
    """
    if table is None:
        return {"turn": 0, "board": "0" * len(TILES), "last": None, "worths": []}
    return {
        "turn": table.turn,
        "board": "".join(str(what - frames.FREE) for what in table.cells),
        "last": table.last,
        "worths": [OUT if has.get("out") else has.get("worth") for has in table.players],
    }


class LiveGame:
    """A live or finished game. ``take`` the bytes of its log as they come.

    A ``sealed`` game keeps hidden hands hidden after its end, until it is unsealed: as long as the
    same tiles may be dealt again.
    """

    def __init__(
        self, id_: str, title: str, players: Sequence[str], *, sealed: bool = False
    ) -> None:
        self.id, self.title, self.players = id_, title, [*players]
        self._sealed = sealed
        self.header: Header | None = None
        self.table: frames.Tabletop | None = None  # what spectators see once the game has begun
        self._letters = ""
        self.ending = ""  # a sentence, once it is over
        self.abandoned = False  # whether it is over without having come to its end
        self._numbers = [*range(len(players))]  # by player, the number on all pages
        self.messages: list[bytes] = []  # the event stream
        self._last_news = trio.current_time() if trio.lowlevel.in_trio_run() else 0.0
        self.whole = b""  # the only message to those who come after the end: nothing is hidden
        self.changed = trio.Event()  # set when there are more messages, and then replaced
        self._partial_line = b""
        self._head = b""
        self._replay: Replay | None = None
        self._match: frames.Frame = {}  # what a terminal has to know once the game has begun
        self._steps_sent: list[frames.Frame] = []
        self._fresh: list[frames.Frame] = []

    def take(self, data: bytes) -> None:
        """Take more of the log, and send spectators the steps that it makes."""
        *lines, self._partial_line = (self._partial_line + data).split(b"\n")
        for line in lines:
            if self._replay is None:
                self._head += line + b"\n"
                if self._head.count(b"\n<seat ") == len(self.players):
                    self._replay = self._begin()
            elif line and line != b"</match>":
                self._replay.take(etree.fromstring(line))
        self._publish()

    def _begin(self) -> Replay:
        """Begin the replay; all of the header has arrived."""
        self.header = read_bytes(Path(self.id), self._head).header
        rulebook = self.header.rulebook
        hotels = range(len(rulebook.hotels))
        self._letters = "".join(initial(rulebook, hotel) for hotel in hotels)
        self.table = frames.Tabletop(rulebook, self.header.names)
        self._numbers = frames.turn_order(self.header)
        self._match = {"rulebook": to_json(rulebook), "names": self.header.names}
        self._send({"match": self._match})
        maker = frames.recorded_frames(self.header)
        self._fresh.append(maker.begin())
        replay = Replay(self.header, lambda event: self._fresh.extend(maker.take(event)))
        replay.start()
        return replay

    # -- the event stream ------------------------------------------------------------------------

    def _publish(self) -> None:
        if not self._fresh or self.header is None or self.table is None:
            return
        fresh, self._fresh = self._fresh, []
        self._steps_sent += fresh
        seen = [frames.without_secrets(step, self.header.rulebook) for step in fresh]
        for step in seen:
            self.table.put(step)
        self._send({"steps": seen})

    def close(self, ending: str, *, abandoned: bool = False) -> None:
        """Reveal everything, unless the game is sealed; an abandoned one has no end."""
        self._publish()
        self.ending, self.abandoned = ending, abandoned
        if self._sealed and self.header is not None:
            self._send({"sealed": True, **self._cut})
        else:
            self._reveal()

    def unseal(self) -> None:
        """Reveal everything as soon as the game is over."""
        if self._sealed:
            self._sealed = False
            if self.ending:
                self._reveal()

    @property
    def complete(self) -> bool:
        """Whether the last message has been made."""
        return bool(self.ending) and not self._sealed

    @property
    def _cut(self) -> frames.Frame:
        return {"cut": self.ending} if self.abandoned else {}

    def _reveal(self) -> None:
        """Send the end; where something was hidden, with all of the game."""
        if self.header is None:
            return
        end: frames.Frame = {"over": True, **self._cut}
        whole = {"match": self._match, "steps": self._steps_sent, **end}
        self.whole = event(whole)
        self._send(whole if frames.hidden_fields(self.header.rulebook) else end)
        self._steps_sent = []

    @property
    def waited(self) -> float:
        """For how many seconds nothing has happened."""
        return trio.current_time() - self._last_news

    def _send(self, fields: frames.Frame) -> None:
        if trio.lowlevel.in_trio_run():
            self._last_news = trio.current_time()
        self.messages.append(event(fields))
        self.wake()

    def wake(self) -> None:
        """Wake everybody who waits for more messages."""
        self.changed.set()
        self.changed = trio.Event()

    # -- the lobby -------------------------------------------------------------------------------

    def fields(self) -> dict[str, Any]:
        """Return what the lobby shows of it, as values for JSON."""
        over = "abandoned" if self.abandoned else "finished"
        return {
            "id": self.id,
            "title": self.title,
            "players": self.players,
            "numbers": self._numbers,
            "state": over if self.ending else "live",
            "letters": self._letters,
            **miniature(self.table),
            "ending": self.ending,
            "results": [*self.table.standings] if self.table is not None and self.ending else [],
        }
