"""The result of a game, recomputed from its log.

The game is played again, so the result follows from the rules, the bag and the recorded answers.
Five things are the referee's testimony, taken over from the claimed result where the log allows it:
that a program crashed or never signed up (the log has a lost connection), the sentence about that,
processor time, the sandbox, and the version of a program.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ....game.turn import Ending
from ...refereeing.log.reader import UnreadableLog, read_bytes
from ...refereeing.log.recorder import Header
from ...refereeing.log.verifier import Verifier
from ...refereeing.play import events
from ...refereeing.play.events import Event
from ..games.result import GameResult, SeatResult
from ..games.result_so_far import TESTIFIED, ResultSoFar, Testimony
from ..reporting.game_page import MadePage, PageOrder
from ..reporting.game_story import GameTeller

UNFINISHED = (None, Ending.INTERRUPTED, Ending.NO_MORE_TURNS)
"""How logs end that are not of a whole game."""


def differences(claimed: GameResult, recomputed: GameResult) -> Iterator[str]:
    """Yield what differs between the claimed result of a game and the one that its log gives."""
    for field in ("seed", "ending", "turns", "out_of_step"):
        stated, found = getattr(claimed, field), getattr(recomputed, field)
        if stated != found:
            yield _sentence(field.replace("_", " "), stated, found)
    names = [result.players for result in (claimed, recomputed)]
    if names[0] != names[1]:
        yield _sentence("seat order", *(", ".join(order) for order in names))
        return
    for stated_seat, found_seat in zip(claimed.seats, recomputed.seats, strict=True):
        for field in SeatResult._fields:
            stated, found = getattr(stated_seat, field), getattr(found_seat, field)
            if stated != found:
                yield _sentence(f"{field} of {stated_seat.player}", stated, found)


def _sentence(what: str, stated: object, found: object) -> str:
    stated, found = (getattr(value, "value", value) for value in (stated, found))
    return f"the result has {what} {stated!r}; its log gives {found!r}."


class GameAudit(NamedTuple):
    """What the log of a game gives; ``header`` is its first line, ``None`` if it cannot be read.

    ``log_findings`` are about the log, ``result_findings`` about the result. ``testified`` are the
    ejections that rest on the referee's testimony, among them the lost connections. ``made`` is the
    page of the game, if one is wanted.
    """

    header: Header | None = None
    log_findings: tuple[str, ...] = ()
    result_findings: tuple[str, ...] = ()
    testified: int = 0
    explained: int = 0
    """Lost connections of which the result says that the program crashed or never started."""
    made: MadePage | None = None


def audit_game(claimed: GameResult, log: bytes, order: PageOrder | None = None) -> GameAudit:
    """Play a game again from its log, and compare the result with the claimed one.

    This is the only time that a log is verified: the page of the game is made meanwhile, if there
    is an ``order`` for one.
    """
    game = claimed.game
    try:
        record = read_bytes(Path(f"{game}.xml"), log)
    except UnreadableLog as error:
        return GameAudit(None, (f"game {game}: its log cannot be read: {error}",))
    header = record.header._replace(bag=())  # which follows from the seed
    broken = f"game {game}: its log does not hold:"
    if any(element.tag == "position" for element in record.elements):
        why = "a position is laid out in it; expected a game from the set-up."
        return GameAudit(header, (f"{broken} {why}",))
    so_far = ResultSoFar(game, claimed.block, header.seed, [seat.name for seat in header.seats])
    recorded = (element for element in record.elements if element.tag == "ejected")
    teller = GameTeller(record) if order else None

    def take(event: Event) -> None:
        if teller is not None:
            teller.take(event)
        if isinstance(event, events.Ejected):  # its wording is that of the referee who wrote it
            event = event._replace(detail=next(recorded).attrib["detail"])
        so_far(event)

    verifier = Verifier(record, take, seeded=True)
    found = verifier.verify()
    made = order.make(teller.told(found)) if order and teller else None
    why = found.divergence or ""
    if not why and (found.ending in UNFINISHED or not record.complete):
        why = f"it ends in turn {found.turns}, before the game does."
    if why:
        return GameAudit(header, (f"{broken} {why}",), made=made)
    said = {seat.player: _testimony(seat) for seat in claimed.seats}
    result = so_far.result(verifier.outcome, said)._replace(sandbox=claimed.sandbox)
    return GameAudit(
        header,
        (),
        tuple(f"game {game}: {sentence}" for sentence in differences(claimed, result)),
        found.ejections.testimony,
        sum(seat.verdict in TESTIFIED for seat in result.seats),
        made,
    )


def _testimony(seat: SeatResult) -> Testimony:
    verdict, detail = (seat.verdict, seat.detail) if seat.verdict in TESTIFIED else (None, "")
    return Testimony(verdict, detail, seat.processor, seat.cause, seat.version)
