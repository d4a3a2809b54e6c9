"""A control group of the kernel for each program, where this process may make one (Linux).

It counts what no list of processes shows: memory that the kernel keeps for a program, and processes
that end before anyone looks at them. The groups lie beside or below the group of this process:

    version 2    one folder for everything; a group with processes cannot have others below it, so
                 this process first moves into one of its own
    version 1    one folder for each controller

Only standard library: the supervisor, which imports this, has to start quickly.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import NamedTuple

from .processes import descendants

OWN_GROUP = "acquire-referee"
PREFIX = "acquire-program-"
CONTROLLERS = ("memory", "pids", "cpu", "cpuacct")
"""What is needed; in version 2, ``cpu`` counts as well."""
OVERHEAD = 16 * 2**20  # bytes that a group may have beyond its limit and folders in memory


class File(NamedTuple):
    """A file of a control group in both versions, and the controller in version 1."""

    controller: str
    version1: str
    version2: str


PROCESSES = "cgroup.procs"
MEMORY_LIMIT = File("memory", "memory.limit_in_bytes", "memory.max")
MEMORY_PEAK = File("memory", "memory.max_usage_in_bytes", "memory.peak")
OOM_KILLS = File("memory", "memory.oom_control", "memory.events")  # has a line `oom_kill N`
TASKS_LIMIT = File("pids", "pids.max", "pids.max")
WEIGHT = File("cpu", "cpu.shares", "cpu.weight")
LOWEST_WEIGHT, USUAL_WEIGHT = {1: "2", 2: "1"}, {1: "1024", 2: "100"}
USED = File("cpuacct", "cpuacct.usage", "cpu.stat")
"""Nanoseconds; in version 2 a line ``usage_usec N``."""
OTHER_LIMITS = {
    1: (
        ("memory.memsw.limit_in_bytes", "{memory}"),
        ("memory.kmem.tcp.limit_in_bytes", "{memory}"),
    ),
    2: (("memory.swap.max", "0"), ("memory.oom.group", "1")),
}
"""Limits of the controller of memory that only one version has, or only some machines."""


class GroupPlace(NamedTuple):
    """Where this process can make groups: the version, and a folder for each controller."""

    version: int
    folders: dict[str, str]


@cache
def groups_here() -> GroupPlace | None:
    """Return where groups can be made, after trying; ``None`` if this process can make none.

    In version 2 this process moves into a group of its own, unless it is in one.
    """
    if sys.platform != "linux":
        return None
    place = _place_in_version2() or _place_in_version1()
    for folder in {*place.folders.values()} if place else ():
        for name in os.listdir(folder):  # left by processes that were killed: it names them
            owner = name.removeprefix(PREFIX).partition("-")[0]
            if name.startswith(PREFIX) and not os.path.exists(f"/proc/{owner}"):
                with suppress(OSError):
                    os.rmdir(f"{folder}/{name}")
    return place


def _place_in_version2() -> GroupPlace | None:
    for mount, root in _mounts("cgroup2", ""):
        folder = _below(mount, root, _own_group(""))
        if os.path.basename(folder) == OWN_GROUP:
            folder = os.path.dirname(folder)
        needed = {"memory", "pids", "cpu"}
        if not needed <= {*_read(f"{folder}/cgroup.controllers").split()}:
            continue
        with suppress(OSError):
            if not needed <= {*_read(f"{folder}/cgroup.subtree_control").split()}:
                _move_into_own_group(folder)
                _write(f"{folder}/cgroup.subtree_control", " ".join(f"+{name}" for name in needed))
            _try_to_make(folder)
            return GroupPlace(2, dict.fromkeys(CONTROLLERS, folder))
    return None


def _move_into_own_group(folder: str) -> None:
    """Make room in this process's group; ``OSError``, also if others are in it."""
    here = {int(word) for word in _read(f"{folder}/{PROCESSES}").split()}
    if not here <= {os.getpid(), *descendants(os.getpid())}:
        raise PermissionError(f"{folder} has other processes")
    own = f"{folder}/{OWN_GROUP}"
    os.makedirs(own, exist_ok=True)
    for process in here:
        _write(f"{own}/{PROCESSES}", str(process))


