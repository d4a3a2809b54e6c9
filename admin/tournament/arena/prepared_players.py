"""The programs of a tournament, ready to be started: copied, and built where they have a build."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import trio

from ...launching.building import BuildRecipe, Builds, PreparedPlayer
from ...launching.player_folder import FolderRefused
from ...launching.program import Program
from ..planning.plan import Entrant, Plan
from .player_files import folder_of, program_of, read_only_of, why_not_copied


class PreparedPlayers(NamedTuple):
    """The programs of players by name, and, of those that could not be built, why and the output.

    A player whose program could not be built loses its games.
    """

    programs: Mapping[str, Program]
    unbuilt: Mapping[str, PreparedPlayer]


async def prepare_players(plan: Plan, store: Path, builds: Builds, at_once: int) -> PreparedPlayers:
    """Prepare all players of a plan that have a program, some of them at once.

    ``FolderRefused`` and ``CannotStore`` if that is impossible.
    """
    programs: dict[str, Program] = {}
    unbuilt: dict[str, PreparedPlayer] = {}
    refused: list[FolderRefused] = []
    limiter = trio.CapacityLimiter(at_once)

    async def prepare(player: Entrant) -> None:
        try:
            async with limiter:
                found = await prepare_player(plan, player, store, builds)
        except FolderRefused as error:
            refused.append(error)
            return
        if isinstance(found, PreparedPlayer):
            unbuilt[player.name] = found
        else:
            programs[player.name] = found

    async with trio.open_nursery() as nursery:
        for player in plan.players:
            if player.command is not None:
                nursery.start_soon(prepare, player)
    if refused:
        raise refused[0]
    return PreparedPlayers(programs, unbuilt)


async def prepare_player(
    plan: Plan, player: Entrant, store: Path, builds: Builds
) -> Program | PreparedPlayer:
    """Return a player's program, or why it could not be built.

    ``FolderRefused`` if its folder cannot be copied, or was changed since the plan was read;
    ``CannotStore`` if the copy cannot be written.
    """
    folder = folder_of(plan, player)
    if why := why_not_copied(plan, player, store):
        if player.build is None:
            return program_of(plan, player, store)
        return PreparedPlayer(player.version, folder, f"It cannot be built, because {why}.")
    prepared = await builds.prepare(folder, player.read_folder.digest, recipe_of(plan, player))
    if prepared.failure:
        return prepared
    return program_of(plan, player, store, prepared.folder)


def problem_of(name: str, failed: PreparedPlayer) -> str:
    """Return a user-facing sentence about a player that could not be built."""
    text = f"{name} could not be built, and loses its games. {failed.failure}"
    if failed.output:
        text += f" What it printed is in {failed.folder.with_name('output')}."
    return text


def recipe_of(plan: Plan, player: Entrant) -> BuildRecipe:
    """Return how a player's program is built."""
    if player.build is None:
        return BuildRecipe()
    return BuildRecipe(
        player.build,
        player.environment,
        read_only_of(plan, player),
        shows_toolchain=not player.handed_in,
    )
