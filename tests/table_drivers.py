"""Everything that can play a game by the other rulebooks, given the same choices.

As `drivers`, for the rulebooks under which certificates are sold and traded, ends are declared, and
the stock market plays: the same three ways, which know nothing of each other.
"""

from __future__ import annotations

import copy
import random
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from clear_rules import in_order
from clear_table import ClearTable
from drivers import RuleBroken, Transcript
from positions import plain, tile_names

from admin.match import events
from admin.match import in_process as local
from admin.match.dealer import Dealer
from admin.match.events import Event
from admin.match.outcome import Outcome
from admin.match.referee import Referee
from game import market
from game.disposal import Disposal, dispose, holders, legal_disposals
from game.drawing import DrawResult, refill, replace_hand
from game.merger import Merger, join, pay_bonuses
from game.placement import Kind, Placement, kind_of, legal_placements, place, playable
from game.purchase import Order, buy, legal_orders
from game.rulebook import Rulebook
from game.state import State, deal
from game.tiles import TILES, Tile, parse_tile, tile_name
from game.turn import (
    Ending,
    eject,
    eject_midway,
    ending,
    pass_turn,
    pay_out,
    regular_ending,
    returned_bag,
)
from player.strategies.strategy import Strategy, survivors
from protocol import messages
from protocol.dialect import Dialect
from protocol.messages import AdministratorMessage, PlayerMessage

T = TypeVar("T")


class Temper(NamedTuple):
    """How the players of a game are inclined.

    ``names`` and ``buys`` are the probabilities of preferring a placement that names a hotel and an
    order for three, ``trades`` of trading as many as can be, ``declares`` of ending the game, and
    ``breaks`` of breaking a rule at any question and being ejected.
    """

    names: float = 0.0
    buys: float = 0.0
    trades: float = 0.0
    declares: float = 0.2
    breaks: float = 0.0


TEMPERS = [
    Temper(),
    Temper(names=0.5, buys=0.5, trades=0.5),
    Temper(names=1.0, buys=0.9, trades=0.9, declares=0.0),
    Temper(names=0.9, buys=0.9, trades=0.3, declares=0.1, breaks=0.003),
    Temper(declares=0.0, breaks=0.015),
]


class TableMinds:
    """All players' choices in one game, from one random source, written down as they are made."""

    def __init__(
        self,
        rulebook: Rulebook,
        seed: int,
        temper: Temper | None = None,
        start: State | None = None,
    ) -> None:
        self.rulebook = rulebook
        self._seed = seed
        self._chance = random.Random(seed)
        self.temper = temper or TEMPERS[seed % len(TEMPERS)]
        self.dealer = Dealer(seed)
        seats = rulebook.max_players - rulebook.min_players + 1
        self.names = list("abcdef"[: rulebook.min_players + seed % seats])
        self.start = start or deal(rulebook, self.names, self.dealer.bag)
        if start is not None:
            self.names = [player.name for player in start.players]
        self.dealt = start is None
        self.with_market = market.takes_part(rulebook, len(self.names))
        self.transcript: Transcript = []

    def __repr__(self) -> str:
        return f"TableMinds({self.rulebook.id}, {self._seed}, {self.temper})"

    def tell(self, what: str, fact: object) -> None:
        """Write down a fact."""
        self.transcript.append((what, fact))

    def _happens(self, probability: float) -> bool:
        return self._chance.random() < probability

    def choose(self, what: str, options: Sequence[T], preferred: Sequence[int] = ()) -> int | None:
        """Choose one of the options, of the preferred if there are any; ``None`` breaks a rule."""
        self.tell(f"{what}?", list(options))
        if self._happens(self.temper.breaks):
            return None
        choice = self._chance.choice(preferred or range(len(options)))
        self.tell(what, options[choice])
        return choice

    def place(self, options: Sequence[tuple[str, str | None, tuple[str, ...]]]) -> int | None:
        """Which of the legal placements."""
        naming = [index for index, (_, hotel, _) in enumerate(options) if hotel is not None]
        return self.choose("placed", options, naming if self._happens(self.temper.names) else [])

    def order(self, options: Sequence[tuple[str, ...]]) -> int | None:
        """Which of the legal orders."""
        large = [index for index, order in enumerate(options) if len(order) == 3]
        return self.choose("ordered", options, large if self._happens(self.temper.buys) else [])

    def dispose(self, name: str, options: Sequence[tuple[int, int]]) -> int | None:
        """Which of the legal disposals."""
        most = max(trade for _, trade in options)
        trading = [index for index, (_, trade) in enumerate(options) if trade == most]
        self.tell("asked", name)
        return self.choose(
            "disposed", options, trading if self._happens(self.temper.trades) else []
        )

    def declares(self) -> bool:
        """Whether the mover ends the game, which he may."""
        declared = self._happens(self.temper.declares)
        self.tell("declared", declared)
        return declared


