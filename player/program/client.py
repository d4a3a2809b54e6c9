"""The client: connects, signs up, and answers until the game is over.

Plain blocking sockets: enough for a single connection that speaks strictly in turn. How a
player chooses, and whether it misbehaves, is not known here.
"""

import selectors
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from ...game.rulebook import Rulebook
from ...game.rulebooks import REVISED, RULEBOOKS
from ...protocol import messages
from ...protocol.conversation import Conversation, Side
from ...protocol.dialect import Dialect
from ...protocol.faults import Fault, Reason
from ...protocol.framing import LIMIT_FROM_REFEREE
from ...protocol.inbox import DocumentCache, Inbox
from ...protocol.messages import TAGS, PlayerMessage, RefereeMessage
from ...protocol.reading import Reader, greeting_reader, referee_reader
from ...protocol.rulebook_file import from_json
from ...protocol.settings_file import InvalidSettings
from ...protocol.writing import Writer

if TYPE_CHECKING:
    from ssl import SSLSocket

RECEIVE_SIZE = 65536
CONNECT_ATTEMPT_TIMEOUT = 10.0  # seconds of an attempt if the host does not respond at all
RETRY_INTERVAL = 0.1  # seconds between two attempts to connect
SILENCE = 5.0  # seconds until a missing answer to the sign-up is told; referees answer at once
PROBES = {"TCP_KEEPIDLE": 30, "TCP_KEEPALIVE": 30, "TCP_KEEPINTVL": 30, "TCP_KEEPCNT": 127}
"""How often the referee's system is asked for a sign, in seconds, and how often in vain.

After an outage it tells that it has dropped the connection. Nothing else would, for a player that
waits sends nothing. Giving up sooner would only end in an attempt to connect that fails as well.
"""


class SocketAction(Protocol):
    """What a player does to its connection instead of answering; it answers nothing after it."""

    def do(self, connection: socket.socket) -> None:
        """Do it; ``OSError`` if the connection breaks."""


Answerer: TypeAlias = Callable[[RefereeMessage], PlayerMessage | SocketAction]
"""A player: given a message of the referee, it returns its answer."""
AnswererFactory: TypeAlias = Callable[[Rulebook], Answerer]  # called once the rulebook is known


_Last: TypeAlias = messages.Score | messages.ScoreView | messages.Ejected | Fault


class GameEnd(NamedTuple):
    """How a game ended for this player: the last message, or the fault of the connection.

    ``name`` is the one given by the referee, or the one asked for while not ``seated``.
    """

    name: str
    last: _Last
    seated: bool


def connect(host: str, port: int, timeout: float) -> socket.socket:
    """Connect, trying again for ``timeout`` seconds; ``OSError`` of the last attempt."""
    deadline = time.monotonic() + timeout
    attempt_timeout = max(timeout, CONNECT_ATTEMPT_TIMEOUT)
    while True:
        try:
            connection = socket.create_connection((host, port), timeout=attempt_timeout)
            connection.settimeout(None)
        except OSError:
            if time.monotonic() + RETRY_INTERVAL > deadline:
                raise
            time.sleep(RETRY_INTERVAL)
        else:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for name, value in PROBES.items():
                if (option := getattr(socket, name, None)) is not None:
                    connection.setsockopt(socket.IPPROTO_TCP, option, value)
            return connection


def start_tls(connection: socket.socket, host: str, authority: Path | None) -> "SSLSocket":
    """Start TLS on a connection; ``OSError`` when the peer cannot be trusted.

    ``authority`` is a file of the certificates to trust, by default the system's.
    """
    import ssl  # which takes long to import, and few games need it

    context = ssl.create_default_context(cafile=authority)
    return context.wrap_socket(connection, server_hostname=host)


