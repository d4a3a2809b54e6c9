"""An explanation as plain values, for a program: what ``acquire explain --json`` writes."""

import base64
from typing import Any

from ....game.state import State
from ....game.tiles import Mask, tile_name, tiles_in
from ....protocol.writing import Writer
from .alternatives import Alternative
from .explanation import Explanation


def as_json(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation as values that JSON has.

    Tiles are written like ``12I``, money is in dollars. ``received`` is text, ``null`` where the
    bytes are not UTF-8; ``received_base64`` has them all.
    """
    writer = Writer(explanation.rulebook)
    return {
        "name": explanation.name,
        "turn": explanation.turn,
        "question": explanation.question,
        "reason": explanation.reason.value,
        "rule": explanation.violation.value if explanation.violation else None,
        "sentence": explanation.rule,
        "detail": explanation.detail,
        "sources": [source._asdict() for source in explanation.sources],
        "rulebook": explanation.rulebook.id,
        "position": position_fields(explanation.position),
        "tried": None if explanation.tried is None else tile_name(explanation.tried),
        "received": _text(explanation.received),
        "received_base64": base64.b64encode(explanation.received).decode(),
        "byte_for_byte": explanation.exact,
        "expected": explanation.expected,
        "legal": {
            "heading": explanation.legal.heading,
            "alternatives": [_fields(writer, each) for each in explanation.legal.alternatives],
            "limits": explanation.legal.limits,
        },
        "suggestion": explanation.send.decode(),
        "keeps_score": explanation.keeps_score,
        "hint": explanation.hint,
    }


def position_fields(state: State) -> dict[str, Any]:
    """Return a position as values that JSON has; without the bag, which no player knows."""
    return {
        "unincorporated": _tiles(state.board.loose),
        "hotels": {
            state.rulebook.hotel_name(hotel): _tiles(mask)
            for hotel, mask in enumerate(state.board.hotels)
            if mask
        },
        "set_aside": _tiles(state.aside),
        "bank": _by_name(state, state.bank),
        "players": [
            {
                "name": player.name,
                "cash": player.cash,
                "certificates": _by_name(state, player.shares),
                "tiles": _tiles(player.hand),
            }
            for player in state.players
        ],
    }


def _by_name(state: State, counts: tuple[int, ...]) -> dict[str, int]:
    return {state.rulebook.hotel_name(hotel): n for hotel, n in enumerate(counts) if n}


def _tiles(mask: Mask) -> list[str]:
    return list(map(tile_name, tiles_in(mask)))


def _fields(writer: Writer, alternative: Alternative) -> dict[str, Any]:
    return {
        "of": alternative.of,
        "words": alternative.words,
        "messages": [writer.text(message) for message in alternative.messages],
    }


def _text(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None
