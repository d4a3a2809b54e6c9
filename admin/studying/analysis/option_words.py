"""Options in words, as short as a line of a list."""

from collections.abc import Sequence

from ....game.disposal import TRADED_FOR_ONE
from ....game.placement import Kind, Placement, kind_of
from ....game.rulebook import Rulebook
from ....game.state import State
from ....game.tiles import tile_name


def placement_words(state: State, placement: Placement) -> str:
    """Return a placement in words; the order of equal acquired hotels is left out."""
    tile, name = tile_name(placement.tile), state.rulebook.hotel_name
    kind = kind_of(state.board, placement.tile)
    if kind is Kind.GROWING:
        return f"{tile}: {name(state.board.touched(placement.tile)[0])} grows"
    if placement.hotel is None:
        return tile
    if kind is Kind.FOUNDING:
        return f"{tile}: found {name(placement.hotel)}"
    return f"{tile}: merge into {name(placement.hotel)}"


def order_words(rulebook: Rulebook, order: Sequence[int]) -> str:
    """Return an order in words."""
    bought = [f"{order.count(hotel)} {rulebook.hotel_name(hotel)}" for hotel in sorted({*order})]
    return f"buy {', '.join(bought)}" if bought else "buy nothing"


def keep_words(rulebook: Rulebook, decisions: Sequence[tuple[int, bool]]) -> str:
    """Return an answer to *keep* in words: for each hotel whether its certificates are kept."""
    return ", ".join(
        f"{'keep' if keeps else 'return'} {rulebook.hotel_name(hotel)}"
        for hotel, keeps in decisions
    )


def disposal_words(owned: int, sell: int, trade: int) -> str:
    """Return a disposal in words."""
    held = owned - sell - trade
    parts = [f"hold {held}"] if held else []
    parts += [f"sell {sell}"] if sell else []
    parts += [f"trade {trade} for {trade // TRADED_FOR_ONE}"] if trade else []
    return ", ".join(parts)


def end_words(*, ends: bool) -> str:
    """Return in words whether the end is declared."""
    return "declare the end" if ends else "play on"
