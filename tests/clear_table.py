"""Acquire by the four other rule texts, written to be read: the sibling of `clear_rules`.

`corporations`, `classic`, `wikipedia` and `digest` are one game with a few differences, which
`RULES` lists. Everything is a dictionary, a set or a list of names, and every rule is looked up
afresh. It must know nothing of the engine that it judges: beside the standard library it takes
from `clear_rules` only what a player and a tile are, and which tiles touch. A quotation comes
from `corporations` unless another text is named, and "silent" marks what no text says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, permutations
from typing import Any

from clear_rules import ALL_TILES, Player, in_order, neighbours

CASH_AT_START = 6_000
TILES_IN_HAND = 6
CERTIFICATES_PER_HOTEL = 25
MAY_BUY = 3
SAFE_SIZE = 11
WINNING_SIZE = 41
MOST_PLAYERS = 6

Choice = tuple[str | None, tuple[str, ...]]  # a hotel, and the order of equal acquired hotels

CHEAP, MEDIUM, EXPENSIVE = 0, 1, 2
OF_THE_BOX = {"Worldwide": CHEAP, "Sackson": CHEAP, "Continental": EXPENSIVE, "Tower": EXPENSIVE}
OF_THE_BOX |= dict.fromkeys(["Festival", "Imperial", "American"], MEDIUM)
OF_THE_CARD = {"Sackson": CHEAP, "Zeta": CHEAP, "Phoenix": EXPENSIVE, "Quantum": EXPENSIVE}
OF_THE_CARD |= dict.fromkeys(["Hydra", "Fusion", "America"], MEDIUM)

# The information card: for each tier, the first size of each printed range and its price.
CARD = {
    CHEAP: {2: 200, 3: 300, 4: 400, 5: 500, 6: 600, 11: 700, 21: 800, 31: 900, 41: 1000},
    MEDIUM: {2: 300, 3: 400, 4: 500, 5: 600, 6: 700, 11: 800, 21: 900, 31: 1000, 41: 1100},
    EXPENSIVE: {2: 400, 3: 500, 4: 600, 5: 700, 6: 800, 11: 900, 21: 1000, 31: 1100, 41: 1200},
}

# `digest`: "the base price of the corporation plus a modifier", 100 for each step reached.
BASE_PRICE = {CHEAP: 200, MEDIUM: 300, EXPENSIVE: 400}
STEPS = [3, 4, 5, 6, 11, 21, 31, 41]


@dataclass(frozen=True)
class Rules:
    """What one rulebook does otherwise than another."""

    tiers: Mapping[str, int]  # of each of its seven hotels
    min_players: int = 2
    lowest_number_starts: bool = False  # or the topmost row, "9A is closer than 1B"
    priced_by_formula: bool = False  # or by the card
    refills_hand: bool = False  # up to six, and all six if none is permitted; or tile by tile
    market_for_two: bool = False  # whether the stock market is a third holder

    @property
    def hotels(self) -> list[str]:
        """The seven names, alphabetically."""
        return sorted(self.tiers)

    def price_at(self, hotel: str, size: int) -> int:
        """The price in dollars of a hotel's certificate at that size; 0 where it has none."""
        tier = self.tiers[hotel]
        if size < 2:  # "Two or more connected tiles" are a corporation
            return 0
        if self.priced_by_formula:
            return BASE_PRICE[tier] + 100 * sum(size >= step for step in STEPS)
        return CARD[tier][max(first for first in CARD[tier] if first <= size)]


RULES = {
    "corporations": Rules(OF_THE_CARD),
    "classic": Rules(OF_THE_BOX, lowest_number_starts=True, market_for_two=True),
    "wikipedia": Rules(OF_THE_BOX, min_players=3, refills_hand=True),
    "digest": Rules(OF_THE_CARD, priced_by_formula=True),
}


