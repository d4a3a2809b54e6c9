"""Counts for ``acquire coverage`` what recorded games have exercised."""

import sys

import click

from ..advising.coverage.coverage import Coverage
from ..refereeing.log.verifier import Verifier
from ..refereeing.play.events import Event
from .console import echo_json
from .coverage import CoverageOptions
from .log_file import read_log
from .safe_console import SafeConsole


def run(options: CoverageOptions) -> None:
    """Count, and exit with 1 if a log diverges."""
    found = Coverage()
    diverged = {}
    for path in options.logs:
        record = read_log(path)
        game: list[Event] = []
        divergence = Verifier(record, game.append).verify().divergence
        found.add(record.header.rulebook, len(record.header.seats), game)
        if divergence is not None:
            diverged[str(path)] = divergence
    if options.as_json:
        echo_json(found.fields() | {"diverged": diverged})
    else:
        SafeConsole().print(found.draw())
    for name, divergence in diverged.items():
        click.echo(f"{name} diverges, and is counted as far as it holds: {divergence}", err=True)
    sys.exit(1 if diverged else 0)
