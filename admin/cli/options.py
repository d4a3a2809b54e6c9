"""Options that several commands share: groups of them, and types of values."""

import math
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.shell_completion import CompletionItem

from ...protocol.plugins import STRATEGIES, load_strategy, plugins
from ...protocol.strategy_file import StrategyFileError, names_file
from ..refereeing.play.dealer import SEEDS
from ..refereeing.table.clocks import NO_CLOCK, REPLY_TIMEOUT, TURN_TIMEOUT, Clocks
from .console import refuse
from .declared import argument, option, option_group

if TYPE_CHECKING:
    from ...game.rulebook import Rulebook

LOCALHOST = "127.0.0.1"
CONNECT_TIMEOUT = 10.0
"""Seconds that a player has to connect."""
FIRST_CONNECT_TIMEOUT = 120.0
"""Seconds that a person has to start a player that connects by itself."""
PORT = click.IntRange(0, 65535)
ANY_PATH = click.Path(path_type=Path)
FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)


class NamedRulebook(NamedTuple):
    """A rulebook, and its id or file as the command line has it."""

    given: str
    value: "Rulebook"


class RulebookType(click.ParamType[NamedRulebook]):
    """A rulebook, by its id or by the name of its TOML file.

    Rulebooks are imported when one is asked for, which ``--help`` does not.
    """

    name = "id|file"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> NamedRulebook:
        """Find one of the five, or read the file."""
        from ...protocol.rulebook_file import UnknownRulebook, find
        from ...protocol.settings_file import InvalidFile

        if isinstance(value, NamedRulebook):
            return value
        try:
            return NamedRulebook(value, find(value))
        except UnknownRulebook as error:
            self.fail(str(error), param, ctx)
        except InvalidFile as error:
            refuse(str(error))

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Complete the id of one of the five, or the name of a file."""
        from ...game.rulebooks import RULEBOOKS

        ids = [CompletionItem(name) for name in RULEBOOKS if name.startswith(incomplete)]
        return [CompletionItem(incomplete, type="file"), *ids]  # bash forgets what was before it


def complete_player(
    _ctx: click.Context, _param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the name of a built-in player, or that of a file or folder."""
    names = [CompletionItem(name) for name in plugins(STRATEGIES) if name.startswith(incomplete)]
    return [CompletionItem(incomplete, type="file"), *names]  # bash forgets what was before it


class StrategyName(click.ParamType[str]):
    """The name of an installed strategy, or a class in a file: ``FILE.py:CLASS``."""

    name = "strategy"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Check that the strategy is installed, or can be imported."""
        if names_file(str(value)):
            load_or_refuse(value)
        elif value not in (known := plugins(STRATEGIES)):
            self.fail(
                f"{value!r} is not a strategy. Choose one of {', '.join(known)}, or name a class "
                "of your own: FILE.py:CLASS.",
                param,
                ctx,
            )
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Complete the name of a built-in player, or that of a file."""
        return complete_player(ctx, param, incomplete)


def load_or_refuse(strategy: str) -> None:
    """Import a strategy in a file; where that fails, print the traceback and exit."""
    try:
        load_strategy(strategy)
    except StrategyFileError as error:
        refuse(str(error))


class SeatClock(click.ParamType[tuple[str, float]]):
    """A player's name and its seconds: ``NAME=30``, or ``NAME=none``."""

    name = "name=seconds"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, float]:
        """Read both; a name may hold ``=`` itself."""
        if isinstance(value, tuple):
            return value
        player, separator, seconds = str(value).rpartition("=")
        if not separator or not player:
            self.fail(f"{value!r} is not NAME=SECONDS or NAME=none.", param, ctx)
        if seconds == NO_CLOCK:
            return player, math.inf
        return player, Seconds().convert(seconds, param, ctx)


class Seconds(click.FloatRange):
    """A time in seconds: positive and finite."""

    name = "seconds"

    def __init__(self) -> None:
        super().__init__(0, min_open=True)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Return the sign for seconds."""
        return "S"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Check that the number is finite."""
        seconds = float(super().convert(value, param, ctx))
        if not math.isfinite(seconds):
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return seconds


# -- single options -----------------------------------------------------------------------------


def seed_option(text: str) -> Any:
    """Return ``--seed``."""
    return option(text, type=click.IntRange(0, SEEDS - 1))


def sandbox_option(default: str | None, text: str) -> Any:
    """Return ``--sandbox``."""
    return option(text, type=click.Choice(["auto", "bwrap", "uid", "none"]), default=default)


