"""``acquire replay --from``: the options, the games, and the report."""

from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from typing import NoReturn

import click

from ...protocol.messages import Order, Pbuy
from ...protocol.plugins import STRATEGIES, load_explaining, load_strategy, plugins
from ...protocol.strategy_file import StrategyFailed, StrategyFileError, names_file
from ..launching.program import find_program
from ..refereeing.log.reader import RecordedGame
from ..refereeing.log.recorder import SeatRecord
from ..refereeing.table.run import run_until_stopped
from ..studying.whatif.game_runner import GameRunner
from ..studying.whatif.recorded_move import Answers, move_of
from ..studying.whatif.report import Opponent, WhatIfReport, real_results, report_of
from ..studying.whatif.report_json import as_json
from ..studying.whatif.report_text import draw_report
from ..studying.whatif.single_game import GameSetup, SeatOutcome
from ..studying.whatif.variant import (
    RECORDED,
    BuiltIn,
    InvalidVariant,
    ProgramPlayer,
    RecordedMove,
    Variant,
    parse_variant,
)
from ..testing.trial.game_history import DivergentLog, GameHistory
from ..testing.trial.listen_source import ListenSource
from ..testing.trial.player_source import OpenSource, PlayerNotConnected, PlayerSource
from .chosen_player import choose_player
from .console import echo_json, exit_after, refuse
from .declared import on_command_line, parameters
from .log_file import read_log
from .options import PlayerOptions, load_or_refuse
from .progress_bars import GameProgress
from .recorded_seat import exit_not_connected
from .safe_console import SafeConsole
from .whatif_options import GAMES, PROGRAM_GAMES, ProgramOptions, WhatIfOptions


def play_on(log: Path, options: WhatIfOptions) -> NoReturn:
    """Play a recorded game on, show the results, and exit."""
    turn = options.first
    assert turn is not None, "without --from no game is played on"
    record, recorded = _read(log)
    try:
        variants = _parse_variants(options, recorded)
        for variant in variants:
            _verify(recorded, turn, variant)
    except InvalidVariant as error:
        refuse(f"{log}: {error}")
    opponents = _opponents(recorded, turn, options.others)
    setup = _setup(recorded, turn, options.seed, variants, opponents)
    counts = {
        variant: options.games or (PROGRAM_GAMES if isinstance(variant, ProgramPlayer) else GAMES)
        for variant in variants
    }
    try:
        results, stopped_by = _play_games(setup, counts, options)
    except StrategyFailed as error:
        refuse(str(error), 1)
    real = real_results(record, recorded.left_in)
    _show(report_of(str(log), turn, setup, opponents, results, real), options)
    exit_after(stopped_by)


def _show(report: WhatIfReport, options: WhatIfOptions) -> None:
    if options.as_json:
        echo_json(as_json(report))
    else:
        console = SafeConsole()
        plain = console.options.ascii_only
        console.print(draw_report(report, console.width, ascii_only=plain))


# -- before it begins ---------------------------------------------------------------------------


def _read(log: Path) -> tuple[RecordedGame, GameHistory]:
    record = read_log(log)
    try:
        return record, GameHistory(record)
    except DivergentLog as error:
        refuse(f"{log}: {error}", 1)


def _parse_variants(options: WhatIfOptions, recorded: GameHistory) -> list[Variant]:
    """Parse the variants; raises ``InvalidVariant``, or ``UsageError`` for useless options."""
    strategies = plugins(STRATEGIES)
    variants: list[Variant] = []
    for text in options.seats:
        variant = parse_variant(text, recorded.names, strategies, options.others)
        if isinstance(variant, ProgramPlayer):
            _verify_word(text, variant.words)
        elif names_file(variant.strategy):
            load_or_refuse(variant.strategy)
        if variant in variants:
            raise InvalidVariant(f"--seat {text!r} is given twice. Give each player once.")
        variants.append(variant)
    if not any(isinstance(variant, ProgramPlayer) for variant in variants):
        for each in parameters(ProgramOptions):
            if each.name in on_command_line():
                raise click.UsageError(f"{each.opts[0]} needs a COMMAND in one of the --seat.")
    return variants


def _verify_word(text: str, words: tuple[str, ...]) -> None:
    """``InvalidVariant`` for a single word that is no program: it may be a misspelt strategy."""
    if len(words) == 1 and find_program(words[0], Path.cwd()) is None:
        known = ", ".join(plugins(STRATEGIES))
        raise InvalidVariant(
            f"--seat {text!r}: {words[0]!r} is neither {RECORDED!r}, nor a strategy ({known}, "
            "FILE.py:CLASS), nor a program that can be found."
        )


