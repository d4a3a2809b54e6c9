"""Mistakes in a tournament file: each with its place and a sentence."""

from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from admin.tournament.planning.plan import RemoteSettings


class Mistake(NamedTuple):
    """One mistake.

    Places look like ``players[2] (ada).command[1]`` and are counted from 1; the place is empty for
    the whole file.
    """

    place: str
    sentence: str


def unknown(name: str, known: Sequence[str], noun: str) -> str:
    """Return a sentence about an unknown name, with the one that was probably meant."""
    close = get_close_matches(name, known, n=1)
    guess = f" Did you mean {close[0]!r}?" if close else ""
    return f"{name!r} is not a {noun}.{guess} There are {', '.join(known)}."


def mistake_of(place: str, detail: ErrorDetails, section: type[BaseModel]) -> Mistake:
    """Return the mistake that the check of one section has found, in the words of the file."""
    steps = [step for step in detail["loc"] if step not in ("function-after", "tuple")]
    for step in steps:
        place += f"[{step + 1}]" if isinstance(step, int) else f".{step}"
    sentence = _SENTENCES.get(detail["type"], _default_sentence)(detail)
    if detail["type"] == "extra_forbidden":
        place, _, name = place.rpartition(".")
        sentence = unknown(name, list(_settings_at(section, steps[:-1])), "setting here")
    return Mistake(place, sentence)


def _settings_at(section: type[BaseModel], steps: Sequence[object]) -> Iterator[str]:
    """Yield the settings of the table at a place within a section."""
    yield from (RemoteSettings if steps[:1] == ["remote"] else section).model_fields


def _default_sentence(detail: ErrorDetails) -> str:
    return f"{detail['msg']}; it is {detail['input']!r}."


def _bound(detail: ErrorDetails, name: str) -> str:
    """Return a bound, and the actual value if that is a number."""
    bound, value = detail.get("ctx", {}).get(name), detail["input"]
    return f"{bound}, not {value}" if isinstance(value, int | float) else f"{bound}"


_SENTENCES: dict[str, Callable[[ErrorDetails], str]] = {
    "plan": lambda detail: detail["msg"],
    "size": lambda detail: detail["msg"],
    "missing": lambda detail: "is missing.",
    "string_type": lambda detail: f"must be a text in quotes, not {detail['input']!r}.",
    "int_type": lambda detail: f"must be a whole number, not {detail['input']!r}.",
    "float_type": lambda detail: f"must be a number, not {detail['input']!r}.",
    "greater_than": lambda detail: f"must be more than {_bound(detail, 'gt')}.",
    "greater_than_equal": lambda detail: f"must be at least {_bound(detail, 'ge')}.",
    "less_than": lambda detail: f"must be less than {_bound(detail, 'lt')}.",
    "less_than_equal": lambda detail: f"must be at most {_bound(detail, 'le')}.",
    "string_too_short": lambda detail: (
        f"must have at least {_bound(detail, 'min_length')} characters."
    ),
    "string_too_long": lambda detail: (
        f"must have at most {_bound(detail, 'max_length')} characters."
    ),
    "too_short": lambda detail: (
        "is empty."
        if isinstance(detail["input"], str)
        else "is empty. Write the program, and each of its arguments."
    ),
    "finite_number": lambda detail: "must be a finite number.",
    "model_type": lambda detail: f"must be a table such as {{ ... }}, not {detail['input']!r}.",
    "bool_type": lambda detail: f"must be true or false, not {detail['input']!r}.",
    "tuple_type": lambda detail: f"must be a list in [ ], not {detail['input']!r}.",
    "enum": lambda detail: (
        f"must be {detail.get('ctx', {}).get('expected')}, not {detail['input']!r}."
    ),
}
