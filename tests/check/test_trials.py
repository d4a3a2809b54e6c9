"""Difficult trials: players that fall silent, and slow connections, in virtual time."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import chain

import pytest
from virtual_time import Players, PlayerSocket

from acquire.admin.refereeing.table.clocks import Clocks
from acquire.admin.refereeing.table.lag import Lag
from acquire.admin.testing.cases.case import Case, Scenario
from acquire.admin.testing.judging.check_result import CaseResult, CaseVerdict
from acquire.admin.testing.judging.checker import (
    ENOUGH,
    GIVE_UP_AFTER,
    MACHINE_FAILED,
    Checker,
    CheckObserver,
)
from acquire.admin.testing.trial.player_source import MachineFailed, PlayerConnection
from acquire.admin.testing.trial.trial import Trial, TrialResult
from acquire.admin.testing.trial.wire import Delivery
from acquire.game.rulebooks import REVISED
from acquire.player.program.client import Client
from acquire.player.strategies.simple import Ordered
from acquire.protocol import messages
from acquire.protocol.faults import Reason
from acquire.protocol.messages import PlayerMessage, RefereeMessage
from check.rehearsal import case_of, section_of
from check.thread_players import Play, ThreadSource, play_well


def fall_silent(player: PlayerSocket, name: str) -> None:
    """Sign up, and send nothing until the referee closes the connection."""
    player.sendall(f'<signup name="{name}"/>'.encode())
    while player.recv(65536):
        pass


async def test_player_that_never_answers_is_given_up(players: Players) -> None:
    cases = [*section_of(REVISED, "buying").values(), *section_of(REVISED, "founding").values()]
    judged: list[CaseResult] = []

    class Noting(CheckObserver):
        def case_judged(self, result: CaseResult) -> None:
            judged.append(result)

    checker = Checker(cases, ThreadSource(fall_silent, players), Noting(), jobs=8)
    results = await checker.run()
    assert len(results) == len(cases)
    played = [result.played for result in judged]
    assert ENOUGH <= played.count(True) <= ENOUGH + 8
    under_way = played[played.index(False) :].count(True)
    assert under_way <= 8, "afterwards only those that were being played are played"
    given_up = [result for result in results if not result.played]
    assert {result.verdict for result in given_up} == {CaseVerdict.NOT_REACHED}
    assert all("--keep-going" in result.actual for result in given_up)


async def test_cases_that_wait_begin_first_unless_one_is_played_at_a_time(players: Players) -> None:
    """At the end, nothing would be left to play beside them."""
    waiting = ["before-the-match", "others-think"]
    cases = [*section_of(REVISED, "growth").values()][:2]
    cases += [case_of(REVISED, f"clocks/{slug}") for slug in waiting]
    begun: list[str] = []

    class Noting(CheckObserver):
        def case_started(self, case: Case) -> None:
            begun.append(case.slug)

    for jobs in (1, 2):
        begun.clear()
        source = ThreadSource(play_well, players)
        results = await Checker(cases, source, Noting(), jobs=jobs).run()
        assert [result.case for result in results] == cases
        given = [case.slug for case in cases]
        assert begun == (given if jobs == 1 else [*given[2:], *given[:2]])


@pytest.mark.parametrize(
    ("used", "cause"), [(0.9, "The program was computing"), (0.0, "Nothing at all arrived")]
)
async def test_time_to_the_sign_up_is_accounted_for(
    used: float, cause: str, players: Players
) -> None:
    class Loading(ThreadSource):
        @asynccontextmanager
        async def connect(self, name: str) -> AsyncIterator[PlayerConnection]:
            async with super().connect(name) as player:
                player.work = lambda _: (used, 0.0, 0.0)
                yield player

    source = Loading(lambda player, _: player.recv(1), players)
    (result,) = await Checker([case_of(REVISED, "sign-up/speaks-first")], source).run()
    assert result.actual.startswith(cause) and "still loads something" in result.actual
    assert f"it computed for {used:.2g} s" in result.actual


class TwoOnOneProcessor(ThreadSource):
    """Players that compute all the time; two of them have half of the processor each."""

    connected = 0

    @asynccontextmanager
    async def connect(self, name: str) -> AsyncIterator[PlayerConnection]:
        """Start the player; what it then computes depends on how many others there are."""
        self.connected += 1
        used = 1 / self.connected
        try:
            async with super().connect(name) as player:
                player.work = lambda _: (used * BEYOND, (1 - used) * BEYOND, 0.0)
                yield player
        finally:
            self.connected -= 1


BEYOND = 1.1
"""Seconds for a turn that has 1."""


async def test_player_that_only_the_cases_beside_its_own_excuse_is_tried_alone(
    players: Players,
) -> None:
    def play_late(connection: PlayerSocket, name: str) -> None:
        class Late(Ordered):
            def __call__(self, message: RefereeMessage) -> PlayerMessage:
                if isinstance(message, messages.Turn):
                    connection.sleep(BEYOND)
                return super().__call__(message)

        Client(connection).play(name, lambda rulebook: Late(rulebook, 0))

    cases = [case_of(REVISED, f"turn/{slug}") for slug in ("alone", "diagonal")]
    source = TwoOnOneProcessor(play_late, players)
    results = await Checker(cases, source, jobs=2, clocks=lambda _: Clocks(1.0, 1.0)).run()
    assert [(each.verdict, each.ended_by) for each in results] == [
        (CaseVerdict.FAIL, "timed-out"),
        (CaseVerdict.FAIL, "timed-out"),
    ]


class SmallMachine(ThreadSource):
    """A machine with room for a number of programs; it kills those that start beside them."""

    def __init__(self, players: Players, room: int) -> None:
        super().__init__(self._live_or_die, players)
        self._room, self._killed = room, set[str]()
        self._running = 0

    def _live_or_die(self, player: PlayerSocket, name: str) -> None:
        if name in self._killed:
            player.sendall(f'<signup name="{name}"/>'.encode())
        else:
            play_well(player, name)

    @asynccontextmanager
    async def connect(self, name: str) -> AsyncIterator[PlayerConnection]:
        """Start the player, and tell that it was killed for lack of room."""
        self._running += 1
        change = self._killed.add if self._running > self._room else self._killed.discard
        change(name)
        async with super().connect(name) as player:
            yield player
        self._running -= 1
        if name in self._killed:
            raise MachineFailed("The room is full.")


TURNS = [*section_of(REVISED, "turn").values()]


async def test_cases_that_the_machine_has_no_room_for_together_are_played_alone(
    players: Players,
) -> None:
    results = await Checker(TURNS, SmallMachine(players, room=1), jobs=3).run()
    assert {each.verdict for each in results} == {CaseVerdict.PASS}


async def test_player_fails_no_case_in_which_the_machine_failed(players: Players) -> None:
    results = await Checker(TURNS, SmallMachine(players, room=0)).run()
    assert {each.verdict for each in results} == {CaseVerdict.NOT_REACHED}
    assert [each.actual for each in results if not each.played] == [
        "Given up: this machine failed in 3 cases in a row (--keep-going plays them all)."
    ] * (len(TURNS) - GIVE_UP_AFTER[MACHINE_FAILED][0])


GIVE_UP = GIVE_UP_AFTER["timed-out"][0]


@pytest.mark.soak
async def test_player_that_has_answered_is_given_up_after_time_outs_in_a_row(
    players: Players,
) -> None:
    count = 0

    def play(player: PlayerSocket, name: str) -> None:
        nonlocal count
        count += 1
        (play_well if count == 1 else fall_silent)(player, name)

    sections = (section_of(REVISED, section).values() for section in ("buying", "founding"))
    cases = [*chain(*sections)][: 2 * GIVE_UP + 1]
    assert len(cases) == 2 * GIVE_UP + 1
    results = await Checker(cases, ThreadSource(play, players)).run()
    assert [result.played for result in results].count(True) == count == 1 + GIVE_UP


# -- a slow wire --------------------------------------------------------------------------------


def tenths(message: bytes) -> list[bytes]:
    size = len(message) // 10 + 1
    return [message[start : start + size] for start in range(0, len(message), size)]


SLOW = Delivery(split=tenths, gap=0.08)
"""The delivery of each message takes most of a second."""


async def play_slowly(play: Play, players: Players) -> TrialResult:
    """Play one turn over a slow wire, with clocks of less than the delivery."""
    one_turn = Scenario("player | ann | bob").script(REVISED)
    trial = Trial(one_turn, Clocks(0.3, 0.3), Lag(), SLOW)
    async with ThreadSource(play, players).connect("player") as player:
        return await trial.play(player.socket, player.peer)


async def test_time_on_the_wire_is_not_charged_to_the_player(players: Players) -> None:
    result = await play_slowly(play_well, players)
    assert result.ejected is None and result.outcome is not None


async def test_silence_behind_a_slow_wire_is_a_time_out(players: Players) -> None:
    result = await play_slowly(fall_silent, players)
    assert result.ejected is not None and result.ejected.reason is Reason.TIMED_OUT
    assert not result.referee_was_late
