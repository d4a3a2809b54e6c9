"""Acquire as a library: positions, legal answers, games, logs, and players over TCP.

>>> import acquire
>>> game = acquire.play_game({"ann": "investor", "bob": "random", "cyd": "ordered"}, seed=7)
>>> game.winners
('ann',)

The names of :mod:`acquire.public` are supported; other modules of this project may change. Hotels
and tiles are numbers in a position, as :mod:`acquire.game` explains; money is in dollars.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .public import *  # noqa: F403  # these are the names, and that is their list


def __getattr__(name: str) -> object:
    """Import the library when the first of its names is used.

    Every import of a module of ours runs this file first, also that of a command that only prints
    its help, and that of a program's supervisor, which finds the standard library alone.
    """
    private = name.startswith("__") and name != "__all__"
    if private or find_spec(f"{__name__}.{name}"):  # a module: it is imported by its own name
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    public = import_module(f"{__name__}.public")
    value = __dir__() if name == "__all__" else getattr(public, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    names = vars(import_module(f"{__name__}.public"))
    # pytest adds names such as @pytest_ar to modules whose examples it runs
    return [name for name in names if name.isidentifier() and not name.startswith("_")]
