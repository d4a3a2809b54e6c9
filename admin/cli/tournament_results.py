"""``acquire tournament show``, ``report`` and ``logs``: results from a tournament's store."""

import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from ..refereeing.view.plain_text import json_text
from .console import refuse
from .tournament_store import JSON, STORE, errors_refused, store_path

if TYPE_CHECKING:
    from ..tournament.games.result import GameResult
    from ..tournament.planning.plan_file import Grading
    from ..tournament.standings.summary import Summary
    from ..tournament.store.secret_file import TournamentSecret
    from ..tournament.store.store import Store

FILE = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))


@click.command(short_help="Print the standings, also during the run.")
@FILE
@STORE
@click.option("--game", metavar="ID", help="Show one game instead, such as d1-t3-s2.")
@click.option("--player", metavar="NAME", help="List the games of one player instead.")
@JSON
def show(
    file: Path, store: Path | None, game: str | None, player: str | None, as_json: bool
) -> None:
    """Print the standings and all other tables, also while the tournament runs."""
    from ..tournament.store.store import Store

    with errors_refused(), Store.open_to_read(store_path(file, store)) as opened, opened.snapshot():
        _warn_of_changes(opened)
        if game is not None:
            _show_game(opened, game, as_json)
        elif player is not None:
            _show_player(opened, player, as_json)
        else:
            _show_summary(opened, as_json)


def _warn_of_changes(store: "Store") -> None:
    """Print the first row or fact that is not as it was stored, if there is one."""
    from ..refereeing.view.plain_text import printable

    for found in store.verify_chain():
        click.echo(
            f"Warning: {store.path} was changed by something else than `acquire tournament run`: "
            f"{printable(found)} `acquire tournament audit` names everything that does not hold.",
            err=True,
        )
        break


def _show_game(store: "Store", game: str, as_json: bool) -> None:
    from ..tournament.standings.terminal_tables import show_game
    from .safe_console import SafeConsole

    result = next((found for _, found in store.all_results() if found.game == game), None)
    if result is None:
        _refuse_game(game)
    if as_json:
        click.echo(json_text(result.fields(), indent=2))
    else:
        show_game(SafeConsole(), result, store.outputs(game), store.alarms(game))


def _show_player(store: "Store", player: str, as_json: bool) -> None:
    from ..tournament.standings.terminal_tables import show_games_of
    from ..tournament.standings.version_history import version_history
    from ..tournament.store.stored import stored_results
    from .safe_console import SafeConsole

    facts = _facts(store)
    names = [name for name, _ in facts["players"]]
    if player not in names:
        refuse(f"There is no player {player!r}. Choose one of {', '.join(names)}.")

    def has_player(result: "GameResult") -> bool:
        return player in [seat.player for seat in result.seats]

    results = [result for result in stored_results(store, facts) if has_player(result)]
    if as_json:
        for result in results:
            click.echo(json_text(result.fields()))
    else:
        entries, everything = store.entries(), [result for _, result in store.all_results()]
        versions = version_history(entries, everything, facts["points"]).get(player, [])
        show_games_of(SafeConsole(), player, results, versions)


def _show_summary(store: "Store", as_json: bool) -> None:
    from ..refereeing.view.plain_text import printable
    from ..tournament.standings.summary import summary_fields
    from ..tournament.standings.terminal_tables import show_summary
    from .safe_console import SafeConsole

    facts = _facts(store)
    summary = summarize_store(store)
    archived = sum(1 for _ in store.archived_results())
    if as_json:
        known = {name: facts[name] for name in ("name", "total", "left_out")}
        counts = {"archived": archived, "given_up": store.given_up()}
        text = {**known, **counts, **summary_fields(summary)}
        click.echo(json_text(text, indent=2))
        return
    total = facts["total"]
    console, lost = SafeConsole(), store.given_up()
    show_summary(console, summary, total, store.voids(), store.alarms(), archived, lost)
    if left_out := facts["left_out"]:
        names = ", ".join(printable(name) for name in left_out)
        click.echo(f"Left out: {names}. `acquire tournament check` says why.")
    if any(row.lost for row in summary.rows):
        click.echo("Why a player lost games: --player NAME lists them, --game ID shows one.")


