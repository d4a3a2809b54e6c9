"""Each member of the misbehaving cast against the real server over TCP.

Every member plays one game on a connection of its own. `player/test_misbehaving_player.py` has the
larger sample of the cast in one process. What a connection adds is tried here: each step, each
reason and each fault that is more than one wrong document, before and after sign-up, and an illegal
move in each kind of answer. The soak has the whole casts, and the illegal moves under the other
rulebooks, whose messages are those of `classic`.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
import trio
from encounters import NEXT, Encounter, meet
from lxml import etree
from misbehaviour import OTHERS, WHOLE_CASTS, cases, is_illegal, plays
from trio.testing import MockClock

from acquire.admin.refereeing.log.verifier import Ejections
from acquire.game.rulebook import Rulebook
from acquire.player.misbehaving.cast import SCORE, SETUP, Member, cast_for
from acquire.player.misbehaving.wire_faults import (
    Flood,
    HalfClose,
    RawBytes,
    Reset,
    SlowBytes,
    WireFault,
)
from acquire.protocol import messages
from acquire.protocol.faults import Circumstance, Fault, Reason
from acquire.protocol.framing import LIMIT_FROM_PLAYER
from acquire.protocol.messages import PlayerMessage
from acquire.protocol.writing import Writer

OF_THE_CONNECTION = {
    *("silent", "dribble", "unclosed", "goes-away", "goes-away-half", "crashes", "speaks-ahead"),
    *("floods", "too-long"),
}
"""The ways to break an answer that are more than one wrong document."""


def features(member: Member) -> Iterator[tuple[object, ...]]:
    """Yield what the sample has to have once."""
    yield "step", member.step.name
    yield "reason", member.reason, plays(member)
    if member.way in OF_THE_CONNECTION:
        yield "way", member.way, plays(member)
    if is_illegal(member):
        yield "illegal", member.step.name


@cache
def sample() -> frozenset[tuple[str, str]]:
    """Return a few members, by rulebook and name, that have all features among them."""
    missing = {
        (rulebook.id, member.name): {*features(member)}
        for rulebook in WHOLE_CASTS
        for member in cast_for(rulebook).values()
    }
    found = []
    while any(missing.values()):
        best = max(missing, key=lambda which: len(missing[which]))
        found.append(best)
        had = missing.pop(best)
        missing = {which: features - had for which, features in missing.items()}
    return frozenset(found)


def is_quick(rulebook: Rulebook, member: Member) -> bool:
    return (rulebook.id, member.name) in sample()


EVERY_MEMBER = [
    *cases(WHOLE_CASTS, quick=is_quick),
    *cases(OTHERS, is_illegal, quick=lambda rulebook, member: False),
]
AT_THE_TABLE = [case for case in EVERY_MEMBER if plays(case.values[1])]
AT_SIGN_UP = [case for case in EVERY_MEMBER if not plays(case.values[1])]


class Traces(NamedTuple):
    """What a process holds: tasks of the event loop, and open descriptors."""

    tasks: int
    descriptors: frozenset[tuple[int, int]]

    @classmethod
    def now(cls) -> Traces:
        """Look at them; a descriptor is told from another by its inode."""
        found = set()
        for name in os.listdir("/dev/fd"):
            try:
                status = os.fstat(int(name))
            except OSError:  # the folder's own descriptor, closed by now
                continue
            found.add((status.st_dev, status.st_ino))
        return cls(trio.lowlevel.current_statistics().tasks_living, frozenset(found))


@pytest.mark.parametrize(("rulebook", "member"), AT_THE_TABLE)
async def test_misbehaving_player_is_ejected_and_the_others_finish(
    rulebook: Rulebook, member: Member, tmp_path: Path, mock_clock: MockClock
) -> None:
    before = Traces.now()
    encounter = await meet(rulebook, member, tmp_path, mock_clock)
    assert_it_alone_is_ejected(encounter)
    assert_others_finish(encounter)
    assert_player_gets_the_reason(encounter)
    assert_log_has_what_arrived(encounter, rulebook)
    assert_ejection_was_judged_again(encounter)
    assert encounter.record.complete
    assert Traces.now() == before


@pytest.mark.parametrize(("rulebook", "member"), AT_SIGN_UP)
async def test_failed_sign_up_leaves_the_seat_to_the_next_player(
    rulebook: Rulebook, member: Member, tmp_path: Path, mock_clock: MockClock
) -> None:
    before = Traces.now()
    encounter = await meet(rulebook, member, tmp_path, mock_clock)
    ((name, fault),) = encounter.refused
    assert (name, fault.reason) == ("", member.reason)
    assert_arrived(encounter.fault, fault.data)
    assert_player_gets_the_reason(encounter)
    game = encounter.game
    assert [seat.name for seat in game.seats] == [NEXT, "ordered", "ordered-2"]
    assert not game.outcome.ejected
    assert all(place.finished for place in game.outcome.standings)
    assert encounter.record.complete
    assert Traces.now() == before


def assert_it_alone_is_ejected(encounter: Encounter) -> None:
    member = encounter.member
    assert not encounter.refused
    assert encounter.ejected.name == encounter.end.name == member.name
    assert encounter.ejected.reason is member.reason
    assert encounter.ejected.violation is member.violation
    assert encounter.ejected.question == ("state" if member.step is SETUP else member.step.question)


def assert_others_finish(encounter: Encounter) -> None:
    """A player that fails to acknowledge the scores keeps its own."""
    name, standings = encounter.end.name, encounter.game.outcome.standings
    finished = {place.name: place.score for place in standings if place.finished}
    assert {seat.name for seat in encounter.game.seats} - {name} <= finished.keys()
    assert all(score > 0 for score in finished.values())
    assert (name in finished) is (encounter.member.step is SCORE)
    if encounter.member.step is not SCORE:
        last = standings[-1]
        assert (last.name, last.rank, last.score) == (name, len(standings), 0)


def assert_player_gets_the_reason(encounter: Encounter) -> None:
    member, last = encounter.member, encounter.end.last
    if isinstance(encounter.fault, Reset):  # nothing can reach it
        assert isinstance(last, Fault) and last.reason is Reason.DISCONNECTED
        return
    assert isinstance(last, messages.Ejected), last
    assert last.reason == member.reason.value
    rule = member.reason.sentence if member.violation is None else member.violation.sentence
    assert rule in last.sentence
    assert len(last.sentence) > len(rule), "the rule alone does not tell what arrived"
    assert last.sentence.endswith(".")
    if plays(member):
        assert encounter.ejected.detail in last.sentence


def assert_ejection_was_judged_again(encounter: Encounter) -> None:
    """The log alone proves it, unless it is a matter of time."""
    left = encounter.ejected
    unasked = left.circumstance is Circumstance.UNASKED
    of_time = unasked or left.reason in (Reason.TIMED_OUT, Reason.DISCONNECTED)
    rests_on = "clock" if of_time else "rule" if left.reason is Reason.ILLEGAL else "bytes"
    assert encounter.verdict.ejections == Ejections(**{f"by_{rests_on}": 1})


def assert_arrived(fault: PlayerMessage | WireFault, data: bytes) -> None:
    """The bytes on record of a wire fault are those that were sent."""
    match fault:
        case RawBytes(data=sent):
            assert data.strip() == sent[: LIMIT_FROM_PLAYER + 1].strip()
        case SlowBytes(data=sent):
            assert 0 < len(data) < len(sent) and sent.startswith(data)
        case HalfClose(first=sent):
            assert data.strip() == sent.strip()
        case Flood():
            assert data == b"<void".ljust(LIMIT_FROM_PLAYER + 1)
        case Reset():
            assert data == b""
        case _:
            raise AssertionError(fault)


def assert_log_has_what_arrived(encounter: Encounter, rulebook: Rulebook) -> None:
    """Bytes that are no message, or the move as any other answer is recorded."""
    fault, rule = encounter.fault, encounter.member.violation
    *answers, ejected = [
        element
        for element in encounter.record.elements
        if element.get("player") == encounter.end.name and element.tag in ("answer", "ejected")
    ]
    assert (ejected.tag, ejected.get("reason")) == ("ejected", encounter.member.reason.value)
    assert ejected.get("rule") == (rule.value if rule else None)
    if isinstance(fault, WireFault):
        assert_arrived(fault, base64.b64decode(ejected.findtext("bytes") or ""))
    else:
        assert answers[-1].get("to") == ejected.get("to")
        assert etree.tostring(answers[-1][0], with_tail=False) == Writer(rulebook).write(fault)