def told(state: State) -> dict[str, object]:
    """Everything on and around the table, as `ClearTable.state` tells it."""
    return {**plain(state), "aside": tile_names(state.aside)}


def named(rulebook: Rulebook, choice: Placement) -> tuple[str, str | None, tuple[str, ...]]:
    """A placement as the yardstick names it."""
    tile, hotel, equals = choice
    name = rulebook.hotel_name
    return tile_name(tile), None if hotel is None else name(hotel), tuple(map(name, equals))


def names_of(rulebook: Rulebook, order: Order) -> tuple[str, ...]:
    """An order as the yardstick names it."""
    return tuple(map(rulebook.hotel_name, order))


# -- the functions of `game`, called by hand -------------------------------------------------------


class _Left(Exception):
    """Raised where the mover is ejected."""


class ByFunctions:
    """A game with nothing but the functions of `game`."""

    def __init__(self, minds: TableMinds) -> None:
        self.minds = minds
        self.rulebook = minds.rulebook
        self.committed = minds.start

    def play(self) -> Transcript:
        """Play it to the end."""
        over = ending(self.committed)
        while over is None:
            self.minds.tell("state", told(self.committed))
            try:
                over = self.turn()
            except _Left:
                self.eject(self.committed.mover.name)
            over = over or ending(self.committed)
        self.minds.tell("state", told(self.committed))
        self.minds.tell("over", over.value)
        held: dict[int, int] = {}
        if self.minds.with_market:
            for holding, state in market.draw_final_holdings(self.committed):
                self.committed, held[holding.hotel] = state, holding.shares
        self.minds.tell("scores", dict(pay_out(self.committed, held).scores))
        return self.minds.transcript

    def eject(self, name: str) -> None:
        """Take a player out of the committed position."""
        self.minds.tell("ejected", name)
        bag = self.minds.dealer.shuffle(returned_bag(self.committed, name))
        self.committed = eject(self.committed, name, bag)

    def turn(self) -> Ending | None:
        """Play a turn; the ending is given when it was declared."""
        begun = replace_hand(self.committed)
        self._tell_drawn(begun)
        state = begun.state
        options = legal_placements(state)
        if options:
            state = self.place(state, options)
        orders = legal_orders(state)
        state = buy(
            state,
            self.chosen(orders, self.minds.order([names_of(self.rulebook, o) for o in orders])),
        )
        if regular_ending(state) is not None and self.minds.declares():
            self.committed = pass_turn(state)
            return regular_ending(state)
        drawn = refill(state)
        self._tell_drawn(drawn)
        idle = drawn.state.mover.hand == self.committed.mover.hand
        self.committed = pass_turn(drawn.state, idle=idle)
        return None

    def _tell_drawn(self, drawn: DrawResult) -> None:
        aside, tiles = tile_names(drawn.aside), (*drawn.tiles, *drawn.replacements)
        self.minds.tell("drew", (aside, [tile_name(tile) for tile in tiles]))

    @staticmethod
    def chosen(options: Sequence[T], choice: int | None) -> T:
        """The option chosen, if one was."""
        if choice is None:
            raise _Left
        return options[choice]

    def place(self, state: State, options: list[Placement]) -> State:
        """Place a tile, with all that comes of it."""
        index = self.minds.place([named(self.rulebook, option) for option in options])
        placement = self.chosen(options, index)
        if kind_of(state.board, placement.tile) is not Kind.MERGING:
            return place(state, placement)
        waiting: deque[Tile] = deque()
        state = self.settle(join(state, placement), waiting)
        while waiting:
            tile = waiting.popleft()
            if market.kind_for_market(state.board, tile) is not Kind.MERGING:
                state = market.place_tile(state, tile)
                continue
            choices = survivors(state, tile)
            named_choices = [named(self.rulebook, choice)[1:] for choice in choices]
            choice = self.chosen(choices, self.minds.choose("survives", named_choices))
            state = self.settle(join(state, choice), waiting)
        return state

    def settle(self, merger: Merger, waiting: deque[Tile]) -> State:
        """Deal with the acquired hotels one by one."""
        for hotel in merger.acquired:
            held = 0
            if self.minds.with_market:
                state, holding = market.draw_holding(merger.state, hotel)
                merger, held = merger._replace(state=state), holding.shares
                if holding.tile is not None:
                    waiting.append(holding.tile)
                self.minds.tell("market", None if holding.tile is None else tile_name(holding.tile))
            merger = pay_bonuses(merger, [hotel], held)
            for name in holders(merger, hotel):
                merger = self.ask(merger, hotel, name)
        return merger.state

    def ask(self, merger: Merger, hotel: int, name: str) -> Merger:
        """Ask a holder; one who breaks a rule leaves."""
        owned = merger.state.player(name).shares[hotel]
        options = legal_disposals(owned, merger.state.bank[merger.survivor])
        choice = self.minds.dispose(name, [(sell, trade) for sell, trade in options])
        if choice is not None:
            return dispose(merger, name, hotel, options[choice])
        if name == merger.state.mover.name:
            raise _Left
        self.eject(name)
        return merger._replace(state=eject_midway(merger.state, name, self.committed.bag))


