"""Which rows of docs/reference/rulebooks.md positions and the golden games exercise."""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from command_line import printed, refused, succeed
from loops import for_each
from positions import move, scene

from acquire.admin.advising.coverage.coverage import NOTHING, SET_UP, RowReader
from acquire.admin.advising.rulebooks.rows import ROWS
from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.log.verifier import Verifier
from acquire.admin.refereeing.play import events
from acquire.game.merger import join
from acquire.game.placement import Kind, kind_of, place
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, REVISED, RULEBOOKS, WIKIPEDIA
from acquire.game.state import State
from acquire.game.turn import Ending

GOLDEN = Path(__file__).parents[1] / "golden"
LOGS = sorted(GOLDEN.glob("*.xml"))
NEVER = {
    "classic": {"nobody_holds", "stuck_hand"},
    "corporations": {"ejection", "irregular_ending", "merging_beside_loose", "nobody_holds"},
    "digest": {
        *("buys_without_placing", "empty_bag", "forbidden_merger", "irregular_ending"),
        *("nobody_holds", "stuck_hand"),
    },
    "revised": {"nobody_holds", "rounding"},
    "wikipedia": {"buys_without_placing", "ejection", "nobody_holds", "order_of_acquired"},
}
"""What no golden game has."""

SEVEN = "AA.CC.FF.II.\n\nSS.TT.WW\n\n\n\n\n\no"
SAFE = "AAAAAAAAAAAA\n\nSSSSSSSSSSSS\n\nFF"


def begun(state: State, seats: int = 3) -> set[str]:
    """The rows of the beginning of a turn, without those of every turn."""
    reader = RowReader(state.rulebook, seats)
    reader(events.TurnBegan(1, state.mover.name, state))
    return reader.rows - {*SET_UP}


def placed(state: State, choice: str) -> set[str]:
    """The rows of a placement without a merger, or of what is known when a merger begins."""
    reader = RowReader(state.rulebook, 3)
    reader(events.TurnBegan(1, state.mover.name, state._replace(bag=(0,))))
    reader.rows.clear()
    chosen = move(choice, state.rulebook)
    kind = kind_of(state.board, chosen.tile)
    merging = len(state.board.touched(chosen.tile)) > 1
    after = join(state, chosen).state if merging else place(state, chosen)
    reader(events.Placed(state.mover.name, chosen.tile, kind, chosen.hotel, after))
    return reader.rows


def held(rulebook: Rulebook, counts: Sequence[int], price: int, market: int) -> set[str]:
    """The rows about the bonuses of American, given who holds how many."""
    seats = [f"{name} A{count}" for name, count in zip("abcdef", counts, strict=False)]
    state = scene(rulebook, "AA", *seats)
    reader = RowReader(rulebook, len(seats))
    index = rulebook.hotel_index("American")
    reader(events.Acquired(1, index, 2, price, state))
    if market:
        reader(events.MarketDrew(index, 0, market, state))
    return reader.rows


@for_each(
    ("rulebook", "drawing", "tile", "rows"),
    [
        (REVISED, "AA.o", "3A", {"absorbing", "stuck_hand"}),
        (CLASSIC, "AA.o", "3A", set()),
        (REVISED, SEVEN, "2I", set()),
        (CLASSIC, SEVEN, "2I", {"eighth_hotel", "stuck_hand"}),
        (REVISED, "AA.SS\n..o", "3A", {"merging_beside_loose", "stuck_hand"}),
        (CLASSIC, "AA.SS\n..o", "3A", set()),
        (REVISED, "AA.SS", "3A", set()),
        (CLASSIC, SAFE, "5B", {"safe_from", "forbidden_merger", "stuck_hand"}),
        (REVISED, SAFE, "5B", {"safe_from", "forbidden_merger", "stuck_hand", "dead_tiles"}),
        (WIKIPEDIA, SAFE, "5B", {"safe_from", "forbidden_merger", "stuck_hand", "dead_tiles"}),
        (CLASSIC, SAFE, "1D", set()),
        (REVISED, SAFE, "1D", {"safe_from", "forbidden_merger", "stuck_hand", "dead_tiles"}),
        (CLASSIC, SAFE, "5F", set()),
    ],
)
def test_row_that_forbids_counts_with_such_a_tile_in_hand(
    rulebook: Rulebook, drawing: str, tile: str, rows: set[str]
) -> None:
    state = scene(rulebook, drawing, f"ann {tile}", "bob", "cyd")
    assert begun(state._replace(bag=(0,))) == rows