class Client:
    """One player's end of one connection, under whichever rulebook the referee names."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._use(Conversation(Side.PLAYER), greeting_reader())

    def _use(self, conversation: Conversation, reader: Reader[RefereeMessage]) -> None:
        self._conversation = conversation
        self._inbox: Inbox[RefereeMessage] = Inbox(
            DocumentCache(reader), conversation, LIMIT_FROM_REFEREE, one_at_a_time=False
        )

    def play(
        self,
        name: str,
        make: AnswererFactory,
        sign_up: SocketAction | None = None,
        on_signed_up: Callable[[str], None] = lambda _: None,
        rulebook: Rulebook | None = None,
        on_silence: Callable[[], object] = lambda: None,
    ) -> GameEnd:
        """Sign up as ``name`` and play until the game, or the connection, ends.

        ``make`` makes the player once the rulebook is known. ``sign_up``, if given, is done
        instead of signing up. ``on_signed_up`` is called with the name that the referee gave.
        ``rulebook`` is the one that the referee is expected to play by, if it is not one of
        the five. ``on_silence`` is called if the sign-up is not answered for ``SILENCE`` seconds.
        """
        self._expected = rulebook
        self._name, self._seated, self._on_signed_up = name, False, on_signed_up
        with self._socket:
            try:
                last = self._sign_up(make, sign_up, on_silence)
            except OSError as error:
                last = Fault(Reason.DISCONNECTED, f"{error.strerror or error}.")
        return GameEnd(self._name, last, self._seated)

    def _sign_up(
        self, make: AnswererFactory, sign_up: SocketAction | None, on_silence: Callable[[], object]
    ) -> _Last:
        self._conversation.send("signup")
        if sign_up is None:
            self._socket.sendall(Writer(REVISED).write(messages.SignUp(self._name)))
            with selectors.DefaultSelector() as selector:
                selector.register(self._socket, selectors.EVENT_READ)
                if not selector.select(SILENCE):
                    on_silence()
        else:
            sign_up.do(self._socket)
        greeting = self._receive()
        if isinstance(greeting, messages.SignUp):
            return self._take_seat(greeting, make)
        assert isinstance(greeting, Fault | messages.Ejected), "a greeting is nothing else"
        return greeting

    def _take_seat(self, greeting: messages.SignUp, make: AnswererFactory) -> _Last:
        self._name = greeting.name
        rulebook = self._rulebook(greeting.rulebook, greeting.definition)
        if isinstance(rulebook, Fault):
            return rulebook
        surplus = self._inbox.pending
        self._use(
            Conversation(Side.PLAYER, self._conversation.step, Dialect.of(rulebook)),
            referee_reader(rulebook),
        )
        answerer = make(rulebook)
        answerer(greeting)
        self._seated = True
        self._on_signed_up(self._name)
        return self._converse(answerer, Writer(rulebook), surplus)

    def _rulebook(self, named: str | None, definition: str | None) -> Rulebook | Fault:
        """Find the rulebook that a greeting names or has, or none: one with the course's messages.

        What the referee sends goes before the player's own file, which may be an older one.
        """
        expected = self._expected
        if definition is not None and (expected is None or named == expected.id):
            try:
                return from_json(definition)
            except InvalidSettings as error:
                detail = f"The referee plays rulebook {named!r}, and sends settings of it: {error}"
                return Fault(Reason.INVALID, detail)
        if expected is None:
            if (found := RULEBOOKS.get(named or REVISED.id)) is not None:
                return found
            return Fault(
                Reason.INVALID,
                f"The referee plays rulebook {named!r}, which is not one of "
                f"{', '.join(RULEBOOKS)}. Give its file with --rulebook.",
            )
        if named == (None if Dialect.of(expected) is Dialect.COURSE else expected.id):
            return expected
        return Fault(
            Reason.INVALID,
            f"The referee plays rulebook {named or REVISED.id!r}, not {expected.id!r}.",
        )

    def _converse(self, answerer: Answerer, writer: Writer, surplus: bytes) -> _Last:
        while True:
            message = self._receive(surplus)
            surplus = b""
            if isinstance(message, Fault | messages.Ejected):
                return message
            position = getattr(message, "view", message)
            names = [player.name for player in getattr(position, "players", ())]
            if names and self._name not in names:  # nobody could tell whose position it is
                detail = f"The referee calls you {self._name!r}, who is not among the players."
                return Fault(Reason.INVALID, detail)
            answer = answerer(message)
            if not isinstance(answer, PlayerMessage):
                answer.do(self._socket)
                while not isinstance(message := self._receive(), Fault | messages.Ejected):
                    pass  # until the referee gives the reason for the ejection, or closes
                return message
            self._conversation.send(TAGS[type(answer)])
            self._socket.sendall(writer.write(answer))
            if isinstance(message, messages.Score | messages.ScoreView):
                return message

    def _receive(self, surplus: bytes = b"") -> RefereeMessage | Fault:
        """Wait for the next message; ``surplus`` was received with the greeting."""
        message = self._inbox.receive(surplus)
        while message is None:
            data = self._socket.recv(RECEIVE_SIZE)
            if not data:
                return Fault(Reason.DISCONNECTED, "The referee closed the connection.")
            message = self._inbox.receive(data)
        return message
