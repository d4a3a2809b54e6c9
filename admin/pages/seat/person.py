"""A person as a player: what it is sent goes to the page, what the page sends back is its answer.

While the person is away, or has no time left, a built-in player answers with what the person knows.
It does so before the referee's clock runs out, so the person keeps the seat. The next question is
the person's again, with half the time after each that was missed, so that others need not wait for
somebody who has gone. How many answers were not the person's own is part of the result.

It runs in trio's thread; the blocking client has a thread of its own and calls in from there.
"""

import socket
from collections.abc import Callable
from contextlib import suppress
from copy import copy
from typing import Any, Literal, TypeAlias

import trio

from ....game.rulebook import Rulebook
from ....protocol import messages
from ....protocol.knowledge import Knowledge
from ....protocol.messages import PlayerMessage, RefereeMessage
from ....protocol.question import Question
from ...refereeing.log.recorder import Header, SeatRecord
from ...refereeing.table.run import first_of
from ...refereeing.view.frames import Frame, FrameKind, Frames, without_secrets
from ...refereeing.view.heard_events import HeardEvents
from ...refereeing.view.heard_turn import Remark
from ..html.replay_page import game_fields
from .adviser import ADVISER, consult, suggestion
from .choices import Refused, answer, nothing_to_decide, question_fields

MARGIN = 5.0  # the built-in player answers at most this many seconds before the clock ends
PAUSE = 3.0  # least seconds for the person to return before the built-in player answers


class SeatFrames:
    """The frames of a player's game so far, as in a replay; ``take`` every message, in order.

    They are those of :mod:`acquire.admin.refereeing.view.frames`, as far as the player knows: what
    is hidden is absent. ``heard`` takes the player's own answers.
    """

    def __init__(self, rulebook: Rulebook, name: str) -> None:
        self.name = name
        self.heard = HeardEvents(rulebook, name)
        self._frames: Frames | None = None
        self._bag: int | None = None
        self.frames: list[Frame] = []

    def fields(self) -> dict[str, Any]:
        """Return what the page has to know of the game beside its frames."""
        seats = tuple(SeatRecord(name, "remote") for name in self.heard.names)
        fields = game_fields(Header(self.heard.rulebook, 0, 1, (), seats))
        del fields["seed"]  # which the player is not sent
        return fields | {"me": self.heard.names.index(self.name)}

    def take(self, message: RefereeMessage, knowledge: Knowledge, asked: Question | None) -> None:
        """Take a message, what is known with it, and what it asks."""
        for told in self.heard.hear(message, knowledge, asked):
            if self._frames is None:
                self._frames = Frames(self.heard.turn.state, self.heard.names)
                self._add(self._frames.begin())
            if isinstance(told, Remark):
                self._add(self._frames.remark(*told))
            else:
                for frame in self._frames.take(told):
                    self._add(frame)
        if isinstance(message, messages.Players | messages.PlayersView):
            # from now on acquired certificates that were kept are worth nothing
            self.note("The merger is settled.")

    def note(self, text: str) -> None:
        """Take what has happened to the player's seat."""
        if self._frames is not None:
            self._add(self._frames.remark(FrameKind.NOTE, text, self.heard.turn.state))

    def _add(self, frame: Frame) -> None:
        """Add a frame as the player may see it."""
        frame.pop("bag", None)  # of which only the number of tiles is known
        if self.heard.turn.bag != self._bag:
            frame["bag"] = self._bag = self.heard.turn.bag
        self.frames.append(
            without_secrets(frame, self.heard.rulebook, self.heard.names.index(self.name))
        )


class GiveUp:
    """Done instead of answering when the referee has spoken, or left, meanwhile."""

    def do(self, connection: socket.socket) -> None:
        """Leave the connection as it is: what the referee sent is read next."""


Answerer: TypeAlias = Callable[[RefereeMessage], PlayerMessage | GiveUp]


