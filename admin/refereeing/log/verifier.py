"""Whether a log is true: the game is played again, and every record compared.

Every event that the referee emits has to be the recorded one, apart from latencies, which cannot
be recomputed, and the text that explains an ejection: the rule that was broken is a fact, but its
wording may change from one version to the next. What an ejection rests on is counted.
"""

from collections import Counter
from typing import NamedTuple

from lxml import etree

from ....game.state import State
from ....game.turn import Ending
from ....protocol.faults import Circumstance
from ..play import events
from ..play.dealer import Dealer
from ..play.events import Event
from ..play.judge import Emit
from ..play.outcome import Outcome, OutcomeSoFar
from .reader import RecordedGame
from .recorder import Recorder
from .replay import TIMES, Diverged, Ejections, Evidence, Replay, segments, text_of

UNCOMPARED = {*TIMES, "detail", "hint", *(each.value for each in Circumstance)}
"""The attributes of records that are not compared: a replay can only copy them from the log."""


class Verification(NamedTuple):
    """What a comparison found: ``divergence`` is ``None`` when every recorded fact holds.

    ``facts`` are the records that hold, ``turns`` those begun; ``ending`` is ``None`` where the
    game has not ended. ``ejections`` says how many ejections that hold are proved, and how many
    are the referee's testimony.
    """

    turns: int
    facts: int
    ending: Ending | None
    divergence: str | None
    ejections: Ejections = Ejections()


class _CutShort(Exception):
    """The log has no more records."""


class Verifier:
    """Verifies one recorded game. ``verify()`` is to be called once.

    ``emit``, if it is given, receives every event that holds. If the game has to be ``seeded``, a
    given bag is not accepted.
    """

    def __init__(
        self, record: RecordedGame, emit: Emit | None = None, *, seeded: bool = False
    ) -> None:
        self._emit = emit
        self._record = record
        self._recorder = Recorder(record.header.rulebook)
        self._replay = Replay(record.header, self._compare, record.elements)
        self._trusted = record.header.given and not seeded
        self._next = 0
        self._turns = 0
        self._ending: Ending | None = None
        self._so_far = OutcomeSoFar()
        self._evidence: Counter[Evidence] = Counter()

    @property
    def state(self) -> State:
        """The last position that was committed, before the pay-out."""
        return self._replay.state

    @property
    def outcome(self) -> Outcome:
        """The outcome as far as the log goes; interrupted where it was cut short."""
        return self._so_far.outcome()

    def verify(self) -> Verification:
        """Compare the log with what follows from its bag and answers by the rules."""
        divergence = None
        try:
            self._verify()
        except Diverged as diverged:
            divergence, record = str(diverged), diverged.record
            if record is not None:
                divergence = f"line {record.sourceline}, turn {self._turns}: {divergence}"
        ejections = Ejections(*(self._evidence[evidence] for evidence in Evidence))
        return Verification(self._turns, self._next, self._ending, divergence, ejections)

    def _verify(self) -> None:
        header, elements = self._record.header, self._record.elements
        if not self._trusted and header.bag != Dealer(header.seed, header.game).bag:
            raise Diverged(f"the bag is not the one of seed {header.seed}, game {header.game}.")
        try:
            self._replay.start(segments(self._record, self.state))
            for element in elements:
                self._replay.take(element)
            self._check_end()
        except _CutShort:
            pass

    def _check_end(self) -> None:
        """Check that the log ends where the game does: at its end, interrupted, or cut short."""
        elements, pending = self._record.elements, self._replay.pending
        left = [each.get("ending") for each in elements[self._next :]]
        if pending and left == [Ending.INTERRUPTED.value]:
            self._compare(events.Ended(Ending.INTERRUPTED, self._turns, self.state))
        elif pending and self._record.complete:
            name, ask = next(iter(pending.items()))
            raise Diverged(f"the log is closed, yet {name!r} has not answered <{ask.tag}>.")
        elif pending:
            self._replay.take_partial_batch()
        if self._next < len(elements):
            extra = elements[self._next]
            what = "expected an answer" if pending else "the game was over"
            raise Diverged(f"recorded {text_of(extra)}, {what}.", extra)

    def _compare(self, event: Event) -> None:
        """Take one event of the game as it is played again: the next record has to be the same."""
        if isinstance(event, events.TurnBegan):
            self._turns = event.number
        if self._next >= len(self._record.elements):
            if self._record.complete:
                raise Diverged(f"the log ends, expected {self._recorder.record(event)}.")
            raise _CutShort
        recorded = self._record.elements[self._next]
        text = self._recorder.record(event)
        if text_of(recorded) != text and _facts(recorded) != _facts(etree.fromstring(text)):
            raise Diverged(f"recorded {text_of(recorded)}, but the rules give {text}.", recorded)
        self._next += 1
        self._so_far(event)
        if self._emit is not None:
            self._emit(event)
        if isinstance(event, events.Ejected):
            self._evidence[self._replay.evidence.get(event.name, Evidence.RULE)] += 1
        if isinstance(event, events.Ended):
            self._ending = event.ending


def _facts(element: etree._Element) -> object:
    """Return the facts of an element, without times and wording, in a form that can be compared."""
    attributes = {name: value for name, value in element.attrib.items() if name not in UNCOMPARED}
    text = (element.text or "").strip()
    return str(element.tag), attributes, text, [_facts(child) for child in element]
