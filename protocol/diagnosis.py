"""A probable mistake of a player's program."""

from typing import NamedTuple

MAX_SHOWN = 30
"""Characters that are shown of what a player sent."""


class Diagnosis(NamedTuple):
    """The mistake in one sentence, and what to do about it in another, unless that is plain.

    >>> print(Diagnosis("The message is in UTF-16.", "Encode it as UTF-8."))
    The message is in UTF-16. Encode it as UTF-8.
    """

    cause: str
    advice: str = ""

    def __str__(self) -> str:
        return f"{self.cause} {self.advice}".rstrip()


def shown(data: bytes) -> str:
    """Return the beginning of what was sent, in quotes and printable.

    >>> print(shown(b"hello\\n"))
    'hello\\n'
    """
    text = data.decode(errors="backslashreplace")
    return repr(text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}...")
