"""What the rows of a store contain: finished games, void ones, alarms."""

import json
from typing import NamedTuple

from ..games.checked_json import InvalidFields, shown
from ..games.result import Alarm, FinishedGame, GameResult
from .row_chain import GAME, VOID, StoredRow


class VoidGame(NamedTuple):
    """A stored attempt at a game that does not count; ``detail`` may be a traceback."""

    game: str
    attempt: int
    why: str
    detail: str = ""

    def public_fields(self) -> dict[str, str | int]:
        """Return all but the detail, for JSON."""
        return {"game": self.game, "attempt": self.attempt, "why": self.why}


class GameAlarm(NamedTuple):
    """An alarm with the game in which it was raised; ``attempt`` is 0 for one that counts."""

    game: str
    attempt: int
    player: str
    what: str


class VoidAttempt(NamedTuple):
    """A void game with its log and its alarms, to be stored."""

    void: VoidGame
    log: bytes = b""
    alarms: tuple[Alarm, ...] = ()


def read_result(game: object, text: object) -> GameResult:
    """Return the result in a row of a game; ``InvalidFields`` if it is none."""
    if not isinstance(text, str):
        raise InvalidFields(f"{shown(text)} is not text")
    result = GameResult.read(text)
    if result.game != game:
        raise InvalidFields(f"it is of game {shown(result.game)}")
    return result


def result_text(result: GameResult) -> str:
    """Return a result as a row has it; the same result gives the same text."""
    return json.dumps(result.fields(), ensure_ascii=False, separators=(",", ":"))


def game_row(game: FinishedGame) -> StoredRow:
    """Return the row of a finished game; its number is given when it is stored."""
    outputs = tuple(sorted(item for item in game.outputs.items() if item[1]))
    result = game.result
    text = result_text(result)
    return StoredRow(0, GAME, result.game, 0, text, "", "", game.log, outputs, game.alarms)


def void_row(attempt: VoidAttempt) -> StoredRow:
    """Return the row of a void game; its number is given when it is stored."""
    void, log, alarms = attempt
    return StoredRow(
        0, VOID, void.game, void.attempt, "", void.why, void.detail, log, alarms=alarms
    )


def as_bytes(value: object) -> bytes:
    """Return a value of a column of bytes, which a changed file may have as something else."""
    return value if isinstance(value, bytes) else str(value).encode(errors="replace")
