"""Programs that misbehave, and a script that plays one game with each of them.

    python rogue_programs.py FILE STORE WORKERS

plays the games of a tournament file, but only one for every program that is not called `good`: the
rogue moves first, and three well-behaved players sit behind it.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tournament_process import PlayerEntry, TournamentFolder, play_as_script

from acquire.admin.tournament.games.result import FailedGame
from acquire.admin.tournament.planning.schedule import Game
from acquire.admin.tournament.run.tournament_run import TournamentRun

GOOD = "good"
OTHERS = ("ordered", "random", "largest-alpha")
"""The built-in players that sit behind a rogue."""
REACHES_THE_SUPERVISOR = os.geteuid() == 0
"""Whether a program without a sandbox can open the descriptors of its supervisor."""


class Rogue(NamedTuple):
    """A program's source, and the expected result: the verdict, and words of its detail.

    ``command`` is for a program that is not in Python, with ``{folder}`` for its folder.
    """

    source: str
    verdict: str
    words: str
    command: tuple[str, ...] = ()


class OneGameEach(TournamentRun):
    """A tournament that is over when every rogue has played once."""

    def stages(self) -> Iterator[list[Game]]:
        """Yield one game for each rogue; the good program sits at the first table."""
        players = [player.name for player in self.plan.players if player.command]
        rogues = [name for name in players if name != GOOD]
        others = {rogues[0]: (GOOD, *OTHERS[:2])} if GOOD in players else {}
        yield [
            Game(name, name, number, (name, *others.get(name, OTHERS)))
            for number, name in enumerate(rogues)
        ]

    def void(self, failed: FailedGame) -> bool:
        """Record a void game, and have it played again, however often it was void."""
        super().void(failed)
        return True


# -- the rogues ---------------------------------------------------------------------------------


def never(source: str, words: str, *command: str) -> Rogue:
    """A program that does not sign up."""
    return Rogue(source, "never-started", words, command)


def late(source: str, words: str = "<pbuy>") -> Rogue:
    """A program that does not answer."""
    return Rogue(source, "timed-out", words)


def crashed(source: str, words: str) -> Rogue:
    return Rogue(source, "crashed", words)


CAUGHT_BY_THE_CLOCK: dict[str, Rogue] = {
    "never-connects": never("sleep()", "It did not sign up within"),
    "says-nothing": never("connection = connect(); sleep()", "sent no complete <signup>."),
    "hangs": late("connection = first_turn(); sleep()"),
    "closes-stdio": late("os.closerange(0, 3); connection = first_turn(); sleep()"),
    "removes-scratch": late(
        "connection = first_turn(); shutil.rmtree(os.path.dirname(os.environ['TMPDIR'])); sleep()"
    ),
    # whoever connects to its address is this player
    "takes-anothers-name": late("connection = sign_up('ordered'); sleep()", "no sign of life"),
    "stops-its-supervisor": late(
        "connection = first_turn(); os.kill(os.getppid(), signal.SIGSTOP); sleep()"
    ),
    "spoils-its-supervisors-report": crashed(
        """
connection = first_turn()
with open(f"/proc/{os.getppid()}/fd/1", "wb", 0) as report:
    report.write(b"no report\\n")
sleep()
""",
        "tampered" if REACHES_THE_SUPERVISOR else "exit code 1",
    ),
    "writes-its-supervisors-report": Rogue(
        """
connection = first_turn()
with open(f"/proc/{os.getppid()}/fd/1", "wb", 0) as report:
    report.write(b'{"code": 0, "stopped": null, "left": 0, "processor": 0, "memory": 0}\\n')
sleep()
""",
        *(("timed-out", "<pbuy>") if REACHES_THE_SUPERVISOR else ("crashed", "exit code 1")),
    ),
    "makes-deep-folders": late(
        """
os.chdir(os.environ["TMPDIR"])
for _ in range(1500):
    os.mkdir("d")
    os.chdir("d")
connection = first_turn()
sleep()
"""
    ),
}
"""Rogues that the referee waits for: their clocks are short."""

CAUGHT_AT_ONCE: dict[str, Rogue] = {
    "exits-with-0": never("sys.exit(0)", "It ended with exit code 0."),
    "is-not-there": never("", "No such file", "{folder}/none-{name}"),
    "connects-twice": Rogue(
        """
first, second = sign_up(), connect()
second.sendall(f'<signup name="{NAME}"/>'.encode())
while second.recv(4096):  # until it is refused
    pass
first.shutdown(socket.SHUT_WR)
sleep()
""",
        "disconnected",
        "The player closed the connection",  # while it was asked, or just before
    ),
    "fills-memory": crashed(
        "connection = first_turn(); hoard = bytearray(2 ** 28); sleep()", "with exit code 1."
    ),
    "burns-processor": crashed("connection = first_turn()\nwhile True: pass", "(limits.processor)"),
    "floods-its-output": crashed(
        """
connection = first_turn()
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
while True:
    os.write(1, b"x" * 65536)
""",
        "SIGXFSZ: wrote more than 1048576 bytes (limits.file_size)",
    ),
    "prints-until-that-fails": crashed(
        "connection = first_turn()\nwhile True: os.write(1, b'x' * 65536)",
        "Its output reached the limit (limits.file_size).",
    ),
    "kills-supervisor-leaves-a-child": crashed(
        """
connection, supervisor = first_turn(), os.getppid()
waiting, born = os.pipe()
if not os.fork():
    connection.close()
    os.setsid()
    os.write(born, b"!")
    sleep()
os.read(waiting, 1)
os.kill(supervisor, signal.SIGKILL)
sleep()
""",
        "tampered",
    ),
    "floods-the-socket": Rogue(
        "connection = first_turn()\nwhile True: connection.sendall(b'x' * 65536)",
        "malformed",
        "A message must begin with '<'",
    ),
    "speaks-before-its-turn": Rogue(  # the first may be asked for by now, the second is not
        "connection = sign_up(); connection.sendall(b'<void/><void/>'); sleep()",
        "out-of-turn",
        "<void/>",
    ),
    "says-what-is-no-word": Rogue(
        "connection = first_turn(); connection.sendall(b'<bye/>'); sleep()", "invalid", "bye"
    ),
    "plays-anothers-tile": Rogue(
        """
connection = sign_up()
read(connection, b"</state>")
connection.sendall(b"<void/>")
turn = read(connection, b"</turn>")
tile = turn[turn.rindex(b"<tile"):]
tile = tile[:tile.index(b"/>") + 2]
connection.sendall(b"<pbuy><placement>" + tile + b"</placement><order/></pbuy>")
sleep()
""",
        "illegal",
        "is not in the hand",
    ),
    "prints-escapes": crashed(
        r"""
os.write(1, b"\x1b[2J\x1b]0;owned\x07\xff\xfe\0 the end\n")
connection = first_turn()
raise SystemExit(3)
""",
        "It ended with exit code 3.",
    ),
}
"""Rogues for which no clock is needed: theirs are long."""


def write_rogues(folder: TournamentFolder, rogues: Mapping[str, Rogue]) -> list[PlayerEntry]:
    """Write the rogues' programs, and return the players that run them."""
    entries = []
    for name, rogue in rogues.items():
        if rogue.command:
            command = [part.replace("{folder}", str(folder.folder)) for part in rogue.command]
            entries.append(folder.command(name, command))
        else:
            entries.append(folder.program(name, rogue.source))
    return entries


if __name__ == "__main__":
    play_as_script(OneGameEach, *sys.argv[1:])
