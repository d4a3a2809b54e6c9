"""The names of players: how long they may be, and which of them people could not tell apart."""

import re
import unicodedata
from collections.abc import Iterable
from itertools import chain, count

MAX_NAME = 64
"""Characters; ``schemas/types.xsd`` says the same."""

_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\U000e0000-\U000e0fff]"
)
"""What Unicode calls ignorable beside control and format characters; and a blank of Braille."""


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """Return the name as wanted, or with the first free number if one that looks like it is taken.

    >>> free_name("ann", ["bob"]), free_name("ann", ["ann"]), free_name("ann", ["ANN", "ann-2"])
    ('ann', 'ann-2', 'ann-3')
    """
    used = {appearance(name) for name in taken}
    numbered = (wanted[: MAX_NAME - len(end)] + end for end in map("-{}".format, count(2)))
    return next(name for name in chain([wanted], numbered) if appearance(name) not in used)


def appearance(name: str) -> str:
    """Return the same text for names that can look the same.

    These differ in case, in width, in blanks, or in characters that are not seen.

    >>> appearance("Ann") == appearance("a\u200bn\u202e\u3164n ") == appearance("\uff21nn")
    True
    """
    visible = "".join(
        " " if char.isspace() else char
        for char in _UNSEEN.sub("", unicodedata.normalize("NFKC", name).casefold())
        if char.isspace() or unicodedata.category(char)[0] != "C"
    )
    return " ".join(visible.split())


def lookalikes(names: Iterable[str]) -> list[list[str]]:
    """Return the names that can look the same, in groups of two or more.

    >>> lookalikes(["ann", "bob", "Ann"])
    [['ann', 'Ann']]
    """
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(appearance(name), []).append(name)
    return [group for group in groups.values() if len(group) > 1]


def told_alike(alike: Iterable[str]) -> str:
    """Return a sentence about names that can look the same."""
    *others, last = map(repr, alike)
    return (
        f"The names {', '.join(others)} and {last} look alike: they differ only in case, width, "
        "blanks or characters that are not seen."
    )


def name_too_long(name: str) -> str:
    """Return a sentence about a name that is too long."""
    return f"The name has {len(name)} characters, but at most {MAX_NAME} are allowed."
