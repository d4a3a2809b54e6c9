"""The options that say how the player connects: a command to launch, or a port to listen on."""

import os
import re
import shlex
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Any, TypeAlias

import click
from click.core import ParameterSource

from ...protocol.strategy_file import names_file, path_of
from .console import refuse, refuse_on_windows
from .options import (
    LIMIT_OPTIONS,
    LOCALHOST,
    PORT,
    connect_timeout_option,
    host_option,
    load_or_refuse,
    sandbox_option,
)

if TYPE_CHECKING:
    from ..launching.limits import SandboxLimits
    from ..launching.program import Program
    from ..launching.sandbox import Sandbox
    from ..testing.trial.listen_source import ListenSource
    from ..testing.trial.player_source import PlayerSource

CONNECT_TIMEOUT = 10.0
"""Seconds that a player has to connect."""
FIRST_CONNECT_TIMEOUT = 120.0
"""Seconds that a person has to start a player that connects by itself."""
SHELLS = ("sh", "bash", "dash", "ksh", "zsh", "fish")
LIMITS = ("memory", "processor", "processes", "file_size")
"""The options that limit a launched player."""
FEW_PARTS = 3
"""Parts of the path of a file in a folder such as ``/opt``, which a program does not see."""

OpenSource: TypeAlias = "Callable[[], AbstractAsyncContextManager[PlayerSource]]"
"""Opens the player's source; when the context is left it is closed, and no process is left."""

_OPTIONS = (
    connect_timeout_option(
        f"Seconds to connect.  [default: {CONNECT_TIMEOUT:g}; with --listen "
        f"{FIRST_CONNECT_TIMEOUT:g} for the first connection]"
    ),
    *LIMIT_OPTIONS,
    sandbox_option(
        None,
        "What keeps the player away from everything but its folder, which is the current one: "
        "bubblewrap, a user of its own, or nothing.  [default: auto if you are root, else none]",
    ),
    click.option(
        "--listen",
        type=PORT,
        metavar="PORT",
        help="Wait for the player to connect to PORT each time, instead of launching it.",
    ),
    host_option("Address for --listen."),
    click.argument("command", nargs=-1, type=click.UNPROCESSED),
)


def player_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that make a :class:`PlayerOptions`, and the argument COMMAND."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def dashed(name: str) -> str:
    """Return the option for a parameter's name: ``--file-size`` for ``file_size``."""
    return f"--{name.replace('_', '-')}"


