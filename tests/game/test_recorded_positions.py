"""Texts of moves and positions with which another program is tested, under the rules of `classic`.

Every move in them is made again; every one that was refused there is refused here, for the same
reason. The texts begin in any way, with one player or with teams, so the positions are laid out and
not dealt. Some are told as one player or a watcher sees a game: then hands are partly unknown.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from classic_oracle import HOTELS, UNKNOWN, Due, Move, Reason, Sheet, by_hotel, over_by
from classic_table import Table
from oracle_files import CLASSIC_POSITIONS, oracle_files

from acquire.game.disposal import Disposal, verify_disposal
from acquire.game.placement import Placement, verify_placement
from acquire.game.purchase import verify_order
from acquire.game.rulebooks import CLASSIC
from acquire.game.tiles import ROWS, TILE_NAMES, Tile, parse_tile, tile_name
from acquire.game.violation import Illegal, Violation
from acquire.protocol import messages
from acquire.protocol.faults import Fault
from acquire.protocol.faults import Reason as FaultReason
from acquire.protocol.reading import player_reader

# Of the texts that are counted here, one after the other by name, and what is in them.
SHA256 = "6a6f0403c102af8110d011670373346394411a431f217c097e8c744757bbe5a6"
TEXTS, MOVES, REFUSED, POSITIONS = 33, 1_690, 36, 83
DIFFERENCES = {Reason.DECLARATION: 9, Reason.REPLACED_AGAIN: 21, Reason.ALL_TILES: 4}

CHAINS = "LTAFWCI"
"""The chains in the order of their numbers and of the columns of a score sheet."""
SIGNS = str.maketrans({"·": ".", "█": "X"})

# -- reading -------------------------------------------------------------------------------------


class Text(NamedTuple):
    """A text: how many play, the bag as far as it is told, and the moves, the start first."""

    players: int
    bag: list[Tile | None]
    moves: list[Move]


def tile_or_unknown(name: str) -> Tile | None:
    """A tile by its name; ``None`` for one that is not told."""
    return None if name == UNKNOWN else parse_tile(name)


@cache
def read_text(path: Path) -> Text:
    """Read a text, up to what the program itself keeps of the game."""
    story, _, _ = path.read_text(encoding="utf-8").partition("\nGame JSON:")
    header, *parts = story.split("\n\n")
    players = len(re.findall(r"^user: ", header, re.M))
    bag = listed(header, "tile bag")
    told = [part for part in parts if part.strip()]
    moves = [read_move(part.strip("\n"), players) for part in told]
    shown = [name for part in told for name in listed(part, "revealed tile bag tiles")]
    return Text(players, [tile_or_unknown(name) for name in [*bag, *shown]], moves)


def listed(text: str, what: str) -> list[str]:
    """The items of a line such as ``revealed tile bag tiles: 7F, ?``; none without the line.

    The same is told again, indented, with a position.
    """
    found = re.search(rf"^{what}: (.*)$", text, re.M)
    return found[1].split(", ") if found else []


def read_move(part: str, players: int) -> Move:
    """Read one move with what is told before and after it."""
    action = re.search(r"^action: (\d) (\w+) ?(.*)$", part, re.M)
    assert action, f"no action in {part!r}"
    shows: dict[int, list[Tile]] = {}
    for item in listed(part, "revealed tile rack tiles"):
        name, _, player = item.partition(":")
        shows.setdefault(int(player), []).append(parse_tile(name))
    able = listed(part, "player ID with playable tile")
    error = re.search(r"^  error: (.*)$", part, re.M)
    told = part[action.end() :].strip("\n")
    return Move(
        int(action[1]),
        action[2],
        **arguments(action[2], action[3]),
        error=error and error[1],
        shows=shows,
        able=int(able[0]) if able else None,
        told=read_sheet(told.splitlines(), players) if told and not error else None,
    )


def arguments(action: str, text: str) -> dict[str, Any]:
    """What a move says, given as words or, after ``--``, as that program's own numbers."""
    if text.startswith("--"):
        numbers = json.loads(text.removeprefix("--"))
        chains = numbers.get("chains", [numbers["chain"]] if "chain" in numbers else [])
        return {
            "tile": numbered_tile(numbers["tile"]) if "tile" in numbers else "",
            "chains": tuple(map(numbered_chain, chains)),
            "end": numbers.get("endGame", False),
            "trade": numbers.get("tradeAmount", 0),
            "sell": numbers.get("sellAmount", 0),
        }
    match action, text.split():
        case "StartGame", []:
            return {}
        case "PlayTile", [tile]:
            return {"tile": tile}
        case "DisposeOfShares", [trade, sell]:
            return {"trade": int(trade), "sell": int(sell)}
        case "PurchaseShares", ["x", end]:
            return {"end": end == "1"}
        case "PurchaseShares", [chains, end]:
            return {"chains": tuple(chains.split(",")), "end": end == "1"}
        case _, [chain]:
            return {"chains": (chain,)}
    raise AssertionError(f"{action} {text}")


