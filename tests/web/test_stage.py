"""A match for spectators while its log is written: what they are sent, and what they are not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from admin.log.reader import read
from admin.log.verifier import Verifier
from admin.view.frames import Step, Steps
from admin.web.stage import Stage
from game.rulebook import Hands

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.xml"))
every_log = pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)


def staged(path: Path, size: int) -> Stage:
    """A stage that has taken a log in pieces of one size, not closed yet."""
    stage, data = Stage("1", len(read(path).header.seats)), path.read_bytes()
    for start in range(0, len(data), size):
        stage.take(data[start : start + size])
    return stage


def sent(stage: Stage) -> list[dict[str, Any]]:
    """The messages, read as a browser would."""
    found = []
    for number, message in enumerate(stage.messages):
        id_, data, *rest = message.decode().split("\n")
        assert id_ == f"id: {number}" and rest == ["", ""]
        found.append(json.loads(data.removeprefix("data: ")))
    return found


def whole(path: Path) -> list[Step]:
    """All steps of a match."""
    record = read(path)
    steps = Steps(record.header)
    told = [steps.begin()]
    Verifier(record, lambda event: told.extend(steps.take(event))).verify()
    return told


@every_log
@pytest.mark.parametrize("size", [100, 5000])
def test_log_in_pieces_makes_all_steps_and_reveals_them_at_the_end(path: Path, size: int) -> None:
    stage = staged(path, size)
    assert not any("reveal" in message for message in sent(stage))
    stage.close()
    match, *before, last = sent(stage)
    assert match["match"]["names"] == [seat.name for seat in read(path).header.seats]
    expected = whole(path)
    if "interrupted" in path.stem:  # whose last event is no answer to anything
        expected = expected[:-1]
    assert last["reveal"] == expected and last["over"]
    count = sum(len(message["steps"]) for message in before)
    assert count == len(expected)


@every_log
def test_no_hidden_hand_is_in_any_byte_before_the_end(path: Path) -> None:
    record = read(path)
    stage = staged(path, 3000)
    before = b"".join(stage.messages)
    stage.close()
    if record.header.rulebook.hands is Hands.OPEN:
        assert b'"hand"' in before
        return
    assert b'"hand"' not in before and b'"secret"' not in before
    told = [step for message in sent(stage)[1:-1] for step in message["steps"]]
    assert any(step["kind"] == "drew" for step in told)
    assert not any("tile" in step for step in told if step["kind"] == "drew")


def test_who_comes_late_begins_at_the_beginning_and_who_comes_back_goes_on() -> None:
    stage = staged(GOLDEN[0], 5000)
    count = len(stage.messages)
    assert stage.first_for(None) == 0
    assert stage.first_for(count - 1) == count
    assert stage.first_for(2) == 3
    stage.close()
    assert stage.first_for(None) == count, "of a match that is over, all at once"
    assert stage.first_for(10**6) == count, "a number of another server's"


@every_log
def test_sealed_match_keeps_its_secrets_when_it_is_over(path: Path) -> None:
    seats = len(read(path).header.seats)
    stage, open_to_all = Stage("1", seats, sealed=True), staged(path, 5000)
    open_to_all.close()
    stage.take(path.read_bytes())
    stage.close()
    assert stage.over and not stage.told
    assert stage.first_for(None) == 0
    assert sent(stage)[-1] == {"sealed": True}
    assert not any("reveal" in message for message in sent(stage))
    stage.unseal()
    assert stage.told
    assert sent(stage)[-1] == sent(open_to_all)[-1]
    assert stage.first_for(None) == len(stage.messages) - 1


def test_match_that_is_unsealed_before_its_end_reveals_all_at_its_end() -> None:
    stage = Stage("1", len(read(GOLDEN[0]).header.seats), sealed=True)
    stage.take(GOLDEN[0].read_bytes())
    stage.unseal()
    assert not any("reveal" in message for message in sent(stage))
    stage.close()
    assert stage.told and sent(stage)[-1]["over"]