def test_empty_bag_counts_when_a_tile_was_due() -> None:
    full = "1I 2I 3I 4I 5I 6I"
    state = scene(CLASSIC, "", "ann 1A", "bob", f"cyd {full}")
    assert begun(state) == set()
    assert begun(scene(CLASSIC, "", "ann 1A", "bob", f"cyd {full[3:]}")) == {"empty_bag"}


@for_each(
    ("rulebook", "drawing", "choice", "rows"),
    [
        (REVISED, "AA", "9I", {"no_neighbour"}),
        (REVISED, "o", "2A A", {"founding", "founders_certificate"}),
        (REVISED, SEVEN, "2I", {"eighth_hotel"}),
        (REVISED, "AA", "3A", {"growing"}),
        (CLASSIC, "AA.o", "3A", {"growing", "absorbing"}),
        (CLASSIC, "AA.SSS", "3A S", {"merging", "sizes_before"}),
        (CLASSIC, "AA.SS", "3A S", {"merging", "sizes_before", "survivor"}),
        (
            CLASSIC,
            "AA.SS\n..o",
            "3A S",
            {"merging", "sizes_before", "survivor", "merging_beside_loose"},
        ),
        (CLASSIC, f"{12 * 'A'}\n\nFF", "1B A", {"merging", "sizes_before", "safe_from"}),
    ],
)
def test_placement_counts_with_what_it_does(
    rulebook: Rulebook, drawing: str, choice: str, rows: set[str]
) -> None:
    tile = choice.split()[0]
    assert placed(scene(rulebook, drawing, f"ann {tile}", "bob", "cyd"), choice) == rows


MAJORITY, MINORITY, MARKET = "majority_tie", "minority_tie", "market_in_a_merger"


@for_each(
    ("rulebook", "counts", "price", "market", "rows"),
    [
        (CLASSIC, [0, 0, 0], 300, 0, {"nobody_holds"}),
        (CLASSIC, [3, 0, 0], 300, 0, {"bonuses", "sole_holder"}),
        (CLASSIC, [3, 2, 1], 300, 0, {"bonuses"}),
        (CLASSIC, [3, 3, 1], 300, 0, {"bonuses", MAJORITY, "rounding"}),
        (CLASSIC, [3, 3, 0], 400, 0, {"bonuses", MAJORITY}),
        (REVISED, [3, 3, 1], 300, 0, {"bonuses", MAJORITY}),
        (REVISED, [3, 3, 3], 300, 0, {"bonuses", MAJORITY}),
        (CLASSIC, [3, 1, 1], 300, 0, {"bonuses", MINORITY, "rounding"}),
        (REVISED, [3, 1, 1], 300, 0, {"bonuses", MINORITY}),
        (REVISED, [3, 3, 1, 1], 300, 0, {"bonuses", MAJORITY}),
        (REVISED, [3, 1, 1, 1], 200, 0, {"bonuses", MINORITY, "rounding"}),
        (CLASSIC, [3, 0], 300, 2, {"bonuses", MARKET}),
        (CLASSIC, [3, 0], 300, 3, {"bonuses", MARKET, MAJORITY, "rounding"}),
    ],
)
def test_holders_of_an_acquired_hotel_count(
    rulebook: Rulebook, counts: Sequence[int], price: int, market: int, rows: set[str]
) -> None:
    """And so do a share that is rounded, and the stock market, which is a holder."""
    assert held(rulebook, counts, price, market) == rows


def test_purchase_counts_by_its_price_and_the_limit() -> None:
    state = scene(REVISED, "AA", "ann 1I A1", "bob", "cyd")
    reader = RowReader(REVISED, 3)
    american, festival = (REVISED.hotel_index(name) for name in ("American", "Festival"))
    reader(events.TurnBegan(1, "ann", state))
    reader(events.Placed("ann", 104, Kind.SINGLETON, None, state))
    reader.rows.clear()
    reader(events.Bought("ann", american, 1, 300, state))
    assert reader.rows == {"buys_of", "priced", "medium_hotels"}
    reader(events.Bought("ann", festival, 1, 200, state))
    assert reader.rows >= {"order_limit", "prices_off_the_board"}


