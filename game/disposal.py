"""What becomes of an acquired hotel's certificates: *keep* all or return all; or hold, sell, trade.

Which of the two a rulebook asks is its ``disposal``. What is sold or traded in is in the bank at
once and is paid at the price before the merger. Rule texts: "Acquire, Revised", Play, step 1.3
(the question is the course protocol's *keep*); "Hold, sell, trade" in the others.
"""

from collections.abc import Sequence
from typing import NamedTuple

from game.merger import Merger
from game.state import Player, State
from game.tuples import add, new
from game.violation import Illegal, Violation

TRADED_FOR_ONE = 2
"""Certificates of the acquired hotel for one of the survivor's."""


class Disposal(NamedTuple):
    """Certificates of one acquired hotel: those sold, and those traded in, two for one.

    The others are held. ``Disposal(sell=1, trade=4)`` of 7 holds 2 and gains 2 of the survivor.
    """

    sell: int = 0
    trade: int = 0

    @property
    def gained(self) -> int:
        """Certificates of the survivor that are received."""
        return self.trade // TRADED_FOR_ONE


def _settled(
    merger: Merger, player: Player, cash: int, shares: tuple[int, ...], bank: tuple[int, ...]
) -> Merger:
    rulebook, board, players, _, bag, aside, idle = merger.state
    settled = new(Player, (player.name, cash, shares, player.hand))
    seated = tuple([settled if other is player else other for other in players])
    after = new(State, (rulebook, board, seated, bank, bag, aside, idle))
    return new(Merger, (after, merger.placement, merger.acquired, merger.prices, merger.bonuses))


# -- keep or return ---------------------------------------------------------------------------


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

    ``decisions`` are in the order of ``merger.acquired``.
    """
    state = merger.state
    player = state.player(name)
    cash, shares, bank = player.cash, player.shares, state.bank
    for hotel, price, kept in zip(merger.acquired, merger.prices, decisions, strict=True):
        count = shares[hotel]
        if count and not kept:
            cash += count * price
            shares = add(shares, hotel, -count)
            bank = add(bank, hotel, count)
    if shares is player.shares:
        return merger
    return _settled(merger, player, cash, shares, bank)


# -- hold, sell, trade ------------------------------------------------------------------------


def holders(merger: Merger, hotel: int) -> list[str]:
    """Return who is asked about an acquired hotel: its holders, in turn order from the mover."""
    return [player.name for player in merger.state.players if player.shares[hotel]]


def verify_disposal(merger: Merger, name: str, hotel: int, disposed: Disposal) -> Illegal | None:
    """Say what is wrong with a disposal of an acquired hotel, or ``None`` when it is legal."""
    sell, trade = disposed
    state = merger.state
    owned, title = state.player(name).shares[hotel], state.rulebook.hotel_name(hotel)
    if trade % TRADED_FOR_ONE:
        return Illegal(Violation.ODD_TRADE, f"The trade was of {trade} {title}, an odd number.")
    if min(sell, trade) < 0 or sell + trade > owned:
        return Illegal(
            Violation.NOT_OWNED,
            f"{sell} to be sold and {trade} to be traded, with {owned} {title} in hand.",
        )
    left = state.bank[merger.survivor]
    if trade > TRADED_FOR_ONE * left:
        return Illegal(
            Violation.TRADE_TOO_LARGE,
            f"{disposed.gained} {state.rulebook.hotel_name(merger.survivor)} would be had for "
            f"{trade} {title}, and the bank has {left or 'none'}.",
        )
    return None


def legal_disposals(owned: int, left: int) -> list[Disposal]:
    """List every way to dispose of ``owned`` certificates, by sales, then trades.

    ``left`` is how many of the survivor's the bank has.
    """
    most = TRADED_FOR_ONE * left
    return [
        Disposal(sell, trade)
        for sell in range(owned + 1)
        for trade in range(0, min(owned - sell, most) + 1, TRADED_FOR_ONE)
    ]


def dispose(merger: Merger, name: str, hotel: int, disposed: Disposal) -> Merger:
    """Carry out a legal disposal."""
    sell, trade = disposed
    if not sell and not trade:
        return merger
    state, survivor, gained = merger.state, merger.survivor, disposed.gained
    player = state.player(name)
    shares = add(player.shares, hotel, -sell - trade)
    bank = add(state.bank, hotel, sell + trade)
    if gained:
        shares, bank = add(shares, survivor, gained), add(bank, survivor, -gained)
    return _settled(merger, player, player.cash + sell * merger.price(hotel), shares, bank)
