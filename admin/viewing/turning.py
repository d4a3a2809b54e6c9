"""A recorded match turn by turn, for a terminal: the position before each, and what happened."""

from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.text import Text

from admin import events
from admin.board import draw, printable
from admin.events import Event
from admin.record import Record
from admin.replay import Verdict, Verifier
from admin.viewing.sentences import Teller
from game.state import State


class Turned(NamedTuple):
    """One turn: the position before it, and what happened, in words.

    Turn 0 is the set-up; the last is the end, with the number after the last turn's.
    """

    number: int
    title: str
    state: State
    told: tuple[str, ...]


def turns_of(record: Record) -> tuple[list[Turned], Verdict]:
    """Return the turns of a match, as far as the log holds, and how far that is."""
    teller = Teller(record.header.rulebook)
    found: list[Turned] = []
    told: list[str] = []

    def begin(number: int, title: str, state: State) -> None:
        if found:
            found[-1] = found[-1]._replace(told=tuple(told))
        told.clear()
        found.append(Turned(number, title, state, ()))

    def take(event: Event) -> None:
        match event:
            case events.TurnBegan(number, name, state):
                begin(number, f"Turn {number}: {name} is to move", state)
            case events.Ended(_, turns, state):
                begin(turns + 1, "The end", state)
                told.append(teller.sentence(event))
            case events.LaidOut(state):
                found[-1] = found[-1]._replace(state=state)
            case events.Answered() | events.OutOfStep():
                pass
            case _:
                told.append(teller.sentence(event))

    verifier = Verifier(record, take)
    begin(0, "The set-up", verifier.state)
    verdict = verifier.verify()
    found[-1] = found[-1]._replace(told=tuple(told))
    return found, verdict


def draw_turn(turned: Turned, of: int) -> RenderableType:
    """Draw a turn: the position before it, the players, what happened."""
    head = Text(f"{printable(turned.title)}  ", "bold")
    head.append(f"of {of}", "dim")
    told = Text("\n".join(f"  {printable(sentence)}" for sentence in turned.told))
    return Group(head, draw(turned.state), told)