@dataclass(frozen=True, slots=True)
class PlayerOptions:
    """The values of :func:`player_options`; times are in seconds."""

    command: tuple[str, ...]
    host: str
    listen: int | None
    connect_timeout: float | None
    memory: str
    processor: int
    processes: int
    file_size: str
    sandbox: str | None = "none"
    """As given; ``None`` is ``auto`` for root, who is not to trust what others have handed in."""
    rulebook: Path | None = None
    """The file of the rulebook, which a class in a file needs if it is none of the five."""

    @classmethod
    def verified(cls, values: Mapping[str, Any]) -> "PlayerOptions":
        """Verify that the program can be run, or refuse."""
        options = cls(**values)
        if options.listen is None:
            _verify_command(options.command, trusted=options.wanted_sandbox == "none")
        else:
            _verify_listening(options)
        return options

    @property
    def as_arguments(self) -> str:
        """The end of a command line that connects the same player again."""
        if self.listen is None:
            sandbox = f"--sandbox {self.sandbox} " if self.sandbox else ""
            return f"{sandbox}-- {self._command_line}"
        host = "" if self.host == LOCALHOST else f" --host {shlex.quote(self.host)}"
        return f"--listen {self.listen}{host}"

    @property
    def _command_line(self) -> str:
        """The command as typed in a shell."""
        from ..launching.program import PLACEHOLDERS

        text = shlex.join(self.command)
        for placeholder in PLACEHOLDERS:  # a shell leaves these as they are
            text = text.replace(f"'{{{placeholder}}}'", f"{{{placeholder}}}")
        return text

    @property
    def _launched(self) -> tuple[str, ...]:
        """The command that is run: of a class in a file, `acquire play`."""
        if not _is_class(self.command):
            return self.command
        (strategy,) = self.command
        scripts = sysconfig.get_path("scripts")
        acquire = which("acquire", path=scripts) or which("acquire") or sys.argv[0]
        play = (acquire, "play", "{host}", "{port}", "--name={name}", f"--strategy={strategy}")
        return play if self.rulebook is None else (*play, f"--rulebook={self.rulebook}")

    @property
    def wanted_sandbox(self) -> str:
        """The sandbox to look for: ``auto``, or a kind."""
        return self.sandbox or ("auto" if _is_root() else "none")

    @property
    def distrusted_folder(self) -> Path | None:
        """The folder of a player in a sandbox: what is in it may mislead whoever writes there."""
        launched = self.listen is None
        return Path.cwd() if launched and self.wanted_sandbox != "none" else None

    def limits(self) -> "SandboxLimits":
        """Return the limits; ``BadParameter`` if one is invalid."""
        from ...protocol.settings_file import InvalidSettings
        from ..launching.limits import limits_from

        try:
            return limits_from({name: getattr(self, name) for name in LIMITS})
        except InvalidSettings as error:
            place, sentence = error.mistakes[0]
            raise click.BadParameter(sentence, param_hint=f"'{dashed(place)}'") from error

    @contextmanager
    def prepared(
        self, on_listening: "Callable[[ListenSource], None]", private: Sequence[Path] = ()
    ) -> "Iterator[tuple[str, OpenSource]]":
        """Yield the player's name in reports, and a function that opens its source.

        ``on_listening`` is called if the player has to connect by itself. Refuses if the
        port cannot be used, or the sandbox does not work. The player's files are deleted when the
        context is left. Where a sandbox hides files, it hides ``private`` ones.
        """
        if self.listen is not None:
            from ..testing.trial.listen_source import run_listen_source

            source = self._listen()
            on_listening(source)
            yield (
                f"connected to {' and '.join(source.addresses)}",
                lambda: run_listen_source(source),
            )
            return
        from ..testing.trial.launch_source import open_launch_source

        limits, timeout = self.limits(), self.connect_timeout or CONNECT_TIMEOUT
        with tempfile.TemporaryDirectory(prefix="acquire-", ignore_cleanup_errors=True) as folder:
            program = self._program([*private, Path(folder)])
            sandbox = _choose_sandbox(self.wanted_sandbox, program)
            yield (
                self._command_line,
                lambda: open_launch_source(program, limits, Path(folder), timeout, sandbox),
            )

    def _program(self, private: Sequence[Path]) -> "Program":
        """Return what is started; in a sandbox it sees its folder, and what its command names."""
        from ..launching.named_paths import exists, parts_of
        from ..launching.program import Program
        from ..launching.sandbox_files import home

        here = Path.cwd()
        named = [Path(os.path.normpath(here / part)) for part in parts_of(self.command[1:])]
        own = _own_packages() if _is_class(self.command) else []
        own += [self.rulebook] if own and self.rulebook is not None else []
        hidden = [path for path in map(Path.absolute, private) if path not in (*named, *own)]
        # what is in the folder is seen already, and a link in it may lead to anything
        outside = [path for path in named if exists(path) and not path.is_relative_to(here)]
        apart = (here, *home(), *hidden)
        shown = [here, *(place for path in outside for place in _with_siblings(path, apart))]
        return Program(
            self._launched,
            here,
            visible=(*shown, *own),
            hidden=tuple(path for path in hidden if os.path.lexists(path)),
        )

    def _listen(self) -> "ListenSource":
        from ..refereeing.table.listeners import CannotListen
        from ..testing.trial.listen_source import ListenSource

        assert self.listen is not None
        first = self.connect_timeout or FIRST_CONNECT_TIMEOUT
        try:
            return ListenSource(
                self.host, self.listen, first, self.connect_timeout or CONNECT_TIMEOUT
            )
        except CannotListen as error:
            refuse(str(error))


def _verify_listening(options: PlayerOptions) -> None:
    if options.command:
        raise click.UsageError("Give either a COMMAND, or --listen and start the player yourself.")
    context = click.get_current_context()
    for limit in (*LIMITS, "sandbox"):
        if context.get_parameter_source(limit) is ParameterSource.COMMANDLINE:
            raise click.UsageError(
                f"{dashed(limit)} needs a COMMAND; --listen does not start a player."
            )


