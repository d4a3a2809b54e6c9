"""What a sandboxed program sees of this machine's files: bubblewrap's arguments for it."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache, lru_cache
from glob import glob
from pathlib import Path

_PARTS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_MORE_PARTS = (*_PARTS, "include", "libexec", "share")
SYSTEM = (
    *(f"/{part}" for part in _PARTS),
    *(f"/usr/{part}" for part in _MORE_PARTS),
    *(f"/usr/local/{part}" for part in _MORE_PARTS),
    "/nix/store",
    "/gnu/store",
)
"""The system's own folders. Not all of ``/usr``: courses lie in ``/usr/src`` and ``/usr/local``."""
LINKING = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d")
LANGUAGES = ("java*", "mono", "nodejs", "perl", "python3*", "R")
NAMES = ("group", "hosts", "nsswitch.conf", "os-release", "passwd")
PLACE = ("default/locale", "fonts", "locale.alias", "localtime", "timezone")
CERTIFICATES = ("ca-certificates", "pki", "ssl/certs", "ssl/openssl.cnf")
CONFIGURATION = LINKING + LANGUAGES + NAMES + PLACE + CERTIFICATES
"""What programs read in ``/etc``; everything else there stays hidden."""
HOMES = ("/home", "/Users")
PRIVATE = (*HOMES, "/root", "/tmp", "/var", "/srv", "/etc", "/")
"""Folders that are never a toolchain."""
PROGRAM_FOLDERS = ("bin", "sbin", "shims", "condabin")
"""Names of folders with programs, which may belong to a toolchain in the folder above."""
READABLE = 0o004  # what the mode of a file has if every user may read it
MAX_PROGRAMS = 300  # programs of a folder that are shown one by one; if it has more, none
JAVA = "bin conf include jmods jre legal lib release"
MANAGED = (  # by pyenv, rbenv, nodenv: what starts a version, and the versions
    "bin libexec shims version versions/*/bin versions/*/include versions/*/lib "
    "versions/*/lib64 versions/*/pyvenv.cfg versions/*/share"
)
LAYOUTS = {
    "lib/python3*/os.py": "bin include lib lib64 share/terminfo share/zoneinfo ssl",
    "lib/modules": JAVA,
    "lib/rt.jar": JAVA,
    "jre/lib/rt.jar": JAVA,
    "lib/kotlin-stdlib.jar": "bin lib",
    "lib/scala-library.jar": "bin lib",
    "lib/node_modules/npm": "bin include lib",
    "pkg/tool": "VERSION api bin go.env lib misc pkg src",
    "lib/rustlib": "bin lib libexec",
    "lib/ruby": "bin include lib",
    "lib/perl5": "bin include lib",
    "lib/julia": "bin etc include lib libexec share/julia",
    "lib/gcc": "bin include lib lib32 lib64 libexec share/locale",
}
"""What a toolchain is known by, and what of it is shown: nothing that is not listed here.

Other things may lie beside them, for example where a virtual environment is made in the folder of
a course.
"""
DOTTED_LAYOUTS = {
    "pyvenv.cfg": "bin include lib lib64 pyvenv.cfg",
    "libexec/pyenv": MANAGED,
    "libexec/rbenv": MANAGED,
    "libexec/nodenv": MANAGED,
    "shared/Microsoft.NETCore.App": "dotnet host packs sdk shared templates",
}
"""The same for folders whose name may begin with a dot, such as ``~/.venv`` and ``~/.pyenv``.

No other of those is a toolchain: ``~/.local`` and ``~/.cargo`` also have passwords and keys.
"""


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
    """Return what is shown outside the system's folders: of PATH, of JAVA_HOME, of a program.

    A toolchain is known by its layout, and what is not listed for it stays hidden. Of any other
    folder in PATH only the programs are shown, and what they link to, by the same rule: whatever
    else lies there, or beside it, may be private. So may what a home or a ``hidden`` file is in.
    """
    places = os.environ.get("PATH", ""), os.environ.get("JAVA_HOME", "")
    return _toolchains(executable, tuple(hidden), *places)


