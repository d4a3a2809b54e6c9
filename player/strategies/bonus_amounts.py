"""The bonuses of a hotel, remembered, because a player that looks ahead asks for the same often."""

from functools import lru_cache

from ...game.merger import bonuses_for
from ...game.rulebook import Rulebook
from ...game.state import Player


@lru_cache(maxsize=1 << 15)
def bonus_amounts(rulebook: Rulebook, price: int, held: tuple[int, ...]) -> tuple[int, ...]:
    """Return the bonus of each holder of so many certificates that cost ``price``, 0 for none.

    >>> from acquire.game.rulebooks import CLASSIC
    >>> bonus_amounts(CLASSIC, 300, (5, 3, 0, 1))
    (3000, 1500, 0, 0)
    """
    players = [Player(str(at), 0, (count,), 0) for at, count in enumerate(held)]
    amounts = [0] * len(held)
    for _, name, amount in bonuses_for(rulebook, 0, price, players):
        amounts[int(name)] = amount
    return tuple(amounts)
