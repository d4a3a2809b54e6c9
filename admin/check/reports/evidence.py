"""What a result rests on: why the player was ejected, the position, what the player printed."""

from functools import lru_cache
from pathlib import Path

from admin.check.judging import Result
from admin.explaining.explanation import Explanation, explain
from admin.explaining.explanation_text import readable
from admin.log.reader import read_bytes
from game.state import State

LOG = Path("the log of the case")


def explanation_of(result: Result) -> Explanation | None:
    """Return why the player was ejected; ``None`` if it was not, or before the first position."""
    tried = result.tried
    return _explained(tried.log, tried.name) if tried.ejected is not None else None


@lru_cache(maxsize=256)
def _explained(log: bytes, name: str) -> Explanation | None:
    found = explain(read_bytes(LOG, log), name)
    return found[0] if found else None


def position_of(result: Result) -> State:
    """Return the position that a case is about: where the player erred, or where it begins."""
    explanation = explanation_of(result)
    if explanation is not None:
        return explanation.position
    script = result.case.script.named(result.tried.name or result.case.name)
    return script.segments[0].position


def printed(result: Result) -> list[str]:
    """Return the last lines that the player printed, as they can be shown."""
    if result.departure is None:
        return []
    return [readable(line.expandtabs()) for line in result.departure.output.rstrip().splitlines()]
