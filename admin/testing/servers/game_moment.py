"""Where a judged game stands: what has happened since the last message that was right."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ....game.rulebook import EmptyBag, Rulebook
from ....game.state import State
from ....game.turn import Ending, declared_ending
from ...refereeing.play import events
from ...refereeing.play.events import Event
from ...refereeing.view.plain_text import dollars
from ...refereeing.view.sentences import Sentences
from .differences import SentDifference

MOST_TOLD = 14
"""How many events a finding tells."""


@dataclass(slots=True)
class GameMoment:
    """Where the game stands. Set ``before`` to the first position before anything happens.

    ``pending`` are the events since the last right message, and ``cases`` those that they come to;
    ``turn`` are the events of the turn. ``cheats`` and ``points`` are the cases that players are
    for, by name. ``over`` is the ending between two turns.
    """

    cheats: dict[str, str] = field(default_factory=dict)
    points: dict[str, str] = field(default_factory=dict)
    number: int = 0
    pending: list[Event] = field(default_factory=list)
    turn: list[Event] = field(default_factory=list)
    cases: list[str] = field(default_factory=list)
    over: Ending | None = None
    _last: State | None = None
    _before: State | None = None

    @property
    def last(self) -> State:
        """The position after the last event."""
        assert self._last is not None, "it is set before the first event"
        return self._last

    @last.setter
    def last(self, state: State) -> None:
        self._last = state

    @property
    def before(self) -> State:
        """The position before the pending events."""
        assert self._before is not None, "it is set before the first event"
        return self._before

    @before.setter
    def before(self, state: State) -> None:
        self._before = self._last = state

    def take(self, event: Event) -> None:
        """Take an event."""
        if isinstance(event, events.TurnBegan):
            self.number, self.turn = event.number, []
        self.pending.append(event)
        self.turn.append(event)
        state = getattr(event, "state", None)
        if isinstance(state, State):
            self._last = state

    def settle(self) -> None:
        """Begin anew after a message."""
        self.pending, self.cases, self._before = [], [], self._last

    def ending(self, rulebook: Rulebook) -> Ending | None:
        """Return the ending that the turn brought about by itself, if it did."""
        began = [each for each in self.turn if isinstance(each, events.TurnBegan)]
        kinds = {type(each) for each in self.turn}
        if began and events.Declared in kinds:
            return declared_ending(self.last, began[0].state)
        ends = rulebook.empty_bag is EmptyBag.ENDS_GAME and events.Placed in kinds
        return Ending.BAG_EMPTY if ends and not kinds & {events.Drew, events.Ejected} else None

    def told(self, rulebook: Rulebook, found: Sequence[SentDifference]) -> str:
        """Return what happened since the last right message: what would have been right."""
        sentence = Sentences(rulebook).sentence
        names = {each.who for each in found if each.field in ("cash", "score")}
        before = [
            f"Before, {player.name} had {dollars(player.cash)}."
            for player in self.before.players
            if player.name in names
        ]
        told = [sentence(each) for each in self.pending if not isinstance(each, events.Ranked)]
        return " ".join([*before, *filter(None, told)][:MOST_TOLD])
