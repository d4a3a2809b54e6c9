"""Who is at the other end of a connection on this machine, read from ``/proc`` (Linux).

Without bubblewrap each program has a socket of its own to connect to, and the other end of a
connection must belong to its user or its processes.
"""

import os
import socket
import struct
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

ESTABLISHED = "01"


class Peer(NamedTuple):
    """The other end: the user it belongs to, and the number of its socket."""

    uid: int
    inode: int


def peer_of(connection: socket.socket) -> Peer | None:
    """Return the other end of a TCP connection on this machine; ``None`` if it is gone.

    The connection is one over IPv4; the other end may have made it with a socket for IPv6, as Java
    does.
    """
    try:
        ends = connection.getpeername(), connection.getsockname()
    except OSError:
        return None
    for table, mapped in (("/proc/net/tcp", ""), ("/proc/net/tcp6", MAPPED)):
        # four bytes in this machine's order, and the port, as the kernel writes them
        theirs, ours = (f"{mapped}{_word(socket.inet_aton(at[0]))}:{at[1]:04X}" for at in ends)
        with suppress(OSError), open(table) as lines:
            for line in lines:
                fields = line.split()
                if fields[1:4] == [theirs, ours, ESTABLISHED]:
                    return Peer(int(fields[7]), int(fields[9]))
    return None


def _word(four: bytes) -> str:
    (number,) = struct.unpack("=I", four)
    return f"{number:08X}"


MAPPED = f"{0:016X}{_word(bytes((0, 0, 255, 255)))}"
"""What comes before an IPv4 address where it is written as one of IPv6."""


def holder(inode: int, processes: Iterable[int]) -> int | None:
    """Return a process that has a socket open, among some; ``None`` if there is none."""
    wanted = f"socket:[{inode}]"
    for process in processes:
        with suppress(OSError):  # it is gone, or may not be looked at
            folder = f"/proc/{process}/fd"
            for descriptor in os.listdir(folder):
                with suppress(OSError):
                    if os.readlink(f"{folder}/{descriptor}") == wanted:
                        return process
    return None


def can_be_known() -> bool:
    """Whether this system tells who is at the other end."""
    return sys.platform == "linux"
