"""Options that several commands share: groups of them, and types of values."""

import math
import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

import click
from click.shell_completion import CompletionItem

from ...protocol.commands import FiniteRange, argument, option, option_group
from ...protocol.plugins import STRATEGIES, load_strategy, names_file, plugins
from ..refereeing.play.dealer import SEEDS
from ..refereeing.table.clocks import NO_CLOCK, REPLY_TIMEOUT, TURN_TIMEOUT, Clocks
from ..refereeing.view.plain_text import JsonPrinter
from .console import refuse_on_windows

if TYPE_CHECKING:
    from ...game.rulebook import Rulebook
    from ..pages.web.serving import Pages

LOCALHOST = "127.0.0.1"
CONNECT_TIMEOUT = 10.0  # seconds that a player has to connect
FIRST_CONNECT_TIMEOUT = 120.0  # seconds for a person to start a player that connects by itself

# -- types of values ----------------------------------------------------------------------------

Value = TypeVar("Value")


class ReadBy(click.ParamType[Value]):
    """Values that a function reads, of which some have names; files are completed, too."""

    def __init__(
        self, name: str, read: Callable[[str], Value], names: Callable[[], Iterable[str]] = tuple
    ) -> None:
        """``read`` raises ``click.BadParameter``."""
        self.name = name
        self._read, self._names = read, names

    def convert(self, value: Any, param: object, ctx: object) -> Value:
        """Read a value, unless that was done before."""
        return self._read(value) if isinstance(value, str) else value

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Complete a name, or that of a file or folder."""
        names = [CompletionItem(name) for name in self._names() if name.startswith(incomplete)]
        return [CompletionItem(incomplete, type="file"), *names]  # bash forgets what was before it


class NamedRulebook(NamedTuple):
    """A rulebook, and its id or file as the command line has it."""

    given: str
    value: "Rulebook"

    @property
    def as_argument(self) -> str:
        """The part of a command line that chooses it, after a blank; empty for the default."""
        return "" if self.given == REVISED else f" --rulebook {shlex.quote(self.given)}"

    def verify_seats(self, seats: int, option: str) -> None:
        """Refuse a number of seats, given by an option, that the rulebook does not allow."""
        least, most = self.value.min_players, self.value.max_players
        if not least <= seats <= most:
            raise click.BadParameter(
                f"{seats} is not between {least} and {most}, which rulebook {self.value.id} "
                "allows.",
                param_hint=f"'{option}'",
            )


def _rulebook(text: str) -> NamedRulebook:
    """Find one of the five, or read the file. ``--help`` asks for none, and imports none."""
    from ...protocol.rulebook_file import UnknownRulebook, find

    try:
        return NamedRulebook(text, find(text))
    except UnknownRulebook as error:
        raise click.BadParameter(str(error)) from error


def _rulebooks() -> Iterable[str]:
    from ...game.rulebooks import RULEBOOKS

    return RULEBOOKS


def _strategies() -> Iterable[str]:
    return plugins(STRATEGIES)


def _strategy(text: str) -> str:
    """Check that a strategy is installed, or can be imported."""
    if names_file(text):
        load_strategy(text)
    elif text not in _strategies():
        raise click.BadParameter(
            f"{text!r} is not a strategy. Choose one of {', '.join(_strategies())}, or name a "
            "class of your own: FILE.py:CLASS."
        )
    return text


def _seat_clock(text: str) -> tuple[str, float]:
    """Read ``NAME=30`` or ``NAME=none``; a name may hold ``=`` itself."""
    player, _, seconds = text.rpartition("=")
    if not player:
        raise click.BadParameter(f"{text!r} is not NAME=SECONDS or NAME=none.")
    return player, math.inf if seconds == NO_CLOCK else SECONDS.convert(seconds, None, None)


def _turns(text: str) -> tuple[int, int]:
    """Read ``40-45`` or ``40``."""
    first, _, last = text.partition("-")
    if not (first.isdecimal() and (last or first).isdecimal()):
        raise click.BadParameter(f"{text!r} is neither a turn nor turns such as 40-45.")
    return int(first), int(last or first)


SECONDS = FiniteRange(0, min_open=True)
RULEBOOK = ReadBy("id|file", _rulebook, _rulebooks)
REVISED = "revised"

AnyPath = Annotated[Path, click.Path(path_type=Path)]
File = Annotated[Path, click.Path(path_type=Path, dir_okay=False)]
Folder = Annotated[Path, click.Path(path_type=Path, file_okay=False), "FOLDER"]
Port = Annotated[int, click.IntRange(0, 65535), "PORT"]
Count = Annotated[int, click.IntRange(1), "N"]
CountFromZero = Annotated[int, click.IntRange(0), "N"]
Jobs = Annotated[int, click.IntRange(1, 64), "N"]
Workers = Annotated[int, click.IntRange(1, 1024), "N"]
Seats = Annotated[int, click.IntRange(1, 6), "N"]
TableSize = Annotated[int, click.IntRange(2, 6), "N"]
Seed = Annotated[int, click.IntRange(0, SEEDS - 1), "N"]
Name = Annotated[str, "NAME"]
Host = Annotated[str, "HOST"]
Size = Annotated[str, "SIZE"]
Turn = Annotated[int, click.IntRange(1), "TURN"]
Turns = Annotated[tuple[int, int], ReadBy("turns", _turns), "A-B"]
Seconds = Annotated[float, SECONDS, "S"]
ProcessorSeconds = Annotated[int, click.IntRange(1), "S"]
SeatClock = Annotated[tuple[str, float], ReadBy("name=seconds", _seat_clock), "NAME=S"]
Strategy = Annotated[str, ReadBy("strategy", _strategy, _strategies)]
Contestant = Annotated[str, ReadBy("player", str, _strategies)]

# -- single options -----------------------------------------------------------------------------


def sandbox_option(default: str | None, text: str) -> Any:
    """Return ``--sandbox``."""
    return option(text, type=click.Choice(["auto", "bwrap", "uid", "none"]), default=default)


def is_root() -> bool:
    """Whether this process may do everything, so that no player is to be trusted."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def json_lines_option() -> Any:
    """Return ``--json`` of commands that report while they run."""
    return option(
        "Write JSON lines to standard output, and messages for people to standard error.", "--json"
    )


