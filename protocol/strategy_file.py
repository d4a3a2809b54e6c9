"""A strategy in a file of Python: ``FILE.py:NAME``, wherever the name of a strategy is accepted.

The file is imported into this process, with everything that it may do: it is for one's own code.
"""

import hashlib
import importlib.util
import inspect
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

SEPARATOR = ".py:"


class StrategyFileError(Exception):
    """A strategy cannot be loaded; the text is user-facing, with the traceback if there is one."""


def names_file(strategy: str) -> bool:
    """Whether a strategy is given as ``FILE.py:NAME``.

    >>> names_file("bots/mine.py:Mine"), names_file("investor")
    (True, False)
    """
    return SEPARATOR in strategy


def path_of(strategy: str, folder: Path) -> Path:
    """Return the path of the file; a relative one is in ``folder``."""
    return folder / f"{strategy.rpartition(SEPARATOR)[0]}.py"


def load_strategy_file(strategy: str, folder: Path) -> Callable[..., Any]:
    """Import ``FILE.py:NAME`` and return what is called with a rulebook and a seed.

    Modules beside the file can be imported by it. A file that has changed is imported again.
    ``StrategyFileError`` if there is no such file or name, or importing it fails.
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


def _run(path: Path, module_name: str, strategy: str) -> None:
    spec = importlib.util.spec_from_file_location(module_name, path)
    assert spec is not None and spec.loader is not None, "it is a file of Python"
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[module_name]
        raise StrategyFileError(f"{strategy} cannot be imported.\n{traceback_of(error)}") from error


def traceback_of(error: BaseException) -> str:
    """Return a traceback without the frames of this project, for whoever wrote the strategy."""
    shown = traceback.TracebackException.from_exception(error)
    own = {str(Path(__file__).parents[1] / name) for name in ("admin", "player", "protocol")}
    shown.stack = traceback.StackSummary.from_list(
        [
            frame
            for frame in shown.stack
            if not any(frame.filename.startswith(folder) for folder in own)
            and not frame.filename.startswith("<frozen")
        ]
    )
    return "".join(shown.format()).rstrip()
