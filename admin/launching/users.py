"""Become a user that belongs to nobody else (Linux, as root).

Only standard library: the supervisor, which imports this, has to start quickly.
"""

import ctypes
import fcntl
import os

from .keyrings import forget_user_keys

CLONE_NEWIPC = 0x08000000
PR_SET_NO_NEW_PRIVS = 38
CLAIMS = "/run/acquire-users"
"""Where processes say which users they have given to programs: others would take the same."""


def claim(uid: int) -> int | None:
    """Return a descriptor that keeps a user from being claimed again until its last copy is closed.

    ``None`` if it is claimed already, also by another process, for several workers or tournaments
    may be on this machine; ``OSError`` if nobody can tell.
    """
    os.makedirs(CLAIMS, mode=0o700, exist_ok=True)
    lock = os.open(f"{CLAIMS}/{uid}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    return lock


def become_user(uid: int) -> None:
    """Turn this process into one of a user's; ``OSError``.

    Where that is possible, its memory segments and message queues are its own, and end with it.
    """
    libc = ctypes.CDLL(None)
    libc.unshare(CLONE_NEWIPC)
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    forget_user_keys()
