"""A question put to a player: what is asked, in the position as it knows it, every legal answer.

Nothing is in the position that the player was not sent. Whoever chooses, explains or counts answers
takes them from here: players, the pages, the advice to students, the analysis of decisions. The
rules themselves are in :mod:`acquire.game`.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any, Final, assert_never, final

from ..game.board import Board
from ..game.disposal import Disposal, legal_disposals
from ..game.merger import Merger
from ..game.placement import Kind, Placement, kind_of, legal_placements, place, placements_of
from ..game.purchase import Order, legal_orders
from ..game.records import Record
from ..game.rulebook import HIDING, Rulebook
from ..game.state import Player, State, position
from ..game.tiles import TILES, tile_name
from ..game.turn import Ending, declared_ending
from . import messages
from .messages import PlayerMessage, QuestionMessage
from .player_view import PlayerView, SeatView, open_seat


@final
class Known(Record):
    """A position as one player knows it.

    ``state`` is for the rules: its bag is empty, and what is hidden is 0 in it. ``sent`` is what a
    message showed of it; without that everything is known, or has been guessed.

    Boards and players of a message are copied, because in pure Python nothing keeps a player that
    runs in the referee's process from changing them.
    """

    __match_args__ = ("state", "sent")
    __slots__ = __match_args__

    def __init__(self, state: State, sent: PlayerView | None = None) -> None:
        self.state: Final = state
        self.sent: Final = sent

    @classmethod
    def openly(cls, rulebook: Rulebook, board: Board, players: Sequence[Player]) -> "Known":
        """Return a position as the course's messages carry it, in which nothing is hidden."""
        copies = [Player(one.name, one.cash, one.shares, one.hand) for one in players]
        return cls(position(rulebook, Board(*board), copies))

    @classmethod
    def seen(cls, rulebook: Rulebook, view: PlayerView) -> "Known":
        """Return a position as one player sees it under a rulebook :func:`as_played`."""
        board, bank, aside, seats = view
        nothing = (0,) * len(bank)
        known = [
            Player(seat.name, seat.cash or 0, seat.shares or nothing, seat.hand) for seat in seats
        ]
        return cls(State(rulebook, Board(*board), tuple(known), bank, (), aside), view)

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook, with what the table hides."""
        return self.state.rulebook

    @property
    def seats(self) -> tuple[SeatView, ...]:
        """The players as they are seen: what is hidden is ``None`` in them."""
        if self.sent is not None:
            return self.sent.players
        return tuple([open_seat(player) for player in self.state.players])

    @property
    def view(self) -> PlayerView:
        """The same as a message carries it."""
        state = self.state
        return self.sent or PlayerView(state.board, state.bank, state.aside, self.seats)

    @property
    def cash_is_open(self) -> bool:
        """Whether everybody's cash is known."""
        return self.sent is None or not self.rulebook.assets.hides_cash

    @property
    def certificates_are_open(self) -> bool:
        """Whether everybody's certificates are known."""
        return self.sent is None or not self.rulebook.assets.hides_certificates

    @property
    def bag(self) -> int:
        """How many tiles have not been drawn."""
        seen = (self.state.board.occupied | self.state.aside).bit_count()
        return len(TILES) - seen - sum(seat.tiles for seat in self.seats)


def as_played(rulebook: Rulebook, seats: Sequence[SeatView]) -> Rulebook:
    """Return a rulebook with what a table hides: the wire only names the rulebook."""
    cash = any(seat.cash is None for seat in seats)
    certificates = any(seat.shares is None for seat in seats)
    hidden = {(True, True): "both", (True, False): "cash", (False, True): "certificates"}
    kind = hidden.get((cash, certificates))
    if kind is None or rulebook.assets is HIDING[kind]:
        return rulebook
    return replace(rulebook, assets=HIDING[kind])


