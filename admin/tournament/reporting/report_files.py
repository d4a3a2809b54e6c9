"""Write the results as files: a page, tables, and every game's log.

report.html       the page; it needs no other file, but links to the logs
standings.csv     one row per player
games.csv         one row per game and seat
tournament.json   all tables, all games, all void games, all alarms
rows.jsonl        the rows of the store, for `acquire tournament audit`
logs/             GAME.xml.gz, which `acquire replay` reads
outputs/          GAME-seatN.txt: the end of what a program printed in a game that it lost
manifest.json     what all these files have to be, and manifest.sig, its signature
"""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from admin.tournament.reporting.index_page import TournamentFacts, VoidRow, page
from admin.tournament.results.csv_tables import games_csv, standings_csv
from admin.tournament.results.manifest import (
    MANIFEST,
    PATH,
    SIGNATURE,
    FileEntry,
    Manifest,
    sign_manifest,
    software,
)
from admin.tournament.results.result import GameResult
from admin.tournament.results.rows_file import ROWS, public_facts, row_lines
from admin.tournament.results.series import Series, stored_series
from admin.tournament.results.store import GameAlarm, Store
from admin.tournament.results.stored import stored_facts, stored_results
from admin.tournament.results.summarize import summarize
from admin.tournament.results.summary import Summary
from admin.tournament.results.summary_json import summary_fields

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

LOGS, OUTPUTS = "logs", "outputs"
FACTS = ("name", "rulebook", "seats", "format", "seatings", "deals", "duplicate", "reply", "turn")


class FolderTakenError(Exception):
    """A folder has other files than a report's; the text is a user-facing message."""


@dataclass(frozen=True, slots=True)
class ReportContent:
    """All that the figures of a report depend on; the games are in any order.

    ``facts`` are those of :mod:`admin.tournament.results.facts`. ``key`` is the public key, by
    which the report is ``signed`` or not.
    """

    facts: dict[str, Any]
    results: Sequence[GameResult]
    voids: Sequence[VoidRow]
    alarms: Sequence[GameAlarm]
    series: Sequence[Series]
    key: str
    signed: bool
    logs: bool

    def summary(self) -> Summary:
        """Return all tables of the games."""
        names = [name for name, _ in self.facts["players"]]
        by_rating = self.facts["format"] == "ladder"
        return summarize(names, self.results, self.facts["points"], by_rating=by_rating)


def content_of(store: Store, *, signed: bool, logs: bool) -> ReportContent:
    """Return the content of the report of a store; ``StoreError``."""
    facts = stored_facts(store)
    return ReportContent(
        facts,
        stored_results(store, facts),
        [VoidRow(void.game, void.attempt, void.why) for void in store.voids()],
        store.alarms(),
        stored_series(store),
        store.about("key") or "",
        signed,
        logs,
    )


def figures(content: ReportContent, summary: Summary) -> dict[str, bytes]:
    """Return the page and the tables, by file name; the same content gives the same bytes."""
    facts, results = content.facts, content.results
    in_order = sorted(results, key=lambda result: result.game)
    shown = TournamentFacts(
        **{name: facts[name] for name in FACTS},
        planned=facts["total"],
        played=summary.games,
        players=tuple((name, kind) for name, kind in facts["players"]),
        points=tuple(facts["points"]),
        series=tuple(content.series),
        sandboxes=tuple(sandboxes(results).items()),
        key=content.key if content.signed else None,
    )
    text = {
        "name": facts["name"],
        "total": facts["total"],
        **summary_fields(summary),
        "duplicate": facts["duplicate"],
        "series": [series.fields() for series in content.series],
        "sandboxes": sandboxes(results),
        "voids": [void._asdict() for void in content.voids],
        "alarms": [alarm._asdict() for alarm in content.alarms],
        "results": [result.fields() for result in in_order],
    }
    found = {
        "tournament.json": json.dumps(text, ensure_ascii=False, indent=1) + "\n",
        "standings.csv": standings_csv(summary),
        "games.csv": games_csv(in_order),
        "report.html": page(
            shown,
            summary,
            results,
            content.voids,
            LOGS if content.logs else None,
            content.alarms,
        ),
    }
    return {name: text.encode(errors="replace") for name, text in found.items()}


