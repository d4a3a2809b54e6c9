"""Who takes a seat when a match is played on, and how that is written on the command line."""

import shlex
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypeAlias

RECORDED = "recorded"
"""What stands for the recorded move on the command line."""


class NoVariant(Exception):
    """What was asked for cannot be played; the text is for people."""


@dataclass(frozen=True, slots=True)
class House:
    """A strategy of the house."""

    seat: str
    strategy: str

    @property
    def label(self) -> str:
        """What it is called in tables."""
        return self.strategy


@dataclass(frozen=True, slots=True)
class Move:
    """The recorded move of the turn, and after it a strategy of the house."""

    seat: str
    strategy: str

    @property
    def label(self) -> str:
        """What it is called in tables."""
        return f"{RECORDED}, then {self.strategy}"


@dataclass(frozen=True, slots=True)
class Launched:
    """A program, started anew for each game."""

    seat: str
    words: tuple[str, ...]

    @property
    def label(self) -> str:
        """What it is called in tables: the command as a person would type it."""
        told = shlex.join(self.words)
        for placeholder in ("{host}", "{port}", "{name}"):  # which no shell changes
            told = told.replace(f"'{placeholder}'", placeholder)
        return told


Variant: TypeAlias = House | Move | Launched


def read_variant(
    text: str, seats: Sequence[str], strategies: Collection[str], default: str
) -> Variant:
    """Read ``NAME=WHO``; ``default`` is the strategy that goes on after a recorded move.

    ``NoVariant`` where nobody has the name, or nothing is to take the seat.
    """
    seat, who = _parted(text, seats)
    if who == RECORDED:
        return Move(seat, default)
    if who in strategies:
        return House(seat, who)
    try:
        words = tuple(shlex.split(who))
    except ValueError as error:
        raise NoVariant(f"--seat {text!r}: the command cannot be read: {error}.") from error
    if not words:
        known = ", ".join(strategies)
        raise NoVariant(
            f"--seat {text!r}: who takes the seat? Give {RECORDED!r} for the recorded move, a "
            f"strategy ({known}), or the command that starts a player."
        )
    return Launched(seat, words)


def _parted(text: str, seats: Sequence[str]) -> tuple[str, str]:
    """Part the name of a seat from what takes it: names may have a = in them, too."""
    for seat in sorted(seats, key=len, reverse=True):
        if text.startswith(f"{seat}="):
            return seat, text[len(seat) + 1 :].strip()
    name, equals, _ = text.partition("=")
    known = ", ".join(map(repr, seats))
    if not equals:
        raise NoVariant(f"--seat {text!r}: expected NAME=WHO. The names are: {known}.")
    raise NoVariant(f"--seat {text!r}: nobody is called {name!r}. There are: {known}.")
