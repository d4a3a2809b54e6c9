"""Positions as vectors: what a player knows, for learning."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .decisions import Actions, DecisionStep, Phase
from .game.rulebook import Rulebook
from .game.state import State
from .game.tiles import GRID, TILES

Observation: TypeAlias = dict[str, NDArray[Any]]
"""A vector, ``observation``, and the legal actions, ``action_mask``."""

PER_DOLLAR = 1 / 10_000
"""Money is counted in units of $10,000."""
MASK_BYTES = 16
"""Enough for all bits of a mask."""


class Encoder:
    """Turns positions into vectors. ``parts`` says where to find what:

    loose, hotels, unplayable        108 cells each, row by row: loose tiles, each hotel's tiles,
                                     where no tile may be placed
    hand, other hands                the same for the agent's tiles, and each other player's
    placing                          the tile that is being placed
    cash                             of each player, in units of $10,000
    shares                           of each player and hotel, as a part of all that there are
    mover                            1 for the player whose turn it is
    bank, sizes, prices              of each hotel: certificates left, as a part; tiles, as a part
                                     of the size that ends the game; price in units of $1,000
    phase                            1 for what is decided, in the order of ``Phase``
    about                            1 for the acquired hotel that is decided about

    Players are in turn order, the agent first. What belongs to those who were ejected is 0.
    """

    def __init__(self, rulebook: Rulebook, players: int) -> None:
        hotels = len(rulebook.hotels)
        self._rulebook = rulebook
        self._players = players
        self.actions = Actions(rulebook).count
        """The length of the mask."""
        cells = len(TILES)
        lengths = {
            "loose": cells,
            "hotels": cells * hotels,
            "unplayable": cells,
            "hand": cells,
            "other hands": cells * (players - 1),
            "placing": cells,
            "cash": players,
            "shares": players * hotels,
            "mover": players,
            "bank": hotels,
            "sizes": hotels,
            "prices": hotels,
            "phase": len(Phase),
            "about": hotels,
        }
        self.parts: dict[str, slice] = {}
        self.size = 0
        for part, length in lengths.items():
            self.parts[part] = slice(self.size, self.size + length)
            self.size += length
        self._cells = np.array(TILES)
        self._nothing = [0] * hotels
        self._phases = {phase: at for at, phase in enumerate(Phase)}

    def encode(
        self, state: State | None, agent: str, step: DecisionStep | None
    ) -> NDArray[np.float32]:
        """Return the vector of a position as an agent knows it, all 0 before the first one."""
        vector = np.zeros(self.size, np.float32)
        if state is None:
            return vector
        if len(state.players) > self._players:
            raise ValueError(
                f"{len(state.players)} players are at the table, and observations are made for "
                f"{self._players}: set Agent.players to the size of the table"
            )
        board, rulebook = state.board, self._rulebook
        at = [player.name for player in state.players].index(agent)
        players = state.players[at:] + state.players[:at]
        missing = self._players - len(players)
        placing = 1 << step.tile if step and step.tile is not None else 0
        hands = [*(player.hand for player in players), *[0] * missing]
        masks = [board.loose, *board.hotels, board.unplayable & GRID, *hands, placing]
        bits = np.frombuffer(b"".join(m.to_bytes(MASK_BYTES, "little") for m in masks), np.uint8)
        planes = np.unpackbits(bits, bitorder="little").reshape(len(masks), -1)[:, self._cells]
        vector[: planes.size] = planes.ravel()
        whole = rulebook.certificates
        shares = [count / whole for player in players for count in player.shares]
        about, phase = [*self._nothing], [0] * len(self._phases)
        if step is not None:
            phase[self._phases[step.phase]] = 1
            if step.hotel is not None:
                about[step.hotel] = 1
        vector[planes.size :] = [
            *(player.cash * PER_DOLLAR for player in players),
            *[0.0] * missing,
            *shares,
            *self._nothing * missing,
            *(float(player is state.mover) for player in players),
            *[0.0] * missing,
            *(count / whole for count in state.bank),
            *(size / rulebook.final_size for size in board.sizes),
            *(state.price(hotel) / 1000 for hotel in range(len(board.sizes))),
            *phase,
            *about,
        ]
        return vector


def observe(encoder: Encoder, step: DecisionStep, name: str) -> Observation:
    """Return what the player called ``name`` knows when it has a step to decide."""
    mask = np.zeros(encoder.actions, np.int8)
    mask[[*step.actions]] = 1
    return {"observation": encoder.encode(step.state, name, step), "action_mask": mask}
