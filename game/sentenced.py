"""The base of closed lists whose members are written as a code, and shown as a sentence."""

from enum import Enum
from typing import Self


class Sentenced(Enum):
    """A closed list; a member is made of its code, which is its value, and its sentence.

    >>> from acquire.game.turn import Ending
    >>> Ending("all-hotels-safe").sentence
    'Every hotel on the board is safe.'
    """

    value: str
    sentence: str

    def __new__(cls, *code_and_sentence: str) -> Self:
        """Return a new member; the code alone finds it afterwards."""
        member = object.__new__(cls)
        member._value_, member.sentence = code_and_sentence
        return member
