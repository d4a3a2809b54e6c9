"""Checks of plain values that were read from a file which anybody may have changed.

A table of checks, by field, says what is expected; every other value is refused with a sentence.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

MAX_DEPTH = 50
"""How deeply JSON may be nested."""
MAX_SHOWN = 60
"""Characters of a wrong value that a sentence shows."""


class InvalidFields(ValueError):
    """A value is not what is expected; the text is part of a sentence for the user."""


class FieldCheck(NamedTuple):
    """Whether a value is as expected, and in words what is expected."""

    holds: Callable[[object], bool]
    expected: str


def whole(least: int, most: int) -> FieldCheck:
    """Expect a whole number within bounds."""
    return FieldCheck(
        lambda value: type(value) is int and least <= value <= most,
        f"a whole number from {least} to {most}",
    )


def number(least: float, most: float) -> FieldCheck:
    """Expect a number within bounds."""
    return FieldCheck(
        lambda value: type(value) in (int, float) and least <= value <= most,  # type: ignore[operator]  # it is a number
        f"a number from {least:g} to {most:g}",
    )


def text(most: int, pattern: str = "") -> FieldCheck:
    """Expect text of at most so many characters, of this form if one is given."""
    form = re.compile(pattern, re.ASCII) if pattern else None
    return FieldCheck(
        lambda value: (
            isinstance(value, str)
            and len(value) <= most
            and (form is None or form.fullmatch(value) is not None)
        ),
        f"text of up to {most} characters" + (f" like {pattern}" if pattern else ""),
    )


def optional(check: FieldCheck) -> FieldCheck:
    """Expect nothing, or what another check expects."""
    return FieldCheck(
        lambda value: value is None or check.holds(value), f"{check.expected}, or null"
    )


def many(check: FieldCheck, least: int, most: int) -> FieldCheck:
    """Expect a list of values, each as another check expects it."""
    return FieldCheck(
        lambda value: (
            isinstance(value, list) and least <= len(value) <= most and all(map(check.holds, value))
        ),
        f"{least} to {most} times {check.expected}",
    )


BOOLEAN = FieldCheck(lambda value: isinstance(value, bool), "true or false")
PLAYER = text(64)
"""A player's name; a tournament file allows fewer characters."""
GAME_ID = text(64, r"[A-Za-z0-9][A-Za-z0-9-]*")
"""The id of a game, which is also the name of a file."""


def check_fields(
    value: object, checks: Mapping[str, FieldCheck], *, more: bool = False
) -> dict[str, Any]:
    """Return a table of values that are all as expected; ``InvalidFields`` names what is not.

    Fields without a check are refused, unless there may be ``more`` of them.
    """
    if not isinstance(value, dict):
        raise InvalidFields(f"{shown(value)} is not a table of fields")
    for name, check in checks.items():
        if name not in value:
            raise InvalidFields(f"the field {name} is missing")
        if not check.holds(value[name]):
            raise InvalidFields(f"{name} is {shown(value[name])}; expected {check.expected}")
    if not more and (unknown := value.keys() - checks.keys()):
        raise InvalidFields(f"the field {shown(min(unknown))} is unknown")
    return value


def read_json(data: str) -> object:
    """Parse JSON; ``InvalidFields`` if it is not, or is nested too deeply."""
    if data.count("[") + data.count("{") > MAX_DEPTH and _depth(data) > MAX_DEPTH:
        raise InvalidFields("it is nested too deeply")
    try:
        return json.loads(data)
    except ValueError as error:
        raise InvalidFields(f"it is not JSON: {error}") from None


def _depth(data: str) -> int:
    """Return how deeply JSON is nested."""
    depth = deepest = 0
    for found in re.finditer(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]', data):
        if found[0] in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif found[0] in "]}":
            depth -= 1
    return deepest


def shown(value: object) -> str:
    """Return the beginning of a value, printable."""
    try:
        found = ascii(value)
    except ValueError:  # a number with too many digits
        return "a number that is too large"
    return found if len(found) <= MAX_SHOWN else f"{found[:MAX_SHOWN]}..."
