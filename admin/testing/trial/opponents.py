"""The opponents in a trial: built-in players that answer at once, or after some seconds."""

import socket

import trio

from ....protocol import messages
from ....protocol.conversation import Conversation, Step
from ....protocol.faults import Fault
from ....protocol.framing import LIMIT_FROM_REFEREE
from ....protocol.inbox import DocumentCache, Inbox
from ....protocol.messages import TAGS, RefereeMessage
from ....protocol.reading import referee_reader
from ...refereeing.play.in_process import Answerer, LocalSeat
from ...refereeing.table.seat import CHUNK, RemoteSeat, Seat
from .environment import TrialEnvironment
from .script import Script

DELAYED = (messages.Turn, messages.TurnView)
"""The questions that a slow opponent thinks about; it answers all others at once."""


def seat_opponents(
    script: Script, environment: TrialEnvironment, nursery: trio.Nursery
) -> dict[str, Seat]:
    """Seat the opponents of a script; slow ones run in ``nursery``."""
    seats: dict[str, Seat] = {}
    for name, make in script.opponents.items():
        if not script.think_time:
            seats[name] = LocalSeat(
                name, make(script.rulebook), dialect=environment.reception.dialect
            )
            continue
        end, own = socket.socketpair()
        end.setblocking(False)
        seats[name] = _signed_up(environment.reception.seat(end, name), name)
        nursery.start_soon(
            _answer_slowly, own, name, make(script.rulebook), script.think_time, environment
        )
    return seats


def _signed_up(seat: RemoteSeat, name: str) -> RemoteSeat:
    """Put a seat into the state that it has after sign-up."""
    seat.name = name
    seat.conversation.step = Step.SEATED
    return seat


async def _answer_slowly(
    own: socket.socket,
    name: str,
    strategy: Answerer,
    think_time: float,
    environment: TrialEnvironment,
) -> None:
    """Answer as a strategy does, but wait ``think_time`` seconds before each move."""
    strategy(messages.SignUp(name))
    conversation = Conversation.of_player(environment.reception.dialect, Step.SEATED)
    inbox: Inbox[RefereeMessage] = Inbox(
        DocumentCache(referee_reader(environment.rulebook)),
        conversation,
        LIMIT_FROM_REFEREE,
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
            if isinstance(message, DELAYED):
                await trio.sleep(think_time)
            answer = strategy(message)
            assert not isinstance(answer, Fault), "a slow opponent makes no mistakes"
            conversation.send(TAGS[type(answer)])
            await stream.send_all(environment.player_writer.write(answer))
