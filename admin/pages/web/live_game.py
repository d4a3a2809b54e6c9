"""One game as spectators may see it: its log replayed as it is written, hidden hands taken out.

The messages of its event stream are numbered, and made once for all spectators. A spectator who
joins later is sent all of them. At the end, those who have watched are sent only what was hidden.
"""

from pathlib import Path
from typing import Any

import trio
from lxml import etree

from ....protocol.rulebook_file import to_json
from ...refereeing.log.reader import read_bytes
from ...refereeing.log.recorder import Header
from ...refereeing.log.replay import Replay
from ...refereeing.play import events
from ...refereeing.play.events import Event
from ...refereeing.view.board_text import initial
from ...refereeing.view.frames import Frame, Frames, recorded_frames, secrets_of, without_secrets
from .event_streams import event
from .miniature import Miniature


class LiveGame:
    """A live or finished game with ``seats`` seats. ``take`` the bytes of its log as they come.

    A ``sealed`` game keeps hidden hands hidden after its end, until it is unsealed: as long as the
    same tiles may be dealt again.
    """

    def __init__(self, id_: str, seats: int, *, sealed: bool = False) -> None:
        self.id = id_
        self._seats = seats
        self._sealed = sealed
        self.header: Header | None = None
        self.table = Miniature(seats)
        """The table as the lobby shows it."""
        self.over = False
        self.results: list[list[Any]] = []
        self.messages: list[bytes] = []
        """The event stream."""
        self.whole = b""
        """The only message for those who come after the end, when nothing is hidden any more."""
        self.changed = trio.Event()
        """Set when there are more messages, and then replaced."""
        self._cut: Frame = {}
        self._partial_line = b""
        self._head = b""
        self._replay: Replay | None = None
        self._steps: Frames | None = None
        self._steps_sent: list[Frame] = []
        self._fresh: list[Frame] = []

    def take(self, data: bytes) -> None:
        """Take more of the log, and send spectators the steps that it makes."""
        *lines, self._partial_line = (self._partial_line + data).split(b"\n")
        for line in lines:
            self._take_line(line)
        self._publish()

    def _take_line(self, line: bytes) -> None:
        if self._replay is None:
            self._head += line + b"\n"
            if self._head.count(b"\n<seat ") == self._seats:
                self._replay = self._begin()
        elif line and line != b"</match>":
            self._replay.take(etree.fromstring(line))

    def _begin(self) -> Replay:
        """Begin the replay; all of the header has arrived."""
        self.header = read_bytes(Path(self.id), self._head).header
        rulebook = self.header.rulebook
        hotels = range(len(rulebook.hotels))
        self.table.letters = "".join(initial(rulebook, hotel) for hotel in hotels)
        self._steps = recorded_frames(self.header)
        self._send({"match": self._game()})
        self._fresh.append(self._steps.begin())
        replay = Replay(self.header, self._happened)
        replay.start()
        return replay

    def _game(self) -> Frame:
        """Return what a terminal has to know about the game."""
        assert self.header is not None
        rulebook = self.header.rulebook
        return {"rulebook": to_json(rulebook), "names": [seat.name for seat in self.header.seats]}

    def _happened(self, happened: Event) -> None:
        assert self._steps is not None
        self._fresh += self._steps.take(happened)
        if isinstance(happened, events.Ranked):
            self.results.append(list(happened))

    # -- the event stream ------------------------------------------------------------------------

    def _publish(self) -> None:
        if not self._fresh or self.header is None:
            return
        fresh, self._fresh = self._fresh, []
        self._steps_sent += fresh
        seen = [without_secrets(step, self.header.rulebook) for step in fresh]
        for step in seen:
            self.table.put(step)
        self._send({"steps": seen})

    def close(self, cut: str = "") -> None:
        """Reveal everything, unless the game is sealed; ``cut`` says why it has no end."""
        self._publish()
        self.over = True
        self._cut = {"cut": cut} if cut else {}
        if self.header is None:
            return
        if self._sealed:
            self._send({"sealed": True, **self._cut})
        else:
            self._reveal()

    def unseal(self) -> None:
        """Reveal everything as soon as the game is over."""
        if self._sealed:
            self._sealed = False
            if self.over and self.header is not None:
                self._reveal()

    @property
    def complete(self) -> bool:
        """Whether the last message has been made."""
        return self.over and not self._sealed

    def _reveal(self) -> None:
        assert self.header is not None
        steps, self._steps_sent = self._steps_sent, []
        hidden = [secrets_of(step, self.header.rulebook) for step in steps]
        secrets = [[number, secret] for number, secret in enumerate(hidden) if secret]
        end: Frame = {"over": True, **self._cut}
        self.whole = event(len(self.messages), {"match": self._game(), "steps": steps, **end})
        self._send({"secrets": secrets, **end} if secrets else end)

    def _send(self, fields: Frame) -> None:
        self.messages.append(event(len(self.messages), fields))
        self.wake()

    def wake(self) -> None:
        """Wake everybody who waits for more messages."""
        self.changed.set()
        self.changed = trio.Event()

    def first_for(self, last_seen: int | None) -> int:
        """Return the number of the first message to send to a spectator who has seen some."""
        if last_seen is not None and last_seen < len(self.messages):
            return last_seen + 1
        return 0
