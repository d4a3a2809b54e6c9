"""The fixture for tests in which players are threads and time is virtual."""

from collections.abc import AsyncIterator

import pytest
import trio
from trio.testing import MockClock
from virtual_time import Players, passing


@pytest.fixture
async def players() -> AsyncIterator[Players]:
    """Let time pass only while all players wait."""
    clock = trio.lowlevel.current_clock()
    assert isinstance(clock, MockClock), "tests/conftest.py chooses it for tests that take players"
    async with passing(clock) as watched:
        yield watched
