"""A semester in a few minutes: ``python -m bench.semester [--teams N] [--weeks N] [--deals N]``.

Teams in Python, JavaScript, Java and C hand in folders for a ladder. Every week some hand in a new
version, some join and some leave; two cheat in every game. The run is killed twice a week. Printed
are the games of every week, and the final standings beside those of a tournament of the last
versions, played from the start. It stops with an error if a game was played that concerns nobody
who changed, or if the audit finds anything.
"""

import argparse
import random
import shutil
import signal
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import correlation
from typing import Any, NamedTuple

from command_line import ACQUIRE
from rich.console import Console
from rich.progress import Progress, TaskID
from rich.table import Table
from tournament_process import TournamentFolder, TournamentProcess

from acquire.admin.tournament.auditing.audit import audit_store
from acquire.admin.tournament.games.result import GameResult, PlayerVerdict
from acquire.admin.tournament.standings.summarize import summarize
from acquire.admin.tournament.store.store import Store

STARTERS = Path(__file__).parents[2] / "player" / "starters"
C_PLAYER = Path(__file__).parent / "submissions" / "player.c"
LANGUAGES = ("python", "python", "javascript", "java", "c")
SETTINGS = """
[tournament]
name = "Semester"
submissions = "handed-in/*"
qualify = false
roster = "roster.csv"
format = "ladder"
deals = {deals}

[clocks]
reply = 5.0
turn = 30.0
"""
JAVA = """
build = ["javac", "Player.java"]
command = ["java", "-XX:TieredStopAtLevel=1", "-cp", ".", "Player", "{host}", "{port}", "{name}"]
"""
C = """
build = ["cc", "-O1", "-o", "player", "player.c"]
command = ["./player", "{host}", "{port}", "{name}"]
"""
CHEAT = """
import os, signal
def cheat():
    for process in filter(str.isdecimal, os.listdir("/proc")):
        try:
            open(f"/proc/{process}/environ").read()
            if int(process) not in (os.getpid(), os.getppid(), 1):
                os.kill(int(process), signal.SIGKILL)
        except OSError:
            pass
    for file in ("../../cup.sqlite", "../../../cup.secret"):
        try:
            open(file, "r+").write("x")
        except OSError:
            pass
"""
BUYS = "min(on_board, key=lambda o: (cost(board, o) / len(o), -len(o)), default=())"
IDEAS = (
    "()",
    BUYS,
    "max(on_board, key=lambda o: (cost(board, o) / len(o), len(o)), default=())",
    "max(on_board, key=lambda o: (size(board, o[0]), len(o)), default=())",
    "max(on_board, key=lambda o: (players[me].shares[o[0]], len(o)), default=())",
)
CHEATERS = ("team-05", "team-06")
"""Both are written in Python."""
POINTS = (3.0, 2.0, 1.0, 0.0)


class Week(NamedTuple):
    """What happened in a week."""

    teams: int
    new: int
    new_versions: int
    withdrawn: int
    games: int
    archived: int
    counting: int
    kills: int
    seconds: float


