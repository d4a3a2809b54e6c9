"""What a referee reports while it runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ....protocol.faults import Fault
from ..log.writer import Header, SeatRecord
from ..play.events import Event
from ..play.outcome import Outcome


@dataclass(frozen=True, slots=True)
class EndedGame:
    """A game that has ended, in whichever way."""

    number: int
    log: Path
    seats: tuple[SeatRecord, ...]
    outcome: Outcome


class ServerObserver:
    """Receives what a referee reports, and does nothing with it until a method is overridden.

    Every method returns at once. Games are numbered from 1.
    """

    def listening(self, addresses: Sequence[str]) -> None:
        """The referee can be reached at these addresses."""

    def signed_up(self, number: int, names: Sequence[str], seats: int) -> None:
        """These players have signed up for a game with as many free ``seats``."""

    def turned_away(self, address: str, name: str, fault: Fault) -> None:
        """A connection got no seat, or lost it before the game; ``name`` is empty if unknown."""

    def unfilled(self, number: int, signed_up: int, needed: int) -> None:
        """A game was given up: too few players had signed up at the deadline."""

    def began(self, number: int, header: Header) -> None:
        """A game begins."""

    def happened(self, number: int, event: Event) -> None:
        """An event of a game, other than an answer."""

    def logged(self, number: int, data: bytes) -> None:
        """Bytes were written to a game's log; the first ones before the game begins."""

    def ended(self, game: EndedGame) -> None:
        """A game ended, in whichever way."""

    def abandoned(self, number: int, why: str) -> None:
        """A game was abandoned through no fault of its players; ``why`` is a sentence."""
