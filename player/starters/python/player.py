"""A starter: it plays legally in every position, and you choose what it aims for.

Usage: python3 player.py HOST PORT NAME

It needs only Python's standard library. JavaScript and Java have the same program.
Copy it and change the three functions under YOUR IDEA, near the end: they choose among legal
moves only. docs/protocol.md has the messages and the rules, those of rulebook `revised`.
Where one of them fails, that is printed, and the first legal choice is taken instead.
Exit codes: 0 the match ended and the score is printed; 1 there is no score, and standard error
has the reason; 2 wrong usage; 3 as 0, but a choice of yours has failed.
"""

import contextlib
import itertools
import re
import socket
import sys
import traceback
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar
from xml.sax.saxutils import quoteattr

HOTELS = {  # in alphabetical order, with their price tiers
    "American": "medium",
    "Continental": "expensive",
    "Festival": "medium",
    "Imperial": "medium",
    "Sackson": "cheap",
    "Tower": "expensive",
    "Worldwide": "cheap",
}
SIZES = (0, 2, 3, 4, 5, 6, 11, 21, 31, 41)  # from each of them on, a certificate costs:
PRICES = {
    "cheap": (0, 200, 300, 400, 500, 600, 700, 800, 900, 1000),
    "medium": (200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100),
    "expensive": (300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200),
}
COLUMNS, ROWS = 12, "ABCDEFGHI"
CERTIFICATES, SAFE, AT_MOST = 25, 12, 2  # of a hotel; tiles; bought in a turn
LOOSE = ""  # stands in a board for an unincorporated tile

Board = dict[str, str]  # from each tile on the board, such as "3F", to its hotel, or LOOSE


@dataclass(frozen=True)
class Holdings:
    """What a player has: dollars, certificates of each hotel, tiles in hand."""

    cash: int
    shares: dict[str, int]
    tiles: list[str]


@dataclass(frozen=True)
class Move:
    """A legal placement: its tile, the hotel founded, grown or surviving, the board after it."""

    kind: str  # alone, found, grow or merge
    tile: str
    hotel: str
    board: Board


@dataclass(frozen=True)
class Order:
    """A legal order: how many certificates of which hotel."""

    hotel: str
    count: int


Players = dict[str, Holdings]  # by name, in turn order
NOTHING = Order("", 0)


class NoScoreError(Exception):
    """Why a match ended without a score; the text is printed."""


# The conversation --------------------------------------------------------------------------------
def play(connection: socket.socket, me: str) -> int:
    """Play one match and return the score."""
    send(connection, f"<signup name={quoteattr(me)}/>")
    board: Board = {}  # the last position received: the board
    players: Players = {}  # and the players
    after: Board = {}  # the board after our own placement, which a merger's messages do not have
    for message in elements(connection):
        match message.tag:
            case "signup":  # no answer: nothing is expected until the table is full
                if message.get("rulebook", "revised") != "revised":
                    raise NoScoreError(f"the rulebook is {message.get('rulebook')}, not revised")
                me = message.attrib["name"]  # with a suffix if the name was taken
            case "state":
                board, players = read_board(message), read_players(message)
                send(connection, "<void/>")
            case "tile":
                send(connection, "<void/>")
            case "turn":
                board, players = read_board(message), read_players(message)
                move = chosen_move(board, players, me)
                after = move.board
                answer = placement_xml(move)
                if move.kind != "merge":  # in a merger the order is requested later
                    order = chosen_order(after, players_after(players, me, move), me)
                    answer = f"<pbuy>{answer}{order_xml(order)}</pbuy>"
                send(connection, answer)
            case "keep":
                hotels = [hotel.attrib["label"] for hotel in message.findall("hotel")]
                send(connection, keep_xml(chosen_keep(hotels, board, players, me)))
            case "players":
                send(connection, order_xml(chosen_order(after, read_players(message), me)))
            case "score":
                send(connection, "<void/>")
                return next(int(r.attrib["score"]) for r in message if r.get("name") == me)
            case "ejected":
                raise NoScoreError(f"ejected ({message.get('reason')}): {message.text}")
            case _:
                raise NoScoreError(
                    f"the administrator sent <{message.tag}>, which is not in revised"
                )
    raise NoScoreError("the connection was closed before the score")


# The socket --------------------------------------------------------------------------------------
# Text before a tag or a comment, then the whole tag or comment. Quotes may hold anything, even >.
TAG = re.compile(
    rb"""[^<]*(<!--.*?-->|<\?.*?\?>|<(?![!?])(?:[^>"']|"[^"]*"|'[^']*')*>)""", re.DOTALL
)


def elements(connection: socket.socket) -> Iterator[ET.Element]:
    """Yield each element as soon as its end tag has arrived, until the connection is closed.

    TCP keeps the order of the bytes but not the pieces in which they were sent: a piece can end
    anywhere and can hold two elements. So an element ends where every open tag is closed.
    """
    received, seen, begin, depth = b"", 0, 0, 0
    while piece := receive(connection):
        received += piece
        while found := TAG.match(received, seen):
            tag, seen = found[1], found.end()
            if tag.startswith((b"<!", b"<?")):
                continue  # a comment, or an XML declaration
            if depth == 0:
                begin = found.start(1)
            if tag.startswith(b"</"):
                depth -= 1
            elif not tag.endswith(b"/>"):
                depth += 1
            if depth == 0:
                yield parsed(received[begin:seen])
                received, seen = received[seen:], 0