def sandboxes(results: Iterable[GameResult]) -> dict[str, int]:
    """Return the kinds of sandbox that programs ran in, each with its number of games."""
    return dict(sorted(Counter(result.sandbox for result in results if result.sandbox).items()))


def output_path(game: str, seat: int) -> str:
    """Return where the output of a program is; seats are counted from 1."""
    return f"{OUTPUTS}/{game}-seat{seat}.txt"


def log_path(game: str) -> str:
    """Return where the log of a game is."""
    return f"{LOGS}/{game}.xml.gz"


# -- writing ------------------------------------------------------------------------------------


def write_report(
    store: Store, folder: Path, key: "Ed25519PrivateKey | None", *, logs: bool
) -> Path:
    """Write all files into a folder, which is created if it is missing; return the page's path.

    Without ``key`` the report is not signed. Files of an earlier report are removed.
    ``FolderTakenError`` if the folder has other files, ``OSError`` if one cannot be written.
    """
    content = content_of(store, signed=key is not None, logs=logs)
    writer = _Writer(folder)
    for path, data in figures(content, content.summary()).items():
        writer.write(path, [data])
    for result in content.results:
        outputs = store.outputs(result.game)
        for number, seat in enumerate(result.seats, 1):
            if outputs.get(seat.player):
                writer.write(output_path(result.game, number), [outputs[seat.player]])
    if logs:
        for game, log in store.logs():
            writer.write(log_path(game), [log])
    facts = public_facts(store, complete=len(content.results) >= content.facts["total"])
    writer.write(ROWS, row_lines(store, facts))
    manifest = Manifest(software(), content.key, store.about("head") or "", writer.entries).data()
    writer.finish(manifest, key)
    return folder / "report.html"


class _Writer:
    """Writes the files of a report, the manifest last; those of an earlier report are removed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.entries: dict[str, FileEntry] = {}
        earlier = files_of_report(folder)
        folder.mkdir(parents=True, exist_ok=True)
        for path in (MANIFEST, SIGNATURE):  # first, so that no half of a report looks like a whole
            (folder / path).unlink(missing_ok=True)
        self._earlier = earlier

    def write(self, path: str, parts: Iterable[bytes]) -> None:
        """Write a file in parts."""
        digest, size = hashlib.sha256(), 0
        file = self._folder / path
        file.parent.mkdir(exist_ok=True)
        with file.open("wb") as opened:
            for part in parts:
                opened.write(part)
                digest.update(part)
                size += len(part)
        self.entries[path] = FileEntry(digest.hexdigest(), size)

    def finish(self, manifest: bytes, key: "Ed25519PrivateKey | None") -> None:
        """Remove what the report does not have, and write the manifest."""
        for path in self._earlier - self.entries.keys():
            (self._folder / path).unlink(missing_ok=True)
        for name in (LOGS, OUTPUTS):
            folder = self._folder / name
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()
        if key is not None:
            (self._folder / SIGNATURE).write_bytes(sign_manifest(key, manifest))
        (self._folder / MANIFEST).write_bytes(manifest)


def files_of_report(folder: Path) -> set[str]:
    """Return the files of an earlier report in a folder; ``FolderTakenError`` if it has others."""
    found = set()
    for path, entry in walk(folder):
        if not entry.is_file(follow_symlinks=False) or not (
            PATH.fullmatch(path) or path in (MANIFEST, SIGNATURE)
        ):
            raise FolderTakenError(
                f"{folder} cannot be written: {ascii(path)[1:-1]} in it is not a file of a report. "
                "Remove it, or give another folder with --to."
            )
        found.add(path)
    return found


def walk(folder: Path, prefix: str = "") -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Yield all that is in a report's folder but hidden files, without following links."""
    if not folder.is_dir():
        return
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith("."):
                continue
            path = prefix + entry.name
            if not prefix and entry.name in (LOGS, OUTPUTS) and entry.is_dir(follow_symlinks=False):
                yield from walk(Path(entry.path), f"{entry.name}/")
            else:
                yield path, entry


def write_logs(folder: Path, logs: Iterable[tuple[str, bytes]]) -> int:
    """Write compressed logs, named after their games; return how many there were."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for game, log in logs:
        (folder / f"{game}.xml.gz").write_bytes(log)
        count += 1
    return count
