"""A merger: who survives, the order of the acquired hotels, and the bonuses.

Sizes and prices are those before the tile was placed. What the players do with the certificates of
acquired hotels is in :mod:`acquire.game.disposal`. Rule texts: "Acquire, Revised", Play, step 1.3,
and the answers below it; "Merging corporations", "Merging chains", "Mergers" in the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, final

from .board import with_merger
from .placement import Kind, Placement, kind_of, place
from .records import Record
from .rulebook import Rulebook, SoleHolder
from .state import Player, State
from .tiles import NEIGHBOURS, connected
from .violation import BrokenRule

_ALL_BONUSES: Final = SoleHolder.ALL_BONUSES
# A module constant, because looking up an Enum member costs more than the test that uses it.


@final
class Bonus(Record):
    """Dollars that the bank pays to a holder of a hotel's certificates."""

    __match_args__ = ("hotel", "name", "amount")
    __slots__ = __match_args__

    def __init__(self, hotel: int, name: str, amount: int) -> None:
        self.hotel: Final = hotel
        self.name: Final = name
        self.amount: Final = amount


@final
class Merger(Record):
    """A merger in progress.

    ``state`` is the position so far: the tile is placed, and some bonuses and disposals may be
    done. ``acquired`` is the hotels in the order in which they are resolved: largest first, ties in
    the placer's or else alphabetical order. ``prices`` are those of their certificates before the
    merger, ``bonuses`` those paid so far.
    """

    __match_args__ = ("state", "placement", "acquired", "prices", "bonuses")
    __slots__ = __match_args__

    def __init__(
        self,
        state: State,
        placement: Placement,
        acquired: tuple[int, ...],
        prices: tuple[int, ...],
        bonuses: tuple[Bonus, ...] = (),
    ) -> None:
        self.state: Final = state
        self.placement: Final = placement
        self.acquired: Final = acquired
        self.prices: Final = prices
        self.bonuses: Final = bonuses

    @property
    def survivor(self) -> int:
        """The hotel that takes over the others."""
        survivor = self.placement.hotel
        assert survivor is not None, "join() refuses a merger without one"
        return survivor

    def price(self, hotel: int) -> int:
        """Return the price in dollars of an acquired hotel's certificate before the merger."""
        return self.prices[self.acquired.index(hotel)]


def bonuses_for(
    rulebook: Rulebook, hotel: int, price: int, players: Sequence[Player], market: int = 0
) -> list[Bonus]:
    """Return the bonuses of one hotel whose certificates cost ``price``, in players' order.

    The rulebook has a bonus for each place, majority and minority first. Players tied for a place
    share the bonuses of all places that they take up, so none is paid for a minority after a tied
    majority; the rulebook rounds shares, and decides what a sole holder receives. ``market`` is the
    number of certificates of the stock market, which is a holder like any other, but its bonus
    stays in the bank.

    >>> from acquire import CLASSIC, REVISED
    >>> def bonuses(rulebook, *holdings, market=0):
    ...     players = [Player(name, 0, (n,), 0) for name, n in zip("abc", holdings)]
    ...     paid = bonuses_for(rulebook, 0, 300, players, market)
    ...     return {bonus.name: bonus.amount for bonus in paid}
    >>> bonuses(CLASSIC, 5, 3, 1)
    {'a': 3000, 'b': 1500}
    >>> bonuses(CLASSIC, 5, 5, 1)
    {'a': 2300, 'b': 2300}
    >>> bonuses(REVISED, 5, 3, 3)
    {'a': 3000, 'b': 750, 'c': 750}
    >>> bonuses(REVISED, 5, 0, 0), bonuses(CLASSIC, 5, 0, 0)
    ({'a': 3000}, {'a': 4500})
    >>> bonuses(CLASSIC, 5, 3, market=9)
    {'a': 1500}
    """
    held = [player.shares[hotel] for player in players]
    if market:
        held.append(market)
    held.sort(reverse=True)
    multiples = rulebook.bonus_multiples
    due: dict[int, int] = {}
    place = 0
    while place < len(multiples) and place < len(held) and (count := held[place]):
        tied = held.count(count)
        pooled = sum(multiples[place : place + tied]) * price
        if tied > 1:
            pooled = rulebook.rounding.share(pooled, tied, rulebook.rounding_step)
        due[count] = pooled
        place += tied
    if len(due) == 1 and held[0] == sum(held) and rulebook.sole_holder is _ALL_BONUSES:
        due[held[0]] = sum(multiples) * price
    return [
        Bonus(hotel, player.name, due[player.shares[hotel]])
        for player in players
        if player.shares[hotel] in due
    ]


