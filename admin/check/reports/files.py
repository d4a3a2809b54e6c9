"""The files that a check is written to, one for each format that was asked for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from admin.check.reports.gradescope import results_json
from admin.check.reports.junit import junit_xml
from admin.check.reports.page import page
from admin.check.summary import Checked

FORMATS: dict[str, Callable[[Checked], bytes]] = {
    "junit": junit_xml,
    "json": lambda checked: results_json(checked).encode(),
    "html": lambda checked: page(checked).encode(),
}
"""How a check is written, by the name of the option."""


@dataclass(frozen=True, slots=True)
class Files:
    """Paths by format."""

    paths: Mapping[str, Path]

    def refusal(self) -> str | None:
        """Return why one of them cannot be written, ``None`` if all can; leave nothing behind."""
        for option, path in self.paths.items():
            existed = path.exists() or path.is_symlink()
            try:
                path.open("ab").close()
            except OSError as error:
                return f"--{option}: {path} cannot be written: {error.strerror}."
            if not existed:
                path.unlink()
        return None

    def write(self, checked: Checked) -> list[str]:
        """Write all that can be written; return why the others could not be."""
        refused = []
        for option, path in self.paths.items():
            try:
                path.write_bytes(FORMATS[option](checked))
            except OSError as error:
                refused.append(f"{path} could not be written: {error.strerror}.")
        return refused
