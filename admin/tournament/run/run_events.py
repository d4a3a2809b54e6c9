"""What is reported about a tournament while it is played, as values.

An observer is called with each event, and returns at once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from ...launching.sandbox import Chosen
from ...refereeing.table.server_events import Listening
from ..games.entries import Changes
from ..games.result import GameResult, VoidGame
from ..planning.schedule import Game


class Progress(NamedTuple):
    """The number of games that count so far, and of all games of the tournament."""

    games: int
    total: int


@dataclass(frozen=True, slots=True)
class RunStarted:
    """The tournament starts, or resumes with the results of earlier runs.

    ``commitment`` is that to the bags of the games to come; empty if they are not secret.
    """

    progress: Progress
    results: Sequence[GameResult]
    commitment: str = ""


@dataclass(frozen=True, slots=True)
class PlayersChanged:
    """The players are not those of the run before; some games do not count any more."""

    changes: Changes
    archived: int


@dataclass(frozen=True, slots=True)
class SandboxChosen:
    """The programs that are started from now on have this sandbox."""

    chosen: Chosen


@dataclass(frozen=True, slots=True)
class WorkerJoined:
    """A worker joined the cluster: it plays ``games`` at a time, programs in ``sandbox``."""

    address: str
    games: int
    sandbox: str


@dataclass(frozen=True, slots=True)
class FolderSent:
    """A worker was sent the folder of a player, in so many bytes."""

    address: str
    digest: str
    size: int


@dataclass(frozen=True, slots=True)
class NotAdmitted:
    """A connection got no place; ``name`` is empty if it gave none. ``why`` is in sentences."""

    address: str
    name: str
    why: str


@dataclass(frozen=True, slots=True)
class PlayerAwaited:
    """A game waits for a remote player, for at most ``timeout`` seconds."""

    name: str
    timeout: float


@dataclass(frozen=True, slots=True)
class LobbyChanged:
    """These remote players have signed up and are waiting for a game."""

    names: Sequence[str]


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game starts."""

    game: Game


@dataclass(frozen=True, slots=True)
class GameLogged:
    """The log of a game between connections has grown by some bytes."""

    game: Game
    data: bytes


@dataclass(frozen=True, slots=True)
class GameFinished:
    """A game is over, counts, and is stored."""

    result: GameResult
    progress: Progress


@dataclass(frozen=True, slots=True)
class GameVoided:
    """A game does not count; ``again`` is whether it will be played again."""

    void: VoidGame
    again: bool


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something went wrong that the tournament survives."""

    sentence: str


RunEvent: TypeAlias = (
    RunStarted
    | PlayersChanged
    | Listening
    | SandboxChosen
    | WorkerJoined
    | FolderSent
    | NotAdmitted
    | PlayerAwaited
    | LobbyChanged
    | GameStarted
    | GameLogged
    | GameFinished
    | GameVoided
    | Trouble
)
RunObserver: TypeAlias = Callable[[RunEvent], object]
