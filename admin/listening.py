"""Where players connect: listening sockets, or a sentence that says why there are none."""

import os
import socket


class CannotListen(Exception):
    """The address cannot be listened on; the text is for people."""


def listen(host: str, port: int) -> list[socket.socket]:
    """Listen on every address of ``host``; port 0 takes a free one, the same for all of them.

    ``CannotListen`` when there is no such host or the port is taken.
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
        raise CannotListen(
            f"Cannot listen on {host} port {port}: {_why(error)}. "
            "Give another --host or --port (0 takes a free one)."
        ) from error
    return listeners


def _why(error: OSError) -> str:
    if isinstance(error, socket.gaierror) or error.errno is None:
        return error.strerror or str(error)
    return os.strerror(error.errno)
