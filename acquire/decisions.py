"""A question taken apart into decisions, each among a fixed set of actions, and what is observed.

An answer to a question can be a tile, a hotel, three certificates and the end of the game at once:
thousands of answers. For learning it is decided one step at a time, and every step chooses one of
the same actions: a tile, a hotel, *no* or *yes*, or a number of certificates.
"""

from collections.abc import Generator, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple, TypeAlias, TypeVar, assert_never

import numpy as np
from numpy.typing import NDArray

from .answers import guessed
from .game.placement import Placement, named_equals
from .game.rulebook import Rulebook
from .game.state import State
from .game.tiles import GRID, TILES, tile_name
from .protocol import messages
from .protocol.messages import PlayerMessage
from .protocol.question import Question

T = TypeVar("T")
Words: TypeAlias = Mapping[tuple[int, ...], T]
"""Choices, by the actions that each is made up of, in their order."""


class IllegalAction(ValueError):
    """An action is not among the legal ones of a step."""


class Phase(Enum):
    """What a step decides."""

    TILE = "tile to place"
    HOTEL = "hotel to found, to survive, or to come next"
    BUY = "certificate to buy"
    END = "declare the end"
    KEEP = "keep the certificates"
    SELL = "certificates to sell"
    TRADE = "certificates to trade"
    REPLACE = "replace the hand"


class DecisionStep(NamedTuple):
    """One decision: what it is about, the position so far, and the legal actions.

    ``hotel`` is the acquired hotel in question, ``tile`` the tile that is being placed.
    """

    phase: Phase
    state: State
    actions: Sequence[int] = ()
    hotel: int | None = None
    tile: int | None = None


Steps: TypeAlias = Generator[DecisionStep, int, T]
"""Decisions in progress: yields steps, is sent an action for each, and returns a choice."""


class Actions:
    """The actions of a rulebook: numbers from 0.

    First come the 108 tiles row by row, then the hotels, *no*, *yes*, and the numbers of
    certificates from 0.
    """

    def __init__(self, rulebook: Rulebook) -> None:
        self._rulebook = rulebook
        self._tiles = {tile: action for action, tile in enumerate(TILES)}
        self._hotels = len(TILES)
        self.no = self._hotels + len(rulebook.hotels)
        self.yes = self.no + 1
        self._numbers = self.yes + 1
        self.count = self._numbers + rulebook.certificates + 1
        """How many actions there are."""

    def tile(self, tile: int) -> int:
        """Return the action that places a tile."""
        return self._tiles[tile]

    def hotel(self, hotel: int) -> int:
        """Return the action that names a hotel, or buys one certificate of it."""
        return self._hotels + hotel

    def number(self, number: int) -> int:
        """Return the action that gives a number of certificates."""
        return self._numbers + number

    def name(self, action: int) -> str:
        """Return an action in words; ``IndexError`` if there is none.

        >>> from acquire import REVISED
        >>> actions = Actions(REVISED)
        >>> [actions.name(action) for action in (0, 107, 108, 115, 116, 120)]
        ['1A', '12I', 'American', 'no', 'yes', '3']
        """
        if not 0 <= action < self.count:
            raise IndexError(action)
        if action < self._hotels:
            return tile_name(TILES[action])
        if action < self.no:
            return self._rulebook.hotel_name(action - self._hotels)
        if action < self._numbers:
            return "no" if action == self.no else "yes"
        return str(action - self._numbers)


