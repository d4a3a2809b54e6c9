"""Which programs are not started any more, because they have missed several sign-ups in a row.

This follows from the stored results alone, so that a run that resumes does the same. It ends with
the entry, because results of other entries do not count.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from ..games.result import MAX_MISSED_SIGN_UPS, GameResult, PlayerVerdict, SeatResult
from ..planning.plan import Plan


class MissedSignUps:
    """Counts, for every program of a plan, the games in a row that it was missing from."""

    def __init__(self, plan: Plan, results: Iterable[GameResult]) -> None:
        """Begin with the results of earlier runs, in the order in which they were stored."""
        self._versions = {
            player.name: player.version for player in plan.players if player.command is not None
        }
        self._missed = Counter[str]()
        for result in results:
            self.count(result)

    def count(self, result: GameResult) -> list[str]:
        """Count a game that was stored; return the players that are skipped from now on."""
        before = {*self.skipped}
        for seat in self._seats(result):
            missed = seat.verdict is PlayerVerdict.NEVER_STARTED
            self._missed[seat.player] = self._missed[seat.player] + 1 if missed else 0
        return [name for name in self.skipped if name not in before]

    def _seats(self, result: GameResult) -> Iterator[SeatResult]:
        """Yield the seats of programs that were of the version that they are now."""
        for seat in result.seats:
            if seat.player in self._versions and seat.version == self._versions[seat.player]:
                yield seat

    @property
    def skipped(self) -> list[str]:
        """The players whose games are lost without starting their program."""
        return [name for name in self._missed if self.is_skipped(name)]

    def is_skipped(self, name: str) -> bool:
        """Whether a player's program is not started any more."""
        return self._missed[name] >= MAX_MISSED_SIGN_UPS


def skipped_in_words(name: str) -> str:
    """Return a user-facing sentence about a player that is skipped from now on."""
    return (
        f"{name} has missed {MAX_MISSED_SIGN_UPS} sign-ups in a row. It loses its games without "
        "being started, until its program changes, or `run --retry` starts it again."
    )
