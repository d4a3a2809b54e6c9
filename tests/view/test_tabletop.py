"""Frames put together again: at the end they give the scores, and nobody has vanished."""

from __future__ import annotations

from pathlib import Path

import pytest

from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.log.verifier import Verifier
from acquire.admin.refereeing.play.outcome import Outcome
from acquire.admin.refereeing.view.frames import Frame, recorded_frames, without_secrets
from acquire.admin.refereeing.view.tabletop import Tabletop
from acquire.game.rulebook import with_hidden_assets
from acquire.game.rulebooks import CORPORATIONS

GOLDEN = Path(__file__).parents[1] / "golden"
EJECTED = ("classic-turn-undone", "revised-nobody-left", "digest-nobody-left")


def frames_of(name: str) -> tuple[list[str], list[Frame], Outcome]:
    record = read(GOLDEN / f"{name}.xml")
    maker = recorded_frames(record.header)
    frames = [maker.begin()]
    verifier = Verifier(record, lambda event: frames.extend(maker.take(event)))
    verifier.verify()
    return [seat.name for seat in record.header.seats], frames, verifier.outcome


@pytest.mark.parametrize("name", [*EJECTED, "revised-large-hotel"])
def test_every_seat_has_a_row_and_a_rank_at_the_end(name: str) -> None:
    names, frames, outcome = frames_of(name)
    table = Tabletop(read(GOLDEN / f"{name}.xml").header.rulebook, names)
    for frame in frames:
        table.put(frame)
    assert [row.name for row in table.rows] == names
    assert tuple(table.standings) == outcome.standings
    for standing in outcome.standings:
        row = table.rows[names.index(standing.name)]
        assert row.ejected is not standing.finished
        assert row.worth == (standing.score if standing.finished else None)


def test_what_a_spectator_may_not_see_is_hidden_and_not_nothing() -> None:
    names, frames, _ = frames_of("corporations-nothing-placed")
    table = Tabletop(CORPORATIONS, names)
    for frame in frames:
        table.put(without_secrets(frame, with_hidden_assets(CORPORATIONS)))
    row = table.rows[0]
    assert (row.cash, row.shares, row.worth, row.hand) == (None, None, None, None)
    assert table.state.board.sizes != (0,) * 7
