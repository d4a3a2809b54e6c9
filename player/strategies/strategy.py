"""What every built-in player does with each message, and the choices in which they differ.

A strategy is called with a message of the referee and returns its answer. It thinks about an
ordinary :class:`acquire.game.state.State` with an empty bag, since no player sees the bag. What is
hidden from the player is guessed (:mod:`acquire.player.strategies.guess`).
"""

from abc import ABC, abstractmethod
from typing import assert_never

from ...game.disposal import Disposal, legal_disposals
from ...game.merger import Merger, merge
from ...game.placement import (
    Kind,
    Placement,
    equals_choices,
    hotel_choices,
    kind_of,
    place,
    playable,
)
from ...game.purchase import Order, buy
from ...game.rulebook import Rulebook
from ...game.state import State
from ...game.tiles import Tile
from ...game.turn import declared_ending
from ...protocol import messages
from ...protocol.messages import PlayerMessage, RefereeMessage
from ...protocol.player_view import PlayerView
from .guess import guess_state, own_position


class Strategy(ABC):
    """A player by its choices, built in or your own.

    ``seed`` is for random choices: the same seed plays the same game.
    """

    def __init__(self, rulebook: Rulebook, seed: int) -> None:
        self.rulebook = rulebook
        self.seed = seed
        self.name = ""
        self._state: State | None = None
        self._unread: messages.State | messages.StateView | None = None
        self._merger: Merger | None = None

    @property
    def state(self) -> State | None:
        """The last position that this player was sent; ``None`` before the first.

        It is set up when it is read: most players never look at most of them.
        """
        match self._unread:
            case messages.State(board, players):
                self._state = own_position(self.rulebook, board, players)
            case messages.StateView(view):
                self._state = self._guess(view)
        self._unread = None
        return self._state

    @abstractmethod
    def place(self, state: State) -> Placement:
        """Choose a legal placement in ``state``, where this player moves and one is possible."""

    @abstractmethod
    def order(self, state: State) -> Order:
        """Choose a legal order in ``state``, after the placement and its merger."""

    def keep(self, hotels: tuple[int, ...]) -> tuple[bool, ...]:
        """Choose for each acquired hotel whether to keep its certificates; by default, keep all."""
        return (True,) * len(hotels)

    def dispose(self, state: State, question: messages.Dispose) -> Disposal:
        """Choose what to do with an acquired hotel's certificates; by default, hold them.

        ``state`` is the position in the middle of the merger: hotels joined, bonuses paid.
        """
        return Disposal()

    def survivor(self, state: State, tile: Tile) -> Placement:
        """Choose the survivor when the market's tile merges hotels; by default, the first."""
        return survivors(state, tile)[0]

    def replace(self, state: State) -> bool:
        """Choose whether to have a new hand, as no tile is playable; by default, yes."""
        return True

    def declare(self, state: State) -> bool:
        """Choose whether to declare the end, which is allowed in ``state``; by default, yes."""
        return True

    def __call__(self, message: RefereeMessage) -> PlayerMessage:
        """Answer one message."""
        match message:  # the most frequent ones first
            case messages.State() | messages.StateView():
                self._unread = message
                return messages.VOID
            case messages.NewTile():
                return messages.VOID
            case messages.Turn(board, players):
                return self._move(own_position(self.rulebook, board, players))
            case messages.Replace(view):
                return messages.ReplaceAnswer(self.replace(self._guess(view)))
            case messages.TurnView(view):
                return self._move(self._guess(view))
            case messages.Keep(hotels):
                return messages.KeepAnswer(self.keep(hotels))
            case messages.Dispose(view=view):
                disposal = self.dispose(self._guess(view), message)
                return messages.DisposeAnswer(disposal.sell, disposal.trade)
            case messages.MarketMerger(tile, view):
                return messages.Merge(self.survivor(self._guess(view), tile))
            case messages.Players(players):
                assert self._merger is not None, "<players> only comes after a merger"
                board = self._merger.state.board
                return messages.Order(self._order(own_position(self.rulebook, board, players)))
            case messages.PlayersView(view):
                state = self._guess(view)
                return messages.Order(*self._buy(state, begun=state))
            case messages.SignUp(name):
                self.name = name
                return messages.VOID
            case (
                messages.Holders()
                | messages.MarketTile()
                | messages.Score()
                | messages.ScoreView()
                | messages.Ejected()
            ):
                return messages.VOID
            case _:
                assert_never(message)

    def _guess(self, view: PlayerView) -> State:
        return guess_state(self.rulebook, view)

    def _move(self, state: State) -> PlayerMessage:
        self._state, self._unread = state, None
        self.name = state.mover.name
        if not playable(state):
            return messages.Pbuy(None, *self._buy(state, begun=state))
        placement = self.place(state)
        if not isinstance(placement, Placement):
            raise self._not_a("place", placement, "one of legal_placements(state)")
        if kind_of(state.board, placement.tile) is Kind.MERGING:
            self._merger = merge(state, placement)
            return messages.Merge(placement)
        return messages.Pbuy(placement, *self._buy(place(state, placement), begun=state))

    def _order(self, state: State) -> Order:
        order = self.order(state)
        if not isinstance(order, tuple):
            raise self._not_a("order", order, "one of legal_orders(state)")
        return order

    def _not_a(self, method: str, returned: object, expected: str) -> TypeError:
        return TypeError(f"{type(self).__name__}.{method}() returned {returned!r}, not {expected}")

    def _buy(self, state: State, begun: State) -> tuple[Order, bool]:
        """Choose an order, and whether to declare the end with it.

        ``begun`` is the position at the start of the turn; after a merger it makes no difference.
        """
        order = self._order(state)
        if declared_ending(state, begun) is None:
            return order, False
        return order, self.declare(buy(state, order))


def survivors(state: State, tile: Tile) -> list[Placement]:
    """List the placements of a merging tile: each survivor, with each order of equal hotels."""
    rulebook, board = state.rulebook, state.board
    return [
        Placement(tile, hotel, equals)
        for hotel in hotel_choices(board, tile)
        for equals in equals_choices(rulebook, board, tile, hotel)
    ]


def disposals(state: State, question: messages.Dispose, name: str) -> list[Disposal]:
    """List the legal disposals of the certificates that a question is about."""
    owned = state.player(name).shares[question.hotel]
    return legal_disposals(owned, state.bank[question.survivor])
