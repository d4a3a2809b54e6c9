"""The starters are legal in every position, and the same program in three languages.

They are driven over a socket by hand, through every position of the recorded games and some that
games hardly ever reach, and they play whole games with the real referee.
"""

import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryFile
from textwrap import indent
from typing import IO, NamedTuple

import pytest
import trio
from child_processes import ending
from loopback import Peer, serving, verified
from loops import in_soak
from lxml import etree
from positions import at_table, crossing, player
from quick_players import QUICK

from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.log.verifier import Verifier
from acquire.admin.refereeing.play.events import TurnBegan
from acquire.game.disposal import keep
from acquire.game.merger import merge
from acquire.game.placement import (
    Kind,
    Placement,
    kind_of,
    legal_placements,
    place,
    verify_placement,
)
from acquire.game.purchase import legal_orders, verify_order
from acquire.game.rulebook import Rulebook, with_hidden_assets
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, REVISED
from acquire.game.state import State
from acquire.game.tiles import tile_name, tiles_in
from acquire.protocol import messages
from acquire.protocol.faults import Fault
from acquire.protocol.framing import LIMIT_FROM_PLAYER, Framer
from acquire.protocol.messages import PlayerMessage, RefereeMessage
from acquire.protocol.player_view import view_for
from acquire.protocol.reading import player_reader
from acquire.protocol.writing import Writer

STARTERS = Path(__file__).parents[2] / "player" / "starters"
GOLDEN = Path(__file__).parents[1] / "golden"
SOURCES = {
    "python": STARTERS / "python" / "player.py",
    "javascript": STARTERS / "javascript" / "player.js",
    "java": STARTERS / "java" / "Player.java",
}
LANGUAGES = list(SOURCES)
USUAL = LANGUAGES[:2]
"""Java, which takes long to compile and to start, is for the soak."""
each_language = pytest.mark.parametrize("language", [*USUAL, *in_soak(*LANGUAGES[2:])])
NAME = "ann"
TIMEOUT = 60.0
"""Seconds after which a starter that sends nothing has failed."""
QUICK_START = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
"""Options for Java that save more than the compiler could gain."""
WRITER = Writer(REVISED)
READER = player_reader(REVISED)

Idea = Mapping[str, tuple[str, str, str]]
"""For every language, what stands before its own choice of a move, of keeping and of an order."""

CHOICES: Idea = {
    "python": (
        "    return next((move for move",
        "    return [False for _ in hotels]",
        "    on_board = [",
    ),
    "javascript": (
        "  return moves.find(",
        "  return hotels.map(() => false);",
        "  const onBoard = ",
    ),
    "java": (
        "        return moves.stream()",
        "        return hotels.stream().map(",
        "        return orders.stream()",
    ),
}
"""How the choices begin as the starters make them."""

TELLING: Idea = {
    "python": (
        "for m in moves:\n"
        '    print("move", m.tile, m.hotel, len(m.board), file=sys.stderr)\n'
        "return moves[len(board) % len(moves)]\n",
        'return [hotel[0] > "E" for hotel in hotels]\n',
        'held = "-".join(str(sum(p.shares.values())) for p in players.values())\n'
        "for o in orders:\n"
        "    kept = players[me].tiles\n"
        '    print("order", *o[:1], len(o), held, *kept, file=sys.stderr)\n'
        "return orders[(7 * len(board)) % len(orders)]\n",
    ),
    "javascript": (
        'for (const m of moves) console.error("move", m.tile, m.hotel, m.board.size);\n'
        "return moves[board.size % moves.length];\n",
        'return hotels.map((hotel) => hotel[0] > "E");\n',
        "const mine = players.get(me);\n"
        "const sum = ({ shares }) => Object.values(shares).reduce((all, one) => all + one);\n"
        'const held = [...players.values()].map(sum).join("-");\n'
        "for (const o of orders)\n"
        '  console.error("order", ...o.slice(0, 1), o.length, held, ...mine.tiles);\n'
        "return orders[(7 * board.size) % orders.length];\n",
    ),
    "java": (
        'for (Move m : moves) System.err.println("move " + m.tile() + " " + m.hotel()'
        ' + " " + m.board().size());\n'
        "if (true) return moves.get(board.size() % moves.size());\n",
        "if (true) return hotels.stream().map(hotel -> hotel.charAt(0) > 'E').toList();\n",
        "Holdings mine = players.get(me);\n"
        'String held = String.join("-", players.values().stream().map(p -> '
        '"" + p.shares().values().stream().mapToInt(count -> count).sum()).toList());\n'
        'for (List<String> o : orders) System.err.println(String.join(" ", "order"'
        ' + (o.isEmpty() ? "" : " " + o.get(0)), "" + o.size(), held,'
        ' String.join(" ", mine.tiles())));\n'
        "if (true) return orders.get((7 * board.size()) % orders.size());\n",
    ),
}
"""An idea that tells all that it may choose among, and chooses this and that."""

