"""Every message of the protocol as a frozen value.

The first part is the course's protocol, under rulebook ``revised``; the second is what the other
rulebooks need, where a position is told as one player sees it. What the administrator and what a
player may say are two closed unions, :data:`AdministratorMessage` and :data:`PlayerMessage`.

Tiles and hotels are the indices of :mod:`game`; names and XML are the business of
:mod:`protocol.writing` and :mod:`protocol.reading`.
"""

from dataclasses import dataclass
from typing import TypeAlias

from game.board import Board
from game.placement import Placement
from game.state import Player
from game.tiles import Tile
from protocol.player_view import PlayerView


@dataclass(frozen=True, slots=True)
class SignUp:
    """``<signup>``: the name wanted by a player, or given by the administrator.

    ``rulebook`` is the id of the one played, which is told unless it is ``revised``.
    """

    name: str
    rulebook: str | None = None


@dataclass(frozen=True, slots=True)
class State:
    """``<state>``: the position after the set-up or a turn, to every player."""

    board: Board
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """``<turn>``: the position, to the player who moves; he stands first."""

    board: Board
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Keep:
    """``<keep>`` from the administrator: the hotels acquired, largest first."""

    hotels: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Players:
    """``<players>``: the players after a merger's bonuses and returns, to the mover."""

    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class NewTile:
    """``<tile>``: the tile that the mover receives at the end of the turn."""

    tile: Tile


@dataclass(frozen=True, slots=True)
class Score:
    """``<score>``: results in dollars by falling score, and the last position."""

    results: tuple[tuple[str, int], ...]
    board: Board
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Ejected:
    """``<ejected>``: the last element to a player who will not see the end of the game."""

    reason: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Void:
    """``<void>``: a player has taken note."""


@dataclass(frozen=True, slots=True)
class Merge:
    """``<placement>`` alone: the mover merges hotels; the order will be asked for later."""

    placement: Placement


@dataclass(frozen=True, slots=True)
class Pbuy:
    """``<pbuy>``: a placement that merges nothing, with the order of certificates.

    The placement is ``None`` when no tile can be placed; ``end`` declares the end of the game.
    """

    placement: Placement | None
    order: tuple[int, ...]
    end: bool = False


@dataclass(frozen=True, slots=True)
class KeepAnswer:
    """``<keep>`` from a player: for each acquired hotel whether all certificates are kept."""

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
    """``<state>``: the position after the set-up or a turn, as the player sees it."""

    view: PlayerView


@dataclass(frozen=True, slots=True)
class TurnView:
    """``<turn>``: the position, to the player who moves, as he sees it; he stands first."""

    view: PlayerView


@dataclass(frozen=True, slots=True)
class PlayersView:
    """``<players>``: the position after a merger, to the mover, who is to give the order."""

    view: PlayerView


@dataclass(frozen=True, slots=True)
class ScoreView:
    """``<score>``: results in dollars by falling score, and the last position."""

    results: tuple[tuple[str, int], ...]
    view: PlayerView


@dataclass(frozen=True, slots=True)
class Dispose:
    """``<dispose>`` from the administrator: an acquired hotel, to one of its holders.

    Its certificates sell at ``price`` dollars, and are traded two for one of the ``survivor``.
    """

    hotel: int
    price: int
    survivor: int
    view: PlayerView


@dataclass(frozen=True, slots=True)
class Holders:
    """``<holders>``: who holds how many certificates of a hotel that is acquired.

    It is told where the assets are hidden, for at a merger these are counted openly.
    """

    hotel: int
    counts: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class MarketTile:
    """``<market>``: the tile drawn for the stock market, and what it holds of ``hotel`` by it.

    The tile is ``None`` when the bag is empty.
    """

    hotel: int
    tile: Tile | None
    count: int


@dataclass(frozen=True, slots=True)
class MarketMerger:
    """``<merger>``: the market's tile merges hotels, and the mover says which is to survive."""

    tile: Tile
    view: PlayerView


@dataclass(frozen=True, slots=True)
class DisposeAnswer:
    """``<dispose>`` from a player: certificates sold, and certificates traded in, two for one."""

    sell: int
    trade: int


AdministratorMessage: TypeAlias = (
    SignUp
    | State
    | Turn
    | Keep
    | Players
    | NewTile
    | Score
    | Ejected
    | StateView
    | TurnView
    | PlayersView
    | ScoreView
    | Dispose
    | Holders
    | MarketTile
    | MarketMerger
)
PlayerMessage: TypeAlias = SignUp | Void | Merge | Pbuy | KeepAnswer | Order | DisposeAnswer
Message: TypeAlias = AdministratorMessage | PlayerMessage

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
    TurnView: "turn",
    PlayersView: "players",
    ScoreView: "score",
    Dispose: "dispose",
    Holders: "holders",
    MarketTile: "market",
    MarketMerger: "merger",
    DisposeAnswer: "dispose",
    Void: "void",
    Merge: "placement",
    Pbuy: "pbuy",
    KeepAnswer: "keep",
    Order: "order",
}
"""The root element of each message."""
