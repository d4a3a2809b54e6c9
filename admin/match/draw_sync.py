"""Whether draws are still those of an undisturbed game.

Games of a tournament that are played with the same bag compare players at the same luck, as long
as every turn draws one tile. An ejected player's tiles that are shuffled into the bag, a dead tile
that is replaced, or a turn that draws nothing put a game out of step with the others.
"""

from admin.match import events
from admin.match.events import Event
from admin.match.judge import Emit


class DrawSync:
    """Passes the events of a match on, and says once from which turn the draws are others.

    The turn is the first whose draw differs; 0 is the set-up. ``turn`` is ``None`` as long as the
    match is in step.
    """

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._turn = 0
        self._due = 0
        self.turn: int | None = None

    def __call__(self, event: Event) -> None:
        """Take an event; the out-of-step one comes right before the next turn, or the ejection."""
        if self.turn is None:
            match event:
                case events.TurnBegan(number, _, state):
                    left = len(state.bag)
                    if self._turn and left != self._due:
                        self._lose_step("draw")
                    self._turn, self._due = number, max(left - 1, 0)
                case events.Ejected(bag=bag) if bag is not None:
                    self._lose_step("ejection")
        self._emit(event)

    def _lose_step(self, cause: str) -> None:
        self.turn = self._turn
        self._emit(events.OutOfStep(self._turn, cause))
