"""A recorded match as a script: turn by turn, with the answers that its players gave."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TypeAlias

from lxml import etree

from admin.log.reader import AnswerReader, RecordedMatch
from admin.log.verifier import Verifier
from admin.match import events
from admin.match.events import Event
from admin.match.referee import Segment
from admin.trial.script import Make, Script
from game.placement import Placement, hotel_choices
from game.state import State
from protocol import messages
from protocol.faults import Fault
from protocol.messages import TAGS, AdministratorMessage, PlayerMessage

Said: TypeAlias = PlayerMessage | Fault
"""An answer, or what a player did wrong instead of one."""


class CannotFollow(Exception):
    """A log cannot be played again; the text is for people."""


class Recorded:
    """A recorded match, taken apart; ``CannotFollow`` where it diverges from the rules.

    ``start`` is the position after the set-up; ``positions`` are those with which the turns began,
    by the turn's number; ``ejected`` says in which turn a player left.
    """

    def __init__(self, record: RecordedMatch) -> None:
        self.header = record.header
        self.positions: dict[int, State] = {}
        self.movers: dict[int, str] = {}
        self.ejected: dict[str, events.Ejected] = {}
        self.left_in: dict[str, int] = {}
        self._turn = 0
        verifier = Verifier(record, self._note)
        self.start = verifier.state
        divergence = verifier.verify().divergence
        if divergence is not None:
            raise CannotFollow(f"The log diverges from the rules: {divergence}")
        self._said = dict(_by_turn(record))
        self._forget_unanswered()

    def _note(self, event: Event) -> None:
        match event:
            case events.LaidOut(state) if not self._turn:
                self.start = state
            case events.TurnBegan(number, name, state):
                self._turn = number
                self.positions[number] = state
                self.movers[number] = name
            case events.Ejected():
                self.ejected[event.name] = event
                self.left_in[event.name] = self._turn

    def _forget_unanswered(self) -> None:
        """Leave out a last turn in which the log was cut short before the mover had answered."""
        last = max(self.positions, default=0)
        if last and not self.said(last, self.movers[last]):
            del self.positions[last]

    @property
    def names(self) -> tuple[str, ...]:
        """Who has a seat."""
        return tuple(seat.name for seat in self.header.seats)

    def said(self, turn: int, name: str) -> list[tuple[str, Said]]:
        """Return what a player answered in a turn (0 is the set-up), each with the question."""
        return [(question, said) for who, question, said in self._said.get(turn, []) if who == name]

    def turns_of(self, name: str) -> list[int]:
        """List the turns until the end of the match, or until a player left."""
        last = self.left_in.get(name, max(self.positions, default=0))
        return [turn for turn in self.positions if turn <= last]

    def script(self, subject: str, turns: list[int]) -> Script:
        """Make a script of these turns, each from the very position that it had.

        Without the first turn the match begins with the first of them. It is to be played once.
        """
        segments = [Segment(self.positions[turn], 1) for turn in turns]
        if begins_whole(turns):
            segments.insert(0, Segment(self.start, 0))
        prompter = Prompter(self, subject, turns)
        others = {name: prompter.make(name) for name in self.names if name != subject}
        return Script(
            self.header.rulebook,
            self.names,
            subject,
            tuple(segments),
            others,
            seed=self.header.seed,
            game=self.header.game,
            reader=prompter,
        )


def begins_whole(turns: Sequence[int]) -> bool:
    """Whether a script of these turns begins as the match did, with the set-up."""
    return not turns or turns[0] == 1


def _by_turn(record: RecordedMatch) -> Iterator[tuple[int, list[tuple[str, str, Said]]]]:
    """Take the answers of a log apart by turn, and faults in the place of answers."""
    reader = AnswerReader(record.header)
    turn = 0
    said: list[tuple[str, str, Said]] = []
    for element in record.elements:
        if element.tag == "turn":
            yield turn, said
            turn, said = int(element.attrib["number"]), []
        elif (what := _said(element, reader)) is not None:
            said.append((element.attrib["player"], element.attrib["to"], what))
    yield turn, said


def _said(element: etree._Element, reader: AnswerReader) -> Said | None:
    """Return the answer, or the fault in the place of one, that a record holds."""
    if element.tag == "answer":
        return reader.message(element)
    if element.tag == "ejected" and element.attrib["reason"] != "illegal":
        return reader.fault(element)
    return None


class Prompter:
    """Tells the other players of a recorded match what they said in the turn that is played.

    It reads the events of the trial. Once the subject has answered otherwise than was recorded,
    what the others said in the rest of that turn is of no use: they do the least.
    """

    def __init__(self, recorded: Recorded, subject: str, turns: list[int]) -> None:
        self._recorded = recorded
        self._turns = turns
        self._subject = subject
        self.subject = subject
        """The name that the subject has in the trial."""
        self._parted = False
        self._left: dict[str, list[tuple[str, Said]]] = {}
        self._begin(0)

    def _begin(self, turn: int) -> None:
        self.turn = turn
        self._parted = False
        self._left = {}

    def __call__(self, event: Event) -> None:
        """Take an event of the trial."""
        match event:
            case events.TurnBegan(number, _, _):
                self._begin(self._turns[number - 1])
            case events.Answered(name, question, message) if name == self.subject:
                self._parted |= message != self._next(self._subject, question)

    def _next(self, name: str, question: str) -> Said | None:
        """Return what a player said next to this question, in the turn being played."""
        if name not in self._left:
            self._left[name] = self._recorded.said(self.turn, name)
        for place, (asked, said) in enumerate(self._left[name]):
            if asked == question:
                del self._left[name][place]
                return said
        return None

    def make(self, name: str) -> Make:
        """Return a way to make one of the other players."""
        return lambda: partial(self.prompt, name)

    def prompt(self, name: str, message: AdministratorMessage) -> Said:
        """Say what a player answers."""
        said = self._next(name, TAGS[type(message)])
        if said is None or (self._parted and not isinstance(said, messages.Void)):
            return _least(message)
        return said


def _least(message: AdministratorMessage) -> PlayerMessage:
    """Answer what has no recorded answer: keep, sell, trade and order nothing, take note."""
    match message:
        case messages.Keep(hotels):
            return messages.KeepAnswer((False,) * len(hotels))
        case messages.Dispose():
            return messages.DisposeAnswer(0, 0)
        case messages.Players() | messages.PlayersView():
            return messages.Order(())
        case messages.MarketMerger(tile, view):
            return messages.Merge(Placement(tile, hotel_choices(view.board, tile)[0]))
        case _:
            return messages.Void()
