"""What goes to the worker of a cluster, and what comes back: plain values that can be pickled."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias

from ..games.result import FailedGame, FinishedGame
from ..planning.plan import LobbySettings, Plan
from ..planning.schedule import Game
from ..run.built_in import GameSettings


class GameOrder(NamedTuple):
    """One game to play: everything that a worker needs for it, and nothing else.

    ``plan`` has the players of the game alone, and no seed; the game has its own. ``folders`` are
    the digests of the players' folders, by name; empty for a program without files. Programs of
    ``skipped`` players are not started. ``unbuilt`` players lose the game if they cannot be built.
    """

    game: Game
    plan: Plan
    settings: GameSettings
    folders: Mapping[str, str]
    skipped: frozenset[str] = frozenset()
    unbuilt: frozenset[str] = frozenset()


class MissingFolders(NamedTuple):
    """The worker does not have these folders, by their digests; it has played nothing."""

    digests: tuple[str, ...]


class CannotBuild(NamedTuple):
    """A player could not be built on this worker, and perhaps can on others."""

    player: str
    failure: str


Answer: TypeAlias = FinishedGame | FailedGame | MissingFolders | CannotBuild


class WorkerFacts(NamedTuple):
    """What a worker says about itself; ``why_not`` is why it cannot play, or empty.

    ``folders`` are the digests of those that it has from earlier tournaments.
    """

    sandbox: str = ""
    why_not: str = ""
    folders: tuple[str, ...] = ()


def plan_of_game(plan: Plan, game: Game) -> Plan:
    """Return a plan with what a game needs; its folder is none of this machine's."""
    general = plan.tournament.model_copy(update={"seed": None, "submissions": None, "roster": None})
    players = tuple(plan.entrant(name) for name in game.players)
    return plan.model_copy(
        update={
            "tournament": general,
            "lobby": LobbySettings(),
            "players": players,
            "folder": Path("/"),
            "left_out": (),
            "roster": (),
        }
    )
