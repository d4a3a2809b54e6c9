"""Everything that can play a game, given the same choices: what the agreement tests compare.

A driver plays a game and returns its transcript: what the players were offered and chose, every
position, who was ejected, the ending and the scores. The drivers know nothing of each other:

    by_functions   game/, called by hand
    by_yardstick   ClearGame, the deliberately clear rules
    by_referee     the referee, told to strategies in this process (admin.match.in_process)

The players of a game are its `Minds`: a driver asks them and writes down what they do not see.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

from clear_rules import ClearGame, in_order
from positions import clear, named, plain

from admin.match import events
from admin.match import in_process as local
from admin.match.dealer import Dealer
from admin.match.events import Event
from admin.match.outcome import Outcome
from admin.match.referee import Referee
from game.disposal import keep
from game.drawing import refill
from game.merger import merge
from game.placement import Kind, Placement, kind_of, legal_placements, place
from game.purchase import Order, buy, legal_orders
from game.rulebooks import REVISED
from game.state import State, deal
from game.tiles import TILES, parse_tile, tile_name
from game.turn import (
    Ending,
    eject,
    ending,
    pass_turn,
    pay_out,
    regular_ending,
    returned_bag,
)
from player.strategies.strategy import Strategy
from protocol import messages
from protocol.messages import AdministratorMessage, PlayerMessage

T = TypeVar("T")

Transcript: TypeAlias = list[tuple[str, object]]


class Temper(NamedTuple):
    """How the players of a game are inclined.

    ``keeps`` is the probability that certificates of an acquired hotel are kept, ``names`` and
    ``buys`` those of preferring a placement that names a hotel and an order for two, ``breaks``
    that of breaking a rule at any question and being ejected.
    """

    keeps: float = 0.5
    names: float = 0.0
    buys: float = 0.0
    breaks: float = 0.0


TEMPERS = [
    Temper(),
    Temper(keeps=0.0, names=0.5, buys=0.5),
    Temper(keeps=1.0, names=1.0, buys=0.9),
    Temper(keeps=0.9, names=0.9, buys=0.9, breaks=0.004),
    Temper(breaks=0.02),
]


class Minds:
    """All players' choices in one game, from one random source, written down as they are made.

    Asked the same questions, two of the same seed choose the same: the first question that is
    asked otherwise shows in the transcript.
    """

    def __init__(self, seed: int, temper: Temper | None = None, start: State | None = None) -> None:
        self._chance = random.Random(seed)
        self._seed = seed
        self.temper = temper or TEMPERS[seed % len(TEMPERS)]
        self.dealer = Dealer(seed)
        if start is None:
            start = deal(REVISED, "abcdef"[: 3 + seed % 4], self.dealer.bag)
        self.start = start
        self.names = [player.name for player in start.players]
        self.transcript: Transcript = []

    def __repr__(self) -> str:
        return f"Minds({self._seed}, {self.temper})"

    def tell(self, what: str, fact: object) -> None:
        """Write down a fact."""
        self.transcript.append((what, fact))

    def _happens(self, probability: float) -> bool:
        return self._chance.random() < probability

    def place(self, options: Sequence[tuple[str, str | None]]) -> int | None:
        """Which of the legal placements; ``None`` when the mover breaks a rule instead."""
        self.tell("placements", list(options))
        if self._happens(self.temper.breaks):
            return None
        naming = [index for index, (_, hotel) in enumerate(options) if hotel is not None]
        prefer = naming if self._happens(self.temper.names) else []
        choice = self._chance.choice(prefer or range(len(options)))
        self.tell("placed", options[choice])
        return choice

    def keep(self, name: str, acquired: Sequence[str]) -> list[bool] | None:
        """Whether to keep each acquired hotel's certificates; ``None`` to break a rule."""
        if self._happens(self.temper.breaks):
            return None
        decisions = [self._happens(self.temper.keeps) for _ in acquired]
        self.tell("kept", (name, list(acquired), decisions))
        return decisions

    def order(self, options: Sequence[tuple[str, ...]]) -> int | None:
        """Which of the legal orders; ``None`` when the mover breaks a rule instead."""
        self.tell("orders", list(options))
        if self._happens(self.temper.breaks):
            return None
        large = [index for index, order in enumerate(options) if len(order) == 2]
        prefer = large if self._happens(self.temper.buys) else []
        choice = self._chance.choice(prefer or range(len(options)))
        self.tell("ordered", options[choice])
        return choice


