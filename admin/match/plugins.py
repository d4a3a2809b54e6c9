"""What is installed beside the administrator: entry points, found by the name of their group.

Commands are entry points of the group ``acquire.commands``, strategies of ``acquire.strategies``
(a maker, called with a rulebook and a seed). So this package reaches the players without importing
them, and another distribution can bring its own.
"""

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from admin.match.in_process import Strategy
    from game.rulebook import Rulebook

COMMANDS = "acquire.commands"
STRATEGIES = "acquire.strategies"


def plugins(group: str) -> dict[str, EntryPoint]:
    """Return what is installed in a group of entry points, by name."""
    return {point.name: point for point in sorted(entry_points(group=group))}


def load_strategy(name: str) -> "Callable[[Rulebook, int], Strategy]":
    """Import the maker of a house player that is installed."""
    make: Callable[[Rulebook, int], Strategy] = plugins(STRATEGIES)[name].load()
    return make
