"""A merger: who survives, the bonuses, and what the players do with the acquired certificates.

Sizes and prices are those before the tile was placed. Rule text: "Acquire, Revised", Play, step
1.3, and the answers below it; the question put to the players is the course protocol's *keep*.
"""

from collections.abc import Sequence
from typing import NamedTuple

from game.board import lay_out
from game.placement import Placement
from game.rulebook import MAJORITY, MINORITY, Rulebook, SoleHolder
from game.state import Player, State, changed
from game.tiles import connected
from game.violation import BrokenRule, Illegal, Violation


class Bonus(NamedTuple):
    """Dollars that the bank pays to a holder of a hotel's certificates."""

    hotel: int
    name: str
    amount: int


class Merger(NamedTuple):
    """A merger under way.

    ``state`` is the position so far: tile placed, bonuses paid, certificates returned by those
    who were asked. ``acquired`` hotels are largest first, equals alphabetically; ``prices`` are
    those of their certificates before the merger.
    """

    state: State
    placement: Placement
    acquired: tuple[int, ...]
    prices: tuple[int, ...]
    bonuses: tuple[Bonus, ...]


def bonuses_for(
    rulebook: Rulebook, hotel: int, price: int, players: Sequence[Player]
) -> list[Bonus]:
    """Work out the bonuses of one hotel whose certificates cost ``price``, in players' order.

    Those tied for the majority share both bonuses and the minority goes unpaid; those tied for
    the minority share it. The rulebook rounds a share, and says what a sole holder receives.
    """
    held = [player.shares[hotel] for player in players]
    most = max(held, default=0)
    if not most:
        return []
    first = [player for player in players if player.shares[hotel] == most]
    if len(first) > 1:
        share = rulebook.share_of_bonus((MAJORITY + MINORITY) * price, len(first))
        return [Bonus(hotel, player.name, share) for player in first]
    second_most = max(count for count in (0, *held) if count < most)
    if not second_most:
        both = rulebook.sole_holder is SoleHolder.BOTH_BONUSES
        return [Bonus(hotel, first[0].name, (MAJORITY + MINORITY * both) * price)]
    second = [player for player in players if player.shares[hotel] == second_most]
    share = rulebook.share_of_bonus(MINORITY * price, len(second))
    return [
        Bonus(hotel, player.name, MAJORITY * price if player is first[0] else share)
        for player in players
        if player is first[0] or player in second
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


def merge(state: State, placement: Placement) -> Merger:
    """Place the tile of a legal merger, join the hotels and pay the bonuses.

    The certificates of the acquired hotels stay with their holders until :func:`keep`.
    """
    tile, survivor = placement
    rulebook, board = state.rulebook, state.board
    if survivor is None or survivor not in (touched := board.touched(tile)):
        raise BrokenRule("the survivor of a merger is one of the hotels merged")
    touched.remove(survivor)
    acquired = tuple(sorted(touched, key=lambda hotel: (-board.size(hotel), hotel)))
    prices = tuple(state.price(hotel) for hotel in acquired)
    bonuses = [
        bonus
        for hotel, price in zip(acquired, prices, strict=True)
        for bonus in bonuses_for(rulebook, hotel, price, state.players)
    ]
    bit = 1 << tile
    cluster = connected(bit, board.loose)
    joined = cluster | board.hotels[survivor]
    hotels = list(board.hotels)
    for hotel in acquired:
        joined |= hotels[hotel]
        hotels[hotel] = 0
    hotels[survivor] = joined
    mover, *others = pay(state.players, bonuses)
    mover = Player(mover.name, mover.cash, mover.shares, mover.hand & ~bit)
    after = State(
        rulebook,
        lay_out(rulebook, board.loose & ~cluster, tuple(hotels)),
        (mover, *others),
        state.bank,
        state.bag,
    )
    return Merger(after, placement, acquired, prices, tuple(bonuses))


def verify_keep(merger: Merger, decisions: Sequence[bool]) -> Illegal | None:
    """Say what is wrong with a player's answer to *keep*, or ``None`` when it is legal."""
    if len(decisions) == len(merger.acquired):
        return None
    names = ", ".join(map(merger.state.rulebook.hotel_name, merger.acquired))
    return Illegal(
        Violation.KEEP_COUNT,
        f"Answers: {len(decisions)}; hotels acquired: {len(merger.acquired)} ({names}).",
    )


def keep(merger: Merger, name: str, decisions: Sequence[bool]) -> Merger:
    """Return all of a player's certificates of each acquired hotel that he does not keep.

    ``decisions`` are in the order of ``merger.acquired``. What is returned is in the bank at
    once and is paid at the price before the merger.
    """
    state = merger.state
    player = state.player(name)
    cash, shares, bank = player.cash, player.shares, state.bank
    for hotel, price, kept in zip(merger.acquired, merger.prices, decisions, strict=True):
        count = shares[hotel]
        if count and not kept:
            cash += count * price
            shares = changed(shares, hotel, -count)
            bank = changed(bank, hotel, count)
    if shares is player.shares:
        return merger
    settled = Player(name, cash, shares, player.hand)
    players = tuple(settled if other is player else other for other in state.players)
    after = State(state.rulebook, state.board, players, bank, state.bag)
    return Merger(after, merger.placement, merger.acquired, merger.prices, merger.bonuses)
