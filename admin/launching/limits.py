"""What a started program may use; who sets the limits and what enforces them is not known here.

What a program's processes use together is counted by a control group where this process may make
one (``control_groups``), which ordinary users seldom may, and otherwise added up ten times a second
(``usage``): their number, because the kernel's limit counts all processes of a user; their memory,
with what they share counted once; their CPU time, also that of processes that have ended. A group
may have more memory than its program, because files in memory count there too; the sum is the
limit, and the group is the wall behind it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ...protocol.settings_file import Reader, Wrong, list_of, one_of, read_settings, text, whole

UNITS = {"": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
LARGEST = 2**62 - 1


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one program and everything it starts, together, and of its sandbox.

    Sizes are in bytes, ``processor`` is in seconds. ``read_only`` are files and folders that all
    programs may read in a sandbox, such as toolchains that are not in PATH; ``scratch`` is the size
    of a program's temporary folder there.
    """

    memory: int = 2**30
    processor: int = 600
    processes: int = 64
    file_size: int = 16 * 2**20
    sandbox: str = "auto"
    read_only: tuple[str, ...] = ()
    scratch: int = 64 * 2**20


def _size(value: object) -> int:
    """Read a size such as ``512 MiB``, in bytes."""
    if isinstance(value, str):
        found = re.fullmatch(r"\s*(\d+)\s*(KiB|MiB|GiB|)\s*", value)
        if found is None:
            raise Wrong(
                f"{value!r} is not a size. Write a number and KiB, MiB or GiB, such as '512 MiB'."
            )
        value = int(found[1]) * UNITS[found[2]]
    size: int = _AMOUNT(value)
    return size


def _path(value: object) -> str:
    path = text(value)
    if not path:
        raise Wrong("is empty. Write the path of a file or a folder.")
    return path


_AMOUNT = whole(1, LARGEST)

SETTINGS: dict[str, Reader] = {
    "memory": _size,
    "processor": _AMOUNT,
    "processes": _AMOUNT,
    "file_size": _size,
    "sandbox": one_of("auto", "bwrap", "uid", "none"),
    "read_only": list_of(_path),
    "scratch": _size,
}


def limits_from(settings: Mapping[str, object]) -> Limits:
    """Read limits as a file or an option has them; ``InvalidSettings`` if they make none.

    >>> limits_from({"memory": "2 KiB"}).memory
    2048
    """
    return Limits(**read_settings(settings, SETTINGS, "setting here"))
