"""Whether the draws of a game are still those of an undisturbed game with the same bag.

A tournament plays several games with the same bag, to compare players that had the same luck. This
holds as long as every turn draws one tile. An ejected player's tiles that are shuffled into the
bag, a dead tile that is replaced, or a turn that draws nothing put a game out of step.
"""

from . import events
from .events import Event
from .judge import Emit

_REVEALING = frozenset({events.TurnBegan, events.Ejected})


class DrawSync:
    """Adds an event where the draws of a game begin to differ.

    ``turn`` is the first turn whose draw differs, 0 for the set-up, or ``None`` if none does.
    """

    def __init__(self) -> None:
        self._turn = 0
        self._expected = 0
        self.turn: int | None = None

    def mark(self, happened: list[Event]) -> None:
        """Put ``OutOfStep`` before the turn or ejection that reveals it, if it is among these."""
        if self.turn is not None:
            return
        for at, event in enumerate(happened):
            if type(event) in _REVEALING and (cause := self._cause(event)):
                self.turn = self._turn
                happened.insert(at, events.OutOfStep(self._turn, cause))
                return

    def _cause(self, event: Event) -> str:
        match event:
            case events.TurnBegan(number, _, state):
                left = len(state.bag)
                if self._turn and left != self._expected:
                    return "draw"
                self._turn, self._expected = number, max(left - 1, 0)
            case events.Ejected(bag=bag) if bag is not None:
                return "ejection"
        return ""


def marking(emit: Emit) -> Emit:
    """Return what passes the events of a game on to ``emit``, with ``OutOfStep`` if it is due."""
    sync = DrawSync()

    def pass_on(event: Event) -> None:
        happened = [event]
        sync.mark(happened)
        for each in happened:
            emit(each)

    return pass_on
