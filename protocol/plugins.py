"""What is installed: entry points, and packages of extras; and strategies in files.

Commands are entry points of the group ``acquire.commands``, pages on which people play of
``acquire.seats``, strategies of ``acquire.strategies`` (a factory, called with a rulebook and a
seed), those with which an analysis plays on of ``acquire.analysts``, and the misbehaving players of
``acquire.cast``. This is how ``admin`` and ``player`` reach each other without an import, and how
another distribution can add its own. The built-in players are in no other list.

The core needs no package of an extra. The list of them is that of pyproject.toml, read from the
metadata of the installed distribution.
"""

import hashlib
import importlib.util
import inspect
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import EntryPoint, entry_points, requires
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from .user_error import UserError

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


installed = cache(entry_points)  # it reads the metadata of every installed distribution


def plugins(group: str) -> dict[str, EntryPoint]:
    """Return the installed entry points of a group, by name."""
    return {point.name: point for point in sorted(installed().select(group=group))}


def load_strategy(name: str, folder: Path | None = None) -> StrategyFactory:
    """Import the factory of an installed strategy, or of one in a file (``FILE.py:CLASS``).

    A relative path is in ``folder``, by default the current one. ``KeyError`` if no strategy of the
    name is installed, ``StrategyFileError`` if that of a file cannot be loaded.
    """
    if names_file(name):
        return load_strategy_file(name, folder or Path.cwd())
    make: StrategyFactory = plugins(STRATEGIES)[name].load()
    return make


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
        f"{to_install(extra or brought_by[-1])}."
    )


def to_install(extra: str) -> str:
    """Return how to install an extra: not by our name, which others could register in an index."""
    return f"pip install 'PATH[{extra}]', where PATH is the wheel or clone that you installed"


def _packages() -> Iterator[tuple[str, str]]:
    for requirement in requires(DISTRIBUTION) or ():
        found = re.match(r"([\w.-]+).*\bextra == ['\"](\w+)", requirement)
        if found is not None and found[1] != DISTRIBUTION:
            yield found[1].replace("-", "_"), found[2]


# -- a strategy in a file: ``FILE.py:CLASS``, wherever a strategy is accepted ----------------------
# The file is imported into this process, with everything that it may do: it is for one's own code.

SEPARATOR = ".py:"


class StrategyFileError(UserError):
    """A strategy cannot be loaded; the text is user-facing, with the traceback if there is one."""


class StrategyFailed(UserError):
    """A strategy in a file has failed in a game; the text is user-facing, with the traceback."""

    def __init__(self, strategy: str, error: BaseException) -> None:
        super().__init__(f"{strategy} has failed.\n{traceback_of(error)}")
        raised = "".join(traceback.format_exception_only(error)).strip().splitlines()[-1]
        self.sentence = f"{strategy} has failed: {raised}."
        """The same in one line."""


def names_file(strategy: str) -> bool:
    """Whether a strategy is given as ``FILE.py:CLASS``.

    >>> names_file("bots/mine.py:Mine"), names_file("investor"), names_file("python3 mine.py:80")
    (True, False, False)
    """
    return SEPARATOR in strategy and strategy.rpartition(SEPARATOR)[2].isidentifier()


def class_name(strategy: str) -> str:
    """Return the name of the class, or of the strategy where it is in no file.

    >>> class_name("bots/mine.py:Mine"), class_name("investor")
    ('Mine', 'investor')
    """
    return strategy.rpartition(SEPARATOR)[2]


def path_of(strategy: str, folder: Path) -> Path:
    """Return the path of the file; a relative one is in ``folder``."""
    return folder / f"{strategy.rpartition(SEPARATOR)[0]}.py"


def load_strategy_file(strategy: str, folder: Path) -> Callable[..., Any]:
    """Import ``FILE.py:CLASS`` and return what is called with a rulebook and a seed.

    Modules beside the file can be imported by it, unless one that is installed has the same name. A
    file that has changed is imported again.
    ``StrategyFileError`` if the file or the class does not exist, or importing it fails.
    """
    path = path_of(strategy, folder).absolute()
    name = strategy.rpartition(":")[2]
    if not path.is_file():
        raise StrategyFileError(f"{strategy}: there is no file {path}.")
    source = path.read_bytes()
    content = hashlib.sha256(os.fsencode(path) + b"\0" + source).hexdigest()
    module_name = f"acquire_strategy_{path.stem}_{content[:12]}"
    if module_name not in sys.modules:
        _run(path, module_name, strategy)
    made = getattr(sys.modules[module_name], name, None)
    if not callable(made):
        classes = [
            key
            for key, value in vars(sys.modules[module_name]).items()
            if isinstance(value, type) and value.__module__ == module_name
        ]
        there = f" There is {', '.join(classes)}." if classes else ""
        raise StrategyFileError(f"{strategy}: {path.name} has no class {name!r}.{there}")
    if inspect.isabstract(made):
        missing = ", ".join(sorted(made.__abstractmethods__))
        raise StrategyFileError(f"{strategy}: the class does not define {missing}.")
    return made  # type: ignore[no-any-return]  # it is anything


def load_explaining(name: str) -> StrategyFactory:
    """Load a strategy as :func:`load_strategy` does; one in a file raises ``StrategyFailed``.

    Its player is made at its first message, so that a failing constructor is a failure in the game
    as well.
    """
    make = load_strategy(name)
    if not names_file(name):
        return make

    def made(*given: Any) -> Callable[[Any], Any]:
        player: Callable[[Any], Any] | None = None

        def answer(message: Any) -> Any:
            nonlocal player
            try:
                if player is None:
                    player = make(*given)
                return player(message)
            except (Exception, SystemExit) as error:
                raise StrategyFailed(name, error) from error

        return answer

    return made


def _run(path: Path, module_name: str, strategy: str) -> None:
    spec = importlib.util.spec_from_file_location(module_name, path)
    assert spec is not None and spec.loader is not None, "it is a file of Python"
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    if str(path.parent) not in sys.path:  # at the end: a file player.py hides no package
        sys.path.append(str(path.parent))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[module_name]
        raise StrategyFileError(f"{strategy} cannot be imported.\n{traceback_of(error)}") from error


def traceback_of(error: BaseException) -> str:
    """Return a traceback without the frames of this project, for whoever wrote the strategy."""
    shown = traceback.TracebackException.from_exception(error)
    own = str(Path(__file__).parents[1])
    shown.stack = traceback.StackSummary.from_list(
        [frame for frame in shown.stack if not frame.filename.startswith((own, "<frozen"))]
    )
    return "".join(shown.format()).rstrip()
