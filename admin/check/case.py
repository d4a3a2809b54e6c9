"""A case: one short scene that is laid before a player, and what is expected of it there."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from admin.trial.script import Script
from admin.trial.wire import ORDINARY, Manner
from protocol.messages import PlayerMessage

APART = 0.03
"""Seconds after which two messages are not read as one piece, unless a case is about that."""
PLAYER = "player"
"""What ``{name}`` is, and the name of the player's seat in a script, unless a case says."""


class Section(NamedTuple):
    """A chapter of the cases; ``slug`` is its name on the command line."""

    number: int
    slug: str
    title: str


SECTIONS = tuple(
    Section(number, slug, title)
    for number, (slug, title) in enumerate(
        [
            ("sign-up", "Signing up"),
            ("framing", "Messages in pieces and in other forms"),
            ("set-up", "The first position"),
            ("turn", "The plain turn"),
            ("founding", "Founding a hotel"),
            ("growth", "Hotels that grow"),
            ("mergers", "Mergers"),
            ("disposal", "Certificates of acquired hotels"),
            ("buying", "Buying certificates"),
            ("full-boards", "Nearly full boards"),
            ("names", "Long names, and names with markup"),
            ("end", "The end of a match"),
            ("clocks", "The clocks"),
            ("matches", "Whole matches"),
        ],
        start=1,
    )
)

_BY_SLUG = {section.slug: section for section in SECTIONS}


def section(slug: str) -> Section:
    """Return the section of this name; ``KeyError`` when there is none."""
    return _BY_SLUG[slug]


class Source(NamedTuple):
    """Where it is written: a heading of docs/protocol.md, and the very words below it."""

    heading: str
    words: str

    @property
    def quoted(self) -> str:
        """The words without the marks that Markdown has for emphasis and code."""
        return _MARKS.sub(lambda found: found[2], self.words)


_MARKS = re.compile(r"(\*\*|\*|`)(.+?)\1")


Look: TypeAlias = Callable[[Sequence[PlayerMessage]], str]
"""Looks at answers, and returns a warning, or nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case.

    ``about`` are the questions that it is there for: ``signup``, ``setup`` (the first ``state``),
    ``state`` (a later one), ``turn``, ``players``, ``keep``, ``dispose``, ``tile``, ``score`` ..
    A player who errs there has failed it; one who errs elsewhere has not reached what it is for.
    ``reaches`` are those that have to be answered, by default all of them but ``signup``.

    ``name`` is what the player is told to sign up as. ``pause`` are the seconds between sign-up
    and the first position, ``patience`` seconds that the manner of sending adds to every clock.
    ``hint`` is the usual mistake behind a failure. What is not ``promised`` by the protocol, yet
    usual among programs, costs a warning only. ``look`` looks at the answers to what the case is
    about, and returns a warning where they are legal, but hardly meant. ``turns`` are those that
    have to begin, by default all of the script; a match that is played to its end needs none.
    """

    section: Section
    slug: str
    title: str
    source: Source
    expected: str
    hint: str
    about: frozenset[str]
    script: Script
    reaches: frozenset[str] | None = None
    manner: Manner = ORDINARY
    name: str = PLAYER
    pause: float = APART
    patience: float = 0.0
    promised: bool = True
    look: Look | None = None
    turns: int | None = None
    number: str = ""

    @property
    def id(self) -> str:
        """The name that stays, whatever cases are added: ``mergers/tie``."""
        return f"{self.section.slug}/{self.slug}"

    @property
    def turns_to_reach(self) -> int:
        """The turns that have to begin for the case to have been played."""
        if self.turns is not None:
            return self.turns
        return sum(turns or 0 for _, turns in self.script.segments)

    @property
    def to_reach(self) -> frozenset[str]:
        """The questions that have to be answered for the case to have been played."""
        return self.about - {"signup"} if self.reaches is None else self.reaches
