"""The roster of a course: who belongs to which player, from a CSV file.

    id,name,team,section
    s1001,Ada Lovelace,team-a,Monday

A student belongs to the player with the name of its team, or with its own id if it has no team.
"""

import csv
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from ....protocol.settings_file import MAX_BYTES, InvalidSettings, Mistake, unknown
from ..games.checked_json import STRICT, read_checked
from ..store.store import Store

COLUMNS = ("id", "name", "team", "section")
MAX_TEXT = 200
"""Characters of a value."""


class Student(NamedTuple):
    """A line of the roster; all but ``id`` may be empty."""

    id: str
    name: str = ""
    team: str = ""
    section: str = ""

    @property
    def player(self) -> str:
        """The name of the player that the student belongs to."""
        return self.team or self.id


_STORED = TypeAdapter(tuple[Student, ...], config=STRICT)


def stored_roster(store: Store) -> tuple[Student, ...]:
    """Return the students in a store; ``StoreError`` if they are damaged."""
    with store.damage_named("the roster"):
        return read_checked(_STORED, store.about("roster") or "[]")


def roster_text(students: Iterable[Student]) -> str:
    """Return students as a store has them."""
    return json.dumps([student._asdict() for student in students], ensure_ascii=False)


def read_roster(path: Path) -> tuple[Student, ...]:
    """Return the students in a file; ``InvalidSettings`` with all mistakes in it."""
    students: list[Student] = []
    if mistakes := [Mistake("tournament.roster", found) for found in _read(path, students)]:
        raise InvalidSettings(mistakes)
    return tuple(students)


def _read(path: Path, students: list[Student]) -> Iterator[str]:
    """Collect the students; yield the mistakes, as sentences."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            text = file.read(MAX_BYTES + 1)
        rows = list(csv.DictReader(text.splitlines(), strict=True))
    except OSError as error:
        yield f"{path} cannot be read: {error.strerror}."
        return
    except UnicodeDecodeError:
        yield f"{path} is not UTF-8. Save it as UTF-8."
        return
    except csv.Error as error:
        yield f"{path} is not valid CSV: {error}."
        return
    if len(text) > MAX_BYTES:
        yield f"{path} is larger than {MAX_BYTES} bytes."
        return
    header = [name for name in (rows[0] if rows else {}) if name is not None]
    if "id" not in header:
        first, columns = text.partition("\n")[0], ",".join(COLUMNS)
        yield (
            f"{path} separates its columns with semicolons. Save it with commas."
            if ";" in first
            else f"{path} has no column id. Begin it with {columns}."
        )
        return
    for name in header:
        if name not in COLUMNS:
            yield f"{path}: {unknown(name, COLUMNS, 'column')}"
    seen: set[str] = set()
    for number, row in enumerate(rows, 2):
        values = {name: (row.get(name) or "").strip() for name in COLUMNS}
        if sentence := _mistake(values, seen, wide=None in row):
            yield f"{path}, line {number}: {sentence}"
            continue
        seen.add(values["id"])
        students.append(Student(**values))


def _mistake(values: dict[str, str], seen: set[str], *, wide: bool) -> str:
    if wide:
        return "there are more values than columns. Put a value with a comma in quotes."
    if not values["id"]:
        return "the id is missing."
    if values["id"] in seen:
        return f"the id {values['id']!a} is there twice."
    if any(len(value) > MAX_TEXT or not value.isprintable() for value in values.values()):
        return f"a value has more than {MAX_TEXT} characters, or one that cannot be printed."
    return ""
