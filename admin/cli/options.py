"""Options that several commands share."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import click
from click.shell_completion import CompletionItem

from ...protocol.strategy_file import StrategyFileError, names_file
from ..refereeing.play.dealer import SEEDS
from ..refereeing.play.plugins import STRATEGIES, load_strategy, plugins
from ..refereeing.table.clocks import NO_CLOCK, REPLY_TIMEOUT, TURN_TIMEOUT
from .console import refuse, refuse_on_windows

if TYPE_CHECKING:
    from ...game.rulebook import Rulebook
    from ..pages.web.serving import Pages

Decorator: TypeAlias = Callable[[Any], Any]

LOCALHOST = "127.0.0.1"
PORT = click.IntRange(0, 65535)


class NamedRulebook(NamedTuple):
    """A rulebook, and its id or file as the command line has it."""

    given: str
    value: "Rulebook"


class RulebookType(click.ParamType[NamedRulebook]):
    """A rulebook, by its id or by the name of its TOML file."""

    name = "id|file"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> NamedRulebook:
        """Find one of the five, or read the file."""
        from ...game.rulebooks import RULEBOOKS

        if isinstance(value, NamedRulebook):
            return value
        if value in RULEBOOKS:
            return NamedRulebook(value, RULEBOOKS[value])
        if not (value.endswith(".toml") or Path(value).is_file()):
            known = ", ".join(RULEBOOKS)
            self.fail(
                f"{value!r} is not a rulebook. Choose one of {known}, or name a TOML file.",
                param,
                ctx,
            )
        from ...protocol import rulebook_file
        from ...protocol.settings_file import InvalidFile

        try:
            return NamedRulebook(value, rulebook_file.read(Path(value)))
        except InvalidFile as error:
            refuse(str(error))

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Complete the id of one of the five, or the name of a file."""
        from ...game.rulebooks import RULEBOOKS

        ids = [CompletionItem(name) for name in RULEBOOKS if name.startswith(incomplete)]
        return [*ids, CompletionItem(incomplete, type="file")]


class StrategyName(click.ParamType[str]):
    """The name of an installed strategy, or a class in a file: ``FILE.py:CLASS``."""

    name = "strategy"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Check that the strategy is installed, or can be imported."""
        if names_file(str(value)):
            load_or_refuse(value)
            return str(value)
        known = plugins(STRATEGIES)
        if value not in known:
            names = ", ".join(known)
            self.fail(
                f"{value!r} is not a strategy. Choose one of {names}, or name a class of your own: "
                "FILE.py:CLASS.",
                param,
                ctx,
            )
        return str(value)


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

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Check that the number is finite."""
        seconds = float(super().convert(value, param, ctx))
        if not math.isfinite(seconds):
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return seconds


def host_option(text: str) -> Decorator:
    """Return ``--host``."""
    return click.option("--host", default=LOCALHOST, show_default=True, help=text)


rulebook_option: Decorator = click.option(
    "--rulebook",
    type=RulebookType(),
    default="revised",
    show_default=True,
    help="Rulebook to play by: one of the five, which `acquire rulebooks` compares, or a TOML file "
    "of your own, for which `acquire rulebooks --init FILE` writes a template.",
)


def seed_option(text: str) -> Decorator:
    """Return ``--seed``, which is ``None`` if not given."""
    return click.option("--seed", type=click.IntRange(0, SEEDS - 1), help=text)


def connect_timeout_option(text: str) -> Decorator:
    """Return ``--connect-timeout``, in seconds, which is ``None`` if not given."""
    return click.option("--connect-timeout", type=Seconds(), metavar="S", help=text)


def reply_timeout_option(who: str) -> Decorator:
    """Return ``--reply-timeout``; ``who`` replies."""
    return click.option(
        "--reply-timeout",
        type=Seconds(),
        default=REPLY_TIMEOUT,
        show_default=True,
        metavar="S",
        help=f"Seconds for {who} to answer any message but a turn.",
    )


def turn_timeout_option(who: str) -> Decorator:
    """Return ``--turn-timeout``, which is ``None`` if not given; ``who`` thinks."""
    return click.option(
        "--turn-timeout",
        type=Seconds(),
        metavar="S",
        help=f"Seconds for {who} to think in one turn, in total.  [default: {TURN_TIMEOUT}]",
    )


def sandbox_option(default: str | None, text: str) -> Decorator:
    """Return ``--sandbox``, which is ``default`` if not given."""
    return click.option(
        "--sandbox",
        type=click.Choice(["auto", "bwrap", "uid", "none"]),
        default=default,
        show_default=default is not None,
        help=text,
    )


LIMIT_OPTIONS: tuple[Decorator, ...] = (
    click.option(
        "--memory",
        default="1 GiB",
        show_default=True,
        help="Memory limit of all the player's processes together.",
    ),
    click.option(
        "--processor",
        type=click.IntRange(1),
        default=60,
        show_default=True,
        metavar="S",
        help="Processor seconds that the player may use each time it is started.",
    ),
    click.option(
        "--processes",
        type=click.IntRange(1),
        default=64,
        show_default=True,
        metavar="N",
        help="Processes that the player may run at once.",
    ),
    click.option(
        "--file-size",
        default="16 MiB",
        show_default=True,
        help="Size limit of each file that the player writes, and of its output.",
    ),
)
"""The limits of a player that a command starts."""


json_lines_option: Decorator = click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Write JSON lines to standard output, and messages for people to standard error.",
)

WEB_NAMES = "acquire.web_names"


def _keep_web_names(ctx: click.Context, _: click.Parameter, names: tuple[str, ...]) -> None:
    ctx.meta[WEB_NAMES] = names


def web_names() -> tuple[str, ...]:
    """Return the names of ``--web-host``."""
    names: tuple[str, ...] = click.get_current_context().meta[WEB_NAMES]
    return names


def web_option(command: Any) -> Any:
    """Add ``--web``, and ``--web-host``, which :func:`pages` finds by itself."""
    for option in (
        click.option(
            "--web-host",
            multiple=True,
            metavar="NAME",
            expose_value=False,
            callback=_keep_web_names,
            help="Another name under which browsers find the pages; they answer to every address "
            "and to the names that this machine knows of itself. Can be given again.",
        ),
        click.option(
            "--web",
            type=PORT,
            metavar="PORT",
            help="Serve pages for spectators on this port of the host; 0 takes a free one.",
        ),
    ):
        command = option(command)
    return command


@contextmanager
def pages(
    host: str, web: int | None, program: Sequence[str] = ("acquire.admin.pages.web",)
) -> "Iterator[Pages | None]":
    """Serve pages for spectators if ``--web`` was given, and print their address.

    ``program`` is that of :func:`acquire.admin.pages.web.serving.served`.
    """
    if web is None:
        yield None
        return
    refuse_on_windows(
        "Showing live pages", "Here, `acquire replay LOG --html` makes a page of a game."
    )
    from ..pages.web.serving import CannotShow, served

    try:
        with served(host, web, web_names(), program) as found:
            click.echo(f"Spectators: {found.address}", err=True)
            yield found
    except CannotShow as error:
        refuse(str(error))
