"""Shows, audits, reports and copies the results in a tournament's store."""

import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NoReturn

import click
from rich.console import Console
from rich.text import Text

from ...protocol.files import bytes_of, replace_private_file
from ...protocol.user_error import UserError
from ..refereeing.log.reader import is_compressed_log
from ..refereeing.table.run import cores, run_until_stopped, signal_noted
from ..refereeing.view.plain_text import plural, printable
from ..tournament.auditing.audit import Advance, audit_report, audit_store
from ..tournament.auditing.findings import Audit, AuditError
from ..tournament.auditing.report_folder import ReportFolder
from ..tournament.planning.plan_file import Grading, read_grading, read_plan
from ..tournament.reporting.game_page import GamePages
from ..tournament.reporting.grades import canvas_csv, grade_rows, grades_csv
from ..tournament.reporting.minimal_matches import LossCutter, MinimalMatch
from ..tournament.reporting.public_edition import aliased_facts, aliases_of, public_copy
from ..tournament.reporting.report_content import ReportContent, content_of
from ..tournament.reporting.report_files import ReportWriter, write_logs, write_report
from ..tournament.run.tournament_files import back_up
from ..tournament.standings.terminal_tables import show_game, show_games_of, show_summary
from ..tournament.store.row_chain import is_public_key
from ..tournament.store.secret_file import TournamentSecret, read_secret
from ..tournament.store.store import Store
from ..tournament.store.store_reader import StoreError, journal_of
from .console import echo_json, exit_after, refuse, unwritable_refused
from .safe_console import Bar, SafeConsole
from .tournament import AuditOptions, BackupOptions, LogsOptions, ReportOptions, ShowOptions

TOLD_EVERY = 30.0  # seconds between two lines about the progress where there is no terminal
MAX_SHOWN = 200  # findings of one check that are printed; --json has all


def show(options: ShowOptions) -> None:
    """Print the standings, one game, or the games of one player."""
    with Store.open_to_read(options.path) as opened, opened.snapshot():
        for found in opened.verify_chain():
            click.echo(
                f"Warning: {opened.path} was changed by another program than `acquire tournament "
                f"run`: {printable(found)} `acquire tournament audit` names every contradiction.",
                err=True,
            )
            break
        if options.game is not None:
            _show_game(opened, options.game, options.as_json)
        elif options.player is not None:
            _show_player(opened, options.player, options.as_json)
        else:
            _show_summary(opened, options.as_json)


def _show_game(store: Store, game: str, as_json: bool) -> None:
    result = next((found for _, found in store.all_results() if found.game == game), None)
    if result is None:
        _refuse_game(game)
    if as_json:
        echo_json(result)
    else:
        show_game(SafeConsole(), result, store.outputs(game), store.alarms(game))


def _show_player(store: Store, player: str, as_json: bool) -> None:
    content = content_of(store)
    names = content.facts.names
    if player not in names:
        refuse(f"There is no player {player!r}. Choose one of {', '.join(names)}.")
    results = [result for result in content.results if player in result.players]
    if as_json:
        for result in results:
            echo_json(result, None)
    else:
        show_games_of(SafeConsole(), player, results, content.history.get(player, []))


def _show_summary(store: Store, as_json: bool) -> None:
    content = content_of(store)
    facts, summary, archived = content.facts, content.summary, content.archived
    lost = content.given_up
    if as_json:
        known = {"name": facts.name, "total": facts.total, "left_out": facts.left_out}
        counts = {"archived": archived, "given_up": lost}
        echo_json({**known, **counts, **summary._asdict()})
        return
    console = SafeConsole()
    show_summary(console, summary, facts.total, content.voids, content.alarms, archived, lost)
    if facts.left_out:
        names = ", ".join(printable(name) for name in facts.left_out)
        click.echo(f"Left out: {names}. `acquire tournament check` says why.")
    if any(row.lost for row in summary.rows):
        click.echo("Why a player lost games: --player NAME lists them, --game ID shows one.")


