"""``acquire replay --from``: the options, the games, and the report."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NoReturn

import click
from rich.markup import escape

from ...protocol.commands import on_command_line, parameters
from ...protocol.messages import Order, Pbuy
from ...protocol.plugins import (
    STRATEGIES,
    StrategyFailed,
    load_explaining,
    load_strategy,
    names_file,
    plugins,
)
from ...protocol.user_error import UserError
from ..launching.program import find_program
from ..refereeing.log.reader import RecordedGame, read
from ..refereeing.log.recorder import SeatRecord
from ..refereeing.table.run import run_until_stopped
from ..refereeing.view.plain_text import printable
from ..studying.analysis.decision_log import Decision, DecisionLog, DecisionStart
from ..studying.whatif.game_runner import play_games
from ..studying.whatif.report import Opponent, draw_report, real_results, report_of
from ..studying.whatif.single_game import (
    RECORDED,
    GameSetup,
    SeatOutcome,
    Variant,
    move_of,
    parse_variant,
)
from ..testing.trial.game_history import DivergentLog, GameHistory
from ..testing.trial.player_source import PlayerSource
from .chosen_player import launch_player
from .console import echo_json, exit_after, refuse
from .options import CONNECT_TIMEOUT
from .replay import GAMES, PROGRAM_GAMES, ProgramOptions, WhatIfOptions
from .rerun_run import exit_if_not_connected
from .safe_console import Bar, SafeConsole


def play_on(log: Path, options: WhatIfOptions) -> NoReturn:
    """Play a recorded game on, show the results, and exit."""
    turn = options.first
    assert turn is not None, "without --from no game is played on"
    record = read(log)
    try:
        recorded = GameHistory(record)
    except DivergentLog as error:
        refuse(f"{log}: {error}", 1)
    variants = _parse_variants(options, recorded)
    turn, within = _begin(record, recorded, turn, variants)
    for variant in variants:
        _verify(recorded, turn, variant, within=within is not None)
    opponents = _opponents(recorded, turn, options.others)
    start = within.start if within else DecisionStart(recorded.positions[turn])
    mover = recorded.movers[turn]
    moves = {mover: move_of(start.position, mover, recorded.responses(turn, mover))}
    for name in recorded.names if within else ():
        responses = recorded.responses(turn, name)
        moves[name] = move_of(start.position, name, responses, moves[mover])
    setup = GameSetup(
        recorded.names,
        start.position,
        recorded.header.seed if options.seed is None else options.seed,
        {opponent.name: load_explaining(opponent.strategy) for opponent in opponents},
        {each.strategy: load_explaining(each.strategy) for each in variants if each.strategy},
        moves[within.name if within else mover],
        moves if within else {},
        start.drawn,
        start.revealed,
    )
    counts = {
        variant: options.games or (PROGRAM_GAMES if variant.words else GAMES)
        for variant in variants
    }
    try:
        results, stopped_by = _play_games(setup, counts, options)
    except StrategyFailed as error:
        refuse(str(error), 1)
    real = real_results(recorded)
    begins = within.what.value if within else None
    report = report_of(str(log), turn, setup, opponents, results, real, begins)
    if options.as_json:
        echo_json(report)
    else:
        SafeConsole().print(draw_report(report))
    exit_after(stopped_by)


# -- before it begins ---------------------------------------------------------------------------


def _parse_variants(options: WhatIfOptions, recorded: GameHistory) -> list[Variant]:
    """Parse the variants; raises ``UserError``, or ``UsageError`` for useless options."""
    strategies = plugins(STRATEGIES)
    variants: list[Variant] = []
    for text in options.seats:
        variant = parse_variant(text, recorded.names, strategies, options.others)
        words = variant.words
        program = words[0] if words else ""
        if not variant.strategy and len(words) < 2 and find_program(program, Path.cwd()) is None:
            known = ", ".join(strategies)  # or it is misspelt
            raise UserError(
                f"--seat {text!r}: {program!r} is neither {RECORDED!r}, nor a strategy ({known}, "
                "FILE.py:CLASS), nor a program that can be found."
            )
        if names_file(variant.strategy):
            load_strategy(variant.strategy)
        if variant in variants:
            raise UserError(f"--seat {text!r} is given twice. Give each player once.")
        variants.append(variant)
    if not any(variant.words for variant in variants):
        for each in parameters(ProgramOptions):
            if each.name in on_command_line():
                raise click.UsageError(f"{each.opts[0]} needs a COMMAND in one of the --seat.")
    return variants


def _begin(
    record: RecordedGame, recorded: GameHistory, turn: int, variants: Sequence[Variant]
) -> tuple[int, Decision | None]:
    """Return the turn from which the game is played on, and the decision if it is within the turn.

    Where another's turn is given for a single seat, that is a decision of the seat in it, as in a
    merger; else, for a recorded move, its next one.
    """
    seats, mover = {variant.seat for variant in variants}, recorded.movers.get(turn)
    if mover is None or len(seats) != 1 or mover in seats:
        return turn, None
    (seat,) = seats
    own = [each for each in DecisionLog(record).decisions if each.name == seat]
    found = next((each for each in own if each.turn >= turn), None)
    is_recorded = any(variant.recorded for variant in variants)
    if found is None or (found.turn > turn and not is_recorded):
        return turn, None
    is_own = recorded.movers[found.turn] == seat
    where = f"the {found.what.value} decision of {seat} in turn {found.turn}"
    where = f"turn {found.turn}, the next of {seat}" if is_own else where
    click.echo(printable(f"Turn {turn} is that of {mover}: played on from {where}."), err=True)
    return found.turn, None if is_own else found


def _verify(recorded: GameHistory, turn: int, variant: Variant, *, within: bool) -> None:
    """``UserError`` if the seat cannot be taken in this turn, or made no complete move.

    ``within`` says that it begins with a decision within the turn.
    """
    seat = variant.seat
    if turn not in recorded.positions:
        last = max(recorded.positions, default=0)
        raise UserError(f"--from {turn}: the game has turns 1 to {last}.")
    if all(player.name != seat for player in recorded.positions[turn].players):
        left = recorded.left_in[seat]
        when = f"ejected in turn {left}" if left else "ejected at the set-up"
        raise UserError(f"--from {turn}: {seat!r} had left the table ({when}).")
    if not variant.recorded or within:
        return
    mover = recorded.movers[turn]
    if mover != seat:
        own = [number for number, name in recorded.movers.items() if name == seat]
        near = min(own, key=lambda number: abs(number - turn), default=None)
        advice = f" Give a turn of {seat!r}, such as {near}." if near else ""
        raise UserError(f"--seat {seat}=recorded: turn {turn} belongs to {mover!r}.{advice}")
    ordered = any(
        isinstance(response, Pbuy | Order) for _, response in recorded.responses(turn, seat)
    )
    if recorded.left_in.get(seat) == turn or not ordered:
        raise UserError(f"--seat {seat}=recorded: {seat!r} did not complete turn {turn}.")


def _opponents(recorded: GameHistory, turn: int, others: str) -> tuple[Opponent, ...]:
    at_table = {player.name for player in recorded.positions[turn].players}
    return tuple(
        Opponent(seat.name, others, why) if why else Opponent(seat.name, seat.strategy or "", None)
        for seat in recorded.header.seats
        if seat.name in at_table
        for why in [_not_available(seat)]
    )


def _not_available(seat: SeatRecord) -> str:
    """Describe a player of the game that cannot play on; ``""`` if it can."""
    if seat.kind != "house":
        return "a program"
    if seat.strategy is None:
        return "a built-in player whose strategy is not in the log"
    if seat.strategy in plugins(STRATEGIES):
        return ""
    # loading a file runs it, and a log is somebody else's word: it opens none
    in_file = "is a file: if you trust it, name it by --others"
    why = in_file if names_file(seat.strategy) else "is not installed"
    return f"the strategy {seat.strategy!r}, which {why}"


# -- the games ----------------------------------------------------------------------------------


def _play_games(
    setup: GameSetup, counts: dict[Variant, int], options: WhatIfOptions
) -> tuple[dict[Variant, list[SeatOutcome]], int | None]:
    results: dict[Variant, list[SeatOutcome]] = {variant: [] for variant in counts}
    program = options.program
    clocks = program.clocks.at_table(len(setup.names))
    timeout = program.connect_timeout or CONNECT_TIMEOUT
    players = {
        variant: launch_player(variant.words, program.limits, timeout, "none")
        for variant in counts
        if variant.words
    }
    console = SafeConsole(stderr=True)
    with exit_if_not_connected(), Bar(console, sum(counts.values()), "games") as bar:

        def on_result(variant: Variant, result: SeatOutcome) -> None:
            results[variant].append(result)
            label = escape(printable(f"{variant.seat}={variant.label}"))
            bar.progress.update(bar.task, advance=1, description=label)

        async def main() -> None:
            async with AsyncExitStack() as opened:
                sources: dict[Variant, PlayerSource] = {}
                for variant, player in players.items():
                    _, sources[variant] = await opened.enter_async_context(player.opened("", ()))
                await play_games(setup, counts, sources, clocks, on_result)

        return results, run_until_stopped(main)
