"""The events of a tournament as programs read them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from acquire.admin.launching.sandbox import Chosen, Sandbox
from acquire.admin.refereeing.table.server_events import Listening
from acquire.admin.refereeing.view.plain_text import JsonPrinter
from acquire.admin.tournament.games.entries import Changes
from acquire.admin.tournament.games.result import FailedGame, GameResult
from acquire.admin.tournament.planning.schedule import Game
from acquire.admin.tournament.run.run_events import (
    FolderSent,
    GameFinished,
    GameLogged,
    GameStarted,
    GameVoided,
    LobbyChanged,
    Notice,
    PlayersChanged,
    Progress,
    RunEvent,
    RunStarted,
    SandboxChosen,
    Trouble,
    event_fields,
)

GAME = Game("d1-t1-s01", "d1-t1", 7, ("ann", "bob"))
RESULT = GameResult("d1-t1-s01", "d1-t1", 7, "large-hotel", 70, None, ())
LINES: list[tuple[RunEvent, dict[str, Any]]] = [
    (
        RunStarted(Progress(2, 6), [RESULT], "ab"),
        {"event": "began", "games": 2, "total": 6, "commitment": "ab"},
    ),
    (Listening(["[::1]:9"]), {"event": "listening", "addresses": ["[::1]:9"]}),
    (
        SandboxChosen(Chosen(Sandbox.NONE, "No bwrap.")),
        {"event": "sandbox", "kind": "none", "why": "No bwrap."},
    ),
    (Notice("preparing", "Connected."), {"event": "preparing", "sentence": "Connected."}),
    (
        Notice("worker", "1 plays 2 games at once.", {"games": 2, "sandbox": None}),
        {"event": "worker", "games": 2, "sandbox": None},
    ),
    (
        FolderSent("tcp://1", "ab", 100),
        {"event": "sent", "worker": "tcp://1", "digest": "ab", "bytes": 100},
    ),
    (
        GameStarted(GAME),
        {"event": "game-began", "game": GAME.id, "block": GAME.block, "players": ["ann", "bob"]},
    ),
    (
        GameVoided(FailedGame(GAME.id, "Late.", attempt=1), again=True),
        {
            "event": "void",
            "game": GAME.id,
            "attempt": 1,
            "why": "Late.",
            "detail": "",
            "again": True,
        },
    ),
    (Trouble("A worker was lost."), {"event": "trouble", "sentence": "A worker was lost."}),
]


@pytest.mark.parametrize(("event", "fields"), LINES, ids=lambda each: type(each).__name__)
def test_event_is_one_line_of_these_fields(
    event: RunEvent, fields: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    JsonPrinter(lambda: None).print(event_fields(event))
    assert capsys.readouterr().out == json.dumps(fields) + "\n"


def test_changes_of_players_are_told_by_kind() -> None:
    fields = event_fields(PlayersChanged(Changes(), 3))
    assert fields == {"event": "players-changed", **Changes()._asdict(), "archived": 3}


def test_seed_of_a_finished_game_is_not_told() -> None:
    """Other games may have the same one."""
    fields = event_fields(GameFinished(RESULT, Progress(3, 6)))
    assert fields is not None and "seed" not in fields
    assert (fields["game"], fields["games"], fields["total"]) == (GAME.id, 3, 6)


@pytest.mark.parametrize("event", [LobbyChanged(["cid"]), GameLogged(GAME, b"<match>")])
def test_what_pages_alone_show_is_not_printed(event: RunEvent) -> None:
    assert event_fields(event) is None
