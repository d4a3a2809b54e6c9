"""What every built-in player does with each message, and the choices in which they differ.

A strategy is called with a message of the referee and returns its answer. It thinks about an
ordinary :class:`acquire.game.state.State` with an empty bag, since no player sees the bag. What is
hidden from the player is guessed (:mod:`acquire.player.strategies.guess`).
"""

from abc import ABC, abstractmethod
from typing import assert_never

from ...game.disposal import Disposal
from ...game.placement import (
    MERGING,
    Placement,
    kind_of,
    legal_placements,
    place,
    placements_of,
    playable,
)
from ...game.purchase import Order, buy
from ...game.records import add
from ...game.rulebook import Rulebook
from ...game.state import Player, State
from ...game.tiles import TILES, Tile
from ...game.turn import declared_ending, pay_out
from ...protocol import messages
from ...protocol.knowledge import Knowledge
from ...protocol.messages import VOID, Merge, PlayerMessage, RefereeMessage
from ...protocol.question import Question
from ...protocol.sayable import MAX_ACQUIRED
from .guess import guess


class InformedPlayer(ABC):
    """A player that is called with each message of the referee, and returns its answer.

    ``seed`` is for random choices: the same seed plays the same game.
    """

    def __init__(self, rulebook: Rulebook, seed: int) -> None:
        self.rulebook = rulebook
        self.seed = seed
        self._knowledge = Knowledge(rulebook)

    @property
    def name(self) -> str:
        """The player's name at the table, empty before the first message."""
        return self._knowledge.name

    @property
    def state(self) -> State | None:
        """The last position that this player was sent; ``None`` before the first.

        What is hidden in it is guessed (:mod:`acquire.player.strategies.guess`).
        """
        known = self._knowledge.known
        return None if known is None else guess(known)

    def __call__(self, message: RefereeMessage) -> PlayerMessage:
        """Answer one message."""
        question = self._knowledge.hear(message)
        if question is None:
            return VOID
        answer = self.answer(question)
        if isinstance(answer, Merge):  # of no other answer there is anything to remember
            self._knowledge.answered(answer)
        return answer

    @abstractmethod
    def answer(self, question: Question) -> PlayerMessage:
        """Return a legal answer; what is hidden is 0 in the position of the question."""


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
                kept = tuple(self.keep(hotels))
                if not 0 < len(kept) <= MAX_ACQUIRED:
                    raise self._not_a("keep", kept, "one bool for each acquired hotel")
                return messages.KeepAnswer(kept)
            case messages.Dispose():
                disposal = self.dispose(guess(question.known), message)
                most = range(self.rulebook.certificates + 1)
                if disposal.sell not in most or disposal.trade not in most:
                    raise self._not_a("dispose", disposal, "certificates that there are")
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
        if not isinstance(placement, Placement) or placement.tile not in TILES:
            tile = getattr(placement, "tile", placement)
            raise self._not_a("place", tile, "one of legal_placements(state)")
        if kind_of(state.board, placement.tile) is MERGING:
            return messages.Merge(placement)
        return messages.Pbuy(placement, *self._buy(place(state, placement), begun=state))

    def _order(self, state: State) -> Order:
        order, hotels = self.order(state), range(len(state.bank))
        # no message could say anything else, and no log could hold it
        most = state.rulebook.order_limit
        if (
            not isinstance(order, tuple)
            or len(order) > most
            or not all(map(hotels.__contains__, order))
        ):
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


class FarSighted(Strategy):
    """A player that values the position after each thing it can do."""

    @abstractmethod
    def best(self, state: State, placements: list[Placement]) -> Placement:
        """Return the placement that is followed by the most valuable position."""

    def place(self, state: State) -> Placement:
        """Choose the best of all legal placements."""
        return self.best(state, legal_placements(state))

    def survivor(self, state: State, tile: Tile) -> Placement:
        """Choose the best of all possible survivors."""
        return self.best(state, placements_of(state.rulebook, state.board, tile))

    def declare(self, state: State) -> bool:
        """Declare the end unless another player would have more money."""
        money = dict(pay_out(state).scores)
        return money[self.name] == max(money.values())

    def disposed(self, state: State, question: messages.Dispose, choice: Disposal) -> State:
        """Return the position after this player has disposed of an acquired hotel."""
        me = state.player(self.name)
        shares = add(me.shares, question.hotel, -choice.sell - choice.trade)
        shares = add(shares, question.survivor, choice.gained)
        cash = me.cash + choice.sell * question.price
        return with_player(state, me._replace(cash=cash, shares=shares))


def with_player(state: State, changed: Player) -> State:
    """Return a position in which one player has changed; the bank stays."""
    players = [changed if player.name == changed.name else player for player in state.players]
    return state._replace(players=tuple(players))
