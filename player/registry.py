"""The players of the house by name, and after them the misbehaving cast."""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from game.rulebook import Rulebook
from game.rulebooks import RULEBOOKS
from player.cast import cast_for
from player.investor import Investor
from player.misbehaving import everybody, misbehaving
from player.misdeeds import Misdeed
from player.strategies import LargestAlpha, Ordered, Random, SmallestAnti
from player.strategy import Strategy
from protocol.messages import AdministratorMessage, PlayerMessage

Maker: TypeAlias = Callable[
    [Rulebook, int], Callable[[AdministratorMessage], PlayerMessage | Misdeed]
]
"""From a rulebook and a seed to a player."""

HOUSE: dict[str, type[Strategy]] = {
    "random": Random,
    "ordered": Ordered,
    "largest-alpha": LargestAlpha,
    "smallest-anti": SmallestAnti,
    "investor": Investor,
}

_CAST = everybody()

STRATEGIES: dict[str, Maker] = {
    **HOUSE,
    **{name: partial(misbehaving, name) for name in _CAST},
}


def describe(name: str) -> str:
    """Say in one line how the player of this name plays; ``KeyError`` when there is none."""
    if name in HOUSE:
        return (HOUSE[name].__doc__ or "").partition("\n")[0]
    return _CAST[name].description


def rulebooks_of(name: str) -> list[str]:
    """Return the ids of the rulebooks under which the player of this name can play."""
    return [
        rulebook.id
        for rulebook in RULEBOOKS.values()
        if name in HOUSE or name in cast_for(rulebook)
    ]
