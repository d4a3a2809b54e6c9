"""A report's folder, which may contain anything: links, devices, huge files, strange names.

Only regular files with the names that a report can have are read, never through a link, and never
more than a file of a report can have.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ..games.checked_json import InvalidFields
from ..reporting import published
from ..reporting.report_files import walk
from ..store.row_chain import Seal, StoredRow, digest_of
from .findings import AuditError, Check, Source

MAX_MANIFEST_BYTES = 32 * 2**20  # bytes of a manifest, read as a whole: some 200,000 games
MAX_LOG_BYTES = 32 * 2**20  # bytes of a log or an output
MAX_NAMED = 1000  # files of the folder that do not belong to the report; more are not listed


class ReportFolder:
    """The folder of a report, and its manifest; ``AuditError`` if it has none."""

    def __init__(self, folder: Path) -> None:
        self.path = folder
        data = self.read(published.MANIFEST, MAX_MANIFEST_BYTES)
        if data is None:
            raise AuditError(
                f"{folder} has no {published.MANIFEST}, or not as a plain file: not a folder that "
                "`acquire tournament report` of this version wrote. Give such a folder, a "
                "tournament file or a store."
            )
        try:
            self.manifest = published.Manifest.of(data)
        except InvalidFields as error:
            raise AuditError(f"{folder / published.MANIFEST} is damaged: {error}.") from None
        self._data = data

    def read(self, path: str, most: int = published.MAX_BYTES) -> bytes | None:
        """Return the bytes of a file, ``None`` if it is missing or not a plain file of this size.

        ``path`` has to be that of a file of a report.
        """
        assert published.PATH.fullmatch(path) or path in published.MANIFEST_FILES
        with self._opened(path, most) as file:
            return None if file is None else file.read(most)

    def source(self) -> Source:
        """Return the facts, the seal and the rows; ``AuditError`` if there are none."""
        lines = self._lines()
        try:
            facts, *seal = published.read_head(next(lines, b""))
        except InvalidFields as error:
            where = self.path / published.ROWS
            raise AuditError(f"{where} is missing or damaged: {error}.") from None
        return Source(facts, Seal(*seal), sum(1 for _ in lines), self._rows(), whole=False)

    def _rows(self) -> Iterator[StoredRow]:
        """Yield all rows, in order; ``AuditError`` names a line that is none."""
        lines = self._lines()
        next(lines, b"")
        for number, line in enumerate(lines, 2):
            try:
                row = published.read_row(line)
            except InvalidFields as error:
                where = f"{self.path / published.ROWS}, line {number}"
                raise AuditError(f"{where}: {error}.") from None
            yield self._audited(row)

    def _audited(self, row: published.PublishedRow) -> StoredRow:
        if row.result is None:
            return StoredRow(row.stored(), None, {})
        other = []
        log = self.read(published.log_path(row.game), MAX_LOG_BYTES)
        if log is not None and digest_of(log) != row.log:
            other.append(published.log_path(row.game))
        printed, stored = self.outputs(row.game, row.result.players), dict(row.outputs)
        for number, player in enumerate(row.result.players, 1):
            found = digest_of(printed[player]) if player in printed else None
            if stored.get(player) != found:
                other.append(published.output_path(row.game, number))
        return StoredRow(row.stored(), log, printed, other=other)

    def outputs(self, game: str, players: Sequence[str]) -> dict[str, bytes]:
        """Return what the players of a game have printed, given in seat order."""
        found = {
            player: self.read(published.output_path(game, number), MAX_LOG_BYTES)
            for number, player in enumerate(players, 1)
        }
        return {player: output for player, output in found.items() if output is not None}

    def _lines(self) -> Iterator[bytes]:
        """Yield the lines of the rows' file, or as much of each as is enough to refuse it."""
        with self._opened(published.ROWS, published.MAX_BYTES) as file:
            while line := b"" if file is None else file.readline(published.MAX_LINE_BYTES + 1):
                yield line

    @contextmanager
    def _opened(self, path: str, most: int) -> Iterator[BinaryIO | None]:
        """Open a plain file of at most this size; ``None`` if there is none."""
        inner, _, name = path.rpartition("/")
        flags = os.O_RDONLY | os.O_CLOEXEC
        own = os.O_NOFOLLOW if inner else 0  # the folder of the report may be a link
        try:
            folder = os.open(self.path / inner, flags | os.O_DIRECTORY | own)
            try:  # neither a link, nor waiting for anybody, such as at the other end of a pipe
                found = os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
            finally:
                os.close(folder)
            file = os.fdopen(found, "rb")  # which refuses a folder
        except OSError:
            yield None
            return
        with file:
            status = os.fstat(file.fileno())
            plain = stat.S_ISREG(status.st_mode) and status.st_size <= most
            yield file if plain else None

    def check_signature(self, key: str | None) -> Check:
        """Check the signature of the manifest, by a public key or else by the one in it."""
        check = Check("Manifest", f"{len(self.manifest.files)} files listed")
        signature = self.read(published.SIGNATURE, 1000)
        if key is not None and key != self.manifest.key:
            check.find(f"{published.MANIFEST} has the key {self.manifest.key}; expected {key}.")
        if signature is None:
            check.find(
                f"{published.SIGNATURE} is missing: the report is not signed, so anybody can have "
                "written it."
            )
        elif not published.is_manifest_signed(key or self.manifest.key, signature, self._data):
            check.find(f"{published.MANIFEST} is not signed by the key of the tournament.")
        else:
            check.checked += ", signed"
        return check

    def check_files(self) -> Check:
        """Check that the folder has the files of the manifest and no others."""
        files = self.manifest.files
        check = Check("Files", f"{len(files)} files, SHA-256")
        for path, expected in files.items():
            data = self.read(path, expected.size)
            if data is None:
                check.find(f"{path} is missing, a link, or larger than its {expected.size} bytes.")
            elif published.FileEntry.of(data) != expected:
                check.find(f"{path} is not the file in {published.MANIFEST}: it was changed.")
        foreign = 0
        for path, _ in walk(self.path):
            if path not in files and path not in published.MANIFEST_FILES:
                foreign += 1
                if foreign <= MAX_NAMED:
                    check.find(f"{ascii(path)[1:-1][:200]} does not belong to the report.")
        if foreign > MAX_NAMED:
            check.find(f"{foreign - MAX_NAMED} other files do not belong to the report either.")
        return check
