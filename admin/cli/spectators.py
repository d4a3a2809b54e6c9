"""The pages of ``--web``."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

from ..pages.web.serving import PROGRAM, CannotShow, Pages, served
from .console import refuse, refuse_on_windows
from .options import WebOptions


@contextmanager
def pages(
    host: str, options: WebOptions, program: Sequence[str] = (PROGRAM,)
) -> Iterator[Pages | None]:
    """Serve pages for spectators if ``--web`` was given, and print their address.

    ``program`` is that of :func:`acquire.admin.pages.web.serving.served`.
    """
    if options.web is None:
        yield None
        return
    refuse_on_windows(
        "Showing live pages", "Here, `acquire replay LOG --html` makes a page of a game."
    )
    try:
        with served(host, options.web, options.web_host, program) as found:
            click.echo(f"Spectators: {found.address}", err=True)
            yield found
    except CannotShow as error:
        refuse(str(error))
