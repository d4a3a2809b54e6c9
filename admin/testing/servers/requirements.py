"""What an administrator has to do: the cases of ``acquire check-server``, and their sources.

A case is a promise of docs/reference/protocol.md. It is reached where a match came to it and
everything that was sent there was right; a finding that names it fails it. The list is
``requirements.toml``; the section of misbehaving players has a case for each of the cast, too.
"""

import tomllib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from importlib.resources import files

from ....game.board import empty_board
from ....game.rulebook import Rulebook
from ....game.state import State, position
from ....protocol.dialect import Dialect
from ....protocol.faults import Reason
from ....protocol.framing import LIMIT_FROM_PLAYER
from ...advising.explaining.sources import BREAKABLE, SOCKET
from ...advising.rulebooks.rows import holds
from ...refereeing.play.referee import Segment
from ..cases.case import Case, CaseSection, CaseSource
from ..trial.trial import Script
from .exchanges import Cheat

CHEATS = "ejection"  # the section of the misbehaving players
CLAUSES = {
    Reason.MALFORMED: "not well-formed XML; anything else at the beginning than",
    Reason.INVALID: "well-formed, but not allowed by the schema",
    Reason.OUT_OF_TURN: "a valid message that was not expected; a second message before the next "
    "question; anything sent while no question is open",
    Reason.ILLEGAL: "expected and valid, but against the rules of the game",
    Reason.TIMED_OUT: "no complete answer in time, for example an element that is never closed",
    Reason.DISCONNECTED: "the connection was closed or lost",
}
"""What is written about each reason to eject a player."""
_TOO_LONG = f"more than {LIMIT_FROM_PLAYER} bytes in one message, including white space before it"
CLAUSES_OF_WAYS = {
    "too-deep": "elements nested deeper than 16",
    "too-long": _TOO_LONG,
    "floods": _TOO_LONG,
    "not-utf-8": "not UTF-8",
    "utf-16": "not UTF-8",
}
"""What is written about single ways to misbehave, instead of the whole reason."""
NOT_OF_2013 = {
    *("too-long", "too-deep", "nul", "utf-16", "doctype", "doctype-file", "undefined-entity")
}
"""Ways to misbehave that the course did not forbid in so many words: a failure is a warning."""


_LISTED = tomllib.loads(
    files("acquire.admin.testing.servers").joinpath("requirements.toml").read_text("utf-8")
)


def reached_by(what: str) -> dict[str, list[str]]:
    """Return the cases that each ``event`` or ``row`` comes to."""
    found = defaultdict(list)
    for slug, rows in _LISTED.items():
        for name, row in rows.items():
            if isinstance(row, dict) and what in row:
                found[row[what]].append(f"{slug}/{name}")
    return found


def cases_for(rulebook: Rulebook, cast: Iterable[Cheat]) -> list[Case]:
    """Return all cases under a rulebook, numbered, with those of its misbehaving cast."""
    cases: list[Case] = []
    kind = "course" if Dialect.of(rulebook) is Dialect.COURSE else "dialect"
    nowhere = _script(position(rulebook, empty_board(rulebook), ()))
    for place, (slug, rows) in enumerate(_LISTED.items(), 1):
        section = CaseSection(place, slug, rows["title"])
        found: list[tuple[str, str, CaseSource, bool]] = []
        for name, row in rows.items():
            source = isinstance(row, dict) and (row.get("both") or row.get(kind))
            if source and ("when" not in row or holds(rulebook, row["when"])):
                found.append((name, row["title"], CaseSource(*source), row.get("guaranteed", True)))
        for cheat in cast if slug == CHEATS else ():
            source = CaseSource(SOCKET, CLAUSES_OF_WAYS.get(cheat.way, CLAUSES[cheat.reason]))
            if cheat.violation is not None:
                source = CaseSource(BREAKABLE, cheat.violation.sentence)
            found.append((cheat.name, cheat.description, source, cheat.way not in NOT_OF_2013))
        cases += (
            Case(
                name,
                title,
                expected=source.quoted,
                hint="",
                section=section,
                source=source,
                tested=frozenset(),
                script=nowhere,
                guaranteed=guaranteed,
                number=f"{place}.{number}",
            )
            for number, (name, title, source, guaranteed) in enumerate(found, 1)
        )
    return cases


def with_position(case: Case, shown: State) -> Case:
    """Return a case with the position that its report shows."""
    return replace(case, script=_script(shown))


def _script(shown: State) -> Script:
    names = tuple(player.name for player in shown.players)
    return Script(shown.rulebook, names, "", (Segment(shown),), {})
