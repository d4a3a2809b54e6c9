"""What was said on the wire in a case, message by message, shortened where it is long."""

from collections.abc import Sequence
from typing import NamedTuple

from admin.explaining.explanation_text import readable
from admin.trial.wire import KEPT, Line

OPENING = 3
"""How many of the first messages are kept of a long conversation."""
TAIL = 60
"""Characters at the end of a long message that are kept."""
CUT = "│"
"""Stands where a message was cut on purpose."""
FEW = 4
"""So many cuts are shown; of more, only how many there were."""


class Spoken(NamedTuple):
    """What one side said, ``seconds`` after the connection was made; ``speaker`` is A or P.

    ``text`` is what can be shown of it: its ``head``, and a ``tail`` if ``left_out`` characters
    between them are left out.
    """

    seconds: float
    speaker: str
    head: str
    left_out: int = 0
    tail: str = ""

    @property
    def text(self) -> str:
        """All of it in one line, with what is left out as a number."""
        if not self.left_out:
            return self.head
        return f"{self.head} [.. {self.left_out:,} characters ..] {self.tail}"


class Transcript(NamedTuple):
    """A conversation: how it began, how many messages are left out, how it ended.

    ``overflow`` is who said more than was written down.
    """

    opening: tuple[Spoken, ...]
    left_out: int
    rest: tuple[Spoken, ...]
    overflow: tuple[str, ...]

    @property
    def cut(self) -> bool:
        """Whether a cut is marked in what is shown."""
        return any(CUT in said.text for said in self.opening + self.rest)

    @property
    def shortened(self) -> bool:
        """Whether anything is left out that was written down."""
        return self.left_out > 0 or any(said.left_out for said in self.opening + self.rest)


class Measure(NamedTuple):
    """How much is shown: messages of a conversation, characters of a message; 0 for all."""

    messages: int
    characters: int


SHORT = Measure(14, 220)
LONG = Measure(160, 4000)
WHOLE = Measure(0, 0)


def transcript(lines: Sequence[Line], measure: Measure = SHORT) -> Transcript:
    """Return what was said, shortened to a measure."""
    most = measure.messages
    between = len(lines) - most if most and len(lines) > most + 1 else 0
    opening = lines[:OPENING] if between else lines
    rest = lines[OPENING + between :] if between else ()
    return Transcript(
        tuple(_spoken(line, measure.characters) for line in opening),
        between,
        tuple(_spoken(line, measure.characters) for line in rest),
        tuple(speaker for speaker in "AP" if _bytes(lines, speaker) >= KEPT),
    )


def _bytes(lines: Sequence[Line], speaker: str) -> int:
    return sum(len(line.data) for line in lines if line.speaker == speaker)


def _written(line: Line) -> str:
    """Write what was said in one line, with the cuts that were made in it."""
    if len(line.cuts) > FEW:
        return f"{readable(line.data)} (in {len(line.cuts) + 1} pieces)"
    ends = [*line.cuts, len(line.data)]
    begins = [0, *line.cuts]
    pieces = [line.data[begin:end] for begin, end in zip(begins, ends, strict=True)]
    return CUT.join(map(readable, pieces))


def _spoken(line: Line, longest: int) -> Spoken:
    text = _written(line)
    if not longest or len(text) <= longest + TAIL:
        return Spoken(line.seconds, line.speaker, text)
    head, tail = text[: longest - TAIL], text[-TAIL:]
    return Spoken(line.seconds, line.speaker, head, len(text) - longest, tail)
