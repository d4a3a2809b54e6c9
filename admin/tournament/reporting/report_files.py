"""The files of a report but the pages of games: pages, tables, and what the audit needs.

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

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ...refereeing.view.plain_text import json_text
from ..standings.csv_tables import games_csv, standings_csv
from ..standings.summary import summary_fields
from ..store.published import ROWS, Manifest, public_facts, row_lines, software
from ..store.store import Store
from .game_page import viewer_files
from .index_page import games_page, page
from .minimal_matches import minimal_page
from .page_files import ALL_GAMES, INDEX, log_path, output_path, page_of_log
from .player_page import player_page
from .report_content import ReportContent
from .report_writer import ReportWriter

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def report_files(content: ReportContent) -> Iterator[tuple[str, bytes]]:
    """Yield the pages and tables but those of games, by path; the same content, the same bytes.

    One page at a time is in memory.
    """
    facts, summary = content.facts, content.summary
    if content.logs:
        yield from viewer_files().items()
    for path, log in content.minimal.items():
        yield path, log
        yield page_of_log(path), minimal_page(content, path)
    for name, path in content.player_paths.items():
        yield path, _encoded(player_page(content, summary, name, content.player_games[name]))
    in_order = sorted(content.results, key=lambda result: result.game)
    text = {
        "name": facts.name,
        "total": facts.total,
        "left_out": facts.left_out,
        **summary_fields(summary),
        "duplicate": facts.duplicate,
        "series": [series._asdict() for series in content.series],
        "sandboxes": content.sandboxes(),
        "voids": [void.public_fields() for void in content.voids],
        "given_up": content.given_up,
        "alarms": [alarm._asdict() for alarm in content.alarms],
        "results": [result.fields() for result in in_order],
    }
    yield "tournament.json", _encoded(json_text(text, indent=1) + "\n")
    yield "standings.csv", _encoded(standings_csv(summary))
    yield "games.csv", _encoded(games_csv(in_order))
    yield ALL_GAMES, _encoded(games_page(content, summary))
    yield INDEX, _encoded(page(content, summary))


def _encoded(text: str) -> bytes:
    return text.encode(errors="replace")


def write_report(
    writer: ReportWriter,
    store: Store,
    content: ReportContent,
    key: "Ed25519PrivateKey | None",
    advance: Callable[[int, int], object] = lambda done, total: None,
) -> Path:
    """Write all files that are not written yet, and finish the report; return the index' path.

    ``writer`` has been given the pages of games, if there are any. Without ``key`` the report is
    not signed. ``advance`` is sent how many pages are written, and about how many there are.
    ``OSError`` if a file cannot be written.
    """
    total = len(content.facts.players)
    for done, (path, data) in enumerate(report_files(content), 1):
        writer.write(path, data)
        advance(min(done, total), total)
    for _, result in store.all_results():  # the rows have the digests of archived ones too
        outputs = store.outputs(result.game)
        for number, seat in enumerate(result.seats, 1):
            if outputs.get(seat.player):
                writer.write(output_path(result.game, number), outputs[seat.player])
    if content.logs:
        for game, log in store.logs():
            writer.write(log_path(game), log)
    facts = public_facts(store, complete=len(content.results) >= content.facts.total)
    writer.write(ROWS, row_lines(store, facts))
    head = store.about("head") or ""
    writer.finish(Manifest(software(), content.key, head, writer.entries).data(), key)
    return writer.folder / INDEX


def write_logs(folder: Path, logs: Iterable[tuple[str, bytes]]) -> int:
    """Write compressed logs, named after their games; return how many there were."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for game, log in logs:
        (folder / f"{game}.xml.gz").write_bytes(log)
        count += 1
    return count
