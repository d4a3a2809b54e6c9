"""What every player of the house does with each message, and the choices that make it one.

A strategy is called with a message of the administrator and returns its answer. The position that
it thinks about is an ordinary :class:`game.state.State` whose bag is empty: nobody sees the bag. Of
what is hidden from this player the position holds a guess (:mod:`player.guessing`).
"""

from abc import ABC, abstractmethod
from typing import assert_never

from game.disposal import Disposal, legal_disposals
from game.merger import Merger, merge
from game.placement import (
    Kind,
    Placement,
    equals_choices,
    hotel_choices,
    kind_of,
    place,
    playable,
)
from game.purchase import Order, buy
from game.rulebook import End, Rulebook
from game.state import State, position
from game.tiles import Tile
from game.turn import regular_ending
from player.guessing import guessed
from protocol import messages
from protocol.messages import AdministratorMessage, PlayerMessage
from protocol.player_view import PlayerView


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
        """Choose a legal placement in ``state``, where this player moves and can place a tile."""

    @abstractmethod
    def order(self, state: State) -> Order:
        """Choose a legal order in ``state``, after the placement and its merger."""

    def keep(self, hotels: tuple[int, ...]) -> tuple[bool, ...]:
        """Choose for each acquired hotel whether to keep its certificates; by default all."""
        return (True,) * len(hotels)

    def dispose(self, state: State, question: messages.Dispose) -> Disposal:
        """Choose what becomes of an acquired hotel's certificates; by default they are held.

        ``state`` is the position so far: the hotels are joined, and the bonuses paid.
        """
        return Disposal()

    def survivor(self, state: State, tile: Tile) -> Placement:
        """Choose who survives when the market's tile merges hotels; by default the first."""
        return survivors(state, tile)[0]

    def declare(self, state: State) -> bool:
        """Choose whether to end the game, which may be done in ``state``; by default always."""
        return True

    def __call__(self, message: AdministratorMessage) -> PlayerMessage:
        """Answer one message."""
        match message:
            case messages.SignUp(name):
                self.name = name
                return messages.Void()
            case messages.Turn(board, players):
                return self._move(position(self.rulebook, board, players))
            case messages.TurnView(view):
                return self._move(self._guess(view))
            case messages.State(board, players):
                self.state = position(self.rulebook, board, players)
                return messages.Void()
            case messages.StateView(view):
                self.state = self._guess(view)
                return messages.Void()
            case messages.Keep(hotels):
                return messages.KeepAnswer(self.keep(hotels))
            case messages.Dispose(view=view):
                return messages.DisposeAnswer(*self.dispose(self._guess(view), message))
            case messages.MarketMerger(tile, view):
                return messages.Merge(self.survivor(self._guess(view), tile))
            case messages.Players(players):
                assert self._merger is not None, "only a merger is followed by <players>"
                board = self._merger.state.board
                return messages.Order(self.order(position(self.rulebook, board, players)))
            case messages.PlayersView(view):
                return messages.Order(*self._buy(self._guess(view)))
            case (
                messages.NewTile()
                | messages.Holders()
                | messages.MarketTile()
                | messages.Score()
                | messages.ScoreView()
                | messages.Ejected()
            ):
                return messages.Void()
            case _:
                assert_never(message)

    def _guess(self, view: PlayerView) -> State:
        return guessed(self.rulebook, view)

    def _move(self, state: State) -> PlayerMessage:
        self.state = state
        self.name = state.mover.name
        if not playable(state):
            return messages.Pbuy(None, *self._buy(state))
        placement = self.place(state)
        if kind_of(state.board, placement.tile) is Kind.MERGING:
            self._merger = merge(state, placement)
            return messages.Merge(placement)
        return messages.Pbuy(placement, *self._buy(place(state, placement)))

    def _buy(self, state: State) -> tuple[Order, bool]:
        """Choose an order, and whether the end is declared with it."""
        order = self.order(state)
        if self.rulebook.end is not End.DECLARED or regular_ending(state) is None:
            return order, False
        return order, self.declare(buy(state, order))


def survivors(state: State, tile: Tile) -> list[Placement]:
    """List the placements of a tile that merges: each survivor, and each order of the others."""
    rulebook, board = state.rulebook, state.board
    return [
        Placement(tile, hotel, equals)
        for hotel in hotel_choices(board, tile)
        for equals in equals_choices(rulebook, board, tile, hotel)
    ]


def disposals(state: State, question: messages.Dispose, name: str) -> list[Disposal]:
    """List what a player may do with the certificates that a question is about."""
    owned = state.player(name).shares[question.hotel]
    return legal_disposals(owned, state.bank[question.survivor])
