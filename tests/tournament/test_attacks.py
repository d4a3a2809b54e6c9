"""A program that attacks wins nothing: its opponents' results are those of a game without it.

All attackers play in one tournament for each kind of sandbox, with real processes, which runs when
the first test asks for it: with bubblewrap here, with a user of their own in the soak. What they
reach without a sandbox is recorded here as well.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import attack_programs
import pytest
from attack_programs import ATTACKS, HEAVY, HONEST, MEMORY, PATIENT, write_players
from sandboxes import BWRAP_AND_SOAK, every_sandbox, readable_by_all
from tournament_process import CLOCKS, TournamentFolder, TournamentProcess, seat_of

from acquire.admin.launching.sandbox import Sandbox
from acquire.admin.tournament.games.result import Alarm, PlayerVerdict

LIMITS = {"memory": "160 MiB", "processes": 32}
WITHOUT_SANDBOX = ("spy", "impostor", "killer", "daemon")
"""Attacks that do no harm to this machine although nothing keeps them from it."""

STOPPED = {
    "swarm": "It was stopped: more than 32 processes (limits.processes).",
    "hider": "memory, with everything that it started (limits.memory).",
}
"""Attackers that are stopped at a limit, and the cause that is kept."""
SHARED_WITH_UID = {
    "spy": [
        *("a rival's command line", "a rival's source", "the names of other players"),
        "the tournament file",
    ],
    "escaper": ["a user namespace of its own"],
    "accomplice-b": [
        *("a file in /dev/shm", "a file in /run/lock", "a file in /tmp", "a file in /var/lock"),
        *("a file in /var/tmp", "a process", "an abstract socket"),
    ],
}
"""What programs reach that share the files and the network of this machine, at most."""


class Cup(NamedTuple):
    """A tournament with attackers that is over."""

    kind: str
    folder: TournamentFolder
    process: TournamentProcess
    code: int

    def reached(self, game: str, name: str) -> list[str]:
        """Return what an attacker has printed that it reached."""
        lines = self.folder.outputs(game)[name].decode().splitlines()
        found = json.loads(lines[-1])
        assert isinstance(found, list)
        return found


def play(
    kind: str,
    names: Iterable[str],
    clocks: Mapping[str, float] = CLOCKS,
    workers: int = 3,
    limits: Mapping[str, object] = LIMITS,
) -> Iterator[Cup]:
    """Play a tournament in a folder that every user can read."""
    top = Path(tempfile.mkdtemp(prefix="acquire-test-", dir="/var/tmp"))
    try:
        top.chmod(0o755)
        with readable_by_all():
            folder = TournamentFolder(top)
            players = write_players(folder, names)
            limits = {"sandbox": kind, **limits}
            long = {"rulebook": "revised"}  # much is played after an attack
            folder.write(players, tournament=long, clocks=clocks, limits=limits)
            (top / "key.pem").write_text("private")
            (top / "key.pem").chmod(0o600)
            process = folder.run_script(attack_programs.__file__, workers)
        with process:
            yield Cup(kind, folder, process, process.end())
    finally:
        shutil.rmtree(top)


@pytest.fixture(scope="module", params=BWRAP_AND_SOAK)
def cup(request: pytest.FixtureRequest) -> Iterator[Cup]:
    yield from play(request.param.value, (*ATTACKS, *MEMORY))


@pytest.fixture(scope="module")
def open_cup() -> Iterator[Cup]:
    """Programs without a sandbox."""
    yield from play("none", WITHOUT_SANDBOX)


def results_of_others(cup: Cup, game: str, attacker: str) -> list[tuple[str, int, int]]:
    """Return verdict, place and money of an attacker's opponents, in seat order."""
    seats = cup.folder.all_results()[game].seats
    return [
        (seat.verdict.value, seat.rank, seat.money) for seat in seats if seat.player != attacker
    ]


# -- in a sandbox -------------------------------------------------------------------------------


def test_every_game_counts(cup: Cup) -> None:
    assert cup.code == 0, cup.process.errors
    assert cup.folder.voids() == []
    assert len(cup.folder.all_results()) == len(ATTACKS) + 3


@pytest.mark.parametrize("name", ATTACKS)
def test_attack_changes_nothing_for_the_opponents_and_reaches_nothing_hidden(
    cup: Cup, name: str
) -> None:
    ends_early = name in (*STOPPED, "leaver")
    as_honest = "leaver" if ends_early else HONEST
    expected = results_of_others(cup, as_honest, as_honest)
    assert results_of_others(cup, name, name) == expected
    assert {verdict for verdict, _, _ in expected} == {PlayerVerdict.FINISHED.value}
    if not ends_early:
        allowed = SHARED_WITH_UID.get(name, []) if cup.kind == "uid" else []
        assert set(cup.reached(name, name)) <= set(allowed)
    if name in STOPPED:
        seat = seat_of(cup.folder.all_results()[name], name)
        assert seat.verdict is PlayerVerdict.CRASHED
        assert STOPPED[name] in seat.explanation, "its cause is kept"


