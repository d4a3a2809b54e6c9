"""All players by name: the built-in ones, then the misbehaving cast."""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from game.rulebook import Rulebook
from game.rulebooks import RULEBOOKS
from player.misbehaving.cast import cast_for
from player.misbehaving.misbehaving_player import all_members, misbehaving_player
from player.program.client import Answerer
from player.strategies.investor import Investor
from player.strategies.simple import LargestAlpha, Ordered, Random, SmallestAnti
from player.strategies.strategy import Strategy

PlayerFactory: TypeAlias = Callable[[Rulebook, int], Answerer]
"""Makes a player from a rulebook and a seed."""

BUILT_IN: dict[str, type[Strategy]] = {
    "random": Random,
    "ordered": Ordered,
    "largest-alpha": LargestAlpha,
    "smallest-anti": SmallestAnti,
    "investor": Investor,
}
"""The built-in players."""

_CAST = all_members()

PLAYERS: dict[str, PlayerFactory] = {
    **BUILT_IN,
    **{name: partial(misbehaving_player, name) for name in _CAST},
}
"""The built-in players and the cast; ``NotInCast`` where a rulebook gives nothing to break."""


def describe(name: str) -> str:
    """Describe how the player of this name plays, in one line; ``KeyError`` if there is none."""
    if name in BUILT_IN:
        return (BUILT_IN[name].__doc__ or "").partition("\n")[0]
    return _CAST[name].description


def rulebooks_of(name: str) -> list[str]:
    """Return the ids of the rulebooks under which the player of this name can play."""
    return [
        rulebook.id
        for rulebook in RULEBOOKS.values()
        if name in BUILT_IN or name in cast_for(rulebook)
    ]
