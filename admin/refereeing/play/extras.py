"""Packages that an extra of this distribution brings, and what to install where one is missing.

The core needs none of them. The list is that of pyproject.toml, read from the metadata of the
installed distribution.
"""

import re
from collections.abc import Iterator
from importlib.metadata import requires
from importlib.util import find_spec

DISTRIBUTION = "acquire-referee"


def require(extra: str) -> None:
    """Verify that the packages of an extra are there; ``ModuleNotFoundError`` names the first."""
    for package, brought_by in _packages():
        if brought_by == extra and find_spec(package) is None:
            raise ModuleNotFoundError(f"No module named {package!r}", name=package)


def why_missing(error: ImportError, extra: str | None = None) -> str | None:
    """Return what to install, ``None`` if no extra brings the package that was not found.

    ``extra`` is the one to install, for a package that several bring.
    """
    package = (error.name or "").partition(".")[0]
    brought_by = [other for name, other in _packages() if name == package]
    if not brought_by:
        return None
    return (
        f"{package} is not installed; it comes with an extra: "
        f"pip install '{DISTRIBUTION}[{extra or brought_by[-1]}]'."
    )


def _packages() -> Iterator[tuple[str, str]]:
    """Yield each package of an extra, with the extra."""
    for requirement in requires(DISTRIBUTION) or ():
        found = re.match(r"([\w.-]+).*\bextra == ['\"](\w+)", requirement)
        if found is not None and found[1] != DISTRIBUTION:
            yield found[1].replace("-", "_"), found[2]
