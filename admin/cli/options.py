"""Options that several commands share."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from admin.cli.console import refuse
from admin.match.dealer import SEEDS
from admin.match.plugins import STRATEGIES, plugins
from admin.table.clocks import REPLY_TIMEOUT, TURN_TIMEOUT

if TYPE_CHECKING:
    from admin.web.serving import Pages

Decorator: TypeAlias = Callable[[Any], Any]

LOCALHOST = "127.0.0.1"
PORT = click.IntRange(0, 65535)


def rulebook_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Complete the name of a rulebook on the command line."""
    from game.rulebooks import RULEBOOKS

    return [name for name in RULEBOOKS if name.startswith(incomplete)]


class RulebookName(click.ParamType[str]):
    """The id of a rulebook."""

    name = "id"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Check that there is such a rulebook."""
        from game.rulebooks import RULEBOOKS

        if value not in RULEBOOKS:
            known = ", ".join(RULEBOOKS)
            self.fail(f"{value!r} is not a rulebook. Choose one of {known}.", param, ctx)
        return str(value)


class StrategyName(click.ParamType[str]):
    """The name of an installed strategy, which a built-in player plays."""

    name = "strategy"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Check that the strategy is installed."""
        known = plugins(STRATEGIES)
        if value not in known:
            names = ", ".join(known)
            self.fail(f"{value!r} is not a strategy. Choose one of {names}.", param, ctx)
        return str(value)


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
    "rulebook_id",
    type=RulebookName(),
    default="revised",
    show_default=True,
    shell_complete=rulebook_names,
    help="Rulebook to play by; `acquire rulebooks` compares them.",
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


LIMIT_OPTIONS: tuple[Decorator, ...] = (
    click.option(
        "--memory", default="1 GiB", show_default=True, help="Memory limit of each process."
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

web_option: Decorator = click.option(
    "--web",
    type=PORT,
    metavar="PORT",
    help="Serve pages for spectators on this port of the host; 0 takes a free one.",
)


@contextmanager
def pages(host: str, web: int | None) -> "Iterator[Pages | None]":
    """Serve pages for spectators if ``--web`` was given, and print their address."""
    if web is None:
        yield None
        return
    from admin.web.serving import CannotShow, served

    try:
        with served(host, web) as found:
            click.echo(f"Spectators: {found.address}", err=True)
            yield found
    except CannotShow as error:
        refuse(str(error))
