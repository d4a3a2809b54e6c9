"""Each member of the misbehaving cast against the real server over TCP: a matrix.

Every member plays one match, on a connection of its own to a server of its own; all the matches run
side by side in one event loop. Under `revised` and `classic` it is the whole cast; under the other
rulebooks, which have the words of `classic` and rules of their own, those who break a rule.
"""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest
import trio
from encounters import Encounter, meet
from lxml import etree
from misbehaviour import OTHERS, WHOLE_CASTS, cases, deal_for, is_illegal, plays

from game.rulebook import Rulebook
from player.misbehaving.cast import SCORE, Member, cast_for
from player.misbehaving.wire_faults import Flood, HalfClose, RawBytes, Reset, SlowBytes, WireFault
from protocol import messages
from protocol.faults import Fault, Reason
from protocol.framing import LIMIT_FROM_PLAYER
from protocol.writing import Writer

AT_ONCE = 60
"""Matches side by side."""
LATE_AT_ONCE = 30
"""As many of those in which somebody is to be late, and the others are not."""

QUESTIONS = {"setup": "state", "order": "players"}
"""The root element that asks at a step, where it is not the step's name."""

Key: TypeAlias = tuple[str, str]
"""The ids of a rulebook and of a member."""


def key_of(rulebook: Rulebook, member: Member) -> Key:
    return rulebook.id, member.name


EVERYBODY = [*cases(WHOLE_CASTS), *cases(OTHERS, is_illegal)]
AT_THE_TABLE = [case for case in EVERYBODY if plays(case.values[1])]
AT_THE_DOOR = [case for case in EVERYBODY if not plays(case.values[1])]
RULEBOOKS = (*WHOLE_CASTS, *OTHERS)

every_member = pytest.mark.parametrize(("rulebook", "member"), EVERYBODY)
every_player = pytest.mark.parametrize(("rulebook", "member"), AT_THE_TABLE)


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

    encounters: dict[Key, Encounter]
    failures: dict[Key, Exception]
    before: Traces
    after: Traces

    def of(self, rulebook: Rulebook, member: Member) -> Encounter:
        """Return a member's encounter, or raise what went wrong with it."""
        key = key_of(rulebook, member)
        if key in self.failures:
            raise self.failures[key]
        return self.encounters[key]


async def play_matrix(chosen: dict[Key, tuple[Rulebook, Member]], folder: Path) -> Matrix:
    """Let these members play, many side by side."""
    encounters: dict[Key, Encounter] = {}
    failures: dict[Key, Exception] = {}

    async def one(key: Key, places: trio.CapacityLimiter) -> None:
        async with places:
            try:
                encounters[key] = await meet(*chosen[key], folder.joinpath(*key))
            except Exception as failure:
                failures[key] = failure

    for rulebook, member in chosen.values():
        deal_for(rulebook, member)  # beforehand, for it would keep the event loop waiting
    before = Traces.now()
    late = [key for key, (_, member) in chosen.items() if member.reason is Reason.TIMED_OUT]
    others = [key for key in chosen if key not in late]
    for group, at_once in ((late, LATE_AT_ONCE), (others, AT_ONCE)):
        places = trio.CapacityLimiter(at_once)
        async with trio.open_nursery() as nursery:
            for key in group:
                nursery.start_soon(one, key, places)
    return Matrix(encounters, failures, before, Traces.now())