def hotel_names(hotels: Sequence[int]) -> tuple[str, ...]:
    """The names of hotels, in their order."""
    return tuple(map(REVISED.hotel_name, hotels))


# -- the functions of `game`, called by hand -------------------------------------------------------


def by_functions(minds: Minds) -> Transcript:
    """Play a game with nothing but the functions of `game`."""
    state, over = minds.start, ending(minds.start)
    while over is None:
        minds.tell("state", plain(state))
        state, over = turn_by_functions(minds, state)
        over = over or ending(state)
    minds.tell("state", plain(state))
    minds.tell("over", over.value)
    minds.tell("scores", dict(pay_out(state).scores))
    return minds.transcript


def turn_by_functions(minds: Minds, state: State) -> tuple[State, Ending | None]:
    """Play a turn; the ending is given when no tile was left to hand back."""
    mover, committed = state.mover.name, state
    options = legal_placements(state)
    placed = minds.place([named(option) for option in options])
    if placed is None:
        return without(minds, committed, mover), None
    if kind_of(state.board, options[placed].tile) is Kind.MERGING:
        merger = merge(state, options[placed])
        for name in [player.name for player in state.players]:
            decisions = minds.keep(name, hotel_names(merger.acquired))
            if decisions is not None:
                merger = keep(merger, name, decisions)
                continue
            committed = without(minds, committed, name)
            if name == mover:
                return committed, None
            merger = merger._replace(state=eject(merger.state, name, committed.bag))
        state = merger.state
    else:
        state = place(state, options[placed])
    orders = legal_orders(state)
    ordered = minds.order([hotel_names(order) for order in orders])
    if ordered is None:
        return without(minds, committed, mover), None
    drawn = refill(buy(state, orders[ordered]))
    state = pass_turn(drawn.state)
    return state, None if drawn.tiles else regular_ending(state) or Ending.BAG_EMPTY


def without(minds: Minds, state: State, name: str) -> State:
    """The position after a player was ejected."""
    minds.tell("ejected", name)
    return eject(state, name, minds.dealer.shuffle(returned_bag(state, name)))


# -- the yardstick ---------------------------------------------------------------------------------

YARDSTICK_ENDINGS = {
    "hotel-of-40": Ending.LARGE_HOTEL,
    "all-hotels-safe": Ending.ALL_SAFE,
    "no-placeable-tile": Ending.NOTHING_PLACEABLE,
}


def by_yardstick(minds: Minds) -> Transcript:
    """Play a game by the clear rules."""
    game, over = clear(minds.start), ending_of(clear(minds.start))
    while over is None:
        minds.tell("state", game.state())
        game, over = turn_by_yardstick(minds, game)
        over = over or ending_of(game)
    minds.tell("state", game.state())
    minds.tell("over", over.value)
    minds.tell("scores", game.scores())
    return minds.transcript


def ending_of(game: ClearGame) -> Ending | None:
    """The ending that the clear rules see between turns."""
    if not game.players:
        return Ending.NOBODY_LEFT
    over = game.ending()
    return None if over is None else YARDSTICK_ENDINGS[over]