def _own_packages() -> list[Path]:
    """Return the folders of this project, wherever it is installed.

    In a checkout the packages are links to folders beside it.
    """
    folder = Path(__file__).parents[2]
    return [folder, *(path.resolve() for path in folder.iterdir() if path.is_symlink())]


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _with_siblings(path: Path, apart: Sequence[Path]) -> list[Path]:
    """Return a folder, or that of a file, which may need what lies beside it.

    Of a folder that contains what is kept apart, only the file is returned.
    """
    own = [path.parent] if path.is_file() and len(path.parts) > FEW_PARTS else []
    places = [*own, path]
    return [place for place in places if not any(other.is_relative_to(place) for other in apart)][
        :1
    ]


def _choose_sandbox(wanted: str, program: "Program") -> "Sandbox":
    """Return the sandbox of a player, or refuse."""
    from ..launching.program import find_program
    from ..launching.sandbox import NoSandbox, Sandbox, choose
    from ..launching.sandbox_files import home

    found = find_program(program.command[0], program.directory)
    try:
        chosen = choose(wanted, [program.directory, *([Path(found)] if found else [])])
    except NoSandbox as error:
        _, _, why = str(error).partition(" does not work here: ")
        refuse(f"--sandbox {wanted} does not work here: {why}")
    if wanted == "auto" and chosen.sandbox is Sandbox.NONE and _is_root():
        refuse(
            f"You are root, and no sandbox for the player works here: {chosen.why} Install "
            "bubblewrap (Debian: apt-get install bubblewrap), or give --sandbox none if you trust "
            "the player with everything on this machine."
        )
    if chosen.sandbox is Sandbox.BWRAP and any(
        path.is_relative_to(program.directory) for path in home()
    ):
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
    """Whether the player is given as a class: ``FILE.py:CLASS``, and nothing else."""
    return len(command) == 1 and names_file(command[0])


def _verify_command(command: tuple[str, ...], *, trusted: bool) -> None:
    from ..launching.program import find_program

    refuse_on_windows("Starting a player", "Here, give --listen PORT and start the player by hand.")
    if not command:
        raise click.UsageError(
            "No player given. Give the command that starts it after --, for example\n"
            "  -- python3 player.py {host} {port} {name}\n"
            "or a class of your own, -- FILE.py:CLASS, "
            "or --listen PORT for a player that connects by itself."
        )
    if _is_class(command):
        if trusted:
            load_or_refuse(command[0])
        elif not path_of(command[0], Path.cwd()).is_file():
            refuse(f"{command[0]}: there is no file {path_of(command[0], Path.cwd())}.")
        return
    if Path(command[0]).is_file() and Path(command[0]).suffix in (".xml", ".gz"):
        refuse(f"{command[0]} is not a program. Give one log, and the command after --.")
    if find_program(command[0], Path.cwd()) is None:
        where = "no such program" if "/" in command[0] else "not found in PATH"
        refuse(
            f"{command[0]!r}: {where}. Give a program that can be run, with its path if it is not "
            "in PATH (./player), and its arguments as separate words."
        )
    if Path(command[0]).name in SHELLS and any(
        "{name}" in word and word != "{name}" for word in command
    ):
        refuse(
            "A shell could run a name inside another word as code. Write "
            '"$ACQUIRE_NAME" there instead of {name}; the player\'s environment has it.'
        )
    _note_placeholders(command)


def _note_placeholders(command: tuple[str, ...]) -> None:
    """Print a note on placeholders that are unknown or missing."""
    from ..launching.program import PLACEHOLDERS

    unknown = {
        found
        for word in command
        for found in re.findall(r"\{\w*\}", word)
        if found[1:-1] not in PLACEHOLDERS
    }
    if unknown:
        words = " ".join(sorted(unknown))
        click.echo(
            f"Note: {words} is not replaced; known placeholders: {{host}} {{port}} {{name}}.",
            err=True,
        )
    if not any("{port}" in word for word in command):
        click.echo(
            "Note: no {port} in the command. The port changes with each start; the player must "
            "read it from the environment variable ACQUIRE_PORT.",
            err=True,
        )
