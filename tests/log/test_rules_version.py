"""Logs of earlier versions are judged by the rules that they were written by."""

from pathlib import Path

import pytest
from positions import by_initials, move, scene

from acquire.admin.refereeing.log.reader import read_bytes
from acquire.admin.refereeing.log.recorder import first_version
from acquire.admin.refereeing.log.verifier import Verifier
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, REVISED, RULEBOOKS, WIKIPEDIA
from acquire.game.state import State
from acquire.played_games import play_on
from acquire.player.strategies.simple import Ordered
from acquire.protocol import messages
from acquire.protocol.messages import PlayerMessage, RefereeMessage

DECLARED = pytest.mark.parametrize(
    "rulebook", [CORPORATIONS, CLASSIC, WIKIPEDIA, DIGEST], ids=lambda rulebook: rulebook.id
)


class Founder(Ordered):
    """Founds a hotel with its first tile and declares the end."""

    def __call__(self, message: RefereeMessage) -> PlayerMessage:
        if isinstance(message, messages.TurnView):
            founding = move("2D S", self.rulebook)
            return messages.Pbuy(founding, by_initials("S", self.rulebook), end=True)
        return super().__call__(message)


def logged(state: State) -> str:
    """Let `ann` declare the end in a position, and return the log of that turn."""
    players = {"ann": Founder, "bob": Ordered, "cyd": Ordered}
    return play_on(state, players, turns=1).log.decode()


def safe_before_founding(rulebook: Rulebook) -> State:
    return scene(rulebook, "AAAAAAAAAAA\n.\n.\no", "ann 2D $9000", "bob", "cyd", bag="12I")


def divergence(log: str) -> str | None:
    return Verifier(read_bytes(Path("log"), log.encode())).verify().divergence


@DECLARED
def test_false_declaration_by_the_first_version_stays_false(rulebook: Rulebook) -> None:
    log = logged(safe_before_founding(first_version(rulebook)))
    assert 'rule="declaration-false"' in log and "rules=" not in log
    assert divergence(log) is None
    altered = log.replace(" seed=", ' rules="2" seed=', 1)
    assert "the rules give <placed " in (divergence(altered) or "")


@DECLARED
def test_same_declaration_ends_the_game_now(rulebook: Rulebook) -> None:
    log = logged(safe_before_founding(rulebook))
    assert '<ended ending="all-hotels-safe"' in log and ' rules="2" ' in log
    assert divergence(log) is None
    altered = log.replace(' rules="2"', "", 1)
    assert 'rule="declaration-false"' in (divergence(altered) or "")


def test_first_version_differs_where_a_player_declares_the_end() -> None:
    assert first_version(REVISED) is REVISED
    for rulebook in RULEBOOKS.values():
        first = first_version(rulebook)
        assert first_version(first) is first
