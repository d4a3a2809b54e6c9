"""Checks an administrator for ``acquire check-server``, and writes the reports."""

import shlex
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path

import click

from ...protocol.files import replace_file
from ..launching.program import Program, as_typed, find_program, unknown_placeholder, why_not_found
from ..launching.sandbox import NoSandbox, Sandbox, choose
from ..refereeing.table.run import cores, run_until_stopped
from ..refereeing.view.plain_text import plural
from ..testing.judging.check_result import CaseResult, CaseVerdict, CheckResult
from ..testing.servers.administrator_check import AdministratorCheck
from ..testing.servers.match_player import AddressSource, CommandSource, MatchPlayer
from ..testing.servers.plans import cast_for
from ..testing.servers.requirements import cases_for
from .check_output import sheet, show, show_cases
from .check_run import chosen, report_files
from .check_server import CheckServerOptions
from .chosen_player import limits_of
from .console import exit_after, refuse, refuse_on_windows, unwritable_refused
from .options import LOCALHOST, is_root

MATCHES_PER_CORE = 2  # matches at a time; each has an administrator and several players
USUAL_SEATS = 3
PLACEHOLDERS = ("host", "port", "seats")


def _remarks(check: AdministratorCheck, results: Sequence[CaseResult]) -> Iterator[str]:
    """Yield what to begin with, whose bags were played, and what no match came to."""
    unreached = sum(each.verdict is CaseVerdict.NOT_REACHED for each in results)
    if (first := check.most_telling) is not None:
        leading = check.leading
        lead = [each for each in results if each.case.id == leading]
        for each in lead:
            yield f"Begin with {each.case.number} ({each.case.id}). {each.actual}"
        if unreached and not lead:
            why = f"{first.case}: {first.sentence}"
            yield f"Perhaps another mistake ends matches before they get there. {why}"
    if not check.why:
        chosen = check.source.can_choose
        bags = "chosen so that they lead to rare events" if chosen else "your administrator's own"
        yield f"The bags were {bags}; our players steered towards what had not come up."
        if unreached:
            more = "" if chosen else " --bag-argument reaches rare events directly."
            yield f"{plural(unreached, 'case')} did not come up, which is no failure.{more}"
    cheats = [each.verdict for each in results if each.case.slug in check.player.cast.members]
    if accepted := cheats.count(CaseVerdict.FAIL):
        yield (
            f"Your administrator did not deal with {accepted} of "
            f"{len(cheats) - cheats.count(CaseVerdict.NOT_REACHED)} misbehaving players; each is a "
            "case of the section “Misbehaving players”, with the message."
        )


def run(options: CheckServerOptions) -> None:
    """Check an administrator, and exit with the code for what was found."""
    rulebook, seats = options.rulebook.value, _seats(options)
    cast = cast_for(rulebook)
    cases = chosen(options.only, rulebook, cases_for(rulebook, cast.members.values()))
    if options.listed:
        show_cases(cases)
        return
    files = report_files(options.reports)
    began, start = datetime.now().astimezone(), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="acquire-", ignore_cleanup_errors=True) as folder:
        source = _source(options, Path(folder))
        several = options.jobs or MATCHES_PER_CORE * cores()
        is_started = isinstance(source, CommandSource)
        player = MatchPlayer(cast, options.clocks.at_table)
        check = AdministratorCheck(
            *(cases, source, player, seats),
            *(several if is_started else 1, options.allow, options.limit),
        )

        async def play() -> None:
            async with source.opened() if isinstance(source, CommandSource) else nullcontext():
                await check.run()

        stopped_by = run_until_stopped(play)
    results = tuple(check.results())
    name = options.connect or as_typed(options.command, PLACEHOLDERS)
    result = CheckResult(
        *(rulebook, name, False, results, began, time.monotonic() - start, "administrator"),
        remarks=tuple(_remarks(check, results)),
    )
    show(sheet(), result, _repeat(options), verbose=options.reports.verbose)
    click.echo(f"Matches played: {len(check.matches)}. {_write_logs(options, check)}".rstrip())
    if errors := files.write(result):
        refuse(" ".join(errors))
    exit_after(stopped_by, 0 if result.passed else 1)


