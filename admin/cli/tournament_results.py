"""``acquire tournament show``, ``report`` and ``logs``: results from a tournament's store."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from admin.cli.console import refuse

if TYPE_CHECKING:
    from admin.tournament.results.result import GameResult
    from admin.tournament.results.store import Store
    from admin.tournament.results.summary import Summary

FILE = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
STORE = click.option(
    "--store",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File with all games.  [default: FILE with .sqlite instead of .toml]",
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")


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
    from admin.tournament.results.store import Store

    with errors_refused(), Store.open_to_read(store_path(file, store)) as opened:
        if game is not None:
            _show_game(opened, game, as_json)
        elif player is not None:
            _show_player(opened, player, as_json)
        else:
            _show_summary(opened, as_json)


def _show_game(store: "Store", game: str, as_json: bool) -> None:
    from admin.cli.safe_console import SafeConsole
    from admin.tournament.results.terminal_tables import show_game

    result = next((found for _, found in store.results() if found.game == game), None)
    if result is None:
        _refuse_game(game)
    if as_json:
        click.echo(json.dumps(result.fields(), ensure_ascii=False, indent=2))
    else:
        show_game(SafeConsole(), result, store.outputs(game))


def _show_player(store: "Store", player: str, as_json: bool) -> None:
    from admin.cli.safe_console import SafeConsole
    from admin.tournament.results.terminal_tables import show_games_of

    names = [name for name, _ in _facts(store)["players"]]
    if player not in names:
        refuse(f"There is no player {player!r}. Choose one of {', '.join(names)}.")

    def has_player(result: "GameResult") -> bool:
        return player in [seat.player for seat in result.seats]

    results = [result for _, result in store.results() if has_player(result)]
    if as_json:
        for result in results:
            click.echo(json.dumps(result.fields(), ensure_ascii=False))
    else:
        show_games_of(SafeConsole(), player, results)


def _show_summary(store: "Store", as_json: bool) -> None:
    from admin.cli.safe_console import SafeConsole
    from admin.tournament.results.summary_json import summary_fields
    from admin.tournament.results.terminal_tables import show_summary

    facts = _facts(store)
    summary = _summarize_store(store)
    if as_json:
        text = {"name": facts["name"], "total": facts["total"], **summary_fields(summary)}
        click.echo(json.dumps(text, ensure_ascii=False, indent=2))
        return
    show_summary(SafeConsole(), summary, facts["total"], store.voids())
    if any(row.lost for row in summary.rows):
        click.echo("Why a player lost games: --player NAME lists them, --game ID shows one.")


@click.command(short_help="Write a page for everybody, tables, and all logs.")
@FILE
@STORE
@click.option(
    "--to",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder to write to; created if it is missing.  [default: FILE without .toml]",
)
@click.option("--logs/--no-logs", default=True, help="Whether to write the logs of all games.")
def report(file: Path, store: Path | None, to: Path | None, logs: bool) -> None:
    """Write the results for everybody: report.html, tables as CSV and JSON, and all logs."""
    from admin.tournament.results.report_files import write_report
    from admin.tournament.results.store import Store

    folder = to or _folder(file)
    with errors_refused(), Store.open_to_read(store_path(file, store)) as opened:
        try:
            page = write_report(opened, _facts(opened), _summarize_store(opened), folder, logs=logs)
        except OSError as error:
            refuse(f"{folder} cannot be written: {error.strerror}.")
    click.echo(f"Wrote {page}")


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
    from admin.tournament.results.report_files import write_logs
    from admin.tournament.results.store import Store
    from admin.view.plain_text import plural

    to = to or _folder(file) / "logs"
    with errors_refused(), Store.open_to_read(store_path(file, store)) as opened:
        if missing := sorted(set(games) - opened.finished()):
            _refuse_game(missing[0])
        try:
            count = write_logs(to, opened.logs(games or None))
            if voids:
                count += write_logs(to, opened.void_logs())
        except OSError as error:
            refuse(f"{to} cannot be written: {error.strerror}.")
    click.echo(f"Wrote {plural(count, 'log')} to {to}. Read one: acquire replay {to}/GAME.xml.gz")


# -- shared with the other commands -------------------------------------------------------------


@contextmanager
def errors_refused() -> Iterator[None]:
    """Refuse, with the error's own sentence, if a tournament cannot be played or read."""
    try:
        yield
    except Exception as error:
        from admin.table.listeners import CannotListen
        from admin.tournament.playing.executors import CannotPlay
        from admin.tournament.results.store import StoreError

        if isinstance(error, CannotListen | CannotPlay | StoreError):
            refuse(str(error))
        raise


def _refuse_game(game: str) -> NoReturn:
    refuse(f"There is no game {game} in the store. Ids look like d1-t3-s2.")


def store_path(file: Path, store: Path | None) -> Path:
    """Return the path of a tournament's store."""
    return store or file.with_suffix(".sqlite")


def _folder(file: Path) -> Path:
    """Return the folder for the results, beside the tournament file."""
    folder = file.with_suffix("")
    return folder if folder != file else file.with_name(f"{file.name}-report")


def _facts(store: "Store") -> dict[str, Any]:
    """Return what the store contains about the plan."""
    from admin.tournament.results.store import StoreError

    text = store.about("shown")
    if text is None:
        raise StoreError(f"{store.path}: no game has been played yet.")
    facts: dict[str, Any] = json.loads(text)
    return facts


def summarize_games(names: Sequence[str], store: "Store", points: Sequence[float]) -> "Summary":
    """Return all tables of the games in a store."""
    from admin.tournament.results.summarize import summarize

    return summarize(names, (result for _, result in store.results()), points)


def _summarize_store(store: "Store") -> "Summary":
    facts = _facts(store)
    return summarize_games([name for name, _ in facts["players"]], store, facts["points"])
