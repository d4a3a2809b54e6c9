"""`acquire check-server` comes to an end, and reports, whatever an administrator sends."""

import copy
import random
import re
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from itertools import count
from typing import TypeVar

import pytest
import trio
from trio.testing import MockClock

from acquire.admin.refereeing.table.clocks import Clocks
from acquire.admin.testing.cases.message_forms import SPLITS
from acquire.admin.testing.servers.administrator_check import AdministratorCheck, PlayedMatch
from acquire.admin.testing.servers.exchanges import Exchanged, MatchTrace, SeatTrace
from acquire.admin.testing.servers.match_player import (
    AddressSource,
    Administrator,
    MatchPlayer,
    NoAdministrator,
    free_ports,
)
from acquire.admin.testing.servers.plans import HONESTLY, MatchPlan, SeatPlan, cast_for
from acquire.admin.testing.servers.requirements import cases_for
from acquire.admin.testing.servers.seat_client import Manner
from acquire.admin.testing.servers.whole_match import of_whole_match
from acquire.admin.testing.trial.wire import Delivery
from acquire.game.rulebooks import RULEBOOKS
from acquire.protocol import messages
from acquire.protocol.faults import Fault
from acquire.protocol.reading import referee_reader
from check.recorded_matches import CLOCKS, check_for, plans, traces

BOOK = RULEBOOKS["revised"]
CAST = cast_for(BOOK)
STATE = b"<state><board/>%b</state>" % b"".join(
    b'<player name="player%d" cash="8000"/>' % number for number in (1, 2, 3)
)
CHEATS = ("turn-mixed", "order-silent", "keep-says-void")
T = TypeVar("T")
Serve = Callable[[trio.SocketStream, int], Awaitable[None]]


def beside(serve: Serve, check: Callable[[int], Awaitable[T]]) -> T:
    """Call ``check`` with the port of an administrator that serves so; time passes by itself.

    ``serve`` is called with each connection and its number.
    """

    async def run() -> T:
        numbers = count()
        (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")

        async def accept(stream: trio.SocketStream) -> None:
            with suppress(trio.BrokenResourceError):
                await serve(stream, next(numbers))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.serve_listeners, accept, [listener])
            found = await check(listener.socket.getsockname()[1])
            nursery.cancel_scope.cancel()
        return found

    return trio.run(run, clock=MockClock(autojump_threshold=0.002))


def match_with(serve: Serve, manner: Manner = HONESTLY) -> MatchTrace:
    """Return what three honest players see of a match at such an administrator."""
    plan = MatchPlan("a test", (SeatPlan(manner=manner),) * 3)
    player = MatchPlayer(CAST, Clocks.for_seats)
    return beside(serve, lambda port: player.play(plan, Administrator("127.0.0.1", port)))


async def sign_up(stream: trio.SocketStream) -> None:
    await stream.send_all(await stream.receive_some())


@pytest.mark.parametrize("pause", [0.01, 0.1])
def test_match_in_which_our_players_were_slow_is_no_test_of_clocks(pause: float) -> None:
    async def ask(stream: trio.SocketStream, _: int) -> None:
        await sign_up(stream)
        await stream.send_all(STATE)
        while b"/" not in await stream.receive_some():
            pass

    by_bytes = Manner(delivery=Delivery(split=SPLITS["bytes"], gap=pause))
    assert match_with(ask, by_bytes).late is (pause == 0.1)


def test_match_in_which_messages_never_end_is_given_up() -> None:
    async def flood(stream: trio.SocketStream, _: int) -> None:
        await sign_up(stream)
        while True:
            await stream.send_all(STATE)

    trace = match_with(flood)
    assert any("it never comes to an end" in seat.end for seat in trace.seats)
    assert sum(len(seat.exchanges) for seat in trace.seats) <= 10_000


def test_match_is_given_up_in_which_a_message_comes_now_and_then() -> None:
    async def send_now_and_then(stream: trio.SocketStream, _: int) -> None:
        await sign_up(stream)
        while True:
            await stream.send_all(STATE)
            await trio.sleep(8)

    trace = match_with(send_now_and_then)
    assert trace.trouble == "It was given up after 900 s, although messages still came."


def test_connection_that_is_reset_before_any_message_is_reported() -> None:
    async def reset(stream: trio.SocketStream, _: int) -> None:
        await stream.receive_some(1)  # what is left unread lets the system reset the connection

    trace = match_with(reset)
    assert any(seat.reset for seat in trace.seats)
    match = PlayedMatch(MatchPlan("a test", (SeatPlan(),) * 3), trace, CLOCKS)
    match.judge()
    assert [each.case for each in match.findings] == ["sign-up/seat"]


