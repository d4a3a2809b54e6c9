"""Each member of the misbehaving cast against the real server over TCP: a matrix.

Every member plays one match, on a connection of its own to a server of its own, with the player
program's blocking client in a thread; all the matches run side by side in one event loop. The deal
of each is searched for with the strategies alone, see `deal_for`.
"""

from __future__ import annotations

import base64
import gc
import os
import shutil
import sys
import tracemalloc
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import pytest
import trio
from loopback import PATIENT, WRITER, Peer, Witness, serving, verified
from lxml import etree

from admin import events
from admin.deal import Dealer
from admin.record import Record
from admin.referee import Referee, Replies, Reply
from admin.server import Match
from admin.table import Clocks
from game.rulebook import REVISED
from game.turn import Ending
from game.violation import Violation
from player.cast import CAST, EXPECTED, SCORE, SIGNUP, Member
from player.client import Client, Played, connect
from player.misbehaving import Misbehaving, signs_up_with
from player.misdeeds import Dribble, Flood, GoAway, Misdeed, Reset, Send
from player.strategies import Ordered
from protocol import messages
from protocol.faults import Fault, Reason
from protocol.framing import LIMIT_FROM_PLAYER
from protocol.messages import AdministratorMessage, PlayerMessage

IMPATIENT = Clocks(0.5, 0.5)
"""For those who are to be late: real seconds, spent side by side."""
SIGNUP_TIMEOUT = 2.0
"""Seconds until the house takes the empty seats; only the member has to sign up in time."""
AT_ONCE = 40
"""Matches side by side."""
EARLY = 25
"""The turn by which a misdeed should find its opportunity."""
DEALS = 20
"""Deals among which one with an early opportunity is looked for."""
RARE = 1000
"""Deals after which a misdeed is held to be impossible."""

QUESTIONS = {"setup": "state", "order": "players"}
"""The root element that asks at a step, where it is not the step's name."""


def opportunity(member: Member, seed: int) -> int | None:
    """Return the turn in which a member misbehaves in this deal, beside two of the house."""
    misbehaving = Misbehaving(member, REVISED, 0)
    players: dict[str, Callable[[AdministratorMessage], PlayerMessage | Misdeed]]
    players = {"member": misbehaving, "b": Ordered(REVISED, 0), "c": Ordered(REVISED, 0)}
    dealer = Dealer(seed)
    referee = Referee(REVISED, list(players), dealer.bag, dealer.shuffle, lambda _: None)
    story = referee.story()
    asks = next(story)
    while True:
        replies: Replies = {}
        for name, ask in asks.items():
            answer = players[name](ask.message)
            if misbehaving.deed is not None:
                return referee.turns
            assert not isinstance(answer, Misdeed)
            replies[name] = Reply(answer)
        try:
            asks = story.send(replies)
        except StopIteration:
            return None


@cache
def deal_for(member: Member) -> int:
    """Return the first seed with an early opportunity, or else the first with any.

    Nearly all find theirs in the first deal. Early a few deals on: `turn-too-dear`,
    `turn-founds-an-eighth` and `keep-one-too-few`, for which three hotels have to merge. Never
    early: `turn-safe-merger`, `order-too-dear` and, of course, whatever happens at the scores.
    Whoever does not sign up needs no deal.
    """
    if member.step is SIGNUP:
        return 0
    for seed in range(DEALS):
        turn = opportunity(member, seed)
        if turn is not None and turn <= EARLY:
            return seed
    return next(seed for seed in range(RARE) if opportunity(member, seed) is not None)


# -- one match ----------------------------------------------------------------------------------


class Encounter(NamedTuple):
    """A member's match: how it went for the member, and for the server.

    ``deed`` is its misdeed, ``refused`` are those who were turned away before the match.
    """

    member: Member
    played: Played
    deed: object
    match: Match
    record: Record
    refused: list[tuple[str, Fault]]

    @property
    def ejected(self) -> events.Ejected:
        """The only ejection of the match."""
        (ejected,) = self.match.outcome.ejected
        return ejected


def misbehave(port: int, member: Member) -> tuple[Played, object]:
    """Play as the player program does; blocks."""
    connection = connect("127.0.0.1", port, 0)
    connection.settimeout(60)
    misbehaving = Misbehaving(member, REVISED, 0)
    sign_up = signs_up_with(member.name)
    played = Client(connection, REVISED).play(member.name, misbehaving, sign_up)
    return played, sign_up or misbehaving.deed


def clocks_for(member: Member) -> Clocks:
    """Be impatient only with those who are to be late."""
    return IMPATIENT if member.reason is Reason.TIMED_OUT else PATIENT


