"""What a referee is asked to do."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ....game.rulebook import Rulebook
from ....game.tiles import Tile
from ..play.in_process import AtError, Strategy
from .clocks import Clocks


@dataclass(frozen=True, slots=True)
class People:
    """How people who join by a page are recognized at sign-up, and the clock that they have.

    The page adds ``word`` to a name, after a colon. ``seconds`` are for a turn, and for any other
    answer.
    """

    word: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Settings:
    """What a referee is asked to do. Times are in seconds; ``games`` is ``None`` for no limit.

    ``seed`` is for all games; with ``None`` each game gets a new one, so that the log of one
    game says nothing about the next.
    """

    rulebook: Rulebook
    host: str
    port: int
    players: int
    games: int | None
    seed: int | None
    log_dir: Path
    signup_timeout: float
    clocks: Clocks
    validate_output: bool = False
    """Whether each message is validated before it is sent; an invalid one interrupts its game."""
    fill: tuple[str, Callable[[int], Strategy]] | None = None
    """A strategy for empty seats: its name, and how to make one from a seed."""
    at_fill_error: AtError | None = None
    """Makes a fault of what that strategy raises; without it, the game is abandoned."""
    opponents: tuple[tuple[str, Callable[[int], Strategy]], ...] = ()
    """Strategies that have a seat at every table, after those who sign up: each as ``fill``."""
    seat_clocks: Mapping[str, float] = field(default_factory=dict)
    """Seconds for a turn, and for any other answer, by the name of a player; ``inf`` for no limit.
    Everybody else has ``clocks``."""
    secret: str | None = None
    """What players add to their name at sign-up, after a colon; nothing if it is ``None``."""
    bag: tuple[Tile, ...] | None = None
    """The bag of every game, the tile that is drawn first in front; otherwise shuffled."""
    people: People | None = None
    """Who joins by a page, if anybody can."""
