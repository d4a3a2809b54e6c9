"""A program that can be launched: what to run, where, and with which variables.

Its texts may hold placeholders; what they stand for is known only when it is launched.
"""

import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

PLACEHOLDERS = ("host", "port", "name")
_PLACEHOLDER = re.compile(rf"\{{({'|'.join(PLACEHOLDERS)})\}}")


@dataclass(frozen=True, slots=True)
class PlaceholderValues:
    """Where a program connects, and as whom: ``name`` is what it has to sign up with.

    ``token`` is what proves it, told by itself as well; ``None`` where nothing is to be proved.
    """

    host: str
    port: int
    name: str
    token: str | None = None

    def fill(self, text: str) -> str:
        """Return a text with each placeholder replaced; other braces stay as they are."""
        values = {"host": self.host, "port": str(self.port), "name": self.name}
        return _PLACEHOLDER.sub(lambda found: values[found[1]], text)

    @property
    def variables(self) -> dict[str, str]:
        """The same for the environment; no ``ACQUIRE_TOKEN`` where there is none."""
        told = {
            "ACQUIRE_HOST": self.host,
            "ACQUIRE_PORT": str(self.port),
            "ACQUIRE_NAME": self.name,
        }
        return told if self.token is None else {**told, "ACQUIRE_TOKEN": self.token}


@dataclass(frozen=True, slots=True)
class Program:
    """The words of a command, the folder in which it runs, and variables besides those passed on.

    Words and the values of variables may hold ``{host}``, ``{port}`` and ``{name}``.
    """

    command: tuple[str, ...]
    directory: Path
    environment: Mapping[str, str] = field(default_factory=dict)

    def filled(self, values: PlaceholderValues) -> "Program":
        """Return the program with its placeholders replaced, and found where it can be.

        One that cannot be found keeps its word: running it tells why. The folder becomes absolute,
        for what is found from it is run from within it.
        """
        directory = self.directory.absolute()
        first, *rest = (values.fill(word) for word in self.command)
        return replace(
            self,
            command=(find_program(first, directory) or first, *rest),
            directory=directory,
            environment={key: values.fill(text) for key, text in self.environment.items()},
        )


def find_program(program: str, folder: Path) -> str | None:
    """Return the path of a program: looked up in PATH, or from ``folder`` if it has a slash."""
    if "/" in program:
        return shutil.which(str(folder / program))
    return shutil.which(program)