def _write_logs(options: CheckServerOptions, check: AdministratorCheck) -> str:
    """Write the logs of matches with a mistake; return what was done, a sentence."""
    folder, prefix = options.log_dir, f"{options.rulebook.value.id}-check-match"
    logs = {
        folder / f"{prefix}{match.number}.xml": match.log
        for match in check.matches
        if match.findings and match.log
    }
    if not logs:
        return ""
    with unwritable_refused(folder, "Give another --log-dir.", 1):
        folder.mkdir(parents=True, exist_ok=True)
        for path, log in logs.items():
            replace_file(path, log)
    one = shlex.quote(str(min(logs)))
    return f"Logs of {len(logs)} with a mistake: {folder}. See one: acquire replay {one}"


def _repeat(options: CheckServerOptions) -> Callable[[str], str]:
    """Return what writes the command that judges the case of a number again."""
    words = options.rulebook.as_argument
    words += "" if options.seats is None else f" --seats {options.seats}"
    if options.bag_argument is not None:
        words += f" --bag-argument {shlex.quote(options.bag_argument)}"
    started = f"-- {as_typed(options.command, PLACEHOLDERS)}"
    where = f"--connect {options.connect}" if options.connect else started
    return lambda number: f"acquire check-server --only {number}{words} {where}"


# -- before it begins ---------------------------------------------------------------------------


def _seats(options: CheckServerOptions) -> int:
    rulebook = options.rulebook.value
    if options.seats is None:
        return max(rulebook.min_players, min(USUAL_SEATS, rulebook.max_players))
    options.rulebook.verify_seats(options.seats, "--seats")
    return options.seats


def _source(options: CheckServerOptions, folder: Path) -> AddressSource | CommandSource:
    if options.connect is not None:
        host, _, port = options.connect.rpartition(":")
        if options.command or options.bag_argument is not None:
            raise click.UsageError("Give either --connect, or a COMMAND.")
        if not port.isdecimal() or not 0 < int(port) < 65536:
            raise click.BadParameter("Give HOST:PORT.", param_hint="'--connect'")
        return AddressSource(host or LOCALHOST, int(port))
    refuse_on_windows("Starting an administrator", "Give --connect HOST:PORT.")
    command = options.command
    if not command:
        raise click.UsageError(
            "No administrator given. Give the command that starts it after --, for example\n"
            "  -- ./admin --port {port} --players {seats}\n"
            "or --connect HOST:PORT for one that is running."
        )
    here = Path.cwd()
    if (found := find_program(command[0], here)) is None:
        example = "administrator.py --port {port} --players {seats}"
        refuse(f"{command[0]!r}: {why_not_found(command[0], here, example)}")
    if unknown := unknown_placeholder(command, PLACEHOLDERS):
        click.echo(f"Note: {unknown}", err=True)
    if not any("{port}" in word for word in command):
        click.echo("Note: no {port} in the command; ACQUIRE_PORT has it.", err=True)
    if options.bag_argument is not None and "{file}" not in options.bag_argument:
        raise click.BadParameter("Give words with {file} in them.", param_hint="'--bag-argument'")
    limits, sandbox = limits_of(options.limits), _sandbox(options, [here, Path(found)])
    if sandbox is not Sandbox.NONE:
        folder.chmod(0o755)
    return CommandSource(Program(command, here), options.bag_argument, limits, folder, sandbox)


def _sandbox(options: CheckServerOptions, places: Sequence[Path]) -> Sandbox:
    wanted = options.sandbox or ("uid" if is_root() else "none")
    wanted = "uid" if wanted == "auto" else wanted
    if wanted == "bwrap":
        raise click.BadParameter("Give uid or none.", param_hint="'--sandbox'")
    try:
        return choose(wanted, places).sandbox
    except NoSandbox as error:
        refuse(
            f"--sandbox {wanted} does not work here: {error.why} Use a program and a folder that "
            "every user can read, or give --sandbox none if you trust the administrator with "
            "everything on this machine."
        )