def json_lines_option() -> Any:
    """Return ``--json`` of commands that report while they run."""
    return option(
        "Write JSON lines to standard output, and messages for people to standard error.", "--json"
    )


def rulebook_option() -> Any:
    """Return ``--rulebook``."""
    return option(
        "Rulebook to play by: one of the five, which `acquire rulebooks` compares, or a TOML file "
        "of your own, for which `acquire rulebooks --init FILE` writes a template.",
        type=RulebookType(),
        default="revised",
    )


# -- groups -------------------------------------------------------------------------------------


@option_group
class ClockOptions:
    """How long a player may take, in seconds."""

    reply_timeout: float = option(
        "Seconds for a player to answer any message but a turn.",
        type=Seconds(),
        default=REPLY_TIMEOUT,
    )
    turn_timeout: float | None = option(
        f"Seconds for a player to think in one turn, in total.  [default: {TURN_TIMEOUT}]",
        type=Seconds(),
    )

    def at_table(self, seats: int) -> Clocks:
        """Return the clocks of a table of this size."""
        return Clocks.for_seats(seats, self.reply_timeout, self.turn_timeout)


@option_group
class LimitOptions:
    """The limits of a player that a command starts, as a tournament file has them."""

    memory: str = option("Memory limit of all the player's processes together.", default="1 GiB")
    processor: int = option(
        "Processor seconds that the player may use each time it is started.",
        type=click.IntRange(1),
        default=60,
        metavar="S",
    )
    processes: int = option(
        "Processes that the player may run at once.",
        type=click.IntRange(1),
        default=64,
        metavar="N",
    )
    file_size: str = option(
        "Size limit of each file that the player writes, and of its output.", default="16 MiB"
    )


@option_group
class ContestOptions:
    """Who plays against whom: folders, classes in files, built-in players, commands."""

    mine: str = argument(shell_complete=complete_player)
    others: tuple[str, ...] = argument(
        metavar="OTHER...", nargs=-1, required=True, shell_complete=complete_player
    )

    @property
    def all(self) -> tuple[str, ...]:
        """All of them, the first being the one in question."""
        return (self.mine, *self.others)


@option_group
class KeptInOptions:
    """How programs are timed and kept in, where all of them are started."""

    clocks: ClockOptions
    sandbox: str = sandbox_option(
        "auto", "What programs are kept in; they can read the current folder."
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
class WebOptions:
    """Where pages for spectators are, if anywhere."""

    web: int | None = option(
        "Serve pages for spectators on this port of the host; 0 takes a free one.",
        type=PORT,
        metavar="PORT",
    )
    web_host: tuple[str, ...] = option(
        "Another name under which browsers find the pages; they answer to every address and to "
        "the names that this machine knows of itself. Can be given again.",
        metavar="NAME",
    )


@option_group
class PlayerOptions:
    """How the player connects; times are in seconds."""

    connect_timeout: float | None = option(
        f"Seconds to connect.  [default: {CONNECT_TIMEOUT:g}; with --listen "
        f"{FIRST_CONNECT_TIMEOUT:g} for the first connection]",
        type=Seconds(),
    )
    limits: LimitOptions
    sandbox: str | None = sandbox_option(
        None,
        "What keeps the player away from everything but its folder, which is the current one: "
        "bubblewrap, a user of its own, or nothing.  [default: auto if you are root, else "
        "none]",
    )
    """``None`` is ``auto`` for root, who is not to trust what others have handed in."""
    listen: int | None = option(
        "Wait for the player to connect to PORT each time, instead of launching it.",
        type=PORT,
        metavar="PORT",
    )
    host: str = option("Address for --listen.", default=LOCALHOST)
    command: tuple[str, ...] = argument(nargs=-1, type=click.UNPROCESSED)

    @classmethod
    def of_command(
        cls, command: tuple[str, ...], connect_timeout: float | None, limits: LimitOptions
    ) -> "PlayerOptions":
        """Return the options of a trusted command."""
        return cls(
            connect_timeout=connect_timeout,
            limits=limits,
            sandbox="none",
            listen=None,
            host=LOCALHOST,
            command=command,
        )


@option_group
class SeatOptions:
    """Which game, and whose seat."""

    log: Path = argument(type=ANY_PATH)
    seat: str | None = option(
        "The seat that the player takes; by default that of the only ejected player.",
        metavar="NAME",
    )


@option_group
class RecordedOptions:
    """Which game, whose seat, and how fast the player has to be."""

    game: SeatOptions
    clocks: ClockOptions
