"""The roster of a course: who belongs to which player, from a CSV file.

    id,name,team,section
    s1001,Ada Lovelace,team-a,Monday

A student belongs to the player with the name of its team, or with its own id if it has no team.
"""

import csv
import json
import unicodedata
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from ....protocol.files import bytes_of
from ....protocol.settings_file import MAX_TOLD, InvalidSettings, Mistake, unknown
from ..games.checked_json import STRICT, read_checked
from ..store.store import Store

COLUMNS = ("id", "name", "team", "section")
MAX_TEXT = 200  # characters of a value


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


def with_teams_as_named(students: Iterable[Student], names: Iterable[str]) -> tuple[Student, ...]:
    """Return students of whom each team is written as the player is, in whatever Unicode form.

    The name of a folder from a Mac may have marks apart from their letters.
    """
    named = {_composed(name): name for name in names}
    found = ((one, named.get(_composed(one.player), one.player)) for one in students)
    return tuple(one if one.player == name else one._replace(team=name) for one, name in found)


_composed = partial(unicodedata.normalize, "NFC")


def read_roster(path: Path) -> tuple[Student, ...]:
    """Return the students in a file; ``InvalidSettings`` with all mistakes in it."""
    students: dict[str, Student] = {}
    if mistakes := [Mistake("tournament.roster", f"{path}{why}") for why in _read(path, students)]:
        raise InvalidSettings(mistakes)
    return tuple(students.values())


def _read(path: Path, students: dict[str, Student]) -> Iterator[str]:
    """Collect the students by id; yield the mistakes, as what follows the path."""
    try:
        text = bytes_of(path).decode("utf-8-sig")
        lines = [line for line in csv.reader(text.splitlines(), strict=True) if line]
    except OSError as error:
        yield f" cannot be read: {error.strerror}."
        return
    except UnicodeDecodeError:
        yield " is not UTF-8. Save it as UTF-8."
        return
    except csv.Error as error:
        yield f" is not valid CSV: {error}."
        return
    header = lines[0] if lines[1:] else []
    if "id" not in header and ";" in text.partition("\n")[0]:
        yield " separates its columns with semicolons. Save it with commas."
    elif "id" not in header:
        yield f" has no column id. Begin it with {','.join(COLUMNS)}."
    else:
        others = [*dict.fromkeys(one for one in header if one not in COLUMNS)]
        yield from (f": {unknown(one, COLUMNS, 'column')}" for one in others[: MAX_TOLD + 1])
        for number, line in enumerate(lines[1:], 2):
            row = dict(zip(header, line, strict=False))
            student = Student(*(row.get(name, "").strip() for name in COLUMNS))
            if len(line) > len(header):
                advice = "Put a value with a comma in quotes."
                yield f", line {number}: there are more values than columns. {advice}"
            elif not student.id:
                yield f", line {number}: the id is missing."
            elif student.id in students:
                yield f", line {number}: the id {student.id!a} is there twice."
            elif any(len(value) > MAX_TEXT or not value.isprintable() for value in student):
                most = f"more than {MAX_TEXT} characters, or one that cannot be printed"
                yield f", line {number}: a value has {most}."
            students[student.id] = student
