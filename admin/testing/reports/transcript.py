"""The messages of a case as lines, shortened if they are long."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ...advising.explaining.explanation_text import readable
from ..trial.wire import MAX_RECORDED_BYTES, TranscriptEntry

HEAD_MESSAGES = 3
"""How many of the first messages of a long conversation are shown."""
TAIL_CHARACTERS = 60
"""How many of the last characters of a long message are shown."""
SPLIT_MARK = "│"
"""Marks where a message was split on purpose."""
MAX_MARKS = 4
"""With more splits than this, only the number of pieces is shown."""


class ShownMessage(NamedTuple):
    """What one side sent, ``seconds`` after the connection was made; ``sender`` is A or P.

    ``omitted`` characters are left out between ``head`` and ``tail``.
    """

    seconds: float
    sender: str
    head: str
    omitted: int = 0
    tail: str = ""

    @property
    def text(self) -> str:
        """The message in one line, with the number of omitted characters."""
        if not self.omitted:
            return self.head
        return f"{self.head} [.. {self.omitted:,} characters ..] {self.tail}"


class Transcript(NamedTuple):
    """A conversation: its first messages, the number of omitted ones, its last messages.

    ``truncated`` names the senders whose data was not recorded to the end.
    """

    head: tuple[ShownMessage, ...]
    omitted: int
    tail: tuple[ShownMessage, ...]
    truncated: tuple[str, ...]

    @property
    def has_splits(self) -> bool:
        """Whether a split is marked in what is shown."""
        return any(SPLIT_MARK in message.text for message in self.head + self.tail)

    @property
    def shortened(self) -> bool:
        """Whether anything that was recorded is left out."""
        return self.omitted > 0 or any(message.omitted for message in self.head + self.tail)


class DisplayLimits(NamedTuple):
    """How many messages of a conversation, and characters of a message, are shown; 0 for all."""

    messages: int
    characters: int


SHORT = DisplayLimits(14, 220)
LONG = DisplayLimits(160, 4000)
WHOLE = DisplayLimits(0, 0)


def shorten(entries: Sequence[TranscriptEntry], limits: DisplayLimits = SHORT) -> Transcript:
    """Shorten a conversation to some limits."""
    most = limits.messages
    sizes = Counter[str]()
    for entry in entries:
        sizes[entry.sender] += len(entry.data)
    omitted = len(entries) - most if most and len(entries) > most + 1 else 0
    head = entries[:HEAD_MESSAGES] if omitted else entries
    tail = entries[HEAD_MESSAGES + omitted :] if omitted else ()
    return Transcript(
        tuple(_shorten_message(entry, limits.characters) for entry in head),
        omitted,
        tuple(_shorten_message(entry, limits.characters) for entry in tail),
        tuple(sender for sender in "AP" if sizes[sender] >= MAX_RECORDED_BYTES),
    )


def _line(entry: TranscriptEntry) -> str:
    """Write an entry in one line, with marks where it was split."""
    if len(entry.splits) > MAX_MARKS:
        return f"{readable(entry.data)} (in {len(entry.splits) + 1} pieces)"
    ends = [*entry.splits, len(entry.data)]
    begins = [0, *entry.splits]
    pieces = [entry.data[begin:end] for begin, end in zip(begins, ends, strict=True)]
    return SPLIT_MARK.join(map(readable, pieces))


def _shorten_message(entry: TranscriptEntry, most: int) -> ShownMessage:
    text = _line(entry)
    if not most or len(text) <= most + TAIL_CHARACTERS:
        return ShownMessage(entry.seconds, entry.sender, text)
    head, tail = text[: most - TAIL_CHARACTERS], text[-TAIL_CHARACTERS:]
    return ShownMessage(entry.seconds, entry.sender, head, len(text) - most, tail)
