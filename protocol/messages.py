"""Every message of the protocol as a frozen value.

The first part is the course's protocol, under rulebook ``revised``; the second is what the other
rulebooks need, where a position is sent as one player sees it. What the referee and what a
player may send are two closed unions, :data:`RefereeMessage` and :data:`PlayerMessage`.

Tiles and hotels are the indices of :mod:`acquire.game`; :mod:`acquire.protocol.writing` and
:mod:`acquire.protocol.reading` convert them to and from names and XML.
"""

import copyreg
from dataclasses import dataclass, fields
from typing import Any, TypeAlias, get_args

from ..game.board import Board
from ..game.placement import Placement
from ..game.state import Player
from ..game.tiles import Tile, tile_name
from .player_view import PlayerView


@dataclass(frozen=True, slots=True)
class SignUp:
    """``<signup>``: the name that a player asks for, or that the referee gives it.

    ``rulebook`` is the id of the rulebook played, sent by the referee unless the course's messages
    are used. ``definition`` is all its settings as JSON, if it is not one of the five.
    """

    name: str
    rulebook: str | None = None
    definition: str | None = None


@dataclass(frozen=True, slots=True)
class State:
    """``<state>``: the position after the setup or a turn, to every player."""

    board: Board
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """``<turn>``: the position, to the player to move, which is listed first."""

    board: Board
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Keep:
    """``<keep>`` from the referee: the hotels acquired, largest first."""

    hotels: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Players:
    """``<players>``: the players after a merger's bonuses and returns, to the mover."""

    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class NewTile:
    """``<tile>``: the tile that the mover receives at the end of the turn."""

    tile: Tile

    def __repr__(self) -> str:
        return f"<NewTile {tile_name(self.tile)}>"


@dataclass(frozen=True, slots=True)
class Score:
    """``<score>``: results in dollars by falling score, and the last position."""

    results: tuple[tuple[str, int], ...]
    board: Board
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Ejected:
    """``<ejected>``: why the connection ends before the end of the game; always the last."""

    reason: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Void:
    """``<void>``: a player acknowledges a message."""


@dataclass(frozen=True, slots=True)
class Merge:
    """``<placement>`` alone: the mover merges hotels; it is asked for the order later."""

    placement: Placement


@dataclass(frozen=True, slots=True)
class Pbuy:
    """``<pbuy>``: a placement that is not a merger, with the order of certificates.

    The placement is ``None`` if no tile can be placed; ``end`` declares the end of the game.
    """

    placement: Placement | None
    order: tuple[int, ...]
    end: bool = False

    def __repr__(self) -> str:
        ends = ", end" if self.end else ""
        return f"<Pbuy {self.placement or 'no placement'}, order {self.order}{ends}>"


@dataclass(frozen=True, slots=True)
class KeepAnswer:
    """``<keep>`` from a player: for each acquired hotel, whether it keeps its certificates."""

    decisions: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """``<order>``: the hotels of which the mover buys one certificate each, after a merger.

    ``end`` declares the end of the game.
    """

    hotels: tuple[int, ...]
    end: bool = False


# -- what the other rulebooks need --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StateView:
    """``<state>``: the position after the setup or a turn, as the player sees it."""

    view: PlayerView


@dataclass(frozen=True, slots=True)
class Replace:
    """``<replace>``: the player to move has no playable tile, and may have a new hand.

    The view is the position with the present hand.
    """

    view: PlayerView


@dataclass(frozen=True, slots=True)
class TurnView:
    """``<turn>``: the position as the player to move sees it; it is listed first."""

    view: PlayerView


@dataclass(frozen=True, slots=True)
class PlayersView:
    """``<players>``: the position after a merger, to the mover, which orders next."""

    view: PlayerView


@dataclass(frozen=True, slots=True)
class ScoreView:
    """``<score>``: results in dollars by falling score, and the last position."""

    results: tuple[tuple[str, int], ...]
    view: PlayerView


@dataclass(frozen=True, slots=True)
class Dispose:
    """``<dispose>`` from the referee: an acquired hotel, to one of its holders.

    Its certificates sell at ``price`` dollars, and are traded two for one of the ``survivor``.
    """

    hotel: int
    price: int
    survivor: int
    view: PlayerView


@dataclass(frozen=True, slots=True)
class Holders:
    """``<holders>``: who holds how many certificates of an acquired hotel.

    It is sent only if certificates are hidden, because a merger reveals these numbers.
    """

    hotel: int
    counts: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class MarketTile:
    """``<market>``: the tile drawn for the stock market, and how many certificates it holds.

    The tile is ``None`` if the bag is empty.
    """

    hotel: int
    tile: Tile | None
    count: int


@dataclass(frozen=True, slots=True)
class MarketMerger:
    """``<merger>``: the market's tile merges hotels; the mover answers which one survives."""

    tile: Tile
    view: PlayerView


@dataclass(frozen=True, slots=True)
class DisposeAnswer:
    """``<dispose>`` from a player: how many certificates it sells, and trades two for one."""

    sell: int
    trade: int


@dataclass(frozen=True, slots=True)
class ReplaceAnswer:
    """``<replace>`` from a player: whether its whole hand is replaced."""

    replaces: bool


RefereeMessage: TypeAlias = (
    SignUp
    | State
    | Turn
    | Keep
    | Players
    | NewTile
    | Score
    | Ejected
    | StateView
    | Replace
    | TurnView
    | PlayersView
    | ScoreView
    | Dispose
    | Holders
    | MarketTile
    | MarketMerger
)
PlayerMessage: TypeAlias = (
    SignUp | Void | Merge | Pbuy | KeepAnswer | Order | DisposeAnswer | ReplaceAnswer
)
Message: TypeAlias = RefereeMessage | PlayerMessage
QuestionMessage: TypeAlias = (
    Turn | TurnView | Keep | Players | PlayersView | Dispose | MarketMerger | Replace
)
"""What a player decides about. It acknowledges all other messages."""

VOID = Void()

TAGS: dict[type, str] = {
    SignUp: "signup",
    State: "state",
    Turn: "turn",
    Keep: "keep",
    Players: "players",
    NewTile: "tile",
    Score: "score",
    Ejected: "ejected",
    StateView: "state",
    Replace: "replace",
    TurnView: "turn",
    PlayersView: "players",
    ScoreView: "score",
    Dispose: "dispose",
    Holders: "holders",
    MarketTile: "market",
    MarketMerger: "merger",
    DisposeAnswer: "dispose",
    ReplaceAnswer: "replace",
    Void: "void",
    Merge: "placement",
    Pbuy: "pbuy",
    KeepAnswer: "keep",
    Order: "order",
}
"""The root element of each message."""
assert TAGS.keys() == set(get_args(Message)), "every message has a root element"


def _pickled(message: Any) -> tuple[Any, ...]:
    """Pickle a message by its fields: the way of dataclasses fails if they are compiled."""
    return type(message), tuple([getattr(message, field.name) for field in fields(message)])


for _message in TAGS:
    copyreg.pickle(_message, _pickled)
