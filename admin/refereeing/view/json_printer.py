"""JSON lines on standard output, for a program that reads what a referee or a tournament does."""

import os
import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from .plain_text import json_text

E = TypeVar("E")


class JsonPrinter:
    """Prints one object a line; once the reader has gone, everything goes on without it."""

    def __init__(self, on_closed: Callable[[], object]) -> None:
        """``on_closed`` is called when the reader has gone."""
        self._on_closed = on_closed
        self._closed = False

    def printing(self, fields_of: Callable[[E], Mapping[str, Any] | None]) -> Callable[[E], None]:
        """Return an observer that prints an event as ``fields_of`` says; nothing for ``None``."""

        def observe(event: E) -> None:
            if (fields := fields_of(event)) is not None:
                self.print(fields)

        return observe

    def print(self, fields: Mapping[str, Any]) -> None:
        """Print one object."""
        if self._closed:
            return
        try:
            sys.stdout.write(json_text(fields) + "\n")
            sys.stdout.flush()
        except BrokenPipeError:
            self._closed = True
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # for the flush at exit
            self._on_closed()
