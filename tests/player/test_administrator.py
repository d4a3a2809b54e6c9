"""`acquire new administrator`: the skeleton serves a sign-up and a turn, as its guide says."""

from __future__ import annotations

import re
import runpy
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import ModuleType
from typing import IO, NamedTuple
from xml.etree.ElementTree import canonicalize

import pytest
from child_processes import ending
from command_line import ACQUIRE, said
from lxml import etree

from acquire.admin.testing.perft.perft import Node, read_position
from acquire.game.rulebooks import REVISED
from acquire.game.state import State, deal
from acquire.game.tiles import TILES, tile_name
from acquire.protocol import messages
from acquire.protocol.framing import LIMIT_FROM_PLAYER
from acquire.protocol.writing import Writer

ROOT = Path(__file__).parents[2]
STARTER = ROOT / "player" / "starters" / "administrator" / "administrator.py"
PLAYER = ROOT / "player" / "starters" / "python" / "player.py"
GUIDE = (ROOT / "docs" / "students" / "write-an-administrator.md").read_text()
PLAYERS = ("ann", "bob", "cyd")
PATIENCE = 20


@contextmanager
def administrator(*options: str) -> Iterator[Skeleton]:
    """The skeleton at a free port; its clients are closed with it."""
    command = [sys.executable, str(STARTER), "--port", "0", "--players", "3", *options]
    popen = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    with ending(popen) as started, ExitStack() as clients:
        assert started.stdout is not None
        first = started.stdout.readline()
        yield Skeleton(int(first.rpartition(":")[2]), started.stdout, clients)


class Skeleton(NamedTuple):
    """A running skeleton, and what it prints."""

    port: int
    printed: IO[str]
    closing: ExitStack

    def clients(self) -> list[Client]:
        """As many as there are seats."""
        return [self.client() for _ in PLAYERS]

    def client(self) -> Client:
        address = ("127.0.0.1", self.port)
        connection = socket.create_connection(address, PATIENCE)
        return Client(self.closing.enter_context(connection))


