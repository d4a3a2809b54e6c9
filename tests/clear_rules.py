"""Acquire by the `revised` rule text, written to be read: the yardstick for the fast rules.

Everything is a dictionary, a set or a list of names, and every rule is looked up afresh. It must
know nothing of the engine that it judges: it imports the standard library only. In comments,
"Play 1.2" is step 1, point 2 of the rule text's "Play"; "Clarification 3" counts its last list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

ROWS = "ABCDEFGHI"
COLUMNS = range(1, 13)
ALL_TILES = [f"{column}{row}" for row in ROWS for column in COLUMNS]  # 1A, 2A .. 12A, 1B ..
HOTELS = ["American", "Continental", "Festival", "Imperial", "Sackson", "Tower", "Worldwide"]

CASH_AT_START = 8_000
TILES_IN_HAND = 6
CERTIFICATES_PER_HOTEL = 25
MAY_BUY = 2
SAFE_SIZE = 12
WINNING_SIZE = 40

# Play 2: each price, then the smallest size at which it holds in each column of the table.
NEVER = 109  # more tiles than there are: the "--" of the table, and its two blanks
PRICE_COLUMN = {"Worldwide": 1, "Sackson": 1, "Festival": 2, "Imperial": 2, "American": 2}
PRICE_COLUMN |= {"Continental": 3, "Tower": 3}
PRICE_TABLE = [
    (200, 2, 0, 0),
    (300, 3, 2, 0),
    (400, 4, 3, 2),
    (500, 5, 4, 3),
    (600, 6, 5, 4),
    (700, 11, 6, 5),
    (800, 21, 11, 6),
    (900, 31, 21, 11),
    (1000, 41, 31, 21),
    (1100, NEVER, 41, 31),
    (1200, NEVER, NEVER, 41),
]


def price_at(hotel: str, size: int) -> int:
    """The price in dollars of a hotel's certificate at that size; 0 where it has none."""
    for row in reversed(PRICE_TABLE):  # "starting from the bottom, find the row with the first
        if row[PRICE_COLUMN[hotel]] <= size:  # number smaller or equal to N"
            return row[0]
    return 0


def share_of(dollars: int, owners: int) -> int:
    """An equal share, to the nearest dollar, halves up (Play 1.3, third step)."""
    return (2 * dollars + owners) // (2 * owners)


@cache
def neighbours(tile: str) -> frozenset[str]:
    """The tiles that are "vertically or horizontally next to" this one."""
    column, row = int(tile[:-1]), ROWS.index(tile[-1])
    spots = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
    return frozenset(f"{c}{ROWS[r]}" for c, r in spots if c in COLUMNS and r in range(len(ROWS)))


def in_order(tiles: set[str]) -> list[str]:
    """The tiles row by row."""
    return [tile for tile in ALL_TILES if tile in tiles]


@dataclass
class Player:
    """One player: money in dollars, certificates of each of the seven hotels, tiles."""

    name: str
    cash: int = CASH_AT_START
    shares: dict[str, int] = field(default_factory=lambda: dict.fromkeys(HOTELS, 0))
    tiles: set[str] = field(default_factory=set)


