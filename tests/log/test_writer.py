"""Logs as they are written: complete, in order, and never over another."""

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from lxml import etree
from positions import mask, scene

from acquire.admin.refereeing.log.reader import AnswerReader, read
from acquire.admin.refereeing.log.recorder import Header, Recorder, SeatRecord
from acquire.admin.refereeing.log.verifier import Verifier
from acquire.admin.refereeing.log.writer import GameLog, LogFolder, LogWriteError, open_log
from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.in_process import LocalSeat
from acquire.admin.refereeing.play.questions import Replies, Reply
from acquire.admin.refereeing.play.referee import Referee
from acquire.game.rulebooks import CLASSIC, REVISED
from acquire.player.strategies.simple import Random
from acquire.protocol import messages
from log.played import play_logged

NAMES = ("ann", "bob", "cyd")
HEADER = Header(REVISED, 1, 1, Dealer(1).bag, tuple(SeatRecord(n, "remote") for n in NAMES))


class Memory:
    """A file in memory that accepts a limited number of bytes per write."""

    def __init__(self, at_once: int = 1 << 20) -> None:
        self.data = b""
        self.closed = False
        self._at_once = at_once

    def write(self, data: bytes) -> int:
        """Take the beginning of the data."""
        assert not self.closed
        taken = data[: self._at_once]
        self.data += taken
        return len(taken)

    def close(self) -> None:
        """Refuse all further bytes."""
        self.closed = True


def turn(number: int) -> events.TurnBegan:
    state = scene(REVISED, "", *NAMES)
    return events.TurnBegan(number, "ann", state)


# -- the file ------------------------------------------------------------------------------------


def test_same_seed_and_players_give_the_same_log(tmp_path: Path) -> None:
    first, second = (play_logged(tmp_path / folder, 11) for folder in "ab")
    assert first.read_bytes() == second.read_bytes()


def test_log_is_never_overwritten(tmp_path: Path) -> None:
    first, second = play_logged(tmp_path, 3), play_logged(tmp_path, 3)
    assert first.name == "revised-seed3-game1.xml"
    assert second.name == "revised-seed3-game1-2.xml"


@pytest.mark.parametrize("at_once", [1, 7, 1000])
def test_no_byte_is_lost_when_the_file_takes_a_part_at_a_time(at_once: int) -> None:
    whole, file = Memory(), Memory(at_once)
    written: list[bytes] = []
    for target in (whole, file):
        written.clear()
        log = GameLog(Path("log"), target, HEADER, written.append)
        for number in range(1, 20):
            log(turn(number))
        log.close()
    assert file.data == whole.data == b"".join(written)
    assert etree.fromstring(file.data).findall("turn")[-1].get("number") == "19"


def test_records_before_a_turn_are_in_the_file_when_it_begins() -> None:
    file = Memory()
    log = GameLog(Path("log"), file, HEADER)
    assert file.data.count(b"\n") == 1 + 2 + len(NAMES)
    log(turn(1))
    log(events.NothingPlaced("ann", scene(REVISED, "", *NAMES)))
    assert b"<turn" not in file.data
    log(turn(2))
    assert file.data.endswith(b'<turn number="1" player="ann"/>\n<nothing-placed player="ann"/>\n')


def test_abandoned_log_has_all_records_and_no_end() -> None:
    file = Memory()
    log = GameLog(Path("log"), file, HEADER)
    log(turn(1))
    log.abandon()
    assert file.closed and file.data.endswith(b'<turn number="1" player="ann"/>\n')


def test_closed_log_of_an_interrupted_game_has_its_ending() -> None:
    file = Memory()
    GameLog(Path("log"), file, HEADER).close(interrupted_after=7)
    assert file.closed
    assert file.data.endswith(b'<ended ending="interrupted" turns="7"/>\n</match>\n')