RUBBISH: Idea = {
    "python": ("return None\n", "return [False]\n", 'return ("Tower",) * 3\n'),
    "javascript": ("return;\n", "return [false];\n", 'return ["Tower", "Tower", "Tower"];\n'),
    "java": (
        "if (true) return null;\n",
        "if (true) return List.of(false);\n",
        'if (true) return Collections.nCopies(3, "Tower");\n',
    ),
}
"""An idea that returns nothing, one answer for however many hotels, and three certificates."""

FAILING: Idea = {
    "python": ('raise ZeroDivisionError("an idea")\n',) * 3,
    "javascript": ('throw new Error("an idea");\n',) * 3,
    "java": ('if (true) throw new IllegalStateException("an idea");\n',) * 3,
}
"""An idea that raises an exception at every choice."""

IDEAS: dict[str, Idea] = {"own": {}, "telling": TELLING, "rubbish": RUBBISH, "failing": FAILING}


class Shelf:
    """The starters, as they are and edited, ready to be run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.command = cache(self._command)
        self._classes = cache(self._compile)

    def _command(self, language: str, idea: str = "own") -> list[str]:
        if language == "java":
            return [program("java"), *QUICK_START, "-cp", str(self._classes()), f"{idea}.Player"]
        source = self._write(language, idea)
        return [sys.executable if language == "python" else program("node"), str(source)]

    def _compile(self) -> Path:
        """Compile all ideas at once, each as a package; return the folder of the classes."""
        classes = self._folder / "classes"
        sources = [self._write("java", idea, f"package {idea}; ") for idea in IDEAS]
        options = [f"-J{option}" for option in QUICK_START]
        subprocess.run([program("javac"), *options, "-d", classes, *sources], check=True)
        return classes

    def _write(self, language: str, idea: str, prefix: str = "") -> Path:
        """Write a starter with an idea of its own, and return its file."""
        folder = self._folder / language / idea
        folder.mkdir(parents=True)
        source = folder / SOURCES[language].name
        text = SOURCES[language].read_text()
        ideas = IDEAS[idea].get(language, ("",) * 3)
        for own, other in zip(CHOICES[language], ideas, strict=True):
            assert text.count(own) == 1, own
            margin = own[: -len(own.lstrip())]
            text = text.replace(own, indent(other, margin) + own)
        source.write_text(prefix + text)
        return source


def program(name: str) -> str:
    """Where a program is; it has to be there."""
    path = shutil.which(name)
    assert path is not None, f"these tests need {name}"
    return path


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    return Shelf(tmp_path_factory.mktemp("starters"))


class End(NamedTuple):
    """How a starter's process ended."""

    code: int
    said: str
    errors: str


class Table:
    """The referee's end of a starter's connection, driven by hand."""

    def __init__(
        self, process: subprocess.Popen[bytes], connection: socket.socket, errors: IO[bytes]
    ) -> None:
        self._process = process
        self._errors = errors
        self._connection = connection
        self._framer = Framer(LIMIT_FROM_PLAYER)

    def say(self, *told: bytes) -> None:
        """Send bytes, each piece by itself."""
        for piece in told:
            self._connection.sendall(piece)

    def hear(self) -> bytes:
        """Receive the next message."""
        document = self._framer.feed(b"")
        while document is None:
            piece = self._connection.recv(65536)
            assert piece, self.end()
            document = self._framer.feed(piece)
        assert not isinstance(document, Fault), document
        return document

    def ask(self, message: RefereeMessage) -> PlayerMessage:
        """Put a question and receive the answer, which is valid."""
        self.say(WRITER.write(message))
        return answer(self.hear())

    def greet(self, name: str) -> str:
        """Hear the name that is asked for, and give another."""
        asked = answer(self.hear())
        assert isinstance(asked, messages.SignUp)
        self.say(WRITER.write(messages.SignUp(name)))
        return asked.name

    def close(self) -> None:
        """Close the connection."""
        self._connection.shutdown(socket.SHUT_WR)

    def end(self) -> End:
        """Wait for the process to end; it has said nothing more on the connection."""
        said, _ = self._process.communicate(timeout=TIMEOUT)
        assert self._connection.recv(65536) == b""
        self._errors.seek(0)
        return End(self._process.returncode, said.decode(), self._errors.read().decode())


