"""Text for people: names that cannot steer a terminal, amounts and plurals.

What comes from players, hand-ins, logs and files passes through here where it leaves this program:
in what commands print (``acquire.admin.cli.console``), in pages (``html_page.template``), in tables
(``csv_tables.csv_text``), and in reports as text (``case_text.plain_text``).
"""

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from decimal import ROUND_HALF_UP, Decimal
from enum import Enum
from typing import Any

SPARE = 6  # decimals beyond those that are shown, in which a product of floats is exact
MAX_LENGTH = 1000  # characters of a line: a quoted record of a log can be as long as the file


def printable(text: str, kept: str = "") -> str:
    """Return a name as it can be shown: what would steer the terminal is replaced."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in kept else "\N{REPLACEMENT CHARACTER}" for char in text
    )


def printable_text(text: str, kept: str = "\n\t") -> str:
    """Return a text of several lines as it can be shown."""
    return printable(text, kept)


def shortened(text: str, most: int = MAX_LENGTH) -> str:
    """Return a text, cut off where it is too long to be read."""
    return text if len(text) <= most else f"{text[:most]} ..."


def json_values(value: Any) -> Any:
    """Return a value as JSON has it: named tuples are objects, members of enums their values."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {key: json_values(item) for key, item in value.items()}
    return [json_values(item) for item in value] if isinstance(value, list | tuple) else value


def json_text(fields: Any, indent: int | None = None) -> str:
    """Return JSON in which what cannot be shown is escaped: a reader gets the same values.

    The values may be any that :func:`json_values` knows.
    """
    text = json.dumps(json_values(fields), ensure_ascii=False, indent=indent)
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char == "\n" else json.dumps(char)[1:-1] for char in text
    )


def plural(count: int, noun: str) -> str:
    """Write a number of things."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def listed(items: Iterable[str], joined: str = "and") -> str:
    """Join items as a sentence does: ``American, Festival and Tower``."""
    *first, last = [*items] or [""]
    return f"{', '.join(first)} {joined} {last}" if first else last


def dollars(amount: float) -> str:
    """Write an amount of money, in whole dollars."""
    return f"${number(amount)}".replace("$\N{MINUS SIGN}", "\N{MINUS SIGN}$")


def number(value: float, digits: int = 0, *, signed: bool = False) -> str:
    """Write a number with commas between thousands, and a true minus sign, or either sign.

    Halves are rounded away from zero.

    >>> number(0.425, 2), number(2500.5), number(-1.0, signed=True), number(2550, -2)
    ('0.43', '2,501', '\u22121', '2,600')
    """
    exact = round(float(value), digits + SPARE)  # 0.285 times 100 is a little less than 28.5
    rounded = Decimal(repr(exact)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    written = f"{rounded:{'+' if signed else ''},f}"
    if not written.strip("+-0.,"):  # zero has no sign
        written = written.lstrip("+-")
    return written.replace("-", "\N{MINUS SIGN}")


class JsonPrinter:
    """Prints JSON lines for another program; once that has gone, everything goes on without it."""

    def __init__(self, on_closed: Callable[[], object]) -> None:
        """``on_closed`` is called when the reader has gone."""
        self._on_closed = on_closed
        self._closed = False

    def print(self, fields: Mapping[str, Any] | None) -> None:
        """Print one object; nothing for ``None``."""
        if self._closed or fields is None:
            return
        try:
            sys.stdout.write(json_text(fields) + "\n")
            sys.stdout.flush()
        except BrokenPipeError:
            self._closed = True
            sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # for the flush at exit
            self._on_closed()
