"""Whether the draws of a game are still those of an undisturbed game with the same bag.

A tournament plays several games with the same bag, to compare players that had the same luck. This
holds as long as every turn draws one tile. An ejected player's tiles that are shuffled into the
bag, a dead tile that is replaced, or a turn that draws nothing put a game out of step.
"""

from . import events
from .events import Event
from .judge import Emit


class DrawSync:
    """Passes the events of a game on, and adds one where its draws begin to differ.

    ``turn`` is the first turn whose draw differs, 0 for the set-up, or ``None`` if none does.
    """

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._turn = 0
        self._expected = 0
        self.turn: int | None = None

    def __call__(self, event: Event) -> None:
        """Pass an event on, after ``OutOfStep`` if it is the turn or ejection that reveals it."""
        if self.turn is None:
            match event:
                case events.TurnBegan(number, _, state):
                    left = len(state.bag)
                    if self._turn and left != self._expected:
                        self._lose_step("draw")
                    self._turn, self._expected = number, max(left - 1, 0)
                case events.Ejected(bag=bag) if bag is not None:
                    self._lose_step("ejection")
        self._emit(event)

    def _lose_step(self, cause: str) -> None:
        self.turn = self._turn
        self._emit(events.OutOfStep(self._turn, cause))