# -- failures ------------------------------------------------------------------------------------


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Let this process write no file beyond a size: a write that would fails."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_new_folder_shows_no_bag_to_other_users(tmp_path: Path) -> None:
    with LogFolder(tmp_path / "logs"):
        assert (tmp_path / "logs").stat().st_mode & 0o777 == 0o700


def test_log_without_a_folder_is_refused_with_a_message(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LogWriteError, match=r"cannot be written: .*\."):
        open_log(tmp_path / "file" / "logs", HEADER)


@pytest.mark.parametrize("replaced", [False, True])
def test_file_that_is_not_in_place_is_not_written_unnoticed(tmp_path: Path, replaced: bool) -> None:
    log = open_log(tmp_path, HEADER)
    log.flush()
    log.path.unlink()
    if replaced:
        log.path.touch()
    with pytest.raises(LogWriteError, match="it was deleted or replaced"):
        log.close()


def test_folder_that_became_a_file_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    log = open_log(tmp_path / "logs", HEADER)
    log.flush()
    (tmp_path / "logs").rename(tmp_path / "moved")
    (tmp_path / "logs").touch()
    with pytest.raises(LogWriteError, match="it was deleted or replaced"):
        log.close()


def test_file_is_closed_when_its_header_cannot_be_written(tmp_path: Path) -> None:
    before = os.listdir("/dev/fd")
    with largest_file(0), pytest.raises(LogWriteError, match="File too large") as raised:
        open_log(tmp_path, HEADER)
    assert raised.traceback  # it keeps the frames alive, and they the file
    assert len(os.listdir("/dev/fd")) == len(before)


def test_file_is_closed_when_its_last_records_cannot_be_written(tmp_path: Path) -> None:
    before = os.listdir("/dev/fd")
    log = open_log(tmp_path, HEADER)
    with largest_file(log.path.stat().st_size), pytest.raises(LogWriteError):
        log.close()
    assert len(os.listdir("/dev/fd")) == len(before)
    assert not read(log.path).complete


# -- records -------------------------------------------------------------------------------------


def test_times_of_an_answer_are_recorded(tmp_path: Path) -> None:
    """The lag is written only where there was one."""
    log = open_log(tmp_path, HEADER)
    dealer = Dealer(1)
    seats = {name: LocalSeat(name, Random(REVISED, 1)) for name in NAMES}
    questions = Referee(REVISED, NAMES, dealer.bag, dealer.shuffle, log).play()
    asks = next(questions)
    for lag in (0, 5):
        replies: Replies = {}
        for name, ask in asks.items():
            reply = seats[name].ask(ask)
            assert isinstance(reply, Reply)
            replies[name] = reply._replace(latency=1234, lag=lag)
        asks = questions.send(replies)
    log.abandon()
    answers = [each for each in read(log.path).elements if each.tag == "answer"]
    assert [dict(each.attrib) for each in answers] == [
        *({"player": name, "to": "state", "latency": "1234"} for name in NAMES),
        {"player": "ann", "to": "turn", "latency": "1234", "lag": "5"},
    ]
    again = Verifier(read(log.path)).verify().events
    answered = [event for event in again if isinstance(event, events.Answered)]
    assert [(event.latency, event.lag) for event in answered] == [(1234, 0)] * 3 + [(1234, 5)]


def test_laid_out_position_is_recorded_whole() -> None:
    laid = scene(CLASSIC, "AA.o", "ann 1I $600 A2", "bob 2I F1", bag="9I 12A 1H")
    for state in (laid, laid._replace(aside=mask("5C 6D"), idle=2)):
        record = etree.fromstring(Recorder(CLASSIC).record(events.LaidOut(state)))
        assert AnswerReader(HEADER._replace(rulebook=CLASSIC)).position(record) == state


def test_messages_are_recorded_as_they_are_sent() -> None:
    event = events.Answered("ann", "state", messages.Void(), 5, 0)
    record = Recorder(REVISED).record(event)
    assert record == '<answer player="ann" to="state" latency="5"><void/></answer>'
