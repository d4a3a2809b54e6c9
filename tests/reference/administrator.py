"""A small administrator on the reference engine, for what docs/reference/protocol.md says.

    python tests/reference/administrator.py --port 51234 --players 3 [--rulebook ID] [--bag FILE]

It serves one game. Its rules are `reference.game`, and its wire code is its own, so it shares no
line with the server that `acquire check-server` was written beside.
"""

import argparse
import copy
import random
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from xml.parsers import expat
from xml.sax.saxutils import escape

from lxml import etree

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from reference.game import Game, Player, in_order
from reference.rulebooks import ALL_TILES, RULES, column_of

REPLY = 1.0
LONGEST, DEEPEST = 4096, 16
SCHEMAS = Path(__file__).parents[2] / "schemas"


class Fault(Exception):
    """What a player did wrong: the reason, and a sentence."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class Undone(Exception):
    """The mover was ejected, and its turn is undone."""


def illegal(sentence: str) -> Fault:
    return Fault("illegal", sentence)


# -- a connection ----------------------------------------------------------------------------------


class Connection:
    """One player's connection: bytes and deadlines."""

    def __init__(self, stream: socket.socket, schema: etree.XMLSchema) -> None:
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._stream, self._schema = stream, schema
        self._bytes = b""

    def send(self, text: str) -> None:
        """Send an element."""
        with suppress(OSError):  # reading says that it is gone
            self._stream.settimeout(REPLY)
            self._stream.sendall(text.encode())

    def idle(self) -> None:
        """Make sure that nothing was sent that nobody asked for."""
        with suppress(BlockingIOError):
            self._stream.setblocking(False)
            self._read()
        if self._bytes.strip():
            raise Fault("out-of-turn", "Nothing was asked.")

    def receive(self, deadline: float, *expected: str) -> etree._Element:
        """Return the next element, one of those that are expected."""
        parser, depth = expat.ParserCreate("utf-8"), 0
        if hasattr(parser, "SetReparseDeferralEnabled"):
            parser.SetReparseDeferralEnabled(False)
        ended = False

        def start(*_: object) -> None:
            nonlocal depth
            depth += 1
            if depth > DEEPEST:
                raise Fault("malformed", "Nested too deeply.")

        def end(_: str) -> None:
            nonlocal depth, ended
            depth -= 1
            ended = not depth

        def doctype(*_: object) -> None:
            raise Fault("malformed", "A DOCTYPE is not allowed.")

        parser.StartElementHandler, parser.EndElementHandler = start, end
        parser.StartDoctypeDeclHandler = doctype
        at = 0
        while not ended:
            close = self._bytes.find(b">", at)
            begins = self._bytes.lstrip()[:1]
            if begins not in (b"", b"<", b"\xef"):
                raise Fault("malformed", "A message begins with '<'.")
            if (close if close >= 0 else len(self._bytes)) >= LONGEST:
                raise Fault("malformed", "The message is too long.")
            if close < 0 and b"\0" in self._bytes:
                raise Fault("malformed", "A zero byte.")
            if close < 0:
                self._stream.settimeout(max(deadline - time.monotonic(), 0.001))
                try:
                    self._read()
                except (TimeoutError, BlockingIOError):
                    raise Fault("timed-out", "No answer in time.") from None
                continue
            chunk = self._bytes[at : close + 1]
            if not at:
                chunk = chunk.lstrip()  # a declaration has to be first
            try:
                parser.Parse(chunk, False)
            except (expat.ExpatError, ValueError) as error:
                raise Fault("malformed", f"Not well-formed XML: {error}.") from None
            at = close + 1
        document, self._bytes = self._bytes[:at].strip(), self._bytes[at:]
        return self._checked(document, expected)

    def _checked(self, document: bytes, expected: Sequence[str]) -> etree._Element:
        root = etree.fromstring(document, etree.XMLParser(remove_comments=True))
        if not self._schema.validate(root):
            raise Fault("invalid", f"{self._schema.error_log.last_error}")
        if root.tag not in expected:
            raise Fault("out-of-turn", f"<{root.tag!s}> was not expected.")
        if self._bytes.strip():
            raise Fault("out-of-turn", "A second message came with the first.")
        return root

    def _read(self) -> None:
        try:
            data = self._stream.recv(65536)
        except (BlockingIOError, TimeoutError):
            raise
        except OSError:
            data = b""
        if not data:
            raise Fault("disconnected", "The connection was closed.")
        self._bytes += data

    def eject(self, fault: Fault) -> None:
        """Say why, and close the connection."""
        self.send(f'<ejected reason="{fault.reason}">{escape(str(fault))}</ejected>')
        threading.Thread(target=self.close, daemon=True).start()

    def close(self) -> None:
        """Close it when the player has; what it has sent would destroy the last message."""
        with suppress(OSError):
            self._stream.shutdown(socket.SHUT_WR)
            self._stream.settimeout(REPLY)
            while self._stream.recv(65536):
                pass
        self._stream.close()