def answer(document: bytes) -> PlayerMessage:
    """Read an answer, which is valid."""
    message = READER.convert(READER.parse(document), document)
    assert not isinstance(message, Fault), message
    return message


@contextmanager
def connected(command: list[str], asked: str = NAME) -> Iterator[Table]:
    """Start a starter and take its connection; end it with the block."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(TIMEOUT)
        port = str(server.getsockname()[1])
        told = [*command, "127.0.0.1", port, asked]
        with (
            TemporaryFile() as errors,  # a pipe that nobody reads would fill
            ending(subprocess.Popen(told, stdout=subprocess.PIPE, stderr=errors)) as process,
        ):
            connection, _ = server.accept()
            with connection:
                connection.settimeout(TIMEOUT)
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                yield Table(process, connection, errors)


@contextmanager
def seated(command: list[str], asked: str = NAME, name: str = NAME) -> Iterator[Table]:
    """Start a starter, take its connection, and give it a name; end it with the block."""
    with connected(command, asked) as table:
        assert table.greet(name) == asked
        yield table


# -- positions -------------------------------------------------------------------------------------

FULL = "AA.CC.FF.II\n\nSS.TT.WW\n\no..........o"
"""All seven hotels on the board, and unincorporated tiles."""


def recorded(log: Path) -> list[State]:
    """Every position in which a player moved."""
    found: list[State] = []
    verdict = Verifier(read(log)).verify()
    assert verdict.divergence is None
    for event in verdict.events:
        if isinstance(event, TurnBegan):
            mover, *others = event.state.players
            found.append(event.state._replace(players=(mover._replace(name=NAME), *others)))
    return found


@cache
def positions(soak: bool) -> list[State]:
    """Every eighth position of the recorded games, or all, and some that games hardly reach."""
    logs = sorted(GOLDEN.glob("revised-*.xml"))
    assert len(logs) > 5
    games = [*chain.from_iterable(map(recorded, logs))]
    rare = [
        at_table(FULL, player("ann", "2E 11E 12F 12I")),
        at_table(FULL, player("ann", "2E", cash=100), player("bob", Sackson=24), player("cyd")),
        at_table("o", player("ann", "2A"), player("bob", Tower=25, Sackson=25, Imperial=24)),
        at_table("o.o\n.o", player("ann", "2A 1B 3B", cash=0)),
        at_table("SS.WW", player("ann", "3A", cash=400), player("bob", Worldwide=24)),
        at_table(crossing(Tower=3, Sackson=3, Imperial=2, American=3), player("ann", "6E 1A")),
        at_table("TTTTTT.SS\nTTTTTT", player("ann", "7A 12I")),
        at_table("TTTTTT.SS\nTTTTT", player("ann", "6B 7A 8B", Sackson=3), player("bob")),
        at_table("o.TT\n..o", player("ann", "2A 5A 4B")),
        at_table("TT.SS", player("ann", "3A 12I", Sackson=3)),  # she plays alone
    ]
    return [*(games if soak else games[::8]), *rare]


def ask_through(table: Table, state: State) -> list[PlayerMessage]:
    """Let a starter play one turn of a position, and see that all of it is legal."""
    turn = table.ask(messages.Turn(state.board, state.players))
    if isinstance(turn, messages.Pbuy):
        assert turn.placement is not None
        assert verify_placement(state, turn.placement) is None
        assert kind_of(state.board, turn.placement.tile) is not Kind.MERGING
        assert verify_order(place(state, turn.placement), turn.order) is None
        return [turn]
    assert isinstance(turn, messages.Merge)
    assert verify_placement(state, turn.placement) is None
    merger = merge(state, turn.placement)
    kept = table.ask(messages.Keep(merger.acquired))
    assert isinstance(kept, messages.KeepAnswer)
    assert len(kept.decisions) == len(merger.acquired)
    merger = keep(merger, NAME, kept.decisions)
    order = table.ask(messages.Players(merger.state.players))
    assert isinstance(order, messages.Order)
    assert verify_order(merger.state, order.hotels) is None
    return [turn, kept, order]


def offered(state: State, answers: list[PlayerMessage]) -> list[str]:
    """What a telling idea writes of a turn: by the rules, all that is legal."""
    told = [f"move {what} {size(state) + 1}" for what in map(partial(named, state), choices(state))]
    match answers:
        case [messages.Pbuy(placement, _)]:
            assert placement is not None
            after = place(state, placement)
        case [messages.Merge(placement), messages.KeepAnswer(decisions), _]:
            after = keep(merge(state, placement), NAME, decisions).state
        case _:
            raise AssertionError(answers)
    mover = after.players[0]
    for order in legal_orders(after):
        name = f" {REVISED.hotel_name(order[0])}" if order else ""
        hand = " ".join(map(tile_name, tiles_in(mover.hand)))
        held = "-".join(str(sum(player.shares)) for player in after.players)
        told.append(f"order{name} {len(order)} {held} {hand}".strip())
    return told


def choices(state: State) -> list[Placement]:
    """The legal placements, in order."""
    found = legal_placements(state)
    assert found
    return found


def named(state: State, placement: Placement) -> str:
    """A placement's tile and the hotel that it founds, lets grow or lets survive."""
    hotel = placement.hotel
    if hotel is None and kind_of(state.board, placement.tile) is Kind.GROWING:
        (hotel,) = state.board.touched(placement.tile)
    return f"{tile_name(placement.tile)} {'' if hotel is None else REVISED.hotel_name(hotel)}"