async def meet(member: Member, log_dir: Path) -> Encounter:
    """Let a member play a match beside the house; one that does not sign up, before others do."""
    if member.step is SIGNUP:
        return await _meet_at_signup(member, log_dir)
    async with serving(
        log_dir,
        seed=deal_for(member),
        clocks=clocks_for(member),
        signup_timeout=SIGNUP_TIMEOUT,
        fill=("ordered", lambda _: Ordered(REVISED, 0)),
    ) as (_, witness):
        played, deed = await trio.to_thread.run_sync(
            misbehave, witness.port, member, abandon_on_cancel=True
        )
    match = witness.matches[1]
    return Encounter(member, played, deed, match, verified(match.log), witness.refused)


async def _meet_at_signup(member: Member, log_dir: Path) -> Encounter:
    async with serving(log_dir, clocks=clocks_for(member)) as (_, witness):
        played, deed = await trio.to_thread.run_sync(
            misbehave, witness.port, member, abandon_on_cancel=True
        )
        await sit_down(witness, "a", "b", "c")
    match = witness.matches[1]
    return Encounter(member, played, deed, match, verified(match.log), witness.refused)


async def sit_down(witness: Witness, *names: str) -> None:
    """Sign players up who behave well, and let them play to the end."""
    async with trio.open_nursery() as nursery:
        for name in names:
            peer = await Peer.signed_up(witness.port, name)
            nursery.start_soon(peer.play, Ordered(REVISED, 0))


async def sit_down_after(witness: Witness, first: str, *names: str) -> None:
    """Wait until somebody else has the first seat, then sit down."""
    await witness.until_signed_up(first)
    await sit_down(witness, *names)


# -- the matrix ---------------------------------------------------------------------------------


class Traces(NamedTuple):
    """What a process holds: tasks of the event loop, and open descriptors."""

    tasks: int
    descriptors: tuple[str, ...]

    @classmethod
    def now(cls) -> Traces:
        """Look at them; sockets are told apart by their inodes."""
        folder = Path("/proc/self/fd")
        found = []
        for entry in os.listdir(folder):
            try:
                found.append(os.readlink(folder / entry))
            except FileNotFoundError:  # the folder's own descriptor
                continue
        return cls(trio.lowlevel.current_statistics().tasks_living, tuple(sorted(found)))


class Matrix(NamedTuple):
    """All encounters, and what there was before and after them."""

    encounters: dict[str, Encounter]
    failures: dict[str, Exception]
    before: Traces
    after: Traces

    def of(self, member: str) -> Encounter:
        """Return a member's encounter, or raise what went wrong with it."""
        if member in self.failures:
            raise self.failures[member]
        return self.encounters[member]


async def play_matrix(names: list[str], folder: Path) -> Matrix:
    """Let these members play, many side by side."""
    encounters: dict[str, Encounter] = {}
    failures: dict[str, Exception] = {}
    places = trio.CapacityLimiter(AT_ONCE)

    async def one(name: str) -> None:
        async with places:
            try:
                encounters[name] = await meet(CAST[name], folder / name)
            except Exception as failure:
                failures[name] = failure

    for name in names:
        deal_for(CAST[name])  # beforehand, for it would keep the event loop waiting
    before = Traces.now()
    late = [name for name in names if EXPECTED[name] is Reason.TIMED_OUT]
    others = [name for name in names if name not in late]
    for group in (late, others):  # whoever is to be late has the processor to itself
        async with trio.open_nursery() as nursery:
            for name in group:
                nursery.start_soon(one, name)
    return Matrix(encounters, failures, before, Traces.now())


