"""A starter: it plays legally in every position, and you choose what it aims for.

Usage: python3 player.py HOST PORT NAME

It needs only Python's standard library, and plays by all five rulebooks.
Copy it and change the functions under YOUR IDEA, near the end: they choose among what is legal
only. docs/reference/protocol.md has the messages and the rules.
Where one of them fails, that is printed, and the first legal choice is taken instead.
Exit codes: 0 the game ended and the score is printed; 1 there is no score, and standard error
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
from dataclasses import dataclass, replace
from html import escape
from typing import TypeVar

SIZES = (0, 2, 3, 4, 5, 6, 11, 21, 31, 41)  # from each of them on, a certificate costs:
PRICES = {
    "cheap": (0, 200, 300, 400, 500, 600, 700, 800, 900, 1000),
    "medium": (200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100),
    "expensive": (300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200),
}
COLUMNS, ROWS = 12, "ABCDEFGHI"
CERTIFICATES = 25  # of each hotel
LOOSE = ""  # stands in a board for an unincorporated tile


@dataclass(frozen=True)
class Rules:
    """A rulebook, as far as a player has to know it."""

    hotels: dict[str, str]  # in alphabetical order, with their price tiers
    revised: bool  # the other four differ from `revised` more than from each other
    cash: int  # of each player at the beginning
    safe: int  # tiles of a hotel that cannot be acquired
    large: int  # tiles of a hotel with which the game may end
    at_most: int  # certificates bought in a turn


HOTELS = {
    "American": "medium",
    "Continental": "expensive",
    "Festival": "medium",
    "Imperial": "medium",
    "Sackson": "cheap",
    "Tower": "expensive",
    "Worldwide": "cheap",
}
CORPORATIONS = {
    "America": "medium",
    "Fusion": "medium",
    "Hydra": "medium",
    "Phoenix": "expensive",
    "Quantum": "expensive",
    "Sackson": "cheap",
    "Zeta": "cheap",
}
RULEBOOKS = {
    "revised": Rules(HOTELS, True, 8000, 12, 40, 2),
    "classic": Rules(HOTELS, False, 6000, 11, 41, 3),
    "wikipedia": Rules(HOTELS, False, 6000, 11, 41, 3),
    "corporations": Rules(CORPORATIONS, False, 6000, 11, 41, 3),
    "digest": Rules(CORPORATIONS, False, 6000, 11, 41, 3),
}
rules = RULEBOOKS["revised"]  # those of this game: the answer to the sign-up names them

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
class Disposal:
    """How many certificates of an acquired hotel are sold, and how many traded two for one."""

    sell: int
    trade: int


Order = tuple[str, ...]  # the hotels of which one certificate each is bought
Players = dict[str, Holdings]  # by name, in turn order


class NoScoreError(Exception):
    """Why a game ended without a score; the text is printed."""


# The conversation --------------------------------------------------------------------------------
def play(connection: socket.socket, me: str) -> int:
    """Play one game and return the score."""
    send(connection, f'<signup name="{escape(me)}"/>')
    board: Board = {}  # the last position received: the board
    players: Players = {}  # and the players
    begun: Board = {}  # the board at the beginning of our turn
    after: Board = {}  # the board after our placement, which <players> of `revised` does not have
    for message in elements(connection):
        if message.find("player") is not None:
            players = read_players(message)
            board = read_board(message) if message.find("board") is not None else after
        match message.tag:
            case "signup":  # no answer: nothing is expected until the table is full
                use_rulebook(message.get("rulebook", "revised"))
                me = message.attrib["name"]  # with a suffix if the name was taken
            case "state" | "tile" | "market" | "holders":
                send(connection, "<void/>")
            case "replace":  # a hand without a playable tile
                send(connection, "<replace><true/></replace>")
            case "turn":
                begun = board
                moves = [move for tile in players[me].tiles for move in legal_moves(board, tile)]
                if not moves:
                    send(connection, f"<pbuy>{answered_order(board, board, players, me)}</pbuy>")
                    continue
                move = chosen_move(moves, board, players, me)
                after = move.board
                answer = placement_xml(move)
                if move.kind != "merge":  # in a merger the order is requested later
                    with_tile = players_after(board, players, me, move)
                    answer = f"<pbuy>{answer}{answered_order(board, after, with_tile, me)}</pbuy>"
                send(connection, answer)
            case "keep":
                hotels = [hotel.attrib["label"] for hotel in message.findall("hotel")]
                send(connection, keep_xml(chosen_keep(hotels, board, players, me)))
            case "dispose":
                send(connection, disposal_xml(chosen_disposal(message, board, players, me)))
            case "merger":  # a tile of the market, at a table of two
                moves = legal_moves(board, read_tiles(message)[0])
                send(connection, placement_xml(chosen_move(moves, board, players, me)))
            case "players":
                send(connection, answered_order(begun, board, players, me))
            case "score":
                send(connection, "<void/>")
                return next(int(r.attrib["score"]) for r in message if r.get("name") == me)
            case "ejected":
                raise NoScoreError(f"ejected ({message.get('reason')}): {message.text}")
            case _:
                raise NoScoreError(f"the referee sent <{message.tag}>, which is unknown")
    raise NoScoreError("the connection was closed before the score")


def use_rulebook(name: str) -> None:
    """Play by the rulebook of this name."""
    global rules
    if name not in RULEBOOKS:
        raise NoScoreError(f"the rulebook is {name}, not one of {', '.join(RULEBOOKS)}")
    rules = RULEBOOKS[name]


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
        raise NoScoreError(f"the referee sent invalid XML: {reason}") from reason


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
    """Read the players of a position; what is hidden of the others is guessed.

    Their cash is then what everybody began with; what neither the bank nor a visible player has of
    a hotel is divided evenly.
    """
    seats = position.findall("player")
    visible = [read_shares(seat) for seat in seats if not seat.get("certificates")]
    hidden, bank = len(seats) - len(visible), read_shares(position.find("bank"))
    players = {}
    for seat in seats:
        shares = read_shares(seat)
        if seat.get("certificates"):
            hidden -= 1
            for hotel in rules.hotels:
                unseen = CERTIFICATES - bank[hotel] - sum(other[hotel] for other in visible)
                shares[hotel] = unseen // (hidden + 1)
            visible.append(shares)
        cash = int(seat.get("cash", rules.cash))
        players[seat.attrib["name"]] = Holdings(cash, shares, read_tiles(seat))
    return players


def read_shares(parent: ET.Element | None) -> dict[str, int]:
    """Read the certificates of a player or the bank."""
    shares = dict.fromkeys(rules.hotels, 0)
    for share in parent.findall("share") if parent is not None else ():
        shares[share.attrib["name"]] = int(share.attrib["count"])
    return shares


def placement_xml(move: Move) -> str:
    """Write a placement; it names a hotel that is founded or survives, but not one that grows."""
    hotel = f'<hotel label="{move.hotel}"/>' if move.kind in ("found", "merge") else ""
    column, row = move.tile[:-1], move.tile[-1]
    return f'<placement><tile column="{column}" row="{row}"/>{hotel}</placement>'


def order_xml(order: Order, end: bool) -> str:
    """Write an order, with the declaration of the end if there is one."""
    inside = "".join(f'<hotel label="{hotel}"/>' for hotel in order) + ("<end/>" if end else "")
    return f"<order>{inside}</order>" if inside else "<order/>"


def disposal_xml(disposal: Disposal) -> str:
    """Write how many certificates are sold and traded."""
    return f'<dispose sell="{disposal.sell}" trade="{disposal.trade}"/>'


def keep_xml(kept: list[bool]) -> str:
    """Write which certificates are kept and which are returned."""
    return "<keep>" + "".join("<true/>" if keep else "<false/>" for keep in kept) + "</keep>"


# Choices -----------------------------------------------------------------------------------------
Choice = TypeVar("Choice")
failed: list[str] = []  # the choices of yours that have failed


def chosen_move(moves: list[Move], board: Board, players: Players, me: str) -> Move:
    """Ask your idea for a move."""
    expected = "one of the moves it was given"
    return tried(choose_move, moves, moves[0], expected, moves, board, players, me)


def chosen_keep(hotels: list[str], board: Board, players: Players, me: str) -> list[bool]:
    """Ask your idea what to keep."""
    answers = [list(kept) for kept in itertools.product((False, True), repeat=len(hotels))]
    expected = "a list of one true or false for each hotel"
    return tried(choose_keep, answers, answers[0], expected, hotels, board, players, me)


def chosen_disposal(question: ET.Element, board: Board, players: Players, me: str) -> Disposal:
    """Ask your idea what to sell and trade of an acquired hotel."""
    hotel, survivor = question.attrib["hotel"], question.attrib["survivor"]
    disposals = legal_disposals(players[me].shares[hotel], in_bank(players, survivor))
    expected = "one of the disposals it was given"
    given = (disposals, int(question.attrib["price"]), survivor, board, players, me)
    return tried(choose_disposal, disposals, disposals[0], expected, *given)


def answered_order(begun: Board, board: Board, players: Players, me: str) -> str:
    """Ask your idea for an order and, where it may be declared, for the end; write both.

    The end may be declared if that was allowed when the turn began, or is allowed now.
    """
    orders = legal_orders(board, players, me)
    expected = "one of the orders it was given"
    order = tried(choose_order, orders, orders[0], expected, orders, board, players, me)
    end = False
    if not rules.revised and (may_end(begun) or may_end(board)):
        end = tried(choose_end, [False, True], False, "true or false", board, players, me)
    return order_xml(order, end)


def tried(
    choose: Callable[..., Choice], legal: list[Choice], first: Choice, expected: str, *given: object
) -> Choice:
    """Ask your idea; where it fails, print why, and return the first legal choice."""
    try:
        choice = choose(*given)
        if choice in legal:
            return choice
        print(f"{choose.__name__} must return {expected}", file=sys.stderr, flush=True)
    except Exception:  # whatever it is, the game goes on
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
    hotels = [hotel for hotel in rules.hotels if hotel in touched]
    chain = connected(board, tile)
    if not hotels:
        unfounded = [hotel for hotel in rules.hotels if size(board, hotel) == 0]
        if touched and unfounded:
            return [Move("found", tile, hotel, laid(board, chain, hotel)) for hotel in unfounded]
        if touched and not rules.revised:  # with all seven on the board, none can be founded
            return []
        return [Move("alone", tile, LOOSE, laid(board, [tile], LOOSE))]
    safe = [hotel for hotel in hotels if size(board, hotel) >= rules.safe]
    if len(hotels) > 1 and len(safe) > (0 if rules.revised else 1):
        return []
    if LOOSE in touched and rules.revised:
        return []
    kind = "merge" if len(hotels) > 1 else "grow"
    cells = [*chain, *(cell for cell in board if board[cell] in hotels)]
    largest = max(size(board, hotel) for hotel in hotels)
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
    """Return the dollars for a certificate, 0 if it has no price.

    Only `revised` has prices off the board, and there none of a cheap hotel.
    """
    tiles = size(board, hotel)
    if tiles == 0 and not rules.revised:
        return 0
    return PRICES[rules.hotels[hotel]][sum(tiles >= least for least in SIZES) - 1]


def in_bank(players: Players, hotel: str) -> int:
    """Return how many certificates of a hotel the bank has."""
    return CERTIFICATES - sum(player.shares[hotel] for player in players.values())


def players_after(board: Board, players: Players, me: str, move: Move) -> Players:
    """Return the players after a move: what it would bring everybody.

    A founder gets a certificate, if the bank has one. A merger pays its bonuses, and here
    everybody then sells the certificates of the acquired hotels. `board` is the one before it.
    """
    tiles = [tile for tile in players[me].tiles if tile != move.tile]
    after = players | {me: replace(players[me], tiles=tiles)}
    if move.kind == "found" and in_bank(players, move.hotel) > 0:
        shares = players[me].shares
        after[me] = replace(after[me], shares=shares | {move.hotel: shares[move.hotel] + 1})
    if move.kind == "merge":
        for hotel in {board.get(cell, LOOSE) for cell in beside(move.tile)} - {LOOSE, move.hotel}:
            paid = bonuses(board, players, hotel)
            for name, player in after.items():
                money = paid.get(name, 0) + player.shares[hotel] * price(board, hotel)
                shares = player.shares | {hotel: 0}
                after[name] = replace(player, cash=player.cash + money, shares=shares)
    return after


def bonuses(board: Board, players: Players, hotel: str) -> dict[str, int]:
    """Return who gets which bonus if a hotel is acquired now, or paid out at the end.

    What the stock market gets at a table of two is not known before its tile is drawn.
    """
    cost = price(board, hotel)
    held = {name: player.shares[hotel] for name, player in players.items() if player.shares[hotel]}
    if len(held) == 1 and not rules.revised:  # the only holder gets both
        return dict.fromkeys(held, 15 * cost)
    due: dict[str, int] = {}
    places = [10 * cost, 5 * cost]  # the majority bonus, the minority bonus
    for count in sorted({*held.values()}, reverse=True):
        tied = [name for name in held if held[name] == count]
        pool, places = sum(places[: len(tied)]), places[len(tied) :]
        if pool:
            due |= dict.fromkeys(tied, pool if len(tied) == 1 else shared(pool, len(tied)))
    return due


def shared(bonus: int, holders: int) -> int:
    """Return what each of the tied holders gets: to the nearest dollar, or up to the next 100."""
    if rules.revised:
        return (2 * bonus + holders) // (2 * holders)
    return -(-bonus // (100 * holders)) * 100


def worth(board: Board, players: Players) -> dict[str, int]:
    """Return what everybody would have if the game were over: cash, certificates, bonuses."""
    money = {name: player.cash for name, player in players.items()}
    for hotel in rules.hotels:
        if size(board, hotel):
            for name, player in players.items():
                money[name] += player.shares[hotel] * price(board, hotel)
            for name, bonus in bonuses(board, players, hotel).items():
                money[name] += bonus
    return money


def may_end(board: Board) -> bool:
    """Return whether a player may declare the end: a large hotel, or none that is not safe."""
    sizes = [size(board, hotel) for hotel in rules.hotels if size(board, hotel)]
    return bool(sizes) and (max(sizes) >= rules.large or min(sizes) >= rules.safe)


def legal_orders(board: Board, players: Players, me: str) -> list[Order]:
    """Return every order that you can pay for and the bank can fill; the first is for nothing.

    Under `revised` all certificates of an order are of the same hotel.
    """
    orders: list[Order] = [()]
    for hotel in rules.hotels:
        before: list[Order] = [()] if rules.revised else orders
        most = in_bank(players, hotel) if price(board, hotel) else 0
        longer = [
            (*order, *[hotel] * count)
            for order in before
            for count in range(1, min(most, rules.at_most - len(order)) + 1)
        ]
        orders = orders + [o for o in longer if cost(board, o) <= players[me].cash]
    return orders


def cost(board: Board, order: Order) -> int:
    """Return the dollars that an order costs."""
    return sum(price(board, hotel) for hotel in order)


def legal_disposals(owned: int, left: int) -> list[Disposal]:
    """Return every way to sell and trade `owned` certificates; the first is to hold them all.

    The bank has `left` certificates of the survivor.
    """
    return [
        Disposal(sell, trade)
        for sell in range(owned + 1)
        for trade in range(0, min(owned - sell, 2 * left) + 1, 2)
    ]


# =================================================================================================
# YOUR IDEA
#
# Choices among what is legal. `board` maps each tile on the board to its hotel, `players` maps
# each name to what that player has, in turn order, the mover first, and `me` is your name:
# players[me].cash, players[me].shares["Tower"], players[me].tiles, board["3F"].
# The functions above are there for you to use: size, price, in_bank, beside; bonuses and worth, in
# dollars by name; players_after, which simulates a merger; rules.hotels and rules.revised.
# =================================================================================================
def choose_move(moves: list[Move], board: Board, players: Players, me: str) -> Move:
    """Choose one of the moves; each knows its kind, tile and hotel, and the board after it."""
    return next((move for move in moves if move.kind == "found"), moves[0])


def choose_keep(hotels: list[str], board: Board, players: Players, me: str) -> list[bool]:
    """Choose for each acquired hotel: True keeps your certificates, False sells (only `revised`).

    Board and players are the last ones received, from before the merging tile. Do not rely on
    another player's merger: that player can still be ejected, and then it never happened.
    """
    return [False for _ in hotels]  # money buys the next majority


def choose_disposal(
    disposals: list[Disposal], paid: int, survivor: str, board: Board, players: Players, me: str
) -> Disposal:
    """Choose what to do with an acquired hotel's certificates, except under `revised`.

    One that is sold brings `paid` dollars; two are traded for one of the survivor; the rest is
    held. Board and players are those after the bonuses.
    """
    one = price(board, survivor)
    return max(disposals, key=lambda d: d.sell * paid + d.trade // 2 * one)


def choose_order(orders: list[Order], board: Board, players: Players, me: str) -> Order:
    """Choose one of the orders; board and players are after the placement and its merger."""
    on_board = [order for order in orders if order and all(size(board, h) > 0 for h in order)]
    return min(on_board, key=lambda o: (cost(board, o) / len(o), -len(o)), default=())


def choose_end(board: Board, players: Players, me: str) -> bool:
    """Choose whether to declare the end, where that is allowed; never asked under `revised`."""
    money = worth(board, players)
    return money[me] == max(money.values())


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
