"""The programs of a tournament, ready to be started, and which of its files they see.

A program that was handed in sees the copy of its folder and nothing else: no word of its author
shows it a file. Only the tournament file can show more: the files that a command in it names, and
``read_only``. Of a folder that contains the tournament file or the store, a program sees only what
its command names, and with ``read_only`` all but what is private there.

A folder that is a player's own is copied, built if there is a build, and the program runs in the
copy. Elsewhere there is neither.
"""

import os
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

import trio

from ...launching.building import Builds, PreparedPlayer
from ...launching.launch import Launcher
from ...launching.player_folder import FolderRefused
from ...launching.program import Program, contains_any, exists, find_program, parts_of, shown_for
from ...launching.sandbox import Chosen, NoSandbox, Sandbox, choose
from ...launching.sandbox_files import READABLE, home, is_of_the_system
from ...refereeing.view.plain_text import listed
from ...testing.trial.launch_source import LaunchSource
from ..planning.plan import Entrant, Plan
from ..planning.submissions import INTERPRETERS, folder_of
from ..store.secret_file import secret_path

Play: TypeAlias = Callable[[Entrant, LaunchSource], Awaitable[None]]
"""Plays with a player's program, which its source launches as often as it is wanted."""
STORE_SUFFIXES = ("", "-wal", "-shm", "-journal")
OF_TOURNAMENTS = ("*.sqlite", "*.sqlite-*", "*.secret", "*-secret", "*.builds")
"""Files and folders of tournaments that no program may see, of this one or another."""


