"""Write the results as files: a page, tables, and every game's log.

report.html       the page; it needs no other file, but links to the logs
standings.csv     one row per player
games.csv         one row per game and seat
tournament.json   all tables, all games, all void games
logs/             GAME.xml.gz, which `acquire replay` reads
outputs/          GAME-seatN.txt: the end of what a program printed in a game that it lost
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from admin.tournament.results.csv_tables import games_csv, standings_csv
from admin.tournament.results.report import TournamentFacts, VoidRow, page
from admin.tournament.results.result import GameResult
from admin.tournament.results.store import Store
from admin.tournament.results.summary import Summary
from admin.tournament.results.summary_json import summary_fields

LOGS = "logs"


def write_report(
    store: Store, facts: dict[str, Any], summary: Summary, folder: Path, *, logs: bool
) -> Path:
    """Write all files into a folder, which is created if it is missing; return the page's path.

    ``facts`` is what the store contains about the plan. ``OSError`` if a file cannot be written.
    """
    results = [result for _, result in store.results()]
    voids = [VoidRow(void.game, void.attempt, void.why) for void in store.voids()]
    shown = TournamentFacts(
        **{name: facts[name] for name in FACTS},
        planned=facts["total"],
        played=summary.games,
        players=tuple((name, kind) for name, kind in facts["players"]),
        points=tuple(facts["points"]),
    )
    folder.mkdir(parents=True, exist_ok=True)
    if logs:
        write_logs(folder / LOGS, store.logs())
    for result in results:
        _write_outputs(folder / "outputs", result, store.outputs(result.game))
    text = {
        "name": facts["name"],
        "total": facts["total"],
        **summary_fields(summary),
        "voids": [void._asdict() for void in voids],
        "results": [result.fields() for result in _in_order(results)],
    }
    _write(folder / "tournament.json", json.dumps(text, ensure_ascii=False, indent=1) + "\n")
    _write(folder / "standings.csv", standings_csv(summary))
    _write(folder / "games.csv", games_csv(_in_order(results)))
    path = folder / "report.html"
    _write(path, page(shown, summary, results, voids, LOGS if logs else None))
    return path


FACTS = ("name", "rulebook", "seats", "format", "seatings", "deals", "duplicate", "reply", "turn")


def write_logs(folder: Path, logs: Iterable[tuple[str, bytes]]) -> int:
    """Write compressed logs, named after their games; return how many there were."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for game, log in logs:
        (folder / f"{game}.xml.gz").write_bytes(log)
        count += 1
    return count


def _write_outputs(folder: Path, result: GameResult, outputs: dict[str, bytes]) -> None:
    for number, seat in enumerate(result.seats, 1):
        if outputs.get(seat.player):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{result.game}-seat{number}.txt").write_bytes(outputs[seat.player])


def _in_order(results: Iterable[GameResult]) -> list[GameResult]:
    return sorted(results, key=lambda result: result.game)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="")