# -- messages --------------------------------------------------------------------------------------


def tile_xml(tile: str) -> str:
    return f'<tile column="{column_of(tile)}" row="{tile[-1]}"/>'


def tiles_xml(tiles: Iterable[str]) -> str:
    return "".join(map(tile_xml, in_order({*tiles})))


def shares_xml(shares: Iterable[tuple[str, int]]) -> str:
    return "".join(f'<share name="{name}" count="{n}"/>' for name, n in shares if n)


def quoted(name: str) -> str:
    return escape(name, {'"': "&quot;"})


def tile_in(element: etree._Element) -> str:
    tile = element.find("tile")
    assert tile is not None, "the schema asks for it"
    return f"{int(tile.get('column', ''))}{tile.get('row')}"


def hotels_in(element: etree._Element) -> tuple[str, ...]:
    return tuple(each.get("label", "") for each in element.findall("hotel"))


# -- a game ----------------------------------------------------------------------------------------


class WatchedGame(Game):
    """A game that remembers what was drawn."""

    def draw(self, count: int) -> list[str]:
        drawn = super().draw(count)
        self.drawn = [*getattr(self, "drawn", ()), *drawn]
        return drawn

    def draw_for_market(self, hotel: str) -> str | None:
        tile = super().draw_for_market(hotel)
        self.for_market = [*getattr(self, "for_market", ()), (hotel, tile)]
        return tile


