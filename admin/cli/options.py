"""Options that several commands share, and the error of those that cannot begin."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from admin.match.plugins import STRATEGIES, plugins

if TYPE_CHECKING:
    from admin.web.serving import Pages


class CannotBegin(click.ClickException):
    """What was asked for cannot be begun: a few lines, and exit code 2."""

    exit_code = 2


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
            self.fail(f"{value!r} is no rulebook. There are: {', '.join(RULEBOOKS)}.", param, ctx)
        return str(value)


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


web_option = click.option(
    "--web",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Serve pages for spectators at this port of the host; 0 takes a free one.",
)


@contextmanager
def pages(host: str, web: int | None) -> "Iterator[Pages | None]":
    """Serve pages for spectators, if they are wanted, and say where."""
    if web is None:
        yield None
        return
    from admin.web.serving import CannotShow, served

    try:
        with served(host, web) as found:
            click.echo(f"Spectators: {found.address}", err=True)
            yield found
    except CannotShow as error:
        raise CannotBegin(str(error)) from error
