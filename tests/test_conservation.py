"""What no game may break, whatever the players choose: found by games of many seeds and tempers.

Every certificate, tile and dollar is somewhere, and every change of them has its event.
"""

from __future__ import annotations

import copy

from drivers import Minds, Temper, judged
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from positions import plain

from admin.match import events
from admin.match.events import Event
from game.board import lay_out
from game.rulebooks import REVISED
from game.state import State
from game.tiles import TILES, connected, near, tiles_in

GAMES = st.builds(
    Minds,
    st.integers(0, 10**9),
    st.builds(
        Temper,
        keeps=st.sampled_from([0.0, 0.5, 1.0]),
        names=st.sampled_from([0.0, 0.5, 1.0]),
        buys=st.sampled_from([0.0, 0.9]),
        breaks=st.sampled_from([0.0, 0.0, 0.01, 0.05]),
    ),
)
any_game = given(GAMES)
enough = settings(max_examples=60, deadline=None, phases=[Phase.reuse, Phase.generate])
"""A game does not become simpler with its seed: nothing is gained by shrinking one that fails."""


def happenings(minds: Minds) -> list[Event]:
    """Everything that happens in a game, as the referee tells it."""
    happened: list[Event] = []
    judged(minds, happened.append)
    return happened


def positions(minds: Minds) -> list[State]:
    """Every position between two turns."""
    return [
        event.state
        for event in happenings(minds)
        if isinstance(event, events.TurnBegan | events.Ended)
    ]


@any_game
@enough
def test_every_certificate_is_in_the_bank_or_in_a_hand(minds: Minds) -> None:
    for state in positions(minds):
        for hotel, left in enumerate(state.bank):
            held = [player.shares[hotel] for player in state.players]
            assert min(left, *held, 0) == 0
            assert left + sum(held) == 25


@any_game
@enough
def test_every_tile_is_on_the_board_in_a_hand_or_in_the_bag(minds: Minds) -> None:
    for state in positions(minds):
        places = [state.board.loose, *state.board.hotels, *(p.hand for p in state.players)]
        tiles = [*state.bag, *(tile for place in places for tile in tiles_in(place))]
        assert sorted(tiles) == list(TILES)


@any_game
@enough
def test_board_is_consistent(minds: Minds) -> None:
    """Hotels hang together, have two tiles or more, and touch no other and no loose tile."""
    for state in positions(minds):
        laid = state.board
        for hotel in filter(None, laid.hotels):
            assert connected(hotel & -hotel, hotel) == hotel
            assert hotel.bit_count() >= 2
            assert near(hotel) & laid.occupied & ~hotel == 0
        assert laid == lay_out(REVISED, laid.loose, laid.hotels)


class Books:
    """What every player has, kept by the referee's events alone."""

    def __init__(self, state: State) -> None:
        self.cash = {player.name: player.cash for player in state.players}
        self.shares = {player.name: list(player.shares) for player in state.players}
        self.hands = {player.name: player.hand for player in state.players}

    def check(self, state: State) -> None:
        """Compare with a position."""
        assert {player.name: player.cash for player in state.players} == self.cash
        assert {player.name: list(player.shares) for player in state.players} == self.shares
        assert {player.name: player.hand for player in state.players} == self.hands

    def remove(self, name: str) -> None:
        """A player has left, and takes nothing along."""
        del self.cash[name], self.shares[name], self.hands[name]


@any_game
@enough
def test_every_change_is_explained_by_an_event(minds: Minds) -> None:
    """Cash by bonuses, returns and purchases to the dollar; certificates and tiles likewise."""
    books = undone = Books(minds.start)
    prices: dict[int, int] = {}
    for event in happenings(minds):
        match event:
            case events.TurnBegan(_, _, state):
                books.check(state)
                undone = copy.deepcopy(books)
            case events.TurnUndone():
                books = undone
            case events.Ejected(name):
                books.remove(name)
                if undone is not books:
                    undone.remove(name)
            case events.Placed(name, tile):
                books.hands[name] &= ~(1 << tile)
            case events.Drew(name, tile):
                books.hands[name] |= 1 << tile
            case events.FoundersShare(name, hotel):
                books.shares[name][hotel] += 1
            case events.Acquired(_, hotel, size, price):
                assert price == REVISED.price(hotel, size)
                prices[hotel] = price
            case events.BonusPaid(name, _, amount):
                books.cash[name] += amount
            case events.Returned(name, hotel, shares, amount):
                assert amount == shares * prices[hotel]
                assert books.shares[name][hotel] == shares
                books.shares[name][hotel] = 0
                books.cash[name] += amount
            case events.Bought(name, hotel, shares, amount):
                books.shares[name][hotel] += shares
                books.cash[name] -= amount
            case events.Ended(_, _, state):
                books.check(state)
            case events.Ranked(_, name, score, finished):
                if finished:
                    stock = [
                        count * state.price(hotel) * bool(state.board.hotels[hotel])
                        for hotel, count in enumerate(books.shares[name])
                    ]
                    assert score == books.cash[name] + sum(stock)


@any_game
@enough
def test_old_positions_stay_as_they_were(minds: Minds) -> None:
    """Look-ahead and replay are free: what was told of a position still holds at the end."""
    kept: list[tuple[State, object]] = []

    def tell(event: Event) -> None:
        if isinstance(event, events.TurnBegan):
            kept.append((event.state, plain(event.state)))

    judged(minds, tell)
    for state, told in kept:
        assert plain(state) == told
