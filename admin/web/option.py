"""``--web PORT``: the option of all commands whose matches can be watched, and its pages."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from admin.web.serving import Pages


class CannotServePages(click.ClickException):
    """The pages that were asked for cannot be served: one line, and exit code 2."""

    exit_code = 2


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
        raise CannotServePages(str(error)) from error
