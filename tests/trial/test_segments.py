"""Games in segments: laid-out positions, their record, and recorded games as scripts."""

import re
from functools import cache, partial
from pathlib import Path

import pytest
from loops import for_each
from lxml import etree
from positions import at_table, player

from acquire import schemas
from acquire.admin.refereeing.log.reader import RecordedGame, UnreadableLog, read
from acquire.admin.refereeing.log.recorder import Header, Recorder, SeatRecord
from acquire.admin.refereeing.log.verifier import Verifier
from acquire.admin.refereeing.log.writer import GameLog
from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.events import Event
from acquire.admin.refereeing.play.in_process import LocalSeat, drive
from acquire.admin.refereeing.play.referee import Referee, Segment
from acquire.admin.testing.trial.game_history import GameHistory, RecordedOpponents
from acquire.admin.testing.trial.trial import Script
from acquire.game.rulebooks import REVISED
from acquire.game.state import State
from acquire.game.turn import Ending
from acquire.player.strategies.simple import Ordered
from acquire.protocol import messages
from acquire.protocol.dialect import Dialect

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.xml"))
TIMES = re.compile(r' (latency|lag)="\d+"')


def replayed(history: GameHistory, script: Script, subject: str) -> list[Event]:
    """Play a script of a recorded game; the subject gives its recorded answers as well."""
    dealer = Dealer(script.seed, script.game)
    happened: list[Event] = []
    recorded = script.reader
    assert isinstance(recorded, RecordedOpponents)

    def emit(event: Event) -> None:
        happened.append(event)
        # the subject's answers come from `recorded` too, so it must not count them twice
        if not (isinstance(event, events.Answered) and event.name == subject):
            recorded(event)

    dialect = Dialect.of(script.rulebook)
    seats = {
        name: LocalSeat(name, partial(recorded.answer, name), dialect=dialect)
        for name in script.seats
    }
    referee = Referee(script.rulebook, script.seats, dealer.bag, dealer.shuffle, emit)
    drive(referee.play_segments(script.segments, subject), seats)
    return happened


def facts(record: RecordedGame) -> list[str]:
    """The records of a log without times, and without what a shared bag adds."""
    return [
        TIMES.sub("", etree.tostring(element, encoding="unicode", with_tail=False))
        for element in record.elements
        if element.tag != "out-of-step"
    ]


def written(record: RecordedGame, happened: list[Event]) -> list[str]:
    recorder = Recorder(record.header.rulebook)
    return [
        TIMES.sub("", etree.tostring(etree.fromstring(recorder.record(event)), encoding="unicode"))
        for event in happened
    ]


@cache
def history_of(path: Path) -> tuple[RecordedGame, GameHistory]:
    record = read(path)
    return record, GameHistory(record)


def stayed(path: Path) -> list[str]:
    """The players of a game that were not ejected."""
    _, history = history_of(path)
    return [name for name in history.names if name not in history.ejected]


WHOLE = [path for path in GOLDEN if "interrupted" not in path.stem]
DESERTED = [path for path in WHOLE if "nobody-left" in path.stem]
FINISHED = [path for path in WHOLE if path not in DESERTED]


def test_some_games_are_finished_and_some_deserted() -> None:
    assert len(FINISHED) > 20 and DESERTED
    assert [path for path in WHOLE if not stayed(path)] == DESERTED


@for_each("path", FINISHED, ids=lambda path: path.stem)
def test_game_replayed_turn_by_turn_is_the_same_game(path: Path) -> None:
    record, history = history_of(path)
    subject = stayed(path)[0]
    script = history.script(subject, history.turns_of(subject))
    assert written(record, replayed(history, script, subject)) == facts(record)


@for_each("path", DESERTED, ids=lambda path: path.stem)
def test_game_replayed_to_the_last_ejection_is_the_same_so_far(path: Path) -> None:
    record, history = history_of(path)
    subject = max(history.left_in, key=lambda name: history.left_in[name])
    script = history.script(subject, history.turns_of(subject))
    found = written(record, replayed(history, script, subject))
    assert found == facts(record)[: len(found)]
    assert any(f'<ejected player="{subject}"' in fact for fact in found)


@pytest.mark.parametrize("path", DESERTED, ids=lambda path: path.stem)
def test_log_of_a_whole_game_that_stops_at_an_ejection_verifies(tmp_path: Path, path: Path) -> None:
    """The others would play on, but the trial was about one player."""
    record, history = history_of(path)
    first = min(history.left_in, key=lambda name: history.left_in[name])
    script = history.script(first, history.turns_of(first))
    stopped = tmp_path / "stopped.xml"
    with stopped.open("wb") as file:
        log = GameLog(stopped, file, record.header)
        for event in replayed(history, script, first):
            log(event)
        log.close()
    assert b"<position" not in stopped.read_bytes()
    verification = Verifier(read(stopped)).verify()
    assert verification.divergence is None
    assert verification.ending is Ending.NO_MORE_TURNS


