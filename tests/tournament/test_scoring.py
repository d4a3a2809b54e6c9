"""Points of a game: ties share points, and a player that did not finish has none."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.outcome import Outcome, standings
from acquire.admin.refereeing.play.questions import Ask
from acquire.admin.tournament.games.result import GameResult, PlayerVerdict, SeatResult, game_points
from acquire.admin.tournament.run.game_recorder import ResultSoFar
from acquire.game.notation import parse_position
from acquire.game.rulebooks import CLASSIC
from acquire.game.turn import Ending
from acquire.protocol import messages
from acquire.protocol.faults import Reason

FINISHED = PlayerVerdict.FINISHED
LOST = [verdict for verdict in PlayerVerdict if verdict is not FINISHED]


def game(*seats: tuple[str, PlayerVerdict, int]) -> GameResult:
    return GameResult(
        "d1-t1-s1",
        "d1-t1",
        1,
        "large-hotel",
        40,
        None,
        tuple(SeatResult(name, verdict, rank, 0) for name, verdict, rank in seats),
    )


def finished(ranks: Sequence[int]) -> GameResult:
    """Return a game that all have finished: A has the first rank, B the second, and so on."""
    return game(*((name, FINISHED, rank) for name, rank in zip("ABCDEF", ranks, strict=False)))


def ranks_of(scores: Sequence[int]) -> list[int]:
    """Rank scores: equal ones share a rank, and the next one is skipped."""
    return [1 + sum(other > score for other in scores) for score in scores]


@pytest.mark.parametrize(
    ("ranks", "points", "earned"),
    [
        ([1, 2], (1, 0), [1, 0]),
        ([1, 1], (1, 0), [0.5, 0.5]),
        ([2, 1, 2], (5, 1, 0), [0.5, 5, 0.5]),
        ([3, 1, 1], (5, 1, 0), [0, 3, 3]),
        ([1, 2, 2, 2, 2, 6], (10, 8, 6, 4, 2, 0), [10, 5, 5, 5, 5, 0]),
        ([4, 4, 1, 1, 3, 4], (6, 0, 0, 0, 0, 0), [0, 0, 3, 3, 0, 0]),
    ],
)
def test_players_who_tie_share_the_points_of_their_places(
    ranks: list[int], points: tuple[float, ...], earned: list[float]
) -> None:
    found = game_points(finished(ranks), points)
    assert [*found.items()] == [*zip("ABCDEF", earned, strict=False)], "in the order of seats"


TABLES = st.integers(2, 6).flatmap(
    lambda seats: st.tuples(
        st.lists(st.integers(0, 3), min_size=seats, max_size=seats),
        st.lists(st.integers(0, 50), min_size=seats, max_size=seats).map(
            lambda points: sorted(points, reverse=True)
        ),
    )
)


@settings(max_examples=60, deadline=None)
@given(TABLES)
def test_all_points_are_given_when_all_finish(table: tuple[list[int], list[int]]) -> None:
    scores, points = table
    earned = game_points(finished(ranks_of(scores)), points)
    assert sum(earned.values()) == pytest.approx(sum(points))
    by_score = sorted(zip(scores, earned.values(), strict=True), reverse=True)
    assert all(one[1] >= other[1] for one, other in pairwise(by_score))


@settings(max_examples=60, deadline=None)
@given(TABLES, st.data())
def test_seats_do_not_matter(table: tuple[list[int], list[int]], data: st.DataObject) -> None:
    scores, points = table
    result = finished(ranks_of(scores))
    moved = result._replace(seats=tuple(data.draw(st.permutations(result.seats))))
    assert game_points(moved, points) == game_points(result, points)


@pytest.mark.parametrize("verdict", LOST, ids=lambda verdict: verdict.value)
def test_points_of_a_player_that_did_not_finish_are_given_to_nobody(verdict: PlayerVerdict) -> None:
    result = game(("A", FINISHED, 2), ("B", verdict, 3), ("C", FINISHED, 1))
    assert game_points(result, (10, 6, 3)) == {"A": 6, "B": 0, "C": 10}


# -- from the events of a game -----------------------------------------------------------------


def test_player_that_leaves_after_the_pay_out_has_finished() -> None:
    state = parse_position(CLASSIC, "AA", ["ann $900", "bob $600"])
    ask = Ask(messages.Score((("ann", 900), ("bob", 600)), state.board, state.players), state)
    left = events.Ejected("bob", Reason.DISCONNECTED, None, ask, "It has gone.", b"", None, state)
    so_far = ResultSoFar("d1-t1-s1", "d1-t1", 1, ["ann", "bob"])
    so_far(left)
    assert so_far.ejections == {}
    so_far(left._replace(name="ann", bag=()))
    assert {*so_far.ejections} == {"ann"}
    outcome = Outcome(Ending.ALL_SAFE, 9, standings([("bob", 600)], ["ann"]), ())
    seats = so_far.result(outcome, {}).seats
    assert [(seat.verdict, seat.money) for seat in seats] == [
        (PlayerVerdict.DISCONNECTED, 0),
        (FINISHED, 600),
    ]
    assert seats[1].detail == "Left after the end: disconnected."
