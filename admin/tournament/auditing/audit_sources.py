"""What is audited, row by row: a store, or the folder of a report."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple, Protocol

from ..games.checked_json import InvalidFields
from ..games.result import GameResult
from ..reporting.page_files import log_path, output_path
from ..store.row_chain import GAME, StoredRow, digest_of
from ..store.rows_file import MAX_LINE_BYTES, ROWS, PublishedRow, read_head, read_row
from ..store.store import Store
from ..store.stored_rows import read_result
from .findings import AuditError
from .report_folder import MAX_LOG_BYTES, ReportFolder


class AuditedRow(NamedTuple):
    """A row with what belongs to it; ``log`` is ``None`` if it is missing.

    ``result`` is ``None`` for a void game, and for a game whose result is wrong: ``problem`` says
    how. ``other`` are the files of the row that are not those of the store.
    """

    row: StoredRow | PublishedRow
    result: GameResult | None
    log: bytes | None
    outputs: Mapping[str, bytes]
    problem: str = ""
    other: tuple[str, ...] = ()


class AuditSource(Protocol):
    """What is audited. The seal is that of the store: a public key, and the signed head.

    ``total`` is the number of rows, for a progress bar.
    """

    facts: Mapping[str, str]
    key: str
    head: str
    signature: str
    total: int
    whole: bool
    """Whether all facts are there, and not only the public ones."""

    def rows(self) -> Iterator[AuditedRow]:
        """Yield all rows, in order."""
        ...


class StoreSource:
    """A store."""

    whole = True

    def __init__(self, store: Store) -> None:
        self._store = store
        self.facts: Mapping[str, str] = store.facts()
        self.key, self.head, self.signature = (
            store.about(name) or "" for name in ("key", "head", "signature")
        )
        self.total = store.count_rows()

    def rows(self) -> Iterator[AuditedRow]:
        """Yield all rows, in order."""
        for row in self._store.rows():
            result, problem = None, ""
            if row.kind == GAME:
                try:
                    result = read_result(row.game, row.result)
                except InvalidFields as error:
                    problem = f"its result is damaged: {error}"
            yield AuditedRow(row, result, row.log, dict(row.outputs), problem)


class ReportSource:
    """The folder of a report; ``AuditError`` if it has no rows."""

    whole = False

    def __init__(self, folder: ReportFolder) -> None:
        self._folder = folder
        lines = folder.lines(ROWS, MAX_LINE_BYTES)
        try:
            found = read_head(next(lines, b""))
        except InvalidFields as error:
            raise AuditError(f"{folder.path / ROWS} is missing or damaged: {error}.") from None
        self.facts: Mapping[str, str] = found.facts
        self.key, self.head, self.signature = found.key, found.head, found.signature
        self.total = sum(1 for _ in lines)

    def rows(self) -> Iterator[AuditedRow]:
        """Yield all rows, in order; ``AuditError`` names a line that is none."""
        lines = self._folder.lines(ROWS, MAX_LINE_BYTES)
        next(lines, b"")
        for number, line in enumerate(lines, 2):
            try:
                row = read_row(line)
            except InvalidFields as error:
                where = f"{self._folder.path / ROWS}, line {number}"
                raise AuditError(f"{where}: {error}.") from None
            yield self._row(row)

    def _row(self, row: PublishedRow) -> AuditedRow:
        log, other = None, []
        printed: Mapping[str, bytes] = {}
        if row.result is not None:
            log = self._folder.read(log_path(row.game), MAX_LOG_BYTES)
            if log is not None and digest_of(log) != row.log:
                other.append(log_path(row.game))
            printed = self._folder.outputs(row.game, row.result.players)
            digests = {player: digest_of(output) for player, output in printed.items()}
            stored = dict(row.outputs)
            for number, player in enumerate(row.result.players, 1):
                if stored.get(player) != digests.get(player):
                    other.append(output_path(row.game, number))
        return AuditedRow(row, row.result, log, printed, other=tuple(other))
