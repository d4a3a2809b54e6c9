"""What all event streams of the pages have in common."""

import json
from collections.abc import Mapping
from typing import Any

STREAM = {"cache-control": "no-store", "x-accel-buffering": "no"}
"""Headers of a stream."""
KEEP_ALIVE = 15.0
"""Seconds after which an idle stream sends a comment, to show that it is alive."""
ALIVE = b": alive\n\n"


def event(number: int, fields: Mapping[str, Any]) -> bytes:
    """Return a numbered message of a stream.

    >>> event(7, {"turn": 1})
    b'id: 7\\ndata: {"turn":1}\\n\\n'
    """
    data = json.dumps(fields, separators=(",", ":"))
    return f"id: {number}\ndata: {data}\n\n".encode()
