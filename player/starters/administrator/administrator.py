"""An administrator to start from: it signs players up, and asks the first one for its turn.

Usage: python3 administrator.py --port PORT --players SEATS [--bag FILE]

It needs only Python's standard library, and serves rulebook `revised`. docs/reference/protocol.md
has the messages and the rules, docs/students/write-an-administrator.md the steps from here to a
whole match; each has a TODO here. FILE has all tiles in the order in which they are drawn, one a
line.
"""

import argparse
import contextlib
import random
import re
import socket
import time
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

COLUMNS, ROWS = range(1, 13), "ABCDEFGHI"
CASH, TILES_IN_HAND = 8000, 6
REPLY_SECONDS = 1.0  # for any answer but the mover's
MOST_BYTES = 4096  # of a message from a player
LOOSE = ""  # stands in the board for an unincorporated tile


class Fault(Exception):
    """What a player did wrong: a reason of the protocol, and a sentence for its author."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(f"{reason}: {sentence}")
        self.reason, self.sentence = reason, sentence


# The socket --------------------------------------------------------------------------------------
# A tag or a comment; quotes may hold anything, even >.
TAG = re.compile(rb"""<!--.*?-->|<\?.*?\?>|<(?:[^>"']|"[^"]*"|'[^']*')*>""", re.DOTALL)


def end_of_element(received: bytes) -> int:
    """Return how many of these bytes are the first whole element; 0 if it is not complete yet."""
    if received.strip() and not received.lstrip().startswith(b"<"):
        raise Fault("malformed", "A message begins with <.")
    depth = 0
    for tag in TAG.finditer(received):
        if tag[0].startswith((b"<!", b"<?")):
            continue  # a comment, or an XML declaration
        if tag[0].startswith(b"</"):
            depth -= 1
        elif not tag[0].endswith(b"/>"):
            depth += 1
        if depth <= 0:
            return tag.end()
    return 0


@dataclass
class Player:
    """A player: its connection, and what it has."""

    connection: socket.socket
    name: str = ""
    cash: int = CASH
    shares: dict[str, int] = field(default_factory=dict)  # certificates by hotel, none of them 0
    tiles: list[str] = field(default_factory=list)
    received: bytes = b""

    def send(self, element: str) -> None:
        """Send an element; if the connection is lost, waiting for the answer shows it."""
        with contextlib.suppress(OSError):
            self.connection.sendall(element.encode())

    def receive(self, deadline: float) -> ET.Element:
        """Wait for a whole element; `Fault` if none comes in time, or something else comes."""
        while not (end := end_of_element(self.received)):
            if len(self.received) > MOST_BYTES:
                raise Fault("malformed", f"A message has at most {MOST_BYTES} bytes.")
            try:
                self.connection.settimeout(max(deadline - time.monotonic(), 0.001))
                piece = self.connection.recv(65536)
            except TimeoutError:
                raise Fault("timed-out", "No whole answer came in time.") from None
            except OSError:
                piece = b""
            if not piece:
                raise Fault("disconnected", "The connection was closed.")
            self.received += piece
        element, self.received = self.received[:end], self.received[end:].lstrip()
        if self.received:
            raise Fault("out-of-turn", "A second message came before the next question.")
        try:
            return ET.fromstring(element.lstrip())
        except ET.ParseError as error:
            raise Fault("malformed", f"This is not well-formed XML: {error}.") from None

    def answer(self, expected: str, deadline: float) -> ET.Element:
        """Wait for the answer to a question, an element with one of the names that are expected."""
        # TODO, step 7: what came while no question was open is out of turn.
        received = self.receive(deadline)
        if received.tag not in expected.split():
            raise Fault("out-of-turn", f"Expected {expected}, received {received.tag}.")
        return received

    def dismiss(self, reason: str, sentence: str) -> None:
        """Send why the game is over for this player, and close the connection."""
        print(f"{self.name}: {reason}: {sentence}", flush=True)
        self.send(f'<ejected reason="{reason}">{escape(sentence)}</ejected>')
        self.connection.close()


def after(seconds: float) -> float:
    """Return the deadline that is this many seconds from now."""
    return time.monotonic() + seconds


# Signing up --------------------------------------------------------------------------------------
def sign_up(server: socket.socket, seats: int) -> list[Player]:
    """Wait until all seats are taken, and return the players in the order of connecting."""
    players: list[Player] = []
    while len(players) < seats:
        player = Player(server.accept()[0])
        try:  # TODO, step 8: meanwhile nobody else can sign up
            asked = player.receive(after(REPLY_SECONDS))
            if asked.tag != "signup" or not 1 <= len(asked.get("name", "")) <= 64:
                raise Fault("invalid", "The first message is <signup> with a name.")
        except Fault as fault:  # the seat stays open
            player.dismiss(fault.reason, fault.sentence)
            continue
        player.name = unused(asked.attrib["name"], [other.name for other in players])
        player.send(f"<signup name={quoted(player.name)}/>")
        print(f"{player.name} has signed up.", flush=True)
        players.append(player)
    return players


def unused(name: str, taken: list[str]) -> str:
    """Return the name, with a suffix if another player has it: alice-2."""
    number = 1
    while (wanted := name if number == 1 else f"{name}-{number}") in taken:
        number += 1
    return wanted


# Positions ---------------------------------------------------------------------------------------
@dataclass
class Game:
    """What is on and around the table; `players` are in turn order, the mover first."""

    players: list[Player]
    bag: list[str]  # in the order in which the tiles are drawn
    board: dict[str, str] = field(default_factory=dict)  # from each tile, as "3F", to its hotel

    def position(self, name: str) -> str:
        """Write the position as <state> or <turn>."""
        return f"<{name}>{self.board_xml()}{self.players_xml()}</{name}>"

    def board_xml(self) -> str:
        """Write the board: unincorporated tiles, then the hotels by name with their tiles."""
        tiles = "".join(tile_xml(tile) for tile in in_order(self.board) if not self.board[tile])
        for hotel in sorted({*self.board.values()} - {LOOSE}):
            own = [tile for tile in in_order(self.board) if self.board[tile] == hotel]
            tiles += f'<hotel name="{hotel}">{"".join(map(tile_xml, own))}</hotel>'
        return f"<board>{tiles}</board>"

    def players_xml(self) -> str:
        """Write all players with everything they have: under `revised` nothing is hidden."""
        written = ""
        for player in self.players:
            shares = [f'<share name="{h}" count="{n}"/>' for h, n in sorted(player.shares.items())]
            inside = "".join([*shares, *map(tile_xml, in_order(player.tiles))])
            written += f'<player name={quoted(player.name)} cash="{player.cash}">{inside}</player>'
        return written


def quoted(name: str) -> str:
    """Write a name as the value of an attribute."""
    return '"' + escape(name, {'"': "&quot;"}) + '"'


def tile_xml(tile: str) -> str:
    """Write a tile."""
    return f'<tile column="{tile[:-1]}" row="{tile[-1]}"/>'


def in_order(tiles: list[str] | dict[str, str]) -> list[str]:
    """Return tiles row by row."""
    return sorted(tiles, key=lambda tile: (tile[-1], int(tile[:-1])))


# A match -----------------------------------------------------------------------------------------
def play(game: Game) -> None:
    """Send the first position to all, and ask the first player for its turn."""
    for player in game.players:
        player.send(game.position("state"))
    deadline = after(REPLY_SECONDS)
    for player in list(game.players):
        try:
            player.answer("void", deadline)
        except Fault as fault:
            leave(game, player, fault)
    if game.players:
        mover = game.players[0]
        mover.send(game.position("turn"))
        try:
            answer = mover.answer("pbuy placement", after(3.0 * (len(game.players) + 1)))
            print(f"{mover.name} answers {ET.tostring(answer, 'unicode')}", flush=True)
        except Fault as fault:
            leave(game, mover, fault)
    # TODO, steps 3 to 6: judge the answer, and go on.
    for player in game.players:
        player.dismiss("interrupted", "This administrator does not know yet how to go on.")


def leave(game: Game, player: Player, fault: Fault) -> None:
    """Eject a player."""
    # TODO, step 7: its certificates go to the bank, and its tiles to the bag, which is shuffled.
    game.players.remove(player)
    player.dismiss(fault.reason, fault.sentence)


def main() -> None:
    """Run the command line: serve one match."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--players", type=int, required=True)
    parser.add_argument("--bag")
    options = parser.parse_args()
    bag = [f"{column}{row}" for row in ROWS for column in COLUMNS]
    random.shuffle(bag)
    if options.bag:
        with open(options.bag, encoding="utf-8") as file:
            bag = file.read().split()
    with socket.create_server(("127.0.0.1", options.port)) as server:
        print(f"Listening on 127.0.0.1:{server.getsockname()[1]}", flush=True)
        players = sign_up(server, options.players)
    game = Game(players, bag)
    for player in players:
        player.tiles, game.bag = game.bag[:TILES_IN_HAND], game.bag[TILES_IN_HAND:]
    play(game)


if __name__ == "__main__":
    main()
