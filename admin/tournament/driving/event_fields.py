"""The events of a tournament as ``--json`` prints them."""

from typing import Any, assert_never

from ...refereeing.table.server_events import Listening
from ..run import run_events


def event_fields(event: run_events.RunEvent) -> dict[str, Any] | None:
    """Return the fields of an event; ``None`` if programs are not told of it."""
    match event:
        case run_events.RunStarted(progress, _, commitment):
            return {"event": "began", **progress._asdict(), "commitment": commitment or None}
        case run_events.PlayersChanged(changes, archived):
            return {"event": "players-changed", **changes._asdict(), "archived": archived}
        case Listening(addresses):
            return {"event": "listening", "addresses": list(addresses)}
        case run_events.SandboxChosen(chosen):
            return {"event": "sandbox", "kind": chosen.sandbox.value, "why": chosen.why}
        case run_events.WorkerJoined(address, games, sandbox):
            offered = {"address": address, "games": games, "sandbox": sandbox or None}
            return {"event": "worker", **offered}
        case run_events.FolderSent(address, digest, size):
            return {"event": "sent", "worker": address, "digest": digest, "bytes": size}
        case run_events.NotAdmitted(address, name, why):
            return {"event": "turned-away", "address": address, "name": name or None, "why": why}
        case run_events.PlayerAwaited(name, timeout):
            return {"event": "awaited", "name": name, "patience": timeout}
        case run_events.GameStarted(game):
            players = list(game.players)
            return {"event": "game-began", "game": game.id, "block": game.block, "players": players}
        case run_events.GameFinished(result, progress):
            fields = result.fields()
            del fields["seed"]  # other games may have it too
            return {"event": "game", **fields, **progress._asdict()}
        case run_events.GameVoided(void, again):
            return {"event": "void", **void._asdict(), "again": again}
        case run_events.Trouble(sentence):
            return {"event": "trouble", "sentence": sentence}
        case run_events.LobbyChanged() | run_events.GameLogged():
            return None
        case _:
            assert_never(event)