def rulebook_option() -> Any:
    """Return ``--rulebook``."""
    return option(
        "Rulebook: one of the five that `acquire rulebooks` compares, or a TOML file of your own.",
        type=RULEBOOK,
        default=REVISED,
    )


# -- groups -------------------------------------------------------------------------------------


@option_group
class ClockOptions:
    """How long a player may take, in seconds."""

    reply_timeout: Seconds = option(
        "Seconds for a player to answer any message but a turn.", default=REPLY_TIMEOUT
    )
    turn_timeout: Seconds | None = option(
        f"Seconds for a player to think in one turn, in total.  [default: {TURN_TIMEOUT}]"
    )

    def at_table(self, seats: int) -> Clocks:
        """Return the clocks of a table of this size."""
        return Clocks.for_seats(seats, self.reply_timeout, self.turn_timeout)


@option_group
class LimitOptions:
    """The limits of a player that a command starts, as a tournament file has them."""

    memory: Size = option("Memory limit of a program, with all its processes.", default="1 GiB")
    processor: ProcessorSeconds = option(
        "Processor seconds that a program may use each time it is started.", default=60
    )
    processes: Count = option("Processes that a program may run at once.", default=64)
    file_size: Size = option(
        "Size limit of each file that a program writes, and of its output.", default="16 MiB"
    )


@option_group
class ContestOptions:
    """Who plays against whom: folders, classes in files, built-in players, commands."""

    mine: Contestant = argument()
    others: tuple[Contestant, ...] = argument(metavar="OTHER...", required=True)

    @property
    def all(self) -> tuple[str, ...]:
        """All of them, the first being the one in question."""
        return (self.mine, *self.others)


@option_group
class KeptInOptions:
    """How programs are timed and kept in, where all of them are started."""

    clocks: ClockOptions
    sandbox: str = sandbox_option(
        "auto", "What programs are kept in; commands can read the current folder."
    )
    limits: LimitOptions

    @property
    def sections(self) -> tuple[dict[str, float], dict[str, Any]]:
        """The sections ``[clocks]`` and ``[limits]`` of a tournament file."""
        clocks = {"reply": self.clocks.reply_timeout}
        if self.clocks.turn_timeout is not None:
            clocks["turn"] = self.clocks.turn_timeout
        return clocks, {**asdict(self.limits), "sandbox": self.sandbox}


@option_group
class CheckReportOptions:
    """How much a check prints, and which files it writes besides."""

    verbose: bool = option("Show all messages, also of passed cases.", "-v", "--verbose")
    junit: File | None = option("Write JUnit XML to this file.")
    json: File | None = option("Write Gradescope's results.json to this file.")
    html: File | None = option("Write an HTML page to this file.")


@option_group
class WebOptions:
    """Where pages for spectators are, if anywhere."""

    web: Port | None = option(
        "Serve pages for spectators on this port of the host; 0 takes a free one."
    )
    web_host: tuple[Name, ...] = option(
        "Another name under which browsers find the pages; they answer to every address and to "
        "the names that this machine knows of itself."
    )

    @contextmanager
    def served(
        self, host: str, lines: JsonPrinter | None, program: Sequence[str] = ()
    ) -> "Iterator[Pages | None]":
        """Serve pages for spectators if ``--web`` was given, and print their address."""
        if self.web is None:
            yield None
            return
        instead = "Here, `acquire replay LOG --html` makes a page of a game."
        refuse_on_windows("Showing live pages", instead)
        from ..pages.web.serving import PROGRAM, served  # an extra brings what it needs

        with served(host, self.web, self.web_host, program or (PROGRAM,)) as found:
            click.echo(f"Spectators: {found.address}", err=True)
            if lines is not None:
                lines.print({"event": "spectators", "address": found.address})
            yield found


@option_group
class PlayerOptions:
    """How the player connects; times are in seconds."""

    connect_timeout: Seconds | None = option(
        f"Seconds to connect.  [default: {CONNECT_TIMEOUT:g}; with --listen "
        f"{FIRST_CONNECT_TIMEOUT:g} for the first connection]"
    )
    limits: LimitOptions
    sandbox: str | None = sandbox_option(
        None,
        "What keeps the player away from everything but its folder, which is the current one: "
        "bubblewrap, a user of its own, or nothing.  [default: auto if you are root, else none]",
    )
    """``None`` is ``auto`` for root, who is not to trust what others have handed in."""
    listen: Port | None = option(
        "Wait for the player to connect to PORT each time, instead of launching it."
    )
    host: Host = option("Address for --listen.", default=LOCALHOST)
    command: tuple[str, ...] = argument()
