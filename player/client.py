"""A player process: connects, signs up, answers until the match is over.

Plain blocking sockets: one connection, strictly in turn, needs no more.
"""

import socket
import ssl
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias

from game.rulebook import Rulebook
from game.rulebooks import REVISED, RULEBOOKS
from player.misdeeds import Misdeed
from protocol import messages
from protocol.conversation import Conversation
from protocol.dialect import Dialect
from protocol.faults import Fault, Reason
from protocol.framing import LIMIT_FROM_ADMINISTRATOR
from protocol.inbox import DocumentCache, Inbox
from protocol.messages import TAGS, AdministratorMessage, PlayerMessage
from protocol.reading import Reader, read_administrators_side, read_greeting
from protocol.writing import Writer

CHUNK = 65536
LONGEST_TRY = 10.0
"""Seconds that one attempt to connect may take, where nobody answers at all."""
RETRY = 0.1
"""Seconds between two attempts to connect."""

Choose: TypeAlias = Callable[[AdministratorMessage], PlayerMessage | Misdeed]
"""A strategy, or one of the misbehaving cast."""
Make: TypeAlias = Callable[[Rulebook], Choose]
"""A way to make one, once the rulebook is known."""


class Played(NamedTuple):
    """How a match went for this player: the last message, or the fault of the connection."""

    name: str
    last: messages.Score | messages.ScoreView | messages.Ejected | Fault


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


def secured(connection: socket.socket, host: str, authority: Path | None) -> ssl.SSLSocket:
    """Take up TLS on a connection; ``OSError`` when the peer cannot be trusted.

    ``authority`` is a file of the certificates to trust, by default the system's.
    """
    context = ssl.create_default_context(cafile=authority)
    return context.wrap_socket(connection, server_hostname=host)


class Client:
    """One player's end of one connection, under whichever rulebook is played there."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._use(Conversation.of_player(), read_greeting())

    def _use(self, conversation: Conversation, reader: Reader[AdministratorMessage]) -> None:
        self._conversation = conversation
        self._inbox: Inbox[AdministratorMessage] = Inbox(
            DocumentCache(reader), conversation, LIMIT_FROM_ADMINISTRATOR, one_at_a_time=False
        )

    def play(
        self,
        name: str,
        make: Make,
        sign_up: Misdeed | None = None,
        on_signed_up: Callable[[str], None] = lambda _: None,
    ) -> Played:
        """Sign up as ``name`` and play until the match, or the connection, is over.

        ``make`` makes the player when it is known which rulebook is played; ``sign_up`` is what a
        misbehaving player does instead of signing up. ``on_signed_up`` is called with the name
        that the administrator gave.
        """
        with self._socket:
            try:
                self._conversation.send("signup")
                if sign_up is None:
                    self._socket.sendall(Writer(REVISED).write(messages.SignUp(name)))
                else:
                    sign_up.do(self._socket)
                greeting = self._receive()
                if not isinstance(greeting, messages.SignUp):
                    return Played(name, _last(greeting))
                return self._seated(greeting, make, on_signed_up)
            except OSError as error:
                return Played(name, _broken(error))

    def _seated(
        self, greeting: messages.SignUp, make: Make, on_signed_up: Callable[[str], None]
    ) -> Played:
        """Take a seat under the rulebook that the greeting names."""
        named = greeting.rulebook or REVISED.id
        if (rulebook := RULEBOOKS.get(named)) is None:
            known = ", ".join(RULEBOOKS)
            detail = f"The administrator plays rulebook {named!r}; this player knows {known}."
            return Played(greeting.name, Fault(Reason.INVALID, detail))
        ahead = self._inbox.pending
        self._use(
            Conversation.of_player(Dialect.of(rulebook), self._conversation.step),
            read_administrators_side(rulebook),
        )
        choose = make(rulebook)
        choose(greeting)
        on_signed_up(greeting.name)
        return self._converse(greeting.name, choose, Writer(rulebook), ahead)

    def _converse(self, name: str, choose: Choose, writer: Writer, ahead: bytes) -> Played:
        while True:
            message = self._receive(ahead)
            ahead = b""
            if isinstance(message, Fault | messages.Ejected):
                return Played(name, message)
            answer = choose(message)
            if isinstance(answer, Misdeed):
                answer.do(self._socket)
                return Played(name, self._aftermath())
            self._conversation.send(TAGS[type(answer)])
            self._socket.sendall(writer.write(answer))
            if isinstance(message, messages.Score | messages.ScoreView):
                return Played(name, message)

    def _receive(self, ahead: bytes = b"") -> AdministratorMessage | Fault:
        """Wait for the next message; ``ahead`` was read already."""
        message = self._inbox.receive(ahead)
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


def _last(answer: AdministratorMessage | Fault) -> messages.Ejected | Fault:
    """Narrow what can come instead of a greeting."""
    assert isinstance(answer, Fault | messages.Ejected), "the conversation lets nothing else by"
    return answer


def _broken(error: OSError) -> Fault:
    return Fault(Reason.DISCONNECTED, f"{error.strerror or error}.")
