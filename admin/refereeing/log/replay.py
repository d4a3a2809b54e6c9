"""A recorded game played again: the records go in one by one, the events come out.

The recorded answers are given to a referee, which judges them as it did then. The log may be
complete, or still being written. Whether the events are those of the log is checked by
:mod:`acquire.admin.refereeing.log.verifier`.
"""

from collections.abc import Iterable, Sequence
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from lxml import etree

from ....game.rulebook import Rulebook
from ....game.state import State
from ....game.tiles import Tile
from ....game.turn import Ending
from ....protocol.conversation import Conversation, Step
from ....protocol.dialect import Dialect
from ....protocol.faults import Circumstance, Fault, Reason
from ....protocol.framing import LIMIT_FROM_PLAYER
from ....protocol.inbox import DocumentCache, Inbox
from ....protocol.messages import TAGS
from ....protocol.reading import player_reader
from ..play.dealer import Dealer
from ..play.draw_sync import marking
from ..play.judge import Emit
from ..play.questions import Asks, Replies, Reply
from ..play.referee import Referee, Segment
from .reader import AnswerReader, RecordedGame, read_tiles
from .recorder import Header

TIMES = ("latency", "lag")
"""The attributes of an answer that depend on the clock."""
LOG_ENDS = Fault(Reason.DISCONNECTED, "The log ends here.")


class Diverged(Exception):
    """A log contradicts the rules, in this ``record`` if it is known; the text says how."""

    def __init__(self, text: str, record: etree._Element | None = None) -> None:
        super().__init__(text)
        self.record = record


class Replay:
    """One recorded game; ``start`` it, then ``take`` its records in order.

    ``emit`` receives the events. ``Diverged`` where an answer cannot follow. ``records`` are those
    of a game with a given bag, whose shuffles are recorded.
    """

    def __init__(self, header: Header, emit: Emit, records: Iterable[etree._Element] = ()) -> None:
        dealer = Dealer(header.seed, header.game)
        bags = iter(
            [
                read_tiles(bag)
                for each in records
                if each.tag == "ejected" and (bag := each.findtext("bag"))
            ]
        )

        def shuffle(tiles: Sequence[Tile]) -> tuple[Tile, ...]:
            shuffled = next(bags, ()) if header.given else dealer.shuffle(tiles)
            if sorted(shuffled) != sorted(tiles):
                raise Diverged("a recorded bag does not hold the tiles that are left.")
            return shuffled

        names = [seat.name for seat in header.seats]
        emit = marking(emit) if header.duplicate else emit
        self._referee = Referee(header.rulebook, names, header.bag, shuffle, emit)
        self._reader = AnswerReader(header)
        self._rulebook = header.rulebook
        self.evidence: dict[str, Evidence] = {}
        """What stands behind the ejections other than for illegal moves, by name."""
        self._conversations = {
            name: Conversation.of_referee(Step.SEATED, Dialect.of(header.rulebook))
            for name in names
        }
        self._questions = self._referee.play()
        self._asks: Asks = {}
        self._replies: Replies = {}

    @property
    def state(self) -> State:
        """The committed position."""
        return self._referee.state

    @property
    def pending(self) -> Asks:
        """The questions without an answer so far, by name; none when the game is over."""
        return {name: ask for name, ask in self._asks.items() if name not in self._replies}

    def start(self, segments: Iterable[Segment] = ()) -> None:
        """Begin the game, or the segments that it consists of."""
        if segments:
            self._questions = self._referee.play_segments(segments)
        self._asks = next(self._questions)

    def take(self, record: etree._Element) -> None:
        """Take a record; events follow when all who were asked at once have answered."""
        if self._asks and is_answer(record):
            name, ask = next(iter(self.pending.items()))
            if record.attrib["player"] != name:
                raise Diverged(f"recorded {text_of(record)}, expected {name!r} to answer.", record)
            self._replies[name] = self._reply(name, ask.tag, record)
            if len(self._replies) == len(self._asks):
                self._answer()

    def take_partial_batch(self) -> None:
        """At the end of a log that was cut short: let the players who have no record disconnect."""
        if self._replies:
            self._replies |= dict.fromkeys(self.pending, LOG_ENDS)
            self._answer()

    def _answer(self) -> None:
        replies, self._replies = self._replies, {}
        try:
            self._asks = self._questions.send(replies)
        except StopIteration:
            self._asks = {}

    def _reply(self, name: str, question: str, record: etree._Element) -> Reply | Fault:
        """Return the reply in a record; it has to be one that the conversation allows."""
        conversation = self._conversations[name]
        conversation.send(question)
        if record.tag == "ejected":
            recorded = self._reader.fault(record)
            evidence = evidence_of(recorded, conversation.step, self._rulebook)
            if isinstance(evidence, str):
                raise Diverged(
                    f"{name!r} was ejected as {recorded.reason.value}, but {evidence}.", record
                )
            self.evidence[name] = evidence
            return recorded
        message = self._reader.message(record)
        fault = conversation.receive(TAGS[type(message)], b"")
        if fault is not None:
            raise Diverged(f"recorded {text_of(record)}: {fault.detail}", record)
        latency, lag = (int(record.get(time, "0")) for time in TIMES)
        return Reply(message, latency, lag)


