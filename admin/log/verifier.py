"""The story of a match told to a recorded log, and everything that comes of it compared.

The bag and the answers go in; every record that the referee then makes has to be the recorded one,
but for latencies, which nobody can recompute, and for the text that explains an ejection: the rule
that was broken is a fact, its wording may change from one version to the next.
"""

from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree

from admin.log.reader import AnswerReader, Record
from admin.log.writer import Recorder
from admin.match import events
from admin.match.dealer import Dealer
from admin.match.draw_sync import Steps
from admin.match.events import Event
from admin.match.judge import Emit
from admin.match.outcome import Outcome, OutcomeSoFar
from admin.match.referee import Referee, Segment
from admin.match.questions import Asks, Replies, Reply
from game.state import State
from game.turn import Ending
from protocol.conversation import Conversation, Step
from protocol.dialect import Dialect
from protocol.faults import Fault, Reason
from protocol.messages import TAGS

TIMES = ("latency", "lag")
UNCOMPARED = (*TIMES, "detail")


class Verdict(NamedTuple):
    """What a comparison found: ``divergence`` is ``None`` when every recorded fact holds."""

    turns: int
    facts: int
    ending: Ending | None
    divergence: str | None


class _Diverged(Exception):
    """The log and the rules part; the text says how."""


class _CutShort(Exception):
    """The log has no more answers."""


