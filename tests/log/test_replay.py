"""A log told again record by record gives the events that a verification gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from admin.log.reader import read
from admin.log.replay import Replay
from admin.log.verifier import Verifier
from admin.match import events
from admin.match.events import Event

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.xml"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_events_are_those_of_the_match(path: Path) -> None:
    record = read(path)
    verified: list[Event] = []
    Verifier(record, verified.append).verify()
    told: list[Event] = []
    replay = Replay(record.header, told.append)
    replay.start()
    for element in record.elements:
        replay.take(element)
    interrupted = "interrupted" in path.stem  # what ends such a match is none of its answers
    assert told == (verified[:-1] if interrupted else verified)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_at_the_record_of_a_turn_all_before_it_has_been_told(path: Path) -> None:
    record = read(path)
    turns: list[int] = []

    def note(event: Event) -> None:
        if isinstance(event, events.TurnBegan):
            turns.append(event.number)

    replay = Replay(record.header, note)
    replay.start()
    for element in record.elements:
        replay.take(element)
        if element.tag == "turn":
            assert turns[-1] == int(element.attrib["number"])
    assert turns
