"""The events of a tournament as ``--json`` prints them."""

from typing import Any, assert_never

from ...refereeing.table.server_events import Listening
from ..run.run_events import (
    FolderSent,
    GameFinished,
    GameLogged,
    GameStarted,
    GameVoided,
    LobbyChanged,
    NotAdmitted,
    PlayerAwaited,
    PlayersChanged,
    RunEvent,
    RunStarted,
    SandboxChosen,
    Trouble,
    WorkerJoined,
)


def event_fields(event: RunEvent) -> dict[str, Any] | None:
    """Return the fields of an event; ``None`` if programs are not told of it."""
    match event:
        case RunStarted(progress, _, commitment):
            return {"event": "began", **progress._asdict(), "commitment": commitment or None}
        case PlayersChanged(changes, archived):
            return {"event": "players-changed", **changes._asdict(), "archived": archived}
        case Listening(addresses):
            return {"event": "listening", "addresses": list(addresses)}
        case SandboxChosen(chosen):
            return {"event": "sandbox", "kind": chosen.sandbox.value, "why": chosen.why}
        case WorkerJoined(address, games, sandbox):
            offered = {"address": address, "games": games, "sandbox": sandbox or None}
            return {"event": "worker", **offered}
        case FolderSent(address, digest, size):
            return {"event": "sent", "worker": address, "digest": digest, "bytes": size}
        case NotAdmitted(address, name, why):
            return {"event": "turned-away", "address": address, "name": name or None, "why": why}
        case PlayerAwaited(name, timeout):
            return {"event": "awaited", "name": name, "patience": timeout}
        case GameStarted(game):
            players = list(game.players)
            return {"event": "game-began", "game": game.id, "block": game.block, "players": players}
        case GameFinished(result, progress):
            fields = result.fields()
            del fields["seed"]  # other games may have it too
            return {"event": "game", **fields, **progress._asdict()}
        case GameVoided(void, again):
            return {"event": "void", **void._asdict(), "again": again}
        case Trouble(sentence):
            return {"event": "trouble", "sentence": sentence}
        case LobbyChanged() | GameLogged():
            return None
        case _:
            assert_never(event)
