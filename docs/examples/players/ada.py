"""Ada founds hotels and lets them grow: an example player, Python's standard library only.

Usage: python3 ada.py HOST PORT NAME

To make a player of your own, change the idea, at the end: all it chooses among is legal.
Messages and rules are those of docs/protocol.md, rulebook `revised`.
Exit codes: 0 the score has come; 1 ejected or disconnected, why is said on standard error;
2 not called as above.
"""

import contextlib
import re
import socket
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

CHEAP, DEAR = ("Sackson", "Worldwide"), ("Continental", "Tower")  # the others lie between
HOTELS = (*CHEAP, "American", "Festival", "Imperial", *DEAR)
STEPS = (2, 3, 4, 5, 6, 11, 21, 31, 41)  # at each of these sizes the price rises by $100
COLUMNS, ROWS = range(1, 13), "ABCDEFGHI"
CERTIFICATES, SAFE, AT_MOST = 25, 12, 2  # of a hotel; tiles; bought in a turn

Tile = tuple[int, str]  # column and row
Board = dict[Tile, str]  # whose tile lies on a cell: a hotel's, or LOOSE for unincorporated ones
LOOSE = ""


class Player(NamedTuple):
    """What a player has: dollars, certificates by hotel, tiles in hand."""

    cash: int
    shares: dict[str, int]
    hand: list[Tile]


class Move(NamedTuple):
    """A legal placement: its tile, the hotel founded, grown or surviving, the board after it."""

    kind: str  # alone, found, grow or merge
    tile: Tile
    hotel: str
    board: Board


# The conversation --------------------------------------------------------------------------------
def play(connection: socket.socket, name: str) -> int:
    """Play one match and return the score; raise OSError if none comes."""
    connection.sendall(f"<signup name={quoteattr(name)}/>".encode())
    board: Board = {}
    for said in elements(connection):
        answer = "<void/>"
        if said.tag == "signup":
            if said.get("rulebook", "revised") != "revised":
                raise ConnectionError(f"Ada does not know the rulebook {said.get('rulebook')}")
            name = said.attrib["name"]  # ours from now on: with a suffix if the other was taken
            continue  # nothing is due until the table is full
        if said.tag == "turn":
            players, board = read_players(said), read_board(said[0])
            moves = [move for tile in players[name].hand for move in placements(board, tile)]
            move = choose_move(moves, players[name])
            board = move.board  # kept: after a merger only the players are told
            answer = placement_xml(move)
            if move.kind != "merge":  # in a merger the order is asked for later
                founded = move.hotel if move.kind == "found" else ""
                answer = f"<pbuy>{answer}{order_xml(board, players, name, founded)}</pbuy>"
        elif said.tag == "keep":  # one answer for each hotel: Ada takes the money, to buy again
            answer = f"<keep>{'<false/>' * len(said)}</keep>"
        elif said.tag == "players":
            answer = order_xml(board, read_players(said), name)
        elif said.tag == "score":
            with contextlib.suppress(OSError):  # the score stands, whoever is still listening
                connection.sendall(answer.encode())
            return next(int(r.attrib["score"]) for r in said if r.get("name") == name)
        elif said.tag == "ejected":
            raise ConnectionError(f"ejected ({said.get('reason')}): {said.text}")
        connection.sendall(answer.encode())  # void, if it was state or tile
    raise ConnectionError("the connection was closed before the score")


# The socket --------------------------------------------------------------------------------------
TAG = re.compile(rb"""<(?:[^>"']|"[^"]*"|'[^']*')*>""")  # in quotes anything may stand, even >


def elements(connection: socket.socket) -> Iterator[ET.Element]:
    """Yield each element as soon as its end tag is there, until the connection is closed.

    TCP keeps the order of the bytes, not the pieces in which they were sent: a piece can end
    anywhere and can hold two elements. So an element ends where every tag opened is closed.
    """
    received, seen, depth = b"", 0, 0
    while piece := connection.recv(65536):
        received += piece
        while tag := TAG.search(received, seen):
            seen = tag.end()
            if tag[0].startswith(b"</"):
                depth -= 1
            elif not tag[0].endswith(b"/>"):
                depth += 1
            if depth == 0:
                yield ET.fromstring(received[:seen].strip())
                received, seen = received[seen:], 0


# What is said ------------------------------------------------------------------------------------
def read_tiles(parent: ET.Element) -> list[Tile]:
    """Read the tiles directly inside an element."""
    return [(int(tile.attrib["column"]), tile.attrib["row"]) for tile in parent.findall("tile")]


def read_board(board: ET.Element) -> Board:
    """Read a board: the unincorporated tiles, then each hotel's."""
    cells = dict.fromkeys(read_tiles(board), LOOSE)
    for hotel in board.findall("hotel"):
        cells |= dict.fromkeys(read_tiles(hotel), hotel.attrib["name"])
    return cells


def read_players(position: ET.Element) -> dict[str, Player]:
    """Read the players of a position by name."""
    return {
        player.attrib["name"]: Player(
            int(player.attrib["cash"]),
            {share.attrib["name"]: int(share.attrib["count"]) for share in player.iter("share")},
            read_tiles(player),
        )
        for player in position.findall("player")
    }


