"""Variants: who takes a seat when a game is played on, and how to write that in an option."""

import shlex
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ....protocol.strategy_file import names_file

RECORDED = "recorded"
"""Stands for the recorded move on the command line."""


class InvalidVariant(Exception):
    """A variant cannot be played; user-facing message."""


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A strategy in this process takes the seat: a built-in player, or a class in a file."""

    seat: str
    strategy: str

    @property
    def label(self) -> str:
        """Its name in tables."""
        return self.strategy


@dataclass(frozen=True, slots=True)
class RecordedMove:
    """The seat makes its recorded move in the turn; a built-in player goes on from there."""

    seat: str
    strategy: str

    @property
    def label(self) -> str:
        """Its name in tables."""
        return f"{RECORDED}, then {self.strategy}"


@dataclass(frozen=True, slots=True)
class ProgramPlayer:
    """A program takes the seat; it is launched for each game."""

    seat: str
    words: tuple[str, ...]

    @property
    def label(self) -> str:
        """Its name in tables: the command as typed in a shell."""
        command = shlex.join(self.words)
        for placeholder in ("{host}", "{port}", "{name}"):  # a shell leaves these as they are
            command = command.replace(f"'{placeholder}'", placeholder)
        return command


Variant: TypeAlias = BuiltIn | RecordedMove | ProgramPlayer


def parse_variant(
    text: str, seats: Sequence[str], strategies: Collection[str], default: str
) -> Variant:
    """Parse ``NAME=WHO``; ``default`` is the strategy that goes on after a recorded move.

    Raises ``InvalidVariant`` if no seat has that name, or WHO is empty.
    """
    seat, who = _split(text, seats)
    if who == RECORDED:
        return RecordedMove(seat, default)
    if who in strategies:
        return BuiltIn(seat, who)
    try:
        words = tuple(shlex.split(who))
    except ValueError as error:
        raise InvalidVariant(f"--seat {text!r}: the command cannot be parsed: {error}.") from error
    if len(words) == 1 and names_file(words[0]):
        return BuiltIn(seat, words[0])
    if not words:
        known = ", ".join(strategies)
        raise InvalidVariant(
            f"--seat {text!r}: nothing after the =. Give {RECORDED!r} for the recorded move, a "
            f"strategy ({known}, or FILE.py:CLASS), or a command that starts a player."
        )
    return ProgramPlayer(seat, words)


def _split(text: str, seats: Sequence[str]) -> tuple[str, str]:
    """Split the name of a seat from what takes it; a name may contain = as well."""
    for seat in sorted(seats, key=len, reverse=True):
        if text.startswith(f"{seat}="):
            return seat, text[len(seat) + 1 :].strip()
    name, equals, _ = text.partition("=")
    known = ", ".join(map(repr, seats))
    if not equals:
        raise InvalidVariant(f"--seat {text!r}: expected NAME=WHO. Players: {known}.")
    raise InvalidVariant(f"--seat {text!r}: no player is called {name!r}. Players: {known}.")
