"""How commands refuse. Every command imports this, so it imports nothing heavy."""

import sys
from typing import NoReturn

import click

from admin.view.plain_text import printable


class Refusal(click.ClickException):
    """An error message, and the exit code after it."""

    def __init__(self, text: str, code: int) -> None:
        super().__init__("\n".join(map(printable, text.split("\n"))))
        self.exit_code = code  # type: ignore[misc]  # click reads it from the instance


def refuse(text: str, code: int = 2) -> NoReturn:
    """Print an error and exit: with 2 if the command cannot begin, with 1 if it failed later.

    Names and file contents in ``text`` cannot steer the terminal. What is open is closed before
    the error is printed.
    """
    raise Refusal(text, code)


def refuse_on_windows(what: str, instead: str) -> None:
    """Refuse what needs processes of Linux or macOS; ``instead`` is a sentence about what works."""
    if sys.platform == "win32":
        refuse(
            f"{what} needs Linux or macOS; WSL, the Linux of Windows, will do (wsl --install). "
            f"{instead}"
        )
