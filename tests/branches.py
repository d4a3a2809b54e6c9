"""What a recorded game reached: endings, and the branches of the rules that are seldom taken."""

from pathlib import Path

from ledger import Ledger

from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.log.verifier import Verifier
from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.events import Event
from acquire.game.placement import Kind, largest_of
from acquire.game.rulebook import StuckHand
from acquire.game.state import State
from acquire.game.turn import regular_ending
from acquire.protocol import messages


class Reached:
    """A reader of a game's events that notes each branch by name in ``found``."""

    def __init__(self, ledger: Ledger) -> None:
        self.found: set[str] = set()
        self._ledger = ledger
        self._state: State | None = None
        self._previous: Event | None = None
        self._acquired = 0
        self._survivor = 0
        self._disposing = 0

    def __call__(self, event: Event) -> None:
        """Look at one event, before it is booked."""
        match event:
            case events.TurnBegan(_, _, state):
                self._state = state
            case events.Answered(name, "dispose", messages.DisposeAnswer(_, trade)):
                self._disposed(name, trade)
            case events.Answered(_, "turn" | "merger", messages.Merge(placement)):
                if placement.equals:
                    self.found.add("equals ordered by the placer")
            case events.Placed(_, tile, Kind.MERGING, survivor) if survivor is not None:
                self._merging(tile, survivor)
            case events.MarketPlaced(_, kind, hotel):
                self._market(kind, hotel)
            case events.Acquired(_, hotel):
                self._acquired += 1
                if self._acquired == 3:
                    self.found.add("four-way merger")
                self._disposing = hotel
            case events.MarketDrew(hotel, tile, _):
                self._disposing = hotel
                if tile is None:
                    self.found.add("market with an empty bag")
            case events.BonusPaid(_, hotel):
                self._disposing = hotel
            case events.HandKept():
                self.found.add("hand kept")
            case events.NothingPlaced():
                self.found.add("nothing placed")
            case events.Declared(_, state):
                held = regular_ending(state) is not None
                self.found.add("end declared" if held else "end declared as the turn began")
            case events.SetAside():
                self._set_aside()
            case events.Ejected(bag=bag) if bag is not None:
                self.found.add("ejection")
            case events.TurnUndone():
                self.found.add("turn undone")
            case events.Ended(ending):
                self.found.add(ending.value)
        founded = isinstance(self._previous, events.Placed) and (
            self._previous.kind is Kind.FOUNDING
        )
        if founded and not isinstance(event, events.FoundersShare):
            self.found.add("founded without a certificate")
        if not isinstance(event, events.Answered):
            self._previous = event

    def _merging(self, tile: int, survivor: int) -> None:
        assert self._state is not None
        board = self._state.board
        touched = board.touched(tile)
        if len(largest_of(board, touched)) >= 3:
            self.found.add("three-way tie of survivors")
        self._acquired, self._survivor = 0, survivor
        for hotel in touched:
            held = sorted(shares[hotel] for shares in self._ledger.shares.values())[-3:]
            if hotel != survivor and len(held) == 3 and held[0] == held[2] > 0:
                self.found.add("three-way tie of holders")

    def _market(self, kind: Kind | None, hotel: int | None) -> None:
        if kind is None:
            self.found.add("market's tile set aside")
        elif kind is Kind.MERGING and hotel is not None:
            self.found.add("market's tile merges")
            self._acquired, self._survivor = 0, hotel

    def _disposed(self, name: str, trade: int) -> None:
        left = self._ledger.bank(self._survivor)
        owned = self._ledger.shares[name][self._disposing]
        if owned >= 2 and not left:
            self.found.add("trade blocked by an empty bank")
        elif trade == 2 * left and owned >= trade + 2:
            self.found.add("trade cut by the bank")

    def _set_aside(self) -> None:
        assert self._state is not None
        stuck = self._state.rulebook.stuck_hand in (StuckHand.REPLACED, StuckHand.MAY_REPLACE)
        self.found.add("hand replaced" if stuck else "dead tiles replaced")


def branches(log: Path) -> set[str]:
    """Verify a log, keep its books, and return what its game reached."""
    record = read(log)
    header = record.header
    ledger = Ledger(header.rulebook, [seat.name for seat in header.seats])
    reached = Reached(ledger)
    verdict = Verifier(record).verify()
    for event in verdict.events:
        reached(event)
        ledger(event)
    assert verdict.divergence is None, f"{log.name}: {verdict.divergence}"
    return reached.found
