"""What commands print, and how they refuse. Every command imports this: it imports nothing heavy.

All that a command prints goes through :func:`printable_output`, or is drawn on a ``SafeConsole``.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TextIO

import click

from ..refereeing.view.plain_text import json_text, printable, printable_text, shortened


class _PrintableStream:
    """A stream to which only what can be shown is written."""

    def __init__(self, stream: TextIO) -> None:
        self.rich_proxied_file = stream
        """Where a console of rich writes, whose own codes would be replaced, too."""

    def write(self, text: str | bytes) -> int:
        """Write a text, which click encodes for the completion of a shell; return its length.

        No empty bytes are taken: by them click tells files of bytes, for which it encodes all.
        """
        if isinstance(text, bytes):
            if not text:
                raise TypeError("This is a file of text.")
            text = text.decode()
        self.rich_proxied_file.write(printable_text(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        if name == "buffer":  # there is no way around it, which click takes where it can
            raise AttributeError(name)
        return getattr(self.rich_proxied_file, name)


@contextmanager
def printable_output() -> Iterator[None]:
    """Replace in all that is printed what cannot be shown, such as the codes that steer terminals.

    Names, answers and files of players are in most of what commands print.
    """
    streams = sys.stdout, sys.stderr
    if any(isinstance(stream, _PrintableStream) for stream in streams):
        yield
        return
    ours = [_PrintableStream(stream) for stream in streams]
    sys.stdout, sys.stderr = ours
    try:
        yield
    finally:
        if [sys.stdout, sys.stderr] == ours:  # or one was replaced because its reader has gone
            sys.stdout, sys.stderr = streams


class Refusal(click.ClickException):
    """An error message, and the exit code after it."""

    def __init__(self, text: str, code: int) -> None:
        super().__init__("\n".join(shortened(printable(line)) for line in text.split("\n")))
        self.exit_code = code  # type: ignore[misc]  # click reads it from the instance


def refuse(text: str, code: int = 2) -> NoReturn:
    """Print an error and exit: with 2 if the command cannot begin, with 1 if it failed later.

    Names and file contents in ``text`` cannot steer the terminal. What is open is closed before
    the error is printed.
    """
    raise Refusal(text, code)


@contextmanager
def unwritable_refused(path: Path, advice: str = "", code: int = 2) -> Iterator[None]:
    """Refuse if a file or folder cannot be written; ``advice`` is a sentence on what to do."""
    try:
        yield
    except OSError as error:
        refuse(f"{path} cannot be written: {error.strerror}. {advice}".rstrip(), code)


def write_new(file: Path, text: str, advice: str = "Name a new file.", mode: str = "x") -> None:
    """Write a file, or refuse; with mode ``x`` it must not exist, or ``advice`` says what to do."""
    with unwritable_refused(file):
        try:
            with file.open(mode, encoding="utf-8") as opened:
                opened.write(text)
        except FileExistsError:
            refuse(f"{file} exists already. {advice}")


def echo_json(fields: Any, indent: int | None = 2) -> None:
    """Print values as JSON, in one line where there is no ``indent``."""
    click.echo(json_text(fields, indent=indent))


def exit_after(stopped_by: int | None, code: int = 0) -> NoReturn:
    """Exit with a code, or as a shell tells it if a signal has stopped the command."""
    sys.exit(code if stopped_by is None else 128 + stopped_by)


def refuse_on_windows(what: str, instead: str) -> None:
    """Refuse what needs processes of Linux or macOS; ``instead`` is a sentence about what works."""
    if sys.platform == "win32":
        refuse(
            f"{what} needs Linux or macOS; WSL, the Linux of Windows, will do (wsl --install). "
            f"{instead}"
        )
