"""A recorded game turn by turn, for a terminal: the position before each, and what happened."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.text import Text

from ....game.placement import Kind
from ....game.state import State
from ..log.reader import RecordedGame
from ..log.verifier import Verification, Verifier
from ..play import events
from ..play.events import Event
from ..play.net_worth import NetWorth
from .board_text import PlayerRow, draw, player_rows
from .plain_text import printable
from .sentences import Sentences


class TurnSummary(NamedTuple):
    """One turn: the position before it, and what happened, in words.

    ``who`` moves; it is empty at the set-up, which is turn 0, and at the end, which has the number
    after the last turn. ``players`` are those of the position and all ejected before. A turn is
    ``eventful`` if a hotel was founded or acquired, or a player was ejected.
    """

    number: int
    who: str
    state: State
    players: tuple[PlayerRow, ...]
    happened: tuple[str, ...] = ()
    eventful: bool = False

    def title(self, of: int) -> str:
        """Return the heading, in a game of ``of`` turns."""
        if self.who:
            return f"Turn {self.number} of {of}: {self.who}"
        return "The end" if self.number else "The set-up"


def turns_of(record: RecordedGame) -> tuple[list[TurnSummary], Verification]:
    """Return the turns of a game, as far as the log holds, and how far that is."""
    sentences = Sentences(record.header.rulebook)
    found: list[TurnSummary] = []
    happened: list[str] = []
    names = [seat.name for seat in record.header.seats]

    def rows(state: State) -> tuple[PlayerRow, ...]:
        at_table = {player.name for player in state.players}
        ejected = [name for name in names if name not in at_table]
        return tuple(player_rows(state, net_worth.by_name, ejected))

    def begin(number: int, who: str, state: State) -> None:
        if found:
            found[-1] = found[-1]._replace(happened=tuple(happened))
        happened.clear()
        found.append(TurnSummary(number, who, state, rows(state)))

    def take(event: Event) -> None:
        net_worth.take(event)
        match event:
            case events.TurnBegan(number, name, state):
                begin(number, name, state)
            case events.Ended(_, turns, state):
                begin(turns + 1, "", state)
                happened.append(sentences.sentence(event))
            case events.LaidOut(state):
                found[-1] = found[-1]._replace(state=state, players=rows(state))
            case events.Answered() | events.OutOfStep():
                pass
            case _:
                happened.append(sentences.sentence(event))
                if _is_eventful(event):
                    found[-1] = found[-1]._replace(eventful=True)

    verifier = Verifier(record, take)
    net_worth = NetWorth(verifier.state)
    begin(0, "", verifier.state)
    verdict = verifier.verify()
    found[-1] = found[-1]._replace(happened=tuple(happened))
    if found[-1].number and not found[-1].who:  # the final bonuses have been paid by now
        found[-1] = found[-1]._replace(players=rows(found[-1].state))
    return found, verdict


def _is_eventful(event: Event) -> bool:
    match event:
        case events.Placed(kind=kind):
            return kind in (Kind.FOUNDING, Kind.MERGING)
        case events.Acquired() | events.Ejected():
            return True
    return False


def count_turns(turns: Sequence[TurnSummary]) -> int:
    """Return how many turns there were, of which the set-up and the end are none."""
    return max((turned.number for turned in turns if turned.who), default=0)


def draw_turn(turned: TurnSummary, of: int) -> RenderableType:
    """Draw a turn, of ``of``: the position before it, the players, what happened."""
    return Group(
        draw_title(turned, of), draw(turned.state, turned.players), Text(), draw_happened(turned)
    )


def draw_title(turned: TurnSummary, of: int) -> Text:
    """Draw the heading of a turn, of ``of``."""
    return Text(printable(turned.title(of)), "bold")


def draw_happened(turned: TurnSummary) -> Text:
    """Draw what happened in a turn, a sentence on each line."""
    return Text("\n".join(f"  {printable(sentence)}" for sentence in turned.happened))
