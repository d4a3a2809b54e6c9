"""Become a user that belongs to nobody else (as root), and leave no keys behind (Linux).

The keyrings of the kernel outlive programs, which could leave keys for each other there.

Only standard library: the supervisor, which imports this, has to start quickly.
"""

import ctypes
import fcntl
import os

CLONE_NEWIPC = 0x08000000
PR_SET_NO_NEW_PRIVS = 38
CLAIMS = "/run/acquire-users"
"""Where processes say which users they have given to programs: others would take the same."""

KEYCTL = {"x86_64": 250, "aarch64": 219, "riscv64": 219, "ppc64le": 271, "s390x": 280}
"""The number of the system call, which the C library does not have."""
JOIN_SESSION_KEYRING, CLEAR, GET_PERSISTENT = 1, 7, 22
SESSION_KEYRING, USER_KEYRING, USER_SESSION_KEYRING = -3, -4, -5


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


def forget_session_keys() -> None:
    """Give this process a session keyring of its own, instead of the inherited one."""
    _keyctl(JOIN_SESSION_KEYRING, 0)


def forget_user_keys() -> None:
    """Empty the keyrings of this process's user, which outlive all its processes."""
    persistent = _keyctl(GET_PERSISTENT, -1, SESSION_KEYRING)
    for keyring in (USER_KEYRING, USER_SESSION_KEYRING, persistent):
        _keyctl(CLEAR, keyring)


def _keyctl(*arguments: int) -> int:
    """Return a result of the system call, -1 where it fails or there are no keyrings."""
    number = KEYCTL.get(os.uname().machine)
    if number is None:
        return -1
    return int(ctypes.CDLL(None).syscall(*map(ctypes.c_long, (number, *arguments))))