def size(state: State) -> int:
    """How many tiles are on the board."""
    board = state.board
    return board.loose.bit_count() + sum(board.sizes)


# -- the same program ------------------------------------------------------------------------------


def test_every_position_has_the_same_legal_answer_in_all_languages(
    shelf: Shelf, soak: bool
) -> None:
    given: dict[str, list[list[PlayerMessage]]] = {}
    languages = LANGUAGES if soak else USUAL
    for language in languages:
        with seated(shelf.command(language)) as table:
            given[language] = [ask_through(table, state) for state in positions(soak)]
    assert all(given[language] == given["python"] for language in languages)
    assert sum(len(answers) == 3 for answers in given["python"]) > 5, "too few mergers"


@each_language
def test_idea_chooses_among_all_that_is_legal(shelf: Shelf, language: str, soak: bool) -> None:
    expected: list[str] = []
    with seated(shelf.command(language, "telling")) as table:
        for state in positions(soak):
            expected += offered(state, ask_through(table, state))
        table.say(WRITER.write(messages.Ejected("interrupted", "That is all.")))
        *told, _ = table.end().errors.splitlines()
    assert [line.strip() for line in told] == expected


def turn_view(state: State, rulebook: Rulebook) -> bytes:
    """What the mover is sent under a rulebook other than `revised`, after its name again."""
    state = state._replace(rulebook=rulebook)
    view = messages.TurnView(view_for(state, NAME))
    greeting = WRITER.write(messages.SignUp(NAME, rulebook.id))
    return greeting + Writer(rulebook).write(view)


@each_language
def test_hidden_certificates_are_divided_with_more_for_the_later_players(
    shelf: Shelf, language: str
) -> None:
    others = (player("bob", Tower=4), player("cyd"), player("dan"))
    state = at_table("TT.o", player("ann", "12I", Tower=1), *others)
    with seated(shelf.command(language, "telling")) as table:
        table.say(turn_view(state, with_hidden_assets(CORPORATIONS)))
        table.hear()
        table.say(WRITER.write(messages.Ejected("interrupted", "That is all.")))
        errors = table.end().errors
    assert "order 0 1-1-1-2" in errors, "one each, and what is left"


ENDS = {
    "at the beginning alone": ("TTTTTTTTTTT\n\no", "2C", True),
    "after the placement": ("TTTTTTTTTT", "11A", True),
    "never": ("TTTTTTTTT", "10A", False),
}
"""When all hotels are safe: a board, the tile, and whether the end may be declared."""


@each_language
def test_rich_player_declares_the_end_wherever_it_may(shelf: Shelf, language: str) -> None:
    with seated(shelf.command(language)) as table:
        for when, (board, tile, may_end) in ENDS.items():
            state = at_table(board, player("ann", tile, cash=20_000), player("bob"))
            table.say(turn_view(state, CLASSIC))
            assert (b"<end/>" in table.hear()) is may_end, when


def test_starters_have_the_same_parts_in_the_same_order() -> None:
    def parts(language: str) -> list[str]:
        text = SOURCES[language].read_text()
        return re.findall(r"^ *(?://|#) ([A-Z][\w ]+?) --+$|^ *(?://|#) (YOUR IDEA)$", text, re.M)

    assert len(parts("python")) == 6
    assert parts("javascript") == parts("java") == parts("python")


