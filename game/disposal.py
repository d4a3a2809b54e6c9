"""The certificates of acquired hotels: *keep* all or return all; or hold, sell, trade.

The rulebook's ``disposal`` says which of the two is asked. Certificates that are sold or traded
return to the bank at once; they are sold at the price before the merger. Rule texts: "Acquire,
Revised", Play, step 1.3 (*keep* is the question of the course protocol); "Hold, sell, trade" in the
others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, final

from .merger import Merger
from .records import Record, add
from .state import Player
from .violation import Illegal, Violation

TRADED_FOR_ONE = 2
"""How many certificates of the acquired hotel are traded for one of the survivor."""


@final
class Disposal(Record):
    """How many certificates of an acquired hotel are sold, and how many traded two for one.

    The others are held: with 7 certificates ``Disposal(sell=1, trade=4)`` holds 2, and gains 2 of
    the survivor.
    """

    __match_args__ = ("sell", "trade")
    __slots__ = __match_args__

    def __init__(self, sell: int = 0, trade: int = 0) -> None:
        self.sell: Final = sell
        self.trade: Final = trade

    @property
    def gained(self) -> int:
        """How many certificates of the survivor are received.

        >>> Disposal(sell=1, trade=4).gained
        2
        """
        return self.trade // TRADED_FOR_ONE


def _settled(
    merger: Merger, player: Player, cash: int, shares: tuple[int, ...], bank: tuple[int, ...]
) -> Merger:
    settled = Player(player.name, cash, shares, player.hand)
    seated = tuple([settled if other is player else other for other in merger.state.players])
    after = merger.state.with_players(seated, bank)
    return Merger(after, merger.placement, merger.acquired, merger.prices, merger.bonuses)


# -- keep or return ---------------------------------------------------------------------------


def verify_keep(merger: Merger, decisions: Sequence[bool]) -> Illegal | None:
    """Return what is wrong with a player's answer to *keep*, or ``None`` if it is legal."""
    if len(decisions) == len(merger.acquired):
        return None
    names = ", ".join(map(merger.state.rulebook.hotel_name, merger.acquired))
    answers = _counted(len(decisions), "answer")
    hotels = _counted(len(merger.acquired), "acquired hotel")
    return Illegal(Violation.KEEP_COUNT, f"Received {answers} for {hotels} ({names}).")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def keep(merger: Merger, name: str, decisions: Sequence[bool]) -> Merger:
    """Return a player's certificates to the bank, of each acquired hotel that it does not keep.

    ``decisions`` are in the order of ``merger.acquired``. The bank pays the price before the
    merger:

    >>> from acquire import CLASSIC, Placement, merge, parse_position, parse_tile
    >>> state = parse_position(CLASSIC, "AA.CCC", ["ann 3A A7"])
    >>> merger = merge(state, Placement(parse_tile("3A"), hotel=1))
    >>> after = keep(merger, "ann", [False]).state
    >>> after.mover.cash - merger.state.mover.cash, after.mover.shares[0]
    (2100, 0)
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
    """Return the holders of an acquired hotel, who are asked in turn order from the mover."""
    return [player.name for player in merger.state.players if player.shares[hotel]]


def verify_disposal(merger: Merger, name: str, hotel: int, disposal: Disposal) -> Illegal | None:
    """Return what is wrong with a disposal of an acquired hotel, or ``None`` if it is legal.

    >>> from acquire import CLASSIC, Placement, merge, parse_position, parse_tile
    >>> state = parse_position(CLASSIC, "AA.CCC", ["ann 3A A7"])
    >>> merger = merge(state, Placement(parse_tile("3A"), hotel=1))
    >>> verify_disposal(merger, "ann", 0, Disposal(sell=3, trade=4))
    >>> print(verify_disposal(merger, "ann", 0, Disposal(trade=8)).detail)
    Selling 0 and trading 8 needs 8 American; the player holds 7.
    """
    sell, trade = disposal.sell, disposal.trade
    state = merger.state
    owned, title = state.player(name).shares[hotel], state.rulebook.hotel_name(hotel)
    if trade % TRADED_FOR_ONE:
        return Illegal(Violation.ODD_TRADE, f"{trade} {title} to be given up is an odd number.")
    if min(sell, trade) < 0 or sell + trade > owned:
        return Illegal(
            Violation.NOT_OWNED,
            f"Selling {sell} and trading {trade} needs {sell + trade} {title}; "
            f"the player holds {owned}.",
        )
    left = state.bank[merger.survivor]
    if trade > TRADED_FOR_ONE * left:
        return Illegal(
            Violation.TRADE_TOO_LARGE,
            f"Trading {trade} {title} needs {disposal.gained} "
            f"{state.rulebook.hotel_name(merger.survivor)}; the bank has {left or 'none'}.",
        )
    return None


def legal_disposals(owned: int, left: int) -> list[Disposal]:
    """List every way to dispose of ``owned`` certificates, by sales, then trades.

    ``left`` is how many certificates of the survivor the bank has.

    >>> [tuple(disposal) for disposal in legal_disposals(owned=2, left=5)]
    [(0, 0), (0, 2), (1, 0), (2, 0)]
    """
    most = TRADED_FOR_ONE * left
    return [
        Disposal(sell, trade)
        for sell in range(owned + 1)
        for trade in range(0, min(owned - sell, most) + 1, TRADED_FOR_ONE)
    ]


def dispose(merger: Merger, name: str, hotel: int, disposal: Disposal) -> Merger:
    """Return the merger after a legal disposal."""
    sell, trade = disposal.sell, disposal.trade
    if not sell and not trade:
        return merger
    state, survivor, gained = merger.state, merger.survivor, disposal.gained
    player = state.player(name)
    shares = add(player.shares, hotel, -sell - trade)
    bank = add(state.bank, hotel, sell + trade)
    if gained:
        shares, bank = add(shares, survivor, gained), add(bank, survivor, -gained)
    return _settled(merger, player, player.cash + sell * merger.price(hotel), shares, bank)
