"""All legal answers to a question, for players that choose among whole answers."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple, TypeAlias

from .game.disposal import legal_disposals
from .game.merger import Merger, merge
from .game.placement import (
    Kind,
    Placement,
    equals_choices,
    hotel_choices,
    kind_of,
    legal_placements,
    place,
)
from .game.purchase import legal_orders
from .game.rulebook import Rulebook
from .game.state import State
from .game.turn import declared_ending
from .player.strategies.guess import guess_state, own_position
from .protocol import messages
from .protocol.messages import PlayerMessage, RefereeMessage

Answer: TypeAlias = PlayerMessage
"""What a player sends."""


class Question(NamedTuple):
    """A question to one player: the message, the position as far as the player knows it.

    In another player's merger under ``revised`` that is the position before the merger, because the
    question does not say which tile was placed. ``answers`` are all legal answers.
    """

    message: RefereeMessage
    state: State
    answers: list[Answer]


class Knowledge:
    """What one player knows of its game, from the messages that it was sent."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self.name = ""
        self.state: State | None = None
        """The last position that the player was sent; ``None`` before the first."""
        self._merger: Merger | None = None

    def hear(self, message: RefereeMessage) -> State | None:
        """Take a message; return the position of its question, ``None`` if it is not one."""
        match message:
            case messages.SignUp(name):
                self.name = name
            case messages.State(board, players):
                self.state = own_position(self.rulebook, board, players)
                self._merger = None
            case messages.StateView(view):
                self.state = guess_state(self.rulebook, view)
            case messages.Turn(board, players):
                self.state = own_position(self.rulebook, board, players)
                self._merger = None
                return self.state
            case messages.TurnView(view) | messages.Replace(view):
                self.state = guess_state(self.rulebook, view)
                return self.state
            case messages.Dispose(view=view) | messages.MarketMerger(view=view):
                return guess_state(self.rulebook, view)
            case messages.PlayersView(view):
                return guess_state(self.rulebook, view)
            case messages.Keep():
                return self._merger.state if self._merger else self.state
            case messages.Players(players):
                assert self._merger is not None, "<players> only comes after a merger"
                return own_position(self.rulebook, self._merger.state.board, players)
        return None

    def answered(self, message: RefereeMessage, answer: Answer) -> None:
        """Remember the player's own answer: later questions in the same merger refer to it."""
        if isinstance(answer, messages.Merge) and isinstance(message, messages.Turn):
            assert self.state is not None
            self._merger = merge(self.state, answer.placement)


class Chooser(ABC):
    """A player that chooses among whole answers, in this process or over TCP.

    ``choose`` is called for every question to which there is more than one answer. A player that
    rather decides about tiles, orders and certificates one by one is a :class:`Strategy`.
    """

    def __init__(self, rulebook: Rulebook, seed: int) -> None:
        self.rulebook = rulebook
        self.seed = seed
        self._known = Knowledge(rulebook)

    @property
    def name(self) -> str:
        """The player's name at the table, empty before the first message."""
        return self._known.name

    @property
    def state(self) -> State | None:
        """The last position that this player was sent; ``None`` before the first."""
        return self._known.state

    @abstractmethod
    def choose(self, question: Question) -> Answer:
        """Return one of ``question.answers``."""

    def __call__(self, message: RefereeMessage) -> Answer:
        """Answer a message."""
        state = self._known.hear(message)
        if state is None:
            return messages.Void()
        answers = legal_answers(message, state, self.name)
        answer = answers[0]
        if len(answers) > 1:
            answer = self.choose(Question(message, state, answers))
            if not isinstance(answer, PlayerMessage):
                raise TypeError(
                    f"{type(self).__name__}.choose() returned {answer!r}, not one of "
                    "question.answers"
                )
        self._known.answered(message, answer)
        return answer


def legal_answers(message: RefereeMessage, state: State, name: str) -> list[Answer]:
    """Return every legal answer of the player called ``name`` to a message, without duplicates.

    ``state`` is the position in which it is put; in a merger, hotels joined and bonuses paid. A
    message that is only acknowledged has one answer. Mixed orders can make a turn have some
    thousand.

    >>> from acquire.game.notation import parse_position
    >>> from acquire.game.rulebooks import CLASSIC
    >>> state = parse_position(CLASSIC, "AA", ["ann 3A $800", "bob", "cyd"])
    >>> turn = messages.Turn(state.board, state.players)
    >>> [len(answer.order) for answer in legal_answers(turn, state, "ann")]
    [0, 1, 2]
    """
    return list(_answers(message, state, name))


def _answers(message: RefereeMessage, state: State, name: str) -> Iterator[Answer]:
    match message:
        case messages.Turn() | messages.TurnView():
            yield from _turns(state)
        case messages.Keep(hotels):
            for kept in product((True, False), repeat=len(hotels)):
                yield messages.KeepAnswer(kept)
        case messages.Players() | messages.PlayersView():
            for order, end in _orders(state, begun=state):
                yield messages.Order(order, end)
        case messages.Dispose(hotel=hotel, survivor=survivor):
            owned = state.player(name).shares[hotel]
            for disposal in legal_disposals(owned, state.bank[survivor]):
                yield messages.DisposeAnswer(disposal.sell, disposal.trade)
        case messages.MarketMerger(tile=tile):
            for named in hotel_choices(state.board, tile):
                for equals in equals_choices(state.rulebook, state.board, tile, named):
                    yield messages.Merge(Placement(tile, named, equals))
        case messages.Replace():
            yield messages.ReplaceAnswer(True)
            yield messages.ReplaceAnswer(False)
        case _:
            yield messages.Void()


def _turns(state: State) -> Iterator[Answer]:
    placements = legal_placements(state)
    if not placements:
        for order, end in _orders(state, begun=state):
            yield messages.Pbuy(None, order, end)
    for placement in placements:
        if kind_of(state.board, placement.tile) is Kind.MERGING:
            yield messages.Merge(placement)
            continue
        for order, end in _orders(place(state, placement), begun=state):
            yield messages.Pbuy(placement, order, end)


def _orders(state: State, begun: State) -> Iterator[tuple[tuple[int, ...], bool]]:
    """Yield the legal orders, each also with a declared end where that is allowed."""
    may_end = declared_ending(state, begun) is not None
    for order in legal_orders(state):
        yield order, False
        if may_end:
            yield order, True
