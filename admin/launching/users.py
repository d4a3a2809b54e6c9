"""Become a user that belongs to nobody else (Linux, as root).

Only standard library: the supervisor, which imports this, has to start quickly.
"""

import ctypes
import os
import resource

from admin.launching.keyrings import forget_user_keys

CLONE_NEWIPC = 0x08000000
PR_SET_NO_NEW_PRIVS = 38


def become_user(uid: int, threads: int) -> None:
    """Turn this process into one of a user's, which may have so many threads; ``OSError``.

    Where that is possible, its memory segments and message queues are its own, and end with it.
    """
    libc = ctypes.CDLL(None)
    libc.unshare(CLONE_NEWIPC)
    resource.setrlimit(resource.RLIMIT_NPROC, (threads, threads))
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    forget_user_keys()
