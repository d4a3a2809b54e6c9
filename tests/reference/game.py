"""Acquire by all five rule texts, written to be read: the reference for the engine in `game`.

Everything is a dictionary, a set or a list of names, and every rule is looked up afresh. It must
know nothing of the engine that it judges: it imports the standard library and its own data only.
A quotation names its text, or is from `corporations`; "(silent)" marks what no text says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations_with_replacement, permutations
from typing import Any, TypeAlias

from reference.rulebooks import (
    ALL_TILES,
    CERTIFICATES_PER_HOTEL,
    ROWS,
    RULES,
    TILES_IN_HAND,
    Rules,
    column_of,
)

Choice: TypeAlias = tuple[str | None, tuple[str, ...]]
"""What is named with a tile: the hotel to found or to survive, and the order of equal acquired."""


@cache
def neighbours(tile: str) -> frozenset[str]:
    """The tiles that are "vertically or horizontally" next to this one."""
    column, row = column_of(tile), ROWS.index(tile[-1])
    spots = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
    return frozenset(f"{c}{ROWS[r]}" for c, r in spots if 1 <= c <= 12 and 0 <= r < len(ROWS))


def in_order(tiles: set[str]) -> list[str]:
    """The tiles row by row."""
    return [tile for tile in ALL_TILES if tile in tiles]


@dataclass
class Player:
    """One player: money in dollars, certificates by hotel, tiles."""

    name: str
    cash: int
    shares: dict[str, int]
    tiles: set[str] = field(default_factory=set)


class Game:
    """A game: `players[0]` is the mover, and the others follow in turn order.

    A turn is `begin_turn`, `replace_hand` or not, `place` if a tile can be placed, `buy`,
    `declare` or not, `end_turn`.
    After a merger each of `acquired` needs `pay_bonuses` and then `dispose` once a holder; under
    `revised` the bonuses are paid by `place`, and `keep` is called once a player. With a `market`,
    `draw_for_market` goes before each `pay_bonuses`, and `next_waiting` after a merger, until
    nothing waits. `ending` is asked between turns. A call that the rules forbid fails an assertion.
    """

    def __init__(self, rulebook: str, names: Sequence[str], bag: Sequence[str]) -> None:
        self.rulebook = rulebook
        self.loose: set[str] = set()  # the unincorporated tiles
        self.hotels: dict[str, set[str]] = {}  # those on the board only
        self.bag = list(bag)  # in draw order, the front first
        self.aside: set[str] = set()  # out of the game, face up
        self.survivor = ""  # of the latest merger
        self.acquired: list[str] = []  # by it
        self.acquired_prices: dict[str, int] = {}  # before it
        self.market = self.rules.market_for_two and len(names) == 2
        self.market_holds: dict[str, int] = {}  # as drawn in this turn
        self.waiting: list[str] = []  # the tiles drawn for the market, not yet on the board
        self.waiting_merges = False  # whether the mover has to place the first of them
        self.may_end: str | None = None  # what could be declared when the turn began
        self.is_idle = True  # until a tile is placed in this turn or the mover's hand changes
        self.idle_turns = 0  # in a row
        self.over: str | None = None  # an ending that the position does not show
        self.players = [self.new_player(name) for name in names]
        self.start_tiles: dict[str, str] = {}
        if names:
            self.deal()

    @property
    def rules(self) -> Rules:
        """What this game's rulebook says."""
        return RULES[self.rulebook]

    def new_player(self, name: str) -> Player:
        """A player who has only the money that everybody begins with."""
        return Player(name, self.rules.cash, dict.fromkeys(self.rules.tiers, 0))

    def deal(self) -> None:
        """Draws a tile each for the first turn, "leave the tiles on the gameboard", then six."""
        assert len(self.players) in self.rules.players
        if self.rules.closest_tile is not None:  # or "first-come, first-serve" (revised)
            self.start_tiles = {player.name: self.bag.pop(0) for player in self.players}
            self.loose = set(self.start_tiles.values())  # "unincorporated", adjacent or not
            closest = min(self.loose, key=self.rules.closest_tile)
            while self.start_tiles[self.mover.name] != closest:
                self.pass_on()
        for player in self.players:
            player.tiles = set(self.bag[:TILES_IN_HAND])
            del self.bag[:TILES_IN_HAND]

    @classmethod
    def laid_out(
        cls,
        rulebook: str,
        players: Iterable[tuple[str, int, Mapping[str, int], Iterable[str]]],
        loose: Iterable[str] = (),
        hotels: Mapping[str, Iterable[str]] | None = None,
        bag: Sequence[str] = (),
        aside: Iterable[str] = (),
        market: bool = False,
    ) -> Game:
        """Lays out any position; players are (name, cash, shares, tiles), the mover first."""
        game = cls(rulebook, [], bag)
        assert not market or game.rules.market_for_two
        game.loose, game.aside, game.market = set(loose), set(aside), market
        game.hotels = {name: set(tiles) for name, tiles in (hotels or {}).items() if tiles}
        for name, cash, shares, tiles in players:
            player = game.new_player(name)
            player.cash, player.tiles = cash, set(tiles)
            player.shares |= shares
            game.players.append(player)
        laid = list(game.all_tiles())
        assert len(laid) == len(set(laid)), "a tile lies in two places"
        return game

    # What is on and around the table

    @property
    def mover(self) -> Player:
        """The player whose turn it is."""
        return self.players[0]

    def player(self, name: str) -> Player:
        """The player of that name."""
        return next(player for player in self.players if player.name == name)

    def size(self, hotel: str) -> int:
        """How many tiles the hotel has: 0 when it is not on the board."""
        return len(self.hotels.get(hotel, ()))

    def price(self, hotel: str) -> int:
        """The hotel's price at its present size."""
        return self.rules.price_at(self.rules.tiers[hotel], self.size(hotel))

    def is_safe(self, hotel: str) -> bool:
        """Whether the hotel "contains 11 or more tiles", or 12 (revised)."""
        return self.size(hotel) >= self.rules.safe_size

    def bank(self, hotel: str) -> int:
        """How many of the hotel's certificates no player holds; the market's are not real."""
        return CERTIFICATES_PER_HOTEL - sum(player.shares[hotel] for player in self.players)

    def all_tiles(self) -> Iterable[str]:
        """Every tile wherever it lies."""
        hands = [player.tiles for player in self.players]
        for place in (
            self.loose,
            self.bag,
            self.aside,
            self.waiting,
            *self.hotels.values(),
            *hands,
        ):
            yield from place

    def state(self) -> dict[str, Any]:
        """Everything on and around the table, as plain data in a fixed order."""
        return {
            "loose": in_order(self.loose),
            "hotels": {hotel: in_order(self.hotels[hotel]) for hotel in sorted(self.hotels)},
            "players": [
                {
                    "name": player.name,
                    "cash": player.cash,
                    "shares": {hotel: n for hotel, n in player.shares.items() if n},
                    "tiles": in_order(player.tiles),
                }
                for player in self.players
            ],
            "bag": list(self.bag),
            "aside": in_order(self.aside),
        }

    # Before step 1: "no permissible moves in his hand" (wikipedia)

    def begin_turn(self) -> None:
        """Notes what the mover can announce from now on."""
        self.may_end = self.large_or_safe()

    def may_replace_hand(self) -> bool:
        """Whether no tile can be placed, and the bag has as many as the hand (silent)."""
        size = len(self.mover.tiles)
        allowed = self.rules.may_replace_stuck_hand and 0 < size <= len(self.bag)
        return allowed and not self.legal_placements()

    def replace_hand(self) -> None:
        """The mover replaces "his entire hand", once before placing; it is out of the game."""
        assert self.may_replace_hand()
        hand = in_order(self.mover.tiles)
        self.set_aside(hand)
        self.draw(len(hand))

    def draw(self, count: int) -> list[str]:
        """The mover takes that many tiles from the bag, or as many as it has."""
        drawn, self.bag = self.bag[:count], self.bag[count:]
        self.mover.tiles.update(drawn)
        self.is_idle = self.is_idle and not drawn
        return drawn

    def set_aside(self, tiles: list[str]) -> None:
        """Lays tiles of the mover's hand "to the side (faceup)"."""
        self.mover.tiles -= set(tiles)
        self.aside.update(tiles)
        self.is_idle = self.is_idle and not tiles

    # Step 1 of a turn: a tile

    def hotels_beside(self, tile: str) -> list[str]:
        """The hotels that have a tile next to this spot, alphabetically."""
        return [hotel for hotel in sorted(self.hotels) if self.hotels[hotel] & neighbours(tile)]

    def kind(self, tile: str) -> str:
        """What the spot is: "singleton", "founding", "growing" or "merging", allowed or not."""
        beside = len(self.hotels_beside(tile))
        if beside == 0:
            return "founding" if self.loose & neighbours(tile) else "singleton"
        return "growing" if beside == 1 else "merging"

    def is_dead(self, tile: str) -> bool:
        """Whether the tile "is permanently unplayable": it would merge hotels that are safe."""
        safe = sum(self.is_safe(hotel) for hotel in self.hotels_beside(tile))
        return self.kind(tile) == "merging" and safe >= self.rules.safe_to_forbid

    def choices(self, tile: str) -> list[Choice]:
        """What the placer chooses from, [(None, ())] without a choice, [] if not allowed."""
        beside, loose = self.hotels_beside(tile), self.loose & neighbours(tile)
        if self.is_dead(tile):
            return []
        if beside and loose and not self.rules.hotels_take_in_loose_tiles:
            return []  # "also .. connected to a region of unassociated tiles" (revised)
        if len(beside) >= 2:
            return self.merger_choices(beside)
        if loose and not beside:
            available = [hotel for hotel in self.rules.tiers if hotel not in self.hotels]
            if available or not self.rules.eighth_hotel_stays_loose:
                return [(hotel, ()) for hotel in available]
        return [(None, ())]

    def merger_choices(self, beside: list[str]) -> list[Choice]:
        """The largest survives, and "the mergemaker breaks any ties" for either question."""
        largest = max(self.size(hotel) for hotel in beside)
        return [
            (survivor, equals)
            for survivor in beside
            if self.size(survivor) == largest
            for equals in self.orders_of([hotel for hotel in beside if hotel != survivor])
        ]

    def orders_of(self, acquired: list[str]) -> list[tuple[str, ...]]:
        """The orders for those of equal size among the acquired: () is the alphabetical one."""
        if not self.rules.placer_orders_equals:
            return [()]
        sizes = [self.size(hotel) for hotel in acquired]
        equal = [hotel for hotel in sorted(acquired) if sizes.count(self.size(hotel)) > 1]
        return [(), *list(permutations(equal))[1:]]

    def legal_placements(self) -> list[tuple[str, str | None, tuple[str, ...]]]:
        """Each tile of the mover with each choice for it, row by row."""
        hand = in_order(self.mover.tiles)
        return [(tile, hotel, equals) for tile in hand for hotel, equals in self.choices(tile)]

    def place(self, tile: str, hotel: str | None, equals: tuple[str, ...] = ()) -> None:
        """The mover places a tile."""
        assert (tile, hotel, equals) in self.legal_placements(), f"{tile} {hotel} is not allowed"
        self.mover.tiles.remove(tile)
        self.is_idle = False
        self.lay(tile, hotel, equals)

    def lay(self, tile: str, hotel: str | None, equals: tuple[str, ...]) -> None:
        """Lays a tile on the board; without a hotel to found it stays unincorporated."""
        beside = self.hotels_beside(tile)
        if not beside and hotel is None:
            self.loose.add(tile)
            return
        painted = {tile}  # with "all connected tiles" (revised)
        while reached := {spot for spot in self.loose - painted if neighbours(spot) & painted}:
            painted |= reached
        self.loose -= painted
        if len(beside) >= 2:
            assert hotel is not None
            self.merge(hotel, [other for other in beside if other != hotel], equals)
        elif not beside:
            assert hotel is not None
            self.hotels[hotel] = set()
            if self.bank(hotel) > 0:  # or "no founder's bonus stock is given out"
                self.mover.shares[hotel] += 1
        self.hotels[hotel or beside[0]] |= painted

    # A merger: "the merging tile does not add to the size of either corporation for any purpose"

    def merge(self, survivor: str, others: list[str], equals: tuple[str, ...]) -> None:
        """Joins the hotels; the others are dealt with "from largest to smallest"."""
        as_named = [*equals, *(hotel for hotel in others if hotel not in equals)]
        self.acquired = sorted(as_named, key=lambda hotel: -self.size(hotel))  # a stable sort
        self.survivor = survivor
        self.acquired_prices = {hotel: self.price(hotel) for hotel in self.acquired}
        for hotel in self.acquired:
            self.hotels[survivor] |= self.hotels.pop(hotel)
        if self.rules.keep_or_return:
            for hotel in self.acquired:
                self.pay_bonuses(hotel)

    def draw_for_market(self, hotel: str) -> str | None:
        """Draws a tile: its number is what the market "owns" (classic); 0 if none is left."""
        assert self.market
        self.market_holds[hotel] = 0
        if not self.bag:
            return None
        tile = self.bag.pop(0)
        self.market_holds[hotel] = column_of(tile)
        self.waiting.append(tile)
        return tile

    def bonuses(self, hotel: str, price: int) -> dict[str, int]:
        """What each majority and minority owner is paid, at that price of a certificate."""
        majority, minority = 10 * price, 5 * price
        holders = {p.name: p.shares[hotel] for p in self.players if p.shares[hotel] > 0}
        counts = list(holders.values())
        if self.market_holds.get(hotel, 0) > 0:
            counts.append(self.market_holds[hotel])
        first = max(counts, default=0)
        second = max((count for count in counts if count < first), default=0)
        tied = counts.count(first) > 1  # "add the majority and minority bonuses together"
        if tied or (second == 0 and self.rules.sole_holder_gets_both):
            majority, minority = majority + minority, 0
        paid = {}
        for name, count in holders.items():
            if count == first:
                paid[name] = self.rules.share_of(majority, counts.count(first))
            elif count == second and minority > 0:
                paid[name] = self.rules.share_of(minority, counts.count(second))
        return paid  # the market's part "is retained by Stock Market" (classic)

    def pay_bonuses(self, hotel: str) -> dict[str, int]:
        """Pays the bonuses of one acquired hotel, and returns what each player got."""
        paid = self.bonuses(hotel, self.acquired_prices[hotel])
        for name, dollars in paid.items():
            self.player(name).cash += dollars
        return paid

    def legal_disposals(self, name: str, hotel: str) -> list[tuple[int, int]]:
        """Each (to sell, to trade) of a holder of an acquired hotel; what is left is held."""
        held = self.player(name).shares[hotel]
        if self.rules.keep_or_return:
            return [(0, 0), (held, 0)]
        tradable = min(held, 2 * self.bank(self.survivor))  # "the supply .. is limited"
        return [
            (sell, trade)
            for sell in range(held + 1)
            for trade in range(0, tradable + 1, 2)
            if sell + trade <= held
        ]

    def dispose(self, name: str, hotel: str, sell: int, trade: int) -> None:
        """Sells at the price "before the merger", and trades two for one of the survivor."""
        assert (sell, trade) in self.legal_disposals(name, hotel), f"{name}: {sell}, {trade}"
        player = self.player(name)
        player.shares[hotel] -= sell + trade
        player.cash += sell * self.acquired_prices[hotel]
        player.shares[self.survivor] += trade // 2

    def keep(self, name: str, decisions: Sequence[bool]) -> None:
        """For each acquired hotel in order: True keeps all certificates, False returns all."""
        for hotel, keeps in zip(self.acquired, decisions, strict=True):
            self.dispose(name, hotel, 0 if keeps else self.player(name).shares[hotel], 0)

    # After a merger of two players: "the hotel drawn for the Stock Market is placed" (classic)

    def next_waiting(self) -> str | None:
        """Takes the first waiting tile and lays it down; if it merges, it waits for the mover."""
        assert not self.waiting_merges, f"{self.waiting[0]} is to be placed first"
        if not self.waiting:
            return None
        tile = self.waiting[0]
        hotels, loose = self.hotels_beside(tile), self.loose & neighbours(tile)
        refused = hotels and loose and not self.rules.hotels_take_in_loose_tiles
        if self.is_dead(tile) or refused:  # "placed aside and is out of the game"
            self.aside.add(self.waiting.pop(0))
        elif self.kind(tile) == "merging":
            self.waiting_merges = True
        else:  # one that would found a hotel "is placed but no chain is formed"
            self.lay(self.waiting.pop(0), None, ())
        return tile

    def waiting_choices(self) -> list[Choice]:
        """What the mover chooses from for the waiting tile that merges."""
        return self.choices(self.waiting[0]) if self.waiting_merges else []

    def place_waiting(self, hotel: str | None, equals: tuple[str, ...] = ()) -> None:
        """Joins hotels by the waiting tile: another merger, with the mover as its placer."""
        assert (hotel, equals) in self.waiting_choices(), f"{hotel} does not survive"
        self.waiting_merges = False
        self.lay(self.waiting.pop(0), hotel, equals)

    # Step 2 of a turn: certificates

    def legal_orders(self) -> list[tuple[str, ...]]:
        """Every order that the mover can have, its hotels in alphabetical order.

        "None or up to three stock cards", or "up to two .. of the same kind" (revised), of hotels
        that have a price.
        """
        prices = {hotel: self.price(hotel) for hotel in self.rules.tiers if self.price(hotel)}
        left = {hotel: self.bank(hotel) for hotel in prices}
        return sorted(
            order
            for count in range(self.rules.may_buy + 1)
            for order in combinations_with_replacement(prices, count)
            if sum(prices[hotel] for hotel in order) <= self.mover.cash
            and all(order.count(hotel) <= left[hotel] for hotel in order)
            and (self.rules.may_mix or len(set(order)) <= 1)
        )

    def buy(self, hotels: Sequence[str]) -> None:
        """The mover buys one certificate for each name given, in any order."""
        assert tuple(sorted(hotels)) in self.legal_orders(), f"{hotels} cannot be bought"
        for hotel in hotels:
            self.mover.cash -= self.price(hotel)
            self.mover.shares[hotel] += 1

    # Step 3 of a turn: another tile

    def end_turn(self) -> None:
        """Draws, replaces dead tiles, once, and makes the next player the mover."""
        missing = TILES_IN_HAND - len(self.mover.tiles)
        drawn = self.draw(missing if self.rules.may_replace_stuck_hand else min(1, missing))
        if self.rules.replaces_dead_tiles:
            dead = [tile for tile in in_order(self.mover.tiles) if self.is_dead(tile)]
            self.set_aside(dead)
            self.draw(len(dead))
        if self.rules.referee_ends and not drawn:
            self.over = "no-tile-to-hand-back"
        self.idle_turns = self.idle_turns + 1 if self.is_idle else 0
        self.pass_on()
        self.forget_turn()

    def pass_on(self) -> None:
        """The next player becomes the mover."""
        self.players.append(self.players.pop(0))

    def forget_turn(self) -> None:
        """A turn begins of which nothing has happened yet."""
        self.survivor, self.acquired, self.acquired_prices = "", [], {}
        self.market_holds, self.waiting, self.waiting_merges = {}, [], False
        self.may_end, self.is_idle = None, True

    # The end

    def large_or_safe(self) -> str | None:
        """Why the sizes of the hotels can end the game, or None."""
        if any(self.size(hotel) >= self.rules.winning_size for hotel in self.hotels):
            return "large-hotel"
        if self.hotels and all(self.is_safe(hotel) for hotel in self.hotels):
            return "all-hotels-safe"
        return None

    def declarable(self) -> str | None:
        """What "one player, during his turn," may announce: it holds now, or held when it began."""
        return None if self.rules.referee_ends else self.large_or_safe() or self.may_end

    def declare(self) -> None:
        """The mover "announces that the game is over" after buying, and draws nothing."""
        assert self.declarable()
        self.over = self.declarable()
        self.pass_on()
        self.forget_turn()

    def ending(self) -> str | None:
        """Between turns: why the game is over, or None."""
        if not self.players:
            return "nobody-left"
        if not self.rules.referee_ends:  # a round in which nothing changes (silent)
            most = 3 if self.somebody_may_replace() else 1
            idle = self.idle_turns // len(self.players) >= most
            return self.over or ("dead-round" if idle else None)
        placeable = self.legal_placements()
        return self.large_or_safe() or self.over or (None if placeable else "no-placeable-tile")

    def somebody_may_replace(self) -> bool:
        """A player "may replace his entire hand" later, if the bag has the tiles (wikipedia)."""
        return self.rules.may_replace_stuck_hand and any(
            player.tiles and len(player.tiles) <= len(self.bag) for player in self.players
        )

    def scores(self) -> dict[str, int]:
        """The bonuses "for all active corporations", then "all stocks are sold back".

        With a market this draws: the tiles "are not placed on board but are simply set aside".
        """
        money = {player.name: player.cash for player in self.players}
        for hotel in sorted(self.hotels, key=lambda hotel: (-self.size(hotel), hotel)):
            if self.market and self.draw_for_market(hotel) is not None:
                self.aside.add(self.waiting.pop())
            for name, dollars in self.bonuses(hotel, self.price(hotel)).items():
                money[name] += dollars
            for player in self.players:
                money[player.name] += player.shares[hotel] * self.price(hotel)
        return money

    # Not in the rule texts

    def eject(self, name: str, shuffled: Sequence[str]) -> None:
        """Takes a player from the table; `shuffled` is the bag with that player's tiles.

        The certificates are the bank's again, the cash is gone. If it is the mover, the caller
        starts from the position before the turn.
        """
        leaver = self.player(name)
        assert sorted(shuffled) == sorted([*self.bag, *leaver.tiles]), "not the bag and that hand"
        if leaver is self.mover:
            self.forget_turn()
        self.players.remove(leaver)
        self.bag = list(shuffled)
        self.idle_turns = 0
