"""Every set of seat orders is fair to seats, and a balanced one to neighbours as well."""

from collections import Counter
from itertools import pairwise, permutations
from math import factorial

import pytest

from acquire.admin.tournament.planning.facts import Seatings
from acquire.admin.tournament.planning.schedule import Seating, seatings

TABLES = range(2, 7)
SIZES = {
    Seatings.ROTATIONS: {2: 2, 3: 3, 4: 4, 5: 5, 6: 6},
    Seatings.BALANCED: {2: 2, 3: 6, 4: 24, 5: 20, 6: 60},
    Seatings.ALL: {players: factorial(players) for players in TABLES},
}


def neighbours(orders: tuple[Seating, ...]) -> Counter[tuple[int, int]]:
    """Count which player sits directly before which; the last one sits before the first."""
    return Counter(two for order in orders for two in pairwise((*order, order[0])))


def test_sizes_are_known_for_every_kind() -> None:
    assert SIZES.keys() == set(Seatings)


@pytest.mark.parametrize("kind", Seatings)
def test_set_has_different_orders_of_all_players(kind: Seatings) -> None:
    for players in TABLES:
        orders = seatings(kind, players)
        assert len(orders) == SIZES[kind][players]
        assert len(set(orders)) == len(orders)
        assert {tuple(sorted(order)) for order in orders} == {tuple(range(players))}


@pytest.mark.parametrize("kind", Seatings)
def test_every_player_has_every_seat_equally_often(kind: Seatings) -> None:
    for players in TABLES:
        orders = seatings(kind, players)
        seats = Counter((player, seat) for order in orders for seat, player in enumerate(order))
        assert len(seats) == players**2
        assert set(seats.values()) == {len(orders) // players}


@pytest.mark.parametrize("kind", [Seatings.BALANCED, Seatings.ALL])
def test_in_a_balanced_set_every_player_sits_before_every_other_equally_often(
    kind: Seatings,
) -> None:
    for players in TABLES:
        orders = seatings(kind, players)
        counts = neighbours(orders)
        assert len(counts) == players * (players - 1)
        assert set(counts.values()) == {len(orders) // (players - 1)}


def test_rotations_never_change_the_neighbours() -> None:
    for players in range(3, 7):
        assert len(neighbours(seatings(Seatings.ROTATIONS, players))) == players


def test_all_has_every_order() -> None:
    for players in TABLES:
        assert set(seatings(Seatings.ALL, players)) == set(permutations(range(players)))


@pytest.mark.parametrize("kind", Seatings)
def test_rotations_of_one_order_follow_each_other(kind: Seatings) -> None:
    for players in TABLES:
        orders = seatings(kind, players)
        for first in range(0, len(orders), players):
            order = orders[first]
            assert orders[first : first + players] == tuple(
                order[turn:] + order[:turn] for turn in range(players)
            )


@pytest.mark.parametrize("kind", Seatings)
def test_set_cut_after_whole_rotations_is_fair_to_seats(kind: Seatings) -> None:
    for players in TABLES:
        orders = seatings(kind, players)
        for cut in range(players, len(orders) + 1, players):
            seats = Counter((p, seat) for order in orders[:cut] for seat, p in enumerate(order))
            assert set(seats.values()) == {cut // players}


@pytest.mark.parametrize(("players", "once"), [(3, True), (4, False), (5, True), (6, False)])
def test_balanced_set_is_the_smallest_of_whole_rotations(players: int, once: bool) -> None:
    """Every player sits before every other once if that is possible, and twice otherwise."""
    assert _can_meet_once(players) is once
    circles = len(seatings(Seatings.BALANCED, players)) // players
    assert circles == (players - 1) * (1 if once else 2)


def _can_meet_once(players: int) -> bool:
    """Whether there are orders in whose rotations every pair of neighbours occurs once."""
    pairs = list(permutations(range(players), 2))
    circles = [frozenset(pairwise((0, *rest, 0))) for rest in permutations(range(1, players))]

    def fill(taken: frozenset[tuple[int, int]]) -> bool:
        free = next((two for two in pairs if two not in taken), None)
        if free is None:
            return True
        return any(
            fill(taken | circle) for circle in circles if free in circle and not circle & taken
        )

    return fill(frozenset())
