"""The player that a command tests: launched, or one that connects by itself."""

import shlex
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import click

from ...protocol.commands import dashed, on_command_line
from ...protocol.settings_file import InvalidSettings
from ..launching.limits import Limits, limits_from
from ..launching.program import as_typed
from ..testing.trial.player_source import ListenSource, PlayerSource
from .console import refuse_on_windows
from .options import (
    CONNECT_TIMEOUT,
    FIRST_CONNECT_TIMEOUT,
    LOCALHOST,
    LimitOptions,
    PlayerOptions,
    is_root,
)


@dataclass(frozen=True, slots=True)
class ChosenPlayer:
    """A player that can be run, or will connect by itself."""

    as_arguments: str  # end of a command line that starts the player again, or waits for it
    opened: Callable[[str, Sequence[Path]], AbstractAsyncContextManager[tuple[str, PlayerSource]]]
    """Yields its name in reports, and its source, or refuses; no process is left afterwards.

    The text says what a player does that connects by itself. A sandbox hides the files.
    """
    distrusted_folder: Path | None = None
    """The folder of a player in a sandbox: what is in it may mislead whoever writes there."""


def choose_player(options: PlayerOptions, rulebook: Path | None = None) -> ChosenPlayer:
    """Return the player, or refuse. ``rulebook`` is its file if it is none of the five."""
    if options.listen is None:
        timeout = options.connect_timeout or CONNECT_TIMEOUT
        return launch_player(options.command, options.limits, timeout, options.sandbox, rulebook)
    if options.command:
        raise click.UsageError("Give either a COMMAND, or --listen and start the player yourself.")
    for limit in (*asdict(options.limits), "sandbox"):
        if limit in on_command_line():
            raise click.UsageError(
                f"{dashed(limit)} needs a COMMAND; --listen does not start a player."
            )
    host = options.host
    at_host = "" if host == LOCALHOST else f" --host {shlex.quote(host)}"
    return ChosenPlayer(f"--listen {options.listen}{at_host}", partial(_listening, options))


@asynccontextmanager
async def _listening(
    options: PlayerOptions, advice: str, _: Sequence[Path]
) -> AsyncIterator[tuple[str, PlayerSource]]:
    timeouts = FIRST_CONNECT_TIMEOUT, CONNECT_TIMEOUT
    if options.connect_timeout is not None:
        timeouts = options.connect_timeout, options.connect_timeout
    source = ListenSource(options.host, options.listen or 0, *timeouts)
    where = " and ".join(source.addresses)
    click.echo(f"Listening on {where}. {advice}")
    async with source.running():
        yield f"connected to {where}", source


def launch_player(
    command: tuple[str, ...],
    limits: LimitOptions,
    timeout: float,
    sandbox: str | None,
    rulebook: Path | None = None,
) -> ChosenPlayer:
    """Return a player that is started within limits, or refuse."""
    refuse_on_windows("Starting a player", "Here, give --listen PORT and start the player by hand.")
    from .launched_player import launched, verify_command  # Windows has not what this imports

    wanted = sandbox or ("auto" if is_root() else "none")
    verify_command(command, trusted=wanted == "none")
    return ChosenPlayer(
        f"{f'--sandbox {sandbox} ' if sandbox else ''}-- {as_typed(command)}",
        partial(launched, command, limits_of(limits), timeout, wanted, rulebook),
        None if wanted == "none" else Path.cwd(),
    )


def attach_player(command: tuple[str, ...], rulebook: Path | None = None) -> ChosenPlayer:
    """Return a trusted player that is started at this terminal, for a debugger, or refuse."""
    refuse_on_windows("Starting a player", "Here, give --listen PORT and start the player by hand.")
    from .launched_player import attached, verify_command  # Windows has not what this imports

    verify_command(command, trusted=True)
    return ChosenPlayer(f"--no-clocks -- {as_typed(command)}", partial(attached, command, rulebook))


def limits_of(options: LimitOptions) -> Limits:
    """Return the limits that were given, or refuse."""
    try:
        return limits_from(asdict(options))
    except InvalidSettings as error:
        place, sentence = error.mistakes[0]
        raise click.BadParameter(sentence, param_hint=f"'{dashed(place)}'") from error
