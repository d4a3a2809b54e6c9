"""``acquire replay``: read a match log again."""

import sys
from pathlib import Path
from typing import Any

import click

from admin.whatif.options import is_played_on, whatif_options


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
@whatif_options
def replay(log: Path, verify: bool, svg: Path | None, **whatif: Any) -> None:
    """Read a match log again.

    The match is played again from the bag and the answers in the log. Without an option the last
    position and the standings are shown. With --verify one line says whether every recorded fact
    holds. Of a log that was cut short, as by a killed server, as much is read as is there.

    With --from the match is played on from a turn, many times: what the player in the seat could
    not know is dealt anew, somebody else moves, and the scores are shown beside the real one. The
    same game has the same deal for everybody who is given.

    \b
        acquire replay match.xml --from 57 --seat alice=investor --seat alice=recorded
        acquire replay match.xml --from 57 --seat "alice=python3 player.py {host} {port} {name}"

    Exit codes: 0 all holds, or all was played; 1 the log diverges from the rules, and the first
    divergence is shown, or a COMMAND's player did not come; 2 the file cannot be read as a match
    log, or what is asked for cannot be; 130 and 143 stopped by SIGINT and SIGTERM, after what was
    played by then was shown.
    """
    if is_played_on(click.get_current_context()):
        from admin.whatif.command import play_on

        play_on(log, whatif)
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
