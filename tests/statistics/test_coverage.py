"""Intervals and groups keep what they promise, also with few blocks, in simulated tournaments."""

from __future__ import annotations

import numpy as np
import pytest

from bench.coverage import FIELDS, Field, measure

ALLOWED = 0.05


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
