"""The first steps of docs/students/write-a-player.md, each with a player that can do no more.

Each player is the Python starter, cut down to what the step asks for.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import pytest
from virtual_time import Players, PlayerSocket

from acquire.admin.testing.cases.case import Case
from acquire.admin.testing.cases.catalogue import cases_for
from acquire.admin.testing.judging.check_result import CaseVerdict, CheckResult
from acquire.game.rulebooks import REVISED
from check.mistakes import STARTER, module_of
from check.thread_players import Play, check


@pytest.fixture(scope="module")
def starter(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return module_of(STARTER.read_text(), tmp_path_factory.mktemp("starter"), "guide")


def sign_up(connection: PlayerSocket, name: str) -> None:
    """Step 1: sign up, read the answer, and leave."""
    with connection:
        connection.sendall(f'<signup name="{name}"/>'.encode())
        connection.recv(4096)


def acknowledging(starter: ModuleType, *, placing: bool = False) -> Play:
    """Step 2: acknowledge what needs no decision; step 3: also place tiles that touch nothing."""

    def play(connection: PlayerSocket, name: str) -> None:
        with connection:
            starter.send(connection, f'<signup name="{name}"/>')
            for message in starter.elements(connection):
                match message.tag:
                    case "signup":
                        name = message.get("name")
                    case "state" | "tile" | "score":
                        starter.send(connection, "<void/>")
                    case "turn" if placing and (answer := lone_placement(message, name)):
                        starter.send(connection, answer)
                    case _:
                        return

    def lone_placement(turn: object, me: str) -> str:
        board, players = starter.read_board(turn), starter.read_players(turn)
        moves = [move for tile in players[me].tiles for move in starter.legal_moves(board, tile)]
        alone = [move for move in moves if not {*starter.beside(move.tile)} & set(board)]
        return f"<pbuy>{starter.placement_xml(alone[0])}<order/></pbuy>" if alone else ""

    return play


async def checked(play: Play, players: Players, *only: str) -> CheckResult:
    """Check a player as with these ``--only`` options."""
    cases: Sequence[Case] = [case for case in cases_for(REVISED) if {*only} & {*case.names}]
    results = await check(cases, play, players)
    return CheckResult(REVISED, "player", False, tuple(results), datetime.now(UTC), 1.0)


async def test_player_that_only_signs_up_is_right_so_far(players: Players) -> None:
    result = await checked(sign_up, players, "1.1")
    assert result.sentence == "1 of 1 right so far."
    assert not result.passed
    assert ["The case passes once" in note for note in result.notes] == [True]


async def test_player_that_only_acknowledges_is_right_so_far(
    starter: ModuleType, players: Players
) -> None:
    result = await checked(acknowledging(starter), players, "3.1")
    assert result.sentence == "1 of 1 right so far."


async def test_player_that_only_places_lone_tiles_fails_the_cases_named_in_the_guide(
    starter: ModuleType, players: Players
) -> None:
    play = acknowledging(starter, placing=True)
    result = await checked(play, players, "framing", "set-up", "turn")
    assert {each.verdict for each in result.results} == {CaseVerdict.PASS, CaseVerdict.FAIL}
    failed = [e.case.number for e in result.results if e.verdict is CaseVerdict.FAIL]
    guide = Path(__file__).parents[2] / "docs" / "students" / "write-a-player.md"
    assert failed == ["2.8", "3.7", "4.11"]
    assert "all but 2.8, 3.7 and 4.11 pass" in guide.read_text()
