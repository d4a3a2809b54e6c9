"""``acquire replay``: read a match log again."""

import sys
from pathlib import Path

import click


@click.command(short_help="Read a match log: verify it, show or draw its last position.")
@click.argument("log", type=click.Path(path_type=Path))
@click.option(
    "--verify",
    is_flag=True,
    help="Compare every recorded fact with what the rules make of the bag and the answers.",
)
@click.option(
    "--svg",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Draw the board of the last position into this file.",
)
def replay(log: Path, verify: bool, svg: Path | None) -> None:
    """Read a match log again.

    The match is played again from the bag and the answers in the log. Without an option the last
    position and the standings are shown. With --verify one line says whether every recorded fact
    holds. Of a log that was cut short, as by a killed server, as much is read as is there.

    Exit codes: 0 all holds; 1 the log diverges from the rules, and the first divergence is shown;
    2 the file cannot be read as a match log.
    """
    from admin.record import UnreadableLog, read
    from admin.replay import Verifier
    from game.turn import Ending

    try:
        record = read(log)
    except UnreadableLog as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
    verifier = Verifier(record)
    verdict = verifier.verify()
    if verdict.divergence is not None:
        click.echo(f"{log}: diverges: {verdict.divergence}")
        sys.exit(1)
    if svg is not None:
        from admin.picture import board_svg

        try:
            svg.write_text(board_svg(verifier.state), encoding="utf-8")
        except OSError as error:
            click.echo(f"Error: {svg}: {error.strerror}.", err=True)
            sys.exit(2)
        click.echo(f"The last position is drawn in {svg}.")
    if verify:
        state = "to its end"
        if not record.complete:
            state = "so far; the log was cut short"
        elif verdict.ending is Ending.INTERRUPTED:
            state = "until it was interrupted"
        click.echo(f"{log}: all {verdict.facts} facts of {verdict.turns} turns hold, {state}.")
    elif svg is None:
        from admin.progress import Outlet, show_end

        show_end(Outlet(), verifier.state, verifier.outcome, ejections=True)
