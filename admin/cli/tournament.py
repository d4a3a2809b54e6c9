"""``acquire tournament``: the options of its commands.

:mod:`acquire.admin.cli.tournament_check`, ``tournament_run`` and ``tournament_results`` run them;
``init`` needs no extra, and is here.
"""

import shlex
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import click

from ...protocol.commands import HELP, DeclaredCommand, FiniteRange, argument, option, option_group
from ...protocol.plugins import require
from .console import refuse_on_windows, write_new
from .options import AnyPath, File, Folder, Name, WebOptions, Workers, json_lines_option


@option_group
class StoredOptions:
    """Which tournament: its file, and where its games are."""

    file: File = argument()
    store: File | None = option(
        "File with all games.  [default: FILE with .sqlite instead of .toml]"
    )

    @property
    def path(self) -> Path:
        """The path of the store."""
        return self.store or self.file.with_suffix(".sqlite")


class OrderedGroup(click.Group):
    """Lists its commands in the order in which they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of definition."""
        return list(self.commands)


SHORT_HELP = "Run a tournament between programs, and publish it."


@click.group(cls=OrderedGroup, context_settings=HELP, short_help=SHORT_HELP)
def tournament() -> None:
    """Run a tournament between programs, and publish it.

    One TOML file lists the players, the format and the number of games. One file beside it, the
    store, holds every game played; all results are computed from it.

    \b
        acquire tournament init course.toml
        acquire tournament check course.toml --try
        acquire tournament run course.toml
        acquire tournament report course.toml

    Exit codes: 0 done; 1 some games were given up, a program failed its trial, or a result is
    contradicted (audit, report); 2 it could not begin (mistakes in the file, a store with games of
    other settings, a port in use); 129, 130 and 143 stopped by SIGHUP, SIGINT or SIGTERM: the same
    command resumes.
    """
    refuse_on_windows(
        "A tournament", "Here, `acquire serve` referees games, one after the other with --forever."
    )


@option_group
class InitOptions:
    """Write a tournament file to start from.

    It has built-in players, and every setting is explained.
    """

    file: File = argument()
    force: bool = option("Overwrite an existing file.")


def init(options: InitOptions) -> None:
    """Write a tournament file to start from."""
    text = (files("acquire.admin.tournament.planning") / "sample.toml").read_text("utf-8")
    file = options.file
    write_new(file, text, "Name a new file, or give --force.", "w" if options.force else "x")
    click.echo(f"Wrote {file}. Next: acquire tournament check {shlex.quote(str(file))}")


@option_group
class CheckFileOptions:
    """Report all mistakes in a file, the number of games and the time.

    With --try every program is built, started in its sandbox under the limits of the tournament,
    and plays a few cases of `acquire check` and a whole game against built-in players. What went
    wrong is explained. The result is kept beside the file (course.qualified.json for course.toml):
    `run` leaves out a program that has failed, until its version changes. A version that has
    qualified is not tried again.

    Exit codes: 0 done; 1 with --try, programs have failed and are left out; 2 there are mistakes in
    the file; 129, 130 and 143 stopped by SIGHUP, SIGINT and SIGTERM.
    """

    file: File = argument()
    schedule: bool = option("List all games in their order instead.")
    try_programs: bool = option(
        "Start every program that has not qualified yet, and leave out those that fail.", "--try"
    )
    keep: tuple[Name, ...] = option("Let a program play although it has failed.")
    keep_all: bool = option("Let all programs play that have failed.")
    cluster: str | None = option(
        "Compare the workers of a Dask cluster too: sandbox, Java, node, Python.", metavar="ADDRESS"
    )
    as_json: bool = option("Print JSON, for programs.", "--json")


@option_group
class RunOptions(StoredOptions):
    """Play; after a stop or a crash the same command resumes.

    The games that are not in the tournament's store yet are played. A store belongs to the settings
    its games were played with. You can later raise deals or rounds, and change workers at any time.
    Players may change between runs, and with --keep-going during a run: the games of earlier
    versions and of withdrawn players are archived, and only those that concern the changed players
    are played.

    --retry is for a program that never started through no fault of its own. All games of its
    present version are archived and played again, as if it had been handed in anew.

    --web serves a page with the standings and the games, on the host of [lobby], and the report so
    far. Games between programs are shown live; games of built-in players take milliseconds, so the
    page shows two of them per second. Hidden hands are revealed once their tiles are no longer in
    play.
    """

    workers: Workers | None = option(
        "Games played at once.  [default: as in the file, or one per core]"
    )
    cluster: str | None = option(
        "Play on a Dask cluster, such as tcp://10.0.0.1:8786.", metavar="ADDRESS"
    )
    fresh: bool = option("Start over; games already played are set aside.")
    announce: bool = option(
        "Play nothing yet: print the key of the results and the commitment to the bags, for you to "
        "announce before the first game."
    )
    keep_going: bool = option(
        "Run until stopped: wait for new submissions and other changes; a ladder has no end."
    )
    retried: tuple[Name, ...] = option(
        "Start a program again that has missed three sign-ups in a row, and play the games "
        "again that it has lost so.",
        "--retry",
    )
    pages: WebOptions
    as_json: bool = json_lines_option()


