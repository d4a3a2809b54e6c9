"""The folders of the players of a tournament, as they are sent to the workers of a cluster."""

from contextlib import suppress
from pathlib import Path

from ...launching.building import verify_unchanged
from ...launching.player_folder import copy_folder, pack_folder
from ..arena.player_files import folder_of, why_not_shipped
from ..planning.plan import Entrant, Plan
from ..run.executors import CannotPlay


class Shipment:
    """The folders of the players as they were at the start, to be sent to workers."""

    def __init__(self, plan: Plan, store: Path, folder: Path) -> None:
        """Copy them to a new folder; ``CannotPlay`` if that is not possible for all."""
        self._folder = folder
        self.digests: dict[str, str] = {}
        refused = [why for player in plan.players if (why := _why_not(plan, player, store))]
        if refused:
            raise CannotPlay("\n".join(["A cluster cannot play this tournament:", *refused]))
        for player in plan.players:
            if player.command is not None:
                self.digests[player.name] = self._copy(plan, player)

    def _copy(self, plan: Plan, player: Entrant) -> str:
        if player.directory is None:
            return ""
        new = self._folder / f"new-{len(self.digests)}"
        digest = copy_folder(folder_of(plan, player), new)
        verify_unchanged(folder_of(plan, player), digest, player.read_folder.digest)
        with suppress(OSError):  # another player has the same folder
            new.rename(self._folder / digest)
        return digest

    def pack(self, digest: str) -> bytes:
        """Return a folder as an archive."""
        return pack_folder(self._folder / digest)


def _why_not(plan: Plan, player: Entrant, store: Path) -> str:
    if player.remote is not None:
        return f"{player.name} is a remote player, which connects to this machine."
    why = why_not_shipped(plan, player, store) if player.command is not None else ""
    return f"{player.name} cannot be sent to other machines: {why}." if why else ""
