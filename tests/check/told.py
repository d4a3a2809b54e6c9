"""A case told to strategies in this process: no socket and no clock, what was asked and came."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple, TypeVar

from admin.check.case import Case
from admin.match import events
from admin.match import in_process as local
from admin.match.dealer import Dealer
from admin.match.events import Ejected, Event
from admin.match.in_process import Answerer, LocalSeat
from admin.match.referee import Referee
from game.rulebook import Rulebook
from game.rulebooks import RULEBOOKS
from game.state import State
from player.strategies.simple import LargestAlpha, Ordered, Random
from player.strategies.strategy import Strategy
from protocol.dialect import Dialect
from protocol.faults import Fault
from protocol.messages import TAGS, AdministratorMessage, PlayerMessage

T = TypeVar("T", bound=Event)


class Told(NamedTuple):
    """What the subject of a case was told, question by question, and all that happened."""

    subject: str
    questions: list[str]
    messages: list[AdministratorMessage]
    events: list[Event]

    def asked(self, question: str) -> list[AdministratorMessage]:
        """The messages of this root element, in order."""
        return [message for message in self.messages if TAGS[type(message)] == question]

    def happened(self, kind: type[T]) -> list[T]:
        """The events of a kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def left(self) -> Ejected | None:
        """How the subject was ejected, if it was."""
        mine = [event for event in self.happened(Ejected) if event.name == self.subject]
        return mine[0] if mine else None


def tell(case: Case, answerer: Answerer) -> Told:
    """Tell a case, with this answerer as its subject."""
    script = case.script
    told = Told(script.subject, [], [], [])

    def listen(message: AdministratorMessage) -> PlayerMessage | Fault:
        if (question := TAGS[type(message)]) != "signup":
            first = not told.questions and question == "state"
            told.questions.append("setup" if first else question)
            told.messages.append(message)
        return answerer(message)

    dialect, dealer = Dialect.of(script.rulebook), Dealer(0)
    makers = {name: make() for name, make in script.others.items()} | {script.subject: listen}
    seats = {name: LocalSeat(name, made, dialect=dialect) for name, made in makers.items()}

    def emit(event: Event) -> None:
        told.events.append(event)
        if isinstance(event, events.Ejected):
            seats.pop(event.name)

    referee = Referee(script.rulebook, script.seats, dealer.bag, dealer.shuffle, emit)
    local.drive(referee.play_segments(script.segments, script.subject), seats)
    return told


HOUSE: tuple[Callable[[Rulebook, int], Strategy], ...] = (Ordered, LargestAlpha, Random, Random)


def told_to_all(case: Case) -> list[Told]:
    """Tell a case to each of some legal players; none of them is at fault."""
    found = [tell(case, make(case.script.rulebook, seed)) for seed, make in enumerate(HOUSE)]
    assert not any(told.left for told in found)
    return found


def answering(
    rulebook: Rulebook, question: str, answer: Callable[[AdministratorMessage], PlayerMessage]
) -> Answerer:
    """A legal player that has an answer of its own to one question."""
    strategy = Ordered(rulebook, 0)
    return lambda message: answer(message) if TAGS[type(message)] == question else strategy(message)


def always(answer: PlayerMessage) -> Callable[[AdministratorMessage], PlayerMessage]:
    """The same answer, whatever is asked."""
    return lambda _: answer


def position_of(case: Case) -> State:
    """The position that a case begins with."""
    return case.script.segments[0].position


@cache
def by_slug(cases: Callable[[Rulebook], Iterator[Case]], rulebook: Rulebook) -> dict[str, Case]:
    """A section's cases under a rulebook, by their slugs."""
    return {case.slug: case for case in cases(rulebook)}


EVERY = tuple(RULEBOOKS.values())
