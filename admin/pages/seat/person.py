"""A person as a player: what it is sent goes to the page, what the page sends back is its answer.

It runs in trio's thread; the blocking client has a thread of its own and calls in from there.
"""

import socket
from copy import copy
from typing import Any

import trio

from ....game.rulebook import Rulebook
from ....protocol import messages
from ....protocol.messages import PlayerMessage, RefereeMessage
from .adviser import suggestion
from .choices import Refused, answer, question
from .known_position import Memory
from .wire_frames import WireFrames


class GiveUp:
    """Done instead of answering when the referee has spoken, or left, meanwhile."""

    def do(self, connection: socket.socket) -> None:
        """Leave the connection as it is: what the referee sent is read next."""


class Person:
    """One game as the page has it. ``changed`` is set when there is more, and then replaced."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._memory: Memory | None = None
        self.wire: WireFrames | None = None
        self.question: dict[str, Any] | None = None
        """What is asked now, with the number of the question as ``id``."""
        self.over: dict[str, str] | None = None
        """How it ended, and how to see it again."""
        self.changed = trio.Event()
        self.rulebook: Rulebook | None = None
        self._asked: RefereeMessage | None = None
        self._questions = 0
        self._answers: trio.MemorySendChannel[PlayerMessage] | None = None

    def sits_down(self, rulebook: Rulebook) -> None:
        """Take a seat under a rulebook."""
        self.rulebook = rulebook

    async def reply(self, message: RefereeMessage) -> PlayerMessage | GiveUp:
        """Take a message; return the answer, once there is one."""
        if isinstance(message, messages.SignUp):
            assert self.rulebook is not None
            self._memory = Memory(self.rulebook, message.name)
            self.wire = WireFrames(self.rulebook, message.name)
            return messages.VOID
        assert self._memory is not None and self.wire is not None
        known = self._memory.hear(message)
        self.wire.take(message, known)
        asked = question(self._memory, message)
        if asked is None:
            self._publish()
            return messages.VOID
        self._questions += 1
        self._asked, self.question = message, {"id": self._questions, **asked}
        self._publish()
        answered = await self._wait_for_answer()
        if isinstance(answered, PlayerMessage):
            self._memory.answered(answered)
        return answered

    async def _wait_for_answer(self) -> PlayerMessage | GiveUp:
        """Wait for the page; or for the referee, which speaks now only to end it."""
        self._answers, answers = trio.open_memory_channel[PlayerMessage](1)
        found: list[PlayerMessage | GiveUp] = []
        async with trio.open_nursery() as nursery:

            async def watch() -> None:
                await trio.lowlevel.wait_readable(self._connection)
                found.append(GiveUp())
                nursery.cancel_scope.cancel()

            nursery.start_soon(watch)
            found.append(await answers.receive())
            nursery.cancel_scope.cancel()
        self.question = self._asked = self._answers = None
        self._publish()
        return found[0]

    def take_answer(self, fields: dict[str, Any]) -> None:
        """Take the page's answer; ``Refused`` if it is illegal or to another question."""
        if self.question is None or fields.get("id") != self.question["id"]:
            raise Refused("This question has been answered already.")
        assert self._memory is not None and self._asked is not None and self._answers is not None
        checked = answer(self._memory, self._asked, fields)
        try:
            self._answers.send_nowait(checked)
        except trio.WouldBlock as error:
            raise Refused("This question has been answered already.") from error

    async def suggestion(self) -> dict[str, Any]:
        """Return what a built-in player would answer; ``Refused`` if nothing is asked."""
        if self._memory is None or self._asked is None or self.question is None:
            raise Refused("Nothing is asked.")
        asked, number = self._asked, self.question["id"]
        found = await trio.to_thread.run_sync(suggestion, copy(self._memory), asked)
        return {"id": number, **found}

    def end(self, text: str, replay: str = "") -> None:
        """Take how it ended; ``text`` is empty after a regular end."""
        if text and self.wire is not None:
            self.wire.closed(text)
        self.question = None
        self.over = {"text": text, "replay": replay}
        self._publish()

    def _publish(self) -> None:
        self.changed.set()
        self.changed = trio.Event()
