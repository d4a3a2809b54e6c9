"""Write the results as files: pages, tables, and every game's log.

index.html        all results; the pages lead to each other, and need nothing from elsewhere
players/          NAME.html: the games of a player, and what explains the lost ones
games/            GAME.html: a game step by step; viewer.js and viewer.css are shared by all of them
standings.csv     one row per player
games.csv         one row per game and seat
tournament.json   all tables, all games, all void games, all alarms
rows.jsonl        the rows of the store, for `acquire tournament audit`
logs/             GAME.xml.gz, which `acquire replay` reads
outputs/          GAME-seatN.txt: the end of what a program printed, by turn
manifest.json     what all these files have to be, and manifest.sig, its signature
"""

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ...refereeing.view.plain_text import json_text
from ..games.result import GameResult
from ..standings.csv_tables import games_csv, standings_csv
from ..standings.summarize import summarize
from ..standings.summary import Summary, summary_fields
from ..standings.version_history import VersionRow, version_history
from ..store.manifest import (
    MANIFEST,
    PATH,
    SIGNATURE,
    FileEntry,
    Manifest,
    sign_manifest,
    software,
)
from ..store.rows_file import ROWS, public_facts, row_lines
from ..store.series import Series, stored_series
from ..store.store import Store
from ..store.stored import stored_facts, stored_results
from ..store.stored_rows import GameAlarm
from .game_page import game_page, viewer_files
from .game_story import GameStory, replay
from .index_page import (
    TournamentFacts,
    VoidRow,
    in_natural_order,
    page,
)
from .losses import PlayerGames
from .page_files import (
    FOLDERS,
    INDEX,
    game_path,
    log_path,
    output_path,
    player_paths,
)
from .player_page import PlayerFacts, player_page
from .public_edition import is_public

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FACTS = (
    *("name", "rulebook", "seats", "format", "seatings", "deals", "duplicate"),
    *("reply", "turn", "game"),
)


class GameMaterial(NamedTuple):
    """What the page of a game needs beside its result: the compressed log, outputs by player."""

    log: bytes
    outputs: Mapping[str, bytes]


class FolderTakenError(Exception):
    """A folder has other files than a report's; the text is a user-facing message."""


@dataclass(frozen=True, slots=True)
class ReportContent:
    """All that the figures of a report depend on; the games are in any order.

    ``facts`` are those of :mod:`acquire.admin.tournament.store.facts`. ``key`` is the public key,
    by which the report is ``signed`` or not. ``material`` returns that of a game by its id; without
    ``logs`` there are neither logs nor pages of games. ``history`` has all versions of each player,
    ``given_up`` the games that were given up.
    """

    facts: dict[str, Any]
    results: Sequence[GameResult]
    voids: Sequence[VoidRow]
    alarms: Sequence[GameAlarm]
    series: Sequence[Series]
    key: str
    signed: bool
    logs: bool
    material: Callable[[str], GameMaterial]
    history: Mapping[str, Sequence[VersionRow]]
    given_up: Sequence[str]

    def summary(self) -> Summary:
        """Return all tables of the games."""
        names = [name for name, _ in self.facts["players"]]
        by_rating = self.facts["format"] == "ladder"
        return summarize(names, self.results, self.facts["points"], by_rating=by_rating)

    def player_paths(self) -> dict[str, str]:
        """Return where the pages of the players are."""
        return player_paths([name for name, _ in self.facts["players"]])


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
        partial(_material_of, store),
        version_history(
            store.entries(), (result for _, result in store.all_results()), facts["points"]
        ),
        sorted(store.given_up()),
    )


def _material_of(store: Store, game: str) -> GameMaterial:
    log = next((log for _, log in store.logs([game])), b"")
    return GameMaterial(log, store.outputs(game))


