"""The player that a command tests: launched, or one that connects by itself."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import click

from ..refereeing.table.listeners import CannotListen
from ..testing.trial.player_source import ListenSource, OpenSource
from .console import refuse, refuse_on_windows
from .declared import dashed, on_command_line
from .options import CONNECT_TIMEOUT, FIRST_CONNECT_TIMEOUT, LOCALHOST, PlayerOptions

if TYPE_CHECKING:
    from .launched_player import AttachedPlayer, LaunchedPlayer

ChosenPlayer: TypeAlias = "ListeningPlayer | LaunchedPlayer | AttachedPlayer"


def choose_player(options: PlayerOptions, rulebook: Path | None = None) -> ChosenPlayer:
    """Return the player, or refuse: it can be run, or it will connect by itself.

    ``rulebook`` is the file of the rulebook if it is none of the five.
    """
    if options.listen is not None:
        return ListeningPlayer(options, options.listen)
    refuse_on_windows("Starting a player", "Here, give --listen PORT and start the player by hand.")
    from .launched_player import LaunchedPlayer  # Windows has not what this imports

    return LaunchedPlayer(options, rulebook)


def attach_player(command: tuple[str, ...], rulebook: Path | None = None) -> "AttachedPlayer":
    """Return a player that is started at this terminal without limits, or refuse."""
    refuse_on_windows("Starting a player", "Here, give --listen PORT and start the player by hand.")
    from .launched_player import AttachedPlayer  # Windows has not what this imports

    return AttachedPlayer(command, rulebook)


@dataclass(frozen=True, slots=True)
class ListeningPlayer:
    """A player that somebody else starts: it connects to a port."""

    options: PlayerOptions
    port: int

    def __post_init__(self) -> None:
        """Refuse options of a player that is launched."""
        if self.options.command:
            raise click.UsageError(
                "Give either a COMMAND, or --listen and start the player yourself."
            )
        for limit in (*asdict(self.options.limits), "sandbox"):
            if limit in on_command_line():
                raise click.UsageError(
                    f"{dashed(limit)} needs a COMMAND; --listen does not start a player."
                )

    @property
    def as_arguments(self) -> str:
        """The end of a command line that waits for the same player again."""
        host = self.options.host
        at_host = "" if host == LOCALHOST else f" --host {shlex.quote(host)}"
        return f"--listen {self.port}{at_host}"

    @property
    def distrusted_folder(self) -> None:
        """No folder: the player has none here."""

    @contextmanager
    def prepared(
        self, on_listening: Callable[[ListenSource], None], _: Sequence[Path] = ()
    ) -> Iterator[tuple[str, OpenSource]]:
        """Yield the player's name in reports, and a function that opens its source.

        ``on_listening`` is called first. Refuses if the port cannot be used.
        """
        timeout = self.options.connect_timeout
        try:
            source = ListenSource(
                self.options.host,
                self.port,
                timeout or FIRST_CONNECT_TIMEOUT,
                timeout or CONNECT_TIMEOUT,
            )
        except CannotListen as error:
            refuse(str(error))
        on_listening(source)
        yield f"connected to {' and '.join(source.addresses)}", source.running
