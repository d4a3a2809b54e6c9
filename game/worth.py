"""A player's net worth: the score if the game ended now.

It is the cash, the final bonuses, and the sale of all certificates. Nobody can know the tiles that
the stock market will draw at the end of a game of two, so there the market holds nothing until its
tiles are drawn: a draw can lower the net worth of the players.
"""

from __future__ import annotations

from collections.abc import Mapping

from .merger import Merger, bonuses_for, pay
from .state import State
from .turn import pay_out


def worth(state: State, market: Mapping[int, int] | None = None) -> dict[str, int]:
    """Return each player's net worth in dollars between two actions, in turn order.

    ``market`` is how many certificates of each hotel the stock market holds, as far as its tiles
    are drawn.

    >>> from acquire.game.notation import parse_position
    >>> from acquire.game.rulebooks import CLASSIC
    >>> state = parse_position(CLASSIC, "AA", ["ann A3 $100", "bob A1 T5"])
    >>> worth(state)
    {'ann': 4000, 'bob': 1800}
    >>> worth(state, market={0: 9})
    {'ann': 2500, 'bob': 300}
    """
    return dict(pay_out(state, market).scores)


def worth_in_merger(merger: Merger, market: Mapping[int, int] | None = None) -> dict[str, int]:
    """Return each player's net worth in dollars while a merger is settled, in turn order.

    Bonuses not yet paid count as if they were. Certificates of acquired hotels count at their price
    before the merger for as long as their holders have them.
    """
    market = market or {}
    state = merger.state
    paid = {bonus.hotel for bonus in merger.bonuses}
    owed = [
        bonus
        for hotel, price in zip(merger.acquired, merger.prices, strict=True)
        if hotel not in paid
        for bonus in bonuses_for(state.rulebook, hotel, price, state.players, market.get(hotel, 0))
    ]
    found = worth(state._replace(players=pay(state.players, owed)))
    for player in state.players:
        for hotel, price in zip(merger.acquired, merger.prices, strict=True):
            found[player.name] += price * player.shares[hotel]
    return found