def parsed(element: bytes) -> ET.Element:
    """Parse a whole element."""
    try:
        return ET.fromstring(element)
    except ET.ParseError as reason:
        raise NoScoreError(f"the administrator sent invalid XML: {reason}") from reason


def receive(connection: socket.socket) -> bytes:
    """Wait for some bytes; there are none once the connection is closed."""
    try:
        return connection.recv(65536)
    except OSError as reason:
        raise NoScoreError(f"the connection was lost: {reason}") from reason


def send(connection: socket.socket, element: str) -> None:
    """Send an element."""
    with contextlib.suppress(OSError):  # if the connection is gone, reading reports it
        connection.sendall(element.encode())


# Messages ----------------------------------------------------------------------------------------
def read_tiles(parent: ET.Element) -> list[str]:
    """Read the tiles directly inside an element."""
    return [f"{int(tile.attrib['column'])}{tile.attrib['row']}" for tile in parent.findall("tile")]


def read_board(position: ET.Element) -> Board:
    """Read the board of a position: the unincorporated tiles, then each hotel's."""
    board = dict.fromkeys(read_tiles(position.findall("board")[0]), LOOSE)
    for hotel in position.findall("board/hotel"):
        board |= dict.fromkeys(read_tiles(hotel), hotel.attrib["name"])
    return board


def read_players(position: ET.Element) -> Players:
    """Read the players of a position."""
    players = {}
    for player in position.findall("player"):
        shares = dict.fromkeys(HOTELS, 0)
        for share in player.findall("share"):
            shares[share.attrib["name"]] = int(share.attrib["count"])
        cash = int(player.attrib["cash"])
        players[player.attrib["name"]] = Holdings(cash, shares, read_tiles(player))
    return players


def placement_xml(move: Move) -> str:
    """Write a placement; it names a hotel that is founded or survives, but not one that grows."""
    hotel = f'<hotel label="{move.hotel}"/>' if move.kind in ("found", "merge") else ""
    column, row = move.tile[:-1], move.tile[-1]
    return f'<placement><tile column="{column}" row="{row}"/>{hotel}</placement>'


def order_xml(order: Order) -> str:
    """Write an order."""
    hotels = f'<hotel label="{order.hotel}"/>' * order.count
    return f"<order>{hotels}</order>" if hotels else "<order/>"


def keep_xml(kept: list[bool]) -> str:
    """Write which certificates are kept and which are returned."""
    return "<keep>" + "".join("<true/>" if keep else "<false/>" for keep in kept) + "</keep>"


# Choices -----------------------------------------------------------------------------------------
Choice = TypeVar("Choice")
failed: list[str] = []  # the choices of yours that have failed


def chosen_move(board: Board, players: Players, me: str) -> Move:
    """Ask your idea for a move."""
    moves = [move for tile in players[me].tiles for move in legal_moves(board, tile)]
    expected = "one of the moves it was given"
    return tried(choose_move, moves, moves[0], expected, moves, board, players, me)


def chosen_keep(hotels: list[str], board: Board, players: Players, me: str) -> list[bool]:
    """Ask your idea what to keep."""
    answers = [list(kept) for kept in itertools.product((False, True), repeat=len(hotels))]
    expected = "a list of one true or false for each hotel"
    return tried(choose_keep, answers, answers[0], expected, hotels, board, players, me)


def chosen_order(board: Board, players: Players, me: str) -> Order:
    """Ask your idea for an order."""
    orders = legal_orders(board, players, me)
    expected = "one of the orders it was given"
    return tried(choose_order, orders, orders[0], expected, orders, board, players, me)


def tried(
    choose: Callable[..., Choice], legal: list[Choice], first: Choice, expected: str, *given: object
) -> Choice:
    """Ask your idea; where it fails, print why, and return the first legal choice."""
    try:
        choice = choose(*given)
        if choice in legal:
            return choice
        print(f"{choose.__name__} must return {expected}", file=sys.stderr, flush=True)
    except Exception:  # whatever it is, the match goes on
        traceback.print_exc()
    failed.append(choose.__name__)
    return first


# The rules ---------------------------------------------------------------------------------------
def beside(tile: str) -> list[str]:
    """Return the two to four cells beside a tile."""
    column, row = int(tile[:-1]), ROWS.index(tile[-1])
    cells = ((column, row - 1), (column - 1, row), (column + 1, row), (column, row + 1))
    return [f"{c}{ROWS[r]}" for c, r in cells if 1 <= c <= COLUMNS and 0 <= r < len(ROWS)]


def size(board: Board, hotel: str) -> int:
    """Return the number of tiles of a hotel: 0 if it is not on the board."""
    return list(board.values()).count(hotel)