def numbered_tile(number: int) -> str:
    """The tile that a number stands for, column by column, or would stand for off the grid."""
    column, row = divmod(number, len(ROWS))
    return f"{column + 1}{ROWS[row]}"


def numbered_chain(number: int) -> str:
    """The chain that a number stands for, or the number."""
    return CHAINS[number] if 0 <= number < len(CHAINS) else str(number)


def read_sheet(lines: list[str], players: int) -> Sheet:
    """Read a position: the board and beside it the score sheet, then the racks and messages."""
    racks, said, due = (
        next(n for n, line in enumerate(lines) if line.strip().startswith(word))
        for word in ("tile racks:", "history messages:", "next action:")
    )
    _, *rows = [line[16:].ljust(32) for line in lines[:racks]]
    table = [[number(row[2 + 3 * n : 4 + 3 * n]) for n in range(len(CHAINS))] for row in rows]
    shares, (bank, sizes, prices) = table[:players], table[players : players + 3]
    hands = [line.split(":", 1)[1].split() for line in lines[racks + 1 : racks + 1 + players]]
    turns = [seat for seat, row in enumerate(rows[:players]) if row[0] == "T"]
    seat, action, *chains = lines[due].split(":", 1)[1].split()
    return Sheet(
        tuple(line[2:14].translate(SIGNS) for line in lines[: len(ROWS)]),
        tuple(100 * number(row[23:27]) for row in rows[:players]),
        tuple(100 * number(row[28:32]) for row in rows[:players]),
        tuple(by_hotel(owned, CHAINS) for owned in shares),
        by_hotel(bank, CHAINS),
        by_hotel(sizes, CHAINS),
        by_hotel([100 * price for price in prices], CHAINS),
        tuple(tuple(sorted(t.partition("(")[0] for t in hand if t != "none")) for hand in hands),
        over_by(lines[said + 1 : due]),
        turns[0] if turns else None,
        Due(int(seat), action, frozenset("".join(chains).replace(",", ""))),
        tuple(
            {t.partition("(")[0]: t[-2].translate(SIGNS) for t in hand if t[-1] == ")"}
            for hand in hands
        ),
    )


def number(text: str) -> int:
    """A number of a score sheet, where nothing and a dash are 0."""
    return int(text.strip().replace("-", "") or 0)


# -- saying it -----------------------------------------------------------------------------------

READER = player_reader(CLASSIC)


def words(table: Table, move: Move) -> str:
    """The element by which one of our players sends the same, well formed or not."""
    labels = [CLASSIC.hotel_name(HOTELS[c]) if c in HOTELS else c for c in move.chains]
    match move.action:
        case "PlayTile":
            return placement_element(move.tile, [])
        case "SelectNewChain" | "SelectMergerSurvivor":
            assert table.laid is not None
            return placement_element(tile_name(table.laid), labels)
        case "SelectChainToDisposeOfNext":
            assert table.merger is not None
            if move.chains[0] in HOTELS:
                _, survivor, equals = table.placement(HOTELS[move.chains[0]])
                assert survivor is not None
                labels = list(map(CLASSIC.hotel_name, [survivor, *equals]))
            return placement_element(tile_name(table.merger.placement.tile), labels)
        case "DisposeOfShares":
            return f'<dispose sell="{move.sell}" trade="{move.trade}"/>'
        case _:
            return f"<order>{hotel_elements(labels)}{'<end/>' if move.end else ''}</order>"


def placement_element(name: str, labels: list[str]) -> str:
    """A placement alone, of a tile that need not exist."""
    tile = f'<tile column="{name[:-1]}" row="{name[-1]}"/>'
    return f"<placement>{tile}{hotel_elements(labels)}</placement>"


def hotel_elements(labels: list[str]) -> str:
    """Hotels, which need not exist."""
    return "".join(f'<hotel label="{label}"/>' for label in labels)


def read(document: str) -> messages.PlayerMessage | Fault:
    """What the referee would receive."""
    return READER.convert(READER.parse(document.encode()), document.encode())


def message(table: Table, move: Move) -> messages.PlayerMessage:
    """What the referee should receive for a move that has the right form."""
    match move.action:
        case "PlayTile":
            return messages.Merge(Placement(parse_tile(move.tile)))
        case "DisposeOfShares":
            return messages.DisposeAnswer(move.sell, move.trade)
        case "PurchaseShares":
            return messages.Order(tuple(HOTELS[chain] for chain in move.chains), move.end)
        case _:
            return messages.Merge(table.placement(HOTELS[move.chains[0]]))


def well_formed(move: Move) -> bool:
    """Whether a move can be expressed: tiles, hotels, few enough, numbers of certificates."""
    counts = range(CLASSIC.certificates + 1)
    return (
        (move.action != "PlayTile" or move.tile in TILE_NAMES.values())
        and set(move.chains) <= set(HOTELS)
        and len(move.chains) <= CLASSIC.order_limit
        and move.trade in counts
        and move.sell in counts
    )


