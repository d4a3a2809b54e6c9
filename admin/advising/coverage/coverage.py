"""What a number of games have exercised together, and what none of them has."""

from collections import Counter
from collections.abc import Sequence
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
NEVER, ABSENT = "-", ""


class Coverage:
    """Counts games by what they exercised: ``add`` each game."""

    def __init__(self) -> None:
        self._rulebooks: dict[str, Rulebook] = {}
        self.games: Counter[str] = Counter()
        """The number of games by rulebook."""
        self.rows: dict[str, Counter[str]] = {}
        """By rulebook, how many games exercised a row, by its slug."""
        self.endings = Counter({ending.value: 0 for ending in ENDINGS})
        self.ejections = Counter({rule.value: 0 for rule in RULES})
        """How many players were ejected, by the rule of the game or the reason."""

    def add(self, rulebook: Rulebook, seats: int, game: Sequence[Event]) -> None:
        """Add a game of this many seats, given its events."""
        self._rulebooks.setdefault(rulebook.id, rulebook)
        self.games[rulebook.id] += 1
        self.rows.setdefault(rulebook.id, Counter()).update(exercised(rulebook, seats, game))
        for event in game:
            if isinstance(event, events.Ended):
                self.endings[event.ending.value] += 1
            elif isinstance(event, events.Ejected):
                self.ejections[event.rule.value] += 1

    def missing(self, rulebook: str) -> list[str]:
        """Return the slugs of a rulebook's rows that no game has exercised."""
        counted = self.rows[rulebook]
        return [row.slug for row in self._rows_of(rulebook) if not counted[row.slug]]

    def fields(self) -> dict[str, Any]:
        """Return everything, for a program."""
        return {
            "rulebooks": {
                name: {
                    "games": games,
                    "rows": {row.slug: self.rows[name][row.slug] for row in self._rows_of(name)},
                    "missing": self.missing(name),
                }
                for name, games in self.games.items()
            },
            "endings": dict(self.endings),
            "ejections": dict(self.ejections),
        }

    def draw(self) -> RenderableType:
        """Draw it for a terminal: in how many games each row was exercised, and what is missing."""
        table = FittedTable(
            Column("row", text=True), *(Column(name) for name in self.games), dense=True
        )
        for row in ROWS:
            cells = [self._cell(row, name) for name in self.games]
            if any(cells):
                table.add_row(f"{row.section}: {row.title}", *cells)
        sums = [
            f"{name}: {len(self._rows_of(name)) - len(self.missing(name))} of "
            f"{len(self._rows_of(name))} rows exercised, games: {games}."
            for name, games in self.games.items()
        ]
        counted = {"Endings": self.endings, "Ejections": self.ejections}
        lists = [_list(title, counts) for title, counts in counted.items()]
        return Group(table, *map(Text, ["", *sums, "", *lists]))

    def _rows_of(self, rulebook: str) -> list[RulebookRow]:
        chosen = self._rulebooks[rulebook]
        return [row for row in ROWS if row.cell(chosen) not in NOTHING]

    def _cell(self, row: RulebookRow, rulebook: str) -> str:
        if row.cell(self._rulebooks[rulebook]) in NOTHING:
            return ABSENT
        count = self.rows[rulebook][row.slug]
        return str(count) if count else NEVER


def _list(title: str, counts: Counter[str]) -> str:
    """Write the counts on a line, the most frequent first, and below it what never happened."""
    happened = [f"{name} {count}" for name, count in counts.most_common() if count]
    never = [name for name, count in counts.items() if not count]
    return f"{title}: {', '.join(happened) or 'none'}\n  never: {', '.join(never) or 'none'}"