def is_answer(record: etree._Element) -> bool:
    """Whether a record is an answer, or a fault instead of one; an illegal move follows from it."""
    illegal = Reason.ILLEGAL.value
    return record.tag == "answer" or (
        record.tag == "ejected" and record.attrib["reason"] != illegal
    )


def segments(log: RecordedGame, start: State) -> list[Segment]:
    """Return the segments of a recorded game: one, if it was played to its end from the set-up.

    A trial plays a number of turns from positions that are laid out, or stops when its player is
    ejected. ``start`` is the position after the set-up.
    """
    stopped = any(record.get("ending") == Ending.NO_MORE_TURNS.value for record in log.elements)
    if not stopped and not any(record.tag == "position" for record in log.elements):
        return [Segment(start, None)]
    reader = AnswerReader(log.header)
    found = [] if log.elements[0].tag == "position" else [(start, 0)]
    for record in log.elements:
        if record.tag == "position":
            found.append((reader.position(record), 0))
        elif record.tag == "turn":
            position, turns = found.pop()
            found.append((position, turns + 1))
    return [Segment(position, turns) for position, turns in found]


def text_of(record: etree._Element) -> str:
    """Return a record as it is written in the log."""
    return etree.tostring(record, encoding="unicode", with_tail=False)


# -- what stands behind an ejection ---------------------------------------------------------------
# The faults of form are judged again from the recorded bytes. They go through the same reader as at
# the table, at the same step of the conversation. So nobody can be ejected as malformed, invalid or
# out of turn for a good answer. The bytes alone have to give the fault: of a message that is too
# long, the log keeps one byte more than the limit. That an answer was late, that a connection was
# lost, or that bytes came before the question, cannot be checked afterwards: no clock can be asked
# again. What can be checked then is that the bytes are no complete message.

OF_TIME = (Reason.TIMED_OUT, Reason.DISCONNECTED)


class Evidence(Enum):
    """What an ejection rests on."""

    RULE = "rule"
    BYTES = "bytes"
    CLOCK = "clock"
    NOTHING = "nothing"


class Ejections(NamedTuple):
    """How many ejections rest on what.

    ``by_rule`` and ``by_bytes`` are proved: the recorded answer breaks the recorded rule, the
    recorded bytes have the recorded fault. ``by_clock`` and ``unrecorded`` are the referee's
    testimony: lateness, a lost connection, bytes that came unasked; faults of form without the
    bytes.
    """

    by_rule: int = 0
    by_bytes: int = 0
    by_clock: int = 0
    unrecorded: int = 0

    @property
    def testimony(self) -> int:
        """How many have to be believed."""
        return self.by_clock + self.unrecorded


_documents = lru_cache(8)(lambda rulebook: DocumentCache(player_reader(rulebook)))


def evidence_of(fault: Fault, step: Step, rulebook: Rulebook) -> Evidence | str:
    """Return what a recorded fault rests on, or, in words, how its bytes contradict it."""
    if fault.circumstance is Circumstance.UNASKED:
        if fault.reason is Reason.OUT_OF_TURN and fault.data.strip():
            return Evidence.CLOCK
        return "only bytes that are out of turn can have come unasked"
    if not fault.data:
        return Evidence.CLOCK if fault.reason in OF_TIME else Evidence.NOTHING
    conversation = Conversation.of_referee(step, Dialect.of(rulebook))
    received = Inbox(_documents(rulebook), conversation, LIMIT_FROM_PLAYER).receive(fault.data)
    if isinstance(received, Fault):
        if received.reason is fault.reason:
            return Evidence.BYTES
        return f"the recorded bytes are {received.reason.value}: {received.detail.rstrip('.')}"
    if received is not None:
        return f"the recorded bytes are a valid <{TAGS[type(received)]}>, which was expected"
    if fault.reason in OF_TIME:
        return Evidence.CLOCK
    # old logs lack the byte above the limit that proves a message to be too long
    if fault.reason is Reason.MALFORMED and len(fault.data) == LIMIT_FROM_PLAYER:
        return Evidence.NOTHING
    return "the recorded bytes are the beginning of a message, in which nothing is wrong"
