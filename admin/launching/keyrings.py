"""Keep programs from leaving keys for each other in the keyrings of the kernel (Linux).

Only standard library: the supervisor, which imports this, has to start quickly.
"""

import ctypes
import os

KEYCTL = {"x86_64": 250, "aarch64": 219, "riscv64": 219, "ppc64le": 271, "s390x": 280}
"""The number of the system call, which the C library does not have."""
JOIN_SESSION_KEYRING, CLEAR, GET_PERSISTENT = 1, 7, 22
SESSION_KEYRING, USER_KEYRING, USER_SESSION_KEYRING = -3, -4, -5


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
