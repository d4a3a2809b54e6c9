"""The whole audit of a tournament, from its store or from the folder of its report.

    rows --> chain ------------------------------> head, facts: signed?
      |----> log --> played again --> result ----> the claimed one?
      |----> schedule, bags: does every game belong there, with these players and this bag?
      '----> tables, page: do they follow from the results? (of a report)

What is found is a sentence that names the place and what was expected. Whatever the file or folder
contains, nothing is written, and nothing in it is believed before it was checked.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias, TypeVar

from ..games.checked_json import InvalidFields, read_checked
from ..games.entries import Entries
from ..games.result import FailedGame, GameAlarm, GameResult, read_result
from ..planning.facts import MAX_RATED, Format, read_facts
from ..planning.game_seeds import GameSeed, read_series
from ..reporting.game_page import GamePages, OnPage
from ..reporting.published import MINIMAL, SIGNATURE, software
from ..reporting.report_content import Outputs, ReportContent
from ..reporting.report_files import report_files
from ..run.executors import called_in_order
from ..store.row_chain import GAME, ChainCheck, Head, LinkedRow, StoredRow, fact_digests, public_key
from ..store.secret_file import TournamentSecret
from ..store.store import Store
from .findings import Audit, AuditError, Check, Source
from .game_checks import (
    SEED,
    GameAudit,
    PlayedGame,
    audit_game,
    check_bags,
    check_schedule,
    header_differences,
    schedule_of,
)
from .report_folder import MAX_LOG_BYTES, ReportFolder

T = TypeVar("T")
WITHOUT_LOGS = "No result was recomputed, for there are no logs. Ask for a report that has them."
OF_OTHER_SOFTWARE = (
    "The pages and tables differ from those of this software, so they prove nothing. Audit the "
    "report with the software that it names."
)
_Claimed: TypeAlias = tuple[StoredRow, GameResult | str]
"""A row with the result in it; instead of one there may be what is wrong with it."""
Advance: TypeAlias = Callable[[int, int], None]
"""Is sent how many rows are done, and how many there are; then the same of pages."""


def audit_store(
    store: Store,
    secret: TournamentSecret | None = None,
    advance: Advance = lambda done, total: None,
    workers: int = 1,
    *,
    key: str | None = None,
    on_page: OnPage | None = None,
    logs: bool = False,
) -> tuple[Audit, ReportContent]:
    """Audit a store, as it is now; return the content of a report of it, too.

    That is valid if everything holds. ``key`` is the public key that has to have signed, by default
    that of the ``secret``, which also knows the bags that were not revealed yet. Logs are verified
    in at most so many processes; meanwhile the pages of games are made, and given to ``on_page``.
    ``AuditError`` or ``StoreError`` if that fails.
    """
    if secret is not None:
        key = key or public_key(secret.signing_key())
    with store.snapshot():
        facts, seal, total = store.facts(), store.seal(), store.count_rows()
        auditor = _Auditor(Source(facts, seal, total, store.rows(), True), key, secret, advance)
        auditor.run(workers, on_page)
    logs &= auditor.logs_given > 0  # no page of a report tells what was asked for where none is
    content = auditor.content(store.outputs, signed=secret is not None, logs=logs)
    return auditor.audit(str(store.path)), content


def audit_report(
    folder: ReportFolder,
    key: str | None = None,
    advance: Advance = lambda done, total: None,
    workers: int = 1,
) -> Audit:
    """Audit the folder of a report; ``AuditError`` if that is not possible."""
    seal = [folder.check_signature(key), folder.check_files()]
    source = folder.source()
    auditor, figures = _Auditor(source, key, None, advance), Check("Page and tables")
    same_software, count = dict(folder.manifest.software) == software(), 0

    def compare(name: str, data: bytes) -> None:
        nonlocal count
        count += 1
        figures.checked = f"{count} pages and tables, byte by byte"
        found = folder.read(name)
        if found == data:
            return
        if same_software or found is None:
            figures.find(f"{name} is not what follows from the results{_differing(found, data)}.")
        else:
            versions = (
                ", ".join(f"{ascii(each)[1:-1]} {ascii(value)[1:-1]}" for each, value in of.items())
                for of in (folder.manifest.software, software())
            )
            figures.skipped = (
                f"{name} and perhaps others differ, but were written by other software: "
                "{}; this is {}.".format(*versions)
            )

    auditor.run(workers, compare)
    if source.seal[:2] != (folder.manifest.key, folder.manifest.head):
        seal[0].find("rows.jsonl has another key, or another head of the chain.")
    if auditor.rows.findings:
        figures = Check(figures.name, skipped="the rows are damaged.")
    else:
        players = {game.result.game: game.result.players for game in auditor.played}
        content = auditor.content(
            lambda game: folder.outputs(game, players[game]),
            signed=folder.read(SIGNATURE, 1000) is not None,
            logs=auditor.logs_given > 0,
        )
        # that programs lost in so few turns is testimony, but the pages follow from the logs
        minimal = [path for path in folder.manifest.files if path.startswith(MINIMAL)]
        logs = {path: folder.read(path, MAX_LOG_BYTES) for path in minimal if path.endswith("gz")}
        for name, data in report_files(content, {path: log or b"" for path, log in logs.items()}):
            compare(name, data)
            advance(source.total, source.total)
    return auditor.audit(str(folder.path), before=seal, after=[figures])


def _differing(found: bytes | None, expected: bytes) -> str:
    """Return where two texts begin to differ, for a sentence."""
    if found is None:
        return ": it is missing, a link, or too large"
    pairs = zip(found.splitlines(), expected.splitlines(), strict=False)
    for number, (one, other) in enumerate(pairs, 1):
        if one != other:
            length = min(len(one), len(other))
            differing = (at for at in range(length) if one[at] != other[at])
            at = max(0, next(differing, length) - 30)
            texts = (ascii(text[at : at + 60].decode(errors="replace")) for text in (one, other))
            return ", line {}: {}; expected {}".format(number, *texts)
    return ": one is longer than the other"


class _Auditor:
    """One audit of the rows of a source; ``run`` may be called once."""

    def __init__(
        self, source: Source, key: str | None, secret: TournamentSecret | None, advance: Advance
    ) -> None:
        self.source, self._key, self._secret, self._advance = source, key, secret, advance
        facts = source.facts
        self.facts = _read("facts about the tournament", lambda: read_facts(facts.get("shown", "")))
        self.series = _read("series of deals", lambda: read_series(facts.get("series")))
        self.entries = _read("entries", lambda: Entries.read(facts.get("entries")))
        self._chain, self.rows, self._logs = Check("Chain"), Check("Rows"), Check("Logs")
        self._results, self._headers = Check("Results"), Check("Settings in the logs")
        self.played: list[PlayedGame] = []
        self.voids: list[LinkedRow] = []
        self._seen: set[str] = set()  # games of earlier rows, damaged or not, but not void
        self.alarms: list[GameAlarm] = []
        self._attempts: Counter[str] = Counter()
        self.logs_given = self._testified = self._explained = self._with_header = 0
        self._pages: GamePages | None = None

    def run(self, workers: int, on_page: OnPage | None = None) -> None:
        """Make all checks; ``on_page`` is given the page of each game that counts."""
        if on_page is not None:
            self._pages = GamePages(self.facts, on_page)
        chain, links = ChainCheck(), 0
        rows = called_in_order(self._calls(), self.source.total, workers)
        for links, ((audited, claimed), game) in enumerate(rows, 1):
            row = audited.row
            if found := chain.take(row):
                self._chain.find(found)
            for path in audited.other:
                self._chain.find(f"{row.place}: {path} is not the file of the store.")
            self.alarms += [GameAlarm(row.game, row.attempt, *alarm) for alarm in row.alarms]
            if row.kind == GAME:
                self._take_game(row, claimed, game)
            else:
                self._take_void(row)
            self._advance(links, self.source.total)
        self._check_seal(chain, links)
        self.rows.checked = f"{len(self.played)} games, {len(self.voids)} void"
        self._logs.checked = f"{self.logs_given} played again by the rules"
        self._results.checked = f"{self.logs_given} recomputed from their logs"
        self._headers.checked = f"{self._with_header} logs: rulebook, players and their kinds"
        if not self.recomputed:
            for check in (self._logs, self._results, self._headers):
                check.skipped = "there are no logs: a report with --no-logs."
        elif self.logs_given < len(self.played):
            missing = len(self.played) - self.logs_given
            self._logs.find(f"{missing} logs are missing, although there are others.")

    @property
    def recomputed(self) -> bool:
        """Whether results were computed from logs. A report has the logs of all games, or none."""
        return self.logs_given > 0 or not self.played

    def audit(self, what: str, before: Sequence[Check] = (), after: Sequence[Check] = ()) -> Audit:
        """Return the outcome, with checks that come before and after those of the rows."""
        own = (self._chain, self.rows, self._logs, self._results, self._headers)
        commitments = [each.commitment for each in self.series]
        pinned, checks = self._key is not None, [*before, *own, *self._check_plan(), *after]
        key, said = self.source.seal.key, self._testimony()
        left = OF_OTHER_SOFTWARE if any(check.skipped for check in after) else ""
        left = left if self.recomputed else WITHOUT_LOGS
        return Audit(what, key, pinned, commitments, checks, said, left)

    def content(self, outputs: Outputs, *, signed: bool, logs: bool) -> ReportContent:
        """Return the content of the report of these rows."""
        return ReportContent(
            self.facts,
            self.entries,
            [game.result for game in self.played],
            [FailedGame(row.game, row.why, attempt=row.attempt) for row in self.voids],
            sorted(self.alarms, key=lambda alarm: (alarm.game, alarm.attempt)),
            self.series,
            self.source.seal.key,
            signed,
            logs,
            outputs,
            self._pages.stories if self._pages else {},
        )

    # -- rows -----------------------------------------------------------------------------------

    def _calls(self) -> Iterator[tuple[_Claimed, Callable[[], GameAudit] | None]]:
        """Yield all rows with what they claim, each with the call that verifies its log, if any."""
        for each in self.source.rows:
            row, log, outputs, *_ = each
            result = self._claimed(row) if row.kind == GAME else ""
            if log is None or isinstance(result, str):
                yield (each, result), None
                continue
            counts = self.entries.counts(result.game, result.players)
            make = self._pages.maker(result, outputs) if self._pages and counts else None
            yield (each, result), partial(audit_game, result, log, make)

    def _claimed(self, row: LinkedRow) -> GameResult | str:
        try:
            result = read_result(row.game, row.result)
        except InvalidFields as error:
            return f"its result is damaged: {error}"
        try:
            self.facts.verify_game(result, self.entries)
        except InvalidFields as error:
            return str(error)
        return result

    def _take_void(self, row: LinkedRow) -> None:
        self._attempts[row.game] += 1
        self.voids.append(row)
        if row.attempt != self._attempts[row.game]:
            self.rows.find(f"{row.place}: expected attempt {self._attempts[row.game]}.")
        if row.game in self._seen:
            self.rows.find(f"row {row.number}: game {row.game} is void, but was played before.")

    def _take_game(self, row: LinkedRow, result: GameResult | str, game: GameAudit | None) -> None:
        found, seed = game or GameAudit(), None
        self._seen.add(row.game)
        if isinstance(result, str):
            self.rows.find(f"{row.place}: {result}.")
            return
        self.logs_given += game is not None
        if found.made is not None and self._pages is not None:
            self._pages.take(result.game, found.made)
        self._logs.find(*found.log_findings)
        self._results.find(*found.result_findings)
        self._testified += found.testified
        self._explained += found.explained
        if (header := found.header) is not None:
            self._with_header += 1
            self._headers.find(*header_differences(header, result, self.facts, self.entries))
            seed = GameSeed(header.seed, header.commitment)
        self.played.append(PlayedGame(row.number, result, seed, self._attempts[result.game]))

    # -- all rows together ----------------------------------------------------------------------

    def _check_seal(self, chain: ChainCheck, rows: int) -> None:
        source, check = self.source, self._chain
        check.checked = f"{rows} rows linked; the head and the facts signed"
        try:
            head = Head.of(source.seal.head)
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
        check.find(*source.seal.contradictions(self._key))

    def _check_plan(self) -> list[Check]:
        schedule_check = Check("Schedule")
        try:
            known = self.source.facts.get("seed")
            seed = None if known is None else read_checked(SEED, known)
            series = [  # with secrets that are known here though not revealed
                each._replace(secret=self._secret.deals(each.number).hex())
                if each.secret is None and self._secret is not None
                else each
                for each in self.series
            ]
            counting = sum(
                self.entries.counts(each.result.game, each.result.players) for each in self.played
            )
            if seed is None and counting >= self.facts.total:
                schedule_check.find(f"the seed is missing, although {counting} games were played.")
            elif seed is None:
                schedule_check.skipped = "it depends on the seed, published after the last game."
            elif self.facts.format is Format.LADDER and len(self.entries.all) > MAX_RATED:
                schedule_check.skipped = f"a ladder of more than {MAX_RATED:,} versions of players."
            else:
                done = partial(self._advance, self.source.total, self.source.total)
                due, rows = schedule_of(self.facts, seed, self.entries), (self.played, self.voids)
                schedule_check = check_schedule(due, self.entries, *rows, done)
        except InvalidFields as error:
            schedule_check.find(f"the facts about the tournament: {error}.")
            return [schedule_check]
        hidden = {each.commitment for each in self.series if each.secret is None}
        duplicate = self.facts.duplicate
        return [
            schedule_check,
            check_bags(self.played, seed, series, duplicate=duplicate, hidden=hidden),
        ]

    def _testimony(self) -> list[str]:
        sentences = [
            "Times of answers, processor time and sandboxes are as the referee measured them."
        ]
        if self._testified:
            sentences.append(
                f"Ejections that the log cannot prove (lateness, lost connections): "
                f"{self._testified}; of these, crashed or never started: {self._explained}."
            )
        if self.voids:
            sentences.append(f"Games that the referee declared void: {len(self.voids)}.")
        if self.facts.public:
            sentences.append(
                "That the games of this public report are those of the tournament: it has a chain "
                "of its own, signed by the same key, with aliases for names."
            )
        sentences.append(
            "That the players' programs gave the recorded answers."
            if self.recomputed
            else "All results: there is no log from which to recompute one."
        )
        return sentences


def _read(what: str, read: Callable[[], T]) -> T:
    """Read a part of what is audited; ``AuditError`` names it if it is damaged."""
    try:
        return read()
    except InvalidFields as error:
        raise AuditError(f"The {what} are damaged: {error}.") from None
