"""Audits a tournament, and names programs that are alike: ``acquire tournament audit, similar``."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from ...protocol.settings_file import bytes_of
from ..launching.launch import Launcher
from ..launching.program import Program
from ..refereeing.table.run import run_until_stopped, signal_noted
from ..refereeing.view.plain_text import plural, printable
from ..tournament.arena.player_files import launch_each
from ..tournament.auditing import similar_programs as alike
from ..tournament.auditing.audit import Advance, audit_report, audit_store
from ..tournament.auditing.findings import Audit
from ..tournament.auditing.report_folder import ReportFolder
from ..tournament.planning.plan import Entrant
from ..tournament.planning.plan_file import read_plan
from ..tournament.store.row_chain import is_public_key
from ..tournament.store.secret_file import read_secret
from ..tournament.store.store import Store
from ..tournament.store.store_reader import StoreError
from .console import echo_json, exit_after
from .safe_console import Bar, SafeConsole
from .tournament import AuditOptions, ReportOptions, SimilarOptions

TOLD_EVERY = 30.0
"""Seconds between two lines about the progress where there is no terminal."""
MAX_SHOWN = 200
"""Findings of one check that are printed; --json has all."""


def audit(options: AuditOptions) -> None:
    """Audit a tournament or a report, and exit with 1 if something does not hold."""
    file = options.file
    console = SafeConsole(stderr=options.as_json)
    pinned, workers = _key(options.key), workers_of(options)
    if file.is_dir() or file.suffix == ".html":
        folder = ReportFolder(file if file.is_dir() else file.parent)
        with progress(console, "rows and pages audited") as advance:
            found = audit_report(folder, pinned, advance, workers)
    else:
        found = _audit_store(options.path, pinned, console, workers)
    if options.as_json:
        echo_json(found.fields())
    else:
        _show_audit(console, found)
    sys.exit(0 if found.holds else 1)


def workers_of(options: AuditOptions | ReportOptions | SimilarOptions) -> int:
    """Return how many processes verify logs, or programs are asked, at once."""
    return options.workers or os.cpu_count() or 1


def _audit_store(path: Path, key: str | None, console: Console, workers: int) -> Audit:
    """Audit a store with what is known beside it; ``AuditError`` or ``StoreError``."""
    with Store.open_to_read(path) as opened, progress(console) as advance:
        secret = None
        with suppress(StoreError):  # then the audit says what it could not check
            secret = read_secret(opened)
        return audit_store(opened, secret, advance, workers, key=key)[0]


@contextmanager
def progress(console: Console, what: str = "rows audited") -> Iterator[Advance]:
    """Show a bar while rows or pages are audited or written; without a terminal, a line at times.

    The first SIGINT or SIGTERM is heeded after the next one: nothing is broken off in the middle.
    """
    with signal_noted() as stopped_by, Bar(console, 0, what) as bar:
        lines = 0

        def advance(done: int, total: int) -> None:
            nonlocal lines
            bar.advance(done, total)
            passed = bar.progress.tasks[0].elapsed or 0.0
            if not console.is_terminal and passed >= TOLD_EVERY * (lines + 1):
                lines += 1
                click.echo(f"{done} of {total} {what}", err=True)
            if stopped_by() is not None:
                exit_after(stopped_by())

        yield advance


def _show_audit(console: Console, audit: Audit) -> None:

    def line(*parts: str | tuple[str, str]) -> None:
        safe = [part if isinstance(part, tuple) else printable(part) for part in parts]
        console.print(Text.assemble(*safe), soft_wrap=True)

    line(f"Audit of {audit.what}")
    for check in audit.checks:
        mark = ("part", "yellow") if check.skipped else ("ok  ", "green")
        mark = ("FAIL", "bold red") if check.findings else mark
        line(mark, f"  {check.name}: {check.checked}")
        if check.skipped:
            line(("      not checked: ", "yellow"), check.skipped)
    if found := sum(len(check.findings) for check in audit.checks):
        line(f"Found {plural(found, 'contradiction')}:")
    for check in audit.checks:
        for sentence in check.findings[:MAX_SHOWN]:
            line(f"  {check.name}: {sentence}")
        if len(check.findings) > MAX_SHOWN:
            line(f"  {check.name}: {len(check.findings) - MAX_SHOWN} more; --json lists all.")
    line("Testimony of the referee, which no log proves:")
    for sentence in audit.testimony:
        line(f"  {sentence}")
    for commitment in audit.commitments:
        line(f"Commitment to the bags: {commitment}")
    line(f"Key of the results: {audit.key}")
    if not audit.pinned:
        line("Compare it with the one announced before the first game, or give that with --key.")
    part = " in what could be checked" if any(check.skipped for check in audit.checks) else ""
    line(f"No contradiction was found{part}." if audit.holds else "The results are contradicted.")


def _key(text: str | None) -> str | None:
    """Return the public key that was given, in hexadecimal digits."""
    if text is None:
        return None
    found = [text]
    with suppress(OSError, ValueError):
        found.append(bytes_of(Path(text)).decode(errors="replace"))
    for key in (each.strip().lower() for each in found):
        if is_public_key(key):
            return key
    raise click.BadParameter(
        "expected the 64 hexadecimal digits that `acquire tournament run` printed, or a file that "
        "contains them.",
        param_hint="'--key'",
    )


def similar(options: SimilarOptions) -> None:
    """Compare the programs of a tournament, and print the pairs that are alike."""
    answers: dict[str, alike.Answers] = {}
    failures: dict[str, str] = {}

    async def play(player: Entrant, program: Program, launcher: Launcher) -> None:
        answers[player.name] = await alike.answers_of(plan, program, launcher, games)

    def failed(player: Entrant, why: str, _output: bytes) -> None:
        failures[player.name] = why

    plan, games = read_plan(options.file), list[alike.Asked]()
    players = [player for player in plan.players if player.command is not None]
    if options.games and options.path.exists():
        with Store.open_to_read(options.path) as store:
            games = alike.games_to_ask(store, options.games)
    positions = plural(sum(len(turns) for _, _, turns in games), "position")
    click.echo(f"{plural(len(players), 'program')}, asked in {positions}.", err=True)
    plays = [(player, partial(play, player)) for player in players]
    ask = partial(launch_each, plan, options.path, plays, workers_of(options), failed)
    if games and (stopped_by := run_until_stopped(ask)) is not None:
        exit_after(stopped_by)
    sources, starters = alike.sources_of(plan.folder, players), alike.fingerprints(alike.STARTERS)
    found = alike.likenesses(sources, starters, answers, alike.known_answers(games))
    if options.as_json:
        pairs = [{**each._asdict(), "alike": each.alike} for each in found]
        echo_json({"pairs": pairs, "not_asked": failures})
        return
    for each in (named := [each for each in found if each.alike]):
        line = f"{' and '.join(each.players)}: {each.part:.0%} of the smaller source in common"
        if each.positions:
            line += f"; the same answer in {each.agreed} of {each.positions} positions"
            line += f", {each.expected:.0f} expected, by chance {each.chance:.0e}"
        click.echo(printable(line))
    verdict = "Each is a reason for a conversation, never a verdict."
    click.echo(verdict if named else "None are alike.")
