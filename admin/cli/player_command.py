"""What the command line says of how the player comes: a command to launch, or a port to wait at."""

import re
import shlex
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click
from click.core import ParameterSource

from admin.cli.console import refuse
from admin.cli.options import (
    LIMIT_OPTIONS,
    LOCALHOST,
    PORT,
    host_option,
    patience_option,
)

if TYPE_CHECKING:
    from admin.launching.limits import Limits
    from admin.trial.door import Door, Listening

PATIENCE = 10.0
"""Seconds that a player has to connect."""
FIRST = 120.0
"""Seconds that a person has to start a player that connects by itself."""
SHELLS = ("sh", "bash", "dash", "ksh", "zsh", "fish")

OpenDoor: TypeAlias = "Callable[[], AbstractAsyncContextManager[Door]]"
"""A way to open the player's door; it is closed, and nothing left, when the context is left."""

_OPTIONS = (
    patience_option(
        f"Seconds to connect in.  [default: {PATIENCE:g}; with --listen {FIRST:g} at first]"
    ),
    *LIMIT_OPTIONS,
    click.option(
        "--listen",
        type=PORT,
        metavar="PORT",
        help="Start nothing: the player connects here by itself, each time anew.",
    ),
    host_option("Address for --listen."),
    click.argument("command", nargs=-1, type=click.UNPROCESSED),
)


def player_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of which an :class:`Entrance` is made, and the COMMAND."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class Entrance:
    """The options of :func:`player_options` as they were given; times are in seconds."""

    command: tuple[str, ...]
    host: str
    listen: int | None
    patience: float | None
    memory: str
    processor: int
    processes: int
    file_size: str

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> "Entrance":
        """Take the options; refuse where there is no such program."""
        entrance = cls(**options)
        if entrance.listen is None:
            _verify_program(entrance.command)
        else:
            _verify_listening(entrance)
        return entrance

    @property
    def again(self) -> str:
        """The end of a command line by which the player comes again."""
        if self.listen is None:
            return f"-- {self._told}"
        host = "" if self.host == LOCALHOST else f" --host {shlex.quote(self.host)}"
        return f"--listen {self.listen}{host}"

    @property
    def _told(self) -> str:
        """The command as a person would type it."""
        from admin.launching.program import PLACEHOLDERS

        told = shlex.join(self.command)
        for placeholder in PLACEHOLDERS:  # which no shell changes
            told = told.replace(f"'{{{placeholder}}}'", f"{{{placeholder}}}")
        return told

    def limits(self) -> "Limits":
        """Return the limits; ``BadParameter`` where one cannot be."""
        from pydantic import ValidationError

        from admin.launching.limits import Limits

        given = {
            "memory": self.memory,
            "processor": self.processor,
            "processes": self.processes,
            "file_size": self.file_size,
        }
        try:
            return Limits.model_validate(given)
        except ValidationError as error:
            first = error.errors()[0]
            option = f"'--{str(first['loc'][0]).replace('_', '-')}'"
            text = f"{first['msg']}.".replace("..", ".")
            raise click.BadParameter(text, param_hint=option) from error

    @contextmanager
    def opened(self, tell: "Callable[[Listening], None]") -> "Iterator[tuple[str, OpenDoor]]":
        """Give what the player is called in reports, and a way to open its door.

        ``tell`` is called when there is a place where the player is to connect by itself;
        refuses where nobody could. The player's files are gone when the context is left.
        """
        from admin.launching.program import Program
        from admin.trial.door import launching, listening

        if self.listen is not None:
            door = self._listening()
            tell(door)
            yield f"connected to {' and '.join(door.addresses)}", lambda: listening(door)
            return
        program, limits = Program(self.command, Path.cwd()), self.limits()
        patience = self.patience or PATIENCE
        with tempfile.TemporaryDirectory(prefix="acquire-", ignore_cleanup_errors=True) as folder:
            yield (
                self._told,
                lambda: launching(program, limits, Path(folder), patience),
            )

    def _listening(self) -> "Listening":
        from admin.table.listeners import CannotListen
        from admin.trial.door import Listening

        assert self.listen is not None
        first, later = self.patience or FIRST, self.patience or PATIENCE
        try:
            return Listening(self.host, self.listen, first, later)
        except CannotListen as error:
            refuse(str(error))


def _verify_listening(entrance: Entrance) -> None:
    if entrance.command:
        raise click.UsageError("Give a COMMAND, or --listen and start the player yourself.")
    context = click.get_current_context()
    for limit in ("memory", "processor", "processes", "file_size"):
        if context.get_parameter_source(limit) is ParameterSource.COMMANDLINE:
            option = f"--{limit.replace('_', '-')}"
            raise click.UsageError(f"{option} is for a COMMAND; with --listen nothing is started.")


def _verify_program(command: tuple[str, ...]) -> None:
    from admin.launching.program import PLACEHOLDERS, find_program

    if not command:
        raise click.UsageError(
            "Which player? Give the command that starts it after --, such as\n"
            "  -- python3 player.py {host} {port} {name}\n"
            "or --listen PORT for one that connects by itself."
        )
    if Path(command[0]).is_file() and Path(command[0]).suffix in (".xml", ".gz"):
        refuse(f"{command[0]} is no program. Give one log, and the command after --.")
    if find_program(command[0], Path.cwd()) is None:
        where = "no such program" if "/" in command[0] else "not found in PATH"
        refuse(
            f"{command[0]!r}: {where}. Give a program that can be run, with its path if it lies "
            "in no folder of PATH (./player), and its arguments as words of their own."
        )
    if Path(command[0]).name in SHELLS and any(
        "{name}" in word and word != "{name}" for word in command
    ):
        refuse(
            'Within a word for a shell a name could be read as code. Write "$ACQUIRE_NAME" there '
            "instead of {name}: it is in the player's environment."
        )
    unknown = {
        found
        for word in command
        for found in re.findall(r"\{\w*\}", word)
        if found[1:-1] not in PLACEHOLDERS
    }
    if unknown:
        told = " ".join(sorted(unknown))
        click.echo(
            f"Note: {told} is passed on as it is; known are {{host}} {{port}} {{name}}.", err=True
        )
    if not any("{port}" in word for word in command):
        click.echo(
            "Note: no {port} in the command. The player has to take the port from ACQUIRE_PORT, "
            "for it is another each time.",
            err=True,
        )
