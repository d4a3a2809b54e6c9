"""What is reported about a tournament while it is played, as values.

An observer is called with each event, and returns at once. The sandbox of the programs that are
started from now on is an event, too, and so is where players can connect.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias, assert_never

from ...launching.sandbox import Chosen
from ...refereeing.table.server_events import Listening
from ..games.entries import Changes
from ..games.result import FailedGame, GameResult
from ..planning.schedule import Game


class Progress(NamedTuple):
    """The number of games that count so far, and of all games of the tournament."""

    games: int
    total: int


class RunStarted(NamedTuple):
    """The tournament starts, or resumes with the results of earlier runs."""

    progress: Progress
    results: Sequence[GameResult]
    commitment: str = ""  # to the bags of the games to come; empty if they are not secret


class PlayersChanged(NamedTuple):
    """The players are not those of the run before; some games do not count any more."""

    changes: Changes
    archived: int


class Notice(NamedTuple):
    """Something to be told that changes nothing: a sentence for people, fields for programs.

    Of a ``crowd`` of notices only the first ones are shown one by one.
    """

    event: str  # its name for programs
    sentence: str
    fields: Mapping[str, Any] | None = None  # for programs; None: the sentence alone
    label: str = ""  # comes before the sentence
    crowd: str = ""


class FolderSent(NamedTuple):
    """A worker was sent the folder of a player, in so many bytes."""

    address: str
    digest: str
    size: int


class LobbyChanged(NamedTuple):
    """These remote players have signed up and are waiting for a game."""

    names: Sequence[str]


class GameStarted(NamedTuple):
    """A game starts."""

    game: Game


class GameLogged(NamedTuple):
    """The log of a game between connections has grown by some bytes."""

    game: Game
    data: bytes


class GameFinished(NamedTuple):
    """A game is over, counts, and is stored."""

    result: GameResult
    progress: Progress


class GameVoided(NamedTuple):
    """A game does not count; ``again`` is whether it will be played again."""

    void: FailedGame
    again: bool


class Trouble(NamedTuple):
    """Something went wrong that the tournament survives."""

    sentence: str


RunEvent: TypeAlias = (
    RunStarted
    | PlayersChanged
    | Listening
    | Chosen
    | Notice
    | FolderSent
    | LobbyChanged
    | GameStarted
    | GameLogged
    | GameFinished
    | GameVoided
    | Trouble
)
RunObserver: TypeAlias = Callable[[RunEvent], object]


def event_fields(event: RunEvent) -> dict[str, Any] | None:
    """Return an event as ``--json`` prints it; ``None`` if programs are not told of it."""
    match event:
        case RunStarted(progress, _, commitment):
            return {"event": "began", **progress._asdict(), "commitment": commitment or None}
        case PlayersChanged(changes, archived):
            return {"event": "players-changed", **changes._asdict(), "archived": archived}
        case Listening(addresses):
            return {"event": "listening", "addresses": list(addresses)}
        case Chosen(sandbox, why):
            return {"event": "sandbox", "kind": sandbox.value, "why": why}
        case Notice(name, sentence, fields):
            return {"event": name, **({"sentence": sentence} if fields is None else fields)}
        case FolderSent(address, digest, size):
            return {"event": "sent", "worker": address, "digest": digest, "bytes": size}
        case GameStarted(game):
            players = list(game.players)
            return {"event": "game-began", "game": game.id, "block": game.block, "players": players}
        case GameFinished(result, progress):
            fields = result._asdict()
            del fields["seed"]  # other games may have it too
            return {"event": "game", **fields, **progress._asdict()}
        case GameVoided(void, again):
            what = {"game": void.game, "attempt": void.attempt, "why": void.why}
            return {"event": "void", **what, "detail": void.detail, "again": again}
        case Trouble(sentence):
            return {"event": "trouble", "sentence": sentence}
        case LobbyChanged() | GameLogged():
            return None
        case _:
            assert_never(event)