def decide(actions: Actions, question: Question) -> Steps[PlayerMessage]:
    """Decide an answer step by step, in the position as its player imagines it."""
    question = guessed(question)
    state = question.state
    match question.message:
        case messages.Turn() | messages.TurnView():
            return (yield from _turn(actions, question))
        case messages.Players() | messages.PlayersView():
            return messages.Order(*(yield from _order(actions, question)))
        case messages.Keep(hotels):
            kept = []
            for hotel in hotels:
                kept.append(
                    (yield from _yes_or_no(actions, DecisionStep(Phase.KEEP, state, hotel=hotel)))
                )
            return messages.KeepAnswer(tuple(kept))
        case messages.Dispose(hotel=hotel):
            return (yield from _dispose(actions, question, hotel))
        case messages.MarketMerger():
            placement = yield from _placement(actions, state, question.placements())
            return messages.Merge(placement)
        case messages.Replace():
            replaced = yield from _yes_or_no(actions, DecisionStep(Phase.REPLACE, state))
            return messages.ReplaceAnswer(replaced)
        case _:
            assert_never(question.message)


def _turn(actions: Actions, question: Question) -> Steps[PlayerMessage]:
    placement = None
    if placements := question.placements():
        placement = yield from _placement(actions, question.state, placements)
        if question.merges(placement):
            return messages.Merge(placement)
    return messages.Pbuy(placement, *(yield from _order(actions, question, placement)))


def _placement(actions: Actions, state: State, placements: list[Placement]) -> Steps[Placement]:
    """Decide a tile, then its hotel, then the order of equal acquired hotels."""
    tiles: Words[int] = {(actions.tile(one.tile),): one.tile for one in placements}
    tile = yield from _spell(tiles, DecisionStep(Phase.TILE, state))
    words = {
        tuple(map(actions.hotel, _hotels(state, one))): one
        for one in placements
        if one.tile == tile
    }
    return (yield from _spell(words, DecisionStep(Phase.HOTEL, state, tile=tile)))


def _hotels(state: State, placement: Placement) -> list[int]:
    """Return the hotels that a placement names, with alphabetical equals listed too."""
    if placement.hotel is None:
        return []
    return [placement.hotel, *named_equals(state.rulebook, state.board, placement)]


def _order(
    actions: Actions, question: Question, placement: Placement | None = None
) -> Steps[tuple[tuple[int, ...], bool]]:
    """Decide certificate after certificate, in alphabetical order, then the end of the game."""
    state = question.ordering(placement)
    limit = state.rulebook.order_limit
    words = {
        (*map(actions.hotel, order), *([actions.no] if len(order) < limit else [])): order
        for order in question.orders(placement)
    }
    order = yield from _spell(words, DecisionStep(Phase.BUY, state))
    end = False
    if question.ending(placement) is not None:
        end = yield from _yes_or_no(actions, DecisionStep(Phase.END, state))
    return order, end


def _dispose(actions: Actions, question: Question, hotel: int) -> Steps[PlayerMessage]:
    state, legal = question.state, question.disposals()
    sales: Words[int] = {(actions.number(one.sell),): one.sell for one in legal}
    sell = yield from _spell(sales, DecisionStep(Phase.SELL, state, hotel=hotel))
    trades: Words[int] = {
        (actions.number(one.trade),): one.trade for one in legal if one.sell == sell
    }
    trade = yield from _spell(trades, DecisionStep(Phase.TRADE, state, hotel=hotel))
    return messages.DisposeAnswer(sell, trade)


def _yes_or_no(actions: Actions, step: DecisionStep) -> Steps[bool]:
    words: Words[bool] = {(actions.no,): False, (actions.yes,): True}
    return (yield from _spell(words, step))


def _spell(words: Words[T], step: DecisionStep) -> Steps[T]:
    """Decide between choices action by action; none of the words begins another."""
    left, at = {**words}, 0
    while len(left) > 1:
        legal = sorted({word[at] for word in left})
        action = legal[0]
        if len(legal) > 1:
            action = yield step._replace(actions=legal)
            if action not in legal:
                raise IllegalAction(f"action {action} is not legal here; these are: {legal}")
        left = {word: choice for word, choice in left.items() if word[at] == action}
        at += 1
    [choice] = left.values()
    return choice


# -- positions as vectors: what a player knows, for learning --------------------------------------

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
