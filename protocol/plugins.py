"""What is installed: commands, pages and strategies, found as entry points; packages of extras.

Commands are entry points of the group ``acquire.commands``, pages on which people play of
``acquire.seats``, strategies of ``acquire.strategies`` (a factory, called with a rulebook and a
seed), those with which an analysis plays on of ``acquire.analysts``, and the misbehaving players of
``acquire.cast``. This is how ``admin`` and ``player`` reach each other without an import, and how
another distribution can add its own. The built-in players are in no other list.

The core needs no package of an extra. The list of them is that of pyproject.toml, read from the
metadata of the installed distribution.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import EntryPoint, entry_points, requires
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from .strategy_file import explaining_failures, load_strategy_file, names_file

if TYPE_CHECKING:
    from ..game.rulebook import Rulebook
    from .messages import PlayerMessage, RefereeMessage

StrategyFactory: TypeAlias = "Callable[[Rulebook, int], Callable[[RefereeMessage], PlayerMessage]]"
"""Makes a player from a rulebook and a seed."""

DISTRIBUTION = "acquire-referee"
ANALYSTS = "acquire.analysts"
CAST = "acquire.cast"
COMMANDS = "acquire.commands"
SEATS = "acquire.seats"
STRATEGIES = "acquire.strategies"


@cache  # because it reads the metadata of every installed distribution
def installed() -> dict[str, dict[str, EntryPoint]]:
    """Return the installed entry points by group and name."""
    found = entry_points()
    groups = (ANALYSTS, CAST, COMMANDS, SEATS, STRATEGIES)
    return {
        group: {point.name: point for point in sorted(found.select(group=group))}
        for group in groups
    }


def plugins(group: str) -> dict[str, EntryPoint]:
    """Return the installed entry points of a group, by name."""
    return installed()[group]


def load_strategy(name: str, folder: Path | None = None) -> StrategyFactory:
    """Import the factory of an installed strategy, or of one in a file (``FILE.py:CLASS``).

    A relative path is in ``folder``, by default the current one. ``KeyError`` if no strategy of the
    name is installed, ``StrategyFileError`` if that of a file cannot be loaded.
    """
    if names_file(name):
        return load_strategy_file(name, folder or Path.cwd())
    make: StrategyFactory = plugins(STRATEGIES)[name].load()
    return make


def load_explaining(name: str) -> StrategyFactory:
    """Load a strategy as :func:`load_strategy` does; one in a file raises ``StrategyFailed``."""
    return explaining_failures(name, load_strategy(name))


def require(extra: str) -> None:
    """Verify that the packages of an extra are there; ``ModuleNotFoundError`` names the first."""
    for package, brought_by in _packages():
        if brought_by == extra and find_spec(package) is None:
            raise ModuleNotFoundError(f"No module named {package!r}", name=package)


def why_missing(error: ImportError, extra: str | None = None) -> str | None:
    """Return what to install, ``None`` if no extra brings the package that was not found.

    ``extra`` is the one to install, for a package that several bring.
    """
    package = (error.name or "").partition(".")[0]
    brought_by = [other for name, other in _packages() if name == package]
    if not brought_by:
        return None
    return (
        f"{package} is not installed; it comes with an extra: "
        f"pip install '{DISTRIBUTION}[{extra or brought_by[-1]}]'."
    )


def _packages() -> Iterator[tuple[str, str]]:
    for requirement in requires(DISTRIBUTION) or ():
        found = re.match(r"([\w.-]+).*\bextra == ['\"](\w+)", requirement)
        if found is not None and found[1] != DISTRIBUTION:
            yield found[1].replace("-", "_"), found[2]
