"""Where the connection of the player under test comes from."""

import socket
from contextlib import AbstractAsyncContextManager
from typing import NamedTuple, Protocol

from admin.launching.launch import ProcessExit


class ExitReport(NamedTuple):
    """How a launched player ended: its exit, the same as a sentence, the end of its output."""

    exit: ProcessExit
    sentence: str
    output: bytes

    @property
    def explains_disconnect(self) -> bool:
        """Whether this may be why its connection was lost."""
        return self.exit.failed or (self.exit.left > 0 and self.exit.stopped is None)


class PlayerNotConnected(Exception):
    """The player did not connect; user-facing message.

    ``exit_report`` is there if the player was launched and has ended.
    """

    def __init__(self, why: str, exit_report: ExitReport | None = None) -> None:
        super().__init__(why)
        self.exit_report = exit_report


class PlayerConnection:
    """A player that has connected; ``exit_report`` is known once the trial is over."""

    def __init__(self, connection: socket.socket, peer: str) -> None:
        self.socket = connection
        self.peer = peer
        self.exit_report: ExitReport | None = None


class PlayerSource(Protocol):
    """Supplies a connected player for each trial."""

    def connect(self, name: str) -> AbstractAsyncContextManager[PlayerConnection]:
        """Wait for a player that will sign up as ``name``.

        Raises ``PlayerNotConnected``. ``exit_report`` is known when the context is left.
        """
        ...