def by_functions(minds: TableMinds) -> Transcript:
    """Play a game with nothing but the functions of `game`."""
    return ByFunctions(minds).play()


# -- the yardstick ---------------------------------------------------------------------------------


def clear_table(minds: TableMinds) -> ClearTable:
    """The beginning of a game by the clear rules: dealt by them, or laid out."""
    if minds.dealt:
        bag = [tile_name(tile) for tile in minds.dealer.bag]
        return ClearTable(minds.rulebook.id, minds.names, bag)
    start = told(minds.start)
    players = [tuple(player.values()) for player in plain(minds.start)["players"]]
    return ClearTable.from_position(
        minds.rulebook.id,
        plain(minds.start)["loose"],
        plain(minds.start)["hotels"],
        players,
        plain(minds.start)["bag"],
        aside=start["aside"],  # type: ignore[arg-type]  # a list of names
        market=minds.with_market,
    )


class ByYardstick:
    """A game by the clear rules."""

    def __init__(self, minds: TableMinds) -> None:
        self.minds = minds
        self.game = clear_table(minds)
        self.committed = self.game

    def play(self) -> Transcript:
        """Play it to the end."""
        over = self.ending()
        while over is None:
            self.minds.tell("state", self.game.state())
            self.committed = copy.deepcopy(self.game) if self.minds.temper.breaks else self.game
            try:
                over = self.turn()
            except _Left:
                self.game = self.committed
                self.eject(self.game.mover.name)
            over = over or self.ending()
        self.minds.tell("state", self.game.state())
        self.minds.tell("over", over.value)
        self.minds.tell("scores", self.game.scores())
        return self.minds.transcript

    def ending(self) -> Ending | None:
        """The ending that the clear rules see between turns."""
        if not self.game.players:
            return Ending.NOBODY_LEFT
        return None if self.game.ending() is None else Ending.DEAD_ROUND

    def eject(self, name: str) -> None:
        """Take a player out of the committed position, and out of the one within the turn."""
        self.minds.tell("ejected", name)
        returned = [*self.committed.bag, *in_order(self.committed.player(name).tiles)]
        shuffled = self.minds.dealer.shuffle([parse_tile(tile) for tile in returned])
        bag = [tile_name(tile) for tile in shuffled]
        self.committed.eject(name, bag)
        if self.game is not self.committed:
            within = {*self.game.bag, *self.game.player(name).tiles}
            self.game.eject(name, [tile for tile in bag if tile in within])

    @staticmethod
    def chosen(options: Sequence[T], choice: int | None) -> T:
        """The option chosen, if one was."""
        return ByFunctions.chosen(options, choice)

    def turn(self) -> Ending | None:
        """Play a turn; the ending is given when it was declared."""
        game = self.game
        self.minds.tell("drew", game.begin_turn())
        options = game.legal_placements()
        if options:
            game.place(*self.chosen(options, self.minds.place(options)))
            self.settle()
            while (tile := game.next_waiting()) is not None:
                if game.waiting_merges:
                    choices = game.waiting_choices()
                    choice = self.chosen(choices, self.minds.choose("survives", choices))
                    game.place_waiting(*choice)
                    self.settle()
                assert tile
        orders = game.legal_orders()
        game.buy(self.chosen(orders, self.minds.order(orders)))
        if game.may_declare() and self.minds.declares():
            over = Ending.LARGE_HOTEL if max(map(game.size, game.hotels)) > 40 else Ending.ALL_SAFE
            game.next_turn()
            return over
        self.minds.tell("drew", game.end_turn())
        game.next_turn()
        return None

    def settle(self) -> None:
        """Deal with the acquired hotels one by one."""
        game = self.game
        for hotel in list(game.acquired):
            if game.market:
                self.minds.tell("market", game.draw_for_market(hotel))
            game.pay_bonuses(hotel)
            for player in list(game.players):
                if player.shares[hotel]:
                    self.ask(hotel, player.name)
        game.acquired = []

    def ask(self, hotel: str, name: str) -> None:
        """Ask a holder; one who breaks a rule leaves."""
        options = self.game.legal_disposals(name, hotel)
        choice = self.minds.dispose(name, options)
        if choice is not None:
            self.game.dispose(name, hotel, *options[choice])
        elif name == self.game.mover.name:
            raise _Left
        else:
            self.eject(name)


