"""``acquire replay``: read a match log again."""

import sys
from pathlib import Path

import click


@click.command(short_help="Read a match log: verify it, or show its last position.")
@click.argument("log", type=click.Path(path_type=Path))
@click.option(
    "--verify",
    is_flag=True,
    help="Play the match again from its bag and answers, and compare every recorded fact.",
)
def replay(log: Path, verify: bool) -> None:
    """Read a match log again.

    Without an option the last position and the standings are shown. With --verify every recorded
    fact is compared with what the rules make of the bag and the answers: exit code 0 and one line
    when all holds, 1 with the first divergence, 2 when the file cannot be read as a match log.
    """
    from admin.record import UnreadableLog, read
    from admin.replay import Verifier

    try:
        record = read(log)
    except UnreadableLog as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
    verdict = Verifier(record).verify()
    if verdict.divergence is not None:
        click.echo(f"{log}: diverges: {verdict.divergence}")
        sys.exit(1)
    state = "to its end" if record.complete else "so far; it was cut short"
    if verify:
        click.echo(f"{log}: all {verdict.facts} facts of {verdict.turns} turns hold {state}.")