def test_program_finds_nothing_of_its_last_game(cup: Cup) -> None:
    assert cup.reached("rememberer", "rememberer") == []
    assert cup.reached("rememberer-again", "rememberer") == []


def test_accomplices_at_one_table_have_no_channel_but_the_game(cup: Cup) -> None:
    allowed = SHARED_WITH_UID["accomplice-b"] if cup.kind == "uid" else []
    assert set(cup.reached("accomplices", "accomplice-b")) <= set(allowed)


def test_connections_to_other_addresses_and_second_sign_ups_are_alarms(cup: Cup) -> None:
    whose = {"bwrap": " of its program", "uid": ", not all of which need be its own"}[cup.kind]
    expected = {
        Alarm("impostor", "It signed up a second time, and was refused."),
        Alarm("impostor", f"Its address was closed after more than 64 connections{whose}."),
    }
    if cup.kind == "uid":
        sentence = "It connected to the address of rival-of-impostor, and was refused."
        expected.add(Alarm("impostor", sentence))
    assert set(cup.folder.alarms("impostor")) == expected


def test_printed_words_do_not_become_the_cause(cup: Cup) -> None:
    seat = seat_of(cup.folder.all_results()["daemon"], "daemon")
    assert seat.explanation == "It ended with exit code 3."


def assert_nothing_is_left(cup: Cup) -> None:
    name = f"cup-{cup.folder.folder.name[-8:]}"  # the name that the daemons have given themselves
    assert [path for path in Path("/proc").glob("[0-9]*/comm") if content(path) == name] == []
    assert cup.folder.living() == {}
    assert cup.folder.temporary_files() == []


def test_nothing_is_left_of_an_attacker(cup: Cup) -> None:
    assert_nothing_is_left(cup)
    tag = cup.folder.folder.name
    for place in ("/tmp", "/var/tmp", "/dev/shm", "/run/lock", str(Path.home())):
        assert [entry for entry in os.listdir(place) if entry.startswith(f"{tag}-")] == []


def content(path: Path) -> str:
    """Return the content of a process's file; nothing if the process is gone."""
    try:
        return path.read_text().strip()
    except OSError:
        return ""


@pytest.mark.soak
@every_sandbox
def test_attack_on_processor_addresses_and_files_makes_nobody_late(kind: Sandbox) -> None:
    limits = {"memory": "1 GiB", "processes": 64}
    for cup in play(kind.value, HEAVY, {"signup": 20.0, "reply": 2.0, "turn": 12.0}, 1, limits):
        assert cup.folder.voids() == []
        expected = results_of_others(cup, PATIENT, PATIENT)
        for name in ("burner", "flooder"):
            assert results_of_others(cup, name, name) == expected
        (rival, _) = results_of_others(cup, "filler", "filler")
        assert rival[0] == PlayerVerdict.FINISHED.value
        filler = seat_of(cup.folder.all_results()["filler"], "filler")
        assert "too many or too large temporary files" in filler.explanation
        assert_nothing_is_left(cup)


# -- without a sandbox --------------------------------------------------------------------------


def test_without_a_sandbox_a_program_reads_everything_and_leaves_no_process(open_cup: Cup) -> None:
    found = set(open_cup.reached("spy", "spy"))
    assert found >= {"a rival's command line", "a rival's environment", "a rival's source"}
    assert found >= {"the store", "the secret", "the tournament file", "the TLS key"}
    assert found >= {"writing to the store", "a file in a rival's folder"}
    assert_nothing_is_left(open_cup)


def test_without_a_sandbox_a_rival_can_be_killed_and_that_is_an_alarm(open_cup: Cup) -> None:
    (rival,) = (s for s in open_cup.folder.all_results()["killer"].seats if "rival" in s.player)
    assert rival.verdict is PlayerVerdict.CRASHED
    sentence = "Its supervisor was killed or stopped, or the supervisor's report was tampered with."
    assert Alarm(rival.player, sentence) in open_cup.folder.alarms("killer")


def test_without_a_sandbox_an_impostor_is_refused_too(open_cup: Cup) -> None:
    assert open_cup.reached("impostor", "impostor") == []
    sentence = "It connected to the address of rival-of-impostor, and was refused."
    assert Alarm("impostor", sentence) in open_cup.folder.alarms("impostor")
