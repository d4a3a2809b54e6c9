"""The remote players of a tournament: their places in the waiting room, and games they missed."""

from ..planning.plan import Plan
from ..run.run_events import LobbyChanged, PlayerAwaited, RunObserver
from .reservation import Reservation
from .waiting_room import WaitingRoom

MAX_MISSED = 3
"""Games in a row that a remote player may miss; then games do not wait until it returns."""


class RemotePlayers:
    """Reserves a lasting place for each remote player; where there is no room, there are none."""

    def __init__(self, plan: Plan, observer: RunObserver, room: WaitingRoom | None = None) -> None:
        self._observer = observer
        self._wait = plan.lobby.wait
        self.places: dict[str, Reservation] = {}
        for player in plan.players:
            if room is not None and player.remote:
                self.places[player.name] = room.reserve(
                    player.name, player.remote.secret, on_change=self._report_lobby
                )
        self._missed = dict.fromkeys(self.places, 0)

    def _report_lobby(self) -> None:
        waiting = [name for name, place in self.places.items() if place.occupied]
        self._observer(LobbyChanged(waiting))

    def timeout(self, name: str) -> float:
        """Return for how many seconds a game waits for a player."""
        return 0.0 if self._missed[name] >= MAX_MISSED else self._wait

    def report_waiting(self, name: str) -> None:
        """Report that a game waits for a player."""
        self._observer(PlayerAwaited(name, self.timeout(name)))

    def count(self, name: str, *, present: bool) -> None:
        """Count whether a player was there when its game began."""
        self._missed[name] = 0 if present else self._missed[name] + 1