@pytest.fixture(scope="module")
def matrix(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Matrix:
    """The matches of the members that the chosen tests are about, or of everybody."""
    chosen: dict[Key, tuple[Rulebook, Member]] = {}
    for item in request.session.items:
        if not (isinstance(item, pytest.Function) and item.path == request.path):
            continue
        if "matrix" in item.fixturenames and "member" not in item.fixturenames:
            chosen |= {key_of(*case.values): case.values for case in EVERYBODY}
        elif "matrix" in item.fixturenames:
            params = item.callspec.params
            rulebook, member = params["rulebook"], params["member"]
            assert isinstance(rulebook, Rulebook) and isinstance(member, Member)
            chosen[key_of(rulebook, member)] = (rulebook, member)
    return trio.run(play_matrix, chosen, tmp_path_factory.mktemp("matrix"))


@every_player
def test_exactly_the_misbehaving_player_is_ejected_for_its_misdeed(
    matrix: Matrix, rulebook: Rulebook, member: Member
) -> None:
    _, played, _, match, _, refused = encounter = matrix.of(rulebook, member)
    assert not refused
    assert [(left.name, left.reason) for left in match.outcome.ejected] == [
        (played.name, member.reason)
    ]
    assert encounter.ejected.violation is member.violation
    assert encounter.ejected.question == QUESTIONS.get(member.step.name, member.step.name)


@every_player
def test_the_others_finish_with_scores(matrix: Matrix, rulebook: Rulebook, member: Member) -> None:
    _, played, _, match, *_ = matrix.of(rulebook, member)
    finished = {place.name: place.score for place in match.outcome.standings if place.finished}
    assert {seat.name for seat in match.seats} - {played.name} <= finished.keys()
    assert all(score > 0 for score in finished.values())
    assert (played.name in finished) is (member.step is SCORE)
    if member.step is not SCORE:
        last = match.outcome.standings[-1]
        assert (last.name, last.rank, last.score) == (played.name, len(match.seats), 0)


@every_member
def test_the_player_is_told_why_while_it_can_still_hear(
    matrix: Matrix, rulebook: Rulebook, member: Member
) -> None:
    _, played, deed, *_ = encounter = matrix.of(rulebook, member)
    if isinstance(deed, Reset):
        assert isinstance(played.last, Fault) and played.last.reason is Reason.DISCONNECTED
        return
    assert isinstance(played.last, messages.Ejected), played.last
    assert played.last.reason == member.reason.value
    rule = member.reason.sentence if member.violation is None else member.violation.sentence
    assert rule in played.last.sentence
    assert len(played.last.sentence) > len(rule), "the rule alone says nothing of what came"
    assert played.last.sentence.endswith(".")
    if plays(member):
        assert played.last.sentence.endswith(encounter.ejected.detail)


def offence(deed: object) -> bytes | None:
    """Return the bytes that have to be on record of a misdeed, ``None`` where none came."""
    match deed:
        case RawBytes(data=data):
            return data[:LIMIT_FROM_PLAYER]
        case HalfClose(first=first):
            return first
        case Flood():
            return b"<void".ljust(LIMIT_FROM_PLAYER)
    return None


MOVES = (
    messages.Pbuy | messages.Merge | messages.Order | messages.KeepAnswer | messages.DisposeAnswer
)


@every_player
def test_the_log_holds_what_came(matrix: Matrix, rulebook: Rulebook, member: Member) -> None:
    _, played, deed, _, record, _ = matrix.of(rulebook, member)
    mine = [
        element
        for element in record.elements
        if element.get("player") == played.name and element.tag in ("answer", "ejected")
    ]
    ejected = mine[-1]
    assert (ejected.tag, ejected.get("reason")) == ("ejected", member.reason.value)
    came = base64.b64decode(ejected.findtext("bytes") or "")
    if isinstance(deed, SlowBytes):
        assert 0 < len(came) < len(deed.data) and deed.data.startswith(came)
    elif isinstance(deed, WireFault):
        assert came.strip() == (offence(deed) or b"").strip()
    else:  # the schema takes it, so it stands in the log as any other answer does
        assert isinstance(deed, MOVES)
        assert mine[-2].get("to") == ejected.get("to")
        assert etree.tostring(mine[-2][0], with_tail=False) == Writer(rulebook).write(deed)
    rule = member.violation
    assert ejected.get("rule") == (rule.value if rule else None)


@every_member
def test_the_log_holds_to_its_end(matrix: Matrix, rulebook: Rulebook, member: Member) -> None:
    # the schema and every fact in it were checked when it was read
    assert matrix.of(rulebook, member).record.complete


@pytest.mark.parametrize(("rulebook", "member"), AT_THE_DOOR)
def test_a_failed_sign_up_leaves_the_seat_to_the_next(
    matrix: Matrix, rulebook: Rulebook, member: Member
) -> None:
    _, _, deed, match, _, refused = matrix.of(rulebook, member)
    ((name, fault),) = refused
    assert (name, fault.reason) == ("", member.reason)
    assert isinstance(deed, WireFault)
    if isinstance(deed, SlowBytes):
        assert fault.data and deed.data.startswith(fault.data)
    else:
        assert fault.data.strip() == (offence(deed) or b"").strip()
    assert [seat.name for seat in match.seats] == ["a", "b", "c"]
    assert not match.outcome.ejected
    assert all(place.finished for place in match.outcome.standings)


@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.id)
def test_every_rule_that_can_be_broken_was_broken(matrix: Matrix, rulebook: Rulebook) -> None:
    broken = {
        encounter.ejected.violation
        for (played, _), encounter in matrix.encounters.items()
        if played == rulebook.id and encounter.member.reason is Reason.ILLEGAL
    }
    assert broken == {member.violation for member in cast_for(rulebook).values()} - {None}


def test_no_task_or_descriptor_is_left_of_all_the_matches(matrix: Matrix) -> None:
    assert matrix.after == matrix.before
