"""A case: a short scenario for a player, and what is expected of it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import NamedTuple, TypeAlias

from ....game.rulebook import Rulebook
from ....protocol.messages import PlayerMessage
from ...advising.explaining.sources import PROTOCOL_PAGE
from ..trial.script import Script
from ..trial.wire import PLAIN_DELIVERY, Delivery

READ_GAP = 0.03
"""Seconds between two messages, or two pieces of one, so that a player reads them separately."""
PLAYER = "player"
"""The player's name in a script, and what ``{name}`` stands for unless a case sets it."""


class CaseSection(NamedTuple):
    """A group of cases; ``slug`` is its name on the command line.

    ``visibility`` is when Gradescope shows them to students.
    """

    number: int
    slug: str
    title: str
    visibility: str = "visible"


class CaseSource(NamedTuple):
    """Where a rule is written: a page, a heading on it, and a quotation from below it."""

    heading: str
    words: str
    page: str = PROTOCOL_PAGE

    @property
    def quoted(self) -> str:
        """The quotation without Markdown's marks for emphasis and code."""
        return _MARKS.sub(lambda found: found[2], self.words)

    def __str__(self) -> str:
        """Return the page, the heading and the quotation; empty if there is no source."""
        return f"{self.page}, {self.heading}: “{self.quoted}”" if self.words else ""


_MARKS = re.compile(r"(\*\*|\*|`)(.+?)\1")


Inspect: TypeAlias = Callable[[Rulebook, Sequence[PlayerMessage]], str]
"""Inspects answers, and returns a warning or an empty string."""


@dataclass(frozen=True, slots=True)
class Case:
    """A case under a rulebook: what it says, and how it is delivered to the player and judged.

    ``tested`` names the questions under test: ``signup``, ``setup`` (the first ``state``),
    ``state`` (a later one), ``turn``, ``players``, ``keep``, ``dispose``, ``tile``, ``score`` ...
    A mistake in answering one of them fails the case; with a mistake elsewhere the case was not
    reached: other cases are about that. So a player that cannot acknowledge a tile fails two
    cases and not a hundred. ``must_answer`` are those that have to be answered for a pass; by
    default all that are tested, apart from ``signup``.

    ``hint`` describes a common bug: what completes the sentence "A common bug here is". ``name``
    is the name that the player is asked to sign up with. ``pause`` seconds lie between sign-up and
    the first position; ``extra_time`` seconds are added to every clock for a slow delivery. If the
    protocol does not guarantee the tested behaviour (``guaranteed``), a failure is only a warning.
    ``inspect`` looks at the tested answers for legal but doubtful ones. ``turns`` is how many turns
    have to begin; by default all of the script, and none in a game that is played to its end.
    """

    slug: str
    title: str
    _: KW_ONLY
    section: CaseSection
    source: CaseSource
    expected: str
    hint: str
    tested: frozenset[str]
    script: Script
    must_answer: frozenset[str] | None = None
    name: str = PLAYER
    delivery: Delivery = PLAIN_DELIVERY
    pause: float = READ_GAP
    extra_time: float = 0.0
    guaranteed: bool = True
    inspect: Inspect | None = None
    turns: int | None = None
    number: str = ""

    @property
    def id(self) -> str:
        """A name that stays the same when cases are added: ``mergers/tie``."""
        return f"{self.section.slug}/{self.slug}"

    @property
    def names(self) -> tuple[str, ...]:
        """The names that choose it: its section's number and slug, then its own."""
        return str(self.section.number), self.section.slug, self.number, self.id

    @property
    def required_turns(self) -> int:
        """How many turns have to begin for a pass."""
        if self.turns is not None:
            return self.turns
        return sum(turns or 0 for _, turns in self.script.segments)

    @property
    def waits(self) -> float:
        """For how many seconds the player waits for the game to begin, or for an opponent."""
        return self.pause + self.script.think_time

    @property
    def required(self) -> frozenset[str]:
        """The questions that have to be answered for a pass."""
        return self.tested - {"signup"} if self.must_answer is None else self.must_answer
