"""Listen inside a sandbox: a socket that belongs to the sandbox's own network.

bubblewrap starts the program in a network of its own and waits; a child of the supervisor enters
that network, listens there, and passes the listening socket out over a socket pair. So the port is
always the same, whoever connects is that program, and no secret has to be handed to it. The
supervisor stays outside, where the program cannot see it.

Only standard library: the supervisor, which imports this, has to start quickly.
"""

import ctypes
import fcntl
import os
import resource
import socket
from contextlib import suppress

CLONE_NEWUSER, CLONE_NEWNET, CLONE_NEWIPC = 0x10000000, 0x40000000, 0x08000000
KERNEL_SETTINGS = {
    "kernel/shmmni": "0",
    "kernel/msgmni": "0",
    "kernel/sem": "0 0 0 0",
    "fs/mqueue/queues_max": "0",
    "net/ipv4/tcp_rmem": "4096 131072 262144",
    "net/ipv4/tcp_wmem": "4096 16384 262144",
}
"""What a sandbox's own IPC and network are limited to, where the kernel has that for each."""
NS_GET_USERNS = 0xB701
"""The request for the user namespace that owns another namespace; see ioctl_ns(2)."""


def listen_inside(process: int, host: str, port: int, channel: socket.socket) -> str:
    """Send over ``channel`` a socket that listens in the network of a sandboxed process.

    A child does it, because whoever has entered a namespace cannot leave it again. The child also
    forbids memory segments that would outlive every process (System V), and limits what the kernel
    keeps for the connections of the sandbox. Returns why it failed, or nothing.
    """
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(read_end)
            _enter(process)
            for name, value in KERNEL_SETTINGS.items():
                with suppress(OSError), open(f"/proc/sys/{name}", "w") as file:
                    file.write(value)
            with socket.create_server((host, port)) as listener:
                socket.send_fds(channel, [b"L"], [listener.fileno()])
        except OSError as error:
            os.write(write_end, f"no listener in the sandbox: {error.strerror}".encode())
        finally:
            os._exit(0)
    os.close(write_end)
    with open(read_end, "rb") as pipe:
        failure = pipe.read().decode(errors="replace")
    with suppress(ChildProcessError):
        os.waitpid(child, 0)
    return failure


def limit_threads(process: int, threads: int) -> None:
    """Limit the threads in the sandbox of a process; has no effect on a program of root's."""
    with suppress(OSError, ValueError):  # it has ended; or the limit of this user is lower
        resource.prlimit(process, resource.RLIMIT_NPROC, (threads, threads))


def _enter(process: int) -> None:
    """Enter the network and IPC namespaces of a process; ``OSError``."""
    network = os.open(f"/proc/{process}/ns/net", os.O_RDONLY)
    ipc = os.open(f"/proc/{process}/ns/ipc", os.O_RDONLY)
    owner = fcntl.ioctl(network, NS_GET_USERNS)
    own = os.stat("/proc/self/ns/user")
    if os.fstat(owner).st_ino != own.st_ino:
        _set_namespace(owner, CLONE_NEWUSER)
    _set_namespace(network, CLONE_NEWNET)
    _set_namespace(ipc, CLONE_NEWIPC)


def _set_namespace(descriptor: int, kind: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.setns(descriptor, kind):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