def by_yardstick(minds: TableMinds) -> Transcript:
    """Play a game by the clear rules."""
    return ByYardstick(minds).play()


# -- the referee and the strategies of this process ------------------------------------------------


class MindedAtTable(Strategy):
    """A strategy that leaves its choices to the minds of the game."""

    def __init__(self, name: str, minds: TableMinds) -> None:
        super().__init__(minds.rulebook, 0)
        self.name = name
        self._minds = minds
        self._placed: Placement | None = None

    def __call__(self, message: AdministratorMessage) -> PlayerMessage:
        self._placed = None
        try:
            return super().__call__(message)
        except RuleBroken:
            return self._break(message)

    def _break(self, message: AdministratorMessage) -> PlayerMessage:
        """Answer so that the rule is broken at which the mind would."""
        too_many = (0, 0, 0, 0)
        match message:
            case messages.TurnView() if self._placed is not None:
                return messages.Pbuy(self._placed, too_many)
            case messages.TurnView(view):
                hand = view.players[0].hand
                another = next(tile for tile in TILES if not hand >> tile & 1)
                if self.state is not None and not playable(self.state):
                    return messages.Pbuy(None, too_many)
                return messages.Pbuy(Placement(another), ())
            case messages.Dispose():
                return messages.DisposeAnswer(26, 0)
            case messages.MarketMerger(tile):
                return messages.Merge(Placement(tile))
            case _:
                return messages.Order(too_many)

    def _choose(self, options: Sequence[T], choice: int | None) -> T:
        if choice is None:
            raise RuleBroken
        return options[choice]

    def place(self, state: State) -> Placement:
        options = legal_placements(state)
        index = self._minds.place([named(self.rulebook, option) for option in options])
        self._placed = self._choose(options, index)
        return self._placed

    def order(self, state: State) -> Order:
        options = legal_orders(state)
        index = self._minds.order([names_of(self.rulebook, option) for option in options])
        return self._choose(options, index)

    def dispose(self, state: State, question: messages.Dispose) -> Disposal:
        owned = state.player(self.name).shares[question.hotel]
        options = legal_disposals(owned, state.bank[question.survivor])
        choice = self._minds.dispose(self.name, [(sell, trade) for sell, trade in options])
        return self._choose(options, choice)

    def survivor(self, state: State, tile: Tile) -> Placement:
        options = survivors(state, tile)
        names = [named(self.rulebook, option)[1:] for option in options]
        return self._choose(options, self._minds.choose("survives", names))

    def declare(self, state: State) -> bool:
        return self._minds.declares()


class _Ear:
    """Writes down what the referee tells, in the words of the other drivers."""

    def __init__(self, minds: TableMinds) -> None:
        self._minds = minds
        self._over = False

    def __call__(self, event: Event) -> None:
        match event:
            case events.TurnBegan(_, _, state) | events.Ended(_, _, state):
                self._minds.tell("state", told(state))
                self._over = isinstance(event, events.Ended)
            case events.Ejected(name):
                self._minds.tell("ejected", name)
            case events.MarketDrew(_, tile, _) if not self._over:
                self._minds.tell("market", None if tile is None else tile_name(tile))


def judged(minds: TableMinds, tell: Callable[[Event], None]) -> Outcome:
    """Let the referee judge a game; everything that happens is told."""
    dealer = minds.dealer
    referee = Referee(minds.rulebook, minds.names, dealer.bag, dealer.shuffle, tell)
    referee.state = minds.start
    players = {name: MindedAtTable(name, minds) for name in minds.names}
    return local.play(referee.play(), players, Dialect.of(minds.rulebook))


def by_referee(minds: TableMinds) -> Transcript:
    """Play a game with the referee and strategies in this process; draws are told by the states."""
    outcome = judged(minds, _Ear(minds))
    minds.tell("over", outcome.ending.value)
    finished = [place for place in outcome.standings if place.finished]
    minds.tell("scores", {place.name: place.score for place in finished})
    return minds.transcript
