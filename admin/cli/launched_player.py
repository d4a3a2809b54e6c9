"""A player that a command starts, within limits and perhaps in a sandbox.

It cannot be imported on Windows.
"""

import os
import shlex
import sys
import sysconfig
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from shutil import which

import click

from ...protocol.plugins import load_strategy, names_file, path_of
from ..launching.limits import Limits
from ..launching.program import (
    NO_PORT,
    Program,
    as_typed,
    contains_any,
    exists,
    find_program,
    parts_of,
    shown_for,
    unknown_placeholder,
    why_not_found,
)
from ..launching.sandbox import NoSandbox, Sandbox, choose
from ..launching.sandbox_files import home
from ..testing.trial.launch_source import AttachedSource, open_launch_source
from ..testing.trial.player_source import PlayerSource
from .console import refuse
from .options import is_root

SHELLS = ("sh", "bash", "dash", "ksh", "zsh", "fish")


@asynccontextmanager
async def launched(
    command: tuple[str, ...],
    limits: Limits,
    timeout: float,
    wanted: str,
    rulebook: Path | None,
    _: str,
    private: Sequence[Path],
) -> AsyncIterator[tuple[str, PlayerSource]]:
    """Yield a player's name in reports, and its source.

    Refuses if the sandbox does not work. The player's files are deleted when the context is left.
    Where a sandbox hides files, it hides ``private`` ones.
    """
    with tempfile.TemporaryDirectory(prefix="acquire-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        program = _program(command, rulebook, [*private, folder])
        sandbox = _choose_sandbox(wanted, program)
        async with open_launch_source(program, limits, folder, timeout, sandbox) as source:
            yield as_typed(command), source


@asynccontextmanager
async def attached(
    command: tuple[str, ...], rulebook: Path | None, _: str, __: Sequence[Path]
) -> AsyncIterator[tuple[str, PlayerSource]]:
    """Yield the same of a trusted player that is started at this terminal."""
    program = Program(_launched(command, rulebook), Path.cwd())
    yield as_typed(command), AttachedSource(program)


def _program(command: tuple[str, ...], rulebook: Path | None, private: Sequence[Path]) -> Program:
    """Return what is started; in a sandbox it sees its folder, and what its command names.

    A class in a file needs the file of a rulebook that is none of the five.
    """
    here = Path.cwd()
    named = [Path(os.path.normpath(here / part)) for part in parts_of(command[1:])]
    own = _own_packages() if _is_class(command) else []
    own += [rulebook] if own and rulebook is not None else []
    hidden = [path for path in map(Path.absolute, private) if path not in (*named, *own)]
    # what is in the folder is seen already, and a link in it may lead to anything
    outside = [path for path in named if exists(path) and not path.is_relative_to(here)]
    apart = (here, *home(), *hidden)
    shown = [here, *filter(None, (shown_for(path, apart) for path in outside))]
    return Program(
        _launched(command, rulebook),
        here,
        visible=(*shown, *own),
        hidden=tuple(path for path in hidden if os.path.lexists(path)),
    )


def _launched(command: tuple[str, ...], rulebook: Path | None) -> tuple[str, ...]:
    """Return the command that is run: of a class in a file, `acquire play`."""
    if not _is_class(command):
        return command
    (strategy,) = command
    scripts = sysconfig.get_path("scripts")
    acquire = which("acquire", path=scripts) or which("acquire") or sys.argv[0]
    play = (acquire, "play", "{host}", "{port}", "--name={name}", f"--strategy={strategy}")
    return play if rulebook is None else (*play, f"--rulebook={rulebook}")


def _own_packages() -> list[Path]:
    """Return the folders of this project, wherever it is installed.

    In a checkout the packages are links to folders beside it.
    """
    folder = Path(__file__).parents[2]
    return [folder, *(path.resolve() for path in folder.iterdir() if path.is_symlink())]


def _choose_sandbox(wanted: str, program: Program) -> Sandbox:
    found = find_program(program.command[0], program.directory)
    try:
        chosen = choose(wanted, [program.directory, *([Path(found)] if found else [])])
    except NoSandbox as error:
        refuse(f"--sandbox {wanted} does not work here: {error.why}")
    if wanted == "auto" and chosen.sandbox is Sandbox.NONE and is_root():
        refuse(
            f"You are root, and no sandbox for the player works here: {chosen.why} Install "
            "bubblewrap (Debian: apt-get install bubblewrap), or give --sandbox none if you trust "
            "the player with everything on this machine."
        )
    if chosen.sandbox is Sandbox.BWRAP and contains_any(program.directory, home()):
        refuse(
            f"In a sandbox the player can read all of the current folder, and {program.directory} "
            "is or contains your home. Change into the player's own folder."
        )
    if chosen.why:
        click.echo(
            f"Sandbox: {chosen.sandbox.value}. {chosen.sandbox.sentence} {chosen.why}", err=True
        )
    return chosen.sandbox


def _is_class(command: tuple[str, ...]) -> bool:
    return len(command) == 1 and names_file(command[0])


def verify_command(command: tuple[str, ...], *, trusted: bool) -> None:
    """Refuse what cannot be run; a class in a file is loaded only if it is ``trusted``."""
    if not command:
        raise click.UsageError(
            "No player given. Give the command that starts it after --, for example\n"
            "  -- python3 player.py {host} {port} {name}\n"
            "or a class of your own, -- FILE.py:CLASS, "
            "or --listen PORT for a player that connects by itself."
        )
    if _is_class(command):
        if trusted:
            load_strategy(command[0])
        elif not path_of(command[0], Path.cwd()).is_file():
            refuse(f"{command[0]}: there is no file {path_of(command[0], Path.cwd())}.")
        return
    if Path(command[0]).is_file() and Path(command[0]).suffix in (".xml", ".gz"):
        refuse(f"{command[0]} is not a program. Give one log, and the command after --.")
    if find_program(command[0], Path.cwd()) is None:
        if words := _quoted_command(command[0]):
            refuse(
                f"{command[0]!r}: no such program. The quotes make one word of a whole command. "
                f"Leave them out:\n  -- {as_typed((*words, *command[1:]))}"
            )
        refuse(f"{command[0]!r}: {why_not_found(command[0], Path.cwd())}")
    if Path(command[0]).name in SHELLS and any(
        "{name}" in word and word != "{name}" for word in command
    ):
        refuse(
            "A shell could run a name inside another word as code. Write "
            '"$ACQUIRE_NAME" there instead of {name}; the player\'s environment has it.'
        )
    if unknown := unknown_placeholder(command):
        click.echo(f"Note: {unknown}", err=True)
    if not any("{port}" in word for word in command):
        click.echo(f"Note: {NO_PORT}", err=True)
    own = {name for each in click.get_current_context().command.params for name in each.opts}
    if late := ", ".join(word for word in command if word in own and word != "--host"):
        what = "is given to the player. If it is meant for acquire, write it before --."
        click.echo(f"Note: {late} {what}", err=True)


def _quoted_command(word: str) -> list[str]:
    """Return the words of a command that was given as one word; none if it is no command."""
    try:
        words = [] if os.path.lexists(word) else shlex.split(word)
    except ValueError:
        return []
    return words if words[1:] and find_program(words[0], Path.cwd()) else []
