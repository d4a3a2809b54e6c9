"""``acquire replay --from``: the options, the games, and the report."""

import sys
from collections.abc import Mapping
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import click

from ...protocol.messages import Order, Pbuy
from ...protocol.strategy_file import StrategyFailed, StrategyFileError, names_file
from ..launching.program import find_program
from ..refereeing.log.reader import RecordedGame
from ..refereeing.log.writer import SeatRecord
from ..refereeing.play.plugins import STRATEGIES, load_explaining, load_strategy, plugins
from ..refereeing.table.clocks import Clocks
from ..refereeing.table.run import run_until_stopped
from ..refereeing.view.plain_text import json_text
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
from ..testing.trial.player_source import PlayerNotConnected, PlayerSource
from .console import refuse
from .log_file import read_log
from .options import LOCALHOST, load_or_refuse
from .player_options import LIMITS, OpenSource, PlayerOptions, dashed
from .progress_bars import GameProgress
from .rerun_options import exit_not_connected
from .safe_console import SafeConsole
from .whatif_options import GAMES, PROGRAM_GAMES, PROGRAM_OPTIONS, given


@dataclass(frozen=True, slots=True)
class WhatIfOptions:
    """The values of :func:`acquire.admin.cli.whatif_options.whatif_options`."""

    first: int
    seats: tuple[str, ...]
    games: int | None
    others: str
    seed: int | None
    as_json: bool
    connect_timeout: float | None
    memory: str
    processor: int
    processes: int
    file_size: str
    reply_timeout: float
    turn_timeout: float | None

    def clocks(self, seats: int) -> Clocks:
        """Return the clocks of a program in a game with this many seats."""
        return Clocks.for_seats(seats, self.reply_timeout, self.turn_timeout)

    def player(self, command: tuple[str, ...]) -> PlayerOptions:
        """Return how a command is launched; refuse if it cannot be."""
        limits = {name: getattr(self, name) for name in ("connect_timeout", *LIMITS)}
        return PlayerOptions.verified(
            {"command": command, "host": LOCALHOST, "listen": None, **limits}
        )


def play_on(log: Path, values: Mapping[str, Any]) -> NoReturn:
    """Play a recorded game on, show the results, and exit."""
    options = WhatIfOptions(**values)
    record, recorded = _read(log)
    try:
        variants = _parse_variants(options, recorded)
        for variant in variants:
            _verify(recorded, options.first, variant)
    except InvalidVariant as error:
        refuse(f"{log}: {error}")
    opponents = _opponents(recorded, options)
    setup = _setup(recorded, options, variants, opponents)
    counts = {
        variant: options.games or (PROGRAM_GAMES if isinstance(variant, ProgramPlayer) else GAMES)
        for variant in variants
    }
    try:
        results, stopped_by = _play_games(setup, counts, options)
    except StrategyFailed as error:
        refuse(str(error), 1)
    real = real_results(record, recorded.left_in)
    _show(report_of(str(log), options.first, setup, opponents, results, real), options)
    sys.exit(0 if stopped_by is None else 128 + stopped_by)


def _show(report: WhatIfReport, options: WhatIfOptions) -> None:
    if options.as_json:
        click.echo(json_text(as_json(report), indent=2))
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
        for name in PROGRAM_OPTIONS:
            if name in given(click.get_current_context()):
                raise click.UsageError(f"{dashed(name)} needs a COMMAND in one of the --seat.")
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


def _opponents(recorded: GameHistory, options: WhatIfOptions) -> tuple[Opponent, ...]:
    """Return who plays for each seat at the table, unless a variant does."""
    found = []
    at_table = {player.name for player in recorded.positions[options.first].players}
    for seat in recorded.header.seats:
        if seat.name not in at_table:
            continue
        if seat.kind == "house" and seat.strategy and _is_available(seat.strategy):
            found.append(Opponent(seat.name, seat.strategy, ""))
        else:
            found.append(Opponent(seat.name, options.others, _not_available(seat)))
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
    options: WhatIfOptions,
    variants: list[Variant],
    opponents: tuple[Opponent, ...],
) -> GameSetup:
    turn = options.first
    position = recorded.positions[turn]
    strategies = {each.strategy for each in variants if isinstance(each, BuiltIn | RecordedMove)}
    move: Answers = ()
    if any(isinstance(each, RecordedMove) for each in variants):
        move = move_of(position, recorded.responses(turn, recorded.movers[turn]))
    return GameSetup(
        recorded.names,
        position,
        recorded.header.seed if options.seed is None else options.seed,
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
    clocks = options.clocks(len(setup.names))
    with ExitStack() as entered:
        openers: dict[Variant, OpenSource] = {}
        for variant in counts:
            if isinstance(variant, ProgramPlayer):
                prepared = options.player(variant.words).prepared(_never_listening)
                _, openers[variant] = entered.enter_context(prepared)
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
