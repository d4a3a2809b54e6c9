"""A program that misbehaves loses its own game and nobody else's, and nothing of it is left.

All rogues of a kind play in one tournament, with real sockets and processes, which runs when the
first test asks for it. What processes can do to a supervisor, and each limit, is tested with that
alone.
"""

from typing import NamedTuple

import pytest
import rogue_programs
from command_line import succeed
from rogue_programs import CAUGHT_AT_ONCE, CAUGHT_BY_THE_CLOCK, GOOD, OTHERS, Rogue, write_rogues
from tournament_process import TournamentFolder, TournamentProcess, built_in, seat_of

from acquire.admin.tournament.auditing.game_checks import audit_game
from acquire.admin.tournament.games.program_output import KEPT_BYTES, by_turn
from acquire.admin.tournament.games.result import Alarm, PlayerVerdict
from acquire.admin.tournament.store.store import Store

SHORT = {"signup": 12.0, "reply": 4.0, "turn": 5.0}
TIGHT = {"memory": "256 MiB", "processor": 1, "processes": 12, "file_size": "1 MiB"}


class Cup(NamedTuple):
    """A tournament that is over."""

    folder: TournamentFolder
    process: TournamentProcess
    code: int


def play(folder: TournamentFolder, workers: int) -> Cup:
    """Play one game with every rogue of a tournament file."""
    with folder.run_script(rogue_programs.__file__, workers) as process:
        return Cup(folder, process, process.end())


@pytest.fixture(scope="module")
def by_the_clock(tmp_path_factory: pytest.TempPathFactory) -> Cup:
    """All games wait for a time-out, so they are played at once."""
    folder = TournamentFolder(tmp_path_factory.mktemp("clock"))
    rogues = write_rogues(folder, CAUGHT_BY_THE_CLOCK)
    players = [*rogues, *built_in(*OTHERS)]
    folder.write(players, tournament={"seed": 1}, clocks=SHORT)
    return play(folder, len(rogues))


@pytest.fixture(scope="module")
def at_once(tmp_path_factory: pytest.TempPathFactory) -> Cup:
    """The limits are tight, the clocks long, and one good program plays within them."""
    folder = TournamentFolder(tmp_path_factory.mktemp("once"))
    players = [*write_rogues(folder, CAUGHT_AT_ONCE), folder.starter(GOOD), *built_in(*OTHERS)]
    folder.write(players, tournament={"seed": 1}, limits=TIGHT)
    return play(folder, 3)


def assert_lost_alone(cup: Cup, name: str, rogue: Rogue) -> None:
    """A rogue has lost by its own fault, and all others have finished."""
    result = cup.folder.all_results()[name]
    lost = seat_of(result, name)
    assert (lost.verdict.value, lost.money) == (rogue.verdict, 0)
    assert rogue.words in lost.explanation
    assert lost.rank == len(result.seats)
    others = [seat for seat in result.seats if seat.player != name]
    assert [seat.verdict for seat in others] == [PlayerVerdict.FINISHED] * 3, others


@pytest.mark.parametrize("name", CAUGHT_BY_THE_CLOCK)
def test_rogue_caught_by_the_clock_loses_alone(by_the_clock: Cup, name: str) -> None:
    assert_lost_alone(by_the_clock, name, CAUGHT_BY_THE_CLOCK[name])


@pytest.mark.parametrize("name", CAUGHT_AT_ONCE)
def test_rogue_caught_at_once_loses_alone(at_once: Cup, name: str) -> None:
    assert_lost_alone(at_once, name, CAUGHT_AT_ONCE[name])


@pytest.fixture(params=["by_the_clock", "at_once"])
def cup(request: pytest.FixtureRequest) -> Cup:
    found: Cup = request.getfixturevalue(request.param)
    return found


def test_tournament_with_rogues_ends_by_itself_with_every_game_and_nothing_left(cup: Cup) -> None:
    assert cup.code == 0, cup.process.errors
    began = {event["game"] for event in cup.process.of_kind("game-began")}
    assert cup.folder.all_results().keys() == began
    assert not [void for void in cup.folder.voids() if "was late" not in void.why]
    assert cup.folder.living() == {}
    assert cup.folder.temporary_files() == []


def test_every_log_gives_the_result_of_its_game(cup: Cup) -> None:
    results = cup.folder.all_results()
    with Store.open_to_read(cup.folder.store) as store:
        for game, log in store.logs():
            found = audit_game(results[game], log)
            assert not found.log_findings + found.result_findings


def test_second_sign_up_is_an_alarm_and_changes_nothing(at_once: Cup) -> None:
    assert at_once.folder.alarms("connects-twice") == [
        Alarm("connects-twice", "It signed up a second time, and was refused.")
    ]


def test_the_end_of_a_losers_output_is_kept(at_once: Cup) -> None:
    names = ("prints-escapes", "floods-its-output", "fills-memory")
    escapes, flood, memory = (at_once.folder.outputs(name)[name] for name in names)
    assert escapes == b"\x1b[2J\x1b]0;owned\x07\xff\xfe\0 the end\n"
    assert by_turn(flood) == (True, [(1, b"x" * KEPT_BYTES)])
    assert b"MemoryError" in memory


def test_a_losers_output_is_shown_without_control_characters(at_once: Cup) -> None:
    done = succeed("tournament", "show", at_once.folder.file, "--game", "prints-escapes")
    assert "the end" in done.stdout
    assert not set(done.stdout) & {"\0", "\x07", "\x1b"}
