"""Which rows of the comparison of the rulebooks games have exercised, read from their events.

A row that forbids a placement counts where the player to move has such a tile: whether a referee
knows it shows when it judges the hand. Every other row counts when what it says has happened.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from ....game.board import Board
from ....game.market import takes_part
from ....game.placement import Kind, equal_acquired, largest_of, playable
from ....game.rulebook import DeadTiles, Rulebook
from ....game.state import State
from ....game.tiles import NEIGHBOURS, Tile, tiles_in
from ....game.turn import Ending
from ....game.violation import Violation
from ....protocol.faults import Reason
from ...refereeing.log.reader import read
from ...refereeing.log.verifier import Verifier
from ...refereeing.play import events
from ...refereeing.play.events import Event
from ...refereeing.view.fitted_table import Column, FittedTable
from ..rulebooks.rows import ROWS

SET_UP = (
    *("players", "cash", "tiles_in_hand", "certificates", "who_starts", "order_of_players"),
    *("may_see", "bank_is_known"),
)
"""The rows of every game."""
_OF_KIND = {
    Kind.SINGLETON: ("no_neighbour",),
    Kind.FOUNDING: ("founding", "founders_certificate"),
    Kind.GROWING: ("growing",),
    Kind.MERGING: ("merging", "sizes_before"),
}
_NO_ENDING = (Ending.INTERRUPTED, Ending.NO_MORE_TURNS, Ending.NOBODY_LEFT)


class RowReader:
    """Call it with every event of a game, also while it is played; ``rows`` are those so far.

    The rows are those that the game has exercised, by their slugs.
    """

    def __init__(self, rulebook: Rulebook, seats: int) -> None:
        self.rows: set[str] = set()
        self._rulebook = rulebook
        self._with_market = takes_part(rulebook, seats)
        self._before: State | None = None
        self._prices: dict[int, int] = {}
        self._bought = 0
        self._placed = self._over = False

    def __call__(self, event: Event) -> frozenset[str]:
        """Take an event, and return the rows that it exercises."""
        rows = frozenset(self._read(event))
        self.rows |= rows
        self._before = getattr(event, "state", self._before)
        return rows

    def _read(self, event: Event) -> Iterator[str]:
        match event:
            case events.StartTile():
                yield "start_tiles"
            case events.TurnBegan(state=state):
                yield from self._turn_began(state)
            case events.Placed(tile=tile, kind=kind, hotel=hotel):
                self._placed = True
                yield from self._placement(tile, kind, hotel)
            case events.MarketPlaced(tile=tile, kind=kind, hotel=hotel):
                yield "markets_tiles"
                if kind is Kind.MERGING:
                    yield from self._placement(tile, kind, hotel)
            case events.Acquired(hotel=hotel, price=price, state=state):
                self._prices[hotel] = price
                if not self._with_market:
                    yield from self._holders(hotel, price, state)
            case events.MarketDrew(hotel=hotel, shares=shares, state=state):
                yield "market_at_the_end" if self._over else "market_in_a_merger"
                price = state.price(hotel) if self._over else self._prices[hotel]
                yield from self._holders(hotel, price, state, shares)
            case events.Answered(question="keep" | "dispose"):
                yield from ("disposal", "who_is_asked")
            case events.Bought(hotel=hotel, shares=shares, state=state):
                yield from self._purchase(hotel, shares, state)
            case events.Drew():
                yield "draws"
            case events.SetAside() if self._rulebook.dead_tiles is DeadTiles.REPLACED:
                yield "dead_tiles"
            case events.Declared():
                yield "declaration"
            case events.Ejected(bag=bag) if bag is not None:
                yield "ejection"
            case events.Ended(ending=ending, state=state):
                self._over = True
                yield from self._ended(ending, state)
            case events.Ranked():
                yield "winner"

    def _turn_began(self, state: State) -> Iterator[str]:
        self._bought, self._placed, self._prices = 0, False, {}
        yield from SET_UP
        if self._with_market:
            yield "market"
        board, hand = state.board, state.mover.hand
        for tile in tiles_in(hand & board.unplayable):
            yield from _special(board, tile, self._rulebook)
        if hand & board.closed and self._rulebook.dead_tiles is DeadTiles.KEPT:
            yield "dead_tiles"
        if hand and not playable(state):
            yield "stuck_hand"
        short = state.players[-1].hand.bit_count() < self._rulebook.hand_size
        if not state.bag and short:
            yield "empty_bag"

    def _placement(self, tile: Tile, kind: Kind, hotel: int | None) -> Iterator[str]:
        assert self._before is not None, "a turn has begun"
        board = self._before.board
        special = [*_special(board, tile, self._rulebook)]
        yield from special
        if "eighth_hotel" not in special:
            yield from _OF_KIND[kind]
        if kind is Kind.MERGING and hotel is not None:
            if len(largest_of(board, board.touched(tile))) > 1:
                yield "survivor"
            if equal_acquired(board, tile, hotel):
                yield "order_of_acquired"

    def _holders(self, hotel: int, price: int, state: State, market: int = 0) -> Iterator[str]:
        """Yield the rows about the bonuses of a hotel, by who holds how many."""
        counts = sorted([market, *(player.shares[hotel] for player in state.players)])[::-1]
        counts = [count for count in counts if count]
        if len(counts) < 2:
            yield "sole_holder" if counts else "nobody_holds"
        place = 0
        for row in ("majority_tie", "minority_tie")[: len(counts)]:
            tied = counts.count(counts[place])
            pool = sum(self._rulebook.bonus_multiples[place : place + tied]) * price
            if tied > 1:
                yield row
                if pool % (tied * self._rulebook.rounding_step):
                    yield "rounding"
            place += tied
            if place > 1:
                break
        if counts:
            yield "bonuses"

    def _purchase(self, hotel: int, shares: int, state: State) -> Iterator[str]:
        self._bought += shares
        yield from ("buys_of", "priced", f"{self._rulebook.hotels[hotel].tier}_hotels")
        if self._bought == self._rulebook.order_limit:
            yield "order_limit"
        if not state.board.sizes[hotel]:
            yield "prices_off_the_board"
        if not self._placed:
            yield "buys_without_placing"

    def _ended(self, ending: Ending, state: State) -> Iterator[str]:
        if ending in _NO_ENDING:
            return
        yield from ("regular_ending" if ending.regular else "irregular_ending", "pay_out")
        if ending is Ending.NOTHING_PLACEABLE:
            yield from ("stuck_hand", "buys_without_placing")
        if ending is Ending.BAG_EMPTY:
            yield "empty_bag"
        for hotel, size in enumerate(state.board.sizes):
            if size and not self._with_market:
                yield from self._holders(hotel, state.price(hotel), state)
            if not size and any(player.shares[hotel] for player in state.players):
                yield "worthless"


def _special(board: Board, tile: Tile, rulebook: Rulebook) -> Iterator[str]:
    """Yield the rows on which it depends whether or how a tile can be placed here."""
    touched = board.touched(tile)
    if NEIGHBOURS[tile] & board.loose:
        if touched:
            yield "absorbing" if len(touched) == 1 else "merging_beside_loose"
        elif 0 not in board.sizes:
            yield "eighth_hotel"
    if len(touched) > 1 and board.sizes[largest_of(board, touched)[0]] >= rulebook.safe_size:
        yield "safe_from"
        if board.closed >> tile & 1:
            yield "forbidden_merger"


NOTHING = frozenset({"none", "no holder", "two cannot play", "there is no market"})
"""Cells of rows that a rulebook does not have."""
ENDINGS = [each for each in Ending if each not in (Ending.INTERRUPTED, Ending.NO_MORE_TURNS)]
"""How the rules can end a game."""
RULES = [
    *(each for each in Violation if each is not Violation.TOO_MANY),  # the schema has that limit
    *(Reason.MALFORMED, Reason.INVALID, Reason.OUT_OF_TURN, Reason.TIMED_OUT, Reason.DISCONNECTED),
]
"""What a player can be ejected for."""


def count_games(logs: Iterable[Path]) -> dict[str, Any]:
    """Count the games of some logs; ``UnreadableLog`` if a file is none.

    By rulebook: the number of games, of those that exercised each row that it has, and the
    slugs of the rows that none did. For all games: endings, and ejections by rule or reason. By
    log that diverges from the rules, and is counted as far as it holds: how.
    """
    rulebooks: dict[str, dict[str, Any]] = {}
    diverged: dict[str, str] = {}
    endings = {ending.value: 0 for ending in ENDINGS}
    ejections = {rule.value: 0 for rule in RULES}
    for path in logs:
        record = read(path)
        verdict = Verifier(record).verify()
        if verdict.divergence is not None:
            diverged[str(path)] = verdict.divergence
        rulebook = record.header.rulebook
        own = (row.slug for row in ROWS if row.cell(rulebook) not in NOTHING)
        none = {"games": 0, "rows": dict.fromkeys(own, 0)}
        found = rulebooks.setdefault(rulebook.id, none)
        found["games"] += 1
        reader = RowReader(rulebook, len(record.header.seats))
        for event in verdict.events:
            reader(event)
            if isinstance(event, events.Ended):
                endings[event.ending.value] = endings.get(event.ending.value, 0) + 1
            elif isinstance(event, events.Ejected):
                ejections[event.rule.value] = ejections.get(event.rule.value, 0) + 1
        for slug in reader.rows & found["rows"].keys():
            found["rows"][slug] += 1
    for found in rulebooks.values():
        found["missing"] = [slug for slug, count in found["rows"].items() if not count]
    happened = {"endings": endings, "ejections": ejections}
    return {"rulebooks": rulebooks, **happened, "diverged": diverged}


def draw_counts(counted: dict[str, Any]) -> RenderableType:
    """Draw it for a terminal: in how many games each row was exercised, and what is missing."""
    found = counted["rulebooks"]
    table = FittedTable(Column("row", text=True), *map(Column, found), dense=True)
    for row in ROWS:
        counts = [each["rows"].get(row.slug) for each in found.values()]
        if counts != [None] * len(counts):
            cells = ["" if count is None else str(count or "-") for count in counts]
            table.add_row(f"{row.section}: {row.title}", *cells)
    sums = []
    for name, each in found.items():
        of = len(each["rows"])
        done = f"{of - len(each['missing'])} of {of} rows exercised"
        sums.append(f"{name}: {done}, games: {each['games']}.")
    lists = [_list(each.capitalize(), counted[each]) for each in ("endings", "ejections")]
    return Group(table, *map(Text, ["", *sums, "", *lists]))


def _list(title: str, counts: dict[str, int]) -> str:
    """Write the counts on a line, the most frequent first, and below it what never happened."""
    most_first = sorted(counts.items(), key=lambda each: -each[1])
    happened = [f"{name} {count}" for name, count in most_first if count]
    never = [name for name, count in counts.items() if not count]
    return f"{title}: {', '.join(happened) or 'none'}\n  never: {', '.join(never) or 'none'}"
