"""A match played on from the command line: what was asked for, the games, and what is told."""

import json
import sys
from collections.abc import Mapping
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import click

from admin.cli.console import refuse
from admin.cli.log_file import read_log
from admin.cli.player_command import Entrance, OpenDoor
from admin.cli.safe_console import SafeConsole
from admin.cli.whatif_options import CLOCKS, GAMES, LIMITS, VISITS, given
from admin.launching.program import find_program
from admin.log.reader import RecordedMatch
from admin.log.writer import SeatRecord
from admin.match.plugins import STRATEGIES, load_strategy, plugins
from admin.table.clocks import Clocks
from admin.table.run import run_until_stopped
from admin.trial.door import Door, Listening, NoShow
from admin.trial.recorded import CannotFollow, Recorded
from admin.whatif.playing import Played, Setting
from admin.whatif.recalling import Answers, move_of
from admin.whatif.report import Other, Report, actual_results, report_of
from admin.whatif.report_json import as_json
from admin.whatif.report_text import Bar, draw_report
from admin.whatif.variant import RECORDED, House, Launched, Move, NoVariant, Variant, read_variant
from admin.whatif.visiting import Visits
from protocol.messages import Order, Pbuy


@dataclass(frozen=True, slots=True)
class Wish:
    """The options of :func:`admin.cli.whatif_options.whatif_options` as they were given."""

    first: int
    seats: tuple[str, ...]
    games: int | None
    others: str
    seed: int | None
    as_json: bool
    patience: float | None
    memory: str
    processor: int
    processes: int
    file_size: str
    reply_timeout: float
    turn_timeout: float | None

    def clocks(self, seats: int) -> Clocks:
        """Return the clocks of a program in a match of so many seats."""
        return Clocks.for_seats(seats, self.reply_timeout, self.turn_timeout)

    def entrance(self, command: tuple[str, ...]) -> Entrance:
        """Return how the player of a command comes; refuse where there is none."""
        limits = {name: getattr(self, name) for name in LIMITS}
        return Entrance.of({"command": command, "host": "127.0.0.1", "listen": None, **limits})


def play_on(log: Path, options: Mapping[str, Any]) -> NoReturn:
    """Play a recorded match on as the options say, show what came of it, and exit."""
    wish = Wish(**options)
    record, recorded = _read(log)
    try:
        variants = _variants(wish, recorded)
        for variant in variants:
            _verify(recorded, wish.first, variant)
    except NoVariant as error:
        refuse(f"{log}: {error}")
    others = _others(recorded, wish)
    setting = _setting(recorded, wish, variants, others)
    games = {
        variant: wish.games or (VISITS if isinstance(variant, Launched) else GAMES)
        for variant in variants
    }
    found, stopped_by = _played(setting, games, wish)
    report = report_of(
        str(log), wish.first, setting, others, found, actual_results(record, recorded.left_in)
    )
    _show(report, wish)
    sys.exit(0 if stopped_by is None else 128 + stopped_by)


def _show(report: Report, wish: Wish) -> None:
    if wish.as_json:
        click.echo(json.dumps(as_json(report), ensure_ascii=False, indent=2))
    else:
        console = SafeConsole()
        plain = console.options.ascii_only
        console.print(draw_report(report, console.width, ascii_only=plain))


# -- what is asked for --------------------------------------------------------------------------


def _read(log: Path) -> tuple[RecordedMatch, Recorded]:
    record = read_log(log)
    try:
        return record, Recorded(record)
    except CannotFollow as error:
        refuse(f"{log}: {error}", 1)


def _variants(wish: Wish, recorded: Recorded) -> list[Variant]:
    """Read who is to take which seat; ``NoVariant`` where that cannot be."""
    strategies = plugins(STRATEGIES)
    variants: list[Variant] = []
    for text in wish.seats:
        variant = read_variant(text, recorded.names, strategies, wish.others)
        if isinstance(variant, Launched):
            _verify_word(text, variant.words)
        if variant in variants:
            raise NoVariant(f"--seat {text!r} is given twice. Give each player once.")
        variants.append(variant)
    if not any(isinstance(variant, Launched) for variant in variants):
        for name in (*LIMITS, *CLOCKS):
            if name in given(click.get_current_context()):
                option = name.replace("_", "-")
                raise click.UsageError(f"--{option} is for a COMMAND, and no --seat gives one.")
    return variants


def _verify_word(text: str, words: tuple[str, ...]) -> None:
    """``NoVariant`` for a word that may be a misspelt strategy; commands are seen to later."""
    if len(words) == 1 and find_program(words[0], Path.cwd()) is None:
        known = ", ".join(plugins(STRATEGIES))
        raise NoVariant(
            f"--seat {text!r}: {words[0]!r} is neither {RECORDED!r}, nor a strategy ({known}), nor "
            "a program that can be found."
        )