@final
class Question:
    """A question to the player called ``name``, in the position as it is known.

    ``merger`` is the one in progress, if it is known: under ``revised`` a question in another
    player's merger does not say which tile was placed, and its position is that before the merger.
    Answers that are the same move are listed once.

    >>> from acquire import CLASSIC, parse_position
    >>> from acquire.protocol.question import Known
    >>> state = parse_position(CLASSIC, "AA", ["ann 3A $800", "bob", "cyd"])
    >>> turn = messages.Turn(state.board, state.players)
    >>> question = Question(turn, "ann", Known(state))
    >>> [len(answer.order) for answer in question.legal()]
    [0, 1, 2]
    >>> question.simplest() == question.legal()[0]
    True
    """

    __match_args__ = ("message", "name", "known", "merger")
    __slots__ = (*__match_args__, "_legal")

    def __init__(
        self, message: QuestionMessage, name: str, known: Known, merger: Merger | None = None
    ) -> None:
        self.message: Final = message
        self.name: Final = name
        self.known: Final = known
        self.merger: Final = merger
        self._legal: list[PlayerMessage] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Question, (self.message, self.name, self.known, self.merger)

    @property
    def state(self) -> State:
        """The position, in a merger with hotels joined and bonuses paid."""
        return self.known.state

    @property
    def answers(self) -> list[PlayerMessage]:
        """Every legal answer, listed once: mixed orders can make a turn have some thousand."""
        if self._legal is None:
            self._legal = self.legal()
        return self._legal

    def legal(self) -> list[PlayerMessage]:
        """List every legal answer."""
        match self.message:
            case messages.Turn() | messages.TurnView():
                placements: list[Placement | None] = [*self.placements()]
                return [answer for each in placements or [None] for answer in self._ordered(each)]
            case messages.Players() | messages.PlayersView():
                return self._ordered(None)
            case messages.MarketMerger():
                return [messages.Merge(placement) for placement in self.placements()]
            case messages.Keep():
                return [messages.KeepAnswer(kept) for kept in self.keeps()]
            case messages.Dispose():
                return [messages.DisposeAnswer(*disposal) for disposal in self.disposals()]
            case messages.Replace():
                return [messages.ReplaceAnswer(True), messages.ReplaceAnswer(False)]
            case _:
                assert_never(self.message)

    def simplest(self) -> PlayerMessage:
        """Return the first legal answer: it buys nothing, keeps or holds everything."""
        match self.message:
            case (
                messages.Turn() | messages.TurnView() | messages.Players() | messages.PlayersView()
            ):
                return self.turn_answer(next(iter(self.placements()), None))
            case _:  # few enough
                return self.legal()[0]

    def describe(self) -> str:
        """Say which answer is expected, by its elements."""
        name = self.known.rulebook.hotel_name
        match self.message:
            case messages.Turn() | messages.TurnView():
                return "<pbuy>, or for a merger <placement> alone"
            case messages.Players() | messages.PlayersView():
                return "<order>"
            case messages.MarketMerger(tile):
                return f"<placement> of the market's tile {tile_name(tile)}"
            case messages.Keep(hotels):
                acquired = ", ".join(map(name, hotels))
                return f"<keep> with a <true/> or a <false/> for each of: {acquired}"
            case messages.Dispose(hotel):
                return f"<dispose> for the certificates of {name(hotel)}"
            case messages.Replace():
                return "<replace> with a <true/> or a <false/>"
            case _:
                assert_never(self.message)

    # -- parts of an answer ---------------------------------------------------------------------

    def placements(self) -> list[Placement]:
        """List the legal placements, of one's own tiles or of the market's."""
        match self.message:
            case messages.Turn() | messages.TurnView():
                return legal_placements(self.state)
            case messages.MarketMerger(tile):
                return placements_of(self.known.rulebook, self.state.board, tile)
        return []

    def merges(self, placement: Placement) -> bool:
        """Return whether a placement merges hotels, so that the order is asked for later."""
        return kind_of(self.state.board, placement.tile) is Kind.MERGING

    def ordering(self, placement: Placement | None = None) -> State:
        """Return the position in which the order is chosen that comes with a placement."""
        return self.state if placement is None else place(self.state, placement)

    def orders(self, placement: Placement | None = None) -> list[Order]:
        """List the legal orders with a placement; ``None`` after a merger, or if none is legal."""
        return legal_orders(self.ordering(placement))

    def ending(self, placement: Placement | None = None) -> Ending | None:
        """Return the ending that the player may declare with its order, ``None`` if it may not.

        A merger's order is asked in a position of its own: it makes no difference then that the
        turn began in another one, since no merger can make the end possible that was not before.
        """
        return declared_ending(self.ordering(placement), begun=self.state)

    def keeps(self) -> list[tuple[bool, ...]]:
        """List the answers to ``<keep>``: for each acquired hotel, whether it is kept."""
        assert isinstance(self.message, messages.Keep)
        return [*product((True, False), repeat=len(self.message.hotels))]

    def disposals(self) -> list[Disposal]:
        """List the legal disposals of an acquired hotel's certificates."""
        assert isinstance(self.message, messages.Dispose)
        return disposals(self.state, self.message, self.name)

    def price(self, hotel: int) -> int:
        """Return the price in dollars at which certificates of an acquired hotel are settled."""
        return self.merger.price(hotel) if self.merger is not None else self.state.price(hotel)

    def turn_answer(
        self, placement: Placement | None, order: Order = (), end: bool = False
    ) -> PlayerMessage:
        """Return the answer with a placement and an order; a merger has no order yet."""
        if isinstance(self.message, messages.Players | messages.PlayersView):
            return messages.Order(order, end)
        if placement is not None and self.merges(placement):
            return messages.Merge(placement)
        return messages.Pbuy(placement, order, end)

    def _ordered(self, placement: Placement | None) -> list[PlayerMessage]:
        """List the answers with each legal order, also with the end where it may be declared."""
        if placement is not None and self.merges(placement):
            return [messages.Merge(placement)]
        state = self.ordering(placement)
        may_end = declared_ending(state, begun=self.state) is not None
        ends = (False, True) if may_end else (False,)
        orders = [(order, end) for order in legal_orders(state) for end in ends]
        if isinstance(self.message, messages.Players | messages.PlayersView):
            return [messages.Order(order, end) for order, end in orders]
        return [messages.Pbuy(placement, order, end) for order, end in orders]


def disposals(state: State, question: messages.Dispose, name: str) -> list[Disposal]:
    """List the legal disposals of the certificates that a question is about."""
    owned = state.player(name).shares[question.hotel]
    return legal_disposals(owned, state.bank[question.survivor])