@pytest.fixture(scope="module")
def matrix(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Matrix:
    """The matches of the members that the chosen tests are about, or of the whole cast."""
    names: dict[str, None] = {}
    for item in request.session.items:
        if isinstance(item, pytest.Function) and item.path == request.path:
            if "member" in item.fixturenames and "matrix" in item.fixturenames:
                names[str(item.callspec.params["member"])] = None
            elif "matrix" in item.fixturenames:
                names.update(dict.fromkeys(CAST))
    return trio.run(play_matrix, list(names), tmp_path_factory.mktemp("matrix"))


every_member = pytest.mark.parametrize("member", CAST)
every_player = pytest.mark.parametrize(
    "member", [name for name, member in CAST.items() if member.step is not SIGNUP]
)


@every_player
def test_exactly_the_misbehaving_player_is_ejected_for_its_misdeed(
    matrix: Matrix, member: str
) -> None:
    _, played, _, match, _, refused = encounter = matrix.of(member)
    assert not refused
    assert [(left.name, left.reason) for left in match.outcome.ejected] == [
        (played.name, EXPECTED[member])
    ]
    assert encounter.ejected.violation is CAST[member].violation
    step = CAST[member].step.name
    assert encounter.ejected.question == QUESTIONS.get(step, step)


@every_player
def test_the_others_finish_with_scores(matrix: Matrix, member: str) -> None:
    _, played, _, match, *_ = matrix.of(member)
    finished = {place.name: place.score for place in match.outcome.standings if place.finished}
    assert {seat.name for seat in match.seats} - {played.name} <= finished.keys()
    assert all(score > 0 for score in finished.values())
    assert (played.name in finished) is (CAST[member].step is SCORE)
    if CAST[member].step is not SCORE:
        last = match.outcome.standings[-1]
        assert (last.name, last.rank, last.score) == (played.name, len(match.seats), 0)


@every_member
def test_the_player_is_told_why_while_it_can_still_hear(matrix: Matrix, member: str) -> None:
    _, played, deed, *_ = encounter = matrix.of(member)
    reason = EXPECTED[member]
    if isinstance(deed, Reset):
        assert isinstance(played.last, Fault) and played.last.reason is Reason.DISCONNECTED
        return
    assert isinstance(played.last, messages.Ejected), played.last
    assert played.last.reason == reason.value
    violation = CAST[member].violation
    rule = reason.sentence if violation is None else violation.sentence
    assert rule in played.last.sentence
    assert len(played.last.sentence) > len(rule), "the rule alone says nothing of what came"
    assert played.last.sentence.endswith(".")
    if CAST[member].step is not SIGNUP:
        assert played.last.sentence.endswith(encounter.ejected.detail)


def offence(deed: object) -> bytes | None:
    """Return the bytes that have to be on record of a misdeed, ``None`` where none came."""
    match deed:
        case Send(data=data):
            return data[:LIMIT_FROM_PLAYER]
        case GoAway(first=first):
            return first
        case Flood():
            return b"<void".ljust(LIMIT_FROM_PLAYER)
    return None


@every_player
def test_the_log_holds_what_came(matrix: Matrix, member: str) -> None:
    _, played, deed, _, record, _ = matrix.of(member)
    mine = [
        element
        for element in record.elements
        if element.get("player") == played.name and element.tag in ("answer", "ejected")
    ]
    ejected = mine[-1]
    assert (ejected.tag, ejected.get("reason")) == ("ejected", EXPECTED[member].value)
    came = base64.b64decode(ejected.findtext("bytes") or "")
    if isinstance(deed, Dribble):
        assert 0 < len(came) < len(deed.data) and deed.data.startswith(came)
    elif isinstance(deed, Misdeed):
        assert came.strip() == (offence(deed) or b"").strip()
    else:  # the schema takes it, so it stands in the log as any other answer does
        assert isinstance(deed, messages.Pbuy | messages.Merge | messages.Order | messages.Kept)
        assert mine[-2].get("to") == ejected.get("to")
        assert etree.tostring(mine[-2][0], with_tail=False) == WRITER.write(deed)
    rule = CAST[member].violation
    assert ejected.get("rule") == (rule.value if rule else None)


@every_member
def test_the_log_holds_to_its_end(matrix: Matrix, member: str) -> None:
    # the schema and every fact in it were checked when it was read
    assert matrix.of(member).record.complete


@pytest.mark.parametrize("member", [name for name, member in CAST.items() if member.step is SIGNUP])
def test_a_failed_sign_up_leaves_the_seat_to_the_next(matrix: Matrix, member: str) -> None:
    _, _, deed, match, _, refused = matrix.of(member)
    ((name, fault),) = refused
    assert (name, fault.reason) == ("", EXPECTED[member])
    assert isinstance(deed, Misdeed)
    if isinstance(deed, Dribble):
        assert fault.data and deed.data.startswith(fault.data)
    else:
        assert fault.data.strip() == (offence(deed) or b"").strip()
    assert [seat.name for seat in match.seats] == ["a", "b", "c"]
    assert not match.outcome.ejected
    assert all(place.finished for place in match.outcome.standings)


def test_every_rule_that_can_be_broken_was_broken(matrix: Matrix) -> None:
    broken = {
        encounter.ejected.violation
        for encounter in matrix.encounters.values()
        if encounter.member.reason is Reason.ILLEGAL
    }
    # the schema refuses three certificates; under this rulebook an eighth hotel stays loose
    assert broken == {*Violation} - {Violation.TOO_MANY, Violation.EIGHTH_HOTEL}


def test_no_task_or_descriptor_is_left_of_all_the_matches(matrix: Matrix) -> None:
    assert matrix.after == matrix.before


# -- the same, as users have it -----------------------------------------------------------------

AS_PROCESSES = (
    "signup-doctype-bomb",
    "setup-crashes",
    "turn-dribble",
    "turn-floods",
    "turn-tile-not-in-hand",
    "keep-speaks-ahead",
    "tile-goes-away-half",
    "state-stray-text",
)
ACQUIRE = shutil.which("acquire", path=Path(sys.executable).parent)


@pytest.mark.parametrize("member", AS_PROCESSES)
async def test_a_player_process_says_why_it_was_ejected(member: str, tmp_path: Path) -> None:
    assert ACQUIRE is not None, "the project is not installed"
    clocks = Clocks(1, 1) if EXPECTED[member] is Reason.TIMED_OUT else PATIENT
    async with serving(tmp_path, seed=deal_for(CAST[member]), clocks=clocks) as (_, witness):
        command = [ACQUIRE, "play", "127.0.0.1", str(witness.port), "--name", "mallory"]
        run = partial(
            trio.run_process,
            [*command, "--strategy", member],
            capture_stdout=True,
            capture_stderr=True,
            check=False,
        )
        if CAST[member].step is SIGNUP:
            process = await run()
            await sit_down(witness, "a", "b", "c")
        else:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(sit_down_after, witness, "mallory", "b", "c")
                process = await run()
    assert process.returncode == 1
    assert process.stdout == b""
    (line,) = process.stderr.decode().splitlines()
    outcome = witness.matches[1].outcome
    if CAST[member].step is SIGNUP:
        assert not outcome.ejected
    else:
        assert [(left.name, left.reason) for left in outcome.ejected] == [
            ("mallory", EXPECTED[member])
        ]
    if member == "setup-crashes":
        assert line == "mallory: The connection was closed or lost. This player broke it off."
    else:
        assert line.startswith(f"mallory: ejected ({EXPECTED[member].value}). ")
    verified(witness.matches[1].log)


# -- many at one table --------------------------------------------------------------------------

ROGUES = ("turn-mixed", "tile-not-xml", "state-crashes", "keep-says-void")


async def test_honest_players_finish_beside_four_who_misbehave(tmp_path: Path) -> None:
    async with (
        serving(tmp_path, players=6, seed=3) as (_, witness),
        trio.open_nursery() as nursery,
    ):
        for count, name in enumerate(ROGUES, 1):  # with other seats it would be another game
            nursery.start_soon(trio.to_thread.run_sync, misbehave, witness.port, CAST[name])
            await witness.until_signed_up(*ROGUES[:count])
        nursery.start_soon(sit_down, witness, "h1", "h2")
    outcome = witness.matches[1].outcome
    assert {left.name: left.reason for left in outcome.ejected} == {
        name: EXPECTED[name] for name in ROGUES
    }
    assert {place.name for place in outcome.standings if place.finished} == {"h1", "h2"}
    verified(witness.matches[1].log)


async def test_a_table_of_nothing_but_misbehaving_players_ends_with_nobody(tmp_path: Path) -> None:
    rogues = ("turn-says-void", "tile-nul", "state-too-deep")
    async with serving(tmp_path) as (_, witness), trio.open_nursery() as nursery:
        for name in rogues:
            nursery.start_soon(trio.to_thread.run_sync, misbehave, witness.port, CAST[name])
    outcome = witness.matches[1].outcome
    assert outcome.ending is Ending.NOBODY_LEFT
    assert {left.name: left.reason for left in outcome.ejected} == {
        name: EXPECTED[name] for name in rogues
    }
    assert not any(place.finished for place in outcome.standings)
    verified(witness.matches[1].log)


# -- memory -------------------------------------------------------------------------------------

SOME = ("turn-floods", "tile-doctype-bomb", "state-goes-away-half", "signup-not-utf-8")
ROUNDS = 2
GROWTH = 10_000
"""Bytes that a match may leave behind: the event loop and the interpreter keep a few lists."""


async def play_beside_others(member: Member, log_dir: Path) -> None:
    """Let a member play a match beside two players who behave well."""
    async with serving(log_dir, seed=deal_for(member)) as (_, witness):
        play = partial(trio.to_thread.run_sync, misbehave, witness.port, member)
        if member.step is SIGNUP:
            await play()
            await sit_down(witness, "a", "b", "c")
        else:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(play)
                await sit_down_after(witness, member.name, "b", "c")


async def test_memory_does_not_grow_from_match_to_match(tmp_path: Path) -> None:
    async def play_round(number: int) -> int:
        for name in SOME:
            await play_beside_others(CAST[name], tmp_path / f"{number}-{name}")
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    await play_round(0)  # what is read, rendered and remembered
    tracemalloc.start()
    try:
        first = await play_round(1)
        *_, last = [await play_round(number) for number in range(2, 2 + ROUNDS)]
    finally:
        tracemalloc.stop()
    assert (last - first) / (ROUNDS * len(SOME)) < GROWTH