@option_group
class ShowOptions(StoredOptions):
    """Print the standings, also during the run.

    All other tables follow.
    """

    game: str | None = option("Show one game instead, such as d1-t3-s2.", metavar="ID")
    player: Name | None = option("List the games of one player instead.")
    as_json: bool = option("Print JSON, for programs.", "--json")


@option_group
class ReportOptions(StoredOptions):
    """Write pages for everyone, tables, and all logs.

    The pages are a site, and the tables are CSV and JSON. Begin with index.html; it opens from the
    disk. If the tournament file has a section [grades], grades.csv is written too, and
    grades-canvas.csv for the gradebook of Canvas; with --public aliases.csv. They are not part of
    the report: they go into a folder beside the file that only you can read, course-private for
    course.toml.
    """

    to: Folder | None = option(
        "Folder to write to; created if it is missing.  [default: FILE without .toml; with "
        "--public, -public follows]"
    )
    logs: bool = option(
        "Whether to write all logs, and a page for each game. Without logs nobody can recompute "
        "the results of the report.",
        "--logs/--no-logs",
        default=True,
    )
    public: bool = option(
        "Write aliases instead of the names of players, and nothing that programs have printed."
    )
    shrink: Annotated[float, FiniteRange(0), "S"] = option(
        "Seconds for cutting the losses of programs: of each kind the shortest game that still "
        "shows it. 0 leaves that out.",
        default=60.0,
    )
    workers: Workers | None = option(
        "Logs verified and losses cut at once.  [default: one per core]"
    )


@option_group
class LogsOptions(StoredOptions):
    """Write the logs of some games, or of all.

    `acquire replay` reads them. Without GAMES all are written.
    """

    games: tuple[str, ...] = argument()
    to: Folder | None = option(
        "Folder to write to; created if it is missing.  [default: FILE without .toml/logs]"
    )
    voids: bool = option("Write the logs of void games as well.")


@option_group
class AuditOptions(StoredOptions):
    """Check every result again.

    FILE is a tournament file or its store; REPORT is the folder of a report, or its index.html.
    All games are played again from their logs; results, standings, schedule, bags and signatures
    are checked. What no log can prove is listed as testimony.

    Exit codes: 0 no contradiction was found; 1 a contradiction was found, and is named; 2 it cannot
    be audited, or its results or figures could not be recomputed.
    """

    file: AnyPath = argument(metavar="FILE|REPORT")
    key: str | None = option(
        "The public key that was announced before the first game, or a file that contains it.",
        metavar="HEX|FILE",
    )
    workers: Workers | None = option("Logs verified at once.  [default: one per core]")
    as_json: bool = option("Print JSON, for programs.", "--json")


@option_group
class SimilarOptions(StoredOptions):
    """Name programs that are alike: for you alone.

    What is named is a reason for a conversation, never a verdict. Sources are compared without
    names, comments, formatting, and what the starters contain. Every program is also started and
    asked in positions of stored games, in the sandbox of the tournament: a translated copy answers
    like the original where others do not.
    """

    games: Annotated[int, click.IntRange(0)] = option(
        "Stored games of which the positions are asked; 0 compares sources alone.", default=4
    )
    workers: Workers | None = option("Programs asked at once.  [default: one per core]")
    as_json: bool = option("Print all pairs as JSON, for programs.", "--json")


@option_group
class BackupOptions(StoredOptions):
    """Copy a tournament to a new folder, also while it is played.

    The copy has the store with all logs as it is at one moment, the secret, the tournament file and
    what that names, the folders of the players, results of trials, and stores that --fresh has set
    aside. Reports, grades, aliases and builds are left out: `report` and `run` make them again.

    The copy is a tournament of its own: `acquire tournament run` goes on from it where it is. To
    restore it, stop the run, remove its course.sqlite-wal if a killed run has left one, and copy
    all of it back. Only you can read it.
    """

    target: Folder = argument()


_verify_extra = partial(require, "tournament")
for added in (
    DeclaredCommand("init", InitOptions, "tournament:init"),
    DeclaredCommand("check", CheckFileOptions, "tournament_check:check", verify=_verify_extra),
    DeclaredCommand("run", RunOptions, "tournament_run:run", verify=_verify_extra),
    DeclaredCommand("show", ShowOptions, "tournament_results:show", verify=_verify_extra),
    DeclaredCommand("report", ReportOptions, "tournament_results:report", verify=_verify_extra),
    DeclaredCommand("logs", LogsOptions, "tournament_results:logs", verify=_verify_extra),
    DeclaredCommand("audit", AuditOptions, "tournament_results:audit", verify=_verify_extra),
    DeclaredCommand("similar", SimilarOptions, "tournament_check:similar", verify=_verify_extra),
    DeclaredCommand("backup", BackupOptions, "tournament_results:backup", verify=_verify_extra),
):
    tournament.add_command(added)
