"""``acquire tournament``: a tournament file, and all that is done with it."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from admin.cli.console import refuse
from admin.cli.options import json_lines_option, pages, web_option

if TYPE_CHECKING:
    from admin.tournament.planning.plan import Plan
    from admin.tournament.playing.observer import Observer
    from admin.tournament.results.store import Store
    from admin.tournament.results.summary import Summary
    from admin.web.feed import Feed

FILE = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
STORE = click.option(
    "--store",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file that holds the games.  [default: FILE with .sqlite for .toml]",
)
JSON = click.option("--json", "as_json", is_flag=True, help="For a program: JSON.")


class Tournament(click.Group):
    """The subcommands in the order in which they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List them so."""
        return list(self.commands)


@click.group(cls=Tournament, short_help="Run a tournament between programs, and publish it.")
def tournament() -> None:
    """Run a tournament between programs, and publish it.

    One TOML file says who plays what, how often, and how long anybody may think; everything else
    is in one file beside it, from which the results are made.

    \b
        acquire tournament init course.toml      a file to begin with
        acquire tournament check course.toml     every mistake in it; how many games, how long
        acquire tournament run course.toml       play; stopped at any moment, it goes on
        acquire tournament show course.toml      the standings, also while it runs
        acquire tournament report course.toml    a page for everybody to read, and all logs

    Exit codes: 0 done; 1 some games could not be played, or were void too often; 2 it could not
    begin (mistakes in the file, a store of other games, a port in use); 130 and 143 stopped by
    SIGINT and SIGTERM: the same command goes on.
    """


@tournament.command(short_help="Write a tournament file to begin with.")
@FILE
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def init(file: Path, force: bool) -> None:
    """Write a tournament file to begin with: house players, and every setting explained."""
    from importlib.resources import files

    text = (files("admin.tournament.planning") / "sample.toml").read_text()
    try:
        with file.open("w" if force else "x") as opened:
            opened.write(text)
    except FileExistsError:
        refuse(f"{file} is there already. Give another name, or --force.")
    except OSError as error:
        refuse(f"{file} cannot be written: {error.strerror}.")
    click.echo(f"Wrote {file}. Next: acquire tournament check {file}")


@tournament.command(short_help="Find every mistake in a file; how many games, how long.")
@FILE
@click.option("--schedule", is_flag=True, help="List all games instead, in their order.")
@JSON
def check(file: Path, schedule: bool, as_json: bool) -> None:
    """Find every mistake in a tournament file; say how many games there are, and how long."""
    from admin.tournament.planning.schedule import Schedule
    from admin.tournament.playing.forecast import estimate, show_games, show_plan

    plan = _plan(file)
    if schedule:
        games = Schedule(plan, plan.tournament.seed or 0).stage(1)
        if as_json:
            for game in games:
                click.echo(json.dumps({"game": game.id, "players": game.players}))
            return
        from admin.cli.safe_console import SafeConsole

        show_games(SafeConsole(), plan, games, "The games")
        return
    facts = estimate(plan)
    if as_json:
        click.echo(json.dumps(facts.fields(), ensure_ascii=False, indent=2))
        return
    from admin.cli.safe_console import SafeConsole

    show_plan(SafeConsole(), plan, facts)


@tournament.command(short_help="Play; stopped at any moment, it goes on.")
@FILE
@STORE
@click.option(
    "--workers",
    type=click.IntRange(1, 1024),
    help="Games at once.  [default: as in the file, or one for every core]",
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on a Dask cluster, such as tcp://10.0.0.1:8786: house players only.",
)
@click.option("--fresh", is_flag=True, help="Begin anew; games played before are put aside.")
@web_option
@json_lines_option
def run(
    file: Path,
    store: Path | None,
    workers: int | None,
    cluster: str | None,
    fresh: bool,
    web: int | None,
    as_json: bool,
) -> None:
    """Play the games of a tournament; those that are played already are not played again.

    A store belongs to the settings that its games were played by. More deals or rounds can be
    asked for later, and workers changed at any time.

    With --web there is a page with the standings, and the games to be watched: those of programs
    while they are played, of those of house players alone, which take milliseconds, two a second.
    Hidden hands stay hidden until the same tiles are dealt no more. The host is that of [lobby].
    """
    from admin.cli.safe_console import SafeConsole
    from admin.tournament.playing.driver import play_out
    from admin.tournament.playing.terminal import JsonObserver, TerminalObserver
    from admin.tournament.playing.tournament_run import TournamentRun
    from admin.tournament.results.store import Store, StoreError, put_aside

    plan = _plan(file)
    if cluster is not None and not plan.built_in_only:
        raise click.BadParameter(
            "players connect to this machine: a cluster can play games of house players only.",
            param_hint="'--cluster'",
        )
    path = _store_of(file, store)
    console = SafeConsole(stderr=as_json)
    stopped_by = None
    with _refusals(), pages(plan.lobby.host, web) as spectators:
        if fresh and (aside := put_aside(path)):
            console.print(f"The games played before are in {aside}.", soft_wrap=True)
        with Store.open_to_write(path) as opened, TerminalObserver(console, plan) as terminal:
            told: Observer = JsonObserver(terminal) if as_json else terminal
            if spectators is not None and isinstance(told, JsonObserver):
                told.print("spectators", address=spectators.address)
            feed = spectators.feed if spectators is not None else None
            observer = told if feed is None else _shown_live(told, feed, plan, opened)
            tournament = TournamentRun(plan, opened, observer)
            observer.began(tournament.progress, tournament.results())
            try:
                stopped_by = play_out(tournament, observer, _workers(plan, workers), cluster, feed)
            except StoreError as error:
                refuse(f"{error} What was kept before is safe.")
            finally:
                terminal.__exit__()
            progress = tournament.progress
            summary = _summarize(plan, opened)
            if isinstance(told, JsonObserver):
                from admin.tournament.results.summary_json import fields

                told.print("over", **progress._asdict(), standings=fields(summary))
            from admin.tournament.results.terminal_tables import show_summary

            show_summary(console, summary, progress.total, opened.voids())
    if stopped_by is not None:
        console.print(
            f"Stopped after {progress.games} of {progress.total} games; the same command goes on."
        )
        sys.exit(128 + stopped_by)
    if progress.games < progress.total:
        console.print(
            f"{progress.total - progress.games} games were not played: {len(tournament.given_up)} "
            "were void too often. The same command tries them again."
        )
        sys.exit(1)
    console.print(f"Next: acquire tournament report {file}", soft_wrap=True)


@tournament.command(short_help="Show the standings, also while it runs.")
@FILE
@STORE
@click.option("--game", metavar="ID", help="Show one game instead, such as d1-t3-s2.")
@click.option("--player", metavar="NAME", help="List one player's games instead.")
@JSON
def show(
    file: Path, store: Path | None, game: str | None, player: str | None, as_json: bool
) -> None:
    """Show the standings and all tables, also while the tournament runs."""
    from admin.cli.safe_console import SafeConsole
    from admin.tournament.results.store import Store
    from admin.tournament.results.summary_json import fields
    from admin.tournament.results.terminal_tables import show_game, show_games_of, show_summary

    with _refusals(), Store.open_to_read(_store_of(file, store)) as opened:
        if game is not None:
            result = next((found for _, found in opened.results() if found.game == game), None)
            if result is None:
                refuse(f"No game {game} has been played. Ids are such as d1-t3-s2.")
            if as_json:
                click.echo(json.dumps(result.fields(), ensure_ascii=False, indent=2))
            else:
                show_game(SafeConsole(), result, opened.outputs(game))
            return
        known = _shown(opened)
        if player is not None:
            names = [name for name, _ in known["players"]]
            if player not in names:
                refuse(f"No player is called {player!r}. There are {', '.join(names)}.")
            theirs = [
                found
                for _, found in opened.results()
                if player in [seat.player for seat in found.seats]
            ]
            if as_json:
                for found in theirs:
                    click.echo(json.dumps(found.fields(), ensure_ascii=False))
            else:
                show_games_of(SafeConsole(), player, theirs)
            return
        summary = _summarize_store(opened)
        if as_json:
            text = {"name": known["name"], "total": known["total"], **fields(summary)}
            click.echo(json.dumps(text, ensure_ascii=False, indent=2))
        else:
            show_summary(SafeConsole(), summary, known["total"], opened.voids())
            if any(row.lost for row in summary.rows):
                click.echo("Whose game went how, and why: --player NAME, then --game ID.")


@tournament.command(short_help="Write a page for everybody, tables, and all logs.")
@FILE
@STORE
@click.option(
    "--to",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder to write to; it is made if it is missing.  [default: FILE without .toml]",
)
@click.option("--logs/--no-logs", default=True, help="Whether to write every game's log as well.")
def report(file: Path, store: Path | None, to: Path | None, logs: bool) -> None:
    """Write the results for everybody to read: report.html, tables as CSV and JSON, all logs."""
    from admin.tournament.results.report_files import publish
    from admin.tournament.results.store import Store

    folder = to or _folder_of(file)
    with _refusals(), Store.open_to_read(_store_of(file, store)) as opened:
        try:
            page = publish(opened, _shown(opened), _summarize_store(opened), folder, logs=logs)
        except OSError as error:
            refuse(f"{folder} cannot be written: {error.strerror}.")
    click.echo(f"Wrote {page}")


@tournament.command(short_help="Write the logs of some games, or of all.")
@FILE
@click.argument("games", nargs=-1)
@STORE
@click.option(
    "--to",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder to write to; it is made if it is missing.  [default: FILE without .toml/logs]",
)
@click.option("--voids", is_flag=True, help="Write the logs of void games as well.")
def logs(
    file: Path, games: tuple[str, ...], store: Path | None, to: Path | None, voids: bool
) -> None:
    """Write the logs of some GAMES, or of all, for `acquire replay`."""
    from admin.tournament.results.report_files import write_logs
    from admin.tournament.results.store import Store

    to = to or _folder_of(file) / "logs"
    with _refusals(), Store.open_to_read(_store_of(file, store)) as opened:
        if missing := sorted(set(games) - opened.finished()):
            refuse(f"No game {missing[0]} has been played. Ids are such as d1-t3-s2.")
        try:
            count = write_logs(to, opened.logs(games or None))
            if voids:
                count += write_logs(to, opened.void_logs())
        except OSError as error:
            refuse(f"{to} cannot be written: {error.strerror}.")
    from admin.view.plain_text import plural

    click.echo(
        f"Wrote {plural(count, 'log')} to {to}. Look at one: acquire replay {to}/GAME.xml.gz"
    )


# -- what the commands share --------------------------------------------------------------------


@contextmanager
def _refusals() -> Iterator[None]:
    """Say in a sentence what kept a command from beginning."""
    from admin.table.listeners import CannotListen
    from admin.tournament.results.store import StoreError

    try:
        yield
    except (StoreError, CannotListen) as error:
        refuse(str(error))
    except Exception as error:
        from admin.tournament.playing.pool import CannotPlay

        if isinstance(error, CannotPlay):
            refuse(str(error))
        raise


def _plan(file: Path) -> "Plan":
    from admin.tournament.planning.plan_file import BadPlan, read_plan

    try:
        return read_plan(file)
    except BadPlan as error:
        refuse(str(error))


def _store_of(file: Path, store: Path | None) -> Path:
    return store or file.with_suffix(".sqlite")


def _folder_of(file: Path) -> Path:
    """Return the folder beside a tournament file for what is made of its games."""
    folder = file.with_suffix("")
    return folder if folder != file else file.with_name(f"{file.name}-report")


def _workers(plan: "Plan", wanted: int | None) -> int:
    import os

    return wanted or plan.tournament.workers or os.cpu_count() or 1


def _shown_live(other: "Observer", feed: "Feed", plan: "Plan", store: "Store") -> "Observer":
    """Return an observer that tells the pages as well."""
    from admin.tournament.playing.publisher import TournamentPublisher

    def log_of(game: str) -> bytes:
        return next(log for _, log in store.logs([game]))

    return TournamentPublisher(other, feed, plan, log_of)


def _shown(store: "Store") -> dict[str, Any]:
    from admin.tournament.results.store import StoreError

    text = store.about("shown")
    if text is None:
        raise StoreError(f"{store.path}: nothing has been played yet.")
    found: dict[str, Any] = json.loads(text)
    return found


def _summarize(plan: "Plan", store: "Store") -> "Summary":
    from admin.tournament.results.summarize import summarize

    return summarize(plan.names, (result for _, result in store.results()), plan.points)


def _summarize_store(store: "Store") -> "Summary":
    from admin.tournament.results.summarize import summarize

    known = _shown(store)
    names = [name for name, _ in known["players"]]
    return summarize(names, (result for _, result in store.results()), known["points"])
