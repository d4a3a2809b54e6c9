"""The files of a report but the pages of games, and the folder that all are written into.

index.html        all results; the pages lead to each other, and need nothing from elsewhere
games.html        the list of all games
players/          NAME.html: the games of a player, and what explains the lost ones
games/            GAME.html: a game step by step; viewer.js and viewer.css are shared by all of them
standings.csv     one row per player
games.csv         one row per game and seat
tournament.json   all tables, all games, all void games, all alarms
rows.jsonl        the rows of the store, for `acquire tournament audit`
minimal/          GAME-seatN.html: the shortest match with a loss, beside its log
logs/             GAME.xml.gz, which `acquire replay` reads
outputs/          GAME-seatN.txt: the end of what a program printed, by turn
manifest.json     what all these files have to be, and manifest.sig, its signature
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Self

from ....protocol.user_error import UserError
from ...refereeing.view.plain_text import json_text
from ..games.result import log_name
from ..store.row_chain import GAME, SigningKey
from ..store.store import Store
from . import published
from .csv_tables import games_csv, standings_csv
from .game_page import viewer_files
from .minimal_matches import minimal_page
from .report_content import ReportContent
from .result_pages import games_page, page, player_page


def report_files(
    content: ReportContent, minimal: Mapping[str, bytes]
) -> Iterator[tuple[str, bytes]]:
    """Yield the pages and tables but those of games, by path; the same content, the same bytes.

    ``minimal`` has the logs of the shortest matches with each loss, by path. One page at a time is
    in memory.
    """
    facts, summary = content.facts, content.summary
    if content.logs:
        yield from viewer_files().items()
    for path, log in minimal.items():
        yield path, log
        yield published.page_of_log(path), minimal_page(content, path, log)
    for name, path in content.player_paths.items():
        games = content.player_games[name]
        yield path, _encoded(player_page(content, summary, name, games, minimal=minimal))
    in_order = sorted(content.results, key=lambda result: result.game)
    text = {
        "name": facts.name,
        "total": facts.total,
        "left_out": facts.left_out,
        **summary._asdict(),
        "duplicate": facts.duplicate,
        "series": content.series,
        "sandboxes": content.sandboxes(),
        "voids": [
            {"game": void.game, "attempt": void.attempt, "why": void.why} for void in content.voids
        ],
        "given_up": content.given_up,
        "alarms": content.alarms,
        "results": in_order,
    }
    yield "tournament.json", _encoded(json_text(text, indent=1) + "\n")
    yield "standings.csv", _encoded(standings_csv(summary))
    yield "games.csv", _encoded(games_csv(in_order))
    yield published.ALL_GAMES, _encoded(games_page(content, summary))
    yield published.INDEX, _encoded(page(content, summary))


def _encoded(text: str) -> bytes:
    return text.encode(errors="replace")


# -- the folder ---------------------------------------------------------------------------------


class ReportWriter:
    """Writes the files of a report into a folder beside it, which ``finish`` puts in place.

    As a context, it removes what was not finished. Until then an earlier report stays as it is:
    pages are made while logs are verified, and only when all of them hold is it known that there
    will be a report.
    """

    def __init__(self, folder: Path) -> None:
        """``UserError`` if the folder has other files, ``OSError`` if it cannot be made."""
        self.folder = folder
        self.entries: dict[str, published.FileEntry] = {}
        self._earlier = set()
        for path, entry in walk(folder):
            known = published.PATH.fullmatch(path) or path in published.MANIFEST_FILES
            if not known or not entry.is_file(follow_symlinks=False):
                raise UserError(
                    f"{folder} cannot be written: {ascii(path)[1:-1]} in it is not a file of a "
                    "report. Remove it, or give another folder with --to."
                )
            self._earlier.add(path)
        folder.parent.mkdir(parents=True, exist_ok=True)
        # hidden, and on the same disk, so that files need only be renamed
        self._new = TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._new.cleanup()

    def write(self, path: str, data: bytes | Iterable[bytes]) -> None:
        """Write a file, whole or in parts."""
        digest, size = hashlib.sha256(), 0
        file = Path(self._new.name, path)
        file.parent.mkdir(exist_ok=True)
        with file.open("wb") as opened:
            for part in [data] if isinstance(data, bytes) else data:
                opened.write(part)
                digest.update(part)
                size += len(part)
        self.entries[path] = published.FileEntry(digest.hexdigest(), size)

    def finish(self, manifest: bytes, key: "SigningKey | None") -> None:
        """Put all files in place, the manifest last, and remove those of an earlier report."""
        self.folder.mkdir(exist_ok=True)
        # the manifest first: no half of a report looks like a whole
        for path in (*published.MANIFEST_FILES, *(self._earlier - self.entries.keys())):
            (self.folder / path).unlink(missing_ok=True)
        for path in self.entries:
            (self.folder / path).parent.mkdir(exist_ok=True)
            Path(self._new.name, path).replace(self.folder / path)
        for name in published.FOLDERS:
            folder = self.folder / name
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()
        if key is not None:
            (self.folder / published.SIGNATURE).write_bytes(published.sign_manifest(key, manifest))
        (self.folder / published.MANIFEST).write_bytes(manifest)


def walk(folder: Path, prefix: str = "") -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Yield all that is in a report's folder but what others keep there; links are not followed."""
    if not folder.is_dir():
        return
    with os.scandir(folder) as entries:
        for entry in entries:
            is_folder = entry.is_dir(follow_symlinks=False)
            if not entry.is_symlink() and is_folder in published.KEPT.get(entry.name, ()):
                continue
            path = prefix + entry.name
            is_known = not prefix and entry.name in published.FOLDERS
            if is_known and is_folder:
                yield from walk(Path(entry.path), f"{entry.name}/")
            else:
                yield path, entry