def share_of(dollars: int, owners: int) -> int:
    """An equal share, "up to the nearest $100 if necessary"."""
    return 100 * -(-dollars // (100 * owners))


def number_of(tile: str) -> int:
    """The column of a tile, "if 9F is drawn" 9 (classic)."""
    return int(tile[:-1])


class ClearTable:
    """A game under way: `players[0]` is the mover, and the others follow in turn order.

    A turn is `begin_turn`, `place` if a tile can be placed, for each of `acquired` `pay_bonuses`
    and then `dispose` once a holder, `buy`, `end_turn`, `next_turn`; `ending` is asked between
    turns. With a `market`, `draw_for_market` goes before each `pay_bonuses`, and `next_waiting`
    after a merger, until nothing waits. A call that the rules forbid fails an assertion.
    """

    def __init__(self, rules: str, names: Sequence[str], bag: Sequence[str]) -> None:
        self.rules = RULES[rules]
        self.loose: set[str] = set()  # the unincorporated tiles
        self.hotels: dict[str, set[str]] = {}  # those on the board only
        self.bag = list(bag)  # in draw order, the front first
        self.aside: set[str] = set()  # out of the game, face up
        self.survivor = ""  # of the latest merger, with the hotels it acquired, and their
        self.acquired: list[str] = []
        self.acquired_prices: dict[str, int] = {}  # prices before it
        self.market = self.rules.market_for_two and len(names) == 2
        self.market_holds: dict[str, int] = {}  # as drawn in this turn
        self.waiting: list[str] = []  # the tiles drawn for that, not yet on the board
        self.waiting_merges = False  # whether the first is for the mover to place
        self.is_idle = True  # until a tile is placed in this turn or the mover's hand changes
        self.idle_turns = 0  # in a row
        self.start_tiles: list[tuple[str, str]] = []
        hotels = self.rules.hotels
        self.players = [Player(name, CASH_AT_START, dict.fromkeys(hotels, 0)) for name in names]
        if names:
            self.deal()

    def deal(self) -> None:
        """Draws a tile each for the first turn, "leave the tiles on the gameboard", then six."""
        assert self.rules.min_players <= len(self.players) <= MOST_PLAYERS, "players"
        for player in self.players:
            self.start_tiles.append((player.name, self.bag.pop(0)))
        tiles = [tile for _, tile in self.start_tiles]
        self.loose = set(tiles)  # adjacent or not, "they are considered unincorporated tiles"
        if self.rules.lowest_number_starts:  # "in case of a tie .. the letter nearest" A
            first = min(tiles, key=lambda tile: (number_of(tile), tile[-1]))
        else:
            first = min(tiles, key=ALL_TILES.index)  # row by row
        starter = tiles.index(first)
        self.players = self.players[starter:] + self.players[:starter]
        for player in self.players:
            player.tiles = set(self.bag[:TILES_IN_HAND])
            del self.bag[:TILES_IN_HAND]

    @classmethod
    def from_position(
        cls,
        rules: str,
        loose: Sequence[str],
        hotels: Mapping[str, Sequence[str]],
        players: Sequence[tuple[str, int, Mapping[str, int], Sequence[str]]],
        bag: Sequence[str],
        aside: Sequence[str] = (),
        market: bool = False,
    ) -> ClearTable:
        """Lays out any position; players are (name, cash, shares, tiles), the mover first."""
        table = cls(rules, [], bag)
        table.loose, table.aside, table.market = set(loose), set(aside), market
        table.hotels = {hotel: set(tiles) for hotel, tiles in hotels.items() if tiles}
        for name, cash, shares, hand in players:
            all_shares = dict.fromkeys(table.rules.hotels, 0) | dict(shares)
            table.players.append(Player(name, cash, all_shares, set(hand)))
        assert not market or table.rules.market_for_two, "no such market in these rules"
        places = [loose, bag, aside, *hotels.values(), *(hand for _, _, _, hand in players)]
        laid = [tile for place in places for tile in place]
        assert len(laid) == len(set(laid)), "a tile lies in two places"
        return table

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
        """The hotel's price at its present size: 0 when it is not on the board."""
        return self.rules.price_at(hotel, self.size(hotel))

    def is_safe(self, hotel: str) -> bool:
        """Whether the hotel "contains 11 or more tiles"."""
        return self.size(hotel) >= SAFE_SIZE

    def bank(self, hotel: str) -> int:
        """How many of the hotel's certificates no player holds; a market's holding is no count."""
        return CERTIFICATES_PER_HOTEL - sum(player.shares[hotel] for player in self.players)

    def draw(self, count: int) -> list[str]:
        """The mover takes that many tiles from the bag, or as many as it has."""
        drawn = [self.bag.pop(0) for _ in range(min(count, len(self.bag)))]
        self.mover.tiles.update(drawn)
        self.is_idle = self.is_idle and not drawn
        return drawn

    def set_aside(self, tiles: list[str]) -> None:
        """Lays tiles of the mover's hand face up to the side."""
        self.mover.tiles -= set(tiles)
        self.aside.update(tiles)
        self.is_idle = self.is_idle and not tiles

    def begin_turn(self) -> tuple[list[str], list[str]]:
        """Replaces a hand of "no permissible moves" (wikipedia): what is set aside and drawn."""
        hand = in_order(self.mover.tiles)
        if not self.rules.refills_hand or self.legal_placements() or len(self.bag) < len(hand):
            return [], []  # "his entire hand": not where the bag cannot replace all of it
        self.set_aside(hand)
        return hand, self.draw(len(hand))

    # Step 1 of a turn: a tile

    def hotels_beside(self, tile: str) -> list[str]:
        """The distinct hotels that have a tile next to this spot, alphabetically."""
        return [hotel for hotel in sorted(self.hotels) if self.hotels[hotel] & neighbours(tile)]

    def is_permanently_unplayable(self, tile: str) -> bool:
        """A tile "which would merge two or more safe chains" (classic)."""
        return sum(self.is_safe(hotel) for hotel in self.hotels_beside(tile)) >= 2

    def cluster(self, tile: str) -> set[str]:
        """The tile with all unincorporated tiles that it is connected to."""
        reached, before = {tile}, set[str]()
        while reached != before:
            before = set(reached)
            reached |= {spot for spot in self.loose if neighbours(spot) & reached}
        return reached

    def choices(self, tile: str) -> list[Choice]:
        """What the placer chooses from, [(None, ())] without a choice, [] if not allowed."""
        beside = self.hotels_beside(tile)
        if self.is_permanently_unplayable(tile):
            return []
        if len(beside) >= 2:
            return self.merger_choices(beside)
        if not beside and self.loose & neighbours(tile):  # founds one, but never "an eighth"
            return [(hotel, ()) for hotel in self.rules.hotels if hotel not in self.hotels]
        return [(None, ())]

    def merger_choices(self, beside: list[str]) -> list[Choice]:
        """The largest survives, and "the mergemaker breaks any ties" for either question."""
        largest = max(self.size(hotel) for hotel in beside)
        return [
            (survivor, equals)
            for survivor in beside
            if self.size(survivor) == largest
            for equals in self.orders([hotel for hotel in beside if hotel != survivor])
        ]

    def orders(self, acquired: list[str]) -> list[tuple[str, ...]]:
        """The orders for those of equal size among the acquired: () is the alphabetical one."""
        sizes = [self.size(hotel) for hotel in acquired]
        tied = [hotel for hotel in sorted(acquired) if sizes.count(self.size(hotel)) > 1]
        return [(), *list(permutations(tied))[1:]]

    def legal_placements(self) -> list[tuple[str, str | None, tuple[str, ...]]]:
        """Each (tile, hotel to found or to survive, order of equals) of the mover, row by row."""
        hand = in_order(self.mover.tiles)
        return [(tile, hotel, equals) for tile in hand for hotel, equals in self.choices(tile)]

    def place(self, tile: str, hotel: str | None, equals: tuple[str, ...] = ()) -> None:
        """The mover places a tile; a merger joins the hotels, and pays nothing yet."""
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
        painted = self.cluster(tile)
        self.loose -= painted
        if not beside and hotel is not None:
            self.hotels[hotel] = painted
            if self.bank(hotel) > 0:  # or "no founder's bonus stock is given out"
                self.mover.shares[hotel] += 1
        elif len(beside) == 1:
            self.hotels[beside[0]] |= painted
        elif hotel is not None:
            self.merge(hotel, [other for other in beside if other != hotel], equals)
            self.hotels[hotel] |= painted

    # A merger: "the merging tile does not add to the size of either corporation for any purpose"

    def merge(self, survivor: str, others: list[str], equals: tuple[str, ...]) -> None:
        """Joins the hotels; the others are dealt with "from largest to smallest"."""
        as_named = [*equals, *(hotel for hotel in others if hotel not in equals)]
        self.acquired = sorted(as_named, key=lambda hotel: -self.size(hotel))  # keeps ties so
        self.survivor = survivor
        self.acquired_prices = {hotel: self.price(hotel) for hotel in self.acquired}
        for hotel in self.acquired:
            self.hotels[survivor] |= self.hotels.pop(hotel)

    def draw_for_market(self, hotel: str) -> str | None:
        """Draws a tile: its number is what the market "owns" (classic); 0 if none is left."""
        assert self.market, "no market takes part"
        self.market_holds[hotel] = 0
        if not self.bag:
            return None
        tile = self.bag.pop(0)
        self.market_holds[hotel] = number_of(tile)
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
        if counts.count(first) > 1 or second == 0:  # bonuses added together; one "gets both"
            majority, minority = majority + minority, 0
        paid = {}
        for name, count in holders.items():
            if count == first:
                paid[name] = share_of(majority, counts.count(first))
            elif count == second and minority > 0:
                paid[name] = share_of(minority, counts.count(second))
        return paid  # the market's part "is retained by Stock Market" (classic)

    def pay_bonuses(self, hotel: str) -> dict[str, int]:
        """Pays the bonuses of one acquired hotel, and says what each player got."""
        paid = self.bonuses(hotel, self.acquired_prices[hotel])
        for name, dollars in paid.items():
            self.player(name).cash += dollars
        return paid

    def legal_disposals(self, name: str, hotel: str) -> list[tuple[int, int]]:
        """Each (to sell, to trade) of a holder of an acquired hotel; what is left is held."""
        held = self.player(name).shares[hotel]
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

    # After a merger of two players: "the hotel drawn for the Stock Market is placed on the board"

    def next_waiting(self) -> str | None:
        """Takes the first waiting tile and lays it down; if it merges, it waits for the mover."""
        assert not self.waiting_merges, f"{self.waiting[0]} is to be placed first"
        if not self.waiting:
            return None
        tile = self.waiting[0]
        if self.is_permanently_unplayable(tile):  # "placed aside and is out of the game"
            self.aside.add(self.waiting.pop(0))
        elif len(self.hotels_beside(tile)) >= 2:
            self.waiting_merges = True
        else:  # one that would found a hotel "is placed but no chain is formed"
            self.lay(self.waiting.pop(0), None, ())
        return tile

    def waiting_choices(self) -> list[Choice]:
        """Each (survivor, order of equals) of the mover, for the waiting tile that merges."""
        return self.choices(self.waiting[0]) if self.waiting_merges else []

    def place_waiting(self, hotel: str | None, equals: tuple[str, ...] = ()) -> None:
        """Joins hotels by the waiting tile: another merger, with the mover as its placer."""
        assert (hotel, equals) in self.waiting_choices(), f"{hotel} does not survive"
        self.waiting_merges = False
        self.lay(self.waiting.pop(0), hotel, equals)

    # Steps 2 and 3 of a turn: certificates, and another tile

    def legal_orders(self) -> list[tuple[str, ...]]:
        """Every "none or up to three stock cards", "in any active corporation", that can be had."""
        prices = {hotel: self.price(hotel) for hotel in sorted(self.hotels)}
        left = {hotel: self.bank(hotel) for hotel in prices}
        orders = [
            order
            for count in range(MAY_BUY + 1)
            for order in combinations_with_replacement(prices, count)
            if sum(prices[hotel] for hotel in order) <= self.mover.cash
            and all(order.count(hotel) <= left[hotel] for hotel in order)
        ]
        return sorted(orders)

    def buy(self, hotels: Sequence[str]) -> None:
        """The mover buys one certificate for each name given, in any order."""
        assert tuple(sorted(hotels)) in self.legal_orders(), f"{hotels} cannot be bought"
        for hotel in hotels:
            self.mover.cash -= self.price(hotel)
            self.mover.shares[hotel] += 1

    def may_declare(self) -> bool:
        """Whether "all active corporations are safe" or one "has 41 or more tiles"."""
        all_safe = bool(self.hotels) and all(self.is_safe(hotel) for hotel in self.hotels)
        return all_safe or any(self.size(hotel) >= WINNING_SIZE for hotel in self.hotels)

    def end_turn(self) -> tuple[list[str], list[str]]:
        """Draws, and replaces the permanently unplayable, once: what is set aside, what drawn."""
        missing = TILES_IN_HAND - len(self.mover.tiles)
        unplayable: list[str] = []
        if self.rules.refills_hand:  # "ensuring he has six tiles" (wikipedia)
            drawn = self.draw(missing)
        else:
            drawn = self.draw(min(1, missing))
            hand = in_order(self.mover.tiles)
            unplayable = [tile for tile in hand if self.is_permanently_unplayable(tile)]
            self.set_aside(unplayable)
            drawn += self.draw(len(unplayable))
        self.idle_turns = self.idle_turns + 1 if self.is_idle else 0
        return unplayable, drawn

    def next_turn(self) -> None:
        """The next player becomes the mover, and this turn's mergers are forgotten."""
        self.players.append(self.players.pop(0))
        self.forget_turn()

    def forget_turn(self) -> None:
        """A turn begins of which nothing has happened yet."""
        assert not self.waiting, "a tile still waits"
        self.survivor, self.acquired, self.acquired_prices = "", [], {}
        self.market_holds = {}
        self.is_idle = True

    # The end

    def ending(self) -> str | None:
        """Between turns: "dead-round" when nothing can ever change again (silent), or None."""
        return "dead-round" if self.idle_turns >= len(self.players) else None

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
        """Takes a player from the table, as `ClearGame.eject`; the idle turns count anew."""
        leaver = self.player(name)
        assert sorted(shuffled) == sorted([*self.bag, *leaver.tiles]), "not the bag and that hand"
        if leaver is self.mover:
            self.forget_turn()
        self.players.remove(leaver)
        self.bag = list(shuffled)
        self.idle_turns = 0

    def state(self) -> dict[str, Any]:
        """Everything on and around the table, as plain data in a fixed order."""
        players = [
            {
                "name": player.name,
                "cash": player.cash,
                "shares": {h: player.shares[h] for h in self.rules.hotels if player.shares[h]},
                "tiles": in_order(player.tiles),
            }
            for player in self.players
        ]
        return {
            "loose": in_order(self.loose),
            "hotels": {hotel: in_order(self.hotels[hotel]) for hotel in sorted(self.hotels)},
            "players": players,
            "bag": list(self.bag),
            "aside": in_order(self.aside),
        }