def legal_moves(board: Board, tile: str) -> list[Move]:
    """Return the legal placements of a tile: one for each hotel it can name, or none at all."""
    touched = {board[cell] for cell in beside(tile) if cell in board}
    hotels = [hotel for hotel in HOTELS if hotel in touched]
    if not hotels:
        unfounded = [hotel for hotel in HOTELS if size(board, hotel) == 0]
        if not touched or not unfounded:  # with all seven on the board, none is founded
            return [Move("alone", tile, LOOSE, laid(board, [tile], LOOSE))]
        chain = connected(board, tile)
        return [Move("found", tile, hotel, laid(board, chain, hotel)) for hotel in unfounded]
    largest = max(size(board, hotel) for hotel in hotels)
    if LOOSE in touched or (len(hotels) > 1 and largest >= SAFE):
        return []
    kind = "merge" if len(hotels) > 1 else "grow"
    cells = [tile, *(cell for cell in board if board[cell] in hotels)]
    survivors = [hotel for hotel in hotels if size(board, hotel) == largest]
    return [Move(kind, tile, hotel, laid(board, cells, hotel)) for hotel in survivors]


def connected(board: Board, tile: str) -> list[str]:
    """Return the tile and all unincorporated tiles connected to it."""
    chain = [tile]
    for cell in chain:  # which grows during the loop
        chain += [c for c in beside(cell) if board.get(c) == LOOSE and c not in chain]
    return chain


def laid(board: Board, tiles: list[str], hotel: str) -> Board:
    """Return the board on which these are tiles of this hotel."""
    return board | dict.fromkeys(tiles, hotel)


def price(board: Board, hotel: str) -> int:
    """Return the dollars for a certificate, 0 if it has no price: a cheap hotel off the board."""
    tiles = size(board, hotel)
    return PRICES[HOTELS[hotel]][sum(tiles >= least for least in SIZES) - 1]


def in_bank(players: Players, hotel: str) -> int:
    """Return how many certificates of a hotel the bank has."""
    return CERTIFICATES - sum(player.shares[hotel] for player in players.values())


def players_after(players: Players, me: str, move: Move) -> Players:
    """Return the players after a move; a founder gets a certificate, if the bank has one."""
    tiles = [tile for tile in players[me].tiles if tile != move.tile]
    shares = dict(players[me].shares)
    if move.kind == "found" and in_bank(players, move.hotel) > 0:
        shares[move.hotel] += 1
    return players | {me: Holdings(players[me].cash, shares, tiles)}


def legal_orders(board: Board, players: Players, me: str) -> list[Order]:
    """Return every order that you can pay for and the bank can fill; the first is NOTHING."""
    orders = [NOTHING]
    for hotel in HOTELS:
        if cost := price(board, hotel):
            most = min(AT_MOST, in_bank(players, hotel), players[me].cash // cost)
            orders += [Order(hotel, count) for count in range(1, most + 1)]
    return orders


# =================================================================================================
# YOUR IDEA
#
# Three choices among legal moves. `board` maps each tile on the board to its hotel, `players`
# maps each name to what that player has, in turn order, the mover first, and `me` is your name:
# players[me].cash, players[me].shares["Tower"], players[me].tiles, board["3F"].
# The functions size, price, in_bank and beside, above, are there for you to use.
# =================================================================================================
def choose_move(moves: list[Move], board: Board, players: Players, me: str) -> Move:
    """Choose one of the moves; each knows its kind, tile and hotel, and the board after it."""
    return next((move for move in moves if move.kind == "found"), moves[0])


def choose_keep(hotels: list[str], board: Board, players: Players, me: str) -> list[bool]:
    """Choose for each acquired hotel, in this order: True keeps your certificates, False sells.

    Board and players are the last ones received, from before the merging tile. Do not rely on
    another player's merger: that player can still be ejected, and then it never happened.
    """
    return [False for _ in hotels]  # money buys the next majority


def choose_order(orders: list[Order], board: Board, players: Players, me: str) -> Order:
    """Choose one of the orders; board and players are after the placement and its merger."""
    on_board = [order for order in orders if size(board, order.hotel) > 0 and order != NOTHING]
    return min(on_board, key=lambda o: (price(board, o.hotel), -o.count), default=NOTHING)


# =================================================================================================
# END OF YOUR IDEA
# =================================================================================================
def main(arguments: list[str]) -> int:
    """Run the command line and return the exit code."""
    if len(arguments) != 3 or not re.fullmatch("[0-9]{1,5}", arguments[1]):
        print("Usage: python3 player.py HOST PORT NAME", file=sys.stderr)
        return 2
    host, port, name = arguments
    try:
        connection = socket.create_connection((host, int(port)))
    except (OSError, OverflowError) as reason:
        print(f"{name}: cannot connect to {host} port {port}: {reason}", file=sys.stderr)
        return 1
    try:
        with connection:
            print(play(connection, name))
    except NoScoreError as reason:
        print(f"{name}: {reason}", file=sys.stderr)
        return 1
    return 3 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
