"""Matches told in segments: laid-out positions, their record, and recorded matches as scripts."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest
from lxml import etree
from positions import at_table, player

import schemas
from admin.log.reader import RecordedMatch, UnreadableLog, read
from admin.log.verifier import Verifier
from admin.log.writer import Header, MatchLog, Recorder, SeatRecord
from admin.match import events
from admin.match.dealer import Dealer
from admin.match.events import Event
from admin.match.in_process import LocalSeat, drive
from admin.match.referee import Referee, Segment
from admin.trial.match_history import MatchHistory, RecordedOpponents
from admin.trial.script import Script
from game.rulebooks import REVISED
from game.state import State
from game.turn import Ending
from player.strategies.simple import Ordered
from protocol.dialect import Dialect

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.xml"))
WHOLE = [path for path in GOLDEN if "interrupted" not in path.stem]
every_log = pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.stem)
TIMES = re.compile(r' (latency|lag)="\d+"')


def told(record: RecordedMatch, script: Script, subject: str) -> list[Event]:
    """Tell a script of a recorded match, the subject answering as recorded as well."""
    dealer = Dealer(script.seed, script.game)
    happened: list[Event] = []
    prompter = script.reader
    assert isinstance(prompter, RecordedOpponents)

    def emit(event: Event) -> None:
        happened.append(event)
        # what the subject says is prompted too, so nobody need follow it
        if not (isinstance(event, events.Answered) and event.name == subject):
            prompter(event)

    dialect = Dialect.of(script.rulebook)
    seats = {
        name: LocalSeat(name, partial(prompter.answer, name), dialect=dialect)
        for name in script.seats
    }
    referee = Referee(script.rulebook, script.seats, dealer.bag, dealer.shuffle, emit)
    drive(referee.play_segments(script.segments, subject), seats)
    return happened


def facts(record: RecordedMatch) -> list[str]:
    """The records of a log without times, and without what a shared bag adds."""
    return [
        TIMES.sub("", etree.tostring(element, encoding="unicode", with_tail=False))
        for element in record.elements
        if element.tag != "out-of-step"
    ]


def written(record: RecordedMatch, happened: list[Event]) -> list[str]:
    recorder = Recorder(record.header.rulebook)
    return [
        TIMES.sub(
            "",
            etree.tostring(etree.fromstring(recorder.record(event)), encoding="unicode"),
        )
        for event in happened
    ]


@every_log
def test_recorded_match_told_turn_by_turn_is_the_same_match(path: Path) -> None:
    record = read(path)
    recorded = MatchHistory(record)
    stayed = [name for name in recorded.names if name not in recorded.ejected]
    subject = (
        stayed[0] if stayed else max(recorded.left_in, key=lambda name: recorded.left_in[name])
    )
    script = recorded.script(subject, recorded.turns_of(subject))
    found = written(record, told(record, script, subject))
    assert found == facts(record)[: len(found)]
    if stayed:
        assert len(found) == len(facts(record))


@every_log
def test_recorded_match_begun_in_the_middle_ends_as_it_did(path: Path) -> None:
    record = read(path)
    recorded = MatchHistory(record)
    stayed = [name for name in recorded.names if name not in recorded.ejected]
    if not stayed:
        return
    turns = recorded.turns_of(stayed[0])
    middle = turns[len(turns) // 2 :]
    script = recorded.script(stayed[0], middle)
    found = written(record, told(record, script, stayed[0]))
    end = [fact for fact in facts(record) if fact.startswith("<ranked")]
    ranked = [fact for fact in found if fact.startswith("<ranked")]
    gone = {name for name in recorded.ejected if recorded.left_in[name] < middle[0]}
    assert ranked == [fact for fact in end if not any(f'"{name}"' in fact for name in gone)]
    laid_out = [fact for fact in found if fact.startswith("<position")]
    assert len(laid_out) <= 1 + len(recorded.ejected), "one where it begins, and after a shuffle"


# -- the record of a position that was laid out ----------------------------------------------------

SCENES = (
    at_table(
        "TT.SSS",
        player("ann", "3A 12I", Tower=2),
        player("bob", "1I 2I"),
        player("cyd"),
        bag="1H 2H 3H",
    ),
    at_table("", player("ann", "5E"), player("bob", "1A", 0), bag="4H 5H"),
)


def laid_out(folder: Path, *segments: Segment) -> Path:
    """Play segments between house players, with a log."""
    names = ("ann", "bob", "cyd")
    dealer = Dealer(3)
    header = Header(REVISED, 3, 1, dealer.bag, tuple(SeatRecord(name, "house") for name in names))
    path = folder / "laid-out.xml"
    log = MatchLog(path, path.open("wb", buffering=0), header)
    referee = Referee(REVISED, names, dealer.bag, dealer.shuffle, log)
    seats = {name: LocalSeat(name, Ordered(REVISED, 0)) for name in names}
    drive(referee.play_segments(segments), seats)
    log.close()
    return path


def test_log_of_laid_out_positions_is_valid_and_holds(tmp_path: Path) -> None:
    path = laid_out(tmp_path, Segment(SCENES[0], 2), Segment(SCENES[1], 1))
    schemas.load("match-log").assertValid(etree.parse(path))
    verdict = Verifier(read(path)).verify()
    assert verdict.divergence is None
    assert (verdict.turns, verdict.ending) == (3, Ending.NO_MORE_TURNS)


@pytest.mark.parametrize("state", SCENES)
def test_position_comes_back_from_its_record(tmp_path: Path, state: State) -> None:
    path = laid_out(tmp_path, Segment(state, 1))
    seen: list[State] = []

    def note(event: Event) -> None:
        if isinstance(event, events.LaidOut):
            seen.append(event.state)

    Verifier(read(path), note).verify()
    assert seen == [state]


def test_changed_position_is_found_out(tmp_path: Path) -> None:
    path = laid_out(tmp_path, Segment(SCENES[0], 1))
    path.write_text(path.read_text().replace('cash="8000"', 'cash="7000"', 1))
    assert Verifier(read(path)).verify().divergence is not None


@pytest.mark.parametrize(
    ("found", "instead", "said"),
    [
        ('<player name="bob"', '<player name="dan"', "do not each have a seat"),
        ('<player name="bob"', '<player name="ann"', "do not each have a seat"),
        ("<bag>1H 2H 3H", "<bag>1H 2H 1A", "a tile is in two places"),
        ('cash="8000"', 'cash="-1"', "nonNegativeInteger"),
    ],
)
def test_impossible_position_is_refused(
    tmp_path: Path, found: str, instead: str, said: str
) -> None:
    path = laid_out(tmp_path, Segment(SCENES[0], 1))
    text = path.read_text()
    assert found in text
    path.write_text(text.replace(found, instead, 1))
    with pytest.raises(UnreadableLog, match=said):
        read(path)
