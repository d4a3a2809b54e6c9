"""What every built-in player does with each message, and the choices in which they differ.

A strategy is called with a message of the referee and returns its answer. It thinks about an
ordinary :class:`acquire.game.state.State` with an empty bag, since no player sees the bag. What is
hidden from the player is guessed (:mod:`acquire.player.strategies.guess`).
"""

from abc import abstractmethod
from typing import assert_never

from ...game.disposal import Disposal
from ...game.placement import MERGING, Placement, kind_of, place, placements_of, playable
from ...game.purchase import Order, buy
from ...game.state import State
from ...game.tiles import Tile
from ...game.turn import declared_ending
from ...protocol import messages
from ...protocol.messages import PlayerMessage
from ...protocol.question import Question
from .guess import guess
from .informed_player import InformedPlayer


class Strategy(InformedPlayer):
    """A player by its choices, built in or your own."""

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
        return placements_of(state.rulebook, state.board, tile)[0]

    def replace(self, state: State) -> bool:
        """Choose whether to have a new hand, as no tile is playable; by default, yes."""
        return True

    def declare(self, state: State) -> bool:
        """Choose whether to declare the end, which is allowed in ``state``; by default, yes."""
        return True

    def answer(self, question: Question) -> PlayerMessage:
        """Take a question apart into choices."""
        message = question.message
        match message:  # the most frequent ones first
            case messages.Turn() | messages.TurnView():
                return self._move(guess(question.known))
            case messages.Keep(hotels):
                return messages.KeepAnswer(self.keep(hotels))
            case messages.Dispose():
                disposal = self.dispose(guess(question.known), message)
                return messages.DisposeAnswer(disposal.sell, disposal.trade)
            case messages.Players() | messages.PlayersView():
                state = guess(question.known)
                return messages.Order(*self._buy(state, begun=state))
            case messages.Replace():
                return messages.ReplaceAnswer(self.replace(guess(question.known)))
            case messages.MarketMerger(tile):
                return messages.Merge(self.survivor(guess(question.known), tile))
            case _:
                assert_never(message)

    def _move(self, state: State) -> PlayerMessage:
        if not playable(state):
            return messages.Pbuy(None, *self._buy(state, begun=state))
        placement = self.place(state)
        if not isinstance(placement, Placement):
            raise self._not_a("place", placement, "one of legal_placements(state)")
        if kind_of(state.board, placement.tile) is MERGING:
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
