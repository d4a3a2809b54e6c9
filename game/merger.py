"""A merger: who survives, in which order hotels are dealt with, and the bonuses.

Sizes and prices are those before the tile was placed. What the players do with the acquired
certificates is in :mod:`game.disposal`. Rule texts: "Acquire, Revised", Play, step 1.3, and the
answers below it; "Merging corporations", "Merging chains", "Mergers" in the others.
"""

from collections.abc import Sequence
from typing import NamedTuple

from game.board import with_merger
from game.placement import Placement
from game.rulebook import MAJORITY, MINORITY, Rulebook, SoleHolder
from game.state import Player, State
from game.tiles import NEIGHBOURS, connected
from game.tuples import new
from game.violation import BrokenRule


class Bonus(NamedTuple):
    """Dollars that the bank pays to a holder of a hotel's certificates."""

    hotel: int
    name: str
    amount: int


class Merger(NamedTuple):
    """A merger under way.

    ``state`` is the position so far: tile placed, and whatever was paid and disposed of since.
    ``acquired`` hotels are in the order in which they are dealt with: largest first, equals as
    the placer or else the alphabet orders them; ``prices`` are those of their certificates before
    the merger, ``bonuses`` those paid so far.
    """

    state: State
    placement: Placement
    acquired: tuple[int, ...]
    prices: tuple[int, ...]
    bonuses: tuple[Bonus, ...] = ()

    @property
    def survivor(self) -> int:
        """The hotel that takes over the others."""
        survivor = self.placement.hotel
        assert survivor is not None, "join() lets no merger by without one"
        return survivor

    def price(self, hotel: int) -> int:
        """Return the price in dollars that an acquired hotel's certificate had."""
        return self.prices[self.acquired.index(hotel)]


def bonuses_for(
    rulebook: Rulebook, hotel: int, price: int, players: Sequence[Player], market: int = 0
) -> list[Bonus]:
    """Work out the bonuses of one hotel whose certificates cost ``price``, in players' order.

    Those tied for the majority share both bonuses and the minority goes unpaid; those tied for
    the minority share it. The rulebook rounds a share, and says what a sole holder receives.
    ``market`` certificates are the stock market's, a holder like any other whose bonus stays in
    the bank.
    """
    held = [player.shares[hotel] for player in players]
    if market:
        held.append(market)
    most = max(held, default=0)
    if not most:
        return []
    due = {}
    if (tied := held.count(most)) > 1:
        due[most] = rulebook.share_of_bonus((MAJORITY + MINORITY) * price, tied)
    elif second := max([count for count in held if count < most], default=0):
        due[most] = MAJORITY * price
        due[second] = rulebook.share_of_bonus(MINORITY * price, held.count(second))
    else:
        both = rulebook.sole_holder is SoleHolder.BOTH_BONUSES
        due[most] = (MAJORITY + MINORITY * both) * price
    return [
        Bonus(hotel, player.name, due[player.shares[hotel]])
        for player in players
        if player.shares[hotel] in due
    ]


def pay(players: Sequence[Player], bonuses: Sequence[Bonus]) -> tuple[Player, ...]:
    """Return the players with their bonuses in cash."""
    due: dict[str, int] = {}
    for bonus in bonuses:
        due[bonus.name] = due.get(bonus.name, 0) + bonus.amount
    return tuple(
        Player(player.name, player.cash + due[player.name], player.shares, player.hand)
        if player.name in due
        else player
        for player in players
    )


def join(state: State, placement: Placement) -> Merger:
    """Place the tile of a legal merger and join the hotels; nothing is paid yet.

    The tile is the mover's, or one that the mover places for the stock market.
    """
    tile, survivor, equals = placement
    rulebook, board, (mover, *others), bank, bag, aside, idle = state
    if survivor is None or survivor not in (touched := board.touched(tile)):
        raise BrokenRule("the survivor of a merger is one of the hotels merged")
    touched.remove(survivor)
    if equals:
        rank = {hotel: place for place, hotel in enumerate(equals)}
        touched.sort(key=lambda hotel: rank.get(hotel, 0))
    if len(touched) > 1:
        touched.sort(key=lambda hotel: -board.sizes[hotel])
    prices, sizes = rulebook.prices, board.sizes
    bit = 1 << tile
    cluster = connected(bit, board.loose) if NEIGHBOURS[tile] & board.loose else bit
    mover = new(Player, (mover.name, mover.cash, mover.shares, mover.hand & ~bit))
    joined = with_merger(rulebook, board, survivor, touched, cluster)
    after = new(State, (rulebook, joined, (mover, *others), bank, bag, aside, idle))
    return Merger(
        after,
        placement,
        tuple(touched),
        tuple([prices[hotel][sizes[hotel]] for hotel in touched]),
    )


def pay_bonuses(merger: Merger, hotels: Sequence[int], market: int = 0) -> Merger:
    """Pay the bonuses of these acquired hotels, of which the stock market holds ``market``."""
    state = merger.state
    due = [
        bonus
        for hotel in hotels
        for bonus in bonuses_for(state.rulebook, hotel, merger.price(hotel), state.players, market)
    ]
    if not due:
        return merger
    rulebook, board, players, bank, bag, aside, idle = state
    paid = State(rulebook, board, pay(players, due), bank, bag, aside, idle)
    return Merger(paid, merger.placement, merger.acquired, merger.prices, (*merger.bonuses, *due))


def merge(state: State, placement: Placement) -> Merger:
    """Place the tile of a legal merger, join the hotels and pay all the bonuses.

    The certificates of the acquired hotels stay with their holders until they dispose of them.
    """
    merger = join(state, placement)
    return pay_bonuses(merger, merger.acquired)
