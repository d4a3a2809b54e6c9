"""One game: its log, played again, and its result, recomputed from its log."""

from pathlib import Path
from typing import NamedTuple

from ...refereeing.log.reader import UnreadableLog, read_bytes
from ...refereeing.log.writer import Header
from ..games.result import GameResult
from ..games.result_so_far import TESTIFIED
from .recompute import differences, recompute


class GameAudit(NamedTuple):
    """What the log of a game gives; ``result`` and ``header`` are ``None`` if it does not hold.

    ``log_findings`` are about the log, ``result_findings`` about the result. ``testified`` are the
    ejections that rest on the referee's testimony, among them the lost connections.
    """

    header: Header | None
    result: GameResult | None
    log_findings: tuple[str, ...] = ()
    result_findings: tuple[str, ...] = ()
    testified: int = 0
    explained: int = 0
    """Lost connections of which the result says that the program crashed or never started."""


def audit_game(claimed: GameResult, log: bytes) -> GameAudit:
    """Play a game again from its log, and compare the result with the claimed one."""
    game = claimed.game
    try:
        record = read_bytes(Path(f"{game}.xml"), log)
    except UnreadableLog as error:
        return GameAudit(None, None, (f"game {game}: its log cannot be read: {error}",))
    found = recompute(claimed, record)
    if found.result is None:
        return GameAudit(record.header, None, (f"game {game}: its log does not hold: {found.why}",))
    return GameAudit(
        record.header,
        found.result,
        (),
        tuple(f"game {game}: {sentence}" for sentence in differences(claimed, found.result)),
        found.testified,
        sum(seat.verdict in TESTIFIED for seat in found.result.seats),
    )
