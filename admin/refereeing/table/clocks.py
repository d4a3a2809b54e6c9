"""How long players may take: the time-outs, and their defaults."""

import math
from typing import NamedTuple

REPLY_TIMEOUT = 1.0  # default seconds for the answer to any message but a turn
TURN_TIMEOUT = "3 x (seats + 1)"  # default seconds for a turn in help texts; see `turn_timeout`


def turn_timeout(seats: int) -> float:
    """Return the default seconds for a turn at a table of this size."""
    return 3.0 * (seats + 1)


def in_seconds(duration: float) -> str:
    """Write a duration for users, with at most two decimals.

    >>> in_seconds(15.0), in_seconds(14.9745), in_seconds(0.0123)
    ('15 s', '14.97 s', '0.012 s')
    """
    return f"{round(duration, 2):g} s" if duration >= 0.1 else f"{duration:.2g} s"


class Clocks(NamedTuple):
    """How many seconds a player has."""

    reply: float  # for the answer to any one message
    turn: float  # for all the mover's thinking in a turn
    game: float = math.inf  # for all answers in a game

    @classmethod
    def for_seats(
        cls, seats: int, reply: float = REPLY_TIMEOUT, turn: float | None = None
    ) -> "Clocks":
        """Return the clocks of a table of this size, with the defaults for what is not given."""
        return cls(reply, turn or turn_timeout(seats))


NO_CLOCKS = Clocks(math.inf, math.inf)
NO_CLOCK = "none"  # how users and logs name a clock without a limit
