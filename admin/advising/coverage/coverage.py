"""What a number of games have exercised together, and what none of them has."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from ....game.rulebook import Rulebook
from ....game.turn import Ending
from ....game.violation import Violation
from ....protocol.faults import Reason
from ...refereeing.play import events
from ...refereeing.play.events import Event
from ...refereeing.view.fitted_table import Column, FittedTable
from ..rulebooks.rows import ROWS, RulebookRow
from .exercised import exercised

NOTHING = frozenset({"none", "no holder", "two cannot play", "there is no market"})
"""Cells of rows that a rulebook does not have."""
ENDINGS = [each for each in Ending if each not in (Ending.INTERRUPTED, Ending.NO_MORE_TURNS)]
"""How the rules can end a game."""
RULES = [
    *(each for each in Violation if each is not Violation.TOO_MANY),  # the schema has that limit
    *(Reason.MALFORMED, Reason.INVALID, Reason.OUT_OF_TURN, Reason.TIMED_OUT, Reason.DISCONNECTED),
]
"""What a player can be ejected for."""


def missing_rows(rulebook: Rulebook, exercised_rows: Collection[str]) -> list[RulebookRow]:
    """Return the rows of a rulebook that are not among those exercised, by their slugs."""
    own = [row for row in ROWS if row.cell(rulebook) not in NOTHING]
    return [row for row in own if row.slug not in exercised_rows]


class Coverage:
    """Counts games by what they exercised: ``add`` each game."""

    def __init__(self) -> None:
        self._rulebooks: dict[str, Rulebook] = {}
        self._games: Counter[str] = Counter()
        self._rows: Counter[tuple[str, str]] = Counter()
        self._endings = Counter({ending.value: 0 for ending in ENDINGS})
        self._ejections = Counter({rule.value: 0 for rule in RULES})

    def add(self, rulebook: Rulebook, seats: int, game: Sequence[Event]) -> None:
        """Add a game of this many seats, given its events."""
        name = rulebook.id
        self._rulebooks[name] = rulebook
        self._games[name] += 1
        self._rows.update((name, slug) for slug in exercised(rulebook, seats, game))
        for event in game:
            if isinstance(event, events.Ended):
                self._endings[event.ending.value] += 1
            elif isinstance(event, events.Ejected):
                self._ejections[event.rule.value] += 1

    def fields(self) -> dict[str, Any]:
        """Return everything, for a program.

        By rulebook: the number of games, of those that exercised each row that it has, and the
        slugs of the rows that none did. For all games: endings, and ejections by rule or reason.
        """
        rulebooks = {}
        for name, rulebook in self._rulebooks.items():
            rows = {row.slug: self._rows[name, row.slug] for row in missing_rows(rulebook, ())}
            missing = [slug for slug, count in rows.items() if not count]
            rulebooks[name] = {"games": self._games[name], "rows": rows, "missing": missing}
        happened = {"endings": dict(self._endings), "ejections": dict(self._ejections)}
        return {"rulebooks": rulebooks, **happened}

    def draw(self) -> RenderableType:
        """Draw it for a terminal: in how many games each row was exercised, and what is missing."""
        found = self.fields()["rulebooks"]
        table = FittedTable(Column("row", text=True), *map(Column, found), dense=True)
        for row in ROWS:
            counts = [each["rows"].get(row.slug) for each in found.values()]
            if counts != [None] * len(counts):
                cells = ["" if count is None else str(count or "-") for count in counts]
                table.add_row(f"{row.section}: {row.title}", *cells)
        sums = []
        for name, each in found.items():
            of = len(each["rows"])
            done = f"{of - len(each['missing'])} of {of} rows exercised"
            sums.append(f"{name}: {done}, games: {each['games']}.")
        lists = [_list("Endings", self._endings), _list("Ejections", self._ejections)]
        return Group(table, *map(Text, ["", *sums, "", *lists]))


def _list(title: str, counts: Counter[str]) -> str:
    """Write the counts on a line, the most frequent first, and below it what never happened."""
    happened = [f"{name} {count}" for name, count in counts.most_common() if count]
    never = [name for name, count in counts.items() if not count]
    return f"{title}: {', '.join(happened) or 'none'}\n  never: {', '.join(never) or 'none'}"
