"""All players by name: the installed ones, then the misbehaving cast.

A player is imported when it is asked for: without the others it starts much sooner.
"""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from ...game.rulebook import Rulebook
from ...game.rulebooks import RULEBOOKS
from ...protocol.plugins import STRATEGIES, load_strategy, plugins
from ...protocol.strategy_file import names_file
from .client import Answerer, SocketAction

if TYPE_CHECKING:
    from ..misbehaving.cast import Member

PlayerFactory: TypeAlias = Callable[[Rulebook, int], Answerer]
"""Makes a player from a rulebook and a seed."""


def strategy_names() -> list[str]:
    """Return the names of the installed strategies: the built-in players, and those of others."""
    return [*plugins(STRATEGIES)]


@cache
def _cast() -> "dict[str, Member]":
    from ..misbehaving.misbehaving_player import all_members

    return all_members()


def cast_names() -> list[str]:
    """Return the names of the misbehaving players of all rulebooks."""
    return [*_cast()]


def find_player(name: str) -> PlayerFactory | None:
    """Find the player of this name; ``None`` if there is none.

    The factory raises ``NotInCast`` where a rulebook gives a misbehaving player nothing to break.
    ``StrategyFileError`` if the strategy in a file (``FILE.py:NAME``) cannot be loaded.
    """
    if names_file(name) or name in plugins(STRATEGIES):
        return load_strategy(name)
    if name not in _cast():
        return None
    from ..misbehaving.misbehaving_player import misbehaving_player

    return lambda rulebook, seed: misbehaving_player(name, rulebook, seed)


def find_sign_up_fault(name: str) -> SocketAction | None:
    """Return what the player of this name does instead of signing up; ``None`` if it signs up."""
    if names_file(name) or name in plugins(STRATEGIES):
        return None
    from ..misbehaving.misbehaving_player import sign_up_fault

    return sign_up_fault(name)


def describe(name: str) -> str:
    """Describe how the player of this name plays, in one line; ``KeyError`` if there is none."""
    if name in plugins(STRATEGIES):
        return (load_strategy(name).__doc__ or "").partition("\n")[0]
    return _cast()[name].description


def rulebooks_of(name: str) -> list[str]:
    """Return the ids of the rulebooks under which the player of this name can play."""
    if name in plugins(STRATEGIES):
        return [*RULEBOOKS]
    from ..misbehaving.cast import cast_for

    return [rulebook.id for rulebook in RULEBOOKS.values() if name in cast_for(rulebook)]
