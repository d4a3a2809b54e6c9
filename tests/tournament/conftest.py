"""What the tests of tournaments share."""

from __future__ import annotations

from pathlib import Path

import pytest
from tournament_process import TournamentFolder


@pytest.fixture
def folder(tmp_path: Path) -> TournamentFolder:
    """A folder for a real tournament."""
    return TournamentFolder(tmp_path)
