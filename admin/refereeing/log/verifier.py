"""A recorded game played again, and whether its log is true.

In a ``Replay`` the records go in one by one, and the events come out. The recorded answers are
given to a referee, which judges them as it did then. The log may be complete, or still being
written.

The ``Verifier`` compares: every event that the referee emits has to be the recorded one, apart from
latencies, which cannot be recomputed, and the text that explains an ejection: the rule that was
broken is a fact, but its wording may change from one version to the next. What an ejection rests on
is counted.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from lxml import etree

from ....game.rulebook import Rulebook
from ....game.state import State
from ....game.tiles import Tile
from ....game.turn import Ending
from ....protocol.conversation import Conversation, Side, Step
from ....protocol.dialect import Dialect
from ....protocol.faults import Circumstance, Fault, LocalProtocolError, Reason
from ....protocol.framing import LIMIT_FROM_PLAYER
from ....protocol.inbox import DocumentCache, Inbox
from ....protocol.messages import TAGS
from ....protocol.reading import player_reader
from ..play import events
from ..play.dealer import Dealer
from ..play.draw_sync import marking
from ..play.events import Event
from ..play.judge import Emit
from ..play.outcome import Outcome, OutcomeSoFar
from ..play.questions import Asks, Replies, Reply
from ..play.referee import Referee, Segment
from .reader import AnswerReader, RecordedGame, read_tiles
from .recorder import Header, Recorder

TIMES = ("latency", "lag")  # the attributes of an answer that depend on the clock
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

        names = header.names
        emit = marking(emit) if header.duplicate else emit
        self._referee = Referee(header.rulebook, names, header.bag, shuffle, emit)
        self._reader = AnswerReader(header)
        self._rulebook = header.rulebook
        self.evidence: dict[str, Evidence] = {}
        """What stands behind the ejections other than for illegal moves, by name."""
        self._conversations = {
            name: Conversation(Side.REFEREE, Step.SEATED, Dialect.of(header.rulebook))
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
        try:
            conversation.send(question)
        except LocalProtocolError:  # a later position has a player again who was ejected
            raise Diverged(f"{name!r} is asked <{question}>, but had left.", record) from None
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
    """How many ejections are proved by the log, and how many rest on the referee's testimony."""

    by_rule: int = 0  # proved: the recorded answer breaks the recorded rule
    by_bytes: int = 0  # proved: the recorded bytes have the recorded fault
    by_clock: int = 0  # testimony: lateness, a lost connection, bytes that came unasked
    unrecorded: int = 0  # testimony: faults of form without the bytes

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
    conversation = Conversation(Side.REFEREE, step, Dialect.of(rulebook))
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


# -- every record compared ------------------------------------------------------------------------


UNCOMPARED = {*TIMES, "detail", "hint", *(each.value for each in Circumstance)}
"""The attributes of records that are not compared: a replay can only copy them from the log."""


class Verification(NamedTuple):
    """What the comparison of a log with the game played again has found."""

    turns: int  # how many have begun
    facts: int  # how many records hold
    ending: Ending | None  # None if the game has not ended
    divergence: str | None  # None if every recorded fact holds
    ejections: Ejections  # how many of those that hold are proved
    events: tuple[Event, ...]  # those that hold
    start: State  # after the set-up
    state: State  # the last that was committed, before the pay-out
    outcome: Outcome  # as far as the log holds; interrupted where it was cut short


class _CutShort(Exception):
    """The log has no more records."""


class Verifier:
    """Verifies one recorded game. ``verify()`` is to be called once.

    If the game has to be ``seeded``, a given bag is not accepted.
    """

    def __init__(self, record: RecordedGame, *, seeded: bool = False) -> None:
        self._record = record
        self._recorder = Recorder(record.header.rulebook)
        self._replay = Replay(record.header, self._compare, record.elements)
        self._trusted = record.header.given and not seeded
        self._events: list[Event] = []  # as many as records hold
        self._turns = 0
        self._ending: Ending | None = None
        self._so_far = OutcomeSoFar()
        self._evidence: Counter[Evidence] = Counter()

    def verify(self) -> Verification:
        """Compare the log with what follows from its bag and answers by the rules."""
        divergence, start = None, self._replay.state
        try:
            self._verify(start)
        except Diverged as diverged:
            divergence, record = str(diverged), diverged.record
            if record is not None:
                divergence = f"line {record.sourceline}, turn {self._turns}: {divergence}"
        ejections = Ejections(*(self._evidence[evidence] for evidence in Evidence))
        return Verification(
            turns=self._turns,
            facts=len(self._events),
            ending=self._ending,
            divergence=divergence,
            ejections=ejections,
            events=tuple(self._events),
            start=start,
            state=self._replay.state,
            outcome=self._so_far.outcome(),
        )

    def _verify(self, start: State) -> None:
        header, elements = self._record.header, self._record.elements
        if not self._trusted and header.bag != Dealer(header.seed, header.game).bag:
            raise Diverged(f"the bag is not the one of seed {header.seed}, game {header.game}.")
        try:
            self._replay.start(segments(self._record, start))
            for element in elements:
                self._replay.take(element)
            self._check_end()
        except _CutShort:
            pass

    def _check_end(self) -> None:
        """Check that the log ends where the game does: at its end, interrupted, or cut short."""
        elements, pending = self._record.elements, self._replay.pending
        left = [each.get("ending") for each in elements[len(self._events) :]]
        if pending and left == [Ending.INTERRUPTED.value]:
            self._compare(events.Ended(Ending.INTERRUPTED, self._turns, self._replay.state))
        elif pending and self._record.complete:
            name, ask = next(iter(pending.items()))
            raise Diverged(f"the log is closed, yet {name!r} has not answered <{ask.tag}>.")
        elif pending:
            self._replay.take_partial_batch()
        if len(self._events) < len(elements):
            extra = elements[len(self._events)]
            what = "expected an answer" if pending else "the game was over"
            raise Diverged(f"recorded {text_of(extra)}, {what}.", extra)

    def _compare(self, event: Event) -> None:
        """Take one event of the game as it is played again: the next record has to be the same."""
        if isinstance(event, events.TurnBegan):
            self._turns = event.number
        if len(self._events) >= len(self._record.elements):
            if self._record.complete:
                raise Diverged(f"the log ends, expected {self._recorder.record(event)}.")
            raise _CutShort
        recorded = self._record.elements[len(self._events)]
        text = self._recorder.record(event)
        if text_of(recorded) != text and _facts(recorded) != _facts(etree.fromstring(text)):
            raise Diverged(f"recorded {text_of(recorded)}, but the rules give {text}.", recorded)
        self._events.append(event)
        self._so_far(event)
        if isinstance(event, events.Ejected):
            self._evidence[self._replay.evidence.get(event.name, Evidence.RULE)] += 1
        if isinstance(event, events.Ended):
            self._ending = event.ending


def _facts(element: etree._Element) -> object:
    """Return the facts of an element, without times and wording, in a form that can be compared."""
    attributes = {name: value for name, value in element.attrib.items() if name not in UNCOMPARED}
    text = (element.text or "").strip()
    return str(element.tag), attributes, text, [_facts(child) for child in element]