def report_files(content: ReportContent) -> Iterator[tuple[str, bytes]]:
    """Yield the pages and tables, by path; the same content gives the same bytes.

    One page at a time is in memory.
    """
    summary, paths = content.summary(), content.player_paths()
    games = {name: PlayerGames() for name in paths}
    if content.logs:
        yield from viewer_files().items()
    for result in in_natural_order(content.results):
        material = content.material(result.game)
        replayed = replay(result.game, material.log) if content.logs else None
        story = GameStory() if replayed is None else replayed.story
        for number, seat in enumerate(result.seats, 1):
            output = material.outputs.get(seat.player, b"")
            games[seat.player].take(result, number, story, output)
        if replayed is not None:
            title = content.facts["name"]
            text = game_page(title, result, replayed, material.outputs, paths)
            yield game_path(result.game), _encoded(text)
    for name, path in paths.items():
        facts = player_facts(content, summary, name, games[name])
        yield path, _encoded(player_page(content.facts["name"], facts))
    for path, text in _tables(content, summary):
        yield path, _encoded(text)


def _encoded(text: str) -> bytes:
    return text.encode(errors="replace")


def player_facts(
    content: ReportContent, summary: Summary, name: str, games: PlayerGames
) -> PlayerFacts:
    """Return what the page of a player shows."""
    return PlayerFacts(
        name,
        dict(content.facts["players"]).get(name, ""),
        next((row for row in summary.rows if row.player == name), None),
        len(summary.rows),
        [duel for duel in summary.crosstable if duel.player == name],
        [alarm for alarm in content.alarms if alarm.player == name],
        games,
        content.player_paths(),
        content.logs,
        history=content.history.get(name, ()),
    )


def index_of(content: ReportContent, summary: Summary, *, live: bool = False) -> str:
    """Return the index, ``live`` while the tournament is being played."""
    facts, results = content.facts, content.results
    shown = TournamentFacts(
        **{name: facts[name] for name in FACTS},
        planned=max(facts["total"], summary.games),
        played=summary.games,
        players=tuple((name, kind) for name, kind in facts["players"]),
        points=tuple(facts["points"]),
        series=tuple(content.series),
        sandboxes=tuple(sandboxes(results).items()),
        key=content.key if content.signed else None,
        left_out=tuple(facts["left_out"]),
        public=is_public(facts),
        live=live,
    )
    return page(
        *(shown, summary, results, content.voids, content.alarms),
        logs=content.logs,
        history=content.history,
        given_up=content.given_up,
    )


def _tables(content: ReportContent, summary: Summary) -> Iterator[tuple[str, str]]:
    facts, results = content.facts, content.results
    in_order = sorted(results, key=lambda result: result.game)
    text = {
        "name": facts["name"],
        "total": facts["total"],
        "left_out": facts["left_out"],
        **summary_fields(summary),
        "duplicate": facts["duplicate"],
        "series": [series.fields() for series in content.series],
        "sandboxes": sandboxes(results),
        "voids": [void._asdict() for void in content.voids],
        "given_up": content.given_up,
        "alarms": [alarm._asdict() for alarm in content.alarms],
        "results": [result.fields() for result in in_order],
    }
    yield "tournament.json", json_text(text, indent=1) + "\n"
    yield "standings.csv", standings_csv(summary)
    yield "games.csv", games_csv(in_order)
    yield INDEX, index_of(content, summary)


def sandboxes(results: Iterable[GameResult]) -> dict[str, int]:
    """Return the kinds of sandbox that programs ran in, each with its number of games."""
    return dict(sorted(Counter(result.sandbox for result in results if result.sandbox).items()))


# -- writing ------------------------------------------------------------------------------------


def write_report(
    store: Store,
    folder: Path,
    key: "Ed25519PrivateKey | None",
    *,
    logs: bool,
    advance: Callable[[int, int], object] = lambda done, total: None,
) -> Path:
    """Write all files into a folder, which is created if it is missing; return the index' path.

    Without ``key`` the report is not signed. ``advance`` is sent how many pages are written, and
    about how many there are. Files of an earlier report are removed. ``FolderTakenError`` if the
    folder has other files, ``OSError`` if one cannot be written.
    """
    content = content_of(store, signed=key is not None, logs=logs)
    writer = _Writer(folder)
    total = len(content.player_paths()) + len(content.results) * logs
    for done, (path, data) in enumerate(report_files(content), 1):
        writer.write(path, [data])
        advance(min(done, total), total)
    for _, result in store.all_results():  # the rows have the digests of archived ones too
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
    return folder / INDEX


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
        for name in FOLDERS:
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
            if not prefix and entry.name in FOLDERS and entry.is_dir(follow_symlinks=False):
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