class ClearGame:
    """A game under way: `players[0]` is the mover, and the others follow in turn order.

    A turn is `place`, `keep` once a player if `acquired` is not empty, `buy`, `draw`, `next_turn`;
    `ending` is asked between turns. A call that the rules forbid fails an assertion.
    """

    def __init__(self, names: Sequence[str], bag: Sequence[str]) -> None:
        self.loose: set[str] = set()  # the unincorporated tiles ("unassociated" in the text)
        self.hotels: dict[str, set[str]] = {}  # those on the board only
        self.bag = list(bag)  # in draw order, the front first
        self.acquired: list[str] = []  # by this turn's merger
        self.acquired_prices: dict[str, int] = {}  # before that merger
        self.players = [Player(name) for name in names]
        for player in self.players:  # Setup: six tiles each, in sign-up order
            player.tiles = set(self.bag[:TILES_IN_HAND])
            del self.bag[:TILES_IN_HAND]

    @classmethod
    def from_position(
        cls,
        loose: Sequence[str],
        hotels: Mapping[str, Sequence[str]],
        players: Sequence[tuple[str, int, Mapping[str, int], Sequence[str]]],
        bag: Sequence[str],
    ) -> ClearGame:
        """Lays out any position; players are (name, cash, shares, tiles), the mover first."""
        game = cls([], bag)
        game.loose = set(loose)
        game.hotels = {hotel: set(tiles) for hotel, tiles in hotels.items() if tiles}
        for name, cash, shares, hand in players:
            all_shares = dict.fromkeys(HOTELS, 0) | dict(shares)
            game.players.append(Player(name, cash, all_shares, set(hand)))
        places = [loose, bag, *hotels.values(), *(hand for _, _, _, hand in players)]
        laid = [tile for place in places for tile in place]
        assert len(laid) == len(set(laid)), "a tile lies in two places"
        return game

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
        """The hotel's price at its present size, on the board or not (Clarification 1)."""
        return price_at(hotel, self.size(hotel))

    def is_safe(self, hotel: str) -> bool:
        """Play 1.3: a hotel is safe when it "consists of at least 12 tiles"."""
        return self.size(hotel) >= SAFE_SIZE

    def bank(self, hotel: str) -> int:
        """How many of the hotel's certificates nobody holds."""
        return CERTIFICATES_PER_HOTEL - sum(player.shares[hotel] for player in self.players)

    # Step 1 of a turn: a tile

    def hotels_beside(self, tile: str) -> list[str]:
        """The distinct hotels that have a tile next to this spot, alphabetically."""
        return [hotel for hotel in sorted(self.hotels) if self.hotels[hotel] & neighbours(tile)]

    def kind(self, tile: str) -> str:
        """What the spot is: "singleton", "founding", "growing" or "merging", allowed or not."""
        touched = len(self.hotels_beside(tile))
        if touched == 0:
            return "founding" if self.loose & neighbours(tile) else "singleton"
        return "growing" if touched == 1 else "merging"

    def is_placeable(self, tile: str) -> bool:
        """Whether the rules let anybody place this tile now."""
        beside = self.hotels_beside(tile)
        # Play 1.2 and 1.3: not if "also ... connected to a region of unassociated tiles".
        joins_both = bool(beside) and bool(self.loose & neighbours(tile))
        # Play 1.3: not if "any of the hotels in a merger is safe".
        merges_a_safe_one = len(beside) >= 2 and any(self.is_safe(hotel) for hotel in beside)
        return not joins_both and not merges_a_safe_one

    def choices(self, tile: str) -> list[str | None]:
        """The hotels that the placer chooses from, [None] without a choice, [] if not allowed."""
        if not self.is_placeable(tile):
            return []
        if self.kind(tile) == "founding":  # Play 1.1: any available one; "cannot found" without
            return [hotel for hotel in HOTELS if hotel not in self.hotels] or [None]
        if self.kind(tile) == "merging":  # Play 1.3, first step: the largest, of equals any
            beside = self.hotels_beside(tile)
            largest = max(self.size(hotel) for hotel in beside)
            return [hotel for hotel in beside if self.size(hotel) == largest]
        return [None]

    def legal_placements(self) -> list[tuple[str, str | None]]:
        """Each (tile, hotel to found or to survive) that the mover can place, row by row."""
        hand = in_order(self.mover.tiles)
        return [(tile, hotel) for tile in hand for hotel in self.choices(tile)]

    def place(self, tile: str, hotel: str | None) -> None:
        """The mover places a tile; in a merger the bonuses are paid at once."""
        assert (tile, hotel) in self.legal_placements(), f"{tile} {hotel} is not allowed"
        self.mover.tiles.remove(tile)
        kind = self.kind(tile)
        if kind == "growing":
            self.hotels[self.hotels_beside(tile)[0]].add(tile)
        elif hotel is None:  # a singleton, or a founding with no hotel available
            self.loose.add(tile)
        elif kind == "founding":
            self.found(hotel, tile)
        else:
            self.merge(hotel, tile)

    def found(self, hotel: str, tile: str) -> None:
        """Play 1.1: paints "all connected tiles"; the founder gets a certificate, if available."""
        painted = {tile}
        while reached := {spot for spot in self.loose - painted if neighbours(spot) & painted}:
            painted |= reached
        self.loose -= painted
        self.hotels[hotel] = painted
        if self.bank(hotel) > 0:
            self.mover.shares[hotel] += 1

    def merge(self, survivor: str, tile: str) -> None:
        """Play 1.3: pays the bonuses, then gives the survivor all the tiles."""
        others = [hotel for hotel in self.hotels_beside(tile) if hotel != survivor]
        # Clarification 4: the largest first; of equals the alphabetically first.
        self.acquired = sorted(others, key=lambda hotel: (-self.size(hotel), hotel))
        self.acquired_prices = {hotel: self.price(hotel) for hotel in self.acquired}
        for hotel in self.acquired:
            for name, dollars in self.bonuses(hotel).items():
                self.player(name).cash += dollars
        for hotel in self.acquired:
            self.hotels[survivor] |= self.hotels.pop(hotel)
        self.hotels[survivor].add(tile)

    def bonuses(self, hotel: str) -> dict[str, int]:
        """Play 1.3, second and third step: what each majority and minority owner is paid."""
        majority, minority = 10 * self.price(hotel), 5 * self.price(hotel)
        counts = {p.name: p.shares[hotel] for p in self.players if p.shares[hotel] > 0}
        largest = max(counts.values(), default=0)
        first = [name for name in counts if counts[name] == largest]
        if len(first) > 1:  # "they all equally share the sum of the two bonuses"
            return dict.fromkeys(first, share_of(majority + minority, len(first)))
        next_largest = max((count for count in counts.values() if count < largest), default=0)
        second = [name for name in counts if counts[name] == next_largest]
        paid = dict.fromkeys(first, majority)
        for name in second:
            paid[name] = share_of(minority, len(second))
        return paid

    def keep(self, name: str, decisions: Sequence[bool]) -> None:
        """For each acquired hotel in order: True keeps all certificates, False returns all."""
        assert len(decisions) == len(self.acquired), f"{name} decides about {self.acquired}"
        player = self.player(name)
        for hotel, keeps in zip(self.acquired, decisions, strict=True):
            if not keeps:
                player.cash += player.shares[hotel] * self.acquired_prices[hotel]
                player.shares[hotel] = 0

    # Steps 2 and 3 of a turn: certificates, and another tile

    def legal_orders(self) -> list[tuple[str, ...]]:
        """Play 2: every "up to two stock certificates of the same kind" the mover can have now."""
        orders: list[tuple[str, ...]] = [()]
        for hotel in HOTELS:
            price, bank = self.price(hotel), self.bank(hotel)
            for count in range(1, MAY_BUY + 1):
                if price > 0 and count * price <= self.mover.cash and count <= bank:
                    orders.append((hotel,) * count)
        return sorted(orders)

    def buy(self, hotels: Sequence[str]) -> None:
        """The mover buys one certificate for each name given."""
        assert tuple(hotels) in self.legal_orders(), f"{hotels} cannot be bought"
        for hotel in hotels:
            self.mover.cash -= self.price(hotel)
            self.mover.shares[hotel] += 1

    def draw(self) -> str | None:
        """The mover takes the next tile; None if there is none to hand back: the game is over."""
        if not self.bag:
            return None
        tile = self.bag.pop(0)
        self.mover.tiles.add(tile)
        return tile

    def next_turn(self) -> None:
        """The next player becomes the mover, and this turn's merger is forgotten."""
        self.players.append(self.players.pop(0))
        self.acquired, self.acquired_prices = [], {}

    # The end

    def ending(self) -> str | None:
        """Between turns, with somebody left at the table: why the game is over, or None."""
        if any(self.size(hotel) >= WINNING_SIZE for hotel in self.hotels):
            return "hotel-of-40"
        if self.hotels and all(self.is_safe(hotel) for hotel in self.hotels):
            return "all-hotels-safe"
        if not self.legal_placements():
            return "no-placeable-tile"
        return None

    def scores(self) -> dict[str, int]:
        """Scoring: the bonuses of the hotels on the board, then they "buy back their stock"."""
        money = {player.name: player.cash for player in self.players}
        for hotel in self.hotels:
            for name, dollars in self.bonuses(hotel).items():
                money[name] += dollars
            for player in self.players:
                money[player.name] += player.shares[hotel] * self.price(hotel)
        return money

    # Not in the rule text

    def eject(self, name: str, shuffled: Sequence[str]) -> None:
        """Takes a player from the table; `shuffled` is the bag with that player's tiles.

        The certificates are the bank's again, the cash is gone. Where the mover is ejected within
        the turn, it is for the caller to start from the position before it.
        """
        leaver = self.player(name)
        assert sorted(shuffled) == sorted([*self.bag, *leaver.tiles]), "not the bag and that hand"
        self.players.remove(leaver)
        self.bag = list(shuffled)

    def state(self) -> dict[str, Any]:
        """Everything on and around the table, as plain data in a fixed order."""
        players = [
            {
                "name": player.name,
                "cash": player.cash,
                "shares": {hotel: player.shares[hotel] for hotel in HOTELS if player.shares[hotel]},
                "tiles": in_order(player.tiles),
            }
            for player in self.players
        ]
        hotels = {hotel: in_order(self.hotels[hotel]) for hotel in sorted(self.hotels)}
        bag = list(self.bag)
        return {"loose": in_order(self.loose), "hotels": hotels, "players": players, "bag": bag}