def pay(players: Sequence[Player], bonuses: Sequence[Bonus]) -> tuple[Player, ...]:
    """Return the players with their bonuses added to their cash."""
    due: dict[str, int] = {}
    for bonus in bonuses:
        due[bonus.name] = due.get(bonus.name, 0) + bonus.amount
    return tuple(
        [
            Player(player.name, player.cash + due[player.name], player.shares, player.hand)
            if player.name in due
            else player
            for player in players
        ]
    )


def _in_order(acquired: list[int], sizes: tuple[int, ...], equals: tuple[int, ...]) -> list[int]:
    """Return acquired hotels largest first, equals in the named or else alphabetical order."""
    named = [hotel for hotel in equals if hotel in acquired]
    rest = [hotel for hotel in acquired if hotel not in named]
    return sorted(rest + named, key=lambda hotel: -sizes[hotel])


def join(state: State, placement: Placement) -> Merger:
    """Place the tile of a legal merger and join the hotels; nothing is paid yet.

    The tile is the mover's, or one that the mover places for the stock market.

    >>> from acquire import CLASSIC, parse_position, parse_tile
    >>> state = parse_position(CLASSIC, "AA.CCC", ["ann 3A A7"])
    >>> merger = join(state, Placement(parse_tile("3A"), hotel=1))
    >>> merger.acquired, merger.prices, merger.state.board.sizes
    ((0,), (300,), (0, 6, 0, 0, 0, 0, 0))
    """
    tile, survivor, equals = placement.tile, placement.hotel, placement.equals
    rulebook, board, mover = state.rulebook, state.board, state.players[0]
    if survivor is None or survivor not in (touched := board.touched(tile)):
        raise BrokenRule("the survivor of a merger must be one of the merging hotels")
    touched.remove(survivor)
    if len(touched) > 1:
        touched = _in_order(touched, board.sizes, equals)
    prices, sizes = rulebook.prices, board.sizes
    bit = 1 << tile
    cluster = connected(bit, board.loose) if NEIGHBOURS[tile] & board.loose else bit
    mover = Player(mover.name, mover.cash, mover.shares, mover.hand & ~bit)
    joined = with_merger(rulebook, board, survivor, touched, cluster)
    players = (mover, *state.players[1:])
    merged = State(rulebook, joined, players, state.bank, state.bag, state.aside, state.idle)
    return Merger(
        merged, placement, tuple(touched), tuple([prices[hotel][sizes[hotel]] for hotel in touched])
    )


def pay_bonuses(merger: Merger, hotels: Sequence[int], market: int = 0) -> Merger:
    """Pay the bonuses of these acquired hotels.

    ``market`` is how many certificates of each the stock market holds.
    """
    state = merger.state
    due = [
        bonus
        for hotel in hotels
        for bonus in bonuses_for(state.rulebook, hotel, merger.price(hotel), state.players, market)
    ]
    if not due:
        return merger
    paid = state.with_players(pay(state.players, due), state.bank)
    return Merger(paid, merger.placement, merger.acquired, merger.prices, (*merger.bonuses, *due))


def merge(state: State, placement: Placement) -> Merger:
    """Place the tile of a legal merger, join the hotels and pay all the bonuses.

    The certificates of the acquired hotels stay with their holders until they dispose of them.

    >>> from acquire import CLASSIC, parse_position, parse_tile
    >>> state = parse_position(CLASSIC, "AA.CCC", ["ann 3A A7"])
    >>> merge(state, Placement(parse_tile("3A"), hotel=1)).bonuses
    (Bonus(hotel=0, name='ann', amount=4500),)
    """
    merger = join(state, placement)
    return pay_bonuses(merger, merger.acquired)


def after(state: State, placement: Placement) -> State:
    """Return the position after a legal placement, and after the bonuses of its merger, if any.

    What the players then do with their certificates is left to them.

    >>> from acquire import CLASSIC, parse_position, parse_tile
    >>> state = parse_position(CLASSIC, "AA.CCC", ["ann 3A A1", "bob"])
    >>> after(state, Placement(parse_tile("3A"), 1))
    <State classic: C 6, 0 loose; ann $4,500, A 1; bob $0; 0 in the bag>
    """
    if kind_of(state.board, placement.tile) is Kind.MERGING:
        return merge(state, placement).state
    return place(state, placement)
