"""Installed commands and strategies, found as entry points.

Commands are entry points of the group ``acquire.commands``, strategies of ``acquire.strategies`` (a
factory, called with a rulebook and a seed). This is how ``admin`` reaches the players without
importing them, and how another distribution can add its own.
"""

from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING

from ....protocol.strategy_file import explaining_failures, load_strategy_file, names_file

if TYPE_CHECKING:
    from ....game.rulebook import Rulebook
    from .in_process import Strategy

COMMANDS = "acquire.commands"
STRATEGIES = "acquire.strategies"


@cache  # because it reads the metadata of every installed distribution
def plugins(group: str) -> dict[str, EntryPoint]:
    """Return the installed entry points of a group, by name."""
    return {point.name: point for point in sorted(entry_points(group=group))}


def load_strategy(name: str, folder: Path | None = None) -> "Callable[[Rulebook, int], Strategy]":
    """Import the factory of an installed strategy, or of one in a file (``FILE.py:CLASS``).

    A relative path is in ``folder``, by default the current one. ``KeyError`` if no strategy of the
    name is installed, ``StrategyFileError`` if that of a file cannot be loaded.
    """
    if names_file(name):
        return load_strategy_file(name, folder or Path.cwd())
    make: Callable[[Rulebook, int], Strategy] = plugins(STRATEGIES)[name].load()
    return make


def load_explaining(name: str) -> "Callable[[Rulebook, int], Strategy]":
    """Load a strategy as :func:`load_strategy` does; one in a file raises ``StrategyFailed``."""
    return explaining_failures(name, load_strategy(name))
