"""Texts of moves and positions with which another program is tested, under the rules of `classic`.

They are read here, and written and read as JSON, the form in which the repository has some of them.
"""

import gzip
import json
import re
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from classic_oracle import UNKNOWN, Due, Move, Over, Sheet, by_hotel, over_by
from pydantic import BeforeValidator, TypeAdapter

from acquire.game.tiles import ROWS, Tile, parse_tile, tile_name

CHAINS = "LTAFWCI"
"""The chains in the order of their numbers and of the columns of a score sheet."""
SIGNS = str.maketrans({"·": ".", "█": "X"})


def tile_or_unknown(name: str) -> Tile | None:
    """A tile by its name; ``None`` for one that is not told."""
    return None if name == UNKNOWN else parse_tile(name)


class Text(NamedTuple):
    """A text: how many play, the bag as far as it is told, and the moves, the start first."""

    players: int
    bag: list[Annotated[Tile | None, BeforeValidator(tile_or_unknown)]]
    moves: list[Move]


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


# -- as JSON -------------------------------------------------------------------------------------


def to_json(text: Text) -> str:
    """Write a text as one line."""
    bag = [UNKNOWN if tile is None else tile_name(tile) for tile in text.bag]
    moves = [_told(Move(-1, ""), move) for move in text.moves]
    return json.dumps(
        {"players": text.players, "bag": bag, "moves": moves}, default=_plain, separators=(",", ":")
    )


def _told(usual: Any, record: Any) -> dict[str, Any]:
    """The fields of a record that are not as usual."""
    told = record._asdict()
    for name, value in told.items():
        if isinstance(value, Sheet):
            told[name] = value._asdict()
    if isinstance(record, Move):
        told["shows"] = {
            player: list(map(tile_name, tiles)) for player, tiles in record.shows.items()
        }
    return {name: value for name, value in told.items() if value != getattr(usual, name)}


def _plain(value: object) -> object:
    if isinstance(value, Over):
        return value.value
    assert isinstance(value, frozenset)
    return sorted(value)


def texts_in(path: Path) -> list[Text]:
    """Read a compressed file of texts, one a line, each as it was before it was written."""
    adapter = TypeAdapter(Text)
    with gzip.open(path) as file:
        return list(map(adapter.validate_json, file))