class Course:
    """The teams, and the folder of their tournament."""

    def __init__(self, folder: Path, deals: int, seed: int = 7) -> None:
        self.folder = TournamentFolder(folder)
        self.deals = deals
        self.chance = random.Random(seed)
        self.teams: dict[str, str] = {}
        """The language of every team that takes part."""
        self.joined = 0
        self.folder.file.write_text(SETTINGS.format(deals=deals))

    def join(self) -> None:
        """Let another team hand in its first version."""
        self.joined += 1
        name = f"team-{self.joined:02}"
        self.teams[name] = LANGUAGES[self.joined % len(LANGUAGES)]
        self.hand_in(name)

    def leave(self, name: str) -> None:
        """Remove what a team has handed in."""
        del self.teams[name]
        shutil.rmtree(self.folder.folder / "handed-in" / name)

    def hand_in(self, name: str) -> None:
        """Write a new version of a team's program."""
        folder = self.folder.folder / "handed-in" / name
        folder.mkdir(parents=True, exist_ok=True)
        note = f"version {self.chance.random()}"
        match self.teams[name]:
            case "python":
                text = (STARTERS / "python" / "player.py").read_text()
                assert BUYS in text
                text = text.replace(BUYS, self.chance.choice(IDEAS))
                if name in CHEATERS:
                    text = text.replace("def choose_move(", CHEAT + "\ndef choose_move(")
                    text = text.replace(
                        "    return next((move", "    cheat()\n    return next((move"
                    )
                (folder / "player.py").write_text(f"{text}\n# {note}\n")
            case "javascript":
                text = (STARTERS / "javascript" / "player.js").read_text()
                (folder / "player.js").write_text(f"{text}\n// {note}\n")
            case "java":
                text = (STARTERS / "java" / "Player.java").read_text()
                (folder / "Player.java").write_text(f"{text}\n// {note}\n")
                (folder / "player.toml").write_text(JAVA)
            case _:
                (folder / "player.c").write_text(f"{C_PLAYER.read_text()}\n/* {note} */\n")
                (folder / "player.toml").write_text(C)

    def play(self, kills: int, progress: Progress, task: TaskID) -> int:
        """Play until all games count; return how often the run was killed."""
        lines = ["id,team", *(f"s-{name},{name}" for name in self.teams)]
        (self.folder.folder / "roster.csv").write_text("\n".join(lines) + "\n")
        killed = 0
        while True:
            limit = self.chance.randint(2, 8) if killed < kills else 10**6
            with self.folder.run() as process:
                games = 0
                while games < limit and (event := self._next(process)) is not None:
                    games += 1
                    progress.update(task, completed=event["games"], total=event["total"])
                if games == limit:
                    process.end(signal.SIGKILL)
                    killed += 1
                    continue
                assert process.end() == 0, process.errors
                return killed

    @staticmethod
    def _next(process: TournamentProcess) -> dict[str, Any] | None:
        """Return the next game that is finished, ``None`` if there is none."""
        try:
            return process.until("game")
        except AssertionError:
            return None

    def results(self) -> tuple[list[GameResult], list[GameResult]]:
        """Return the games that count, and the archived ones."""
        with Store.open_to_read(self.folder.store) as store:
            counting = [result for _, result in store.results()]
            everything = [result for _, result in store.all_results()]
        return counting, [result for result in everything if result not in counting]

    def week(self, changes: tuple[int, int, int], kills: int, progress: Progress) -> Week:
        """Let some teams join, hand in again and leave; play."""
        new, again, gone = changes
        began = time.monotonic()
        before: set[str] = set()
        if self.folder.store.exists():
            before = {result.game for results in self.results() for result in results}
        for _ in range(gone):
            self.leave(self.chance.choice(sorted(self.teams)))
        changed = self.chance.sample(sorted(self.teams), again)
        for name in changed:
            self.hand_in(name)
        for _ in range(new):
            self.join()
        task = progress.add_task(f"{len(self.teams)} teams", total=None)
        killed = self.play(kills, progress, task)
        counting, archived = self.results()
        played = [result for result in counting if result.game not in before]
        self.verify(played, [result for result in counting if result.game in before])
        return Week(
            len(self.teams),
            *(new, again, gone),
            len(played),
            len(archived),
            len(counting),
            killed,
            time.monotonic() - began,
        )

    def verify(self, played: list[GameResult], before: list[GameResult]) -> None:
        """Verify that at every table somebody had played too few blocks, and that all hold."""
        blocks = blocks_of(before)
        for result in played:
            assert any(blocks[seat.player] < self.deals for seat in result.seats), result.game
        whole = blocks_of([*played, *before])
        assert min(whole[name] for name in self.teams) >= self.deals
        with Store.open_to_read(self.folder.store) as store:
            audit, _ = audit_store(store)
        assert audit.holds, [check.findings for check in audit.checks]

    def ratings(self) -> dict[str, float]:
        """Return every team's rating."""
        summary = summarize(sorted(self.teams), self.results()[0], POINTS, by_rating=True)
        return {row.player: row.rating for row in summary.rows}


def blocks_of(results: list[GameResult]) -> Counter[str]:
    """Count every player's blocks."""
    blocks = {result.block: result for result in results}
    return Counter(seat.player for result in blocks.values() for seat in result.seats)


def main() -> None:
    """Play a semester, and print it."""
    parser = argparse.ArgumentParser(description="Play a semester.")
    parser.add_argument("--teams", type=int, default=24)
    parser.add_argument("--weeks", type=int, default=5)
    parser.add_argument("--deals", type=int, default=5)
    options = parser.parse_args()
    console = Console(width=110)
    table = Table(title="A semester")
    for column in ("week", *Week._fields):
        table.add_column(column.replace("_", " "), justify="right", min_width=len(column) // 2)
    with tempfile.TemporaryDirectory() as folder, Progress(console=console) as progress:
        first = Path(folder) / "semester"
        first.mkdir()
        course = Course(first, options.deals)
        late = options.teams // 6
        for number in range(1, options.weeks + 1):
            joining = options.teams - late if number == 1 else late // (options.weeks - 1)
            again = 0 if number == 1 else options.teams // 5
            gone = int(number in (3, options.weeks))
            week = course.week((joining, again, gone), 2, progress)
            table.add_row(str(number), *map(str, week[:-1]), f"{week.seconds:.0f}")
        second = Path(folder) / "from-scratch"
        second.mkdir()
        fresh = Course(second, options.deals)
        fresh.teams, fresh.joined = course.teams, course.joined
        shutil.copytree(first / "handed-in", second / "handed-in")
        fresh.play(0, progress, progress.add_task("from the start", total=None))
        report = subprocess.run(
            [ACQUIRE, "tournament", "report", str(course.folder.file)], capture_output=True
        )
        assert report.returncode == 0, report.stderr
        console.print(table)
        compare(course, fresh, console)


def compare(course: Course, fresh: Course, console: Console) -> None:
    """Print the ratings of both tournaments, and how they correlate."""
    ours, theirs = course.ratings(), fresh.ratings()
    table = Table(title="Ratings")
    for column in ("team", "language", "after the semester", "from the start"):
        table.add_column(column)
    for name in sorted(ours, key=lambda name: -ours[name]):
        table.add_row(name, course.teams[name], f"{ours[name]:.1f}", f"{theirs[name]:.1f}")
    console.print(table)
    pairs = [(ours[name], theirs[name]) for name in ours]
    agreement = correlation([one for one, _ in pairs], [other for _, other in pairs])
    seats = [seat for result in course.results()[0] for seat in result.seats]
    lost = [seat.player for seat in seats if seat.verdict is not PlayerVerdict.FINISHED]
    console.print(
        f"Correlation {agreement:.2f}; {len(fresh.results()[0])} games from the start. "
        f"{len(seats)} seats, {len(lost)} lost by {', '.join(sorted({*lost})) or 'nobody'}."
    )


if __name__ == "__main__":
    main()