class Verifier:
    """Re-executes one recorded match. ``verify()`` is to be called once.

    ``tell``, if it is given, is told every event that holds.
    """

    def __init__(self, record: Record, tell: Emit | None = None) -> None:
        header = record.header
        self._tell = tell
        self._record = record
        self._dealer = Dealer(header.seed, header.game)
        self._recorder = Recorder(header.rulebook)
        self._reader = AnswerReader(header)
        self._next = 0
        self._turns = 0
        self._ending: Ending | None = None
        self._so_far = OutcomeSoFar()
        self._referee = Referee(
            header.rulebook,
            [seat.name for seat in header.seats],
            header.bag,
            self._dealer.shuffle,
            Steps(self._compare) if header.duplicate else self._compare,
        )
        self._answers = self._recorded_answers()
        self._conversations = {
            seat.name: Conversation.of_administrator(Step.SEATED, Dialect.of(header.rulebook))
            for seat in header.seats
        }

    @property
    def state(self) -> State:
        """The last position that was committed, before the pay-out."""
        return self._referee.state

    @property
    def outcome(self) -> Outcome:
        """The outcome as far as the log goes; interrupted where it was cut short."""
        return self._so_far.outcome()

    def verify(self) -> Verdict:
        """Compare the log with what the rules make of its bag and answers."""
        try:
            self._verify()
        except _Diverged as diverged:
            return self._verdict(str(diverged))
        return self._verdict(None)

    def _verdict(self, divergence: str | None) -> Verdict:
        return Verdict(self._turns, self._next, self._ending, divergence)

    def _verify(self) -> None:
        header = self._record.header
        if header.bag != self._dealer.bag:
            raise _Diverged(f"the bag is not the one of seed {header.seed}, game {header.game}.")
        story = self._referee.story_of(segments(self._record, self._referee.state))
        try:
            asks = next(story)
            while True:
                asks = story.send(self._replies(asks))
        except StopIteration:
            pass
        except _CutShort:
            self._cut_short()
        if self._next < len(self._record.elements):
            extra = self._record.elements[self._next]
            raise _Diverged(self._at(extra, f"recorded {_text(extra)}, the match was over."))
        if self._record.complete and self._ending is None:
            raise _Diverged("the log is closed, yet the match has not ended.")

    def _cut_short(self) -> None:
        """See to a log without further answers: cut short, or interrupted between two of them."""
        elements = self._record.elements
        last = elements[-1] if elements else None
        if (
            last is not None
            and self._next == len(elements) - 1
            and last.tag == "ended"
            and last.attrib["ending"] == Ending.INTERRUPTED.value
        ):
            self._compare(events.Ended(Ending.INTERRUPTED, self._turns, self._referee.state))
        elif self._record.complete and self._next == len(elements):
            raise _Diverged("the log is closed, yet answers are missing at its end.")

    def _recorded_answers(self) -> Iterator[etree._Element]:
        for element in self._record.elements:
            if element.tag == "answer" or (
                element.tag == "ejected" and element.attrib["reason"] != "illegal"
            ):
                yield element

    def _replies(self, asks: Asks) -> Replies:
        """Give the recorded answers to a batch of questions.

        Of the last batch of a log that was cut short some may be there: the others are given a
        fault, which no record is left to compare with.
        """
        replies: Replies = {}
        for name, ask in asks.items():
            element = next(self._answers, None)
            question = TAGS[type(ask.message)]
            if element is not None:
                replies[name] = self._reply(name, question, element)
            elif not replies:
                raise _CutShort
            elif self._record.complete:
                raise _Diverged(f"{name!r} has not answered <{question}>, though others have.")
            else:
                replies[name] = Fault(Reason.DISCONNECTED, "The log ends here.")
        return replies

    def _reply(self, name: str, question: str, element: etree._Element) -> Reply | Fault:
        """Make the reply of a record, which has to be one that the conversation allows."""
        if element.attrib["player"] != name:
            raise _Diverged(
                self._at(element, f"recorded {_text(element)}, it was {name!r} who had to answer.")
            )
        conversation = self._conversations[name]
        conversation.send(question)
        if element.tag == "ejected":
            return self._reader.fault(element)
        message = self._reader.message(element)
        fault = conversation.receive(TAGS[type(message)], b"")
        if fault is not None:
            raise _Diverged(self._at(element, f"recorded {_text(element)}: {fault.detail}"))
        latency, lag = (int(element.get(time, "0")) for time in TIMES)
        return Reply(message, latency, lag)

    def _compare(self, event: Event) -> None:
        """Take one event of the re-executed match: the next record has to be the same."""
        if isinstance(event, events.TurnBegan):
            self._turns = event.number
        if self._next >= len(self._record.elements):
            if self._record.complete:
                raise _Diverged(f"the log ends where the rules say {self._recorder.record(event)}.")
            raise _CutShort
        recorded = self._record.elements[self._next]
        text = self._recorder.record(event)
        if _facts(recorded) != _facts(etree.fromstring(text)):
            raise _Diverged(
                self._at(recorded, f"recorded {_text(recorded)}, the rules say {text}.")
            )
        self._next += 1
        self._so_far(event)
        if self._tell is not None:
            self._tell(event)
        if isinstance(event, events.Ended):
            self._ending = event.ending

    def _at(self, element: etree._Element, text: str) -> str:
        return f"line {element.sourceline}, turn {self._turns}: {text}"


def segments(record: Record, start: State) -> list[Segment]:
    """Return the parts of which a recorded match is made: one, if no position was laid out in it.

    ``start`` is the position after the set-up.
    """
    if not any(element.tag == "position" for element in record.elements):
        return [Segment(start, None)]
    reader = AnswerReader(record.header)
    found = [] if record.elements[0].tag == "position" else [(start, 0)]
    for element in record.elements:
        if element.tag == "position":
            found.append((reader.position(element), 0))
        elif element.tag == "turn":
            position, turns = found.pop()
            found.append((position, turns + 1))
    return [Segment(position, turns) for position, turns in found]


def _facts(element: etree._Element) -> object:
    """Return the facts of an element, without times and wording, in a form that can be compared."""
    attributes = {name: value for name, value in element.attrib.items() if name not in UNCOMPARED}
    text = (element.text or "").strip()
    return str(element.tag), attributes, text, [_facts(child) for child in element]


def _text(element: etree._Element) -> str:
    return etree.tostring(element, encoding="unicode", with_tail=False)
