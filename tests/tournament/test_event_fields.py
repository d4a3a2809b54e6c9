"""The events of a tournament as programs read them."""

import json
from typing import Any

import pytest
from loops import for_each

from acquire.admin.launching.sandbox import Chosen, Sandbox
from acquire.admin.refereeing.table.server_events import Listening
from acquire.admin.refereeing.view.plain_text import JsonPrinter
from acquire.admin.tournament.games.entries import Changes
from acquire.admin.tournament.games.result import FailedGame, GameResult
from acquire.admin.tournament.planning.schedule import Game
from acquire.admin.tournament.run import run_events
from acquire.admin.tournament.run.run_events import Notice, Progress, RunEvent, event_fields

GAME = Game("d1-t1-s01", "d1-t1", 7, ("ann", "bob"))
RESULT = GameResult("d1-t1-s01", "d1-t1", 7, "large-hotel", 70, None, ())
VOID = FailedGame(GAME.id, "Late.", attempt=1)
LINES: list[tuple[RunEvent, dict[str, Any] | None]] = [
    (
        run_events.RunStarted(Progress(2, 6), [RESULT], "ab"),
        {"event": "began", "games": 2, "total": 6, "commitment": "ab"},
    ),
    (
        run_events.PlayersChanged(Changes(("ann",)), 3),
        {"event": "players-changed", **Changes(("ann",))._asdict(), "archived": 3},
    ),
    (Listening(["[::1]:9"]), {"event": "listening", "addresses": ["[::1]:9"]}),
    (Chosen(Sandbox.NONE, "No bwrap."), {"event": "sandbox", "kind": "none", "why": "No bwrap."}),
    (Notice("preparing", "Connected."), {"event": "preparing", "sentence": "Connected."}),
    (
        Notice("worker", "1 plays 2 games at once.", {"games": 2, "sandbox": None}),
        {"event": "worker", "games": 2, "sandbox": None},
    ),
    (
        run_events.FolderSent("tcp://1", "ab", 100),
        {"event": "sent", "worker": "tcp://1", "digest": "ab", "bytes": 100},
    ),
    (
        run_events.GameStarted(GAME),
        {"event": "game-began", "game": GAME.id, "block": GAME.block, "players": ["ann", "bob"]},
    ),
    (
        run_events.GameVoided(VOID, again=True),
        {"event": "void", "game": GAME.id, "attempt": 1, "why": "Late.", "detail": ""}
        | {"again": True},
    ),
    (run_events.Trouble("It is lost."), {"event": "trouble", "sentence": "It is lost."}),
    # what pages alone show
    (run_events.LobbyChanged(["cid"]), None),
    (run_events.GameLogged(GAME, b"<match>"), None),
]


@for_each(("event", "fields"), LINES)
def test_event_is_one_line_of_these_fields(
    event: RunEvent, fields: dict[str, Any] | None, capsys: pytest.CaptureFixture[str]
) -> None:
    JsonPrinter(lambda: None).print(event_fields(event))
    assert capsys.readouterr().out == ("" if fields is None else json.dumps(fields) + "\n")


def test_seed_of_a_finished_game_is_not_told() -> None:
    """Other games may have the same one."""
    fields = event_fields(run_events.GameFinished(RESULT, Progress(3, 6)))
    assert fields is not None and "seed" not in fields
    assert (fields["game"], fields["games"], fields["total"]) == (GAME.id, 3, 6)