def placement_xml(move: Move) -> str:
    """Write a placement, which names a hotel that is founded or survives, not one that grows."""
    hotel = f'<hotel label="{move.hotel}"/>' if move.kind in ("found", "merge") else ""
    column, row = move.tile
    return f'<placement><tile column="{column}" row="{row}"/>{hotel}</placement>'


def order_xml(board: Board, players: dict[str, Player], name: str, founded: str = "") -> str:
    """Write the order of what is wanted of what can be had."""
    hotel, count = choose_order(board, offers(board, players, name, founded), players[name])
    return "<order>" + f'<hotel label="{hotel}"/>' * count + "</order>"


# The rules ---------------------------------------------------------------------------------------
def beside(tile: Tile) -> list[Tile]:
    """Return the two to four cells beside a tile."""
    column, row = tile[0], ROWS.index(tile[1])
    cells = ((column, row - 1), (column, row + 1), (column - 1, row), (column + 1, row))
    return [(c, ROWS[r]) for c, r in cells if c in COLUMNS and r in range(len(ROWS))]


def size(board: Board, hotel: str) -> int:
    """Return how many tiles a hotel has: 0 if it is not on the board."""
    return list(board.values()).count(hotel)


def placements(board: Board, tile: Tile) -> list[Move]:
    """Return the legal placements of a tile: one for each hotel that can be named, or none."""
    touched = {board[cell] for cell in beside(tile) if cell in board}
    hotels = touched - {LOOSE}
    unfounded = [hotel for hotel in HOTELS if hotel not in board.values()]
    if not touched or (not hotels and not unfounded):
        return [Move("alone", tile, LOOSE, board | {tile: LOOSE})]
    if not hotels:
        chain = connected(board, tile)
        return [Move("found", tile, h, board | dict.fromkeys(chain, h)) for h in unfounded]
    largest = max(size(board, hotel) for hotel in hotels)
    if LOOSE in touched or (len(hotels) > 1 and largest >= SAFE):
        return []
    kind = "merge" if len(hotels) > 1 else "grow"
    survivors = [hotel for hotel in sorted(hotels) if size(board, hotel) == largest]
    cells = {tile, *(cell for cell in board if board[cell] in hotels)}
    return [Move(kind, tile, h, board | dict.fromkeys(cells, h)) for h in survivors]


def connected(board: Board, tile: Tile) -> set[Tile]:
    """Return the tile and all unincorporated tiles that hang together with it."""
    chain, edge = {tile}, [tile]
    while edge:
        more = {cell for cell in beside(edge.pop()) if board.get(cell) == LOOSE} - chain
        chain |= more
        edge += more
    return chain


def price(board: Board, hotel: str) -> int:
    """Return dollars for a certificate, 0 if it has no price: a cheap hotel off the board."""
    tiles = size(board, hotel)
    if tiles == 0 and hotel in CHEAP:
        return 0
    base = 100 if hotel in CHEAP else 300 if hotel in DEAR else 200
    return base + 100 * sum(tiles >= step for step in STEPS)


def offers(board: Board, players: dict[str, Player], name: str, founded: str) -> dict[str, int]:
    """Return how many certificates can be bought, at least one, of which hotels."""
    most = {}
    for hotel in [hotel for hotel in HOTELS if price(board, hotel)]:
        left = CERTIFICATES - sum(player.shares.get(hotel, 0) for player in players.values())
        left -= hotel == founded  # its founder is given one first, if there is one
        if (count := min(AT_MOST, left, players[name].cash // price(board, hotel))) > 0:
            most[hotel] = count
    return most


# The idea ----------------------------------------------------------------------------------------
ENOUGH = 4  # certificates of one hotel: a few of many win more bonuses than many of a few


def choose_move(moves: list[Move], me: Player) -> Move:
    """Found the dearest hotel that can be; else let that grow of which Ada holds most."""
    dearest = max(moves, key=lambda move: (move.kind == "found") * price(move.board, move.hotel))
    largest = max(moves, key=lambda move: me.shares.get(move.hotel, 0))
    return dearest if dearest.kind == "found" else largest


def choose_order(board: Board, most: dict[str, int], me: Player) -> tuple[str, int]:
    """Buy the cheapest hotel with room to grow, those of which Ada has not enough first."""
    growing = [hotel for hotel in most if room(board, hotel) > 0]
    ranks = {h: (me.shares.get(h, 0) >= ENOUGH, price(board, h)) for h in growing}  # False first
    hotel = min(growing, key=lambda h: ranks[h], default="")
    return hotel, most.get(hotel, 0)


def room(board: Board, hotel: str) -> int:
    """Count the empty cells beside a hotel."""
    around = {cell for tile in board if board[tile] == hotel for cell in beside(tile)}
    return len(around - board.keys())


def main(arguments: list[str]) -> int:
    """Play as the command line says and return the exit code."""
    if len(arguments) != 3 or not arguments[1].isdecimal():
        print("Usage: python3 ada.py HOST PORT NAME", file=sys.stderr)
        return 2
    try:
        with socket.create_connection((arguments[0], int(arguments[1]))) as connection:
            print(play(connection, arguments[2]))
    except OSError as reason:
        print(f"ada: {reason}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
