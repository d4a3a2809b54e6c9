"""Frames put together again: the table as a spectator has it."""

from collections.abc import Sequence
from typing import Any

from admin.view.frames import ASIDE, FREE, LOOSE, Frame
from game.board import lay_out
from game.rulebook import Rulebook
from game.state import Player, State
from game.tiles import COLUMNS, STRIDE, Mask


class Tabletop:
    """What lies on and around the table. ``put`` the steps, in order."""

    def __init__(self, rulebook: Rulebook, names: Sequence[str]) -> None:
        self._rulebook = rulebook
        self._names = names
        self._board: dict[int, int] = {}
        self._players: list[dict[str, Any]] = [{} for _ in names]
        self._bank: list[int] = [rulebook.certificates] * len(rulebook.hotels)
        self.bag = 0
        """How many tiles have not been drawn."""
        self.turn = 0

    def put(self, step: Frame) -> None:
        """Take what a step has changed."""
        self.turn = step["turn"]
        for cell, what in step.get("board", ()):
            self._board[cell] = what
        for place, changed in step.get("players", {}).items():
            self._players[int(place)] |= changed
        self._bank = step.get("bank", self._bank)
        self.bag = step.get("bag", self.bag)

    @property
    def state(self) -> State:
        """The position, in seat order; what a spectator cannot see is empty."""
        by_what: dict[int, Mask] = {}
        for cell, what in self._board.items():
            if what != FREE:
                by_what[what] = by_what.get(what, 0) | _bit(cell)
        hotels = tuple(by_what.get(hotel, 0) for hotel in range(len(self._rulebook.hotels)))
        board = lay_out(self._rulebook, by_what.get(LOOSE, 0), hotels)
        nothing = (0,) * len(hotels)
        players = tuple(
            Player(
                name,
                shown.get("cash", 0),
                tuple(shown.get("shares") or nothing),
                _mask(shown.get("hand", ())),
            )
            for name, shown in zip(self._names, self._players, strict=True)
            if not shown.get("out", False)
        )
        aside = by_what.get(ASIDE, 0)
        return State(self._rulebook, board, players, tuple(self._bank), (), aside)


def _bit(cell: int) -> Mask:
    return 1 << (cell // COLUMNS * STRIDE + cell % COLUMNS)


def _mask(cells: Sequence[int]) -> Mask:
    mask = 0
    for cell in cells:
        mask |= _bit(cell)
    return mask
