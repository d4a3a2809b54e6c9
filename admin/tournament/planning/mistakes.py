"""The words for what pydantic finds wrong with a tournament file: the file's own, with places."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ....protocol.settings_file import Mistake, unknown
from ...refereeing.view.plain_text import printable
from .sections import (
    ClockSettings,
    GeneralSettings,
    GradeSettings,
    GradeStep,
    LobbySettings,
    PlayerSettings,
    RemoteSettings,
    TournamentFile,
)

TABLES: dict[str | int, type[BaseModel]] = {
    "tournament": GeneralSettings,
    "clocks": ClockSettings,
    "lobby": LobbySettings,
    "grades": GradeSettings,
    "scale": GradeStep,
    "players": PlayerSettings,
    "remote": RemoteSettings,
}
"""What is in the tables of a file, by their names."""
NOT_IN_THE_FILE = ("function-after", "function-before", "tuple", "[key]")
"""Steps to a place that only pydantic makes."""
SENTENCES = {
    "setting": "{msg}",
    "missing": "is missing.",
    "string_type": "must be a text in quotes, not {input!r}.",
    "int_type": "must be a whole number, not {input!r}.",
    "float_type": "must be a number, not {input!r}.",
    "bool_type": "must be true or false, not {input!r}.",
    "tuple_type": "must be a list in [ ], not {input!r}.",
    "model_type": "must be a table such as {{ ... }}, not {input!r}.",
    "dict_type": "must be a table such as {{ ... }}, not {input!r}.",
    "section": "must be a table. Write [{name}] on a line, with its settings below.",
    "greater_than": "must be more than {gt}, not {input}.",
    "greater_than_equal": "must be at least {ge}, not {input}.",
    "less_than": "must be less than {lt}, not {input}.",
    "less_than_equal": "must be at most {le}, not {input}.",
    "finite_number": "must be a finite number.",
    "string_too_short": "must have at least {min_length} characters.",
    "string_too_long": "must have at most {max_length} characters.",
    "empty": "is empty.",
    "too_short": "must have {min_length} or more.",
    "empty_command": "is empty. Write the program, and each of its arguments.",
    "enum": "must be {expected}, not {input!r}.",
    "literal_error": "must be {expected}, not {input!r}.",
}
"""The sentences by the kind of mistake, with the fields of pydantic's error."""


def mistakes_of(
    error: ValidationError, whole: type[BaseModel], data: Mapping[str, Any]
) -> list[Mistake]:
    """Return the mistakes in ``data``, which was read as a ``whole`` file, in the file's words."""
    return [_in_words(detail, whole, data) for detail in error.errors(include_url=False)]


def _in_words(detail: ErrorDetails, whole: type[BaseModel], data: Mapping[str, Any]) -> Mistake:
    steps = [step for step in detail["loc"] if step not in NOT_IN_THE_FILE]
    kind, value = detail["type"], detail["input"]
    name = steps[-1] if steps else ""
    if kind == "extra_forbidden":
        table = next((TABLES[step] for step in reversed(steps[:-1]) if step in TABLES), whole)
        is_section = table is TournamentFile
        noun = "section of a tournament file" if is_section else "setting here"
        place = _place(steps if is_section else steps[:-1], data)
        return Mistake(place, unknown(str(name), list(table.model_fields), noun))
    if kind == "too_short" and isinstance(value, str):
        kind = "empty"
    elif kind == "too_short" and name in ("command", "build"):
        kind = "empty_command"
    elif kind in ("model_type", "dataclass_type") and len(steps) == 1:
        kind = "section"
    sentence = SENTENCES.get(kind, "{msg}; it is {input!r}.")
    fields = {**detail.get("ctx", {}), "msg": detail["msg"], "input": value, "name": name}
    return Mistake(_place(steps, data), sentence.format(**fields))


def _place(steps: Sequence[str | int], data: Mapping[str, Any]) -> str:
    """Return a place as people count, with the name of a player."""
    words = [f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in steps]
    match steps:
        case ["players", int(number), *_]:
            name = data["players"][number].get("name")
            words[1] += f" ({printable(name)})" if isinstance(name, str) and name else ""
    return "".join(words).removeprefix(".")
