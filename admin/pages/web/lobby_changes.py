"""What has changed in the lobby, so that spectators are sent that alone.

The lobby is a value that JSON can hold. An update has the fields that are new; of each game that
has changed, its ``id`` and its new fields; and the ids of games that were ``dropped``. Of a
board, it has pairs of a cell and its new digit, if that is shorter than the whole board.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

Fields: TypeAlias = Mapping[str, Any]

MAX_CELLS = 15
"""Cells of a board that are sent one by one: as long as the whole board."""


def changes(before: Fields, now: Fields) -> dict[str, Any]:
    """Return the update that makes one lobby of another; it is empty if nothing has changed."""
    update = {
        key: value for key, value in now.items() if key != "matches" and before.get(key) != value
    }
    known = {game["id"]: game for game in before["matches"]}
    games = [_game_changes(known.pop(game["id"], {}), game) for game in now["matches"]]
    if changed := [game for game in games if len(game) > 1]:
        update["matches"] = changed
    if known:
        update["dropped"] = list(known)
    return update


def _game_changes(before: Fields, now: Fields) -> dict[str, Any]:
    update = {key: now[key] for key in now if key not in before or before[key] != now[key]}
    if before and "board" in update:
        update["board"] = _cells(before["board"], now["board"])
    return {"id": now["id"], **update}


def _cells(before: str, now: str) -> list[int] | str:
    pairs = enumerate(zip(before, now, strict=True))
    found = [(cell, int(new)) for cell, (old, new) in pairs if old != new]
    return [number for pair in found for number in pair] if len(found) <= MAX_CELLS else now


def applied(before: Fields, update: Fields) -> dict[str, Any]:
    """Return the lobby after an update; games that are new come first.

    >>> lobby = {"title": "", "matches": [{"id": "1", "board": "000", "turn": 1}]}
    >>> applied(lobby, {"matches": [{"id": "1", "board": [1, 8]}]})["matches"]
    [{'id': '1', 'board': '080', 'turn': 1}]
    """
    gone, fresh = {*update.get("dropped", ())}, {}
    for game in update.get("matches", ()):
        fresh[game["id"]] = game
    games = []
    for game in before["matches"]:
        changed = fresh.pop(game["id"], {})
        if game["id"] in gone:
            continue
        after = {**game, **changed}
        if isinstance(after["board"], list):
            after["board"] = _put(game["board"], after["board"])
        games.append(after)
    rest = {key: value for key, value in update.items() if key != "dropped"}
    return {**before, **rest, "matches": [*fresh.values(), *games]}


def _put(board: str, pairs: list[int]) -> str:
    cells = list(board)
    for cell, digit in zip(pairs[::2], pairs[1::2], strict=True):
        cells[cell] = str(digit)
    return "".join(cells)


def lobbies(messages: Iterable[Fields]) -> Iterator[dict[str, Any]]:
    """Yield the lobby after each message of its stream; the first message is all of it."""
    lobby: dict[str, Any] = {}
    for message in messages:
        lobby = dict(message) if message.get("whole") else applied(lobby, message)
        yield lobby
