"""The fixture for tests in which players are threads and time is virtual."""

from collections.abc import AsyncIterator

import pytest
from trio.testing import MockClock
from virtual_time import Players, passing


@pytest.fixture
async def players(mock_clock: MockClock) -> AsyncIterator[Players]:
    """Let time pass only while all players wait."""
    async with passing(mock_clock) as watched:
        yield watched