def write_report(
    writer: ReportWriter,
    store: Store,
    content: ReportContent,
    key: "SigningKey | None",
    advance: Callable[[int, int], object] = lambda done, total: None,
    minimal: Mapping[str, bytes] = MappingProxyType({}),
) -> Path:
    """Write all files that are not written yet, and finish the report; return the index' path.

    ``writer`` has been given the pages of games, if there are any. Without ``key`` the report is
    not signed. ``advance`` is sent how many pages are written, and about how many there are;
    ``minimal`` is as in :func:`report_files`.
    ``OSError`` if a file cannot be written.
    """
    total = len(content.facts.players)
    for done, (path, data) in enumerate(report_files(content, minimal), 1):
        writer.write(path, data)
        advance(min(done, total), total)
    writer.write(published.ROWS, _rows_written(writer, store, content))
    head = store.about("head") or ""
    what = (published.software(), content.key, head, writer.entries)
    writer.finish(published.Manifest(*what).data(), key)
    return writer.folder / published.INDEX


def _rows_written(writer: ReportWriter, store: Store, content: ReportContent) -> Iterator[bytes]:
    """Yield the lines of all rows, and write the logs and outputs of each, which is read once."""
    complete = len(content.results) >= content.facts.total
    yield published.head_line(store, complete=complete)
    games = {result.game: result for result in content.games}  # also archived ones
    for row, log, outputs, *_ in store.rows():
        result = games[row.game] if row.kind == GAME else None
        yield published.row_line(row, result)
        if result is not None:
            if content.logs and log is not None:
                writer.write(published.log_path(row.game), log)
            for number, seat in enumerate(result.seats, 1):
                if output := outputs.get(seat.player):
                    writer.write(published.output_path(row.game, number), output)


def write_logs(folder: Path, logs: Iterable[tuple[str, bytes]]) -> int:
    """Write compressed logs, named after their games; return how many there were.

    A link with the name of one is replaced, or else a folder of a stranger could have any file
    overwritten.
    """
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for game, log in logs:
        (path := folder / log_name(game)).unlink(missing_ok=True)
        path.write_bytes(log)
        count += 1
    return count
