"""Variants: who takes a seat when a game is played on, and how to write that in an option."""

import shlex
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ....protocol.strategy_file import names_file

RECORDED = "recorded"
"""Stands for the recorded move on the command line."""


class InvalidVariant(Exception):
    """A variant cannot be played; user-facing message."""


@dataclass(frozen=True, slots=True)
class Variant:
    """Who takes a seat: a program, which is launched for each game, or a player in this process.

    ``strategy`` is a built-in player, or a class in a file, and empty for a program, of which
    ``words`` is the command. With ``recorded`` the seat makes its recorded move first.
    """

    seat: str
    strategy: str = ""
    recorded: bool = False
    words: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """Whether it is a command, the recorded move, or a player in this process."""
        return "command" if self.words else "recorded" if self.recorded else "house"

    @property
    def label(self) -> str:
        """Its name in tables; of a program the command as typed in a shell."""
        if not self.words:
            return f"{RECORDED}, then {self.strategy}" if self.recorded else self.strategy
        command = shlex.join(self.words)
        for placeholder in ("{host}", "{port}", "{name}"):  # a shell leaves these as they are
            command = command.replace(f"'{placeholder}'", placeholder)
        return command


def parse_variant(
    text: str, seats: Sequence[str], strategies: Collection[str], default: str
) -> Variant:
    """Parse ``NAME=WHO``; ``default`` is the strategy that goes on after a recorded move.

    Raises ``InvalidVariant`` if no seat has that name, or WHO is empty.
    """
    # a name may contain = as well
    found = [seat for seat in sorted(seats, key=len) if text.startswith(f"{seat}=")]
    if not found:
        name, equals, _ = text.partition("=")
        what = f"no player is called {name!r}" if equals else "expected NAME=WHO"
        known = ", ".join(map(repr, seats))
        raise InvalidVariant(f"--seat {text!r}: {what}. Players: {known}.")
    seat = found[-1]
    who = text[len(seat) + 1 :].strip()
    if who == RECORDED:
        return Variant(seat, default, recorded=True)
    if who in strategies:
        return Variant(seat, who)
    try:
        words = tuple(shlex.split(who))
    except ValueError as error:
        raise InvalidVariant(f"--seat {text!r}: the command cannot be parsed: {error}.") from error
    if len(words) == 1 and names_file(words[0]):
        return Variant(seat, words[0])
    if not words:
        known = ", ".join(strategies)
        raise InvalidVariant(
            f"--seat {text!r}: nothing after the =. Give {RECORDED!r} for the recorded move, a "
            f"strategy ({known}, or FILE.py:CLASS), or a command that starts a player."
        )
    return Variant(seat, words=words)