def _place_in_version1() -> GroupPlace | None:
    folders: dict[str, str] = {}
    for name in CONTROLLERS:
        for mount, root in _mounts("cgroup", name):
            folder = _below(mount, root, _own_group(name))
            with suppress(OSError):
                _try_to_make(folder)
                folders[name] = folder
    return GroupPlace(1, folders) if len(folders) == len(CONTROLLERS) else None


def _mounts(kind: str, controller: str) -> Iterator[tuple[str, str]]:
    """Yield where hierarchies are mounted, and which of their groups is there."""
    for line in _read("/proc/self/mountinfo").splitlines():
        before, _, after = line.partition(" - ")
        fields, (found, _, options) = before.split(), after.split()
        if found == kind and (not controller or controller in options.split(",")):
            yield fields[4], fields[3]


def _own_group(controller: str) -> str:
    """Return the group of this process in the hierarchy of a controller of version 1, or in 2."""
    for line in _read("/proc/self/cgroup").splitlines():
        _, names, group = line.split(":", 2)
        if controller in names.split(","):
            return group
    return "/"


def _below(mount: str, root: str, group: str) -> str:
    """Return the folder of a group in a hierarchy, of which ``root`` is mounted."""
    inside = os.path.relpath(group, root) if root != "/" else group.lstrip("/")
    return os.path.normpath(os.path.join(mount, inside))


def _try_to_make(folder: str) -> None:
    tried = f"{folder}/{PREFIX}{os.getpid()}-try"
    os.mkdir(tried)
    os.rmdir(tried)


class ControlGroup:
    """The group of one program. ``OSError`` where it cannot be made or joined."""

    def __init__(
        self, version: int, folders: Mapping[str, str], name: str, memory: int, tasks: int
    ) -> None:
        """Make it, with limits: bytes, and processes and threads together."""
        self._version, self._limit = version, memory
        self._folders = {key: f"{folder}/{PREFIX}{name}" for key, folder in folders.items()}
        try:
            for folder in {*self._folders.values()}:
                os.mkdir(folder)
            _write(self._path(MEMORY_LIMIT), str(memory))
            _write(self._path(TASKS_LIMIT), str(tasks))
        except OSError:
            self.remove()
            raise
        for file, value in OTHER_LIMITS[version]:
            with suppress(OSError):
                _write(f"{self._folders['memory']}/{file}", value.format(memory=memory))

    def join(self) -> None:
        """Put this process into it, and with it all that it starts."""
        for folder in {*self._folders.values()}:
            _write(f"{folder}/{PROCESSES}", "0")

    def remove(self) -> None:
        """Remove it; its processes have ended."""
        for folder in {*self._folders.values()}:
            with suppress(OSError):
                os.rmdir(folder)

    def share(self, weights: Mapping[int, str]) -> None:
        """Give it a share of the processors: a weight for each version."""
        with suppress(OSError):
            _write(self._path(WEIGHT), weights[self._version])

    @property
    def processor(self) -> float:
        """CPU seconds so far of all processes that were ever in it."""
        if self._version == 1:
            return int(_read(self._path(USED)) or 0) / 1e9
        return number_of("usage_usec", self._path(USED)) / 1e6

    @property
    def was_killed(self) -> bool:
        """Whether the system has killed a process of it for lack of memory."""
        return number_of("oom_kill", self._path(OOM_KILLS)) > 0

    @property
    def reached_limit(self) -> bool:
        """Whether it has ever had as much memory as it may have."""
        peak = int(_read(self._path(MEMORY_PEAK)) or self._limit)
        return peak >= self._limit - OVERHEAD

    def _path(self, file: File) -> str:
        name = file.version1 if self._version == 1 else file.version2
        return f"{self._folders[file.controller]}/{name}"


def number_of(name: str, path: str) -> int:
    """Return the number after a name in a file with a line for each; 0 if there is none."""
    for line in _read(path).splitlines():
        found, _, value = line.partition(" ")
        if found == name:
            return int(value)
    return 0


def _read(path: str) -> str:
    """Return the content of a file, nothing if it cannot be read."""
    with suppress(OSError), open(path, encoding="utf-8", errors="surrogateescape") as file:
        return file.read()
    return ""


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
