"""What an administrator has to do: the cases of ``acquire check-server``, and their sources.

A case is a promise of docs/reference/protocol.md. It is reached where a match came to it and
everything that was sent there was right; a finding that names it fails it. The list is
``requirements.toml``; the section of misbehaving players has a case for each of the cast, too.
"""

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

from ....game.board import empty_board
from ....game.rulebook import (
    DeadTiles,
    DisposalRule,
    EighthHotel,
    EmptyBag,
    End,
    EqualAcquired,
    LooseNeighbours,
    Rulebook,
    StuckHand,
)
from ....game.state import State, position
from ....protocol.dialect import Dialect
from ....protocol.faults import Reason
from ...advising.explaining.sources import BREAKABLE, SOCKET
from ...refereeing.play.referee import Segment
from ..case_parts.case import Case, CaseSection, CaseSource
from ..trial.script import Script
from .exchanges import Cheat

CHEATS = "ejection"
"""The section of the misbehaving players."""
CONDITIONS: dict[str, Callable[[Rulebook], bool]] = {
    "absorbed": lambda book: book.loose_neighbours is LooseNeighbours.ABSORBED,
    "mixed": lambda book: book.mixed_orders,
    "goes-on": lambda book: book.stuck_hand is not StuckHand.ENDS_GAME,
    "stuck-ends-game": lambda book: book.stuck_hand is StuckHand.ENDS_GAME,
    "plays-on": lambda book: book.empty_bag is EmptyBag.PLAYS_ON,
    "empty-bag-ends-game": lambda book: book.empty_bag is EmptyBag.ENDS_GAME,
    "sells-off-board": lambda book: any(prices[0] for prices in book.prices),
    "market": lambda book: book.market_for_two,
    "stays-loose": lambda book: book.eighth_hotel is EighthHotel.STAYS_LOOSE,
    "keep-or-return": lambda book: book.disposal is DisposalRule.KEEP_OR_RETURN,
    "hold-sell-trade": lambda book: book.disposal is DisposalRule.HOLD_SELL_TRADE,
    "declared": lambda book: book.end is not End.ADMINISTRATOR,
    "may-replace": lambda book: book.stuck_hand is StuckHand.MAY_REPLACE,
    "placer-orders": lambda book: book.equal_acquired is EqualAcquired.PLACER_ORDERS,
    "replaced": lambda book: book.dead_tiles is DeadTiles.REPLACED,
}
"""Which rulebooks have a case, by the word for it in the list."""
CLAUSES = {
    Reason.MALFORMED: "not well-formed XML; anything but `<` at the beginning; a DOCTYPE",
    Reason.INVALID: "well-formed, but not allowed by the schema",
    Reason.OUT_OF_TURN: "a valid message that was not expected; a second message before the next "
    "question; anything sent while no question is open",
    Reason.ILLEGAL: "expected and valid, but against the rules of the game",
    Reason.TIMED_OUT: "no complete answer in time, for example an element that is never closed",
    Reason.DISCONNECTED: "the connection was closed or lost",
}
"""What is written about each reason to eject a player."""
NOT_OF_2013 = {
    *("too-long", "too-deep", "nul", "utf-16", "doctype", "doctype-file", "undefined-entity")
}
"""Ways to misbehave that the course did not forbid in so many words: a failure is a warning."""


@cache
def _listed() -> dict[str, dict[str, Any]]:
    """Return the sections of the list, each with its title and its cases."""
    text = files("acquire.admin.testing.servers").joinpath("requirements.toml").read_text()
    return tomllib.loads(text)


def cases_for(rulebook: Rulebook, cast: dict[str, Cheat]) -> list[Case]:
    """Return all cases under a rulebook, numbered."""
    return [*_cases(rulebook, cast)]


def _cases(rulebook: Rulebook, cast: dict[str, Cheat]) -> Iterator[Case]:
    kind = "course" if Dialect.of(rulebook) is Dialect.COURSE else "dialect"
    nowhere = _empty(rulebook)
    for place, (slug, rows) in enumerate(_listed().items(), 1):
        section = CaseSection(place, slug, rows["title"])
        found: list[tuple[str, str, CaseSource, bool]] = []
        for name, row in rows.items():
            source = isinstance(row, dict) and (row.get("both") or row.get(kind))
            if source and CONDITIONS.get(row.get("when"), bool)(rulebook):
                found.append((name, row["title"], CaseSource(*source), row.get("guaranteed", True)))
        if slug == CHEATS:
            found += [_of_cheat(cheat) for cheat in cast.values()]
        for number, (name, title, source, guaranteed) in enumerate(found, 1):
            yield Case(
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


def _of_cheat(cheat: Cheat) -> tuple[str, str, CaseSource, bool]:
    source = CaseSource(SOCKET, CLAUSES[cheat.reason])
    if cheat.violation is not None:
        source = CaseSource(BREAKABLE, cheat.violation.sentence)
    return cheat.name, cheat.description, source, cheat.way not in NOT_OF_2013


def _empty(rulebook: Rulebook) -> Script:
    """Return the script of a case without a position to show."""
    nowhere = position(rulebook, empty_board(rulebook), ())
    return Script(rulebook, (), "", (Segment(nowhere),), {})


def with_position(case: Case, shown: State) -> Case:
    """Return a case with the position that its report shows."""
    names = tuple(player.name for player in shown.players)
    return replace(case, script=Script(shown.rulebook, names, "", (Segment(shown),), {}))
