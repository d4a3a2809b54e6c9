"""Where players connect: listening sockets, or a sentence that says why there are none."""

import errno
import os
import resource
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress

import trio

ACCEPT_AGAIN = 0.1
"""Seconds to wait when the process has no descriptor left for another connection."""


class CannotListen(Exception):
    """The address cannot be listened on; the text is for people."""


def listen(
    host: str, port: int, mend: str = "Give another --host or --port (0 takes a free one)."
) -> list[socket.socket]:
    """Listen on every address of ``host``; port 0 takes a free one, the same for all of them.

    ``CannotListen`` when there is no such host or the port is taken; ``mend`` says what to do.
    """
    listeners: list[socket.socket] = []
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, address in dict.fromkeys((family, address) for family, *_, address in found):
            if listeners and not port:
                port = listeners[0].getsockname()[1]
            place = (str(address[0]), port)
            listeners.append(socket.create_server(place, family=family, backlog=128))
            listeners[-1].setblocking(False)
    except OSError as error:
        for listener in listeners:
            listener.close()
        raise CannotListen(f"Cannot listen on {host} port {port}: {_why(error)}. {mend}") from error
    return listeners


def _why(error: OSError) -> str:
    if isinstance(error, socket.gaierror) or error.errno is None:
        return error.strerror or str(error)
    return os.strerror(error.errno)


async def accept(listener: socket.socket, arrive: Callable[[socket.socket, str], None]) -> None:
    """Hand over every connection, without delay and not blocking, until the listener is closed.

    ``arrive`` is called with the connection and the peer's address in words.
    """
    while listener.fileno() >= 0:  # it may be closed while this task is about to run
        try:
            await trio.lowlevel.wait_readable(listener)
            connection, peer = listener.accept()
        except trio.ClosedResourceError:
            return
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM):
                await trio.sleep(ACCEPT_AGAIN)
            continue
        connection.setblocking(False)
        with suppress(OSError):  # a peer that is gone already; reading will tell
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        arrive(connection, address(peer))


def close(listeners: list[socket.socket]) -> None:
    """Listen no more."""
    while listeners:
        listener = listeners.pop()
        trio.lowlevel.notify_closing(listener)
        listener.close()


def raise_descriptor_limit() -> None:
    """Let this process have as many connections as it may."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def drop_who_does_not_read(listeners: list[socket.socket], seconds: float) -> None:
    """Let the system drop connections that take nothing for so long, where it can."""
    option = getattr(socket, "TCP_USER_TIMEOUT", None)
    if option is not None:
        for listener in listeners:
            listener.setsockopt(socket.IPPROTO_TCP, option, round(seconds * 1000))


def address(name: tuple[object, ...]) -> str:
    """Write a socket's address."""
    host, port = name[:2]
    return f"[{host}]:{port}" if ":" in str(host) else f"{host}:{port}"


def tls_context(certificate: str, key: str) -> ssl.SSLContext:
    """Return what is needed to listen by TLS; ``CannotListen`` where the files are of no use."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key, password="")
    except (OSError, ValueError) as error:
        raise CannotListen(
            f"TLS cannot be offered with {certificate} and {key}: {error}. Give a certificate and "
            "its own key, without a password, as PEM files."
        ) from error
    return context
