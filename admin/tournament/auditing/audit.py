"""The whole audit of a tournament, from its store or from the folder of its report.

    rows --> chain ------------------------------> head, facts: signed?
      |----> log --> played again --> result ----> the claimed one?
      |----> schedule, bags: does every game belong there, with these players and this bag?
      '----> tables, page: do they follow from the results? (of a report)

What is found is a sentence that names the place and what was expected. Whatever the file or folder
contains, nothing is written, and nothing in it is believed before it was checked.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from ..games.entries import Entries
from ..games.given_up import given_up
from ..games.plain_fields import InvalidFields
from ..games.result import GameResult
from ..planning.ladder import PAIRING
from ..planning.plan import Format
from ..reporting.index_page import VoidRow
from ..reporting.page_files import LOGS, OUTPUTS, log_path, output_path
from ..reporting.public_edition import is_public
from ..reporting.report_files import GameMaterial, ReportContent, report_files
from ..standings.version_history import version_history
from ..store.facts import check_game, read_facts
from ..store.manifest import SIGNATURE, software
from ..store.row_chain import GAME, ChainCheck, Head, describe_row, fact_digests
from ..store.rows_file import ROWS
from ..store.series import Series, read_series
from ..store.signing import is_signed
from ..store.store import Store
from ..store.stored_rows import GameAlarm
from .audit_sources import (
    MAX_LOG_BYTES,
    AuditedRow,
    AuditSource,
    ReportSource,
    StoreSource,
)
from .findings import Audit, AuditError, Check
from .recompute import GameAudit, audit_game
from .report_folder import ReportFolder
from .schedule_audit import (
    PlayedGame,
    check_bags,
    check_headers,
    check_schedule,
    read_seed,
    schedule_of,
)

Advance = Callable[[int, int], None]
"""Is sent how many rows are done, and how many there are; then the same of pages."""


def audit_store(
    store: Store,
    key: str | None = None,
    secrets: Mapping[int, bytes] | None = None,
    advance: Advance = lambda done, total: None,
) -> Audit:
    """Audit a store, as it is now; ``AuditError`` or ``StoreError`` if that is not possible.

    ``key`` is the public key that has to have signed. ``secrets`` are those of series of deals that
    were not revealed yet, by number.
    """
    with store.snapshot():
        auditor = _Auditor(StoreSource(store), key, secrets or {}, advance)
        auditor.run()
    return Audit(
        *(str(store.path), auditor.source.key, key is not None, auditor.commitments()),
        *(auditor.checks, auditor.testimony()),
    )


def audit_report(
    folder: ReportFolder,
    key: str | None = None,
    advance: Advance = lambda done, total: None,
) -> Audit:
    """Audit the folder of a report; ``AuditError`` if that is not possible."""
    seal = [folder.check_signature(key), folder.check_files()]
    auditor = _Auditor(ReportSource(folder), key, {}, advance)
    auditor.run()
    if (auditor.source.key, auditor.source.head) != (folder.manifest.key, folder.manifest.head):
        seal[0].find("rows.jsonl has another key, or another head of the chain.")
    checks = [*seal, *auditor.checks, _check_figures(folder, auditor, advance)]
    return Audit(
        *(str(folder.path), folder.manifest.key, key is not None, auditor.commitments()),
        *(checks, auditor.testimony()),
    )


class _Auditor:
    """One audit of the rows of a source; ``run`` may be called once."""

    def __init__(
        self, source: AuditSource, key: str | None, secrets: Mapping[int, bytes], advance: Advance
    ) -> None:
        self.source = source
        self._key = key
        self._secrets = secrets
        self._advance = advance
        self.facts = _facts(source)
        self.series = _series(source)
        self.entries = _entries(source)
        self._chain = Check("Chain")
        self._rows = Check("Rows")
        self._logs = Check("Logs")
        self._results = Check("Results")
        self.checks = [self._chain, self._rows, self._logs, self._results]
        self.played: list[PlayedGame] = []
        self.voids: list[VoidRow] = []
        self._void_rows: list[tuple[int, str]] = []
        self._seen: set[str] = set()
        """The games of earlier rows, damaged or not, without void ones."""
        self.alarms: list[GameAlarm] = []
        self.logs_given = 0
        self._attempts: Counter[str] = Counter()
        self._testified = self._explained = 0

    def run(self) -> None:
        """Make all checks."""
        chain, links = ChainCheck(), 0
        for links, row in enumerate(self.source.rows(), 1):
            what = describe_row(row.kind, row.game, row.attempt)
            if found := chain.take(what, row.number, row.digest, row.link):
                self._chain.find(found)
            for path in row.other:
                self._chain.find(f"row {row.number} ({what}): {path} is not the file of the store.")
            self._take(row)
            self._advance(links, self.source.total)
        self._check_seal(chain, links)
        self._rows.checked = f"{len(self.played)} games, {len(self.voids)} void"
        self._logs.checked = f"{self.logs_given} played again by the rules"
        self._results.checked = f"{self.logs_given} recomputed from their logs"
        if self.logs_given < len(self.played):
            missing = len(self.played) - self.logs_given
            self._logs.find(f"{missing} logs are missing: a report with --no-logs, or deleted.")
        self.checks += self._check_plan()

    # -- rows -----------------------------------------------------------------------------------

    def _take(self, row: AuditedRow) -> None:
        alarms = [GameAlarm(row.game, row.attempt, *alarm) for alarm in row.alarms]
        self.alarms += alarms
        if row.kind != GAME:
            self._take_void(row)
            return
        self._seen.add(row.game)
        if row.result is None:
            name = describe_row(row.kind, row.game, row.attempt)
            self._rows.find(f"row {row.number} ({name}): its result is damaged: {row.problem}.")
        else:
            self._take_game(row, row.result)

    def _take_void(self, row: AuditedRow) -> None:
        self._attempts[row.game] += 1
        self.voids.append(VoidRow(row.game, row.attempt, row.why))
        self._void_rows.append((row.number, row.game))
        if row.attempt != self._attempts[row.game]:
            name = describe_row(row.kind, row.game, row.attempt)
            self._rows.find(
                f"row {row.number} ({name}): expected attempt {self._attempts[row.game]}."
            )
        if row.game in self._seen:
            self._rows.find(f"row {row.number}: game {row.game} is void, but was played before.")

    def _take_game(self, row: AuditedRow, result: GameResult) -> None:
        try:
            check_game(result, self.facts, self.entries)
        except InvalidFields as error:
            self._rows.find(f"row {row.number} (game {result.game}): {error}.")
            return
        found = GameAudit(None, None)
        if row.log is not None:
            self.logs_given += 1
            found = audit_game(result, row.log)
        self._logs.find(*found.log_findings)
        self._results.find(*found.result_findings)
        self._testified += found.testified
        self._explained += found.explained
        voids = self._attempts[result.game]
        self.played.append(PlayedGame(row.number, result, found.header, voids))

    # -- all rows together ----------------------------------------------------------------------

    def _check_seal(self, chain: ChainCheck, rows: int) -> None:
        source, check = self.source, self._chain
        check.checked = f"{rows} rows linked; the head and the facts signed"
        try:
            head = Head.of(source.head)
        except InvalidFields as error:
            check.find(f"{error}.")
            return
        digests = fact_digests(source.facts)
        if not source.whole:  # facts that are not public are not there
            tables = {name.partition(".")[0] for name in source.facts}
            digests |= {
                name: found for name, found in head.facts if name.partition(".")[0] not in tables
            }
        check.find(*chain.end(head, digests))
        if self._key is not None and source.key != self._key:
            check.find(f"the key is {ascii(source.key)[1:-1][:64]}; expected {self._key}.")
        if not is_signed(self._key or source.key, source.signature, source.head.encode()):
            check.find("the head of the chain is not signed by the key of the tournament.")

    def _check_plan(self) -> list[Check]:
        schedule_check = Check("Schedule")
        try:
            seed, series = read_seed(self.source.facts), self._known_series()
            if seed is None:
                schedule_check.skipped = "it depends on the seed, published after the last game."
            elif self.facts["format"] == Format.LADDER.value and self.facts["pairing"] != PAIRING:
                schedule_check.skipped = (
                    "the rounds of this ladder were paired by the ratings of an earlier version, "
                    "which this one does not compute."
                )
            else:
                schedule = schedule_of(self.facts, seed, self.entries)
                schedule_check = check_schedule(
                    schedule, self.entries, self.played, self._void_rows
                )
        except InvalidFields as error:
            schedule_check.find(f"the facts about the tournament: {error}.")
            return [schedule_check]
        return [
            check_headers(self.played, self.facts, self.entries),
            schedule_check,
            check_bags(self.played, seed, series, duplicate=self.facts["duplicate"]),
        ]

    def _known_series(self) -> list[Series]:
        """Return the series, with secrets that are known here though not revealed."""
        return [
            each._replace(secret=self._secrets[each.number].hex())
            if each.secret is None and each.number in self._secrets
            else each
            for each in self.series
        ]

    def commitments(self) -> list[str]:
        """Return the commitments to the bags, one for each series of deals."""
        return [each.commitment for each in self.series]

    def testimony(self) -> list[str]:
        """Return what has to be believed, as sentences."""
        sentences = [
            "Times of answers, processor time and sandboxes are as the referee measured them.",
        ]
        if self._testified:
            sentences.append(
                f"Ejections that the log cannot prove (lateness, lost connections): "
                f"{self._testified}; of these, crashed or never started: {self._explained}."
            )
        if self.voids:
            sentences.append(f"Games that the referee declared void: {len(self.voids)}.")
        if is_public(self.facts):
            sentences.append(
                "That the games of this public report are those of the tournament: it has a chain "
                "of its own, signed by the same key, with aliases for names."
            )
        sentences.append("That the players' programs gave the recorded answers.")
        return sentences


def _facts(source: AuditSource) -> dict[str, Any]:
    try:
        return read_facts(source.facts.get("shown", ""))
    except InvalidFields as error:
        raise AuditError(f"The facts about the tournament are damaged: {error}.") from None


def _series(source: AuditSource) -> tuple[Series, ...]:
    try:
        return read_series(source.facts.get("series"))
    except InvalidFields as error:
        raise AuditError(f"The series of deals are damaged: {error}.") from None


def _entries(source: AuditSource) -> Entries:
    try:
        return Entries.read(source.facts.get("entries"))
    except InvalidFields as error:
        raise AuditError(f"The entries are damaged: {error}.") from None


def _check_figures(folder: ReportFolder, auditor: _Auditor, advance: Advance) -> Check:
    """Check that the page and all tables are those that the rows give, byte by byte."""
    check = Check("Page and tables")
    results = {
        game.result.game: game.result
        for game in auditor.played
        if auditor.entries.counts(game.result.game, [s.player for s in game.result.seats])
    }
    content = ReportContent(
        auditor.facts,
        [*results.values()],
        auditor.voids,
        sorted(auditor.alarms, key=lambda alarm: (alarm.game, alarm.attempt)),
        auditor.series,
        auditor.source.key,
        signed=folder.read(SIGNATURE, 1000) is not None,
        logs=auditor.logs_given > 0,
        material=partial(_material_of, folder, results),
        history=version_history(
            auditor.entries, (game.result for game in auditor.played), auditor.facts["points"]
        ),
        given_up=sorted(
            given_up(
                (void.game for void in auditor.voids),
                (game.result for game in auditor.played),
                auditor.entries,
            )
        ),
    )
    if auditor.checks[1].findings:
        check.skipped = "the rows are damaged."
        return check
    same = dict(folder.manifest.software) == software()
    raw = (LOGS, OUTPUTS, ROWS)
    total = sum(not path.startswith(raw) for path in folder.manifest.files)
    count = 0
    for name, data in report_files(content):
        count += 1
        advance(min(count, total), total)
        found = folder.read(name)
        if found == data:
            continue
        if same or found is None:
            check.find(f"{name} is not what follows from the results{_place(found, data)}.")
        else:
            check.skipped = (
                f"{name} and perhaps others differ, but were written by other software: "
                f"{_versions(folder.manifest.software)}; this is {_versions(software())}."
            )
    check.checked = f"{count} pages and tables, byte by byte"
    return check


def _material_of(
    folder: ReportFolder, results: Mapping[str, GameResult], game: str
) -> GameMaterial:
    outputs = {}
    for number, seat in enumerate(results[game].seats, 1):
        if (output := folder.read(output_path(game, number), MAX_LOG_BYTES)) is not None:
            outputs[seat.player] = output
    return GameMaterial(folder.read(log_path(game), MAX_LOG_BYTES) or b"", outputs)


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
