"""In which position each question of a match was answered: a reader of its events.

The referee commits a turn as a whole, so what happens within one is followed here, event by event.
It judges nothing: every event that comes has held.
"""

from typing import NamedTuple

from admin.log.writer import Header
from admin.match import events
from admin.match.events import Event
from game import market
from game.drawing import refill, replace_hand
from game.merger import Bonus, Merger, join, pay
from game.placement import Kind, Placement, place
from game.purchase import buy
from game.state import State, deal
from game.tiles import Mask, Tile
from game.tuples import add
from game.turn import eject_midway, pass_turn
from protocol import messages
from protocol.messages import PlayerMessage

TOLD = ("state", "score", "market", "holders")
"""The questions that are put to everybody at once, in the same position."""
AFTER_THE_TURN = ("tile", "state")


class Situation(NamedTuple):
    """What a player had to answer, and when: ``turn`` is 0 at the set-up.

    ``merger`` is the one under way, ``hotel`` the one whose certificates are disposed of, ``tile``
    the one that the market places.
    """

    turn: int
    name: str
    question: str
    state: State
    merger: Merger | None = None
    hotel: int | None = None
    tile: Tile | None = None


class Follower:
    """Follows a match from its deal; call it with every event, in order."""

    def __init__(self, header: Header) -> None:
        names = [seat.name for seat in header.seats]
        self.state = deal(header.rulebook, names, header.bag)
        """The position so far."""
        self.said: dict[str, PlayerMessage] = {}
        """The last message that each player gave."""
        self._turn = 0
        self._hand: Mask = 0
        self._ordered = False
        self._over = False
        self._merger: Merger | None = None
        self._hotel: int | None = None
        self._waiting: list[Tile] = []
        self._told: tuple[str, State] | None = None

    def situation(self, name: str, question: str) -> Situation:
        """Return in which situation a player answers; call it before the answer's events."""
        self._reach(question)
        state = self.state if self._told is None else self._told[1]
        merger = self._merger and self._merger._replace(state=state)
        hotel = self._hotel if question == "dispose" else None
        tile = self._waiting[0] if question == "merger" else None
        return Situation(self._turn, name, question, state, merger, hotel, tile)

    def _reach(self, question: str) -> None:
        """Go on to a question: end the turn, and keep the position that all are told at once."""
        if question in AFTER_THE_TURN:
            self._end_turn()
        if question not in TOLD:
            self._told = None
        elif self._told is None or self._told[0] != question:
            self._told = (question, self.state)

    def _end_turn(self) -> None:
        """Draw and pass the turn, which no event tells of where nothing can be drawn."""
        if self._ordered:
            drawn = refill(self.state).state
            self.state = pass_turn(drawn, idle=drawn.mover.hand == self._hand)
            self._ordered = False

    def __call__(self, event: Event) -> None:
        """Take one event."""
        if isinstance(event, events.Answered):
            self._answered(event)
        elif isinstance(event, events.Ejected):
            self._ejected(event)
        elif not isinstance(event, events.TurnUndone | events.OutOfStep):
            self._told = None
            self._happened(event)

    def _answered(self, event: events.Answered) -> None:
        self._reach(event.question)
        self.said[event.name] = event.message
        if isinstance(event.message, messages.Pbuy | messages.Order):
            self._ordered = True

    def _ejected(self, event: events.Ejected) -> None:
        self._reach(event.question)
        if event.bag is not None:
            self.state = eject_midway(self.state, event.name, event.bag)

    def _happened(self, event: Event) -> None:
        match event:
            case events.LaidOut(state):
                self.state, self._ordered = state, False
            case events.TurnBegan(number, _, state):
                self._begin(number, state)
            case events.Placed(name, tile, kind, hotel):
                self._place(name, tile, kind, hotel)
            case events.BonusPaid(name, hotel, amount) if not self._over:
                # who is asked about a hotel holds some of it, so its bonuses were paid last
                self._hotel = hotel
                players = pay(self.state.players, [Bonus(hotel, name, amount)])
                self.state = self.state._replace(players=players)
            case events.Returned(name, hotel, shares, amount):
                self._exchange(name, amount, {hotel: -shares})
            case events.Sold(name, hotel, shares, amount):
                self._exchange(name, amount, {hotel: -shares})
            case events.Traded(name, hotel, shares, survivor, gained):
                self._exchange(name, 0, {hotel: -shares, survivor: gained})
            case events.MarketDrew(hotel, tile):
                self._hold(hotel, tile)
            case events.MarketPlaced(tile, kind):
                self._lay(tile, kind)
            case events.Bought(_, hotel, shares):
                self.state = buy(self.state, (hotel,) * shares)
            case events.Drew() | events.SetAside():
                self._end_turn()
            case events.Ended(_, _, state):
                self.state, self._over = state, True

    def _begin(self, number: int, state: State) -> None:
        self._turn, self._hand, self._ordered = number, state.mover.hand, False
        self._merger, self._hotel = None, None
        self._waiting.clear()
        self.state = replace_hand(state).state

    def _place(self, name: str, tile: Tile, kind: Kind, hotel: int | None) -> None:
        if kind is Kind.MERGING:
            said = self.said[name]
            assert isinstance(said, messages.Merge), "a merger is placed without an order"
            self._join(said.placement)
        else:
            named = hotel if kind is Kind.FOUNDING else None
            self.state = place(self.state, Placement(tile, named))

    def _join(self, placement: Placement) -> None:
        self._merger = join(self.state, placement)
        self.state = self._merger.state

    def _exchange(self, name: str, amount: int, changes: dict[int, int]) -> None:
        """Give a player money, and certificates that come from the bank, or go there."""
        player, bank = self.state.player(name), self.state.bank
        shares = player.shares
        for hotel, change in changes.items():
            shares, bank = add(shares, hotel, change), add(bank, hotel, -change)
        settled = player._replace(cash=player.cash + amount, shares=shares)
        players = tuple(settled if other is player else other for other in self.state.players)
        self.state = self.state._replace(players=players, bank=bank)

    def _hold(self, hotel: int, tile: Tile | None) -> None:
        self.state, _ = market.draw_holding(self.state, hotel)
        if tile is None:
            return
        if self._over:
            self.state = self.state._replace(aside=self.state.aside | 1 << tile)
        else:
            self._waiting.append(tile)

    def _lay(self, tile: Tile, kind: Kind | None) -> None:
        self._waiting.remove(tile)
        if kind is Kind.MERGING:
            said = self.said[self.state.mover.name]
            assert isinstance(said, messages.Merge), "the mover has named the survivor"
            self._join(said.placement)
        else:
            self.state = market.place_tile(self.state, tile)
