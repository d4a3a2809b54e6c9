"""``acquire replay``: read a match log again."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from admin.cli.console import refuse
from admin.cli.log_file import read_log
from admin.cli.whatif_options import is_played_on, whatif_options

if TYPE_CHECKING:
    from admin.log.reader import RecordedMatch
    from admin.log.verifier import Verification


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
    help="Draw the board into this file: the last position, or that of --turn.",
)
@click.option(
    "--html",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a page that shows the match step by step: one file, for any browser.",
)
@click.option(
    "--turn", type=click.IntRange(0), metavar="N", help="Show this turn; 0 is the set-up."
)
@click.option("--step", "stepping", is_flag=True, help="Step through the match by keys.")
@whatif_options
def replay(
    log: Path,
    verify: bool,
    svg: Path | None,
    html: Path | None,
    turn: int | None,
    stepping: bool,
    **whatif: Any,
) -> None:
    """Read a match log again.

    The match is played again from the bag and the answers in the log. Without an option the last
    position and the standings are shown. With --verify one line says whether every recorded fact
    holds. Of a log that was cut short, as by a killed server, as much is read as is there.

    --html writes a page for a browser; --turn shows one turn here, --step leads through all of them
    by keys.

    With --from the match is played on from a turn, many times: what the player in the seat could
    not know is dealt anew, somebody else moves, and the scores are shown beside the real one. The
    same game has the same deal for everybody who is given.

    \b
        acquire replay match.xml --html match.html
        acquire replay match.xml --turn 37 --svg turn-37.svg
        acquire replay match.xml --from 57 --seat alice=investor --seat alice=recorded
        acquire replay match.xml --from 57 --seat "alice=python3 player.py {host} {port} {name}"

    Exit codes: 0 all holds, or all was played; 1 the log diverges from the rules, and the first
    divergence is shown, or a COMMAND's player did not come; 2 the file cannot be read as a match
    log, or what is asked for cannot be; 130 and 143 stopped by SIGINT and SIGTERM, after what was
    played by then was shown.
    """
    if is_played_on(click.get_current_context()):
        from admin.cli.whatif import play_on

        play_on(log, whatif)
    record = read_log(log)
    shown: Verification | None = None
    if html is not None:
        shown = _write_page(html, record)
    if turn is not None or stepping or svg is not None:
        shown = _show_turns(log, record, turn, svg, stepping=stepping)
    if shown is not None:
        _say_what_is_missing(log, record, shown)
    if verify or shown is None:
        _verify(log, record, tell=verify)


def _say(text: str) -> None:
    """Say a line in which names, or bytes of a file, may be."""
    from admin.view.plain_text import printable
    from admin.view.sentences import shortened

    click.echo(printable(shortened(text)))


def _write(path: Path, text: str, what: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        refuse(f"{path}: {error.strerror}.")
    _say(f"{what} in {path}.")


def _write_page(html: Path, record: "RecordedMatch") -> "Verification":
    from admin.view.replay_page import page_and_verdict

    text, verdict = page_and_verdict(record)
    _write(html, text, "The match can be seen step by step")
    return verdict


def _show_turns(
    log: Path, record: "RecordedMatch", turn: int | None, svg: Path | None, *, stepping: bool
) -> "Verification":
    """Show a turn, draw its position, or step through all of them, as far as the log holds."""
    from admin.cli.safe_console import SafeConsole
    from admin.view.board_svg import board_svg
    from admin.view.pager import NoKeys, key_reader, step
    from admin.view.sentences import missing
    from admin.view.turn_text import count_turns, draw_turn, turns_of

    turns, verdict = turns_of(record)
    place = next((at for at, each in enumerate(turns) if each.number == turn), None)
    if turn is not None and place is None:
        why = missing(record, verdict)
        refuse(f"{log} has turns 0 to {turns[-1].number}, not {turn}. {why}".rstrip())
    chosen = turns[-1 if place is None else place]
    if svg is not None:
        which = "last position" if place is None else f"position of turn {turn}"
        _write(svg, board_svg(chosen.state), f"The {which} is drawn")
    console = SafeConsole()
    if stepping:
        try:
            if not console.is_terminal or not sys.stdin.isatty():
                raise NoKeys("Stepping needs a terminal. Give --turn N for one turn.")
            step(console, turns, place or 0, key_reader())
        except NoKeys as error:
            refuse(str(error))
    elif turn is not None and svg is None:
        console.print(draw_turn(chosen, count_turns(turns)))
    return verdict


def _say_what_is_missing(log: Path, record: "RecordedMatch", verdict: "Verification") -> None:
    """Say how far the log goes, where that is not to the end; exit where it diverges."""
    from admin.view.sentences import missing

    if verdict.divergence is not None:
        _say(f"{log}: diverges: {verdict.divergence}")
        sys.exit(1)
    if what := missing(record, verdict):
        _say(f"{log}: {what}")


def _verify(log: Path, record: "RecordedMatch", *, tell: bool) -> None:
    """Say whether every recorded fact holds, or show the end of the match."""
    from admin.cli.safe_console import SafeConsole
    from admin.log.verifier import Verifier
    from admin.view.outcome_text import show_end
    from game.turn import Ending

    verifier = Verifier(record)
    verdict = verifier.verify()
    if not tell and verdict.divergence is None:
        show_end(SafeConsole(), verifier.state, verifier.outcome, ejections=True)
    if verdict.divergence is not None or not (tell or record.complete):
        _say_what_is_missing(log, record, verdict)
    if not tell:
        return
    state = "to its end"
    if not record.complete:
        state = "so far; the log was cut short"
    elif verdict.ending is Ending.INTERRUPTED:
        state = "until it was interrupted"
    _say(f"{log}: all {verdict.facts} facts of {verdict.turns} turns hold, {state}.")
