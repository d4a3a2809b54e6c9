"""The process that forks a supervisor for each program (Linux).

A supervisor takes 30 ms to start as a new process, and 1 ms as a fork of one that has imported it.
This process does nothing else: it has one thread, and no descriptor but its end of a channel, so
that nothing of it reaches a program, which is executed anew in any case.

A request is one byte with the descriptors of a supervisor: standard input and output, then those
that its task names, which get the numbers from :data:`FIRST_GIVEN` on. The answer is the process
id, or the negative number of an error. The supervisor is forked twice, so that it is an orphan, and
becomes a child of whoever adopts orphans: the process that asked. When that closes its end, or
dies, this process ends.

Only standard library, as the supervisor.
"""

import errno
import fcntl
import gc
import mmap
import os
import signal
import socket

from .processes import PR_SET_DUMPABLE, PR_SET_PDEATHSIG, ask_kernel
from .starting import IGNORED_SIGNALS
from .supervisor import main

FIRST_GIVEN = 3
"""The number of the first descriptor after the standard ones."""
MOST_GIVEN = 8
"""Descriptors of a request."""
APART = 64
"""Descriptors from here on are not those that a supervisor gets."""
NUMBER = 8
"""Bytes of a process id or an error, in memory that forks share."""


def serve(descriptor: int) -> None:
    """Fork supervisors as long as somebody asks on the channel that this descriptor is."""
    ask_kernel(PR_SET_DUMPABLE, 0)  # so that no program can open its descriptors
    ask_kernel(PR_SET_PDEATHSIG, signal.SIGKILL)  # it may be stopped, and not see its channel end
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # ignored, it would leave nobody to wait for
    for number in IGNORED_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    gc.freeze()  # what is imported is shared with all supervisors
    with socket.socket(fileno=descriptor) as channel, mmap.mmap(-1, NUMBER) as answer:
        while True:
            request, given, _, _ = socket.recv_fds(channel, 1, MOST_GIVEN)
            if not request:
                return
            answer[:] = _number(-errno.ECHILD)  # where the process between is killed
            _fork(channel, given, answer)
            for each in given:
                os.close(each)
            channel.send(b"%d" % int.from_bytes(answer, "little", signed=True))


def _fork(channel: socket.socket, given: list[int], answer: mmap.mmap) -> None:
    """Fork a supervisor that is an orphan; the answer is its process id, or a negative error."""
    try:
        between = os.fork()
    except OSError as error:
        answer[:] = _number(-(error.errno or 1))
        return
    if between == 0:
        try:
            process = os.fork()
            if process == 0:
                _supervise(channel, given)
            answer[:] = _number(process)
        except OSError as error:
            answer[:] = _number(-(error.errno or 1))
        finally:
            os._exit(0)
    os.waitpid(between, 0)


def _number(value: int) -> bytes:
    return value.to_bytes(NUMBER, "little", signed=True)


def _supervise(channel: socket.socket, given: list[int]) -> None:
    """Be a supervisor with these descriptors and no others."""
    code = 1
    try:
        os.setsid()
        apart = [fcntl.fcntl(each, fcntl.F_DUPFD, APART) for each in given]
        channel.close()
        os.closerange(FIRST_GIVEN, APART)
        for number, each in zip((0, 1, *range(FIRST_GIVEN, APART)), apart, strict=False):
            os.dup2(each, number)
        os.closerange(APART, apart[-1] + 1)
        main()
        code = 0
    finally:
        os._exit(code)