class Administrator:
    """One game with all its connections."""

    def __init__(self, rulebook: str, bag: Sequence[str], seats: dict[str, Connection]) -> None:
        self.game = self.committed = WatchedGame(rulebook, [*seats], bag)
        self.seats = seats
        self.turn_clock = 3.0 * (len(seats) + 1)
        self.thought = 0.0
        self.is_course = rulebook == "revised"

    def play(self) -> None:
        """Play it to the scores."""
        self.inform()
        while self.game.ending() is None:
            self.committed, self.thought = copy.deepcopy(self.game), 0.0
            try:
                self.turn()
            except Undone:
                self.game = self.committed
        game = self.game
        game.for_market = []
        money = game.scores() if game.players else {}
        for hotel, tile in game.for_market:
            self.tell(self.market(hotel, tile), final=True)
        results = "".join(
            f'<result name="{quoted(name)}" score="{money[name]}"/>'
            for name in sorted(money, key=lambda name: (-money[name], name))
        )
        self.tell(
            lambda name: f"<score>{results}<state>{self.position(name)}</state></score>", final=True
        )
        for player in game.players:
            self.seats[player.name].close()

    # -- asking ----------------------------------------------------------------------------------

    def ask(self, name: str, text: str, *expected: str, thinking: bool = False) -> etree._Element:
        """Ask one player."""
        seat, began = self.seats[name], time.monotonic()
        seat.idle()
        seat.send(text)
        limit = self.turn_clock - self.thought if thinking else REPLY
        try:
            return seat.receive(began + limit, *expected)
        finally:
            self.thought += time.monotonic() - began if thinking else 0.0

    def tell(self, text: str | Callable[[str], str], *, final: bool = False) -> None:
        """Send something to all, and eject those who do not acknowledge it, the mover last."""
        faults: dict[str, Fault] = {}
        names = [player.name for player in self.game.players if player.name in self.seats]
        for name in names:
            try:
                self.seats[name].idle()
            except Fault as fault:
                faults[name] = fault
            self.seats[name].send(text if isinstance(text, str) else text(name))
        deadline = time.monotonic() + REPLY
        for name in names:
            try:
                if name not in faults:
                    self.seats[name].receive(deadline, "void")
            except Fault as fault:
                faults[name] = fault
        for name in sorted(faults, key=names.index, reverse=True):
            if final:
                self.seats.pop(name).eject(faults[name])
            else:
                self.leave(name, faults[name])

    def inform(self) -> None:
        """Send the position between two turns to all."""
        self.committed = self.game
        self.tell(lambda name: f"<state>{self.position(name)}</state>")

    def leave(self, name: str, fault: Fault) -> None:
        """Eject a player, from the position before the turn and from the one within it."""
        self.seats.pop(name).eject(fault)
        before, now = self.committed, self.game
        bag = [*before.bag, *in_order(before.player(name).tiles)]
        random.shuffle(bag)
        is_mover = name == now.mover.name
        before.eject(name, bag)
        if now is before:
            return
        if is_mover:
            raise Undone
        within = {*now.bag, *now.player(name).tiles}
        now.eject(name, [tile for tile in bag if tile in within])

    # -- a turn ----------------------------------------------------------------------------------

    def turn(self) -> None:
        """Play a turn."""
        game, mover = self.game, self.game.mover.name
        try:
            game.begin_turn()
            if game.may_replace_hand():
                text = f"<replace>{self.position(mover)}</replace>"
                if self.ask(mover, text, "replace")[0].tag == "true":
                    game.replace_hand()
            text = f"<turn>{self.position(mover)}</turn>"
            answer = self.ask(mover, text, "pbuy", "placement", thinking=True)
            if answer.tag == "placement":
                self.merge(answer)
                inner = self.position(mover, board=not self.is_course)
                answer = self.ask(mover, f"<players>{inner}</players>", "order", thinking=True)
            else:
                self.place(answer.find("placement"))
                answer = answer.find("order")  # type: ignore[assignment]  # the schema asks for it
            declares = self.buy(answer)
        except Fault as fault:
            self.leave(mover, fault)
            return
        if declares:
            game.declare()
            return
        game.drawn = []
        game.end_turn()
        self.committed = game
        if game.over:
            return  # no tile is left to draw
        try:
            for tile in game.drawn:
                self.ask(mover, tile_xml(tile), "void")
        except Fault as fault:
            self.leave(mover, fault)
        self.inform()

    def place(self, placement: etree._Element | None) -> None:
        """Place a tile that merges nothing."""
        game = self.game
        if placement is None:
            if game.legal_placements():
                raise illegal("A player with a playable tile must place one.")
            return
        tile, hotels = tile_in(placement), hotels_in(placement)
        if tile in game.mover.tiles and game.kind(tile) == "merging":
            raise illegal("In a merger the placement is sent alone.")
        hotel = hotels[0] if hotels else None
        if len(hotels) > 1 or (tile, hotel, ()) not in game.legal_placements():
            raise illegal("The tile cannot be placed so.")
        game.place(tile, hotel)

    def chosen(self, placement: etree._Element) -> tuple[str, tuple[str, ...]]:
        """Return the survivor of a merger and the order of equals; alphabetical is the usual."""
        if not hotels_in(placement):
            raise illegal("A merger must name the survivor.")
        survivor, *equals = hotels_in(placement)
        choices = self.game.choices(tile_in(placement))
        orders = [order for first, order in choices if first == survivor and order]
        is_usual = bool(orders) and equals == sorted(orders[0])
        return survivor, () if is_usual else tuple(equals)

    def merge(self, placement: etree._Element) -> None:
        """Merge hotels, and settle all that follows."""
        game, tile = self.game, tile_in(placement)
        if game.kind(tile) != "merging":
            raise illegal("A placement without an order is for mergers only.")
        choice = (tile, *self.chosen(placement))
        if choice not in game.legal_placements():
            raise illegal("The tile cannot be placed so.")
        game.place(*choice)
        self.settle()
        while (waiting := game.next_waiting()) is not None:
            if game.waiting_merges:
                inner = tile_xml(waiting) + self.position(game.mover.name)
                text = f"<merger>{inner}</merger>"
                answer = self.ask(game.mover.name, text, "placement", thinking=True)
                if tile_in(answer) != waiting:
                    raise illegal("The placement must be of the tile that the market drew.")
                chosen = self.chosen(answer)
                if chosen not in game.waiting_choices():
                    raise illegal("That hotel does not survive.")
                game.place_waiting(*chosen)
                self.settle()

    def settle(self) -> None:
        """Pay the bonuses of a merger, and ask about the certificates."""
        game = self.game
        if game.rules.keep_or_return:
            text = "".join(f'<hotel label="{hotel}"/>' for hotel in game.acquired)
            for name in [player.name for player in game.players]:
                self.put(name, f"<keep>{text}</keep>", "keep", self.keep)
            return
        for hotel in game.acquired:
            if game.market:
                tile = game.draw_for_market(hotel)
                self.tell(self.market(hotel, tile))
            game.pay_bonuses(hotel)
            head = f'hotel="{hotel}" price="{game.acquired_prices[hotel]}"'
            for name in [player.name for player in game.players if player.shares[hotel]]:
                text = f'<dispose {head} survivor="{game.survivor}">{self.position(name)}</dispose>'
                self.put(name, text, "dispose", lambda *answer, of=hotel: self.dispose(of, *answer))

    def put(
        self, name: str, text: str, tag: str, take: Callable[[str, etree._Element], None]
    ) -> None:
        """Put a question of a merger, and take the answer."""
        try:
            take(name, self.ask(name, text, tag))
        except Fault as fault:
            if name == self.game.mover.name:
                raise
            self.leave(name, fault)

    def keep(self, name: str, answer: etree._Element) -> None:
        """Keep or return certificates."""
        decisions = [each.tag == "true" for each in answer]
        if len(decisions) != len(self.game.acquired):
            raise illegal("Keep needs one answer per acquired hotel.")
        self.game.keep(name, decisions)

    def dispose(self, hotel: str, name: str, answer: etree._Element) -> None:
        """Sell and trade certificates."""
        sell, trade = int(answer.get("sell", "")), int(answer.get("trade", ""))
        if (sell, trade) not in self.game.legal_disposals(name, hotel):
            raise illegal("The certificates cannot be disposed of so.")
        self.game.dispose(name, hotel, sell, trade)

    def buy(self, order: etree._Element) -> bool:
        """Carry out an order; return whether it declares the end."""
        hotels, declares = hotels_in(order), order.find("end") is not None
        if tuple(sorted(hotels)) not in self.game.legal_orders():
            raise illegal("That cannot be bought.")
        self.game.buy(hotels)
        if declares and not self.game.declarable():
            raise illegal("The end cannot be declared.")
        return declares

    # -- what is sent ----------------------------------------------------------------------------

    def market(self, hotel: str, tile: str | None) -> str:
        held = 0 if tile is None else column_of(tile)
        return f'<market hotel="{hotel}" count="{held}">{tile_xml(tile) if tile else ""}</market>'

    def position(self, viewer: str, *, board: bool = True) -> str:
        """Return what is inside of a position, as a player sees it."""
        game, text = self.game, ""
        if board:
            hotels = "".join(
                f'<hotel name="{hotel}">{tiles_xml(game.hotels[hotel])}</hotel>'
                for hotel in sorted(game.hotels)
            )
            text = f"<board>{tiles_xml(game.loose)}{hotels}</board>"
        if not self.is_course:
            bank = shares_xml((hotel, game.bank(hotel)) for hotel in game.rules.tiers)
            text += f"<bank>{bank}</bank><aside>{tiles_xml(game.aside)}</aside>"
        return text + "".join(self.player(player, viewer) for player in game.players)

    def player(self, player: Player, viewer: str) -> str:
        count = "" if self.is_course else f' tiles="{len(player.tiles)}"'
        shown = tiles_xml(player.tiles) if self.is_course or player.name == viewer else ""
        head = f'<player name="{quoted(player.name)}" cash="{player.cash}"{count}>'
        return f"{head}{shares_xml(player.shares.items())}{shown}</player>"


