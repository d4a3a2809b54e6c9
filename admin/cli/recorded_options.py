"""The options of the commands that play a recorded game against a player."""

from pathlib import Path

from .declared import argument, option, option_group
from .options import ANY_PATH, ClockOptions


@option_group
class SeatOptions:
    """Which game, and whose seat."""

    log: Path = argument(type=ANY_PATH)
    seat: str | None = option(
        "The seat that the player takes; by default that of the only ejected player.",
        metavar="NAME",
    )


@option_group
class RecordedOptions:
    """Which game, whose seat, and how fast the player has to be."""

    game: SeatOptions
    clocks: ClockOptions
