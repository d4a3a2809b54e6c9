"""Two ways to play a game with the same random players; the transcripts have to be equal.

    by_reference   the reference, which knows nothing of `game`
    by_referee     the referee and `game`, with strategies in this process

A transcript is what the players were offered and chose, every position between two turns, who was
ejected, the ending and the scores.
"""

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import combinations_with_replacement

from positions import named, plain, reference_game

from acquire.admin.refereeing.play import events, in_process
from acquire.admin.refereeing.play.events import Event
from acquire.admin.refereeing.play.outcome import Outcome
from acquire.admin.refereeing.play.referee import Referee
from acquire.game.disposal import Disposal, legal_disposals
from acquire.game.placement import Placement, legal_placements, placements_of
from acquire.game.purchase import Order, legal_orders
from acquire.game.state import State
from acquire.game.tiles import GRID, Tile, parse_tile, tile_name, tiles_in
from acquire.player.strategies.strategy import Strategy
from acquire.protocol import messages
from acquire.protocol.dialect import Dialect
from acquire.protocol.messages import PlayerMessage, RefereeMessage
from reference.game import Game, in_order
from reference.random_players import RandomPlayers, RuleBroken, Transcript

# -- the reference ---------------------------------------------------------------------------------


def by_reference(players: RandomPlayers) -> Transcript:
    """Play a game by the reference."""
    return _ReferenceGame(players).play()


class _ReferenceGame:
    """A game by the reference; ``committed`` is the position before the turn."""

    def __init__(self, players: RandomPlayers) -> None:
        self.players = players
        if players.dealt:
            bag = [tile_name(tile) for tile in players.dealer.bag]
            self.game = Game(players.rulebook.id, players.names, bag)
        else:
            self.game = reference_game(players.start, market=players.with_market)
        self.committed = self.game

    def play(self) -> Transcript:
        """Play it to the end."""
        while (over := self.game.ending()) is None:
            self.players.record("state", self.game.state())
            if self.players.tendencies.breaks:
                self.committed = copy.deepcopy(self.game)
            try:
                self.turn(self.game)
            except RuleBroken:
                self.game = self.committed
                self.eject(self.game.mover.name)
        self.players.record("state", self.game.state())
        self.players.record("over", over)
        self.players.record("scores", self.game.scores())
        return self.players.transcript

    def turn(self, game: Game) -> None:
        """Play a turn."""
        game.begin_turn()
        if game.may_replace_hand() and self.players.replace():
            game.replace_hand()
        if options := game.legal_placements():
            game.place(*options[self.players.place(options)])
            self.settle(game)
        while (tile := game.next_waiting()) is not None:
            if game.waiting_merges:
                choices = game.waiting_choices()
                chosen = self.players.survivor([(tile, *choice) for choice in choices])
                game.place_waiting(*choices[chosen])
                self.settle(game)
        orders = game.legal_orders()
        game.buy(orders[self.players.order(orders)])
        if game.declarable() and self.players.declare():
            game.declare()
        else:
            game.end_turn()

    def settle(self, game: Game) -> None:
        """Pay the bonuses of a merger and ask the holders of the acquired hotels."""
        if game.rules.keep_or_return:
            for name in [player.name for player in game.players] if game.acquired else []:
                with self.leaving(name):
                    game.keep(name, self.players.keep(name, game.acquired))
            return
        for hotel in game.acquired:
            if game.market:
                self.players.record("market", game.draw_for_market(hotel))
            game.pay_bonuses(hotel)
            for name in [player.name for player in game.players if player.shares[hotel]]:
                with self.leaving(name):
                    options = game.legal_disposals(name, hotel)
                    game.dispose(name, hotel, *options[self.players.dispose(name, options)])

    @contextmanager
    def leaving(self, name: str) -> Iterator[None]:
        """Eject a player, unless it is the mover, who breaks a rule in a merger."""
        try:
            yield
        except RuleBroken:
            if name == self.game.mover.name:
                raise
            self.eject(name)

    def eject(self, name: str) -> None:
        """Take a player out of the committed position, and out of the one within the turn."""
        self.players.record("ejected", name)
        returned = [*self.committed.bag, *in_order(self.committed.player(name).tiles)]
        shuffled = self.players.dealer.shuffle([parse_tile(tile) for tile in returned])
        bag = [tile_name(tile) for tile in shuffled]
        self.committed.eject(name, bag)
        if self.game is not self.committed:
            within = {*self.game.bag, *self.game.player(name).tiles}
            self.game.eject(name, [tile for tile in bag if tile in within])


