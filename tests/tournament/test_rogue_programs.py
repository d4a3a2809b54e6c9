"""Launched players that misbehave lose their own games, nobody else's, and nothing of them is left.

All of a kind meet their tables in one tournament, over real sockets and processes, which is played
when the first test asks for it.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from admin.tournament.results.verdict import PlayerVerdict

if TYPE_CHECKING:
    import rogue_programs as disk
else:  # the folder is no package, and only its parent is on the path
    from tournament import rogue_programs as disk

FAST = {"signup": 3.0, "reply": 1.0, "turn": 1.5}
SLOW = {"signup": 20.0, "reply": 20.0, "turn": 30.0}
TIGHT = {"memory": "256 MiB", "processor": 2, "processes": 12, "file_size": "1 MiB"}
SECRET = "a-secret-of-the-guest"
HOUSE = [disk.Entry(name, {"strategy": name}) for name in disk.MATES[1:]]
GOOD_ONE = [disk.ACQUIRE, "play", "{host}", "{port}", "--name", "{name}", "--strategy", "random"]


class Cup(NamedTuple):
    """A tournament that is over."""

    stage: disk.Stage
    run: disk.Running
    code: int


def play(stage: disk.Stage, workers: int) -> Cup:
    """Play one game with every rogue of a tournament file."""
    with stage.one_game_each(workers) as run:
        code = run.end()
    return Cup(stage, run, code)


@pytest.fixture(scope="module")
def silent(tmp_path_factory: pytest.TempPathFactory) -> Cup:
    """The tournament of those that the clock finds out: short ones, and house players only."""
    stage = disk.Stage(tmp_path_factory.mktemp("silent"))
    guest = disk.Entry("guest", {"remote": {"secret": SECRET}})
    stage.write(
        [*disk.prepare(stage, disk.SILENT), *HOUSE, guest],
        clocks=FAST,
        lobby={"port": disk.free_port()},
    )
    return play(stage, 6)


@pytest.fixture(scope="module")
def loud(tmp_path_factory: pytest.TempPathFactory) -> Cup:
    """The tournament of the others: tight limits, long clocks, and a launched player who plays."""
    stage = disk.Stage(tmp_path_factory.mktemp("loud"))
    (stage.folder / "data-0").write_text("no program")
    players = [*disk.prepare(stage, disk.LOUD), stage.launching(disk.GOOD, GOOD_ONE), *HOUSE]
    stage.write(players, clocks=SLOW, limits=TIGHT)
    return play(stage, 3)


def judge(cup: Cup, name: str, rogue: disk.Rogue) -> None:
    """A rogue lost by its own fault, as the store says, and all others finished."""
    result = cup.stage.results()[name]
    lost = disk.seat(result, name)
    assert (lost.verdict.value, lost.money) == (rogue.verdict, 0)
    assert rogue.words in lost.detail
    assert lost.rank == len(result.seats)
    others = [seat for seat in result.seats if seat.player != name]
    assert [seat.verdict for seat in others] == [PlayerVerdict.FINISHED] * 3, others


@pytest.mark.parametrize("name", disk.SILENT)
def test_a_silent_rogue_loses_its_game_and_the_others_finish(silent: Cup, name: str) -> None:
    judge(silent, name, disk.SILENT[name])


@pytest.mark.parametrize("name", disk.LOUD)
def test_a_loud_rogue_loses_its_game_and_the_others_finish(loud: Cup, name: str) -> None:
    judge(loud, name, disk.LOUD[name])


@pytest.fixture(params=["silent", "loud"])
def cup(request: pytest.FixtureRequest) -> Cup:
    found: Cup = request.getfixturevalue(request.param)
    return found


def test_every_game_with_rogues_counts_and_the_tournament_ends_by_itself(cup: Cup) -> None:
    assert cup.code == 0, cup.run.errors
    assert not [void for void in cup.stage.voids() if "was late" not in void.why]


def test_no_process_of_a_rogue_is_left(cup: Cup) -> None:
    assert cup.stage.results()
    assert cup.stage.living() == {}


def test_no_temporary_file_of_a_rogue_is_left(cup: Cup) -> None:
    assert cup.stage.results()
    assert cup.stage.left_over() == []


def test_nobody_listens_after_the_tournament(cup: Cup) -> None:
    assert disk.is_refused(cup.run.port)


CLAIMS: Mapping[str, str] = {
    "ordered": "Sign up as NAME:PROOF",
    "hangs": "Nobody is expected by this name and proof.",
    "guest": "Nobody is expected by this name and proof.",
    "connects-twice": "This player has signed up already.",
}


@pytest.mark.parametrize("name", CLAIMS)
def test_whoever_claims_a_place_wrongly_is_told_of_as_turned_away(silent: Cup, name: str) -> None:
    reasons = [told["why"] for told in silent.run.told("turned-away") if told["name"] == name]
    assert any(CLAIMS[name] in why for why in reasons), reasons


def test_no_secret_or_token_is_told_to_anybody(silent: Cup) -> None:
    assert SECRET not in repr(silent.run.events)
    names = {told["name"] for told in silent.run.told("turned-away")}
    assert not [name for name in names if name and ":" in name]


def test_what_a_loser_printed_is_kept_from_its_end(loud: Cup) -> None:
    assert loud.stage.outputs("prints-escapes") == {
        "prints-escapes": b"\x1b[2J\x1b]0;owned\x07\xff\xfe\0 the end\n"
    }
    assert loud.stage.outputs("floods-its-output") == {"floods-its-output": b"x" * 4096}
    assert b"MemoryError" in loud.stage.outputs("fills-memory")["fills-memory"]


def test_a_losers_output_is_shown_without_its_control_characters(loud: Cup) -> None:
    done = subprocess.run(
        [disk.ACQUIRE, "tournament", "show", str(loud.stage.file), "--game", "prints-escapes"],
        capture_output=True,
        timeout=disk.PATIENCE,
        check=True,
        env={**os.environ, "TTY_COMPATIBLE": "0"},
    )
    assert b"the end" in done.stdout
    assert not set(done.stdout) & {0x00, 0x07, 0x1B}


# -- rogues that turn on the one who keeps them -------------------------------------------------

TURNCOATS = {
    "stops-its-keeper": "connection = move(); os.kill(os.getppid(), signal.SIGSTOP); sleep()",
    "writes-its-keepers-report": """
