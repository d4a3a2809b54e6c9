"""What a sandboxed program sees of this machine's files: bubblewrap's arguments for it."""

import os
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
)
LINKING = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d")
LANGUAGES = ("java*", "mono", "nodejs", "perl", "python3*", "R")
NAMES = ("group", "hosts", "nsswitch.conf", "os-release", "passwd")
PLACE = ("default/locale", "fonts", "locale.alias", "localtime", "timezone")
CERTIFICATES = ("ca-certificates", "pki", "ssl/certs", "ssl/openssl.cnf")
CONFIGURATION = LINKING + LANGUAGES + NAMES + PLACE + CERTIFICATES
"""What programs read in ``/etc``; everything else there stays hidden."""
PROGRAM_FOLDERS = ("bin", "sbin", "shims", "condabin")
"""Names of folders with programs, which belong to the toolchain in the folder above."""
HOMES = ("/home", "/Users")
PRIVATE = (*HOMES, "/root", "/tmp", "/var", "/srv", "/etc")
"""Folders that are never a toolchain."""


@cache
def system_files() -> tuple[str, ...]:
    """Return the arguments for the system's own files."""
    arguments: list[str] = []
    shown = (*(Path(name) for name in SYSTEM if os.path.isdir(name)), *_configuration())
    for above in sorted({parent for path in shown for parent in path.parents} - {Path("/")}):
        arguments += ["--perms", "0755", "--dir", str(above)]  # which every user may enter
    for name in SYSTEM:
        if os.path.islink(name):
            arguments += ["--symlink", os.readlink(name), name]
        elif os.path.isdir(name):
            arguments += ["--ro-bind", name, name]
    for path in _configuration():
        arguments += ["--ro-bind-try", str(path), str(path)]
    return tuple(arguments)


@cache
def _configuration() -> tuple[Path, ...]:
    found = (path for pattern in CONFIGURATION for path in Path("/etc").glob(pattern))
    return tuple(sorted(found))


def toolchains(executable: str | None, hidden: Iterable[Path]) -> tuple[Path, ...]:
    """Return the toolchains outside the system's folders: in PATH, in JAVA_HOME, of a program.

    A toolchain is the folder above ``bin``. Where that is somebody's home, or contains what has to
    stay hidden, only its programs are visible.
    """
    places = os.environ.get("PATH", ""), os.environ.get("JAVA_HOME", ""), (*home(),)
    return _toolchains(executable, tuple(hidden), *places)


@cache
def _toolchains(
    executable: str | None,
    hidden: tuple[Path, ...],
    path: str,
    java_home: str,
    _home: tuple[Path, ...],
) -> tuple[Path, ...]:
    """Return what :func:`toolchains` does; following all links takes a while, so only once."""
    found: dict[Path, None] = {}
    for entry in path.split(os.pathsep):
        folder = Path(entry)
        readable = os.path.isdir(folder) and os.access(folder, os.R_OK | os.X_OK)
        if not (folder.is_absolute() and readable) or _is_of_the_system(folder):
            continue
        for place in _hops(folder):
            found[_toolchain(place, hidden)] = None
        for program in _links(folder):
            found.update(dict.fromkeys(_of_program(program, hidden)))
    if executable is not None and Path(executable).is_absolute():
        found.update(dict.fromkeys(_of_program(Path(executable), hidden)))
    if (java := Path(java_home)).is_absolute() and os.path.isdir(java):
        found.update(dict.fromkeys(_hops(java)))
    return tuple(path for path in found if not _is_of_the_system(path))


@cache
def _links(folder: Path) -> tuple[Path, ...]:
    """Return the links in a folder with programs: they may lead to another toolchain."""
    with os.scandir(folder) as entries:
        return tuple(Path(entry.path) for entry in entries if entry.is_symlink())


def _of_program(program: Path, hidden: Iterable[Path]) -> Iterator[Path]:
    """Yield the toolchains that a program, or what it links to, belongs to, or the file alone."""
    for place in _hops(program):
        in_toolchain = place.parent.name in PROGRAM_FOLDERS
        yield _toolchain(place.parent, hidden) if in_toolchain else place


def _hops(path: Path) -> Iterator[Path]:
    """Yield a path, and where it leads when its links are followed one by one."""
    yield path
    real = Path(os.path.realpath(path))
    while os.path.islink(path):  # no if it may not be looked at
        path = Path(os.path.normpath(path.parent / path.readlink()))
        yield path
    if real != path:
        yield real


def _toolchain(folder: Path, hidden: Iterable[Path]) -> Path:
    """Return the folder of the toolchain that a folder with programs belongs to."""
    if folder.name not in PROGRAM_FOLDERS:
        return folder
    above = folder.parent
    private = (*home(), *map(Path, PRIVATE), *hidden)
    is_home = str(above.parent) in HOMES
    return folder if is_home or any(path.is_relative_to(above) for path in private) else above


def home() -> list[Path]:
    """Return the user's home, or nothing: without HOME, a user of a container may have none."""
    try:
        return [Path.home()]
    except RuntimeError:  # and no entry in the list of users
        return []


def _is_of_the_system(path: Path) -> bool:
    return any(path.is_relative_to(place) for place in (*map(Path, SYSTEM), *_configuration()))


def without_hidden(visible: Iterable[Path], hidden: Iterable[Path]) -> dict[Path, tuple[str, ...]]:
    """Return what shows some files and folders, and where their links lead, but no hidden one.

    These are paths, none in another one, with the arguments that come before each.
    """
    concealed = tuple({Path(os.path.realpath(path)) for path in hidden} | {*hidden})
    shown: dict[Path, tuple[str, ...]] = {}
    for path in visible:
        for place in _hops(path):
            shown.update(_without(place, concealed))
    found: dict[Path, tuple[str, ...]] = {}
    for path in sorted(shown, key=lambda path: path.parts):  # folders before what is in them
        if not any(path.is_relative_to(other) for other in found):
            found[path] = shown[path]
    return found


def _without(path: Path, hidden: tuple[Path, ...]) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Yield how a path is shown, or what it contains apart from what is hidden.

    A link in it stays a link: bubblewrap would show what it leads to, which may be anything.
    """
    if any(path.is_relative_to(other) for other in hidden):
        return
    if not any(other.is_relative_to(path) for other in hidden):
        yield path, ("--ro-bind-try", str(path))
        return
    with os.scandir(path) as entries:
        for entry in entries:
            if not entry.is_symlink():
                yield from _without(Path(entry.path), hidden)
            elif Path(entry.path) not in hidden:
                yield Path(entry.path), ("--symlink", os.readlink(entry.path))
