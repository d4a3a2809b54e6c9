"""A program that can be started: what to run, where, and with which variables.

Its texts may contain placeholders, whose values are only known when the program starts. What a
hand-in writes is judged by its text alone, never by what is there: files come and go, and nothing
that it names is shown to it for being named.
"""

import os
import re
import shlex
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from .sandbox_files import SYSTEM

LOCALHOST = "127.0.0.1"
PLACEHOLDERS = ("host", "port", "name")
_PLACEHOLDER = re.compile(rf"\{{({'|'.join(PLACEHOLDERS)})\}}")
NO_PORT = (
    "no {port} in the command. The port changes with each start; the player must read it from the "
    "environment variable ACQUIRE_PORT."
)
EVERYWHERE = (*SYSTEM, "/usr", "/etc", "/dev", "/proc", "/tmp")
"""Folders that every program has, with or without a sandbox."""
FEW_PARTS = 3  # parts of the path of a file that lies in a folder such as `/opt`
ADDRESS = "//"  # what follows the colon of an address, which is no path


@dataclass(frozen=True, slots=True)
class Program:
    """A command, its working directory, and variables in addition to the inherited ones.

    The arguments and the values of variables may contain ``{host}``, ``{port}`` and ``{name}``.
    In a sandbox a program sees ``visible`` files and folders without ``hidden`` ones, though its
    ``directory`` may lie in one of these. With ``shows_toolchain`` it also sees the toolchain that
    its executable belongs to. It may write to ``writable`` folders, which have to be this process's
    own, without links that lead out.
    """

    command: tuple[str, ...]
    directory: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    visible: tuple[Path, ...] = ()
    hidden: tuple[Path, ...] = ()
    writable: tuple[Path, ...] = ()
    shows_toolchain: bool = True

    def filled(self, port: int, name: str) -> "Program":
        """Return the program for a place on this machine to connect to, and a name to sign up with.

        Its placeholders are replaced; other braces stay as they are. It has the same values as
        variables, and its executable is located. One that cannot be found stays as written: running
        it will report why. The directory becomes absolute, because a relative path is looked up
        from within it.
        """
        directory = self.directory.absolute()
        values = {"host": LOCALHOST, "port": str(port), "name": name}

        def fill(text: str) -> str:
            return _PLACEHOLDER.sub(lambda found: values[found[1]], text)

        first, *rest = map(fill, self.command)
        environment = {f"ACQUIRE_{key.upper()}": value for key, value in values.items()}
        environment |= {key: fill(text) for key, text in self.environment.items()}
        return replace(
            self,
            command=(find_program(first, directory) or first, *rest),
            directory=directory,
            environment=environment,
        )


def find_program(program: str, folder: Path) -> str | None:
    """Return a program's path: from PATH, or relative to ``folder`` if it contains a slash."""
    if "/" in program:
        return shutil.which(str(folder / program))
    return shutil.which(program)


def why_not_found(
    program: str, folder: Path, example: str = "player.py {host} {port} {name}"
) -> str:
    """Return why there is no such program, and what to write instead, to follow its name.

    The ``example`` is a file in a folder, and its arguments.
    """
    file, quoted = folder / program, shlex.quote(program)
    if program and os.path.isdir(file):
        name, _, arguments = example.partition(" ")
        inside = shlex.quote(f"{program.rstrip('/')}/{name}")
        return (
            "this is a folder. Give the command that starts the program in it, such as\n"
            f"  python3 {inside} {arguments}"
        )
    if "/" in program and os.path.isfile(file):
        return (
            f"there is such a file, but it is not executable. Run chmod +x {quoted}, or write its "
            "interpreter before it, such as python3, perl or node."
        )
    where = "no such program" if "/" in program else "not found in PATH"
    return (
        f"{where}. Give a program that can be run, with its path if it is not in PATH (./program), "
        "and its arguments as separate words."
    )


def as_typed(command: Sequence[str], placeholders: Sequence[str] = PLACEHOLDERS) -> str:
    """Return a command as typed in a shell, which leaves placeholders as they are."""
    text = shlex.join(command)
    for name in placeholders:
        text = text.replace(f"'{{{name}}}'", f"{{{name}}}")
    return text


def unknown_placeholder(words: Iterable[str], known: Sequence[str] = PLACEHOLDERS) -> str:
    """Return a sentence about a placeholder in some words that is not known; empty if all are.

    >>> unknown_placeholder(["python3", "player.py", "{prot}"])
    '{prot} is not a placeholder. Use {host}, {port} or {name}.'
    """
    *others, last = (f"{{{name}}}" for name in known)
    for name in re.findall(r"\{(\w+)\}", " ".join(words)):
        if name not in known:
            return f"{{{name}}} is not a placeholder. Use {', '.join(others)} or {last}."
    return ""


# -- the paths in the words of a command or a setting --------------------------------------------


def parts_of(words: Iterable[str]) -> Iterator[str]:
    """Yield words, and their parts between ``=`` and ``:``, each of which may be a path."""
    for word in words:
        for part in (word, *re.split(f"[={re.escape(os.pathsep)}]", word)):
            if part:
                yield part


def exists(path: Path) -> bool:
    """Whether there is a file or folder; not if that cannot be a path."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def contains_any(folder: Path, paths: Iterable[Path]) -> bool:
    """Whether some of the paths lie in a folder, or are the folder itself."""
    real = Path(os.path.realpath(folder))
    return any(Path(os.path.realpath(path)).is_relative_to(real) for path in paths)


def shown_for(path: Path, apart: Collection[Path]) -> Path | None:
    """Return what a program sees because its command names a path.

    It sees a folder, and of a file the folder, too: a file may need what lies beside it. But of a
    folder such as ``/opt``, or one that contains what is kept ``apart``, it sees that file alone,
    as it does of a socket or a pipe. What is apart stays so by its name and by where that leads.
    """

    def is_shared(folder: Path) -> bool:
        return contains_any(folder, apart) or any(each.is_relative_to(folder) for each in apart)

    if is_shared(path):
        return None
    alone = not path.is_file() or len(path.parts) <= FEW_PARTS or is_shared(path.parent)
    return path if alone else path.parent


def leads_out(part: str) -> bool:
    """Whether a text is a path to something that is neither in a program's folder nor everywhere.

    >>> [leads_out(part) for part in ("lib/a.jar", "../b", "x/../../b", "/usr/bin/env", "/srv/b")]
    [False, True, True, False, True]
    """
    path = os.path.normpath(part)
    if path.startswith("/"):
        known = any(os.path.commonpath((path, place)) == place for place in EVERYWHERE)
        return not (known or path == "/" or part.startswith(ADDRESS))
    return path == os.pardir or path.startswith(os.pardir + os.sep)
