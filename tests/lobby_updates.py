"""The lobby put together again from the updates of its stream, as the page does it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Fields = Mapping[str, Any]


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
