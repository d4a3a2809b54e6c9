"""Questions put to connections: waiting, clocks, and what is made of peers that misbehave.

Connections are real sockets, both ends in the test's own event loop, so that the clock can jump
whenever everybody waits: what lasts 30 seconds here takes none.
"""

import math
import os
import selectors
import socket
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial

import pytest
import trio
from loopback import WRITER, Peer
from positions import at_table, placement, player
from trio.testing import MockClock, wait_all_tasks_blocked

from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.in_process import LocalSeat
from acquire.admin.refereeing.play.outcome import Outcome
from acquire.admin.refereeing.play.questions import Ask, Asks, Replies, Reply
from acquire.admin.refereeing.play.referee import Questions
from acquire.admin.refereeing.table.clocks import Clocks, in_seconds
from acquire.admin.refereeing.table.lag import Lag, WorkSince, run_out
from acquire.admin.refereeing.table.seat import RemoteSeat, Seat
from acquire.admin.refereeing.table.table import Table
from acquire.game.rulebooks import REVISED
from acquire.game.turn import Ending
from acquire.player.strategies.simple import Ordered
from acquire.protocol import messages
from acquire.protocol.conversation import Step
from acquire.protocol.faults import Circumstance, Fault, Reason
from acquire.protocol.inbox import DocumentCache
from acquire.protocol.messages import PlayerMessage
from acquire.protocol.reading import player_reader

REPLY, TURN = 1.0, 10.0
CLOCKS = Clocks(REPLY, TURN)
MEMORY = DocumentCache(player_reader(REVISED))
STEPS = 20_000
"""Steps of tasks that no test needs: more, and something spins."""

POSITION = at_table()
STATE = messages.State(POSITION.board, POSITION.players)
ASK_STATE = Ask(STATE, POSITION)
ASK_TURN = Ask(messages.Turn(POSITION.board, POSITION.players), POSITION, thinking=True)
ASK_KEEP = Ask(messages.Keep((0,)), POSITION)
ASK_PLAYERS = Ask(messages.Players(POSITION.players), POSITION, thinking=True)
ASK_TILE = Ask(messages.NewTile(0), POSITION)
VOID = messages.Void()
MERGE = messages.Merge(placement("1A", "Tower"))
KEPT = messages.KeepAnswer((True,))
ORDER = messages.Order(())
ASKED_FOR = {
    messages.Void: ASK_STATE,
    messages.Merge: ASK_TURN,
    messages.KeepAnswer: ASK_KEEP,
    messages.Order: ASK_PLAYERS,
}
"""The question to which each kind of answer is one."""

pytestmark = pytest.mark.jumping_clock