# -- the referee and `game` ------------------------------------------------------------------------


class RandomPlayer(Strategy):
    """One of the random players, as a strategy; what it receives is kept."""

    def __init__(self, name: str, players: RandomPlayers) -> None:
        super().__init__(players.rulebook, 0)
        self.called = name
        self.received: list[RefereeMessage] = []
        self._players = players
        self._placed: Placement | None = None
        self._illegal_purchase: tuple[Order, bool] | None = None

    def __call__(self, message: RefereeMessage) -> PlayerMessage:
        if not isinstance(message, messages.SignUp):
            self.received.append(message)
        self._placed = self._illegal_purchase = None
        try:
            return super().__call__(message)
        except RuleBroken:
            return self._illegal(message)

    def _illegal(self, message: RefereeMessage) -> PlayerMessage:
        """An answer of the right form that breaks a rule where this player wants to."""
        match message:
            case messages.Turn() | messages.TurnView() if self._illegal_purchase:
                return messages.Pbuy(self._placed, *self._illegal_purchase)
            case messages.Turn() | messages.TurnView():
                assert self.state is not None
                others = tiles_in(GRID & ~self.state.mover.hand)
                return messages.Pbuy(Placement(others[0]), ())
            case messages.Keep(acquired):
                return messages.KeepAnswer((True,) * (len(acquired) % 3 + 1))
            case messages.Dispose(hotel) if hotel % 2:
                return messages.DisposeAnswer(0, 1)
            case messages.Dispose():
                return messages.DisposeAnswer(25, 2)
            case messages.MarketMerger(tile):
                return messages.Merge(Placement(tile))
            case _:
                assert self._illegal_purchase is not None
                return messages.Order(*self._illegal_purchase)

    def place(self, state: State) -> Placement:
        options = legal_placements(state)
        index = self._players.place([named(option, self.rulebook) for option in options])
        self._placed = options[index]
        return self._placed

    def replace(self, state: State) -> bool:
        return self._players.replace()

    def keep(self, hotels: tuple[int, ...]) -> tuple[bool, ...]:
        acquired = [self.rulebook.hotel_name(hotel) for hotel in hotels]
        return tuple(self._players.keep(self.name, acquired))

    def dispose(self, state: State, question: messages.Dispose) -> Disposal:
        owned = state.player(self.name).shares[question.hotel]
        options = legal_disposals(owned, state.bank[question.survivor])
        return options[self._players.dispose(self.name, [(sell, trade) for sell, trade in options])]

    def survivor(self, state: State, tile: Tile) -> Placement:
        options = placements_of(state.rulebook, state.board, tile)
        return options[self._players.survivor([named(each, self.rulebook) for each in options])]

    def order(self, state: State) -> Order:
        options = legal_orders(state)
        every = combinations_with_replacement(range(7), self.rulebook.order_limit)
        illegal = next((order for order in every if order not in options), None)
        self._illegal_purchase = ((), True) if illegal is None else (illegal, False)
        names = [tuple(map(self.rulebook.hotel_name, option)) for option in options]
        return options[self._players.order(names)]

    def declare(self, state: State) -> bool:
        return self._players.declare()


def by_referee(players: RandomPlayers, *readers: Callable[[Event], None]) -> Transcript:
    """Play a game by the referee, with strategies in this process; readers get its events."""
    over = False

    def emit(event: Event) -> None:
        nonlocal over
        for read in readers:
            read(event)
        match event:
            case events.TurnBegan(_, _, state) | events.Ended(_, _, state):
                players.record("state", plain(state))
                over = isinstance(event, events.Ended)
            case events.Ejected(name):
                players.record("ejected", name)
            case events.MarketDrew(_, tile, _) if not over:
                players.record("market", None if tile is None else tile_name(tile))

    outcome, _ = refereed(players, emit)
    players.record("over", outcome.ending.value)
    finished = [place for place in outcome.standings if place.finished]
    players.record("scores", {place.name: place.score for place in finished})
    return players.transcript


def refereed(
    players: RandomPlayers, emit: Callable[[Event], None]
) -> tuple[Outcome, list[RandomPlayer]]:
    """Play a game by the referee; return its outcome, and the players as they then are."""
    dealer = players.dealer
    referee = Referee(players.rulebook, players.names, dealer.bag, dealer.shuffle, emit)
    referee.state = players.start
    strategies = [RandomPlayer(name, players) for name in players.names]
    seats = dict(zip(players.names, strategies, strict=True))
    return in_process.play(referee.play(), seats, Dialect.of(players.rulebook)), strategies
