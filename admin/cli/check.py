"""``acquire check``: the options. :mod:`acquire.admin.cli.check_run` plays the cases."""

from ...protocol.commands import DeclaredCommand, option, option_group
from . import options


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
        acquire check --no-clocks -- python3 -m pdb player.py {host} {port} {name}
        acquire check --html check.html --junit ci.xml -- ./player {port} {name}
        acquire check --case game-shrunk.xml -- ./player {port} {name}
        acquire check --cases own.toml --weights w.toml -- ./player {port} {name}
        acquire check --rulebook mine.toml -- ./player {port} {name}
        acquire check --list

    How to write a player: docs/students/write-a-player.md. What the referee sends:
    docs/reference/protocol.md.

    Exit codes: 0 all cases passed, even with warnings unless --strict; 1 cases failed or were not
    played to their end; 2 it could not begin, or a report cannot be written; 129, 130 and 143
    stopped by SIGHUP, SIGINT and SIGTERM, after a report of the cases judged so far.
    """

    rulebook: options.NamedRulebook = options.rulebook_option()
    only: tuple[str, ...] = option(
        "Play only a section (7, mergers) or a case (7.5, mergers/tie).", metavar="WHICH"
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
        "[default: three per core]"
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
