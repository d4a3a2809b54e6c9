"""What is rare in the games of other programs, by which the sample in the repository is chosen."""

from collections import Counter
from collections.abc import Mapping, Sequence

from others_games import Report

from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.events import Event
from acquire.game.placement import Kind, largest_of
from acquire.game.state import State


def features_of(reports: Sequence[Report]) -> set[str]:
    """What the reports of a game show: players, the ending, the differences."""
    differs = {f"differs: {each}" for report in reports for each in report.get("differs", ())}
    return {
        f"{len(reports[0]['sheet']['cash'])} players",
        f"ending: {reports[-1]['ending']}",
        *differs,
    }


class Features:
    """Receives the events of a game, and notes in ``found`` what is rare in it."""

    def __init__(self) -> None:
        self.found: set[str] = set()
        self._state: State | None = None
        self._acquired: list[events.Acquired] = []

    def __call__(self, event: Event) -> None:
        """Look at one event."""
        match event:
            case events.Placed(_, tile, kind, _, _) if self._state is not None:
                self._placed(self._state, tile, kind)
                self._acquired = []
            case events.Acquired():
                self._acquired.append(event)
                self._mergers(event)
            case events.NothingPlaced():
                self.found.add("nothing placed")
            case events.SetAside():
                self.found.add("dead tile set aside")
            case events.Traded(_, _, _, survivor, _, state) if not state.bank[survivor]:
                self.found.add("trade takes the bank's last")
        if isinstance(event, events.TABLE_EVENTS):
            self._state = event.state
            if 0 in event.state.bank:
                self.found.add("bank sold out")

    def _placed(self, before: State, tile: int, kind: Kind) -> None:
        board = before.board
        if kind is Kind.SINGLETON and 0 not in board.sizes:
            self.found.add("all seven on the board")
        if kind is Kind.FOUNDING and 0 in before.bank:
            self.found.add("founded while a hotel is sold out")
        if kind is Kind.MERGING and (tied := len(largest_of(board, board.touched(tile)))) > 1:
            self.found.add(f"{tied} hotels tie for survivor")
        if kind is Kind.MERGING and board.largest >= before.rulebook.safe_size:
            self.found.add("merger beside a safe hotel")

    def _mergers(self, event: events.Acquired) -> None:
        self.found.add(f"{len(self._acquired) + 1} hotels merge")
        if [each.size for each in self._acquired].count(event.size) > 1:
            self.found.add("acquired hotels tie")
        state = event.state
        held = sorted((player.shares[event.hotel] for player in state.players), reverse=True)
        holders = [each for each in held if each]
        if len(holders) == 1:
            self.found.add("one holder")
        if not holders:
            self.found.add("no holder")
        if len(holders) > 1 and (tied := holders.count(holders[0])) > 1:
            self.found.add(f"{tied} tie for the majority")
        elif len(holders) > 2 and (tied := holders.count(holders[1])) > 1:
            self.found.add(f"{tied} tie for the minority")
        if not state.bank[event.survivor]:
            self.found.add("no certificate of the survivor left")


def choose(features: Mapping[str, set[str]], count: int) -> list[str]:
    """Choose ``count`` games, each time the one with the rarest features that no other has.

    When every feature has been chosen, the games with the most features follow.
    """
    common = Counter(each for had in features.values() for each in sorted(had))
    chosen: list[str] = []
    seen: set[str] = set()
    while len(chosen) < count:
        left = {name: had - seen for name, had in features.items() if name not in chosen}
        rarity = {name: sum(sorted(1 / common[each] for each in new)) for name, new in left.items()}
        best = max(rarity, key=rarity.__getitem__)
        if rarity[best]:
            chosen.append(best)
        seen = seen | features[best] if rarity[best] else set()
    return sorted(chosen)
