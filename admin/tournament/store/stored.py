"""What a store has, checked: the facts about its tournament, and the games that count."""

from typing import Any

from ..games.plain_fields import InvalidFields
from ..games.result import GameResult
from .facts import check_game, read_facts
from .store import Store
from .store_format import StoreError


def stored_facts(store: Store) -> dict[str, Any]:
    """Return what a store says about its tournament; ``StoreError``."""
    shown = store.about("shown")
    if shown is None:
        raise StoreError(f"{store.path}: no game has been played yet.")
    try:
        return read_facts(shown)
    except InvalidFields as error:
        raise StoreError(
            f"{store.path}: the facts about the tournament are damaged: {error}. Restore the file "
            "from a copy."
        ) from None


def stored_results(store: Store, facts: dict[str, Any]) -> list[GameResult]:
    """Return the games of a store that count; ``StoreError`` names one that cannot be."""
    results = []
    for number, result in store.results():
        try:
            check_game(result, facts)
        except InvalidFields as error:
            raise StoreError(
                f"{store.path}: the result of game {result.game} (row {number}) is damaged: "
                f"{error}. Restore the file from a copy."
            ) from None
        results.append(result)
    return results
