"""What the tests of tournaments share."""

from pathlib import Path

import pytest
from tournament_process import SHORT, TournamentFolder

BOTS = """
import time
import acquire

class Legal(acquire.Strategy):
    def place(self, state):
        return acquire.legal_placements(state)[0]

    def order(self, state):
        return ()

class Mixed(Legal):
    def order(self, state):
        return (0, 1) if state.price(0) and state.price(1) else ()

class Broken(Legal):
    def order(self, state):
        raise LookupError("no such certificate")

class Wordy(Legal):
    def order(self, state):
        return ("Tower",)

class Unwritable(acquire.Chooser):
    def choose(self, question):
        return acquire.messages.Pbuy(acquire.legal_placements(question.state)[0], (0, 0, 0))

class Slow(Legal):
    def order(self, state):
        time.sleep(0.2)
        return ()
"""


@pytest.fixture
def folder(tmp_path: Path) -> TournamentFolder:
    """A folder for a real tournament."""
    return TournamentFolder(tmp_path)


@pytest.fixture
def folder_with_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with classes that play, and a rulebook for short games."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots.py").write_text(BOTS)
    (tmp_path / "short.toml").write_text(SHORT)
    return tmp_path
