"""A decision of a recorded game: who had to choose, in which position, among which options."""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeAlias

from ....game.placement import Placement
from ....game.state import State
from ....game.tiles import Mask, Tile
from ....protocol.messages import PlayerMessage

Given: TypeAlias = tuple[str, str, PlayerMessage]
"""An answer that a player gives again: its name, the question (a root element), the answer."""
Choice: TypeAlias = Placement | PlayerMessage
"""A placement, after which the order is chosen, or an answer."""


class What(Enum):
    """What is decided; the value is its code for pages and programs."""

    PLACEMENT = "placement"
    SURVIVOR = "survivor"
    KEEP = "keep"
    DISPOSAL = "disposal"
    ORDER = "order"
    END = "end"
    REPLACE = "replace"


class Option(NamedTuple):
    """A legal choice; ``tile`` is the one that it places."""

    choice: Choice
    text: str
    tile: Tile | None = None


class DecisionStart(NamedTuple):
    """The position in which the mover was asked for its turn, and what has happened since.

    ``placed`` is the mover's placement, ``given`` the answers after it. ``drawn`` are the tiles
    drawn from the bag meanwhile, all of which are public; ``revealed`` those that were in a hand.
    """

    position: State
    placed: Placement | None = None
    given: tuple[Given, ...] = ()
    drawn: tuple[Tile, ...] = ()
    revealed: Mask = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision with all its legal options; ``recorded`` is the place of the one chosen.

    ``state`` is the position in which it is made, ``question`` the root element of the message
    that asks for it. ``step`` is the frame of the page that shows the position.
    """

    turn: int
    step: int
    name: str
    what: What
    question: str
    state: State
    start: DecisionStart
    options: tuple[Option, ...]
    recorded: int

    def start_with(self, option: int) -> DecisionStart:
        """Return what has happened in the turn once this option is chosen."""
        choice = self.options[option].choice
        if isinstance(choice, Placement):
            return self.start._replace(placed=choice)
        return self.start._replace(given=(*self.start.given, (self.name, self.question, choice)))
