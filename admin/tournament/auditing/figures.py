"""Whether the pages and tables of a report are those that its rows give, byte by byte."""

from collections.abc import Mapping

from ..store.manifest import software
from .findings import Check
from .report_folder import ReportFolder


class Figures:
    """Compares the files of a report, one after the other, with what they have to be."""

    def __init__(self, folder: ReportFolder) -> None:
        self.check = Check("Page and tables")
        self._folder = folder
        self._same_software = dict(folder.manifest.software) == software()
        self._count = 0

    def compare(self, name: str, data: bytes) -> None:
        """Compare a page or table with the bytes that follow from the rows."""
        self._count += 1
        self.check.checked = f"{self._count} pages and tables, byte by byte"
        found = self._folder.read(name)
        if found == data:
            return
        if self._same_software or found is None:
            self.check.find(f"{name} is not what follows from the results{_place(found, data)}.")
        else:
            self.check.skipped = (
                f"{name} and perhaps others differ, but were written by other software: "
                f"{_versions(self._folder.manifest.software)}; this is {_versions(software())}."
            )


def _place(found: bytes | None, expected: bytes) -> str:
    """Return where two texts begin to differ, for a sentence."""
    if found is None:
        return ": it is missing, a link, or too large"
    pairs = zip(found.splitlines(), expected.splitlines(), strict=False)
    for number, (one, other) in enumerate(pairs, 1):
        if one != other:
            at = next(
                (at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]),
                min(len(one), len(other)),
            )
            start = max(0, at - 30)
            texts = (ascii(text[start : at + 30].decode(errors="replace")) for text in (one, other))
            return ", line {}: {}; expected {}".format(number, *texts)
    return ": one is longer than the other"


def _versions(names: Mapping[str, str]) -> str:
    return ", ".join(f"{ascii(name)[1:-1]} {ascii(value)[1:-1]}" for name, value in names.items())