def audit(options: AuditOptions) -> None:
    """Audit a tournament or a report, and exit with 1 if something does not hold."""
    file = options.file
    console = SafeConsole(stderr=options.as_json)
    pinned, workers = _key(options.key), options.workers or cores()
    if file.is_dir() or file.suffix == ".html":
        folder = ReportFolder(file if file.is_dir() else file.parent)
        with progress(console, "rows and pages audited") as advance:
            found = audit_report(folder, pinned, advance, workers)
    else:
        with Store.open_to_read(options.path) as opened, progress(console) as advance:
            secret = None
            with suppress(StoreError):  # then the audit says what it could not check
                secret = read_secret(opened)
            found, _ = audit_store(opened, secret, advance, workers, key=pinned)
    if options.as_json:
        echo_json(found.fields())
    else:
        _show_audit(console, found)
    sys.exit(1 if found.contradicted else 2 if found.open else 0)


@contextmanager
def progress(console: Console, what: str = "rows audited") -> Iterator[Advance]:
    """Show a bar while rows or pages are audited or written; without a terminal, a line at times.

    A signal to stop is heeded after the next one: nothing is broken off in the middle.
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
    nothing = audit.open or f"No contradiction was found{part}."
    line("The results are contradicted." if audit.contradicted else nothing)


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


# -- reports ------------------------------------------------------------------------------------


def report(options: ReportOptions) -> None:
    """Write a report, after an audit."""
    file, public = options.file, options.public
    folder = options.to or _folder(file, "-public" if public else "")
    with (
        unwritable_refused(folder),
        Store.open_to_read(options.path) as opened,
        opened.snapshot(),
        ReportWriter(folder) as writer,
    ):
        grading = read_grading(file) if file.exists() and not public else None
        _write_report(opened, writer, options, grading)


def _write_report(
    store: Store, writer: ReportWriter, options: ReportOptions, grading: Grading | None
) -> None:
    """Audit a store, and write its report."""
    file, logs, public = options.file, options.logs, options.public
    console, secret, unsigned = SafeConsole(stderr=True), None, ""
    workers = options.workers or cores()
    try:
        secret = read_secret(store)
    except StoreError as error:
        if public:
            raise
        unsigned = f"The report is not signed: {error}"
    try:
        with progress(console) as advance:
            on_page = writer.write if logs and not public else None
            audit, content = audit_store(
                store, secret, advance, workers, on_page=on_page, logs=logs
            )
    except AuditError as error:
        refuse(str(error), 1)
    if not audit.holds:
        lines = [f"  {sentence}" for check in audit.checks for sentence in check.findings]
        refuse("\n".join([f"{store.path} contradicts itself; nothing was written.", *lines]), 1)
    if public:
        assert secret is not None, "it was read"
        page = _write_public(store, writer, options, secret, workers, content.logs)
    else:
        found = _minimal_matches(options, store, content, workers)
        minimal = {each.loss.minimal: each.log for each in found}
        signing = None if secret is None else secret.signing_key()
        with progress(console, "pages written") as advance:
            page = write_report(writer, store, content, signing, advance, minimal)
        for each in found:
            turns = plural(each.turns, "turn")
            title = f"{each.cause.verdict.value} {each.cause.title}".strip()
            click.echo(f"{printable(each.loss.seat.player)}: {printable(title)}, in {turns}:")
            click.echo(f"    {each.command(writer.folder)}")
        if grading is not None:
            facts = content.facts
            kinds = dict(facts.players)
            rows = grade_rows(grading, content.summary, kinds, content.results, facts.left_out)
            _write_private(file, "grades.csv", grades_csv(rows))
            _write_private(file, "grades-canvas.csv", canvas_csv(facts.name, rows))
            if (played := content.summary.games) < facts.total:
                done = f"{played} of {plural(facts.total, 'game')} have been played"
                click.echo(f"Warning: {done}. These grades are provisional.", err=True)
    if unsigned:
        click.echo(unsigned, err=True)
    click.echo(f"Wrote {page}")
    if content.games and not content.logs:
        click.echo(
            "It has no logs, so nobody can recompute its results; without --no-logs, all can."
        )
    elif secret is not None:
        command = f"acquire tournament audit {shlex.quote(str(writer.folder))} --key {audit.key}"
        click.echo(f"Everybody can check it: {command}")


def _minimal_matches(
    options: ReportOptions, store: Store, content: ReportContent, workers: int
) -> Sequence[MinimalMatch]:
    """Cut a loss of each kind, if that is wanted and the tournament file is there."""
    if not (
        options.shrink and options.logs and options.file.suffix == ".toml" and options.file.exists()
    ):
        return ()
    try:
        losses = LossCutter(content, read_plan(options.file), store)
        with Bar(SafeConsole(stderr=True), 0, "losses cut") as bar:
            cut = partial(losses.cut, options.shrink, workers, bar.advance)
            stopped_by = run_until_stopped(cut)
    except UserError as error:
        click.echo(f"No loss was cut. {error}", err=True)
        return ()
    if stopped_by is not None:
        exit_after(stopped_by)
    return losses.found


def _write_public(
    store: Store,
    writer: ReportWriter,
    options: ReportOptions,
    secret: TournamentSecret,
    workers: int,
    logs: bool,
) -> Path:
    """Write the report with aliases, and whose they are into a private file."""
    aliases, key = aliases_of(store, secret), secret.signing_key()
    pages = GamePages(aliased_facts(store, aliases), writer.write)
    with TemporaryDirectory() as temporary:  # only its owner can read it
        path = Path(temporary) / "public.sqlite"
        with progress(SafeConsole(stderr=True)) as advance:
            copy = public_copy(store, aliases, key, path, advance, pages if logs else None, workers)
        with copy, progress(SafeConsole(stderr=True), "pages written") as advance:
            content = replace(content_of(copy), signed=True, logs=logs, stories=pages.stories)
            page = write_report(writer, copy, content, key, advance)
    _write_private(options.file, "aliases.csv", aliases.csv())
    return page


def _write_private(file: Path, name: str, text: str) -> None:
    """Write a file that only its owner can read, and print where it is."""
    path = _folder(file, "-private") / name
    with unwritable_refused(path):
        path.parent.mkdir(mode=0o700, exist_ok=True)
        if not path.parent.is_symlink():  # which may lead to a folder that others need
            path.parent.chmod(0o700)
        replace_private_file(path, text.encode(errors="replace"))
    click.echo(f"Wrote {path}, for you alone")


def logs(options: LogsOptions) -> None:
    """Write the logs of some games, or of all."""
    to, games = options.to or _folder(options.file) / "logs", options.games
    with Store.open_to_read(options.path) as opened:
        if missing := sorted(set(games) - opened.finished()):
            _refuse_game(missing[0])
        with unwritable_refused(to):
            voids = opened.void_logs() if options.voids else ()
            found = chain(opened.logs(games or None), voids)
            count = write_logs(to, _readable(opened, found))
    command = f"acquire replay {shlex.quote(str(to))}/GAME.xml.gz"
    click.echo(f"Wrote {plural(count, 'log')}. To read one: {command}")


def _readable(store: Store, logs: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
    """Yield logs; ``StoreError`` names one that is not compressed as it should be."""
    for game, log in logs:
        if log and not is_compressed_log(log):
            raise StoreError(
                f"{store.path}: the log of game {game} is damaged, or larger than any log. Restore "
                "the file from a copy."
            )
        yield game, log


def backup(options: BackupOptions) -> None:
    """Copy a tournament, also while it is played, and say how to go on from the copy."""
    file, target = options.file, options.target
    with unwritable_refused(target, "Name another folder.", 1):
        if target.exists():
            refuse(f"{target} exists already. Name a folder that does not.")
        done = back_up(file, options.path, target)
    beside = f"{plural(done.files, 'file')}, {plural(done.folders, 'folder')} of players"
    click.echo(f"Wrote {target}: the store with {plural(done.rows, 'row')}, its secret, {beside}.")
    for path in done.left:
        click.echo(f"Not copied, as it lies elsewhere or cannot be read: {printable(path)}")
    if done.made_again:
        again = ", ".join(map(printable, done.made_again))
        click.echo(f"Not copied, as `report` and `run` make it again from the store: {again}")
    command = f"acquire tournament run {shlex.quote(str(target / file.name))}"
    click.echo("It has the secret of the tournament: keep it to yourself.")
    click.echo(f"To go on from the copy where it is: {command}")
    first = f"stop the run, and remove {journal_of(options.path)} if a killed run has left it"
    back = file.absolute().parent
    click.echo(f"To restore: {first}; then copy all that is in {target} back to {back}.")


def _refuse_game(game: str) -> NoReturn:
    refuse(f"There is no game {game} in the store. Ids look like d1-t3-s2.")


def _folder(file: Path, suffix: str = "") -> Path:
    folder = file.with_name(f"{file.stem}{suffix}")
    return folder if folder != file else file.with_name(f"{file.name}-report")