@for_each("path", FINISHED, ids=lambda path: path.stem)
def test_game_replayed_from_the_middle_ends_in_the_same_way(path: Path) -> None:
    record, history = history_of(path)
    subject = stayed(path)[0]
    turns = history.turns_of(subject)
    second_half = turns[len(turns) // 2 :]
    script = history.script(subject, second_half)
    found = written(record, replayed(history, script, subject))
    gone = {name for name in history.ejected if history.left_in[name] < second_half[0]}
    expected = [
        fact
        for fact in facts(record)
        if fact.startswith("<ranked") and not any(f'"{name}"' in fact for name in gone)
    ]
    assert expected
    assert [fact for fact in found if fact.startswith("<ranked")] == expected
    laid_out = sum(fact.startswith("<position") for fact in found)
    assert 1 <= laid_out <= 1 + len(history.ejected), "at the start, and after a shuffle"


# -- the record of a position that was laid out ----------------------------------------------------

POSITIONS = (
    at_table(
        "TT.SSS",
        player("ann", "3A 12I", Tower=2),
        player("bob", "1I 2I"),
        player("cyd"),
        bag="1H 2H 3H",
    ),
    at_table("", player("ann", "5E"), player("bob", "1A", 0), bag="4H 5H"),
)


def laid_out(folder: Path, *segments: Segment, leaves: str | None = None) -> Path:
    """Play segments between built-in players, with a log; `leaves` answers wrongly at once."""
    names = ("ann", "bob", "cyd")
    dealer = Dealer(3)
    header = Header(REVISED, 3, 1, dealer.bag, tuple(SeatRecord(name, "house") for name in names))
    path = folder / "laid-out.xml"
    log = GameLog(path, path.open("wb", buffering=0), header)
    referee = Referee(REVISED, names, dealer.bag, dealer.shuffle, log)
    seats = {name: LocalSeat(name, Ordered(REVISED, 0)) for name in names}
    if leaves is not None:
        seats[leaves] = LocalSeat(leaves, lambda _: messages.KeepAnswer(()))
    drive(referee.play_segments(segments), seats)
    log.close()
    return path


def test_log_of_laid_out_positions_is_valid_and_holds(tmp_path: Path) -> None:
    path = laid_out(tmp_path, Segment(POSITIONS[0], 2), Segment(POSITIONS[1], 1))
    schemas.load("match-log").assertValid(etree.parse(path))
    verdict = Verifier(read(path)).verify()
    assert verdict.divergence is None
    assert (verdict.turns, verdict.ending) == (3, Ending.NO_MORE_TURNS)


@pytest.mark.parametrize("state", POSITIONS)
def test_position_is_read_back_from_its_record(tmp_path: Path, state: State) -> None:
    path = laid_out(tmp_path, Segment(state, 1))
    happened = Verifier(read(path)).verify().events
    assert [event.state for event in happened if isinstance(event, events.LaidOut)] == [state]


def test_changed_position_is_a_divergence(tmp_path: Path) -> None:
    path = laid_out(tmp_path, Segment(POSITIONS[0], 1))
    path.write_text(path.read_text().replace('cash="8000"', 'cash="7000"', 1))
    assert Verifier(read(path)).verify().divergence is not None


@pytest.mark.parametrize(
    ("found", "instead", "error"),
    [
        ('<player name="bob"', '<player name="dan"', "do not each have a seat"),
        ('<player name="bob"', '<player name="ann"', "do not each have a seat"),
        ("<bag>1H 2H 3H", "<bag>1H 2H 1A", "a tile is in two places"),
        ('cash="8000"', 'cash="-1"', "nonNegativeInteger"),
    ],
)
def test_impossible_position_is_refused(
    tmp_path: Path, found: str, instead: str, error: str
) -> None:
    path = laid_out(tmp_path, Segment(POSITIONS[0], 1))
    text = path.read_text()
    assert found in text
    path.write_text(text.replace(found, instead, 1))
    with pytest.raises(UnreadableLog, match=error):
        read(path)


def test_player_who_was_ejected_cannot_be_in_a_later_position(tmp_path: Path) -> None:
    path = laid_out(tmp_path, Segment(POSITIONS[0], 1), leaves="bob")
    assert Verifier(read(path)).verify().divergence is None
    lines = path.read_text().splitlines(keepends=True)
    position = next(line for line in lines if line.startswith("<position"))
    answer = '<answer player="{}" to="state" latency="0"><void/></answer>\n'
    end = next(place for place, line in enumerate(lines) if line.startswith("<ended"))
    path.write_text(
        "".join([*lines[:end], position, *map(answer.format, ("ann", "bob")), *lines[end:]])
    )
    divergence = Verifier(read(path)).verify().divergence
    assert divergence is not None and "'bob' is asked <state>, but had left" in divergence
