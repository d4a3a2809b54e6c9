"""What goes to the workers of a cluster, and what comes back: folders, and values to be pickled."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TypeAlias

from ...launching.building import verify_unchanged
from ...launching.player_folder import copy_folder, pack_folder
from ..arena.player_files import why_not_shipped
from ..games.result import FailedGame, FinishedGame
from ..planning.plan import Plan
from ..planning.schedule import Game
from ..planning.sections import LobbySettings
from ..planning.submissions import folder_of
from ..run.built_in import GameSettings
from ..run.executors import CannotPlay


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

    ``folders`` are the digests of those that it has from earlier tournaments. ``versions`` are
    those of toolchains by name, if they were asked for; empty for one that is not there.
    """

    sandbox: str = ""
    why_not: str = ""
    folders: tuple[str, ...] = ()
    versions: Mapping[str, str] = {}


def plan_of_game(plan: Plan, game: Game) -> Plan:
    """Return a plan with what a game needs; its folder is none of this machine's."""
    general = plan.tournament.model_copy(update={"seed": None, "submissions": None, "roster": None})
    return plan.model_copy(
        update={
            "tournament": general,
            "lobby": LobbySettings(),
            "players": tuple(plan.entrant(name) for name in game.players),
            "folder": Path("/"),
            "left_out": (),
            "roster": (),
        }
    )


class Shipment:
    """The folders of the players as they were at the start, to be sent to workers."""

    def __init__(self, plan: Plan, store: Path, folder: Path) -> None:
        """Copy them to a new folder; ``CannotPlay`` if that is not possible for all."""
        self._folder = folder
        self.digests: dict[str, str] = {}
        refused = []
        for player in plan.players:
            if player.remote is not None:
                refused.append(f"{player.name} is a remote player, which connects to this machine.")
            elif player.command is not None and (why := why_not_shipped(plan, player, store)):
                refused.append(f"{player.name} cannot be sent to other machines: {why}.")
        if refused:
            raise CannotPlay("\n".join(["A cluster cannot play this tournament:", *refused]))
        for player in plan.players:
            if player.command is None:
                continue
            self.digests[player.name] = ""
            if player.directory is not None:
                new = folder / f"new-{len(self.digests)}"
                digest = copy_folder(folder_of(plan.folder, player), new)
                verify_unchanged(folder_of(plan.folder, player), digest, player.read_folder.digest)
                with suppress(OSError):  # another player has the same folder
                    new.rename(folder / digest)
                self.digests[player.name] = digest

    def pack(self, digest: str) -> bytes:
        """Return a folder as an archive."""
        return pack_folder(self._folder / digest)