class Person:
    """One game as the page has it. ``changed`` is set when there is more, and then replaced."""

    def __init__(
        self, connection: socket.socket, clock: float | None = None, *, waits: bool = True
    ) -> None:
        """``clock`` is how many seconds the person has for an answer; ``None`` for no limit.

        Unless others ``wait``, it begins to run when the page is opened for the first time.
        """
        self._connection, self._clock = connection, clock
        self._knowledge: Knowledge | None = None
        self.wire: SeatFrames | None = None
        self.question: dict[str, Any] | None = None  # what is asked now; its number is `id`
        self.over: dict[str, Any] | None = None  # how it ended, and what can be done next
        self.absent: Literal["", "late", "away"] = ""
        """Why a built-in player gave the last answer: no time was left, or the page was closed."""
        self._away = False
        self._runs = waits
        self._missed = 0  # questions in a row for which the time was out
        self._answered = self._stood_in = 0  # answers in this game, and those of the stand-in
        self.changed = trio.Event()
        self.rulebook: Rulebook | None = None
        self._asked: Question | None = None
        self._began, self._deadline = 0.0, float("inf")
        self._spent: float | None = None  # seconds taken so far for answers in its own turn
        self._questions = 0
        self._answers: trio.MemorySendChannel[PlayerMessage] | None = None
        self._suggested: dict[str, Any] = {"id": 0}
        self._suggesting = trio.Lock()

    @property
    def begun(self) -> bool:
        """Whether the game has begun."""
        return self.wire is not None and bool(self.wire.heard.names)

    @property
    def time(self) -> dict[str, Any]:
        """The seconds that are left for the question, and who has played."""
        left = None
        if self.question is not None and self._clock is not None and self._runs:
            left = round(max(0.0, self._due - trio.current_time()), 1)
        counts = {"missed": self._missed, "stoodIn": self._stood_in, "answered": self._answered}
        return {"left": left, "absent": self.absent, "by": ADVISER, **counts}

    @property
    def _due(self) -> float:
        """When the built-in player answers."""
        if self._away:
            return min(self._deadline, self._began + PAUSE)
        if self._missed and self._clock is not None:
            patience = max(PAUSE, self._clock / float(1 << self._missed))
            return min(self._deadline, self._began + patience)
        return self._deadline

    def sits_down(self, rulebook: Rulebook) -> Answerer:
        """Take a seat under a rulebook; return the player, for the thread of the client."""
        self.rulebook = rulebook
        return lambda message: trio.from_thread.run(self.reply, message)

    async def reply(self, message: RefereeMessage) -> PlayerMessage | GiveUp:
        """Take a message; return the answer, once there is one."""
        if isinstance(message, messages.SignUp):
            assert self.rulebook is not None
            self._knowledge = Knowledge(self.rulebook, message.name)
            self.wire = SeatFrames(self.rulebook, message.name)
            return messages.VOID
        assert self._knowledge is not None and self.wire is not None
        asked = self._knowledge.hear(message)
        self.wire.take(message, self._knowledge, asked)
        if isinstance(message, messages.State | messages.StateView):
            self._spent = None
        elif isinstance(message, messages.Turn | messages.TurnView):
            self._spent = 0.0
        if asked is None:
            self._publish()
            return messages.VOID
        if nothing_to_decide(asked):
            answered: PlayerMessage | GiveUp = asked.simplest()
        else:
            answered = await self._ask(self._knowledge, asked)
            self._answered += isinstance(answered, PlayerMessage)
        if isinstance(answered, PlayerMessage):
            self._knowledge.answered(answered)
            self.wire.heard.answered(asked, answered)
        return answered

    async def _ask(self, knowledge: Knowledge, asked: Question) -> PlayerMessage | GiveUp:
        self._questions += 1
        fields = question_fields(asked, knowledge.seated)
        self._asked, self.question = asked, {"id": self._questions, **fields}
        self._start_clock()
        self._publish()
        answered = await self._wait_for_answer(knowledge, asked)
        if self._spent is not None:
            self._spent += trio.current_time() - self._began
        self.question = self._asked = self._answers = None
        self._publish()
        return answered

    def _start_clock(self) -> None:
        self._began = trio.current_time()
        if self._clock is not None and self._runs:
            self._deadline = self._began + self._clock - (self._spent or 0.0)
            self._deadline -= min(MARGIN, self._clock / 2)

    async def _wait_for_answer(
        self, knowledge: Knowledge, asked: Question
    ) -> PlayerMessage | GiveUp:
        """Wait for the page or who stands in; or the referee, which speaks now only to end it."""
        self._answers, answers = trio.open_memory_channel[PlayerMessage](1)
        found: list[PlayerMessage | GiveUp] = []

        async def receive() -> None:
            found.append(await answers.receive())

        async def watch() -> None:
            await trio.lowlevel.wait_readable(self._connection)
            found.append(GiveUp())

        async def stand_in() -> None:
            while trio.current_time() < self._due:
                with trio.move_on_at(self._due):
                    await self.changed.wait()
            why = self._miss()
            decided, _ = await trio.to_thread.run_sync(
                consult, copy(knowledge), asked, abandon_on_cancel=True
            )
            assert self.wire is not None
            self.wire.note(f"{ADVISER} makes a move for you, because {why}.")
            self._stood_in += 1
            found.append(decided)

        await first_of(receive, watch, stand_in)
        return found[0]

    def _miss(self) -> str:
        """Take that the built-in player answers now; return why."""
        self.absent = "away" if self._away else "late"
        if not self._away and self._due > self._began:  # there was time
            self._missed += 1
        self._publish()
        return "your page is closed" if self._away else "your time was out"

    def leave(self) -> None:
        """Let a built-in player play while the page is closed."""
        self._away = self.begun
        self._publish()

    def open_page(self) -> None:
        """Let the person play, also again, who has opened the page."""
        if not self._runs:
            self._runs = True
            self._start_clock()
            self._publish()
        if self._away:
            self._away, self._missed = False, 0
            self._publish()

    def come_back(self) -> None:
        """Give the person, who is there, the whole time again."""
        self._away, self._missed, self.absent = False, 0, ""
        self._publish()

    def take_answer(self, fields: dict[str, Any]) -> None:
        """Take the page's answer; ``Refused`` if it is illegal or to another question."""
        if self.question is None or fields.get("id") != self.question["id"]:
            raise Refused("This question has been answered already.")
        assert self._asked is not None and self._answers is not None
        self._answers.send_nowait(answer(self._asked, fields))
        self.question = None
        self.come_back()

    def hang_up(self) -> None:
        """Leave the table: the client hears that the connection has ended."""
        with suppress(OSError):  # it may have ended by itself
            self._connection.shutdown(socket.SHUT_RDWR)

    async def suggestion(self) -> dict[str, Any]:
        """Return what a built-in player would answer; ``Refused`` if nothing is asked.

        It is worked out once for a question, however often a page asks: a crowd of requests would
        keep the threads busy in which others' built-in players have to answer in time.
        """
        async with self._suggesting:
            if self._knowledge is None or self._asked is None or self.question is None:
                raise Refused("Nothing is asked.")
            asked, number = self._asked, self.question["id"]
            if self._suggested["id"] != number:
                found = await trio.to_thread.run_sync(suggestion, copy(self._knowledge), asked)
                self._suggested = {"id": number, **found}
            return self._suggested

    def end(self, text: str, **more: Any) -> None:
        """Take how it ended, empty after a regular end, and what can be done next."""
        if text and self.wire is not None:
            self.wire.note(text)
        self.question = None
        self.over = {"text": text, **more}
        self._publish()

    def _publish(self) -> None:
        self.changed.set()
        self.changed = trio.Event()
