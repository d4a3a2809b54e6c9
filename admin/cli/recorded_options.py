"""The options of the commands that play a recorded game against a player."""

from pathlib import Path

from .declared import option, option_group
from .options import ClockOptions, log_argument


@option_group
class SeatOptions:
    """Which game, and whose seat."""

    log: Path = log_argument()
    seat: str | None = option(
        "The seat that the player takes; by default that of the only ejected player.",
        metavar="NAME",
    )


@option_group
class RecordedOptions:
    """Which game, whose seat, and how fast the player has to be."""

    game: SeatOptions
    clocks: ClockOptions
