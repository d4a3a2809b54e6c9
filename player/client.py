"""A player process: connects, signs up, answers until the match is over.

Plain blocking sockets: one connection, strictly in turn, needs no more.
"""

import socket
import time
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from game.rulebook import Rulebook
from player.misdeeds import Misdeed
from protocol import messages
from protocol.conversation import Conversation
from protocol.faults import Fault, Reason
from protocol.framing import LIMIT_FROM_ADMINISTRATOR
from protocol.inbox import Inbox, Memory
from protocol.messages import TAGS, AdministratorMessage, PlayerMessage
from protocol.reading import read_administrators_side
from protocol.writing import Writer

CHUNK = 65536
LONGEST_TRY = 10.0
"""Seconds that one attempt to connect may take, where nobody answers at all."""
RETRY = 0.1
"""Seconds between two attempts to connect."""

Choose: TypeAlias = Callable[[AdministratorMessage], PlayerMessage | Misdeed]
"""A strategy, or one of the misbehaving cast."""


class Played(NamedTuple):
    """How a match went for this player: the last message, or the fault of the connection."""

    name: str
    last: messages.Score | messages.Ejected | Fault


def connect(host: str, port: int, patience: float) -> socket.socket:
    """Connect, and try again for ``patience`` seconds; then ``OSError`` as the last try had it."""
    give_up = time.monotonic() + patience
    while True:
        try:
            connection = socket.create_connection((host, port), timeout=max(patience, LONGEST_TRY))
            connection.settimeout(None)
        except OSError:
            if time.monotonic() + RETRY > give_up:
                raise
            time.sleep(RETRY)
        else:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return connection


class Client:
    """One player's end of one connection."""

    def __init__(self, connection: socket.socket, rulebook: Rulebook) -> None:
        self._socket = connection
        self._writer = Writer(rulebook)
        self._conversation = Conversation.of_player()
        self._inbox: Inbox[AdministratorMessage] = Inbox(
            Memory(read_administrators_side(rulebook)),
            self._conversation,
            LIMIT_FROM_ADMINISTRATOR,
            one_at_a_time=False,
        )

    def play(self, name: str, choose: Choose, sign_up: Misdeed | None = None) -> Played:
        """Sign up as ``name`` and play until the match, or the connection, is over.

        ``sign_up`` is what a misbehaving player does instead of signing up.
        """
        with self._socket:
            try:
                self._conversation.say("signup")
                if sign_up is None:
                    self._socket.sendall(self._writer.write(messages.SignUp(name)))
                else:
                    sign_up.do(self._socket)
                return self._converse(name, choose)
            except OSError as error:
                return Played(name, _broken(error))

    def _converse(self, name: str, choose: Choose) -> Played:
        while True:
            message = self._receive()
            match message:
                case Fault() | messages.Ejected():
                    return Played(name, message)
                case messages.SignUp(given):
                    name = given
                    choose(message)
                    continue
            answer = choose(message)
            if isinstance(answer, Misdeed):
                answer.do(self._socket)
                return Played(name, self._aftermath())
            self._conversation.say(TAGS[type(answer)])
            self._socket.sendall(self._writer.write(answer))
            if isinstance(message, messages.Score):
                return Played(name, message)

    def _receive(self) -> AdministratorMessage | Fault:
        message = self._inbox.receive(b"")
        while message is None:
            data = self._socket.recv(CHUNK)
            if not data:
                return Fault(Reason.DISCONNECTED, "The administrator closed the connection.")
            message = self._inbox.receive(data)
        return message

    def _aftermath(self) -> messages.Ejected | Fault:
        """Read on after a misdeed, until the administrator says why or is gone."""
        while True:
            message = self._receive()
            if isinstance(message, Fault | messages.Ejected):
                return message


def _broken(error: OSError) -> Fault:
    return Fault(Reason.DISCONNECTED, f"{error.strerror or error}.")
