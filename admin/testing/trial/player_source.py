"""Where the connection of the player under test comes from."""

import socket
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol, TypeAlias

from ...refereeing.table.lag import WorkSince
from .exit_report import ExitReport


class PlayerNotConnected(Exception):
    """The player did not connect; user-facing message.

    ``exit_report`` is there if the player was launched and has ended. ``was_computing`` is whether
    it was still starting when its time was over, so that it might be in time on an idle machine.
    """

    def __init__(
        self, why: str, exit_report: ExitReport | None = None, *, was_computing: bool = False
    ) -> None:
        super().__init__(why)
        self.exit_report = exit_report
        self.was_computing = was_computing


class PlayerConnection:
    """A player that has connected; ``exit_report`` is known once the trial is over.

    ``work`` tells what its program does, if it was launched.
    """

    def __init__(self, connection: socket.socket, peer: str, work: WorkSince | None = None) -> None:
        self.socket = connection
        self.peer = peer
        self.work = work
        self.exit_report: ExitReport | None = None


class PlayerSource(Protocol):
    """Supplies a connected player for each trial."""

    def connect(self, name: str) -> AbstractAsyncContextManager[PlayerConnection]:
        """Wait for a player that will sign up as ``name``.

        Raises ``PlayerNotConnected``. ``exit_report`` is known when the context is left.
        """
        ...


OpenSource: TypeAlias = Callable[[], AbstractAsyncContextManager[PlayerSource]]
"""Opens the player's source; when the context is left it is closed, and no process is left."""