# -- refusing it ---------------------------------------------------------------------------------

REFUSALS: dict[str, set[Violation]] = {
    "tile is not a valid tile": set(),
    "player does not have given tile": {Violation.NOT_IN_HAND},
    "cannot play given tile": {Violation.TWO_SAFE, Violation.EIGHTH_HOTEL},
    "chain is not a valid chain": set(),
    "cannot select chain as the new chain": {Violation.HOTEL_ON_BOARD},
    "cannot select chain as the controlling chain": {Violation.NOT_INVOLVED, Violation.NOT_LARGEST},
    "cannot select chain as the next chain": {Violation.WRONG_EQUALS},
    "trade amount is not an integer >= 0": set(),
    "sell amount is not an integer >= 0": set(),
    "trade amount is not a multiple of 2": {Violation.ODD_TRADE},
    "cannot trade for more shares than are available": {Violation.TRADE_TOO_LARGE},
    "cannot trade and sell more shares than owned": {Violation.NOT_OWNED},
    "number of chains is larger than 3": {Violation.TOO_MANY},
    "a chain is not a valid chain": set(),
    "a requested chain does not exist on the board": {Violation.NO_PRICE},
    "more shares requested for a chain than are available": {Violation.SOLD_OUT},
    "not enough cash to pay for requested shares": {Violation.TOO_DEAR},
}
"""The rules of ours for each reason of a refusal; none where the form of the message is wrong."""


def refused(table: Table, move: Move) -> Illegal | None:
    """The verdict of our rules on a move whose parts exist."""
    match move.action:
        case "PlayTile":
            return verify_placement(table.state, Placement(parse_tile(move.tile)))
        case "DisposeOfShares":
            assert table.merger is not None
            disposed = Disposal(move.sell, move.trade)
            return verify_disposal(table.merger, table.asked[0], table.defunct, disposed)
        case "PurchaseShares":
            return verify_order(table.state, tuple(HOTELS[chain] for chain in move.chains))
        case _:
            return verify_placement(table.state, table.placement(HOTELS[move.chains[0]]))


def broken(table: Table, move: Move) -> set[Violation]:
    """All rules that a refused move breaks, of which ours and theirs may each name another."""
    parts = [move]
    if move.action == "PurchaseShares":
        parts += [move._replace(chains=(c,) * move.chains.count(c)) for c in set(move.chains)]
    found = {illegal.violation for part in parts if (illegal := refused(table, part))}
    if move.action == "DisposeOfShares" and table.merger is not None:
        left = table.merger.state.bank[table.merger.survivor]
        found |= {Violation.TRADE_TOO_LARGE} if move.trade > 2 * left else set()
    return found


def refuse(table: Table, move: Move) -> None:
    """Assert that a move which was refused is refused here for the reason given."""
    assert (move.player, move.action) == table.due[:2]
    assert move.error in REFUSALS, f"a reason that stands in no table: {move.error}"
    rules = REFUSALS[move.error]
    answer = read(words(table, move))
    if well_formed(move):
        assert answer == message(table, move)
    else:
        assert isinstance(answer, Fault) and answer.reason is FaultReason.INVALID
    if rules:
        assert refused(table, move) is not None
        assert rules & broken(table, move)
    else:
        assert not well_formed(move)


# -- playing it ----------------------------------------------------------------------------------


@cache
def replay(path: Path) -> list[tuple[int, Reason]]:
    """Make all moves of a text, assert that it agrees, and return the documented differences."""
    text = read_text(path)
    table = Table(text.players, text.bag)
    start, *moves = text.moves
    assert start.action == "StartGame"
    if start.told is not None:
        table.compare(start.told)
    for number, move in enumerate(moves, start=1):
        try:
            if move.error is not None:
                refuse(table, move)
            else:
                assert read(words(table, move)) == message(table, move)
                table.make(move)
        except AssertionError as failure:
            failure.add_note(f"at move {number}: {move}")
            raise
    return table.differences


def test_recorded_moves_are_made_and_refused_as_documented() -> None:
    for path in oracle_files(CLASSIC_POSITIONS):
        try:
            differences = replay(path)
        except AssertionError as failure:
            failure.add_note(f"in {path}")
            raise
        for number, reason in differences:
            print(f"{path}, move {number}: {reason.value}")  # pytest -rP shows them


def test_recorded_moves_are_counted() -> None:
    paths = oracle_files(CLASSIC_POSITIONS)
    content = b"".join(path.read_bytes() for path in paths)
    if sha256(content).hexdigest() != SHA256:
        pytest.skip("other texts than those that are counted here")
    moves = [move for path in paths for move in read_text(path).moves]
    assert len(paths) == TEXTS and len(moves) == MOVES
    assert sum(move.told is not None for move in moves) == POSITIONS
    errors = Counter(move.error for move in moves if move.error is not None)
    assert errors.total() == REFUSED and set(errors) == set(REFUSALS)
    assert Counter(reason for path in paths for _, reason in replay(path)) == DIFFERENCES