class Client:
    """A player that sends what it is told."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._received = b""

    def close(self) -> None:
        self._socket.close()

    def send(self, *pieces: bytes) -> None:
        for piece in pieces:
            self._socket.sendall(piece)

    def until(self, end: str) -> str:
        """What comes up to this text."""
        while end.encode() not in self._received:
            piece = self._socket.recv(65536)
            assert piece, self._received
            self._received += piece
        text, _, self._received = self._received.partition(end.encode())
        return text.decode() + end

    def sign_up(self, name: str) -> str:
        self.send(f'<signup name="{name}"/>'.encode())
        return self.until("/>")


def test_skeleton_and_what_to_do_next_are_written(tmp_path: Path) -> None:
    folder = tmp_path / "my server"
    written = said("new", "administrator", folder)
    assert (folder / "administrator.py").read_bytes() == STARTER.read_bytes()
    assert sorted(path.name for path in folder.iterdir()) == ["README.md", "administrator.py"]
    assert f"Next: cd {shlex.quote(str(folder))} && python3 administrator.py --port" in written
    assert "docs/students/write-an-administrator.md" in (folder / "README.md").read_text()
    steps = re.findall(r"TODO, steps? (\d)", STARTER.read_text())
    assert {*steps} <= {*re.findall(r"^\| (\d) \| \*\*", GUIDE, re.MULTILINE)}


def test_starter_players_sign_up_and_the_first_is_asked_for_its_turn() -> None:
    with administrator() as skeleton, ExitStack() as processes:
        started = []
        for name in PLAYERS:
            command = [sys.executable, str(PLAYER), "127.0.0.1", str(skeleton.port), name]
            popen = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
            started.append(processes.enter_context(ending(popen)))
            assert skeleton.printed.readline() == f"{name} has signed up.\n"
        assert re.match(r"ann answers <pbuy><placement><tile ", skeleton.printed.readline())
        for player in started:
            assert "ejected (interrupted)" in player.communicate(timeout=PATIENCE)[1]
            assert player.returncode == 1


def test_positions_are_those_of_the_bag(tmp_path: Path) -> None:
    bag = tmp_path / "bag.txt"
    bag.write_text("\n".join(map(tile_name, TILES[::-1])))
    state = deal(REVISED, ["a", "a-2", '<b&"'], TILES[::-1])
    with administrator("--bag", str(bag)) as skeleton:
        clients = skeleton.clients()
        names = ["a", "a", "&lt;b&amp;&quot;"]
        answers = [client.sign_up(name) for client, name in zip(clients, names, strict=True)]
        assert [each.attrib["name"] for each in map(etree.fromstring, answers)] == [
            player.name for player in state.players
        ]
        writer = Writer(REVISED)
        for client in clients:
            due = writer.text(messages.State(state.board, state.players))
            assert canonicalize(client.until("</state>")) == canonicalize(due)
            client.send(b"<void/>")
        due = writer.text(messages.Turn(state.board, state.players))
        assert canonicalize(clients[0].until("</turn>")) == canonicalize(due)


WRONG = {
    "hello": "malformed",
    "<void>": "timed-out",
    "<void": "timed-out",
    "<void></viod>": "malformed",
    "<void/><void/>": "out-of-turn",
    "<order/>": "out-of-turn",
    f"<void>{' ' * LIMIT_FROM_PLAYER}": "malformed",
    "": "disconnected",
}


@pytest.mark.parametrize(
    "sent",  # the clock of one that is not finished takes a second
    [pytest.param(sent, marks=pytest.mark.soak if sent == "<void" else ()) for sent in WRONG],
    ids=lambda sent: sent[:14],
)
def test_player_at_fault_is_ejected_and_the_next_one_is_asked(sent: str) -> None:
    with administrator() as skeleton:
        clients = skeleton.clients()
        for client, name in zip(clients, PLAYERS, strict=True):
            client.sign_up(name)
        clients[0].until("</state>")
        for client in clients[1:]:
            client.until("</state>")
            client.send(b'<?xml version="1.0"?> <', b"void", b"/", b">", b"\n")
        if sent:
            clients[0].send(sent.encode())
            assert f'<ejected reason="{WRONG[sent]}">' in clients[0].until("</ejected>")
        else:
            clients[0].close()
        turn = clients[1].until("</turn>")
        assert [*etree.fromstring(turn).xpath("player/@name")] == ["bob", "cyd"]
        lines = [skeleton.printed.readline() for _ in range(4)]
        assert lines[-1].startswith(f"ann: {WRONG[sent]}: ")


def test_failed_sign_up_leaves_the_seat_open() -> None:
    with administrator() as skeleton:
        wrong = skeleton.client()
        wrong.send(b'<signup name=""/>')
        assert 'reason="invalid"' in wrong.until("</ejected>")
        assert [client.sign_up("ann") for client in skeleton.clients()] == [
            f'<signup name="{name}"/>' for name in ("ann", "ann-2", "ann-3")
        ]


# -- the guide -------------------------------------------------------------------------------------


def test_players_of_the_guide_sign_up_at_the_skeleton() -> None:
    (command,) = re.findall(r"```\n\$ (for name in .*)\n```", GUIDE)
    with administrator() as skeleton:
        line = command.replace("acquire", shlex.quote(ACQUIRE)).replace("51234", str(skeleton.port))
        done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60)
        assert {f"Signed up as {name}." for name in PLAYERS} <= {*done.stdout.splitlines()}
        assert done.stderr.count("interrupted") == len(PLAYERS)
        assert "answers <pbuy>" in "".join(skeleton.printed)


def test_program_of_the_guide_compares_rules_with_the_published_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    file = tmp_path / "compare.py"
    file.write_text(program.replace("10_000", "100"))
    rules = ModuleType("rules")
    rules.read = lambda name: Node(_start(name))  # type: ignore[attr-defined]  # as the guide has it
    rules.choices = _choices  # type: ignore[attr-defined]  # as above
    rules.after = lambda game, choice: game.decision()[0].then(choice)  # type: ignore[attr-defined]  # as above
    monkeypatch.setitem(sys.modules, "rules", rules)
    (tmp_path / "perft").symlink_to(ROOT / "docs" / "perft")
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(file))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 20 and all(line.endswith(" right") for line in lines)
    rules.choices = lambda game: [*_choices(game)][1:]  # type: ignore[attr-defined]  # as above
    runpy.run_path(str(file))
    assert "start 1 5 WRONG, expected 6" in capsys.readouterr().out


def _start(name: str) -> State:
    if name == "start":
        return deal(REVISED, ["a", "b", "c"], TILES)
    return read_position(REVISED, (ROOT / "docs" / "perft" / f"{name}.txt").read_text())


def _choices(game: Node) -> range:
    here = game.decision()
    return range(0 if here is None else len(here[1].values))


@pytest.mark.soak
def test_commands_of_the_guide_about_coverage_work(tmp_path: Path) -> None:
    serve, coverage = re.findall(r"^\$ acquire ((?:serve|coverage) .*)$", GUIDE, re.MULTILINE)
    line = f"{ACQUIRE} {serve} --port 0 && {ACQUIRE} {coverage}".replace("--games 5", "--games 2")
    done = subprocess.run(
        ["bash", "-c", line], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert "of 47 rows exercised, games: 2." in done.stdout
