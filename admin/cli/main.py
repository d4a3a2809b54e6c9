"""The command line ``acquire``: a group whose commands are loaded on demand.

A command is an entry point of the group ``acquire.commands``: see
:mod:`acquire.protocol.plugins`.
"""

import errno
import io
import os
import signal
import sys
from contextlib import suppress
from typing import Any

import click
from click.exceptions import NoSuchCommand

from ...protocol.commands import HELP
from ...protocol.plugins import COMMANDS, plugins, why_missing
from ...protocol.user_error import UserError
from ..refereeing.view.plain_text import shortened
from .console import printable_output, refuse

EXIT_CODES = """
Exit codes: 0 done; 1 failed during the game (a game not played, an invalid log, a player ejected);
2 could not begin (bad options, a port in use, an unreadable file), or without a verdict because the
machine lacks something or this program has a bug; 129, 130 and 143 stopped by SIGHUP, SIGINT and
SIGTERM.
"""

# Read where numpy is imported first. Its threads would spin for matrices of a hundred players, and
# take seven times the processor time for the ratings of a ladder, beside games that need it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

LACKS = (
    *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOMEM),
    *(errno.EMFILE, errno.ENFILE),
)
"""Errors of a machine that has no room left or too low a limit, whatever is done with it."""
UNUSABLE = (
    *(errno.EACCES, errno.EPERM, errno.EROFS),
    *(errno.EISDIR, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG),
)
"""Errors of a path that cannot be used as it was given, wherever it is looked at first."""

NOT_INSTALLED = (
    "This project is not installed, so its commands and players cannot be found. Install it: "
    "`make setup` in the checkout, or pip install."
)


class LazyGroup(click.Group):
    """A group of commands that are imported when they are needed."""

    def main(self, *args: Any, **options: Any) -> Any:
        """Run a command, whose output cannot steer a terminal."""
        with printable_output():
            return super().main(*args, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command, and refuse what it cannot do."""
        try:
            return super().invoke(ctx)
        except UserError as error:
            refuse(str(error))

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names of the commands that are installed."""
        return list(plugins(COMMANDS)) or refuse(NOT_INSTALLED)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        known = self.list_commands(ctx)
        return plugins(COMMANDS)[cmd_name].load() if cmd_name in known else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is given; of an unknown one, say which it is like."""
        try:
            return super().resolve_command(ctx, args)
        except NoSuchCommand as error:  # click knows only those that it was given beforehand
            names = self.list_commands(ctx)
            raise NoSuchCommand(error.command_name, possibilities=names, ctx=ctx) from error


CONTEXT = {**HELP, "max_content_width": 100}


@click.group(cls=LazyGroup, epilog=EXIT_CODES, context_settings=CONTEXT)
@click.version_option(package_name="acquire-referee")
def acquire() -> None:
    """A referee for programs that play the board game Acquire.

    \b
    To begin:
        acquire play --browser                  play yourself
        acquire new python my-player            begin a player of your own
        acquire arena my-player investor        let it play, and read why it lost
    A referee and a player, in two terminals:
        acquire serve --players 3 --fill random --signup-timeout 20
        acquire play 127.0.0.1 51234 --name alice --strategy ordered
    Then read the log:
        acquire replay matches/revised-seed...xml --verify
    """


def main() -> None:
    """Run the command line; a bug is reported in one line, its traceback in a file."""
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):  # where a character cannot be shown, another can
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        with printable_output():
            _run()
    finally:  # Python would exit with 120 where it cannot flush an output that is full
        for name in ("stdout", "stderr"):
            try:
                getattr(sys, name).flush()
            except OSError:
                setattr(sys, name, None)


def _run() -> None:
    try:
        code = acquire(standalone_mode=False)
    except click.Abort:
        sys.exit(128 + signal.SIGINT)
    except click.ClickException as error:
        with suppress(OSError):  # there may be no room to print it
            error.show()
        sys.exit(error.exit_code)
    except Exception as error:
        if _was_interrupted(error):
            sys.exit(128 + signal.SIGINT)
        with suppress(OSError):
            click.echo(_told_of(error), err=True)
        sys.exit(2)  # 1 is a verdict of most commands
    sys.exit(code if isinstance(code, int) else 0)


def _told_of(error: Exception) -> str:
    """Say what is wrong where no command expects it; of a bug, where its traceback is."""
    if isinstance(error, ImportError) and (missing := why_missing(error)):
        return f"Error: {missing}"
    if lacking := _lacking(error):
        advice = "Make room, or raise the limit (ulimit -a), and give the command again."
        return f"Error: {lacking}. {advice}"
    if isinstance(error, OSError) and error.errno in UNUSABLE and error.filename:
        return f"Error: {shortened(str(error.filename))}: {error.strerror}."
    from ..refereeing.table.run import write_crash_report  # it imports trio, which takes long

    return f"acquire: {write_crash_report(error)}"


def _open_closed_streams() -> None:
    """Open to nowhere each of the standard streams that is closed, for which Python has ``None``.

    Otherwise the next file would get its number, and what is printed by whoever inherits that.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(nowhere, True)
            setattr(sys, name, open(nowhere, mode, encoding="utf-8"))  # noqa: SIM115


def _lacking(error: BaseException) -> str:
    """Return what this machine lacks, if an error comes from that; or nothing."""
    if isinstance(error, BaseExceptionGroup):
        return next(filter(None, map(_lacking, error.exceptions)), "")
    if isinstance(error, OSError) and error.errno in LACKS:
        return f"{error.strerror}{f' ({error.filename})' if error.filename else ''}"
    return "There is not enough memory" if isinstance(error, MemoryError) else ""


def _was_interrupted(error: BaseException) -> bool:
    """Whether an error comes from Ctrl-C, which Python wraps where a class is being made."""
    cause = error.__cause__ or error.__context__
    return isinstance(error, KeyboardInterrupt) or (cause is not None and _was_interrupted(cause))
