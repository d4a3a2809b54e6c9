"""Frames put together again: the table as a spectator has it."""

from collections.abc import Iterable, Sequence

from ....game.board import lay_out
from ....game.rulebook import Rulebook
from ....game.state import State
from ....game.tiles import TILES, Mask, mask_of
from ..play.outcome import Standing
from .board_text import PlayerRow
from .frames import ASIDE, FREE, LAYING, LOOSE, Frame, FrameKind


class Tabletop:
    """What lies on and around the table. ``put`` the steps, in order."""

    def __init__(self, rulebook: Rulebook, names: Sequence[str]) -> None:
        self._rulebook = rulebook
        self._names = names
        self._bank: list[int] = [rulebook.certificates] * len(rulebook.hotels)
        self.cells = [FREE] * len(TILES)
        self.players: list[Frame] = [{} for _ in names]
        """What a spectator sees of each player, as in a frame, in seat order."""
        self.bag = 0
        self.turn = 0
        self.last: int | None = None
        """The cell of the tile placed last, unless it was taken back."""
        self.standings: list[Standing] = []
        """Empty before the end."""

    def put(self, step: Frame) -> None:
        """Take what a step has changed."""
        self.turn, kind = step["turn"], step["kind"]
        if kind == FrameKind.Ranked:
            name = self._names[step["player"]]
            self.standings.append(Standing(step["rank"], name, step["score"], step["finished"]))
        changed = dict(step.get("board", ()))
        for cell, what in changed.items():
            self.cells[cell] = what
        if kind in LAYING and changed.get(step.get("tile"), ASIDE) != ASIDE:
            self.last = step["tile"]
        elif kind == FrameKind.TurnUndone:
            self.last = None
        self._bank = step.get("bank", self._bank)
        self.bag = step.get("bag", self.bag)
        for place, what in step.get("players", {}).items():
            self.players[int(place)] |= what

    @property
    def state(self) -> State:
        """The position without its players, who are in ``rows``."""

        def tiles(what: int) -> Mask:
            return _mask(cell for cell, found in enumerate(self.cells) if found == what)

        hotels = tuple(map(tiles, range(len(self._rulebook.hotels))))
        board = lay_out(self._rulebook, tiles(LOOSE), hotels)
        return State(self._rulebook, board, (), tuple(self._bank), (), tiles(ASIDE))

    @property
    def rows(self) -> list[PlayerRow]:
        """What a spectator sees of each player, in seat order."""
        return [
            PlayerRow(name, ejected=True)
            if shown.get("out")
            else PlayerRow(
                name,
                shown.get("cash"),
                shown.get("shares"),
                shown.get("worth"),
                _mask(shown["hand"]) if "hand" in shown else None,
            )
            for name, shown in zip(self._names, self.players, strict=True)
        ]


def _mask(cells: Iterable[int]) -> Mask:
    return mask_of(TILES[cell] for cell in cells)
