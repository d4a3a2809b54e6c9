"""A reader of a game's events that keeps the books: tiles, certificates and dollars.

What the events report is booked here, and the position that each event carries has to be what the
books say: no tile, certificate or dollar appears from nowhere or is lost, at any point of a turn.
"""

import copy
from collections.abc import Sequence

from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.events import Event
from acquire.game.rulebook import Rulebook
from acquire.game.state import State
from acquire.game.tiles import GRID, Mask, Tile, mask_of, tiles_in

IN_A_DRAW = (events.Drew, events.SetAside)
"""Events whose position may be ahead of them: it is the one at the end of the draw."""


class Ledger:
    """The books of one game. ``shares`` are certificates by player and hotel, ``cash`` dollars."""

    def __init__(self, rulebook: Rulebook, names: Sequence[str]) -> None:
        self.rulebook = rulebook
        self.cash = dict.fromkeys(names, rulebook.cash)
        self.shares = {name: [0] * len(rulebook.hotels) for name in names}
        self.hands: dict[str, Mask] = {}
        self.turns = 0
        self.checked = 0
        """How many positions were compared with the books."""
        self._before: tuple[dict[str, int], dict[str, list[int]], dict[str, Mask]] = ({}, {}, {})
        self._prices: dict[int, int] = {}
        """Of the hotels acquired, before the merger."""
        self._drawn_for_market: set[Tile] = set()
        self._founders = 0
        """Founders' certificates that the position has, and the next event has to report."""
        self._over: State | None = None
        self._remember()

    def _remember(self) -> None:
        self._before = (dict(self.cash), copy.deepcopy(self.shares), dict(self.hands))

    def bank(self, hotel: int) -> int:
        """Certificates of a hotel that the bank has."""
        return self.rulebook.certificates - sum(held[hotel] for held in self.shares.values())

    def __call__(self, event: Event) -> None:
        """Book one event, and check the position that it carries."""
        if not isinstance(event, events.FoundersShare):
            assert not self._founders, "the position has a certificate that no event reports"
        self._book(event)
        for name, held in self.shares.items():
            assert min(held) >= 0, f"{name} has given away more certificates than there were"
            assert self.cash[name] >= 0, f"{name} has paid more than there was"
        assert min(map(self.bank, range(len(self.rulebook.hotels)))) >= 0
        if not isinstance(event, events.TABLE_EVENTS):
            return
        if self._over is None:
            self._check(event.state, hands=not isinstance(event, IN_A_DRAW))
        else:  # nothing but the market's tiles moves after the end
            assert event.state.board == self._over.board
            assert event.state.players == self._over.players
            assert event.state.bank == self._over.bank
            self._check_tiles(event.state)
        if isinstance(event, events.Ended):
            self._over = event.state

    def _book(self, event: Event) -> None:
        match event:
            case events.TurnBegan(_, _, state):
                self.turns += 1
                if not self.hands:
                    self.hands = {player.name: player.hand for player in state.players}
                self._remember()
            case events.Placed(name, tile, _, hotel, state):
                self.hands[name] &= ~(1 << tile)
                assert state.board.occupied >> tile & 1
                if hotel is not None:
                    assert state.board.hotels[hotel] >> tile & 1
                    self._founders = self.bank(hotel) - state.bank[hotel]
                    self.shares[name][hotel] += self._founders
            case events.FoundersShare(shares=shares):
                self._founders -= shares
            case events.BonusPaid(name, _, amount):
                self.cash[name] += amount
            case events.Acquired(_, hotel, size, price):
                assert price == self.rulebook.price(hotel, size)
                self._prices[hotel] = price
            case events.Returned(name, hotel, shares, amount) | events.Sold(
                name, hotel, shares, amount
            ):
                assert amount == shares * self._prices[hotel]
                self.shares[name][hotel] -= shares
                self.cash[name] += amount
            case events.Traded(name, hotel, shares, survivor, gained):
                assert shares == 2 * gained
                self.shares[name][hotel] -= shares
                self.shares[name][survivor] += gained
            case events.MarketDrew(_, tile) if tile is not None and self._over is None:
                self._drawn_for_market.add(tile)
            case events.MarketPlaced(tile):
                self._drawn_for_market.remove(tile)
            case events.Bought(name, hotel, shares, amount):
                self.shares[name][hotel] += shares
                self.cash[name] -= amount
            case events.Drew(name, tile, state):
                self.hands[name] |= 1 << tile
                held = state.player(name).hand | state.aside
                assert held >> tile & 1
            case events.SetAside(name, tiles, state):
                self.hands[name] &= ~tiles
                assert state.aside & tiles == tiles
            case events.TurnUndone():
                # a player ejected earlier in this turn stays away
                cash, shares_before, hands = self._before
                self.cash = {name: cash[name] for name in self.cash}
                self.shares = {name: shares_before[name] for name in self.shares}
                self.hands = {name: hands[name] for name in self.hands}
                self._drawn_for_market.clear()
            case events.Ejected(name, bag=bag) if bag is not None:
                del self.cash[name], self.shares[name]
                self.hands.pop(name, None)
            case events.Ranked(_, name, score, True):
                self._check_score(name, score)

    def _check(self, state: State, *, hands: bool) -> None:
        self.checked += 1
        assert {player.name: player.cash for player in state.players} == self.cash
        assert {player.name: list(player.shares) for player in state.players} == self.shares
        assert list(state.bank) == [self.bank(hotel) for hotel in range(len(state.bank))]
        if hands and self.hands:
            assert {player.name: player.hand for player in state.players} == self.hands
        self._check_tiles(state)

    def _check_tiles(self, state: State) -> None:
        places = [state.board.loose, *state.board.hotels, state.aside, mask_of(state.bag)]
        places += [mask_of(tuple(self._drawn_for_market))]
        places += [player.hand for player in state.players]
        assert sum(place.bit_count() for place in places) == len(tiles_in(GRID))
        everything = 0
        for place in places:
            everything |= place
        assert everything == GRID

    def _check_score(self, name: str, score: int) -> None:
        assert self._over is not None
        worth = [
            count * self._over.price(hotel) if self._over.board.sizes[hotel] else 0
            for hotel, count in enumerate(self.shares[name])
        ]
        assert score == self.cash[name] + sum(worth), name
