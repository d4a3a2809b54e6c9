"""Every message of the protocol as a frozen value.

Tiles and hotels are the indices of :mod:`game`; names and XML are the business of
:mod:`protocol.writing` and :mod:`protocol.reading`. What the administrator and what a player may
say are two closed unions, :data:`AdministratorMessage` and :data:`PlayerMessage`.
"""

from dataclasses import dataclass
from typing import TypeAlias

from game.board import Board
from game.placement import Placement
from game.state import Player
from game.tiles import Tile


@dataclass(frozen=True, slots=True)
class SignUp:
    """``<signup>``: the name wanted by a player, or given by the administrator."""

    name: str


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
    """``<pbuy>``: a placement that merges nothing, with the order of certificates."""

    placement: Placement
    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """``<keep>`` from a player: for each acquired hotel whether all certificates are kept."""

    decisions: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """``<order>``: the hotels of which the mover buys one certificate each, after a merger."""

    hotels: tuple[int, ...]


AdministratorMessage: TypeAlias = SignUp | State | Turn | Keep | Players | NewTile | Score | Ejected
PlayerMessage: TypeAlias = SignUp | Void | Merge | Pbuy | Kept | Order
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
    Void: "void",
    Merge: "placement",
    Pbuy: "pbuy",
    Kept: "keep",
    Order: "order",
}
"""The root element of each message."""
