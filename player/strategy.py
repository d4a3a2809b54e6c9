"""What every player of the house does with each message, and the four choices that make it one.

A strategy is called with a message of the administrator and returns its answer. The position that
it thinks about is an ordinary :class:`game.state.State` whose bag is empty: nobody sees the bag.
"""

from abc import ABC, abstractmethod
from typing import assert_never

from game.merger import Merger, merge
from game.placement import Kind, Placement, kind_of, place
from game.purchase import Order
from game.rulebook import Rulebook
from game.state import State, position
from protocol import messages
from protocol.messages import AdministratorMessage, PlayerMessage


class Strategy(ABC):
    """A player. ``seed`` is for those that use chance: the same seed plays the same match."""

    def __init__(self, rulebook: Rulebook, seed: int) -> None:
        self.rulebook = rulebook
        self.seed = seed
        self.name = ""
        self.state: State | None = None
        """The last position that this player was told, before any turn."""
        self._merger: Merger | None = None

    @abstractmethod
    def place(self, state: State) -> Placement:
        """Choose a legal placement in ``state``, where this player moves."""

    @abstractmethod
    def order(self, state: State) -> Order:
        """Choose a legal order in ``state``, after the placement and its merger."""

    def keep(self, hotels: tuple[int, ...]) -> tuple[bool, ...]:
        """Choose for each acquired hotel whether to keep its certificates; by default all."""
        return (True,) * len(hotels)

    def __call__(self, message: AdministratorMessage) -> PlayerMessage:
        """Answer one message."""
        match message:
            case messages.SignUp(name):
                self.name = name
                return messages.Void()
            case messages.Turn(board, players):
                return self._move(position(self.rulebook, board, players))
            case messages.State(board, players):
                self.state = position(self.rulebook, board, players)
                return messages.Void()
            case messages.Keep(hotels):
                return messages.Kept(self.keep(hotels))
            case messages.Players(players):
                assert self._merger is not None, "only a merger is followed by <players>"
                board = self._merger.state.board
                return messages.Order(self.order(position(self.rulebook, board, players)))
            case messages.NewTile() | messages.Score() | messages.Ejected():
                return messages.Void()
            case _:
                assert_never(message)

    def _move(self, state: State) -> PlayerMessage:
        self.state = state
        self.name = state.mover.name
        placement = self.place(state)
        if kind_of(state.board, placement.tile) is Kind.MERGING:
            self._merger = merge(state, placement)
            return messages.Merge(placement)
        return messages.Pbuy(placement, self.order(place(state, placement)))