@cache
def _toolchains(
    executable: str | None, hidden: tuple[Path, ...], path: str, java_home: str
) -> tuple[Path, ...]:
    """Return what :func:`toolchains` does; following all links takes a while, so only once."""
    found: list[Path] = []
    for entry in path.split(os.pathsep):
        folder = Path(os.path.normpath(entry)) if entry else Path()
        if folder.is_absolute():
            programs = _programs(folder)
            for place in () if is_of_the_system(folder) else _hops(folder):
                own = _toolchain(place)
                found += own or (place / program.name for program in programs)
            found += _linked(programs)
    if executable is not None and (program := Path(executable)).is_absolute():
        for place in _hops(program):
            found.append(place)
            if own := _toolchain(place.parent):  # it may start another program of its own
                found += [*own, *_linked(_programs(place.parent))]
    if (java := Path(java_home)).is_absolute():
        for place in _hops(java):
            found += _toolchain(place)
    private = (*_real_home(), *map(Path, PRIVATE), *hidden)
    return tuple(
        path
        for path in dict.fromkeys(found)
        if not is_of_the_system(path) and not any(each.is_relative_to(path) for each in private)
    )


@cache
def _programs(folder: Path) -> tuple[Path, ...]:
    """Return the programs in a folder; none if it cannot be read or there are too many."""
    try:
        with os.scandir(folder) as entries:
            found = [Path(entry.path) for entry in entries if os.access(entry.path, os.X_OK)]
    except OSError:
        return ()
    if len(found) > MAX_PROGRAMS:
        return ()
    return tuple(path for path in sorted(found) if path.is_file() and _is_for_all(path))


def _is_for_all(program: Path) -> bool:
    """Whether a program has no private text, such as a script with a password.

    A toolchain has none, even if its user lets nobody else read any new file.
    """
    target = Path(os.path.realpath(program))
    return bool(target.stat().st_mode & READABLE or _toolchain(target.parent))


def _linked(programs: Iterable[Path]) -> Iterator[Path]:
    """Yield what the links among some programs lead to, with the toolchains it belongs to."""
    for place in (hop for program in programs if program.is_symlink() for hop in _hops(program)):
        yield from _toolchain(place.parent)
        yield place


@cache
def _toolchain(folder: Path) -> tuple[Path, ...]:
    """Return what is shown of the toolchain that a folder with programs is, or belongs to."""
    for place in (folder, folder.parent) if folder.name in PROGRAM_FOLDERS else (folder,):
        real = Path(os.path.realpath(place))
        if real in _real_home() or str(real.parent) in HOMES or str(real) in PRIVATE:
            continue
        dotted = real.name.startswith(".")
        for mark, listed in (DOTTED_LAYOUTS if dotted else DOTTED_LAYOUTS | LAYOUTS).items():
            if _found(place, mark):
                paths = {path for pattern in listed.split() for path in _found(place, pattern)}
                return tuple(sorted(_together(paths, place)))
    return ()


def _together(paths: set[Path], place: Path) -> set[Path]:
    """Return paths in a place, but a folder instead of all that is in it, if these are folders.

    For each path bubblewrap reads the list of all mounts: the 27 of nine versions of Python take it
    half as long again as the rest.
    """
    for folder in {path.parent for path in paths} - {place}:
        with suppress(OSError), os.scandir(folder) as entries:
            listed = {Path(entry.path): entry.is_dir(follow_symlinks=False) for entry in entries}
            if all(listed.values()) and listed.keys() <= paths:
                return _together(paths - listed.keys() | {folder}, place)
    return paths


def _found(place: Path, pattern: str) -> list[Path]:
    """Return what matches a pattern in a folder; nothing if it may not be looked into."""
    return [place / name for name in glob(pattern, root_dir=place)]


def _hops(path: Path) -> Iterator[Path]:
    """Yield a path, and where it leads when its links are followed one by one."""
    yield path
    real = Path(os.path.realpath(path))
    while os.path.islink(path):  # no if it may not be looked at
        path = Path(os.path.normpath(path.parent / path.readlink()))
        yield path
    if real != path:
        yield real