connection = move()
with open(f"/proc/{os.getppid()}/fd/1", "wb", 0) as report:
    report.write(b"no report\\n")
sleep()
""",
    "writes-a-report-of-its-own": """
connection = move()
with open(f"/proc/{os.getppid()}/fd/1", "wb", 0) as report:
    report.write(b'{"code": 0, "stopped": null, "left": 0, "processor": 0, "memory": 0}\\n')
sleep()
""",
    "digs-deep": """
for _ in range(1500):
    os.mkdir("d")
    os.chdir("d")
connection = move()
sleep()
""",
}


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[disk.Stage]:
    """A stage whose folder is removed by a program that folders cannot be too deep for."""
    yield disk.Stage(tmp_path)
    subprocess.run(["rm", "-rf", tmp_path], check=True)


@pytest.mark.parametrize("name", TURNCOATS)
def test_a_rogue_that_turns_on_its_keeper_holds_up_nobody(stage: disk.Stage, name: str) -> None:
    source = "os.chdir(os.environ['TMPDIR'])\n" + TURNCOATS[name]
    stage.write([stage.launched(name, source), *HOUSE], clocks=FAST)
    with stage.one_game_each(1) as run:
        code = run.end()  # 8 s a game; on a busy machine it is void a few times first
    assert not stage.voids(), stage.voids()[0].why
    assert disk.seat(stage.results()[name], name).verdict is not PlayerVerdict.FINISHED
    assert (code, stage.living(), stage.left_over()) == (0, {}, []), run.errors[-300:]
