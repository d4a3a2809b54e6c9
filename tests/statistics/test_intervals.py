"""Student's distribution against tables; intervals and groups in simulated tournaments."""

from __future__ import annotations

import numpy as np
import pytest
from loops import for_each

from acquire.admin.studying.statistics.intervals import critical_distance, probability_within
from bench.coverage import FIELDS, Field, measure

ALLOWED = 0.05
TABLE = [
    (0.95, 1, 12.7062),
    (0.95, 2, 4.3027),
    (0.95, 3, 3.1824),
    (0.95, 4, 2.7764),
    (0.95, 9, 2.2622),
    (0.95, 30, 2.0423),
    (0.99, 1, 63.6567),
    (0.99, 5, 4.0321),
    (0.99, 120, 2.6174),
    (0.999, 4, 8.6103),
    (0.999, 17, 3.9651),
    (0.5, 8, 0.7064),
]


@for_each(("confidence", "freedom", "distance"), TABLE)
def test_critical_distances_are_those_of_the_tables(
    confidence: float, freedom: int, distance: float
) -> None:
    assert critical_distance(confidence, freedom) == pytest.approx(distance, abs=5e-5)
    assert probability_within(distance, freedom) == pytest.approx(confidence, abs=5e-5)


def test_many_degrees_of_freedom_are_those_of_the_normal_distribution() -> None:
    assert critical_distance(0.95, 10**6) == pytest.approx(1.95996, rel=2e-3)


@pytest.mark.parametrize("field", FIELDS, ids=[field.name for field in FIELDS])
def test_intervals_miss_and_groups_err_in_at_most_5_of_100_tournaments(
    field: Field, soak: bool
) -> None:
    tournaments = 1000 if soak else 60
    for blocks in (5, 20) if soak else (5,):
        found = measure(field, blocks, tournaments, np.random.default_rng(4))
        error = (ALLOWED * (1 - ALLOWED) / tournaments) ** 0.5
        assert found.missed < ALLOWED + 4 * error, found
        assert found.wrong is None or found.wrong < ALLOWED + 4 * error, found
        assert found.without < 0.95, found
