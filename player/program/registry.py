"""All players by name: the installed ones, then the misbehaving cast.

A player is imported when it is asked for: without the others it starts much sooner.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from ...game.rulebook import Rulebook
from ...game.rulebooks import RULEBOOKS
from ...protocol.plugins import STRATEGIES, load_strategy, names_file, plugins
from .client import Answerer, SocketAction

PlayerFactory: TypeAlias = Callable[[Rulebook, int], Answerer]  # gets a rulebook and a seed


class ListedPlayer(NamedTuple):
    """How a player plays, in one line, and the ids of the rulebooks under which it can."""

    name: str
    description: str
    rulebooks: list[str]


def find_player(name: str) -> PlayerFactory | None:
    """Find the player of this name; ``None`` if there is none.

    The factory raises ``NotInCast`` where a rulebook gives a misbehaving player nothing to break.
    ``StrategyFileError`` if the strategy in a file (``FILE.py:NAME``) cannot be loaded.
    """
    if names_file(name) or name in plugins(STRATEGIES):
        return load_strategy(name)
    from ..misbehaving.cast import all_members, misbehaving_player

    if name not in all_members():
        return None
    return lambda rulebook, seed: misbehaving_player(name, rulebook, seed)


def find_sign_up_fault(name: str) -> SocketAction | None:
    """Return what the player of this name does instead of signing up; ``None`` if it signs up."""
    if names_file(name) or name in plugins(STRATEGIES):
        return None
    from ..misbehaving.cast import sign_up_fault

    return sign_up_fault(name)


def built_in_players() -> list[ListedPlayer]:
    """Return the installed strategies: the built-in players, and those of others."""
    return [
        ListedPlayer(name, (load_strategy(name).__doc__ or "").partition("\n")[0], [*RULEBOOKS])
        for name in plugins(STRATEGIES)
    ]


def misbehaving_players() -> list[ListedPlayer]:
    """Return the misbehaving players of all rulebooks."""
    from ..misbehaving.cast import all_members, cast_for

    casts = {id_: cast_for(rulebook) for id_, rulebook in RULEBOOKS.items()}
    return [
        ListedPlayer(name, each.description, [id_ for id_, cast in casts.items() if name in cast])
        for name, each in all_members().items()
    ]