@click.command(short_help="Write pages for everybody, tables, and all logs.")
@FILE
@STORE
@click.option(
    "--to",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder to write to; created if it is missing.  [default: FILE without .toml; with "
    "--public, -public follows]",
)
@click.option(
    "--logs/--no-logs", default=True, help="Whether to write all logs, and a page for each game."
)
@click.option(
    "--public",
    is_flag=True,
    help="Write aliases instead of the names of players, and nothing that programs have printed.",
)
def report(file: Path, store: Path | None, to: Path | None, logs: bool, public: bool) -> None:
    """Write the results for everybody: a site of pages, tables as CSV and JSON, and all logs.

    Begin with index.html; it opens from the disk. If the tournament file has a section [grades],
    grades.csv is written too, and with --public aliases.csv. They are not part of the report: they
    go into a folder beside the file that only you can read, course-private for course.toml.
    """
    from ..tournament.auditing.findings import AuditError
    from ..tournament.store.secret_file import read_secret
    from ..tournament.store.store import Store
    from ..tournament.store.store_format import StoreError
    from .safe_console import SafeConsole
    from .tournament_audit import audit_opened

    folder = to or _folder(file, "-public" if public else "")
    grading = None if public else _grading(file)
    secret = None
    with errors_refused(), Store.open_to_read(store_path(file, store)) as opened, opened.snapshot():
        _facts(opened)
        try:
            found = audit_opened(opened, None, SafeConsole(stderr=True))
        except AuditError as error:
            refuse(str(error), 1)
        if not found.holds:
            lines = [f"  {sentence}" for check in found.checks for sentence in check.findings]
            refuse("\n".join([f"{opened.path} does not hold; nothing was written.", *lines]), 1)
        try:
            secret = read_secret(opened)
        except StoreError as error:
            if public:
                raise
            click.echo(f"The report is not signed: {error}", err=True)
        if public:
            assert secret is not None, "it was read"
            page = _write_public(opened, file, folder, secret, logs=logs)
        else:
            page = _write_report(opened, folder, secret, logs=logs)
            _write_grades(opened, file, grading)
    click.echo(f"Wrote {page}")
    if secret is not None:
        command = f"acquire tournament audit {shlex.quote(str(folder))} --key {found.key}"
        click.echo(f"Everybody can check it: {command}")


def _write_report(
    store: "Store", folder: Path, secret: "TournamentSecret | None", *, logs: bool
) -> Path:
    from ..tournament.reporting.report_files import FolderTakenError, write_report
    from .safe_console import SafeConsole
    from .tournament_audit import progress

    key = None if secret is None else secret.signing_key()
    try:
        with progress(SafeConsole(stderr=True), "pages") as advance:
            return write_report(store, folder, key, logs=logs, advance=advance)
    except FolderTakenError as error:
        refuse(str(error))
    except OSError as error:
        refuse(f"{folder} cannot be written: {error.strerror}.")


def _write_public(
    store: "Store", file: Path, folder: Path, secret: "TournamentSecret", *, logs: bool
) -> Path:
    """Write the report with aliases, and whose they are into a private file."""
    from tempfile import TemporaryDirectory

    from ..tournament.reporting.public_edition import aliases_of, public_copy
    from .safe_console import SafeConsole
    from .tournament_audit import progress

    aliases = aliases_of(store, secret)
    with TemporaryDirectory() as temporary:  # only its owner can read it
        with progress(SafeConsole(stderr=True)) as advance:
            path = Path(temporary) / "public.sqlite"
            copy = public_copy(store, aliases, secret.signing_key(), path, advance)
        with copy:
            page = _write_report(copy, folder, secret, logs=logs)
    _write_private(file, "aliases.csv", aliases.csv())
    return page


def _grading(file: Path) -> "Grading | None":
    """Return how players are graded, ``None`` if the file says nothing of it or is not there."""
    from ...protocol.settings_file import InvalidFile
    from ..tournament.planning.plan_file import read_grading

    if not file.exists():
        return None
    try:
        return read_grading(file)
    except InvalidFile as error:
        refuse(str(error))


def _write_grades(store: "Store", file: Path, grading: "Grading | None") -> None:
    from ..tournament.reporting.grades import grades_csv

    if grading is not None:
        kinds = dict(_facts(store)["players"])
        text = grades_csv(grading, summarize_store(store), kinds)
        _write_private(file, "grades.csv", text)


def _write_private(file: Path, name: str, text: str) -> None:
    """Write a file that only its owner can read, and print where it is."""
    from ..tournament.reporting.private_file import write_private

    path = _folder(file, "-private") / name
    try:
        write_private(path, text)
    except OSError as error:
        refuse(f"{path} cannot be written: {error.strerror}.")
    click.echo(f"Wrote {path}, for you alone")


@click.command(short_help="Write the logs of some games, or of all.")
@FILE
@click.argument("games", nargs=-1)
@STORE
@click.option(
    "--to",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder to write to; created if it is missing.  [default: FILE without .toml/logs]",
)
@click.option("--voids", is_flag=True, help="Write the logs of void games as well.")
def logs(
    file: Path, games: tuple[str, ...], store: Path | None, to: Path | None, voids: bool
) -> None:
    """Write the logs of some GAMES, or of all, for `acquire replay`."""
    from ..refereeing.view.plain_text import plural
    from ..tournament.reporting.report_files import write_logs
    from ..tournament.store.store import Store

    to = to or _folder(file) / "logs"
    with errors_refused(), Store.open_to_read(store_path(file, store)) as opened:
        if missing := sorted(set(games) - opened.finished()):
            _refuse_game(missing[0])
        try:
            count = write_logs(to, _readable(opened, opened.logs(games or None)))
            if voids:
                count += write_logs(to, _readable(opened, opened.void_logs()))
        except OSError as error:
            refuse(f"{to} cannot be written: {error.strerror}.")
    command = f"acquire replay {shlex.quote(str(to))}/GAME.xml.gz"
    click.echo(f"Wrote {plural(count, 'log')} to {to}. Read one: {command}")


def _readable(store: "Store", logs: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
    """Yield logs; ``StoreError`` names one that is not compressed as it should be."""
    from ..refereeing.log.reader import is_compressed_log
    from ..tournament.store.store_format import StoreError

    for game, log in logs:
        if log and not is_compressed_log(log):
            raise StoreError(
                f"{store.path}: the log of game {game} is damaged, or larger than any log. Restore "
                "the file from a copy."
            )
        yield game, log


def _refuse_game(game: str) -> NoReturn:
    refuse(f"There is no game {game} in the store. Ids look like d1-t3-s2.")


def _folder(file: Path, suffix: str = "") -> Path:
    """Return the folder for the results, beside the tournament file."""
    folder = file.with_name(f"{file.stem}{suffix}")
    return folder if folder != file else file.with_name(f"{file.name}-report")


def _facts(store: "Store") -> dict[str, Any]:
    """Return what the store contains about the plan."""
    from ..tournament.store.stored import stored_facts

    return stored_facts(store)


def summarize_store(store: "Store") -> "Summary":
    """Return all tables of the games that count."""
    from ..tournament.standings.summarize import summarize
    from ..tournament.store.stored import stored_results

    facts = _facts(store)
    names = [name for name, _ in facts["players"]]
    by_rating = facts["format"] == "ladder"
    return summarize(names, stored_results(store, facts), facts["points"], by_rating=by_rating)