@for_each(
    ("ending", "shares", "rows"),
    [
        (Ending.LARGE_HOTEL, "A1", {"regular_ending", "pay_out", "sole_holder", "bonuses"}),
        (Ending.BAG_EMPTY, "", {"irregular_ending", "pay_out", "nobody_holds", "empty_bag"}),
        (Ending.ALL_SAFE, "F1", {"regular_ending", "pay_out", "nobody_holds", "worthless"}),
        (Ending.INTERRUPTED, "A1", set()),
        (Ending.NOBODY_LEFT, "A1", set()),
    ],
)
def test_end_counts_with_its_pay_out(ending: Ending, shares: str, rows: set[str]) -> None:
    reader = RowReader(REVISED, 3)
    reader(events.Ended(ending, 9, scene(REVISED, "AA", f"ann {shares}", "bob", "cyd")))
    assert reader.rows == rows


@cache
def rows_of(log: Path) -> tuple[str, frozenset[str]]:
    """The rulebook of a log, and the rows that it exercises."""
    record = read(log)
    reader = RowReader(record.header.rulebook, len(record.header.seats))
    for event in Verifier(record).verify().events:
        reader(event)
    return record.header.rulebook.id, frozenset(reader.rows)


@for_each("name", RULEBOOKS)
def test_golden_games_exercise_all_but_these_rows(name: str) -> None:
    found: set[str] = set()
    for log in LOGS:
        rulebook, rows = rows_of(log)
        found |= rows if rulebook == name else set()
    due = {row.slug for row in ROWS if row.cell(RULEBOOKS[name]) not in NOTHING}
    assert due - found == NEVER[name]
    assert found <= due


SHOWN = {
    "declaration": "<declared ",
    "draws": "<drew ",
    "start_tiles": "<start-tile ",
    "market_in_a_merger": "<market-drew [^>]*/>(?=[^$]*<ended)",
    "markets_tiles": "<market-placed ",
    "ejection": "<ejected [^>]*>(<bytes>[^<]*</bytes>)?<bag>",
    "pay_out": '<ended ending="(?!interrupted|nobody-left|no-more)',
    "regular_ending": '<ended ending="(large-hotel|all-hotels-safe)"',
    "winner": "<ranked ",
    "disposal": '<answer [^>]*to="(keep|dispose)"',
    "founding": 'kind="founding"',
    "bonuses": "<bonus ",
}


@for_each("log", LOGS, ids=lambda log: log.name)
def test_rows_are_those_that_the_log_shows(log: Path) -> None:
    text, (_, rows) = log.read_text(), rows_of(log)
    for slug, pattern in SHOWN.items():
        assert (slug in rows) == bool(re.search(pattern, text)), slug


def test_command_counts_games_by_row_and_names_what_is_missing() -> None:
    logs = [log for log in LOGS if rows_of(log)[0] == "classic"]
    found = printed("coverage", *logs, "--json")
    classic = found["rulebooks"]["classic"]
    assert classic["games"] == len(logs)
    assert {*classic["missing"]} == NEVER["classic"]
    for slug in ("survivor", "declaration", "ejection"):
        assert classic["rows"][slug] == sum(slug in rows_of(log)[1] for log in logs)
    assert "prices_off_the_board" not in classic["rows"]
    text = " ".join(log.read_text() for log in logs)
    assert found["endings"]["dead-round"] == text.count('<ended ending="dead-round"')
    assert found["ejections"]["disconnected"] == text.count('reason="disconnected"')
    assert found["ejections"]["tile-not-in-hand"] == 0
    assert "illegal" not in found["ejections"]


def test_table_shows_each_row_and_what_never_happened() -> None:
    shown = succeed("coverage", GOLDEN / "revised-large-hotel.xml").output
    assert re.search(r"(?m)^Setup: cash +1$", shown)
    assert re.search(r"(?m)^A merger: nobody holds any +-$", shown)
    assert "the stock market" not in shown and "The end: a declaration" not in shown
    assert re.search(r"revised: \d+ of 47 rows exercised, games: 1\.", shown)
    assert "Endings: large-hotel 1\n  never: all-hotels-safe, " in shown
    assert "Ejections: none\n  never: tile-not-in-hand, " in shown


def test_log_that_diverges_is_counted_as_far_as_it_holds(tmp_path: Path) -> None:
    log = tmp_path / "false.xml"
    text = (GOLDEN / "revised-large-hotel.xml").read_text()
    log.write_text(re.sub(r'(<bought [^>]*amount=")\d', r"\g<1>7", text, count=1))
    done = succeed("coverage", log, code=1)
    assert "false.xml diverges, and is counted as far as it holds: line " in done.output
    assert "Expected the log of one game" in refused("coverage", __file__)
    assert "Missing argument" in refused("coverage")
