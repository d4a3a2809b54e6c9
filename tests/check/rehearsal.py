"""Cases by name, what is legal in them, and their scripts played in this process.

There is no socket and no clock, but the real referee.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple, TypeVar

import pytest

from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.events import Answered, Ejected, Event, TurnBegan
from acquire.admin.refereeing.play.in_process import Answerer, LocalSeat, drive
from acquire.admin.refereeing.play.outcome import Outcome
from acquire.admin.refereeing.play.referee import Referee
from acquire.admin.testing.cases.case import Case
from acquire.admin.testing.cases.catalogue import cases_for
from acquire.admin.testing.trial.trial import Script, TrialResult
from acquire.game.merger import merge
from acquire.game.placement import Kind, kind_of, legal_placements, place
from acquire.game.purchase import Order, legal_orders
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import RULEBOOKS
from acquire.game.state import State
from acquire.player.strategies.simple import LargestAlpha, Ordered, Random
from acquire.player.strategies.strategy import Strategy
from acquire.protocol.dialect import Dialect
from acquire.protocol.faults import Fault
from acquire.protocol.messages import TAGS, PlayerMessage, RefereeMessage

E = TypeVar("E", bound=Event)

EVERY = tuple(RULEBOOKS.values())


def under(rulebooks: Sequence[Rulebook]) -> pytest.MarkDecorator:
    """Parametrize a test with rulebooks."""
    return pytest.mark.parametrize("rulebook", rulebooks, ids=lambda rulebook: rulebook.id)


every_rulebook = under(EVERY)


# -- cases by name ------------------------------------------------------------------------------


@cache
def all_cases(rulebook: Rulebook) -> tuple[Case, ...]:
    """The catalogue's cases under a rulebook, made once: every position in them is parsed."""
    return tuple(cases_for(rulebook))


@cache
def _cases(rulebook: Rulebook) -> dict[str, Case]:
    return {case.id: case for case in all_cases(rulebook)}


def case_of(rulebook: Rulebook, case_id: str) -> Case:
    """The case of this id, such as ``turn/alone``."""
    return _cases(rulebook)[case_id]


def section_of(rulebook: Rulebook, section: str) -> dict[str, Case]:
    """The cases of a section, by slug."""
    return {case.slug: case for case in _cases(rulebook).values() if case.section.slug == section}


def first_position(case: Case) -> State:
    return case.script.segments[0].position


def last_position(case: Case) -> State:
    return case.script.segments[-1].position


def position_of(rulebook: Rulebook, case_id: str) -> State:
    """The last position of the case of this id."""
    return last_position(case_of(rulebook, case_id))


# -- what is legal in them ----------------------------------------------------------------------


def orderings(state: State) -> Iterator[State]:
    """The positions after each legal placement; in a merger all certificates are kept."""
    for placement in legal_placements(state):
        if kind_of(state.board, placement.tile) is Kind.MERGING:
            yield merge(state, placement).state
        else:
            yield place(state, placement)


def orders(state: State) -> set[Order]:
    """All orders that are legal after some legal placement."""
    return {order for ordering in orderings(state) for order in legal_orders(ordering)}


# -- rehearsals ---------------------------------------------------------------------------------


class Rehearsal(NamedTuple):
    """What the player of a script was asked, everything that happened, and the outcome."""

    subject: str
    questions: list[str]
    messages: list[RefereeMessage]
    events: list[Event]
    outcome: Outcome

    def of(self, kind: type[E]) -> list[E]:
        """The events of a kind."""
        return [event for event in self.events if isinstance(event, kind)]

    def asked(self, question: str) -> list[RefereeMessage]:
        """The messages to the player with this root element."""
        return [message for message in self.messages if TAGS[type(message)] == question]

    def turns_of(self, name: str) -> list[State]:
        """The positions in which a player was to move."""
        return [event.state for event in self.of(TurnBegan) if event.name == name]

    def askers(self, question: str) -> set[str]:
        """Whose turn it was when the player was asked a question."""
        mover, found = "", set()
        for event in self.events:
            if isinstance(event, TurnBegan):
                mover = event.name
            if isinstance(event, Answered) and event[:2] == (self.subject, question):
                found.add(mover)
        return found

    @property
    def left(self) -> Ejected | None:
        """How the player was ejected, if it was."""
        return next((left for left in self.of(Ejected) if left.name == self.subject), None)

    def trial(self, requested_name: str) -> TrialResult:
        """The same as the result of a trial, for the judgement on it."""
        name = self.subject
        return TrialResult(requested_name, name, events=self.events, outcome=self.outcome)


def rehearse(script: Script, player: Answerer | None = None) -> Rehearsal:
    """Play a script to its end, the player as ``ordered`` unless another is given."""
    rulebook, subject = script.rulebook, script.subject
    answerer = player or Ordered(rulebook, 0)
    questions: list[str] = []
    messages: list[RefereeMessage] = []
    events: list[Event] = []

    def note(message: RefereeMessage) -> PlayerMessage | Fault:
        if (question := TAGS[type(message)]) != "signup":
            questions.append("setup" if not questions and question == "state" else question)
            messages.append(message)
        return answerer(message)

    makers = {name: make(rulebook) for name, make in script.opponents.items()} | {subject: note}
    dealer, dialect = Dealer(0), Dialect.of(rulebook)
    seats = {name: LocalSeat(name, made, dialect=dialect) for name, made in makers.items()}

    def emit(event: Event) -> None:
        events.append(event)
        if isinstance(event, Ejected):
            del seats[event.name]  # no player may be asked after its ejection

    referee = Referee(rulebook, script.seats, dealer.bag, dealer.shuffle, emit)
    outcome = drive(referee.play_segments(script.segments, subject), seats)
    return Rehearsal(subject, questions, messages, events, outcome)


LEGAL: tuple[Callable[[Rulebook, int], Strategy], ...] = (Ordered, LargestAlpha, Random, Random)


@cache
def rehearsals(rulebook: Rulebook, case_id: str) -> tuple[Rehearsal, ...]:
    """Rehearse a case with each of some legal players; no test may change what it gets."""
    script = case_of(rulebook, case_id).script
    legal = LEGAL[:1] if case_id.startswith("matches/") else LEGAL  # those are long
    found = tuple(rehearse(script, make(rulebook, seed)) for seed, make in enumerate(legal))
    assert not any(each.left for each in found)
    return found


def answering(
    rulebook: Rulebook, question: str, answer: Callable[[RefereeMessage], PlayerMessage]
) -> Answerer:
    """A legal player that has its own answer to one question."""
    strategy = Ordered(rulebook, 0)
    return lambda message: answer(message) if TAGS[type(message)] == question else strategy(message)


def ejection(case: Case, question: str, answer: PlayerMessage) -> Ejected:
    """How a player is ejected that gives this answer to a question."""
    left = rehearse(case.script, answering(case.script.rulebook, question, lambda _: answer)).left
    assert left is not None
    return left