@pytest.fixture(autouse=True, params=["selector with a descriptor", "as on Windows"])
def way_to_wait(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait by the best selector of this system, and by the only one that Windows has."""
    if request.param == "as on Windows":
        monkeypatch.setattr(selectors, "DefaultSelector", selectors.SelectSelector)


class Watchdog(trio.abc.Instrument):
    """Cancels a scope when tasks take too many steps: a busy loop never lets the clock jump."""

    def __init__(self, scope: trio.CancelScope) -> None:
        self._scope = scope
        self._steps = 0

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        """Count a step."""
        self._steps += 1
        if self._steps > STEPS:
            self._scope.cancel()


class Room:
    """A table with a connection, or a built-in player, on each seat."""

    def __init__(
        self,
        nursery: trio.Nursery,
        clocks: Clocks,
        names: str,
        house: str,
        seat_clocks: dict[str, Clocks] | None = None,
        work: dict[str, WorkSince] | None = None,
    ) -> None:
        self.nursery = nursery
        self.peers: dict[str, Peer] = {}
        self.seats: dict[str, Seat] = {}
        for name in names.split():
            ours, theirs = socket.socketpair()
            ours.setblocking(False)
            seat = RemoteSeat(ours, MEMORY, "")
            seat.name = name
            seat.conversation.step = Step.SEATED
            self.seats[name] = seat
            self.peers[name] = Peer(trio.SocketStream(trio.socket.from_stdlib_socket(theirs)))
        for name in house.split():
            self.seats[name] = LocalSeat(name, Ordered(REVISED, 0), "ordered")
        self.lag = Lag()
        self.table = Table(self.seats, WRITER, clocks, self.lag, nursery, seat_clocks, work)

    async def close(self) -> None:
        """Close what a test that failed has left open."""
        for peer in self.peers.values():
            await trio.aclose_forcefully(peer.stream)
        for seat in self.seats.values():
            if isinstance(seat, RemoteSeat):
                seat.socket.close()

    async def ask(self, *batches: Asks) -> list[Replies]:
        """Put these batches of questions, one after the other, and return all replies."""
        heard: list[Replies] = []

        def questions() -> Questions:
            for asks in batches:
                heard.append((yield asks))
            return Outcome(Ending.INTERRUPTED, 0, (), ())

        await self.table.play(questions())
        return heard

    async def alone(self, *answers: tuple[float, PlayerMessage]) -> list[Reply | Fault]:
        """Ask ``a`` what these are answers to, which come after some seconds each."""
        self.answer("a", *answers)
        heard = await self.ask(*({"a": ASKED_FOR[type(answer)]} for _, answer in answers))
        return [replies["a"] for replies in heard]

    async def eject(self) -> Reply | Fault:
        """Put one question to ``a`` and ``b``, eject ``a``, and return what ``b`` says then."""
        heard: list[Reply | Fault] = []

        def questions() -> Questions:
            yield {"a": ASK_STATE, "b": ASK_STATE}
            told = "So it was."
            ejected = events.Ejected("a", Reason.INVALID, None, ASK_STATE, told, b"", (), POSITION)
            self.table.handle(ejected)
            heard.append((yield {"b": ASK_STATE})["b"])
            return Outcome(Ending.INTERRUPTED, 0, (), ())

        self.answer("b", (0, VOID), (0, VOID))
        await self.table.play(questions())
        return heard[0]

    def answer(self, name: str, *answers: tuple[float, PlayerMessage | bytes]) -> None:
        """Let a peer answer each question after some seconds, and only listen after the last."""
        self.nursery.start_soon(self._answer, self.peers[name], answers)

    async def _answer(
        self, peer: Peer, answers: Sequence[tuple[float, PlayerMessage | bytes]]
    ) -> None:
        async with peer.stream:
            with suppress(trio.BrokenResourceError):  # too late, and the connection is closed
                for seconds, answer in answers:
                    if await peer.next() is None:
                        return
                    await trio.sleep(seconds)
                    await peer.send(answer if isinstance(answer, bytes) else WRITER.write(answer))
            while await peer.next() is not None:
                pass


@asynccontextmanager
async def room(
    names: str = "a b c",
    *,
    house: str = "",
    clocks: Clocks = CLOCKS,
    seat_clocks: dict[str, Clocks] | None = None,
    work: dict[str, WorkSince] | None = None,
) -> AsyncIterator[Room]:
    """Open a table; at the end all farewells have been said."""
    with trio.CancelScope() as scope:
        watchdog = Watchdog(scope)
        trio.lowlevel.add_instrument(watchdog)
        try:
            async with trio.open_nursery() as nursery:
                opened = Room(nursery, clocks, names, house, seat_clocks, work)
                yield opened
        finally:
            trio.lowlevel.remove_instrument(watchdog)
            await opened.close()
    assert not scope.cancelled_caught, "something spins instead of waiting"


def reason_of(reply: Reply | Fault) -> Reason | None:
    return reply.reason if isinstance(reply, Fault) else None


# -- waiting ------------------------------------------------------------------------------------


async def test_a_batch_is_put_to_all_at_once_and_answered_in_any_order() -> None:
    async with room() as at:
        at.answer("a", (0.7, VOID))
        at.answer("b", (0.2, VOID))
        at.answer("c", (0.5, VOID))
        (replies,) = await at.ask({"a": ASK_STATE, "b": ASK_STATE, "c": ASK_STATE})
        assert trio.current_time() == pytest.approx(0.7)
    latencies = {name: reply.latency for name, reply in replies.items() if isinstance(reply, Reply)}
    assert latencies == {"a": 700_000, "b": 200_000, "c": 500_000}


async def test_an_answer_that_comes_byte_by_byte_but_in_time_is_one() -> None:
    async with room("a") as at:

        async def dribble() -> None:
            async with at.peers["a"].stream as stream:
                await at.peers["a"].hear(messages.State)
                for byte in b"<void/>":
                    await trio.sleep(0.1)
                    await stream.send_all(bytes([byte]))
                assert await at.peers["a"].next() is None

        at.nursery.start_soon(dribble)
        ((reply,),) = [batch.values() for batch in await at.ask({"a": ASK_STATE})]
    assert isinstance(reply, Reply) and reply.message == VOID


async def test_house_players_answer_beside_connections() -> None:
    async with room("a", house="h") as at:
        at.answer("a", (0.3, VOID))
        (replies,) = await at.ask({"h": ASK_STATE, "a": ASK_STATE})
    assert [reason_of(reply) for reply in replies.values()] == [None, None]


async def test_a_table_of_house_players_lets_others_have_a_turn() -> None:
    turns: list[str] = []

    async def somebody_else() -> None:
        for _ in range(3):
            turns.append("other")
            await trio.lowlevel.checkpoint()

    async with room("", house="h") as at:
        at.nursery.start_soon(somebody_else)
        await at.ask({"h": ASK_STATE}, {"h": ASK_STATE}, {"h": ASK_STATE}, {"h": ASK_STATE})
        assert len(turns) == 3


# -- the reply clock ----------------------------------------------------------------------------


async def test_silent_player_times_out() -> None:
    async with room() as at:
        at.answer("a", (0.0, VOID))
        at.answer("b")
        at.answer("c", (0.99, VOID))
        (replies,) = await at.ask({"a": ASK_STATE, "b": ASK_STATE, "c": ASK_STATE})
        assert trio.current_time() == pytest.approx(REPLY)
    assert {name: reason_of(reply) for name, reply in replies.items()} == {
        "a": None,
        "b": Reason.TIMED_OUT,
        "c": None,
    }
    assert isinstance(late := replies["b"], Fault)
    assert late.detail.startswith("The limit for <void> was 1 s.")


@pytest.mark.parametrize("own", [None, {"c": Clocks(3.0, 3.0)}], ids=["none", "of another"])
async def test_all_who_are_late_in_one_batch_time_out_together(
    own: dict[str, Clocks] | None,
) -> None:
    async with room(seat_clocks=own) as at:
        for name in "ab":
            at.answer(name)
        at.answer("c", (0.5, VOID))
        (replies,) = await at.ask(dict.fromkeys("abc", ASK_STATE))
        assert trio.current_time() == pytest.approx(REPLY)
    found = [reason_of(replies[name]) for name in "abc"]
    assert found == [Reason.TIMED_OUT, Reason.TIMED_OUT, None]


async def test_timeout_after_half_an_answer_reports_how_much_came() -> None:
    async with room("a") as at:
        at.answer("a", (0.5, b"<vo"))
        ((reply,),) = [batch.values() for batch in await at.ask({"a": ASK_STATE})]
    assert isinstance(reply, Fault)
    assert (reply.reason, reply.data) == (Reason.TIMED_OUT, b"<vo")
    assert "3 bytes" in reply.detail


async def test_the_story_goes_on_after_somebody_was_late() -> None:
    async with room("a b") as at:
        at.answer("a")
        at.answer("b", (0.1, VOID), (0.9, VOID))
        heard = await at.ask({"a": ASK_STATE, "b": ASK_STATE}, {"b": ASK_STATE})
        assert trio.current_time() == pytest.approx(REPLY + 0.9)
    assert reason_of(heard[0]["a"]) is Reason.TIMED_OUT
    assert reason_of(heard[1]["b"]) is None


# -- the turn clock -----------------------------------------------------------------------------


ANSWERS: dict[str, tuple[list[tuple[float, PlayerMessage]], bool]] = {
    "in the time of each question": ([(0.9, VOID)] * 8, True),
    "in the time of a turn": ([(0, VOID), (9.9, MERGE)], True),
    "after the time of a turn": ([(0, VOID), (10.1, MERGE)], False),
    "in the rest of a turn": ([(0, VOID), (9.9, MERGE), (0.5, KEPT), (0.05, ORDER)], True),
    "after the rest, which is less than any other answer has": (
        [(0, VOID), (9.9, MERGE), (0.5, KEPT), (0.3, ORDER)],
        False,
    ),
    "after the reply time, which the mover has for what it keeps": (
        [(0, VOID), (0, MERGE), (1.1, KEPT)],
        False,
    ),
}


@pytest.mark.parametrize(("answers", "in_time"), ANSWERS.values(), ids=ANSWERS)
async def test_last_answer_comes(answers: list[tuple[float, PlayerMessage]], in_time: bool) -> None:
    """Of several in a row, of which all before it come in time."""
    async with room("a") as at:
        *before, last = map(reason_of, await at.alone(*answers))
    assert before == [None] * (len(answers) - 1)
    assert last is (None if in_time else Reason.TIMED_OUT)


MERGER: tuple[Asks, ...] = (
    {"a": ASK_STATE, "b": ASK_STATE, "c": ASK_STATE},
    {"a": ASK_TURN},
    {"a": ASK_KEEP},
    {"b": ASK_KEEP},
    {"c": ASK_KEEP},
    {"a": ASK_PLAYERS},
)


@pytest.mark.parametrize(
    ("seconds", "reason"), [(3.9, None), (4.1, Reason.TIMED_OUT)], ids=["in time", "late"]
)
async def test_the_turn_clock_counts_only_the_movers_own_thinking(
    seconds: float, reason: Reason | None
) -> None:
    async with room() as at:
        at.answer("a", (0.9, VOID), (6.0, MERGE), (0.9, KEPT), (seconds, ORDER))
        at.answer("b", (0.9, VOID), (0.9, KEPT))
        at.answer("c", (0.9, VOID), (0.9, KEPT))
        heard = await at.ask(*MERGER)
    *before, last = [reason_of(reply) for batch in heard for reply in batch.values()]
    assert before == [None] * 7
    assert last is reason
    if isinstance(late := heard[-1]["a"], Fault):
        assert late.detail == (
            "The limit for <order> was 4 s: the rest of the 10 s for the whole turn."
        )


async def test_a_turn_may_have_less_time_than_any_other_answer() -> None:
    async with room("a", clocks=Clocks(reply=1.0, turn=0.4)) as at:
        _, late = await at.alone((0.5, VOID), (0.7, MERGE))
        assert trio.current_time() == pytest.approx(0.9)
    assert reason_of(late) is Reason.TIMED_OUT


async def test_who_has_hardly_any_time_is_late_and_the_others_play_on() -> None:
    """The clock is so short that it ends at the moment at which it begins."""
    async with room("a", house="h", clocks=Clocks(reply=1e-320, turn=TURN)) as at:
        await trio.sleep(REPLY)
        at.answer("a")
        heard = await at.ask({"h": ASK_STATE}, {"a": ASK_STATE, "h": ASK_STATE}, {"h": ASK_STATE})
        assert trio.current_time() == REPLY
    assert reason_of(heard[1]["a"]) is Reason.TIMED_OUT
    assert [reason_of(batch["h"]) for batch in heard] == [None] * 3


async def test_every_turn_has_the_whole_time_again() -> None:
    turn = ({"a": ASK_TURN}, {"a": ASK_KEEP}, {"a": ASK_PLAYERS}, {"a": ASK_TILE})
    ten_seconds: list[tuple[float, PlayerMessage]]
    ten_seconds = [(7.0, MERGE), (0.1, KEPT), (2.9, ORDER), (0.1, VOID)]
    async with room("a") as at:
        at.answer("a", (0, VOID), *(ten_seconds * 2))
        heard = await at.ask({"a": ASK_STATE}, *turn, *turn)
    assert [reason_of(batch["a"]) for batch in heard] == [None] * 9


# -- clocks of single seats ---------------------------------------------------------------------


async def test_seats_of_one_batch_have_their_own_clocks() -> None:
    own = {"b": Clocks(3.0, 3.0), "c": Clocks(math.inf, math.inf)}
    async with room("a b c d", seat_clocks=own) as at:
        at.answer("a")
        at.answer("b")
        at.answer("c", (500.0, VOID))
        at.answer("d", (0.5, VOID))
        (replies,) = await at.ask(dict.fromkeys("abcd", ASK_STATE))
        assert trio.current_time() == pytest.approx(500.0)
    late = {name: reply.detail for name, reply in replies.items() if isinstance(reply, Fault)}
    assert {name: detail.partition(".")[0] for name, detail in late.items()} == {
        "a": "The limit for <void> was 1 s",
        "b": "The limit for <void> was 3 s",
    }


@pytest.mark.parametrize(
    ("seconds", "reason"), [(19.9, None), (20.1, Reason.TIMED_OUT)], ids=["in time", "late"]
)
async def test_a_seat_with_a_clock_has_it_for_a_whole_turn(
    seconds: float, reason: Reason | None
) -> None:
    async with room("a", seat_clocks={"a": Clocks(30.0, 30.0)}) as at:
        *_, last = await at.alone((0, VOID), (10.0, MERGE), (20.0, KEPT), (seconds, ORDER))
    assert reason_of(last) is reason
    if isinstance(last, Fault):
        assert "the rest of the 30 s for the whole turn" in last.detail


# -- whose fault it is not ----------------------------------------------------------------------


class AtTheLastMoment(trio.abc.Instrument):
    """Does something when the clock has struck, before whoever it wakes can take a step."""

    def __init__(self, time: float, do: Callable[[], object]) -> None:
        self._time = time
        self._do: Callable[[], object] | None = do

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        """Do it once."""
        if self._do is not None and trio.current_time() >= self._time:
            do, self._do = self._do, None
            do()


async def test_an_answer_that_lies_in_the_kernel_at_the_deadline_is_in_time() -> None:
    async with room("a b") as at:
        at.answer("a")
        at.answer("b")
        last_moment = AtTheLastMoment(REPLY, lambda: send_now(at.peers["a"], b"<void/>"))
        trio.lowlevel.add_instrument(last_moment)
        (replies,) = await at.ask({"a": ASK_STATE, "b": ASK_STATE})
    assert reason_of(replies["a"]) is None
    assert reason_of(replies["b"]) is Reason.TIMED_OUT


def send_now(peer: Peer, data: bytes) -> None:
    """Send without waiting, from outside any task."""
    os.write(peer.stream.socket.fileno(), data)


def jump(seconds: float) -> Callable[[], None]:
    clock = trio.lowlevel.current_clock()
    assert isinstance(clock, MockClock)
    return partial(clock.jump, seconds)


async def test_where_the_referee_was_late_the_players_have_that_time_again() -> None:
    async with room("a b") as at:
        at.answer("a", (1.45, VOID))
        at.answer("b", (1.9, VOID))
        # the machine stands still from 0.9 to 1.4, which is given again
        trio.lowlevel.add_instrument(AtTheLastMoment(0.9, jump(0.5)))
        at.nursery.start_soon(trio.sleep, 0.9)
        (replies,) = await at.ask({"a": ASK_STATE, "b": ASK_STATE})
        assert trio.current_time() == pytest.approx(1.5)
    assert reason_of(replies["a"]) is None
    assert reason_of(replies["b"]) is Reason.TIMED_OUT


async def test_who_is_late_although_excused_is_late() -> None:
    async with room("a b") as at:
        at.answer("a")
        at.answer("b", (0, VOID), (0, VOID))
        trio.lowlevel.add_instrument(AtTheLastMoment(0.9, jump(0.5)))
        at.nursery.start_soon(trio.sleep, 0.9)
        heard = await at.ask({"a": ASK_STATE, "b": ASK_STATE}, {"b": ASK_STATE})
        assert trio.current_time() == pytest.approx(1.5)
    assert not at.table.unserved
    assert reason_of(heard[0]["a"]) is Reason.TIMED_OUT
    assert reason_of(heard[1]["b"]) is None


async def test_all_stops_of_the_referee_are_excused() -> None:
    """Three stops of 0.5 s, of which 0.4 are seen at least: a clock of 1 s lasts 2.2 to 2.5 s."""
    async with room("a b") as at, trio.open_nursery() as measuring:
        measuring.start_soon(at.lag.run)
        at.answer("a", (2.1, VOID))
        at.answer("b")
        for moment in (0.35, 1.05, 1.75):
            trio.lowlevel.add_instrument(AtTheLastMoment(moment, jump(0.5)))
            at.nursery.start_soon(trio.sleep, moment)
        (replies,) = await at.ask({"a": ASK_STATE, "b": ASK_STATE})
        assert 2.2 < trio.current_time() < 2.6
        measuring.cancel_scope.cancel()
    assert reason_of(replies["a"]) is None
    assert isinstance(late := replies["b"], Fault)
    assert "the referee itself was late for 1." in late.detail
    assert not at.table.unserved


async def test_clock_lasts_at_most_four_times_its_length() -> None:
    """Who is late then was not served, so nobody is to blame."""
    async with room("a") as at, trio.open_nursery() as measuring:
        measuring.start_soon(at.lag.run)
        at.answer("a")
        for moment in range(10):
            stop = AtTheLastMoment(moment + 0.01, jump(0.98))
            trio.lowlevel.add_instrument(stop)
            measuring.start_soon(trio.sleep, moment + 0.01)
        (replies,) = await at.ask({"a": ASK_STATE})
        assert 4.0 <= trio.current_time() < 5.0
        measuring.cancel_scope.cancel()
    assert reason_of(replies["a"]) is Reason.TIMED_OUT
    assert "on a machine that was too busy" in at.table.unserved["a"]


@pytest.mark.parametrize(("late", "ends"), [(None, 9.0), (2.0, 11.0)])
async def test_program_has_used_up_its_time_when_what_is_excused_has_passed_too(
    late: float | None, ends: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited = iter([3.0, 4.0, 4.0])
    lag = None
    if late is not None:
        monkeypatch.setattr(lag := Lag(), "total_since", lambda _: late)
    taken = await run_out(5.0, lambda _: (0.0, next(waited), 0.0), lag)
    assert trio.current_time() == pytest.approx(ends)
    assert (taken.elapsed, taken.excused) == pytest.approx((ends, ends - 5.0))


async def test_time_for_which_the_referee_computes_makes_no_game_void() -> None:
    """The player could answer meanwhile; and it may be what kept the referee busy."""

    stand_still = jump(0.5)

    def compute() -> None:
        end = time.thread_time() + 0.4
        while time.thread_time() < end:
            pass
        stand_still()

    async with room("a", clocks=Clocks(0.1, 1.0)) as at, trio.open_nursery() as measuring:
        measuring.start_soon(at.lag.run)
        at.answer("a")
        trio.lowlevel.add_instrument(AtTheLastMoment(0.05, compute))
        measuring.start_soon(trio.sleep, 0.05)
        (replies,) = await at.ask({"a": ASK_STATE})
        measuring.cancel_scope.cancel()
    assert reason_of(replies["a"]) is Reason.TIMED_OUT
    assert not at.table.unserved


def program(used: float, waited: float, brief: float = 0.0) -> WorkSince:
    """Return the work of a program that uses and waits for these shares of all time.

    For the share ``brief`` of its waiting it gave its processor away.
    """

    def since(time: float) -> tuple[float, float, float]:
        elapsed = trio.current_time() - time
        return used * elapsed, waited * elapsed, brief * waited * elapsed

    return since


STARVED = [
    # share of time used, waited; when the clock of 1 s ends; whether the game is void
    pytest.param(0.0, 0.0, 1.0, False, id="silent"),
    pytest.param(1.0, 0.0, 1.0, False, id="computes all the time"),
    pytest.param(2.0, 30.0, 1.0, False, id="64 threads on two processors"),
    pytest.param(0.5, 0.5, 2.0, False, id="has every other moment"),
    pytest.param(0.3, 0.5, 2.0, False, id="sleeps a little"),
    pytest.param(0.5, 5.0, 2.0, False, id="keeps itself waiting"),
    pytest.param(0.2, 0.8, 4.0, False, id="has computed for most of its clock"),
    pytest.param(0.1, 0.9, 4.0, True, id="has not even half of its clock"),
]


@pytest.mark.parametrize(("used", "waited", "end", "void"), STARVED)
async def test_clock_stands_still_while_a_program_waits_for_a_processor(
    used: float, waited: float, end: float, void: bool
) -> None:
    async with room("a", work={"a": program(used, waited)}) as at:
        at.answer("a")
        (replies,) = await at.ask({"a": ASK_STATE})
        assert trio.current_time() == pytest.approx(end, abs=0.15)
    assert isinstance(late := replies["a"], Fault)
    assert late.reason is Reason.TIMED_OUT
    assert f"it computed for {in_seconds(used * trio.current_time())}" in late.detail
    assert bool(at.table.unserved) is void


async def test_program_that_gives_its_processor_away_is_late() -> None:
    """It has a long clock, which costs nobody a game, but does not make the game void."""
    async with room("a", work={"a": program(0.01, 0.99, brief=1.0)}) as at:
        at.answer("a")
        (replies,) = await at.ask({"a": ASK_STATE})
        assert trio.current_time() == pytest.approx(4.0, abs=0.15)
    assert reason_of(replies["a"]) is Reason.TIMED_OUT
    assert not at.table.unserved


async def test_waiting_for_a_processor_is_not_taken_from_the_rest_of_the_turn() -> None:
    """The mover has waited for 6 of 12 s: 4 of its 10 s are left, which last 8 s."""
    async with room("a", work={"a": program(0.5, 0.5)}) as at:
        heard = await at.alone((0, VOID), (12.0, MERGE), (0, KEPT), (99.0, ORDER))
        assert trio.current_time() == pytest.approx(20.0, abs=0.15)
    assert reason_of(heard[1]) is None
    assert isinstance(late := heard[3], Fault)
    assert late.detail.startswith(
        "The limit for <order> was 4 s: the rest of the 10 s for the whole turn. In 8"
    )
    assert not at.table.unserved


async def test_waiting_of_one_program_excuses_no_other() -> None:
    async with room("a b", work={"a": program(0.5, 0.5), "b": program(1, 0)}) as at:
        at.answer("a", (1.5, VOID))
        at.answer("b")
        (replies,) = await at.ask({"a": ASK_STATE, "b": ASK_STATE})
        assert trio.current_time() == pytest.approx(1.5)
    assert reason_of(replies["a"]) is None
    assert reason_of(replies["b"]) is Reason.TIMED_OUT


# -- the clock for the whole game ---------------------------------------------------------------


async def test_all_answers_of_a_player_together_have_a_clock() -> None:
    async with room("a b", clocks=CLOCKS._replace(game=11.2)) as at:
        at.answer("a", (0.8, VOID), (9.0, MERGE), (0.9, KEPT))
        at.answer("b", (0.9, VOID))
        heard = await at.ask(
            {"a": ASK_STATE, "b": ASK_STATE}, {"a": ASK_TURN}, {"a": ASK_KEEP}, {"a": ASK_PLAYERS}
        )
        assert trio.current_time() == pytest.approx(0.9 + 9.0 + 0.9 + 0.5)
    assert [reason_of(asked["a"]) for asked in heard[:3]] == [None] * 3
    assert isinstance(late := heard[3]["a"], Fault)
    assert late.detail.startswith(
        "All its answers in a game may take 11.2 s (clocks.game). They took 11.2 s, up to the "
        "question for <order>."
    )


async def test_clock_of_a_question_is_named_before_an_equal_one_for_the_game() -> None:
    async with room("a b", clocks=Clocks(1.0, 1.0, game=1.0)) as at:
        at.answer("b", (0.5, VOID))
        (replies,) = await at.ask({"a": ASK_STATE, "b": ASK_STATE})
    assert isinstance(late := replies["a"], Fault)
    assert late.detail.startswith("The limit for <void> was 1 s.")


async def test_waiting_for_a_processor_is_not_taken_from_the_clock_for_the_game() -> None:
    clocks = CLOCKS._replace(game=11.0)
    async with room("a", clocks=clocks, work={"a": program(0.5, 0.5)}) as at:
        heard = await at.alone((0, VOID), (12.0, MERGE), (0, KEPT), (5.0, ORDER))
    assert [*map(reason_of, heard)] == [None] * 4


@pytest.mark.parametrize(
    ("seconds", "reason"), [(1.9, None), (2.0, Reason.TIMED_OUT)], ids=["in time", "late"]
)
async def test_time_given_back_for_lag_is_not_taken_from_the_rest_of_the_turn(
    seconds: float, reason: Reason | None
) -> None:
    async with room("a") as at, trio.open_nursery() as measuring:
        measuring.start_soon(at.lag.run)
        # a measurement due at 1.0 comes at 4.95: the mover gets 3.95 s back, and used 8.05 of 10
        trio.lowlevel.add_instrument(AtTheLastMoment(0.95, jump(4.0)))
        measuring.start_soon(trio.sleep, 0.95)
        heard = await at.alone((0, VOID), (12.0, MERGE), (0, KEPT), (seconds, ORDER))
        measuring.cancel_scope.cancel()
    assert reason_of(heard[1]) is None
    assert reason_of(heard[3]) is reason


async def test_lag_counts_before_it_is_measured(nursery: trio.Nursery) -> None:
    """Whoever asks may wake before the task that measures."""
    lag = Lag()
    nursery.start_soon(lag.run)
    await wait_all_tasks_blocked()
    jump(4.0)()
    assert lag.worst_since(0) == pytest.approx(4.0 - Lag.INTERVAL)


# -- speaking, and leaving, without being asked -------------------------------------------------


async def test_who_speaks_while_another_is_asked_is_out_of_turn() -> None:
    async with room("a b") as at:
        at.answer("a", (0.5, VOID), (0.5, MERGE))
        at.nursery.start_soon(at.peers["b"].send, b"<void/>")
        heard = await at.ask({"a": ASK_STATE}, {"a": ASK_TURN}, {"b": ASK_STATE})
        at.answer("b")
    assert reason_of(heard[2]["b"]) is Reason.OUT_OF_TURN


async def test_who_speaks_while_house_players_are_asked_is_out_of_turn() -> None:
    async with room("a", house="h") as at:
        at.answer("a", (0.5, b"<void/>"))

        def questions() -> Questions:
            first = yield {"a": ASK_STATE, "h": ASK_STATE}
            assert reason_of(first["a"]) is None
            send_now(at.peers["a"], b"<void/>")
            yield {"h": ASK_STATE}
            heard.append((yield {"a": ASK_STATE})["a"])
            return Outcome(Ending.INTERRUPTED, 0, (), ())

        heard: list[Reply | Fault] = []
        await at.table.play(questions())
    assert reason_of(heard[0]) is Reason.OUT_OF_TURN


async def test_white_space_between_answers_is_no_fault() -> None:
    async with room("a b") as at:
        at.answer("a", (0.5, VOID))
        at.answer("b", (0, b" \n"))
        at.nursery.start_soon(at.peers["b"].send, b"\r\n\t ")
        heard = await at.ask({"a": ASK_STATE}, {"b": ASK_STATE})
    assert reason_of(heard[1]["b"]) is Reason.TIMED_OUT, "white space is no answer either"


async def test_who_left_while_another_was_asked_is_gone_when_asked() -> None:
    async with room("a b") as at:
        at.answer("a", (0.5, VOID))
        await at.peers["b"].stream.aclose()
        heard = await at.ask({"a": ASK_STATE}, {"b": ASK_STATE})
        assert trio.current_time() == pytest.approx(0.5), "nobody waits for who is gone"
    assert reason_of(heard[1]["b"]) is Reason.DISCONNECTED


async def test_who_leaves_within_an_answer_is_gone_with_what_came_of_it() -> None:
    async with room("a") as at:

        async def half() -> None:
            await at.peers["a"].hear(messages.State)
            await at.peers["a"].send(b"<vo")
            await at.peers["a"].stream.aclose()

        at.nursery.start_soon(half)
        ((reply,),) = [batch.values() for batch in await at.ask({"a": ASK_STATE})]
    assert reply == Fault(
        Reason.DISCONNECTED,
        "The player closed the connection in the middle of a message; expected <void>.",
        b"<vo",
    )


# -- who does not read --------------------------------------------------------------------------


async def test_who_does_not_read_the_question_is_late() -> None:
    async with room("a b") as at:
        at.answer("b", (0.1, VOID))
        seat = at.seats["a"]
        assert isinstance(seat, RemoteSeat)
        fill(seat.socket)
        (replies,) = await at.ask({"a": ASK_STATE, "b": ASK_STATE})
        assert trio.current_time() == pytest.approx(REPLY)
        await at.peers["a"].stream.aclose()
    assert reason_of(replies["b"]) is None
    assert isinstance(late := replies["a"], Fault)
    assert late.reason is Reason.TIMED_OUT
    assert late.detail.endswith("The question itself was not read.")
    assert late.circumstance is Circumstance.UNREAD


def fill(connection: socket.socket) -> None:
    """Send white space, which belongs to no message, until the kernel buffers are full."""
    with suppress(BlockingIOError):
        while True:
            connection.send(b" " * 65536)


async def test_who_reads_slowly_but_in_time_gets_all_of_the_question() -> None:
    big = messages.State(POSITION.board, tuple(player("x" * 60, "1A") for _ in range(6)))
    async with room("a") as at:
        seat, peer = at.seats["a"], at.peers["a"]
        assert isinstance(seat, RemoteSeat)
        fill(seat.socket)

        async def read() -> bytes:
            received = b""
            async with peer.stream:
                while not received.endswith(b"</state>"):
                    await trio.sleep(0.01)
                    received = (received + await peer.stream.receive_some(4096)).lstrip()
                await peer.say(VOID)
                assert await peer.stream.receive_some() == b""
            return received

        async def check() -> None:
            assert await read() == WRITER.write(big)

        at.nursery.start_soon(check)
        ((reply,),) = [batch.values() for batch in await at.ask({"a": Ask(big, POSITION)})]
    assert isinstance(reply, Reply) and reply.message == VOID


# -- leaving ------------------------------------------------------------------------------------


async def test_an_ejected_player_hears_why_and_the_others_play_on() -> None:
    sentences: list[str] = []
    async with room("a b") as at:

        async def loser() -> None:
            await at.peers["a"].hear(messages.State)
            await at.peers["a"].say(VOID)
            sentences.append(await at.peers["a"].is_told("invalid"))

        at.nursery.start_soon(loser)
        assert reason_of(await at.eject()) is None
    assert sentences == [f"So it was. {Reason.INVALID.sentence}"]


async def test_farewells_delay_no_other_player() -> None:
    async with room("a b") as at:  # a reads nothing and closes nothing
        at.nursery.start_soon(at.peers["a"].send, b"<void/>")
        await at.eject()
        assert trio.current_time() < 0.1
        await wait_all_tasks_blocked()
    assert trio.current_time() == pytest.approx(1.0), "one second is given, not two"
    await at.peers["a"].stream.aclose()


async def test_remaining_players_are_notified_of_an_interruption() -> None:
    async with room("a b") as at:
        told: list[str] = []

        async def listen(peer: Peer) -> None:
            await peer.hear(messages.State)
            told.append(await peer.is_told("interrupted"))

        for peer in at.peers.values():
            at.nursery.start_soon(listen, peer)
        with trio.move_on_after(0.5) as stopped:
            await at.ask({"a": ASK_STATE, "b": ASK_STATE})
    assert stopped.cancelled_caught
    assert told == [Reason.INTERRUPTED.sentence] * 2


async def test_slow_reader_is_notified_of_an_interruption_too() -> None:
    received = b""
    async with room("a") as at, trio.open_nursery() as nursery:
        seat, peer = at.seats["a"], at.peers["a"]
        assert isinstance(seat, RemoteSeat)
        fill(seat.socket)

        async def read_from_then_on() -> None:
            nonlocal received
            await trio.sleep(0.5)
            at.nursery.cancel_scope.cancel()  # as when the server is stopped
            with trio.CancelScope(shield=True):
                await trio.sleep(0.5)
                async for data in peer.stream:
                    received = (received + data).lstrip()

        nursery.start_soon(read_from_then_on)
        await at.ask({"a": ASK_STATE})
    assert received.startswith(b"<state>") and received.endswith(b"</ejected>")


async def test_an_ejected_player_that_still_sends_is_read_until_it_closes() -> None:
    async with room("a b") as at:

        async def chatter() -> None:
            async with at.peers["a"].stream as stream:
                await at.peers["a"].hear(messages.State)
                await stream.send_all(b"<void/>")
                await at.peers["a"].hear(messages.Ejected)
                for _ in range(5):
                    await trio.sleep(0.1)
                    await stream.send_all(b"but " * 10_000)

        at.nursery.start_soon(chatter)
        await at.eject()


async def test_bug_is_sent_as_an_interruption_and_raised() -> None:
    def questions() -> Questions:
        yield {"a": ASK_STATE}
        raise ZeroDivisionError("a bug of ours")

    async with room("a b") as at:
        at.answer("a", (0, VOID))
        at.nursery.start_soon(at.peers["b"].is_told, "interrupted")
        with pytest.raises(ZeroDivisionError):
            await at.table.play(questions())
