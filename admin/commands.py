"""The command line ``acquire``: a group whose commands are found when they are asked for.

A command is an entry point of the group ``acquire.commands``, a house player one of
``acquire.strategies`` (a maker, called with a rulebook and a seed). So this package reaches the
players without importing them, and another distribution can bring its own.
"""

import io
import math
import signal
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from admin.local import Strategy
    from game.rulebook import Rulebook

COMMANDS = "acquire.commands"
STRATEGIES = "acquire.strategies"

EXIT_CODES = """
Exit codes: 0 done; 1 it went wrong in the game (a match not played, a log that does not hold, a
player ejected); 2 it could not begin (bad options, a port in use, a file that cannot be read);
130 and 143 stopped by SIGINT and SIGTERM.
"""


def plugins(group: str) -> dict[str, EntryPoint]:
    """Return what is installed in a group of entry points, by name."""
    return {point.name: point for point in sorted(entry_points(group=group))}


class LazyGroup(click.Group):
    """A group of commands that are imported when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names of the commands that are installed."""
        return list(plugins(COMMANDS))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        found = plugins(COMMANDS).get(cmd_name)
        return None if found is None else found.load()


class StrategyName(click.ParamType[str]):
    """The name of an installed house player."""

    name = "strategy"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Check that the strategy is installed."""
        known = plugins(STRATEGIES)
        if value not in known:
            self.fail(f"{value!r} is no strategy. Installed are: {', '.join(known)}.", param, ctx)
        return str(value)


class Seconds(click.FloatRange):
    """A time in seconds: a positive number, and no infinity or what is not a number."""

    name = "seconds"

    def __init__(self) -> None:
        super().__init__(0, min_open=True)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Check that time can be measured by it."""
        seconds = float(super().convert(value, param, ctx))
        if not math.isfinite(seconds):
            self.fail(f"{value!r} is no number of seconds.", param, ctx)
        return seconds


def load_strategy(name: str) -> "Callable[[Rulebook, int], Strategy]":
    """Import the maker of a house player that is installed."""
    make: Callable[[Rulebook, int], Strategy] = plugins(STRATEGIES)[name].load()
    return make


@click.group(cls=LazyGroup, epilog=EXIT_CODES, context_settings={"max_content_width": 100})
@click.version_option(package_name="acquire-referee")
def acquire() -> None:
    """A referee for programs that play the board game Acquire.

    \b
    Begin with two terminals, or one and a few `&`:
        acquire serve --players 3 --fill random --signup-timeout 20
        acquire play 127.0.0.1 51234 --name alice --strategy ordered
    Then look at what was recorded:
        acquire replay matches/revised-seed...xml --verify
    """


def main() -> None:
    """Run the command line; what breaks unexpectedly is reported in one line and a file."""
    for stream in (sys.stdout, sys.stderr):  # where a character cannot be shown, another can
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        code = acquire(standalone_mode=False)
    except click.Abort:
        sys.exit(128 + signal.SIGINT)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except Exception as error:
        from admin.defect import report_defect

        sys.exit(f"acquire: {report_defect(error)}")
    sys.exit(code if isinstance(code, int) else 0)