# -- a whole game ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("languages", "seats", "games"),
    [(USUAL, 3, 1), *in_soak(*((LANGUAGES, seats, 10) for seats in range(3, 7)))],
)
async def test_starters_finish_every_game(
    shelf: Shelf, tmp_path: Path, languages: list[str], seats: int, games: int
) -> None:
    commands = {language: shelf.command(language) for language in languages}
    house = list(QUICK)[-(seats - len(languages)) :] if seats > len(languages) else []
    printed: list[dict[str, int]] = []

    async def start(language: str, port: int, scores: dict[str, int]) -> None:
        told = [*commands[language], "127.0.0.1", str(port), language]
        done = await trio.run_process(told, capture_stdout=True, capture_stderr=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        scores[language] = int(done.stdout)

    async def sit(kind: str, port: int) -> None:
        strategy = QUICK[kind](REVISED, seats)
        peer = await Peer.signed_up(port, kind)
        strategy(messages.SignUp(peer.name))
        assert isinstance(await peer.play(strategy), messages.Score)

    async with serving(tmp_path, players=seats, games=games) as (_, witness):
        for _ in range(games):
            scores: dict[str, int] = {}
            async with trio.open_nursery() as nursery:
                for language in languages:
                    nursery.start_soon(start, language, witness.port, scores)
                for kind in house:
                    nursery.start_soon(sit, kind, witness.port)
            printed.append(scores)
    assert not witness.broken_off
    for game, scores in zip(witness.games.values(), printed, strict=True):
        verified(game.log)
        assert not game.outcome.ejected
        ranked = {place.name: place.score for place in game.outcome.standings}
        assert scores == {language: ranked[language] for language in languages}


# -- on the socket ---------------------------------------------------------------------------------

STATE = at_table("TT.SS\n\no", player(NAME, "2C 3A 12I", Sackson=2), player("bob"), player("cyd"))
TURN = WRITER.text(messages.Turn(STATE.board, STATE.players))
TOLD = WRITER.text(messages.State(STATE.board, STATE.players))


def laid_out(text: str) -> str:
    """A message as somebody else might write it: line breaks, declaration, comments, quotes."""
    root = etree.fromstring(text)
    etree.indent(root, space="\t")
    for element in root.iter():
        attributes = sorted(element.attrib.items(), reverse=True)
        element.attrib.clear()
        element.attrib.update(attributes)
    root.insert(0, etree.Comment(" <turn> or > not, it's \"open "))
    told = etree.tostring(root, encoding="unicode")
    quoted = re.sub(r'=\s*"([^"\']*)"', r" = '\1'", told)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<!-- a > b -->\n{quoted}\n<!-- end -->\n \r\n'


@each_language
def test_messages_may_be_cut_and_laid_out_in_any_way(shelf: Shelf, language: str) -> None:
    name = "z\u00fc\u2603\U0001f600"
    turn = TURN.replace(NAME, name).encode()
    other = laid_out(TURN.replace(NAME, name)).encode()
    with seated(shelf.command(language), name, name) as table:
        table.say(turn)
        plain = table.hear()
        for pieces in ([bytes([byte]) for byte in turn], [bytes([byte]) for byte in other]):
            table.say(*pieces)
            assert table.hear() == plain
        table.say(other)
        assert table.hear() == plain
        table.say(other)
        assert table.hear() == plain
        half = len(turn) // 2
        table.say(TOLD.encode() + turn[:half])
        assert answer(table.hear()) == messages.Void()
        table.say(turn[half:])
        assert table.hear() == plain


@each_language
def test_greeting_and_first_state_may_come_in_one_piece(shelf: Shelf, language: str) -> None:
    with connected(shelf.command(language)) as table:
        assert answer(table.hear()) == messages.SignUp(NAME)
        table.say(WRITER.write(messages.SignUp(NAME)) + TOLD.encode())
        assert answer(table.hear()) == messages.Void()


AWKWARD = 'a<b>&"c" \'d\' /> &amp; \u2603 ="' + "x" * 38


@each_language
def test_name_is_the_one_given_whatever_is_in_it(shelf: Shelf, language: str) -> None:
    given = AWKWARD[:62] + "-2"
    assert len(AWKWARD) == 64
    players = (player(given, "3A", Sackson=1), *STATE.players[1:])
    state = at_table("TT.SS", *players)
    scores = ((given, 31_500), ("bob", 7))
    with seated(shelf.command(language), AWKWARD, given) as table:
        turn = table.ask(messages.Turn(state.board, state.players))
        assert turn == messages.Merge(legal_placements(state)[0])
        assert table.ask(messages.Score(scores, state.board, players)) == messages.Void()
        assert table.end() == End(0, "31500\n", "")


@each_language
def test_bystander_without_certificates_is_asked_and_answers(shelf: Shelf, language: str) -> None:
    with seated(shelf.command(language)) as table:
        assert table.ask(messages.Keep((4, 5, 6))) == messages.KeepAnswer((False,) * 3)
        assert table.ask(messages.NewTile(5)) == messages.Void()
        others = (*STATE.players[1:], STATE.players[0])
        assert table.ask(messages.State(STATE.board, others)) == messages.Void()
        assert table.ask(messages.Keep((4,))) == messages.KeepAnswer((False,))


# -- ends ------------------------------------------------------------------------------------------


@each_language
def test_ejected_starter_prints_why(shelf: Shelf, language: str) -> None:
    with seated(shelf.command(language)) as table:
        table.say(WRITER.write(messages.Ejected("illegal", "Tile 5C <is> not & in the hand.")))
        expected = "ann: ejected (illegal): Tile 5C <is> not & in the hand.\n"
        assert table.end() == End(1, "", expected)


@each_language
def test_closed_connection_is_one_line(shelf: Shelf, language: str) -> None:
    with seated(shelf.command(language)) as table:
        table.say(TURN[:50].encode())
        table.close()
        assert table.end() == End(1, "", "ann: the connection was closed before the score\n")


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a starter that does not come to play."""
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)


@each_language
def test_no_referee_is_one_line(shelf: Shelf, language: str) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # and does not listen
        port = str(unused.getsockname()[1])
        done = run([*shelf.command(language), "127.0.0.1", port, "ann"])
    assert done.returncode == 1
    assert done.stderr.startswith(f"ann: cannot connect to 127.0.0.1 port {port}: ")
    assert done.stderr.count("\n") == 1


@each_language
def test_unknown_rulebook_is_refused(shelf: Shelf, language: str) -> None:
    five = "revised, classic, wikipedia, corporations, digest"
    with seated(shelf.command(language)) as table:
        table.say(WRITER.write(messages.SignUp(NAME, "house")))
        assert table.end() == End(1, "", f"ann: the rulebook is house, not one of {five}\n")


SLIPS: dict[str, tuple[RefereeMessage, PlayerMessage, str]] = {
    "move": (
        messages.Turn(STATE.board, STATE.players),
        messages.Merge(legal_placements(STATE)[0]),
        "one of the moves it was given",
    ),
    "keep": (
        messages.Keep((4, 5)),
        messages.KeepAnswer((False, False)),
        "a list of one true or false for each hotel",
    ),
    "order": (
        messages.Players((player(NAME),)),
        messages.Order(()),
        "one of the orders it was given",
    ),
}
"""For every choice a question, the first legal answer, and what the idea had to return."""


@each_language
@pytest.mark.parametrize("idea", ["rubbish", "failing"])
def test_idea_that_fails_is_printed_and_replaced(shelf: Shelf, language: str, idea: str) -> None:
    """The game goes on to its score; only the exit code tells."""
    with seated(shelf.command(language, idea)) as table:
        for question, first, _ in SLIPS.values():
            assert table.ask(question) == first
        score = messages.Score(((NAME, 31_500), ("bob", 7)), STATE.board, STATE.players)
        assert table.ask(score) == messages.Void()
        code, printed, errors = table.end()
    assert (code, printed) == (3, "31500\n")
    if idea == "failing":
        assert errors.count("an idea") >= len(SLIPS)
        return
    for choice, (*_, expected) in SLIPS.items():
        function = f"choose_{choice}" if language == "python" else f"choose{choice.capitalize()}"
        assert f"{function} must return {expected}\n" in errors


@each_language
def test_command_line_is_explained(shelf: Shelf, language: str) -> None:
    for told in ([], ["127.0.0.1", "1"], ["127.0.0.1", "port", "ann"]):
        done = run([*shelf.command(language), *told])
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("Usage: ")


@pytest.mark.soak
def test_java_starter_runs_as_source() -> None:
    with seated([program("java"), *QUICK_START, str(SOURCES["java"])]) as table:
        assert isinstance(table.ask(messages.Turn(STATE.board, STATE.players)), messages.Pbuy)
