"""A log replayed record by record gives the events that a verification gives."""

from pathlib import Path

import pytest

from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.log.verifier import Replay, Verifier
from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.events import Event

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.xml"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_events_are_those_of_the_game_and_earlier_ones_come_before_the_record_of_a_turn(
    path: Path,
) -> None:
    record = read(path)
    verified = [*Verifier(record).verify().events]
    replayed: list[Event] = []
    replay = Replay(record.header, replayed.append)
    replay.start()
    for element in record.elements:
        replay.take(element)
        if element.tag == "turn":
            begun = [event for event in replayed if isinstance(event, events.TurnBegan)]
            assert begun[-1].number == int(element.attrib["number"])
    interrupted = "interrupted" in path.stem  # no answer in the log ends it
    assert replayed == (verified[:-1] if interrupted else verified)
