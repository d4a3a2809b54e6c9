"""A recorded match turn by turn, for a terminal: the position before each, and what happened."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.text import Text

from admin.log.reader import RecordedMatch
from admin.log.verifier import Verification, Verifier
from admin.match import events
from admin.match.events import Event
from admin.view.board_text import draw
from admin.view.plain_text import printable
from admin.view.sentences import Teller
from game.placement import Kind
from game.state import State


class Turned(NamedTuple):
    """One turn: the position before it, and what happened, in words.

    ``who`` is to move; nobody is at the set-up, which is turn 0, and at the end, whose number is
    that after the last turn's. It is ``eventful`` where a hotel was founded or acquired, or
    somebody was ejected.
    """

    number: int
    who: str
    state: State
    told: tuple[str, ...] = ()
    eventful: bool = False

    def title(self, of: int) -> str:
        """Return the heading, in a match of so many turns."""
        if self.who:
            return f"Turn {self.number} of {of}: {self.who} is to move"
        return "The end" if self.number else "The set-up"


def turns_of(record: RecordedMatch) -> tuple[list[Turned], Verification]:
    """Return the turns of a match, as far as the log holds, and how far that is."""
    teller = Teller(record.header.rulebook)
    found: list[Turned] = []
    told: list[str] = []

    def begin(number: int, who: str, state: State) -> None:
        if found:
            found[-1] = found[-1]._replace(told=tuple(told))
        told.clear()
        found.append(Turned(number, who, state))

    def take(event: Event) -> None:
        match event:
            case events.TurnBegan(number, name, state):
                begin(number, name, state)
            case events.Ended(_, turns, state):
                begin(turns + 1, "", state)
                told.append(teller.sentence(event))
            case events.LaidOut(state):
                found[-1] = found[-1]._replace(state=state)
            case events.Answered() | events.OutOfStep():
                pass
            case _:
                told.append(teller.sentence(event))
                if _is_eventful(event):
                    found[-1] = found[-1]._replace(eventful=True)

    verifier = Verifier(record, take)
    begin(0, "", verifier.state)
    verdict = verifier.verify()
    found[-1] = found[-1]._replace(told=tuple(told))
    return found, verdict


def _is_eventful(event: Event) -> bool:
    match event:
        case events.Placed(kind=kind):
            return kind in (Kind.FOUNDING, Kind.MERGING)
        case events.Acquired() | events.Ejected():
            return True
    return False


def count_turns(turns: Sequence[Turned]) -> int:
    """Return how many turns there were, of which the set-up and the end are none."""
    return max((turned.number for turned in turns if turned.who), default=0)


def draw_turn(turned: Turned, of: int) -> RenderableType:
    """Draw a turn of so many: the position before it, the players, what happened."""
    head = Text(printable(turned.title(of)), "bold")
    told = Text("\n".join(f"  {printable(sentence)}" for sentence in turned.told))
    return Group(head, draw(turned.state), told)
