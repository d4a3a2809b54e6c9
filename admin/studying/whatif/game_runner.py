"""Plays all games that were asked for, one after the other, also with programs."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

import trio

from ....game.rulebook import Rulebook
from ...refereeing.play.in_process import Answerer
from ...refereeing.play.referee import Segment
from ...refereeing.table.clocks import Clocks
from ...refereeing.table.lag import Lag
from ...refereeing.table.run import beside
from ...testing.trial.player_source import PlayerNotConnected, PlayerSource
from ...testing.trial.trial import Script, Trial
from .single_game import ABSENT, GameSetup, SeatOutcome, Variant, play, seat_result

MAX_NOT_CONNECTED = 3
"""After a program missed this many games in a row, no more games are played."""
MAX_ATTEMPTS = 3
"""How often a game is played in which the player was late, but this process was late as well."""


@dataclass(slots=True)
class GameRunner:
    """Plays games; ``sources`` connect the programs, ``on_result`` is called after every game."""

    setup: GameSetup
    sources: Mapping[Variant, PlayerSource]
    clocks: Clocks
    on_result: Callable[[Variant, SeatOutcome], None]
    _lag: Lag = field(default_factory=Lag)
    _not_connected: Counter[Variant] = field(default_factory=Counter)

    async def run(self, counts: Mapping[Variant, int]) -> None:
        """Play these numbers of games of the variants: game 1 of each, then game 2, and so on.

        So what is played is comparable whenever it stops.

        Raises ``PlayerNotConnected`` when a program missed several games in a row.
        """
        rounds = range(1, max(counts.values(), default=0) + 1)
        due = [(each, game) for game in rounds for each, count in counts.items() if game <= count]
        async with beside(self._lag.run):
            for variant, game in due:
                self.on_result(variant, await self._play(variant, game))
                await trio.lowlevel.checkpoint()

    async def _play(self, variant: Variant, game: int) -> SeatOutcome:
        if not variant.words:
            return play(self.setup, variant, game)
        try:
            result = await self._play_trial(variant, game)
        except PlayerNotConnected:
            self._not_connected[variant] += 1
            if self._not_connected[variant] == MAX_NOT_CONNECTED:
                raise
            return SeatOutcome(0, 0, ABSENT)
        self._not_connected[variant] = 0
        return result

    async def _play_trial(self, variant: Variant, game: int) -> SeatOutcome:
        """Play one game, and repeat it if the program may not be to blame for being late."""
        for attempt in range(1, MAX_ATTEMPTS + 1):
            trial = Trial(self._script(variant.seat, game), self.clocks, self._lag)
            result = await trial.play_against(self.sources[variant], variant.seat)
            if not result.referee_was_late or attempt == MAX_ATTEMPTS:
                break
        if result.outcome is None:
            assert result.sign_up_fault is not None, "nothing was played"
            return SeatOutcome(0, 0, result.sign_up_fault.reason.value)
        return seat_result(result.outcome, result.name)

    def _script(self, seat: str, game: int) -> Script:
        setup = self.setup

        def opponent(name: str, _rulebook: Rulebook) -> Answerer:
            return setup.opponent(name, game)

        others = [each.name for each in setup.position.players if each.name != seat]
        return Script(
            *(setup.rulebook, setup.names, seat, (Segment(setup.deal(seat, game), None),)),
            {name: partial(opponent, name) for name in others},
            seed=setup.seed,
            game=game,
        )
