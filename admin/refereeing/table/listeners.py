"""Listening sockets for players and spectators, and TLS on their connections."""

import errno
import os
import socket
import ssl
import sys
from collections.abc import Callable
from contextlib import suppress

import trio

from ....protocol.user_error import UserError

ACCEPT_RETRY = 0.1  # seconds to wait when no file descriptor is left for a connection
BACKLOG = 4096
"""Connections that the system keeps until they are accepted. Of any more it drops the first packet,
and a player would connect a second later, at best.
"""
ACCEPTED_AT_ONCE = 16
CLOSE_TIMEOUT = 1.0  # seconds that a peer has to confirm the end of TLS
PROBES = 4  # unanswered questions to a peer's system before its connection is dropped


class CannotListen(UserError):
    """The address cannot be listened on; the text is a user-facing message."""


def listen(
    host: str, port: int, hint: str = "Give another --host or --port (0 takes a free one)."
) -> list[socket.socket]:
    """Listen on every address of ``host``; with port 0 on one free port for all of them.

    Raises ``CannotListen`` if there is no such host or the port is taken; its message ends with
    ``hint``.
    """
    listeners: list[socket.socket] = []
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, address in dict.fromkeys((family, address) for family, *_, address in found):
            if listeners and not port:
                port = listeners[0].getsockname()[1]
            place = (str(address[0]), port)
            listeners.append(socket.create_server(place, family=family, backlog=BACKLOG))
            listeners[-1].setblocking(False)
    except OSError as error:
        for listener in listeners:
            listener.close()
        why = error.strerror or str(error)
        if error.errno is not None and not isinstance(error, socket.gaierror):
            why = os.strerror(error.errno)
        raise CannotListen(f"Cannot listen on {host} port {port}: {why}. {hint}") from error
    return listeners


async def accept(
    listener: socket.socket, on_connection: Callable[[socket.socket, str], None]
) -> None:
    """Accept connections until the listener is closed.

    ``on_connection`` is called with each (non-blocking, TCP_NODELAY) and its peer's address.
    """
    while listener.fileno() >= 0:  # it may be closed while this task is about to run
        try:
            await trio.lowlevel.wait_readable(listener)
            for _ in range(ACCEPTED_AT_ONCE):
                connection, peer = listener.accept()
                connection.setblocking(False)
                with suppress(OSError):  # the peer may be gone already; reading will show it
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                on_connection(connection, format_address(peer))
        except trio.ClosedResourceError:
            return
        except OSError as error:  # mostly BlockingIOError: there is none left
            if error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM):
                await trio.sleep(ACCEPT_RETRY)


def is_gone(connection: socket.socket) -> bool:
    """Whether the other end has closed a new connection already, without a word."""
    try:
        return not connection.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return False
    except OSError:
        return True


def close(listeners: list[socket.socket]) -> None:
    """Close the listeners and empty the list."""
    while listeners:
        listener = listeners.pop()
        trio.lowlevel.notify_closing(listener)
        listener.close()


def raise_descriptor_limit() -> None:
    """Let this process open as many connections as the system allows it."""
    if sys.platform == "win32":
        return  # it has no such limit
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def drop_dead_connections(listeners: list[socket.socket], seconds: float) -> None:
    """Have the system drop connections, where it can, whose peer takes no data for so long.

    Nor is one kept whose peer's system is silent: it is asked when nothing was sent for a while. A
    player that thinks is not silent: its system answers. Connections that are accepted have the
    options of their listener.
    """
    first = round(seconds / 2)
    options = {
        "TCP_KEEPIDLE": first,
        "TCP_KEEPALIVE": first,  # its name on macOS
        "TCP_KEEPINTVL": max(1, first // PROBES),
        "TCP_KEEPCNT": PROBES,
        "TCP_USER_TIMEOUT": round(seconds * 1000),
    }
    for listener in listeners:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in options.items():
            if (option := getattr(socket, name, None)) is not None:
                listener.setsockopt(socket.IPPROTO_TCP, option, value)


def format_address(name: tuple[object, ...]) -> str:
    """Format a socket's address as ``host:port``."""
    host, port = name[:2]
    return f"[{host}]:{port}" if ":" in str(host) else f"{host}:{port}"


def tls_context(certificate: str, key: str) -> ssl.SSLContext:
    """Return a TLS context for listening; ``CannotListen`` if the files cannot be used."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key, password="")
    except (OSError, ValueError) as error:
        raise CannotListen(
            f"TLS cannot use {certificate} and {key}: {error}. Give a certificate and its key, "
            "without a password, as PEM files."
        ) from error
    return context


async def without_tls(
    connection: socket.socket, tls: ssl.SSLContext, timeout: float, relays: trio.Nursery
) -> socket.socket:
    """Return a plain socket for what is inside a TLS connection.

    A task in ``relays`` passes the bytes on in both directions. ``timeout`` is the time for the
    handshake in seconds; ``UserError`` if it fails, and then the connection is closed.
    """
    stream = trio.SSLStream(
        trio.SocketStream(trio.socket.from_stdlib_socket(connection)), tls, server_side=True
    )
    failure = "No TLS handshake came in time."
    try:
        with trio.move_on_after(timeout):
            await stream.do_handshake()
            failure = ""
    except trio.BrokenResourceError as error:
        failure = f"The TLS handshake failed: {error.__cause__ or error}."
    finally:
        if failure:
            await trio.aclose_forcefully(stream)
    if failure:
        raise UserError(failure)
    inside, outside = socket.socketpair()
    for end in (inside, outside):
        end.setblocking(False)
    plain = trio.SocketStream(trio.socket.from_stdlib_socket(outside))
    relays.start_soon(_relay_both, plain, stream)
    return inside


async def _relay_both(plain: trio.SocketStream, stream: trio.SSLStream[trio.SocketStream]) -> None:
    """Pass bytes on in both directions until this side has finished and the peer has ended."""
    async with plain, stream:
        async with trio.open_nursery() as relays:
            relays.start_soon(_relay, stream, plain)
            await _relay(plain, stream)
            relays.cancel_scope.cancel()
        with trio.move_on_after(CLOSE_TIMEOUT), suppress(trio.BrokenResourceError):
            # sends the end of TLS, waits for the peer's, and returns the transport
            transport, _ = await stream.unwrap()
            await transport.aclose()


async def _relay(source: trio.abc.ReceiveStream, target: trio.abc.SendStream) -> None:
    """Pass bytes on until the source ends or breaks, or the target is closed."""
    with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        async for data in source:
            await target.send_all(data)
    with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        if isinstance(target, trio.SocketStream):
            await target.send_eof()
