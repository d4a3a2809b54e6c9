"""Logs of earlier versions are judged by the rules that they were written by."""

from pathlib import Path

import pytest
from positions import by_initials, move, scene

from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.log.recorder import Header, SeatRecord, first_version
from acquire.admin.refereeing.log.verifier import Verifier
from acquire.admin.refereeing.log.writer import open_log
from acquire.admin.refereeing.play import in_process
from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.referee import Referee, Segment
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, REVISED, RULEBOOKS, WIKIPEDIA
from acquire.game.state import State
from acquire.player.strategies.simple import Ordered
from acquire.protocol import messages
from acquire.protocol.dialect import Dialect
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


def logged(folder: Path, state: State) -> Path:
    """Let `ann` declare the end in a position, and return the log of that turn."""
    rulebook, dealer = state.rulebook, Dealer(1)
    names = [player.name for player in state.players]
    seats = tuple(SeatRecord(name, "house", "ordered") for name in names)
    log = open_log(folder, Header(rulebook, 1, 1, dealer.bag, seats))
    referee = Referee(rulebook, names, dealer.bag, dealer.shuffle, log)
    players = {name: (Founder if name == "ann" else Ordered)(rulebook, 0) for name in names}
    in_process.play(referee.play_segments([Segment(state, 1)]), players, Dialect.of(state.rulebook))
    log.close()
    return log.path


def safe_before_founding(rulebook: Rulebook) -> State:
    return scene(rulebook, "AAAAAAAAAAA\n.\n.\no", "ann 2D $9000", "bob", "cyd", bag="12I")


def divergence(log: Path) -> str | None:
    return Verifier(read(log)).verify().divergence


@DECLARED
def test_false_declaration_by_the_first_version_stays_false(
    rulebook: Rulebook, tmp_path: Path
) -> None:
    log = logged(tmp_path, safe_before_founding(first_version(rulebook)))
    text = log.read_text()
    assert 'rule="declaration-false"' in text and "rules=" not in text
    assert divergence(log) is None
    log.write_text(text.replace(" seed=", ' rules="2" seed=', 1))
    assert "the rules give <placed " in (divergence(log) or "")


@DECLARED
def test_same_declaration_ends_the_game_now(rulebook: Rulebook, tmp_path: Path) -> None:
    log = logged(tmp_path, safe_before_founding(rulebook))
    text = log.read_text()
    assert '<ended ending="all-hotels-safe"' in text and ' rules="2" ' in text
    assert divergence(log) is None
    log.write_text(text.replace(' rules="2"', "", 1))
    assert 'rule="declaration-false"' in (divergence(log) or "")


def test_first_version_differs_where_a_player_declares_the_end() -> None:
    assert first_version(REVISED) is REVISED
    for rulebook in RULEBOOKS.values():
        first = first_version(rulebook)
        assert first_version(first) is first
