"""A reader of a match's events that keeps the books: tiles, certificates and dollars.

Whatever the events say changes hands is booked here, and at every turn the position has to be what
the books say: no tile, certificate or dollar comes from nowhere or is lost.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence

from admin.match import events
from admin.match.events import Event
from game.rulebook import Rulebook
from game.state import State
from game.tiles import GRID, mask_of, tiles_in


class Ledger:
    """The books of one match. ``shares`` are certificates by player and hotel, ``cash`` dollars."""

    def __init__(self, rulebook: Rulebook, names: Sequence[str]) -> None:
        self.rulebook = rulebook
        self.cash = dict.fromkeys(names, rulebook.cash)
        self.shares = {name: [0] * len(rulebook.hotels) for name in names}
        self.turns = 0
        self._before: tuple[dict[str, int], dict[str, list[int]]] = ({}, {})
        self._over: State | None = None
        self._remember()

    def _remember(self) -> None:
        self._before = (dict(self.cash), copy.deepcopy(self.shares))

    def bank(self, hotel: int) -> int:
        """Certificates of a hotel that the bank has."""
        return self.rulebook.certificates - sum(held[hotel] for held in self.shares.values())

    def __call__(self, event: Event) -> None:
        """Book one event."""
        match event:
            case events.TurnBegan(_, _, state):
                self.turns += 1
                self._check(state)
                self._remember()
            case events.Ended(_, _, state):
                self._check(state)
                self._over = state
            case events.FoundersShare(name, hotel):
                self.shares[name][hotel] += 1
            case events.BonusPaid(name, _, amount):
                self.cash[name] += amount
            case events.Returned(name, hotel, shares, amount) | events.Sold(
                name, hotel, shares, amount
            ):
                self.shares[name][hotel] -= shares
                self.cash[name] += amount
            case events.Traded(name, hotel, shares, survivor, gained):
                assert shares == 2 * gained
                self.shares[name][hotel] -= shares
                self.shares[name][survivor] += gained
            case events.Bought(name, hotel, shares, amount):
                self.shares[name][hotel] += shares
                self.cash[name] -= amount
            case events.TurnUndone():
                # whoever left in this turn, before it was undone, stays away
                cash, held_before = self._before
                self.cash = {name: cash[name] for name in self.cash}
                self.shares = {name: held_before[name] for name in self.shares}
            case events.Ejected(name, bag=bag) if bag is not None:
                del self.cash[name], self.shares[name]
            case events.Ranked(_, name, score, True):
                self._check_score(name, score)
        for name, held in self.shares.items():
            assert min(held) >= 0, f"{name} has given away more certificates than there were"
            assert self.cash[name] >= 0, f"{name} has paid more than there was"
        assert min(map(self.bank, range(len(self.rulebook.hotels)))) >= 0

    def _check(self, state: State) -> None:
        assert {player.name: player.cash for player in state.players} == self.cash
        assert {player.name: list(player.shares) for player in state.players} == self.shares
        assert list(state.bank) == [self.bank(hotel) for hotel in range(len(state.bank))]
        places = [state.board.loose, *state.board.hotels, state.aside, mask_of(state.bag)]
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
