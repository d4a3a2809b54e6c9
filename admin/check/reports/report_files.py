"""Writes the reports that were asked for, each to its file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from admin.check.judging.check_result import CheckResult
from admin.check.reports.check_page import page
from admin.check.reports.gradescope import results_json
from admin.check.reports.junit import junit_xml

FORMATS: dict[str, Callable[[CheckResult], bytes]] = {
    "junit": junit_xml,
    "json": lambda check: results_json(check).encode(),
    "html": lambda check: page(check).encode(),
}
"""The functions that write a report, by the name of the command-line option."""


@dataclass(frozen=True, slots=True)
class ReportFiles:
    """The paths of the reports, by format."""

    paths: Mapping[str, Path]

    def unwritable(self) -> str | None:
        """Return why one of the files cannot be written, or ``None``; no file is left behind."""
        for option, path in self.paths.items():
            existed = path.exists() or path.is_symlink()
            try:
                path.open("ab").close()
            except OSError as error:
                return f"--{option}: cannot write {path}: {error.strerror}."
            if not existed:
                path.unlink()
        return None

    def write(self, check: CheckResult) -> list[str]:
        """Write the files; return an error message for each that could not be written."""
        errors = []
        for option, path in self.paths.items():
            try:
                path.write_bytes(FORMATS[option](check))
            except OSError as error:
                errors.append(f"Cannot write {path}: {error.strerror}.")
        return errors
