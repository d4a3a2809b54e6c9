"""A game between strategies, played in this process with its log."""

from contextlib import suppress
from pathlib import Path

from acquire.admin.refereeing.log.recorder import Header, SeatRecord
from acquire.admin.refereeing.log.writer import open_log
from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.in_process import LocalSeat
from acquire.admin.refereeing.play.questions import Replies, Reply
from acquire.admin.refereeing.play.referee import Referee
from acquire.game.placement import Placement
from acquire.game.rulebooks import REVISED
from acquire.game.tiles import GRID, tiles_in
from acquire.player.strategies.investor import Investor
from acquire.player.strategies.simple import Ordered, Random
from acquire.player.strategies.strategy import Strategy
from acquire.protocol.faults import Fault, Reason
from acquire.protocol.messages import Pbuy, Turn

NAMES = ("ann", "bob", "cyd")


def play_logged(
    folder: Path,
    seed: int,
    leaves: str | None = None,
    fault: Fault = Fault(Reason.DISCONNECTED, "No message had begun."),  # noqa: B008
    cheats: str | None = None,
) -> Path:
    """Play a game between strategies with its log, and return the log.

    `leaves` disconnects, or has another `fault`, when it is sent the second position; `cheats`
    places a tile that it does not have.
    """
    dealer = Dealer(seed)
    records = tuple(SeatRecord(name, "house", "random") for name in NAMES)
    header = Header(REVISED, seed, 1, dealer.bag, records)
    folder.mkdir(exist_ok=True)
    log = open_log(folder, header)
    questions = Referee(REVISED, NAMES, dealer.bag, dealer.shuffle, log).play()
    makers: tuple[type[Strategy], ...] = (Random, Investor, Ordered)
    seats = {
        name: LocalSeat(name, make(REVISED, seed)) for name, make in zip(NAMES, makers, strict=True)
    }
    asks, positions = next(questions), 0
    with suppress(StopIteration):
        while True:
            replies: Replies = {name: seats[name].ask(ask) for name, ask in asks.items()}
            positions += len(asks) > 1
            if positions == 2 and leaves in asks:
                replies[leaves] = fault
                leaves = None
            if cheats in asks and isinstance(turn := asks[cheats].message, Turn):
                (other, *_) = tiles_in(GRID & ~turn.players[0].hand)
                replies[cheats] = Reply(Pbuy(Placement(other), ()))
            asks = questions.send(replies)
    log.close()
    return log.path
