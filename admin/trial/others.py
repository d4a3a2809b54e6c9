"""The other players of a trial: of the house, at once or after some seconds of thinking."""

import socket

import trio

from admin.match.in_process import Answerer, LocalSeat
from admin.table.seat import CHUNK, RemoteSeat, Seat
from admin.trial.playground import Playground
from admin.trial.script import Script
from protocol import messages
from protocol.conversation import Conversation, Step
from protocol.faults import Fault
from protocol.framing import LIMIT_FROM_ADMINISTRATOR
from protocol.inbox import DocumentCache, Inbox
from protocol.messages import TAGS, AdministratorMessage
from protocol.reading import administrator_reader

THINKING = (messages.Turn, messages.TurnView)
"""What others think about; all else they answer at once."""


def others_at(script: Script, playground: Playground, nursery: trio.Nursery) -> dict[str, Seat]:
    """Seat the other players of a script; who thinks does so in ``nursery``."""
    seats: dict[str, Seat] = {}
    for name, make in script.others.items():
        if not script.thinking:
            seats[name] = LocalSeat(name, make(), dialect=playground.dialect)
            continue
        end, own = socket.socketpair()
        end.setblocking(False)
        seats[name] = _seated(playground.seat(end, name), name)
        nursery.start_soon(_think, own, name, make(), script.thinking, playground)
    return seats


def _seated(seat: RemoteSeat, name: str) -> RemoteSeat:
    """Give a seat to a player who need not sign up."""
    seat.name = name
    seat.conversation.step = Step.SEATED
    return seat


async def _think(
    own: socket.socket, name: str, strategy: Answerer, seconds: float, playground: Playground
) -> None:
    """Answer as a strategy does, after so many seconds where there is something to think about."""
    strategy(messages.SignUp(name))
    conversation = Conversation.of_player(playground.dialect, Step.SEATED)
    inbox: Inbox[AdministratorMessage] = Inbox(
        DocumentCache(administrator_reader(playground.rulebook)),
        conversation,
        LIMIT_FROM_ADMINISTRATOR,
        one_at_a_time=False,
    )
    own.setblocking(False)
    stream = trio.SocketStream(trio.socket.from_stdlib_socket(own))
    async with stream:
        while data := await stream.receive_some(CHUNK):
            message = inbox.receive(bytes(data))
            assert not isinstance(message, Fault), message
            if message is None:
                continue
            if isinstance(message, messages.Ejected):
                return
            if isinstance(message, THINKING):
                await trio.sleep(seconds)
            answer = strategy(message)
            assert not isinstance(answer, Fault), "who thinks does nothing wrong"
            conversation.send(TAGS[type(answer)])
            await stream.send_all(playground.writer.write(answer))
