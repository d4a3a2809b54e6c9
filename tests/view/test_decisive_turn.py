"""The decisive turn: after it the winner leads in net worth to the end, before it not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.log.verifier import Verifier
from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.net_worth import NetWorth
from acquire.admin.refereeing.view.decisive_turn import DecisiveTurn, decisive_turn
from acquire.admin.refereeing.view.frames import Frame, recorded_frames
from acquire.game.state import deal

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.xml"))


def leads_of(path: Path) -> tuple[list[Frame], list[tuple[int, dict[str, int]]], list[str]]:
    """The frames of a game, the net worths as each turn began, and the winners."""
    record = read(path)
    maker = recorded_frames(record.header)
    frames = [maker.begin()]
    names = [seat.name for seat in record.header.seats]
    worth = NetWorth(deal(record.header.rulebook, names, record.header.bag))
    leads: list[tuple[int, dict[str, int]]] = [(0, dict(worth.by_name))]
    winners: list[str] = []

    def take(event: Any) -> None:
        frames.extend(maker.take(event))
        worth.take(event)
        if isinstance(event, events.TurnBegan):
            leads.append((event.number, dict(worth.by_name)))
        elif isinstance(event, events.Ranked) and event.rank == 1 and event.finished:
            winners.append(event.name)

    Verifier(record, take).verify()
    return frames, leads, winners


def test_decisive_turn_of_every_golden_game_is_the_last_that_began_without_a_lead() -> None:
    decided = 0
    for path in GOLDEN:
        frames, leads, winners = leads_of(path)
        found = decisive_turn(frames)
        if not winners:
            assert found is None, path
            continue
        level = [
            turn
            for turn, worths in leads
            if any(
                worths[name] >= min(worths[winner] for winner in winners)
                for name in worths.keys() - set(winners)
            )
        ]
        assert found is not None and found.turn == max(level), path
        assert len(found.winners) == len(winners)
        assert frames[found.step]["turn"] == found.turn
        decided += 1
    assert decided > 20


def worths(turn: int, kind: str, *amounts: int | None) -> Frame:
    """A frame after which the players are worth so much; ``None`` for one who has left."""
    players = {
        str(place): {"out": True, "worth": 0} if amount is None else {"worth": amount}
        for place, amount in enumerate(amounts)
    }
    return {"turn": turn, "kind": kind, "players": players}


def result(*winners: int) -> Frame:
    return {"turn": 9, "kind": "result", "winners": [*winners]}


BEGIN = [worths(0, "deal", 6, 6, 6), worths(1, "turn", 6, 6, 6)]


@pytest.mark.parametrize(
    ("frames", "expected"),
    [
        ([worths(2, "turn", 7, 6, 6)], DecisiveTurn(1, 1, (0,), 0, 1, 1)),
        (
            [worths(2, "turn", 7, 6, 6), worths(3, "turn", 5, 6, 8), worths(3, "ended", 9, 6, 8)],
            DecisiveTurn(3, 3, (0,), -3, 1, 2),  # the winner caught up in the last turn
        ),
        (
            [worths(2, "turn", 6, 8, 7), worths(3, "turn", 6, None, None)],
            DecisiveTurn(2, 2, (0,), -2, None, 1),  # nobody else was left
        ),
        (
            [
                worths(2, "turn", 6, 8, 7),
                worths(3, "turn", 6, None, 5),
                worths(4, "turn", 9, None, 5),
            ],
            DecisiveTurn(2, 2, (0,), -2, 1, 1),
        ),
    ],
    ids=["ahead", "last turn", "left alone", "rival left"],
)
def test_lead_begins_after_the_decisive_turn(frames: list[Frame], expected: DecisiveTurn) -> None:
    assert decisive_turn([*BEGIN, *frames, result(0)]) == expected


def test_game_without_a_winner_or_with_all_as_winners_has_none() -> None:
    for end in ([], [result()], [result(0, 1, 2)]):
        assert decisive_turn([*BEGIN, *end]) is None
