"""Take TLS off a connection, so that the rest of the program sees plain sockets."""

import socket
import ssl
from contextlib import suppress

import trio

CLOSE_TIMEOUT = 1.0
"""Seconds that a peer has to confirm the end of TLS."""


class TlsFailed(Exception):
    """A peer did not complete the TLS handshake; the text is user-facing."""


async def unwrap(
    connection: socket.socket, tls: ssl.SSLContext, timeout: float, relays: trio.Nursery
) -> socket.socket:
    """Return a plain socket for what is inside a TLS connection.

    A task in ``relays`` passes the bytes on in both directions. ``timeout`` is the time for the
    handshake in seconds; ``TlsFailed`` if it fails, and then the connection is closed.
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
        raise TlsFailed(failure)
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