def _verify(recorded: GameHistory, turn: int, variant: Variant) -> None:
    """``InvalidVariant`` if the seat cannot be taken in this turn, or made no complete move."""
    seat = variant.seat
    if turn not in recorded.positions:
        last = max(recorded.positions, default=0)
        raise InvalidVariant(f"--from {turn}: the game has turns 1 to {last}.")
    if all(player.name != seat for player in recorded.positions[turn].players):
        left = recorded.left_in[seat]
        when = f"ejected in turn {left}" if left else "ejected at the set-up"
        raise InvalidVariant(f"--from {turn}: {seat!r} had left the table ({when}).")
    if not isinstance(variant, RecordedMove):
        return
    mover = recorded.movers[turn]
    if mover != seat:
        own = [number for number, name in recorded.movers.items() if name == seat]
        near = min(own, key=lambda number: abs(number - turn), default=None)
        advice = f" Give a turn of {seat!r}, such as {near}." if near else ""
        raise InvalidVariant(f"--seat {seat}=recorded: turn {turn} belongs to {mover!r}.{advice}")
    ordered = any(
        isinstance(response, Pbuy | Order) for _, response in recorded.responses(turn, seat)
    )
    if recorded.left_in.get(seat) == turn or not ordered:
        raise InvalidVariant(f"--seat {seat}=recorded: {seat!r} did not complete turn {turn}.")


def _opponents(recorded: GameHistory, turn: int, others: str) -> tuple[Opponent, ...]:
    """Return who plays for each seat at the table, unless a variant does."""
    found = []
    at_table = {player.name for player in recorded.positions[turn].players}
    for seat in recorded.header.seats:
        if seat.name not in at_table:
            continue
        if seat.kind == "house" and seat.strategy and _is_available(seat.strategy):
            found.append(Opponent(seat.name, seat.strategy, ""))
        else:
            found.append(Opponent(seat.name, others, _not_available(seat)))
    return tuple(found)


def _is_available(strategy: str) -> bool:
    """Whether a strategy that played in the game can play on; a file may have gone."""
    if not names_file(strategy):
        return strategy in plugins(STRATEGIES)
    try:
        load_strategy(strategy)
    except StrategyFileError:
        return False
    return True


def _not_available(seat: SeatRecord) -> str:
    """Describe a player of the game that cannot play on."""
    if seat.kind != "house":
        return "a program"
    if seat.strategy is None:
        return "a built-in player whose strategy is not in the log"
    why = "cannot be loaded" if names_file(seat.strategy) else "is not installed"
    return f"the strategy {seat.strategy!r}, which {why}"


def _setup(
    recorded: GameHistory,
    turn: int,
    seed: int | None,
    variants: list[Variant],
    opponents: tuple[Opponent, ...],
) -> GameSetup:
    position = recorded.positions[turn]
    strategies = {each.strategy for each in variants if isinstance(each, BuiltIn | RecordedMove)}
    move: Answers = ()
    if any(isinstance(each, RecordedMove) for each in variants):
        move = move_of(position, recorded.responses(turn, recorded.movers[turn]))
    return GameSetup(
        recorded.names,
        position,
        recorded.header.seed if seed is None else seed,
        {opponent.name: load_explaining(opponent.strategy) for opponent in opponents},
        {strategy: load_explaining(strategy) for strategy in strategies},
        move,
    )


# -- the games ----------------------------------------------------------------------------------


def _play_games(
    setup: GameSetup, counts: dict[Variant, int], options: WhatIfOptions
) -> tuple[dict[Variant, list[SeatOutcome]], int | None]:
    """Play all games; return their results, and the signal that stopped it, if any."""
    results: dict[Variant, list[SeatOutcome]] = {variant: [] for variant in counts}
    program = options.program
    clocks = program.clocks.at_table(len(setup.names))
    with ExitStack() as entered:
        openers: dict[Variant, OpenSource] = {}
        for variant in counts:
            if isinstance(variant, ProgramPlayer):
                player = choose_player(
                    PlayerOptions.of_command(variant.words, program.connect_timeout, program.limits)
                )
                _, openers[variant] = entered.enter_context(player.prepared(_never_listening))
        bar = entered.enter_context(GameProgress(SafeConsole(stderr=True), sum(counts.values())))

        def on_result(variant: Variant, result: SeatOutcome) -> None:
            results[variant].append(result)
            bar.advance(variant)

        async def main() -> None:
            async with AsyncExitStack() as opened:
                sources: dict[Variant, PlayerSource] = {
                    variant: await opened.enter_async_context(open_source())
                    for variant, open_source in openers.items()
                }
                await GameRunner(setup, sources, clocks, on_result).run(counts)

        try:
            return results, run_until_stopped(main)
        except PlayerNotConnected as error:
            not_connected = error
    exit_not_connected(not_connected)


def _never_listening(source: ListenSource) -> None:
    raise AssertionError("programs are launched, so nothing listens")