def _verify(recorded: Recorded, turn: int, variant: Variant) -> None:
    """``NoVariant`` where nobody can take the seat in this turn, or no such move was made."""
    seat = variant.seat
    if turn not in recorded.positions:
        last = max(recorded.positions, default=0)
        raise NoVariant(f"--from {turn}: the match has turns 1 to {last}.")
    if all(player.name != seat for player in recorded.positions[turn].players):
        left = recorded.left_in[seat]
        when = f"ejected in turn {left}" if left else "ejected at the set-up"
        raise NoVariant(f"--from {turn}: {seat!r} was not at the table any more ({when}).")
    if not isinstance(variant, Move):
        return
    mover = recorded.movers[turn]
    if mover != seat:
        mine = [number for number, name in recorded.movers.items() if name == seat]
        near = min(mine, key=lambda number: abs(number - turn), default=None)
        other = f" Give a turn of {seat!r}, such as {near}." if near else ""
        raise NoVariant(
            f"--seat {seat}=recorded: in turn {turn} it was {mover!r} who moved.{other}"
        )
    whole = any(isinstance(said, Pbuy | Order) for _, said in recorded.said(turn, seat))
    if recorded.left_in.get(seat) == turn or not whole:
        raise NoVariant(f"--seat {seat}=recorded: in turn {turn} {seat!r} made no whole move.")


def _others(recorded: Recorded, wish: Wish) -> tuple[Other, ...]:
    """Say who plays for whom at the table, unless a variant does."""
    strategies, found = plugins(STRATEGIES), []
    at_table = {player.name for player in recorded.positions[wish.first].players}
    for seat in recorded.header.seats:
        if seat.name not in at_table:
            continue
        if seat.kind == "house" and seat.strategy in strategies:
            found.append(Other(seat.name, seat.strategy, ""))
        else:
            found.append(Other(seat.name, wish.others, _not_asked_again(seat)))
    return tuple(found)


def _not_asked_again(seat: SeatRecord) -> str:
    """Say who sat there in the match, who cannot play on."""
    if seat.kind != "house":
        return "a program, which cannot be asked again"
    if seat.strategy is None:
        return "a player whose strategy the log does not name"
    return f"the strategy {seat.strategy!r}, which is not installed"


def _setting(
    recorded: Recorded, wish: Wish, variants: list[Variant], others: tuple[Other, ...]
) -> Setting:
    position = recorded.positions[wish.first]
    seed = recorded.header.seed if wish.seed is None else wish.seed
    asked = {each.strategy for each in variants if isinstance(each, House | Move)}
    move: Answers = ()
    if any(isinstance(each, Move) for each in variants):
        move = move_of(position, recorded.said(wish.first, recorded.movers[wish.first]))
    return Setting(
        recorded.names,
        position,
        seed,
        {other.name: load_strategy(other.strategy) for other in others},
        {strategy: load_strategy(strategy) for strategy in asked},
        move,
    )


# -- the games ----------------------------------------------------------------------------------


def _played(
    setting: Setting, games: dict[Variant, int], wish: Wish
) -> tuple[dict[Variant, list[Played]], int | None]:
    """Play all games; return what they came to, and the signal that stopped it, if one did."""
    found: dict[Variant, list[Played]] = {variant: [] for variant in games}
    clocks = wish.clocks(len(setting.names))
    with ExitStack() as entered:
        ways: dict[Variant, OpenDoor] = {}
        for variant in games:
            if isinstance(variant, Launched):
                opened = wish.entrance(variant.words).opened(_nowhere)
                _, ways[variant] = entered.enter_context(opened)
        bar = entered.enter_context(Bar(SafeConsole(stderr=True), sum(games.values())))

        def tell(variant: Variant, played: Played) -> None:
            found[variant].append(played)
            bar.advance(variant)

        async def main() -> None:
            async with AsyncExitStack() as open_doors:
                doors: dict[Variant, Door] = {
                    variant: await open_doors.enter_async_context(way())
                    for variant, way in ways.items()
                }
                await Visits(setting, doors, clocks, tell).play(games)

        try:
            return found, run_until_stopped(main)
        except NoShow as absent:
            why = absent
    _absent(why)


def _nowhere(door: Listening) -> None:
    """Take where a player connects by itself: none does."""


def _absent(absent: NoShow) -> NoReturn:
    left = absent.departure
    output = left.output.decode(errors="replace") if left else ""
    how = f" {left.how}" if left else ""
    click.echo(f"The player did not come. {absent}{how}\n{output}".rstrip(), err=True)
    sys.exit(1)
