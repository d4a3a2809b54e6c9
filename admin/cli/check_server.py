"""``acquire check-server``: the options. :mod:`acquire.admin.cli.check_server_run` does it."""

from pathlib import Path

from ...protocol.commands import DeclaredCommand, argument, option, option_group
from . import options


@option_group
class AdministratorLimits(options.LimitOptions):
    """The limits of an administrator, which plays many matches."""

    processor: options.ProcessorSeconds = option(
        "Processor seconds that a program may use each time it is started.", default=600
    )


@option_group
class CheckServerOptions:
    """Test an administrator with many players and explain failures.

    COMMAND starts your administrator, the program that deals, asks, judges and ejects. In it {port}
    stands for the port to listen on at 127.0.0.1, {seats} for the number of players. All players
    are ours: honest ones that look for rare events, and hundreds that misbehave once. Together they
    see every hand, and everything that your administrator sends is compared with what the rules
    give. A log of each game with a mistake is written for `acquire replay` and `acquire explain`.

    \b
        acquire check-server -- ./admin --port {port} --players {seats}
        acquire check-server --seats 4 --rulebook classic -- ./admin {port}
        acquire check-server --bag-argument '--bag {file}' -- ./admin {port}
        acquire check-server --only mergers --html check.html -- ./admin {port}
        acquire check-server --connect 127.0.0.1:51234 --seats 3
        acquire check-server --list

    What is expected: docs/reference/protocol.md, which also says where this project differs from
    the course of 2013. Accept a deliberate difference with --allow.

    Exit codes: 0 no case failed; 1 cases failed, or no game came about; 2 it could not begin, or a
    report cannot be written; 129, 130 and 143 stopped by SIGHUP, SIGINT and SIGTERM, after a report
    of what was found so far.
    """

    rulebook: options.NamedRulebook = options.rulebook_option()
    seats: options.Seats | None = option(
        "Players at a table. With {seats} in the command, tables of other sizes are played too.  "
        "[default: 3]"
    )
    connect: str | None = option(
        "Connect to an administrator that is running, instead of starting one.", metavar="HOST:PORT"
    )
    bag_argument: str | None = option(
        "Added to the command for a bag of our choice: {file} is a file of all tiles in the order "
        "of drawing, one a line. So rare events are reached directly.",
        metavar="WORDS",
    )
    allow: tuple[str, ...] = option(
        "Accept a deliberate difference: a case (end/closes), in which * stands for anything; the "
        "verdict says so.",
        metavar="CASE",
    )
    only: tuple[str, ...] = option(
        "Judge only a section (7, mergers) or a case (7.5, mergers/price).", metavar="WHICH"
    )
    listed: bool = option("List the cases without playing.", "--list")
    reports: options.CheckReportOptions
    log_dir: options.Folder = option(
        "Folder for the logs of games with a mistake; created if one is found.",
        default=Path("matches"),
    )
    clocks: options.ClockOptions
    jobs: options.Jobs | None = option(
        "Matches at a time.  [default: two per core; one with --connect]"
    )
    limit: options.Seconds = option(
        "Seconds after which no further game begins.", "--time", default=300.0
    )
    limits: AdministratorLimits
    sandbox: str | None = options.sandbox_option(
        None,
        "What keeps the administrator away from everything else: a user of its own, or nothing. "
        "bwrap does not work here, since we have to connect to it.  [default: uid if you are root, "
        "else none]",
    )
    command: tuple[str, ...] = argument()


check_server = DeclaredCommand(
    "check-server", CheckServerOptions, "check_server_run:run", interspersed=False
)
