"""Everything that can happen in a game, as values.

The log, the pages and all other readers see a game through these alone. A table event carries
``state``, the position after it. Two cases are coarser: all events of one draw carry the position
at its end, and a founder's certificate is already in the position of the placement. After
``Ended`` the money stays as it was before the pay-out.

Hotels and tiles are the indices of :mod:`acquire.game`; money is in dollars, times are in
microseconds.
"""

from enum import Enum
from functools import partialmethod
from typing import Final, NamedTuple, TypeAlias, get_args

from ....game.placement import Kind
from ....game.state import State
from ....game.tiles import Mask, Tile, tile_name, tile_names
from ....game.turn import Ending
from ....game.violation import Violation
from ....protocol.faults import Circumstance, Reason, in_sentences
from ....protocol.messages import PlayerMessage
from .questions import Ask


class Answered(NamedTuple):
    """A player answered ``question`` (a root element); whether rightly is not judged yet.

    ``latency`` is the time from the end of the write to the read; ``lag`` is the part of it that
    is known to be the referee's own delay.
    """

    name: str
    question: str
    message: PlayerMessage
    latency: int
    lag: int


class StartTile(NamedTuple):
    """A player drew this tile to decide who starts; it stays on the board."""

    name: str
    tile: Tile
    state: State


class LaidOut(NamedTuple):
    """A position was laid out, regardless of what went before; all players are sent it."""

    state: State


class TurnBegan(NamedTuple):
    """A turn begins; they are numbered from 1."""

    number: int
    name: str
    state: State


class Placed(NamedTuple):
    """The mover placed a tile; ``hotel`` is the one founded, grown, or surviving."""

    name: str
    tile: Tile
    kind: Kind
    hotel: int | None
    state: State


class HandKept(NamedTuple):
    """The mover has no playable tile, and chose not to have its hand replaced."""

    name: str
    state: State


class NothingPlaced(NamedTuple):
    """The mover has no playable tile, and goes on to buy."""

    name: str
    state: State


class FoundersShare(NamedTuple):
    """The founder got certificates for nothing."""

    name: str
    hotel: int
    shares: int
    state: State


class Acquired(NamedTuple):
    """``survivor`` took over ``hotel``, which had ``size`` tiles and this price."""

    survivor: int
    hotel: int
    size: int
    price: int
    state: State


class BonusPaid(NamedTuple):
    """The bank paid a holder's bonus, in a merger or at the end."""

    name: str
    hotel: int
    amount: int
    state: State


class Returned(NamedTuple):
    """A player returned all certificates of an acquired hotel for ``amount`` dollars."""

    name: str
    hotel: int
    shares: int
    amount: int
    state: State


class Sold(NamedTuple):
    """A player sold certificates of an acquired hotel for ``amount`` dollars."""

    name: str
    hotel: int
    shares: int
    amount: int
    state: State


class Traded(NamedTuple):
    """A player traded certificates of an acquired hotel for ``gained`` ones of the survivor."""

    name: str
    hotel: int
    shares: int
    survivor: int
    gained: int
    state: State


class MarketDrew(NamedTuple):
    """A tile was drawn for the stock market; it counts as a holder of ``shares`` certificates.

    The tile is ``None`` when the bag is empty.
    """

    hotel: int
    tile: Tile | None
    shares: int
    state: State


class MarketPlaced(NamedTuple):
    """The market's tile was placed; ``hotel`` is the one grown or surviving.

    ``kind`` is ``None`` when it was set aside because it can never be placed.
    """

    tile: Tile
    kind: Kind | None
    hotel: int | None
    state: State


class Bought(NamedTuple):
    """The mover bought certificates of a hotel for ``amount`` dollars."""

    name: str
    hotel: int
    shares: int
    amount: int
    state: State


class Declared(NamedTuple):
    """The mover declared the end of the game; the turn is over."""

    name: str
    state: State


class Drew(NamedTuple):
    """The mover received a tile from the bag."""

    name: str
    tile: Tile
    state: State


class SetAside(NamedTuple):
    """Tiles of the mover's hand were set aside, face up: a mask."""

    name: str
    tiles: Mask
    state: State