def home() -> list[Path]:
    """Return the user's home, or nothing: without HOME, a user of a container may have none."""
    try:
        return [Path.home()]
    except RuntimeError:  # and no entry in the list of users
        return []


def _real_home() -> list[Path]:
    return [Path(os.path.realpath(each)) for each in home()]


@cache
def is_of_the_system(path: Path) -> bool:
    """Whether every program sees a path."""
    return any(path.is_relative_to(place) for place in (*map(Path, SYSTEM), *_configuration()))


def without_hidden(
    tools: tuple[Path, ...],
    visible: Iterable[Path],
    hidden: Iterable[Path],
    directory: Path | None = None,
) -> dict[Path, tuple[str, ...]]:
    """Return what shows toolchains and ``visible`` files and folders, but no hidden one.

    If ``directory`` is visible, it is shown wherever it is, as when it lies in a hidden folder.
    Where their links lead is shown, too. These are paths, none in another one, with the arguments
    that come before each. What shows toolchains is found once, as they are themselves.
    """
    hidden = tuple(hidden)
    real = (Path(os.path.realpath(one)) for one in hidden)
    concealed = frozenset(path.parts for path in (*hidden, *real))
    visible = tuple(visible)
    shown = {**_tools_without(tools, concealed), **_all_without(visible, concealed)}
    if directory is not None and directory in visible:
        above = {path.parts for path in (directory, *directory.parents)}
        above |= {path.parts for path in Path(os.path.realpath(directory)).parents}
        shown |= _all_without((directory,), concealed - above)
    found: dict[Path, tuple[str, ...]] = {}
    last: tuple[str, ...] = ("",)
    for path in sorted(shown, key=lambda path: path.parts):  # right after a folder what is in it
        if path.parts[: len(last)] != last:
            found[path] = shown[path]
            last = path.parts
    return found


def _all_without(
    visible: Iterable[Path], hidden: frozenset[tuple[str, ...]]
) -> dict[Path, tuple[str, ...]]:
    shown: dict[Path, tuple[str, ...]] = {}
    for path in visible:
        for place in _hops(path):
            if not is_of_the_system(place):  # where it is shown already, links among it
                shown.update(_without(place, hidden))
    return shown


_tools_without = lru_cache(maxsize=256)(_all_without)


def shown_in_words(paths: Iterable[Path]) -> str:
    """Return files and folders as text, with those of one folder together.

    >>> shown_in_words(map(Path, ("/usr/bin", "/opt/go/bin", "/opt/go/src")))
    '/opt/go/{bin,src}, /usr/bin'
    """
    together: dict[tuple[Path, bool], list[str]] = {}
    for path in sorted(paths):
        together.setdefault((path.parent, path.is_file()), []).append(path.name)
    texts = []
    for (above, are_files), names in together.items():
        if len(names) == 1:
            texts.append(str(above / names[0]))
        elif are_files:
            texts.append(f"{len(names)} files of {above}")
        else:
            texts.append(f"{above}/{{{','.join(names)}}}")
    return ", ".join(texts)


def _without(
    path: Path, hidden: frozenset[tuple[str, ...]]
) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Yield how a path is shown, or what it contains apart from what is ``hidden``, as parts.

    A link in it stays a link: bubblewrap would show what it leads to, which may be anything.
    """
    parts = path.parts
    if any(parts[: len(other)] == other for other in hidden):
        return
    if os.path.islink(path) and os.path.isfile(path):
        yield path, ("--symlink", os.path.realpath(path))  # beside which a library is looked for
        return
    if not any(other[: len(parts)] == parts for other in hidden):
        yield path, ("--ro-bind-try", str(path))
        return
    with os.scandir(path) as entries:
        for entry in entries:
            if not entry.is_symlink():
                yield from _without(Path(entry.path), hidden)
            elif Path(entry.path).parts not in hidden:
                yield Path(entry.path), ("--symlink", os.readlink(entry.path))