def test_order_that_is_asked_for_without_a_turn_is_judged() -> None:
    """A player that falls silent at its order has thought of no turn before."""
    asked = Exchanged(messages.Players(()), b"<players/>", 1.0)
    cheat = CAST.members["order-silent"]
    seat = SeatTrace("a", "a", [asked], ended=13.1, cheat=cheat, cheated=asked)
    assert [*of_whole_match(MatchPlan("", ()), MatchTrace(BOOK, [seat]), CLOCKS)] == []


def test_connection_that_is_not_accepted_is_given_up() -> None:
    async def connect(_: int) -> str:
        with trio.socket.socket() as listener:
            await listener.bind(("127.0.0.1", 0))
            listener.listen(0)
            address = listener.getsockname()
            async with AsyncExitStack() as queue:
                try:
                    for _ in range(9):  # a queue of none has room for one or two
                        await queue.enter_async_context(await Administrator(*address).connect())
                except NoAdministrator as error:
                    return str(error)
        return "all were accepted"

    async def nothing(stream: trio.SocketStream, _: int) -> None:
        pass

    assert beside(nothing, connect).endswith("it did not accept one in 5 s.")


@pytest.mark.parametrize(
    ("patience", "end"),
    [(0.05, "Connection refused. It did not listen there within 0.05 s."), (0.0, "refused.")],
)
def test_port_on_which_nobody_listens_is_given_up(patience: float, end: str) -> None:
    with pytest.raises(NoAdministrator) as error:
        trio.run(Administrator("127.0.0.1", next(free_ports()), None, patience).connect)
    assert str(error.value).endswith(end)


def test_matches_that_do_not_come_about_are_not_all_played_twice() -> None:
    async def play_one(stream: trio.SocketStream, number: int) -> None:
        await sign_up(stream)
        if number < 3:
            await stream.send_all(STATE)
        await trio.sleep_forever()

    async def check(port: int) -> float:
        began, player = trio.current_time(), MatchPlayer(CAST, Clocks.for_seats)
        source = AddressSource("127.0.0.1", port)
        await AdministratorCheck(
            cases_for(BOOK, CAST.members.values()), source, player, 3, 20, limit=30.0
        ).run()
        return trio.current_time() - began

    assert beside(play_one, check) < 120


VALUES = [b"-1", b"0", b"99999999999999999999", b"1" * 4000, b"", b"x", b"A", b"12", b"player2"]


def changed(message: bytes, dice: random.Random) -> bytes:
    """Return a message in which some values or elements are others, missing, or doubled."""
    values = re.findall(rb'"([^"]*)"', message) if dice.random() < 0.5 else VALUES
    if dice.random() < 0.5:
        pattern, others = rb'(?<=")[^"]*(?=")', [*values, b""]
    else:
        pattern, others = rb"<[^>]*/>", [b"", *re.findall(rb"<[^>]*/>", message)]

    def other(match: re.Match[bytes]) -> bytes:
        found = bytes(match[0])
        return found if dice.random() < 0.9 else dice.choice([*others, found * 2])

    return re.sub(pattern, other, message)


def spoil(trace: MatchTrace, dice: random.Random) -> None:
    """Change one thing in what was sent in a match."""
    seat, reader = dice.choice(trace.seats), referee_reader(BOOK)
    if seat.cheated is not None and dice.random() < 0.5:
        seat.exchanges[:] = [seat.cheated]
    at = dice.randrange(len(seat.exchanges) or 1)
    match dice.randrange(8 if seat.exchanges else 2):
        case 0:
            seat.reset = True
        case 1:
            seat.name = dice.choice(["", "player1", "x\u202e"])
        case 2 if seat.cheated is None:
            del seat.exchanges[at:]
        case 3 if seat.exchanges[at] is not seat.cheated:
            del seat.exchanges[at]
        case 4:
            seat.exchanges.insert(at, copy.copy(dice.choice(seat.exchanges)))
        case 5:
            seat.exchanges[at].early = dice.choice([b"<ejected", b" ", b"\xff"])
        case _ if seat.exchanges[at].data:
            old = seat.exchanges[at]
            data = changed(old.data, dice)
            try:
                read = reader.convert(root := reader.parse(data), data)
            except SyntaxError as error:
                old.message, old.form, old.data = None, str(error), data
                return
            old.data, old.form = data, read.detail if isinstance(read, Fault) else ""
            old.message = reader.convert_leniently(root) if isinstance(read, Fault) else read


def test_every_match_can_be_judged(soak: bool) -> None:
    dice = random.Random(20)
    planned = plans(BOOK, CHEATS, 2)
    recorded = traces("", BOOK, planned)
    for number in range(2000 if soak else 25):
        plan, right = dice.choice(list(zip(planned, recorded, strict=True)))
        known = {id(each): each for each in (BOOK, *CAST.members.values())}
        trace = copy.deepcopy(right, known)
        for _ in range(dice.choice([1, 1, 2, 3, 6])):
            spoil(trace, dice)
        check = check_for(BOOK, (plan, trace))
        assert len(check.results()) == len(check.cases), number
