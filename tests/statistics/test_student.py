"""Student's distribution, against published tables."""

from __future__ import annotations

import pytest
from loops import for_each

from acquire.admin.studying.statistics.student import critical_distance, probability_within

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
