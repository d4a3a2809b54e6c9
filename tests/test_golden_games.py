"""Games recorded before hold under the rules of today, and reach what they were kept for."""

from pathlib import Path

import pytest
from branches import branches
from golden_games import FOLDER, GAMES, Golden

from acquire.game.rulebooks import RULEBOOKS
from acquire.game.turn import Ending

LOGS = sorted(FOLDER.glob("*.xml"))


@pytest.mark.parametrize("golden", GAMES, ids=lambda golden: golden.path.stem)
def test_golden_game_holds_and_reaches_what_it_was_kept_for(golden: Golden) -> None:
    found = branches(golden.path)
    assert golden.reaches in found


def test_every_ending_and_every_rulebook_is_in_a_golden_game() -> None:
    of_parts = {Ending.NO_MORE_TURNS}  # a whole game does not end so
    endings = {ending.value for ending in set(Ending) - of_parts}
    assert endings <= {golden.reaches for golden in GAMES}
    assert {golden.rulebook for golden in GAMES} == RULEBOOKS.keys()


def test_there_are_no_other_golden_games() -> None:
    assert {golden.path for golden in GAMES} == set(map(Path, LOGS))
