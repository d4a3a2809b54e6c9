"""A game as the lobby shows it: a small board, and what each player is worth.

It is made of the frames that spectators see, so it knows nothing that is hidden from them.
"""

from typing import Any

from ....game.tiles import COLUMNS, ROWS
from ...refereeing.view.frames import ASIDE, FREE, LAYING, Frame, FrameKind

OUT = "out"
"""In place of the worth of a player who was ejected."""


class Miniature:
    """The table of a game, small. ``put`` the frames, in order."""

    def __init__(self, seats: int) -> None:
        self.turn = 0
        self.letters = ""
        """The initials of the hotels, in the rulebook's order; empty until the game has begun."""
        self._cells = [_digit(FREE)] * (COLUMNS * len(ROWS))
        self._players: list[Frame] = [{} for _ in range(seats)]
        self._last: int | None = None

    def put(self, frame: Frame) -> None:
        """Take what a frame has changed."""
        self.turn = frame["turn"]
        changed = dict(frame.get("board", ()))
        for cell, what in changed.items():
            self._cells[cell] = _digit(what)
        if frame["kind"] in LAYING and changed.get(frame.get("tile"), ASIDE) != ASIDE:
            self._last = frame["tile"]
        elif frame["kind"] == FrameKind.UNDONE:
            self._last = None
        for place, fields in frame.get("players", {}).items():
            self._players[int(place)] |= fields

    def fields(self) -> dict[str, Any]:
        """Return it as values for JSON.

        ``board`` is a digit for each cell: 0 is free, then the hotels, 8 a loose tile, 9 one set
        aside. ``letters`` are those of the hotels. ``last`` is the cell of the tile placed last.
        ``worths`` are by seat: dollars, :data:`OUT` or, where it is hidden, ``None``.
        """
        return {
            "turn": self.turn,
            "letters": self.letters,
            "board": "".join(self._cells),
            "last": self._last,
            "worths": [OUT if has.get("out") else has.get("worth") for has in self._players],
        }


def _digit(what: int) -> str:
    return str(what - FREE)