def turn_by_yardstick(minds: Minds, game: ClearGame) -> tuple[ClearGame, Ending | None]:
    """Play a turn; an ejected mover's is played on a copy, and forgotten."""
    committed = copy.deepcopy(game) if minds.temper.breaks else game
    mover = game.mover.name
    options = game.legal_placements()
    placed = minds.place(options)
    if placed is None:
        return leave(minds, mover, committed), None
    game.place(*options[placed])
    for name in [player.name for player in game.players] if game.acquired else []:
        decisions = minds.keep(name, game.acquired)
        if decisions is not None:
            game.keep(name, decisions)
        elif name == mover:
            return leave(minds, mover, committed), None
        else:
            leave(minds, name, committed, game)
    orders = game.legal_orders()
    ordered = minds.order(orders)
    if ordered is None:
        return leave(minds, mover, committed), None
    game.buy(orders[ordered])
    tile = game.draw()
    game.next_turn()
    if tile is not None:
        return game, None
    over = ending_of(game)
    return game, over if over in (Ending.LARGE_HOTEL, Ending.ALL_SAFE) else Ending.BAG_EMPTY


def leave(minds: Minds, name: str, *games: ClearGame) -> ClearGame:
    """Eject a player from each of these positions of one game; the first is returned."""
    minds.tell("ejected", name)
    returned = [*games[0].bag, *in_order(games[0].player(name).tiles)]
    shuffled = minds.dealer.shuffle([parse_tile(tile) for tile in returned])
    for game in games:
        game.eject(name, [tile_name(tile) for tile in shuffled])
    return games[0]


# -- the referee and the strategies of this process ------------------------------------------------


class RuleBroken(Exception):
    """Raised by a mind that breaks a rule, to leave the strategy that asked it."""


class Minded(Strategy):
    """A strategy that leaves its choices to the minds of the game."""

    def __init__(self, name: str, minds: Minds) -> None:
        super().__init__(REVISED, 0)
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
        too_many = (0, 0, 0)
        match message:
            case messages.Turn() if self._placed is not None:
                return messages.Pbuy(self._placed, too_many)
            case messages.Turn(_, (mover, *_)):
                another = next(tile for tile in TILES if not mover.hand >> tile & 1)
                return messages.Pbuy(Placement(another), ())
            case messages.Keep(acquired):
                return messages.KeepAnswer((True,) * (len(acquired) + 1))
            case _:
                return messages.Order(too_many)

    def place(self, state: State) -> Placement:
        options = legal_placements(state)
        choice = self._minds.place([named(option) for option in options])
        self._placed = chosen(options, choice)
        return self._placed

    def keep(self, hotels: tuple[int, ...]) -> tuple[bool, ...]:
        decisions = self._minds.keep(self.name, hotel_names(hotels))
        if decisions is None:
            raise RuleBroken
        return tuple(decisions)

    def order(self, state: State) -> Order:
        options = legal_orders(state)
        return chosen(options, self._minds.order([hotel_names(option) for option in options]))


def chosen(options: Sequence[T], choice: int | None) -> T:
    """The option chosen, if one was."""
    if choice is None:
        raise RuleBroken
    return options[choice]


def by_referee(minds: Minds) -> Transcript:
    """Play a game with the referee and strategies in this process."""

    def tell(event: Event) -> None:
        match event:
            case events.TurnBegan(_, _, state) | events.Ended(_, _, state):
                minds.tell("state", plain(state))
            case events.Ejected(name):
                minds.tell("ejected", name)

    outcome = judged(minds, tell)
    minds.tell("over", outcome.ending.value)
    finished = [place for place in outcome.standings if place.finished]
    minds.tell("scores", {place.name: place.score for place in finished})
    return minds.transcript


def judged(minds: Minds, tell: Callable[[Event], None]) -> Outcome:
    """Let the referee judge a game; everything that happens is told."""
    referee = Referee(REVISED, minds.names, minds.dealer.bag, minds.dealer.shuffle, tell)
    referee.state = minds.start
    players = {name: Minded(name, minds) for name in minds.names}
    return local.play(referee.play(), players)