# -- sign-up ---------------------------------------------------------------------------------------


def signed_up(port: int, seats: int, rulebook: str) -> dict[str, Connection]:
    """Wait until all seats are taken; return the connections by name."""
    kind = "" if rulebook == "revised" else "-hotels"
    kind = "-corporations" if rulebook in ("corporations", "digest") else kind
    schema = etree.XMLSchema(file=str(SCHEMAS / f"player{kind}.xsd"))
    named = "" if rulebook == "revised" else f' rulebook="{rulebook}"'
    found: dict[str, Connection] = {}
    with socket.create_server(("127.0.0.1", port), backlog=64) as listener:
        while len(found) < seats:
            connection = Connection(listener.accept()[0], schema)
            try:
                answer = connection.receive(time.monotonic() + REPLY, "signup")
            except Fault as fault:
                connection.eject(fault)
                continue
            wanted = answer.get("name", "")
            names = deque([wanted, *(f"{wanted}-{number}" for number in range(2, seats + 2))])
            name = next(each for each in names if each not in found)
            found[name] = connection
            connection.send(f'<signup name="{quoted(name)}"{named}/>')
    return found


def main() -> None:
    """Serve one game."""
    options = argparse.ArgumentParser()
    options.add_argument("--port", type=int, required=True)
    options.add_argument("--players", type=int, default=3)
    options.add_argument("--rulebook", choices=RULES, default="revised")
    options.add_argument("--bag", type=Path)
    given = options.parse_args()
    bag = given.bag.read_text().split() if given.bag else random.sample(ALL_TILES, len(ALL_TILES))
    Administrator(given.rulebook, bag, signed_up(given.port, given.players, given.rulebook)).play()


if __name__ == "__main__":
    main()