class Ejected(NamedTuple):
    """A player was ejected for its answer, or lack of one, to ``ask``.

    ``violation`` is given for an illegal move; ``data`` are the offending bytes received. ``bag``
    is the bag with the player's tiles shuffled in, and with the tiles drawn in the turn so far,
    which stay where they are unless it is undone; it is ``None`` after the pay-out, when the player
    loses only the connection. ``hint`` is the probable mistake in the player's program, and what to
    do; ``""`` if unknown.
    """

    name: str
    reason: Reason
    violation: Violation | None
    ask: Ask
    detail: str
    data: bytes
    bag: tuple[Tile, ...] | None
    state: State
    circumstance: Circumstance | None = None
    hint: str = ""

    @property
    def question(self) -> str:
        """The root element of the question."""
        return self.ask.tag

    @property
    def absent(self) -> bool:
        """Whether the player had never signed up: it did not hear the question."""
        return self.circumstance is Circumstance.ABSENT

    @property
    def occasion(self) -> str:
        """At what the player was ejected, in words."""
        return "without a sign-up" if self.absent else f"in answer to <{self.question}>"

    @property
    def rule(self) -> Violation | Reason:
        """The rule of the game that was broken, or else the reason."""
        return self.violation or self.reason

    @property
    def with_hint(self) -> str:
        """What was wrong, for the player's author: the hint first, if there is one."""
        return f"{self.hint} {self.detail}" if self.hint else self.detail

    @property
    def sentences(self) -> str:
        """The same with the reason as a sentence, unless a rule of the game says more."""
        plain = self.violation is None
        detail = in_sentences(self.reason, self.detail) if plain else self.detail
        return f"{self.hint} {detail}" if self.hint else detail


class TurnUndone(NamedTuple):
    """The mover is about to be ejected: everything that the turn did is undone."""

    name: str
    state: State


class Ended(NamedTuple):
    """The game is over; the pay-out follows."""

    ending: Ending
    turns: int
    state: State


class Ranked(NamedTuple):
    """A player's place in the standings; ``score`` is 0 for a player ejected before the end."""

    rank: int
    name: str
    score: int
    finished: bool


class OutOfStep(NamedTuple):
    """From this turn on (0 is the set-up) draws differ from those of an undisturbed game.

    Only in games that share their bag with others; the cause is ``draw`` or ``ejection``.
    """

    turn: int
    cause: str


TableEvent: TypeAlias = (
    StartTile
    | LaidOut
    | TurnBegan
    | Placed
    | HandKept
    | NothingPlaced
    | FoundersShare
    | Acquired
    | BonusPaid
    | Returned
    | Sold
    | Traded
    | MarketDrew
    | MarketPlaced
    | Bought
    | Declared
    | Drew
    | SetAside
    | Ejected
    | TurnUndone
    | Ended
)
"""What happens at the table: each has the position after it."""
WIRE_EVENTS: Final = (Answered, OutOfStep)
"""What only the log tells: nothing changes at the table, and no position belongs to it."""
Event: TypeAlias = TableEvent | Answered | OutOfStep | Ranked
TABLE_EVENTS: tuple[type[TableEvent], ...] = get_args(TableEvent)
EVENTS: tuple[type[Event], ...] = get_args(Event)
"""The members of the two unions, to check that a table of events is complete."""


def _in_a_line(event: Event) -> str:
    """Return what a person wants to see: names of tiles and hotels; not the position, nor bytes."""
    left_out = () if isinstance(event, LaidOut) else ("state", "ask", "data", "bag")
    fields = {name: getattr(event, name) for name in event._fields if name not in left_out}
    for name, value in fields.items():
        if name in ("hotel", "survivor") and value is not None:
            fields[name] = event.state.rulebook.hotel_name(value)  # type: ignore[union-attr]  # has one
        elif name in ("tile", "tiles") and value is not None:
            fields[name] = tile_name(value) if name == "tile" else tile_names(value)
        elif isinstance(value, Enum):
            fields[name] = value.value
    given = {name: value for name, value in fields.items() if value not in (None, "")}
    shown = [
        f"{name}={value if isinstance(value, str) else repr(value)}"
        for name, value in given.items()
    ]
    return f"<{' '.join([type(event).__name__, *shown])}>"


for _type in EVENTS:
    # partialmethod: a compiled function is not bound to the event, as a method is
    setattr(_type, "__repr__", partialmethod(_in_a_line))  # noqa: B010  # mypy refuses an assignment


def of_placement(
    name: str, tile: Tile, kind: Kind, hotel: int | None, bank: tuple[int, ...], state: State
) -> list[TableEvent]:
    """Return what a placement does; ``bank`` had these certificates before, ``state`` is after."""
    placed = Placed(name, tile, kind, hotel, state)
    if hotel is None or not (shares := bank[hotel] - state.bank[hotel]):
        return [placed]
    return [placed, FoundersShare(name, hotel, shares, state)]
