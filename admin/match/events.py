"""Everything that can happen in a match, as values, in the order in which it happens.

The log, the progress line and every other reader see a match through these alone. Hotels and
tiles are the indices of :mod:`game`; money is in dollars, times are in microseconds.
"""

from typing import NamedTuple, TypeAlias

from game.placement import Kind
from game.state import State
from game.tiles import Mask, Tile
from game.turn import Ending
from game.violation import Violation
from protocol.faults import Reason
from protocol.messages import PlayerMessage


class Answered(NamedTuple):
    """A player answered ``question`` (a root element).

    ``latency`` is from the end of the write to the read; ``lag`` is how much of it the referee
    itself was late, as far as it knows.
    """

    name: str
    question: str
    message: PlayerMessage
    latency: int
    lag: int


class StartTile(NamedTuple):
    """A player drew this tile for the start; it stays on the board."""

    name: str
    tile: Tile


class LaidOut(NamedTuple):
    """A position was laid out, whatever went before; all are told of it."""

    state: State


class TurnBegan(NamedTuple):
    """The turn with this number, counted from 1, begins; ``state`` is the position."""

    number: int
    name: str
    state: State


class Placed(NamedTuple):
    """The mover placed a tile; ``hotel`` is the one founded, grown, or surviving."""

    name: str
    tile: Tile
    kind: Kind
    hotel: int | None


class NothingPlaced(NamedTuple):
    """The mover could place no tile and goes on to buy."""

    name: str


class FoundersShare(NamedTuple):
    """The founder received a free certificate."""

    name: str
    hotel: int


class Acquired(NamedTuple):
    """``survivor`` took over ``hotel``, which had ``size`` tiles and this price."""

    survivor: int
    hotel: int
    size: int
    price: int


class BonusPaid(NamedTuple):
    """The bank paid a holder's bonus, in a merger or at the end."""

    name: str
    hotel: int
    amount: int


class Returned(NamedTuple):
    """A player returned all shares (certificates) of an acquired hotel for ``amount`` dollars."""

    name: str
    hotel: int
    shares: int
    amount: int


class Sold(NamedTuple):
    """A player sold shares (certificates) of an acquired hotel for ``amount`` dollars."""

    name: str
    hotel: int
    shares: int
    amount: int


class Traded(NamedTuple):
    """A player gave up shares of an acquired hotel for ``gained`` ones of the survivor."""

    name: str
    hotel: int
    shares: int
    survivor: int
    gained: int


class MarketDrew(NamedTuple):
    """A tile was drawn for the stock market, which is taken to hold so many shares of a hotel.

    The tile is ``None`` when the bag is empty.
    """

    hotel: int
    tile: Tile | None
    shares: int


class MarketPlaced(NamedTuple):
    """The market's tile was placed; ``hotel`` is the one grown or surviving.

    Without a kind it was set aside, for it can never be placed.
    """

    tile: Tile
    kind: Kind | None
    hotel: int | None


class Bought(NamedTuple):
    """The mover bought that many shares (certificates) of a hotel for ``amount`` dollars."""

    name: str
    hotel: int
    shares: int
    amount: int


class Declared(NamedTuple):
    """The mover declared the end of the game; the turn is finished."""

    name: str


class Drew(NamedTuple):
    """The mover received a tile from the bag."""

    name: str
    tile: Tile


class SetAside(NamedTuple):
    """Tiles of the mover's hand were set aside, face up: a mask."""

    name: str
    tiles: Mask


class Ejected(NamedTuple):
    """A player left the table before the end.

    ``violation`` is given for an illegal move, ``data`` are the offending bytes as far as they
    came, ``bag`` is the bag with the player's tiles shuffled in; it is ``None`` after the pay-out,
    when nothing changes hands any more.
    """

    name: str
    reason: Reason
    violation: Violation | None
    question: str
    detail: str
    data: bytes
    bag: tuple[Tile, ...] | None


class TurnUndone(NamedTuple):
    """The mover was ejected: what the turn had done is undone."""

    name: str


class Ended(NamedTuple):
    """The game is over; ``state`` is the last position, before the pay-out."""

    ending: Ending
    turns: int
    state: State


class Ranked(NamedTuple):
    """A player's place in the standings; ``score`` is 0 for one who was ejected before the end."""

    rank: int
    name: str
    score: int
    finished: bool


class OutOfStep(NamedTuple):
    """From this turn on (0 is the set-up) draws are no longer those of an undisturbed game.

    Told of games that share their bag with others; the cause is ``draw`` or ``ejection``.
    """

    turn: int
    cause: str


Event: TypeAlias = (
    Answered
    | StartTile
    | LaidOut
    | TurnBegan
    | Placed
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
    | OutOfStep
    | Ended
    | Ranked
)
