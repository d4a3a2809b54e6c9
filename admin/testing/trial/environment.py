"""What all trials under one rulebook share."""

import socket

from ....game.rulebook import Rulebook
from ....protocol.dialect import Dialect
from ....protocol.inbox import DocumentCache
from ....protocol.messages import PlayerMessage
from ....protocol.reading import player_reader
from ....protocol.validated_writing import RefereeWriter
from ....protocol.writing import Writer
from ...refereeing.table.lag import Lag
from ...refereeing.table.seat import RemoteSeat


class TrialEnvironment:
    """What all trials under one rulebook share; the caller runs ``lag``."""

    def __init__(self, rulebook: Rulebook, lag: Lag) -> None:
        self.rulebook = rulebook
        self.dialect = Dialect.of(rulebook)
        self.writer = RefereeWriter(rulebook)
        self.player_writer = Writer(rulebook)
        self.cache: DocumentCache[PlayerMessage] = DocumentCache(player_reader(rulebook))
        self.lag = lag

    def seat(self, end: socket.socket, peer: str) -> RemoteSeat:
        """Return a seat for a connection."""
        return RemoteSeat(end, self.cache, peer, self.dialect)
