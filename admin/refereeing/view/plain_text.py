"""Text for people: names that cannot steer a terminal, amounts and plurals.

What comes from players, hand-ins, logs and files passes through here where it leaves this program:
in what commands print (``acquire.admin.cli.console``), in pages (``html_page.template``), in tables
(``csv_tables``), and in reports as text (``case_text.plain_text``).
"""

import json
from collections.abc import Iterable
from typing import Any


def printable(name: str) -> str:
    """Return a name as it can be shown: what would steer the terminal is replaced."""
    return _replaced(name, "")


def printable_text(text: str, kept: str = "\n\t") -> str:
    """Return a text of several lines as it can be shown."""
    return _replaced(text, kept)


def json_text(fields: Any, indent: int | None = None) -> str:
    """Return JSON in which what cannot be shown is escaped: a reader gets the same values."""
    text = json.dumps(fields, ensure_ascii=False, indent=indent)
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char == "\n" else json.dumps(char)[1:-1] for char in text
    )


def plural(count: int, noun: str) -> str:
    """Write a number of things."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def listed(items: Iterable[str], joined: str = "and") -> str:
    """Join items as a sentence does: ``American, Festival and Tower``."""
    *first, last = [*items] or [""]
    return f"{', '.join(first)} {joined} {last}" if first else last


def dollars(amount: int) -> str:
    """Write an amount of money."""
    return f"${amount:,}"


def _replaced(text: str, kept: str) -> str:
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in kept else "\N{REPLACEMENT CHARACTER}" for char in text
    )
