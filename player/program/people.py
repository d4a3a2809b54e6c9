"""The process in which people who joined by a page play: started by the referee, as an entry point.

The page is an entry point of the group ``acquire.seats``, because players know nothing of it.
"""

import os
import socket
import sys
from typing import Any

from ...protocol.plugins import SEATS, plugins
from .client import Client, GameEnd, connect
from .play_run import find_rulebook

CONNECT_TIMEOUT = 5.0
WORD = "ACQUIRE_PEOPLE"
"""The variable with the word by which the referee recognizes people."""


def main() -> None:
    """Serve people on inherited sockets: the arguments name what it needs."""
    host, port, named, clock, sockets, lobby, *names = sys.argv[1:]
    rulebook = find_rulebook(named)

    def play(connection: socket.socket, name: str, make: Any) -> GameEnd:
        return Client(connection).play(name, make, rulebook=rulebook)

    plugins(SEATS)["door"].load()(
        [socket.socket(fileno=int(number)) for number in sockets.split(",")],
        lambda: connect(host, int(port), CONNECT_TIMEOUT),
        play,
        os.environ.get(WORD, ""),
        clock,
        names,
        int(lobby),
    )