class Programs:
    """The programs of a plan; ``store`` is where the games of the tournament are kept."""

    def __init__(self, plan: Plan, store: Path) -> None:
        self._plan = plan
        self._store = Path(os.path.abspath(store))
        self._builds = self._store.with_suffix(".builds")
        self._apart = (plan.folder, self._store, *home())
        """What makes a folder more than one player's own if it lies in it."""

    def program(self, player: Entrant, copy: Path | None = None) -> Program:
        """Return the program that plays for a player; ``KeyError`` if it has no command.

        It runs in a copy of the player's folder, if there is one.
        """
        if player.command is None:
            raise KeyError(player.name)
        folder = copy or self._folder(player)
        return self._started(player, player.command, folder, self._visible(player, folder))

    def recipe(self, player: Entrant) -> Program:
        """Return how a player's program is built; without a command if it is not."""
        return self._started(player, player.build or (), self._folder(player), ())

    def _started(
        self, player: Entrant, command: tuple[str, ...], folder: Path, own: tuple[Path, ...]
    ) -> Program:
        return Program(
            command,
            folder,
            player.environment,
            visible=(*own, *self.read_only(player)),
            hidden=self._hidden(player, own),
            shows_toolchain=not player.handed_in,
        )

    def read_only(self, player: Entrant) -> tuple[Path, ...]:
        """Return what the tournament file shows to a player apart from its own files."""
        return self._paths((*self._plan.limits.read_only, *player.read_only))

    def _paths(self, named: Iterable[str]) -> tuple[Path, ...]:
        """Return paths of the tournament file without dots, or nothing could be hidden in them."""
        return tuple(Path(os.path.normpath(self._plan.folder / path)) for path in named)

    def sandbox(self) -> Chosen | None:
        """Return the sandbox for the programs on this machine, ``None`` without programs.

        What a player has handed in has no part in it. ``NoSandbox`` if there is none as wanted; and
        if there is none at all for programs that were handed in, or would be root.
        """
        plan = self._plan
        if not plan.programs:
            return None
        places = {self._store.parent}
        places |= {
            self._folder(player)
            for player in plan.programs
            if not player.handed_in and self.why_not_copied(player)
        }
        places |= {  # not what only a hand-in names: it could keep the tournament from starting
            Path(found)
            for player in plan.programs
            if player.command and (not player.handed_in or player.command[0] in INTERPRETERS)
            if (found := find_program(player.command[0], folder := self._folder(player)))
            and not Path(found).is_relative_to(folder)
        }
        as_root = os.geteuid() == 0 and any(player.handed_in for player in plan.programs)
        never_none = as_root or plan.tournament.submissions is not None
        chosen = choose(plan.limits.sandbox, sorted(places), never_none=never_none)
        for place in (plan.folder, self._store.parent):
            if chosen.sandbox is Sandbox.BWRAP and is_of_the_system(Path(os.path.realpath(place))):
                why = f"{place} is a folder of the system, which every program sees. Move it."
                raise NoSandbox(f"The tournament cannot be played here: {why}", why)
        return chosen

    def why_not_copied(self, player: Entrant) -> str:
        """Return why a program cannot run in a copy of its folder, as a clause, or nothing."""
        folder = self._folder(player)
        if self._has_no_own(player):
            return "it has no folder of its own"
        if why := player.read_folder.refusal:
            return f"its folder cannot be copied: {why.rstrip('.')}"
        for other in self._plan.programs:
            theirs = self._folder(other)
            if theirs != folder and theirs.is_relative_to(folder):
                return f"its folder contains that of {other.name}"
        if player.handed_in:
            return ""
        for part in _parts(player, *player.environment.values()):
            path = Path(os.path.normpath(folder / part))
            if os.path.isabs(part) == path.is_relative_to(folder) and exists(path):
                return f"it names {part}, which would not be in a copy of its folder"
        return ""

    def why_not_shipped(self, player: Entrant) -> str:
        """Return why a program cannot run on another machine, as a clause, or nothing.

        What it names apart from its folder has to be on that machine under the same name.
        """
        read_only = (*self._plan.limits.read_only, *player.read_only)
        if any(not os.path.isabs(path) for path in read_only):
            return "read_only names files relative to the tournament file"
        if player.directory is not None and (why := self.why_not_copied(player)):
            return why
        around = (self._plan.folder, self._store.parent)
        own = self._folder(player)
        for path in _named(player, own):
            inside = player.directory is not None and path.is_relative_to(own)
            if not inside and any(path.is_relative_to(folder) for folder in around):
                return f"it names {path}, which is not in a folder of its own. Set its directory"
        return ""

    def warnings(self) -> Iterator[str]:
        """Yield user-facing sentences about players whose folders do not keep their files apart."""
        folders: dict[Path, list[str]] = {}
        for player in self._plan.programs:
            folder = self._folder(player)
            folders.setdefault(folder.resolve(), []).append(player.name)
            if self._is_shared(folder):
                yield (
                    f"{player.name} has no folder of its own: in bubblewrap it sees only the files "
                    "that its command names. Set its directory."
                )
            elif why := player.read_folder.refusal:
                yield (
                    f"{player.name} is not run in a copy of its folder, and only changes of the "
                    f"files that its command names make a new version. {why}"
                )
        for names in folders.values():
            if len(names) > 1:
                yield (
                    f"{listed(names)} have the same folder, where they can read each other's files."
                )

    def _folder(self, player: Entrant) -> Path:
        return folder_of(self._plan.folder, player)

    def _is_shared(self, path: Path) -> bool:
        """Whether a folder has more in it than one player's files."""
        return contains_any(path, self._apart)

    def _has_no_own(self, player: Entrant) -> bool:
        """Whether a player's folder has more in it than its files, or is shown to it anyway."""
        folder = self._folder(player)
        return self._is_shared(folder) or folder in self._paths(player.read_only)

    def _visible(self, player: Entrant, folder: Path) -> tuple[Path, ...]:
        shared = folder == self._folder(player) and self._has_no_own(player)
        own = () if shared else (folder,)
        seen = dict.fromkeys(own)
        for path in _named(player, folder):  # a link in its own folder could lead anywhere
            if any(path.is_relative_to(place) for place in own):
                continue
            if (shown := shown_for(path, self._apart)) is not None:
                seen[shown] = None
        return tuple(seen)

    def _hidden(self, player: Entrant, own: Collection[Path]) -> tuple[Path, ...]:
        """Return what is hidden from a player wherever it would be shown, but not its own."""
        store, key = self._store, self._plan.lobby.key
        hidden = {store.with_name(store.name + suffix) for suffix in STORE_SUFFIXES}
        # the report, and the builds of others: a program sees the folder that it runs in
        hidden |= {secret_path(store), store.with_suffix(""), self._builds}
        if key is not None:
            hidden.add(self._plan.folder / key)
        for place in self.read_only(player):
            if self._is_shared(place) or place == self._folder(player):
                private = self._private_in(place)
                hidden |= {path for path in private if not contains_any(path, own)}
        for other in self._plan.programs:
            if other.name != player.name:
                theirs = {*self._visible(other, self._folder(other))} - {*own}
                hidden |= {path for path in theirs if not contains_any(path, own)}
        return tuple(sorted(hidden))

    def _private_in(self, place: Path) -> Iterator[Path]:
        """Yield what is private in a folder that is shown with more in it than a player's files.

        That is all of tournaments, and of root's files those that not everybody may read: a program
        has another user there, unless it is shown such a file.
        """
        here = self._plan.folder
        if here != place and here.is_relative_to(place):
            yield here  # with the seed and the log of a game that is being played
            for pattern in OF_TOURNAMENTS:
                yield from here.parent.glob(f"*/{pattern}")  # of matches before
        for pattern in OF_TOURNAMENTS:
            yield from place.glob(pattern)
        for path in place.iterdir() if os.geteuid() == 0 and place.is_dir() else ():
            with suppress(FileNotFoundError):  # it has gone meanwhile
                if not (path.is_symlink() or path.stat().st_mode & READABLE):
                    yield path

    # -- preparing ------------------------------------------------------------------------------

    @contextmanager
    def launcher(self, chosen: Chosen | None) -> Iterator[tuple[Launcher, Builds]]:
        """Yield what starts and what prepares the programs; ``UserError`` if it cannot write."""
        limits, sandbox = self._plan.limits, chosen.sandbox if chosen else Sandbox.NONE
        with (
            TemporaryDirectory(prefix="acquire-", ignore_cleanup_errors=True) as folder,
            Launcher(limits, Path(folder), sandbox) as launcher,
        ):
            yield launcher, Builds(self._builds, launcher, limits)

    async def prepare_all(
        self, builds: Builds, at_once: int
    ) -> dict[str, Program | PreparedPlayer]:
        """Prepare all players that have a program, some of them at once.

        A player loses its games whose program could not be built, or whose folder was changed
        since the plan was read; ``UserError`` if copies cannot be written.
        """
        prepared: dict[str, Program | PreparedPlayer] = {}
        limiter = trio.CapacityLimiter(at_once)

        async def prepare(player: Entrant) -> None:
            async with limiter:
                prepared[player.name] = await self._prepare(player, builds)

        async with trio.open_nursery() as nursery:
            for player in self._plan.programs:
                nursery.start_soon(prepare, player)
        return prepared

    async def launch_each(
        self,
        plays: Iterable[tuple[Entrant, Play]],
        at_once: int,
        failed: Callable[[Entrant, str, bytes], object],
    ) -> None:
        """Build some programs, and let each play as in the tournament, so many at once.

        ``failed`` is told why one cannot play, with the output of its build. ``NoSandbox`` if there
        is none as wanted, ``UserError`` if copies cannot be written.
        """
        with self.launcher(self.sandbox()) as (launcher, builds):
            limiter = trio.CapacityLimiter(launcher.at_once(at_once))

            async def launch(player: Entrant, play: Play) -> None:
                async with limiter:
                    program = await self._prepare(player, builds)
                    if isinstance(program, PreparedPlayer):
                        what = "It could not be built. " if player.build is not None else ""
                        failed(player, f"{what}{program.failure}", program.output)
                    else:
                        async with trio.open_nursery() as own:
                            signup, limit = self._plan.clocks.signup, "limits.{}".format
                            await play(player, LaunchSource(program, launcher, signup, own, limit))

            async with trio.open_nursery() as nursery:
                for player, play in plays:
                    nursery.start_soon(launch, player, play)

    async def _prepare(self, player: Entrant, builds: Builds) -> Program | PreparedPlayer:
        """Return a player's program, or why there is none; ``UserError`` if no copy can be made."""
        folder = self._folder(player)
        if why := self.why_not_copied(player):
            if player.build is None:
                return self.program(player)
            return PreparedPlayer(folder, f"It cannot be built, because {why}.")
        try:
            prepared = await builds.prepare(folder, player.read_folder.digest, self.recipe(player))
        except FolderRefused as error:  # the others play, however often it is changed
            return PreparedPlayer(folder, str(error))
        return prepared if prepared.failure else self.program(player, prepared.folder)


def _parts(player: Entrant, *more: str) -> Iterator[str]:
    """Yield what may be a path in a command, such as a part of a class path, and in more words."""
    executable, *words = player.command or ("",)
    if "/" in executable:
        yield executable
    yield from parts_of((*words, *more))


def _named(player: Entrant, folder: Path) -> Iterator[Path]:
    """Yield the files and folders that a command of the tournament file names."""
    for part in () if player.handed_in else _parts(player):
        path = Path(os.path.normpath(folder / part))
        if exists(path) and path != folder:
            yield path
