"""The bytes of whole games, known beforehand: what is asked of each seat and what it answers.

With the bag fixed and deterministic players a game is fixed too, so a client needs no player: it
counts the bytes of a question and sends the answer that it knows. The referee and the bare echo
are so given the same peer and the same bytes.
"""

import select
import socket
from collections.abc import Sequence
from typing import NamedTuple

from acquire.admin.refereeing.play import in_process as local
from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.in_process import Strategy
from acquire.admin.refereeing.play.referee import Referee
from acquire.game.rulebooks import REVISED
from acquire.player.strategies.simple import Random
from acquire.protocol import messages
from acquire.protocol.messages import PlayerMessage, RefereeMessage
from acquire.protocol.writing import Writer

NAMES = ("ann", "bob", "cyd", "dan")


class Exchange(NamedTuple):
    """One question to one seat, and its answer; ``batch`` counts the questions put at once."""

    batch: int
    seat: int
    question: bytes
    answer: bytes


class Script(NamedTuple):
    """One game as the wire sees it, sign-up apart."""

    turns: int
    exchanges: tuple[Exchange, ...]


def script(seed: int, game: int) -> Script:
    """Play a game in this process and write down every byte of it."""
    writer = Writer(REVISED)
    exchanges: list[Exchange] = []
    batch = 0

    def listening(seat: int, strategy: Strategy) -> Strategy:
        def answer(question: RefereeMessage) -> PlayerMessage:
            nonlocal batch
            told = strategy(question)
            if isinstance(question, messages.SignUp):  # which every peer does by itself
                return told
            if not isinstance(question, messages.State | messages.Score) or (
                not exchanges or type(exchanges_kind[-1]) is not type(question)
            ):
                batch += 1
            exchanges_kind.append(question)
            exchanges.append(Exchange(batch, seat, writer.write(question), writer.write(told)))
            return told

        return answer

    exchanges_kind: list[RefereeMessage] = []
    dealer = Dealer(seed, game)
    referee = Referee(REVISED, NAMES, dealer.bag, dealer.shuffle, lambda _: None)
    players = {name: listening(seat, Random(REVISED, seat)) for seat, name in enumerate(NAMES)}
    outcome = local.play(referee.play(), players)
    return Script(outcome.turns, tuple(exchanges))


def play_scripts(address: tuple[str, int], scripts: Sequence[Script], at_once: int) -> None:
    """Be the players of all the scripts, ``at_once`` games side by side."""
    waiting, peers = list(scripts), dict[int, Peer]()
    poll = select.epoll()
    while waiting or peers:
        while waiting and len(peers) <= (at_once - 1) * len(NAMES):
            for peer in sit(address, waiting.pop(0)):
                peers[peer.socket.fileno()] = peer
                poll.register(peer.socket, select.EPOLLIN)
        for descriptor, _ in poll.poll():
            if not peers[descriptor].read():
                poll.unregister(descriptor)
                peers.pop(descriptor).socket.close()


def sit(address: tuple[str, int], script: Script) -> list["Peer"]:
    """Sign the players of a game up, one after the other."""
    own = ([each for each in script.exchanges if each.seat == seat] for seat in range(len(NAMES)))
    return [Peer(address, name, each) for name, each in zip(NAMES, own, strict=True)]


class Peer:
    """One scripted seat."""

    def __init__(self, address: tuple[str, int], name: str, exchanges: list[Exchange]) -> None:
        self.socket = socket.create_connection(address)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sign_up = f'<signup name="{name}"/>'.encode()
        self._left = [(len(sign_up), b""), *((len(e.question), e.answer) for e in exchanges)]
        self._left.reverse()
        self._got = 0
        self._due = len(self._left)  # how many are left once those awaited have been answered
        self.socket.sendall(sign_up)
        self.answer()  # so that the seats are taken in this order

    def answer(self) -> None:
        """Read until one more question is answered; it may have been read with the one before."""
        self._due -= 1
        while len(self._left) > self._due:
            if not self.read():
                raise AssertionError("the server has closed the connection")

    def read(self) -> bool:
        """Read what has come and answer it; false when the connection is over."""
        data = self.socket.recv(65536)
        self._got += len(data)
        while self._left and self._got >= self._left[-1][0]:
            length, answer = self._left.pop()
            self._got -= length
            self.socket.sendall(answer)
        return bool(data)
