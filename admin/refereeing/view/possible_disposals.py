"""What a player can have done with the certificates of acquired hotels, by what it has after it."""

from collections.abc import Mapping
from itertools import product
from typing import NamedTuple, TypeAlias

from ....game.disposal import TRADED_FOR_ONE, Disposal, legal_disposals
from ....game.merger import Merger
from ....game.rulebook import DisposalRule
from ....game.state import Player, State
from ....game.tuples import add

Disposals: TypeAlias = Mapping[int, Disposal]
"""By acquired hotel: how many certificates a player sold and traded; it kept the others."""


class Change(NamedTuple):
    """A player before and after: ``cash`` is whether its cash is known, ``buys`` whether it may
    also have bought certificates.
    """

    had: Player
    has: Player
    cash: bool
    buys: bool


def possible_disposals(state: State, merger: Merger, change: Change) -> list[Disposals]:
    """List all disposals that explain a change; ``state`` has the prices after the merger.

    They can be several: where a certificate of the survivor costs twice as much as one of the
    acquired hotel, trading two is the same as selling two and buying one.
    """
    choices = [_choices(state, hotel, change) for hotel in merger.acquired]
    found = [dict(zip(merger.acquired, chosen, strict=True)) for chosen in product(*choices)]
    return [disposals for disposals in found if _explains(state, merger, change, disposals)]


def _choices(state: State, hotel: int, change: Change) -> list[Disposal]:
    """List the disposals of one hotel. Under some rulebooks it can be bought again at once."""
    owned, rulebook = change.had.shares[hotel], state.rulebook
    if rulebook.disposal is DisposalRule.KEEP_OR_RETURN:
        choices = [Disposal(), *([Disposal(owned)] if owned else [])]
    else:
        choices = legal_disposals(owned, rulebook.certificates)
    if change.buys and state.price(hotel):
        return choices
    gone = owned - change.has.shares[hotel]
    return [choice for choice in choices if choice.sell + choice.trade == gone]


def _explains(state: State, merger: Merger, change: Change, disposals: Disposals) -> bool:
    """Return whether these disposals, with purchases after them, explain what a player has."""
    shares, money = change.had.shares, change.had.cash
    for hotel, (sell, trade) in disposals.items():
        shares = add(shares, hotel, -sell - trade)
        shares = add(shares, merger.survivor, trade // TRADED_FOR_ONE)
        money += sell * merger.price(hotel)
    bought = [*map(int.__sub__, change.has.shares, shares)]
    if min(bought) < 0 or sum(bought) > (state.rulebook.order_limit if change.buys else 0):
        return False
    spent = sum(map(int.__mul__, bought, map(state.price, range(len(bought)))))
    return not change.cash or money - spent == change.has.cash
