"""``acquire check`` and ``check-server``: the options.

``check_run`` and ``check_server_run`` play the cases.
"""

from pathlib import Path

from . import options
from .declared import DeclaredCommand, argument, option, option_group


@option_group
class CheckOptions:
    """Test a player on short cases and explain failures.

    Each case is a position or two, played at the same table and with the same referee as a game.
    COMMAND starts the player for each case. In it {host} and {port} stand for the address to
    connect to, {name} for the name to sign up with; the environment variables ACQUIRE_HOST,
    ACQUIRE_PORT and ACQUIRE_NAME have the same values. FILE.py:CLASS, a strategy of your own, is
    started by `acquire play`.

    \b
        acquire check -- python3 player.py {host} {port} {name}
        acquire check -- node player.js {host} {port} {name}
        acquire check -- mine.py:Mine
        acquire check -- java Player {host} {port} {name}
        acquire check --only mergers --only 9.2 -- ./player {port} {name}
        acquire check --only 9.2 --no-clocks -- python3 -m pdb player.py {host} {port} {name}
        acquire check --html check.html --junit check.xml -- ./player {port} {name}
        acquire check --case game-shrunk.xml -- ./player {port} {name}
        acquire check --cases hidden.toml --weights weights.toml -- ./player {port} {name}
        acquire check --rulebook mine.toml -- ./player {port} {name}
        acquire check --list

    How to write a player: docs/students/write-a-player.md. What the referee sends:
    docs/reference/protocol.md.

    Exit codes: 0 all cases passed, even with warnings unless --strict; 1 cases failed or were not
    played to their end; 2 it could not begin; 130 and 143 stopped by SIGINT and SIGTERM, after a
    report of the cases judged so far.
    """

    rulebook: options.NamedRulebook = options.rulebook_option()
    only: tuple[str, ...] = option(
        "Play only a section (7, mergers) or a case (7.3, mergers/tie).", metavar="WHICH"
    )
    saved: tuple[options.File, ...] = option(
        "Replay the ejection in LOG instead.", "--case", metavar="LOG"
    )
    cases: tuple[options.File, ...] = option("Add the cases in FILE, a section of your own.")
    weights: options.File | None = option("Grade with the points of each section in FILE.")
    seat: options.Name | None = option("Which ejected player, if LOG has several.")
    listed: bool = option("List the cases without playing them.", "--list")
    strict: bool = option("Treat warnings, also of unusual XML, as failures: exit code 1.")
    reports: options.CheckReportOptions
    classroom: options.File | None = option("Write GitHub Classroom's result to this file.")
    jobs: options.Jobs | None = option(
        "Cases played at once; after a slow start that missed the time to connect, one at a time.  "
        "[default: two per core]"
    )
    keep_going: bool = option(
        "Play all cases even if the player repeatedly fails to connect or answer."
    )
    no_clocks: bool = option(
        "Start the player at this terminal, one case at a time, without limits and time-outs, so "
        "that it can run in a debugger."
    )
    clocks: options.ClockOptions
    player: options.PlayerOptions


check = DeclaredCommand("check", CheckOptions, "check_run:run", interspersed=False)


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
    give. A log of each match with a mistake is written for `acquire replay` and `acquire explain`.

    \b
        acquire check-server -- ./admin --port {port} --players {seats}
        acquire check-server --seats 4 --rulebook classic -- python3 admin.py {port}
        acquire check-server --bag-argument '--bag {file}' -- ./admin {port} {seats}
        acquire check-server --only mergers --html check.html -- ./admin {port} {seats}
        acquire check-server --connect 127.0.0.1:51234 --seats 3
        acquire check-server --list

    What is expected: docs/reference/protocol.md, which also says where this project differs from
    the course of 2013. Accept a deliberate difference with --allow.

    Exit codes: 0 no case failed; 1 cases failed, or no match came about; 2 it could not begin; 130
    and 143 stopped by SIGINT and SIGTERM, after a report of what was found so far.
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
        "Judge only a section (7, mergers) or a case (7.3, mergers/price).", metavar="WHICH"
    )
    listed: bool = option("List the cases without playing.", "--list")
    reports: options.CheckReportOptions
    log_dir: options.Folder = option(
        "Folder for the logs of matches with a mistake; created if one is found.",
        default=Path("matches"),
    )
    clocks: options.ClockOptions
    jobs: options.Jobs | None = option(
        "Matches at a time.  [default: two per core; one with --connect]"
    )
    limit: options.Seconds = option(
        "Seconds after which no further match begins.", "--time", default=300.0
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
