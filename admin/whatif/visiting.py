"""All games that were asked for, one after the other; programs come to theirs as to a match."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias, assert_never

import trio

from admin.match.referee import Segment
from admin.table.clocks import Clocks
from admin.table.lag import Lag
from admin.trial.door import Door, NoShow
from admin.trial.playground import Playground
from admin.trial.script import Script
from admin.trial.trial import Trial
from admin.whatif.playing import ABSENT, Played, Setting, play, played
from admin.whatif.variant import House, Launched, Move, Variant

MOST_ABSENT = 3
"""How many games in a row a player may miss before all is given up."""
ATTEMPTS = 3
"""How often a game is played in which the player was late while this process was late as well."""

Games: TypeAlias = Mapping[Variant, int]
"""How many games each variant plays."""
Tell: TypeAlias = Callable[[Variant, Played], None]
"""Is told of every game when it is over."""


class Visits:
    """Plays games; ``doors`` are those of the programs."""

    def __init__(
        self, setting: Setting, doors: Mapping[Variant, Door], clocks: Clocks, tell: Tell
    ) -> None:
        self._setting = setting
        self._doors = doors
        self._clocks = clocks
        self._tell = tell
        self._lag = Lag()
        self._playground = Playground(setting.rulebook, self._lag)
        self._absent: dict[Variant, int] = dict.fromkeys(doors, 0)

    async def play(self, games: Games) -> None:
        """Play all games, the first of every variant first: cut short they can be compared.

        ``NoShow`` when a program did not come to several in a row.
        """
        async with trio.open_nursery() as background:
            background.start_soon(self._lag.run)
            for variant, game in _in_turn(games):
                self._tell(variant, await self._play(variant, game))
                await trio.lowlevel.checkpoint()
            background.cancel_scope.cancel()

    async def _play(self, variant: Variant, game: int) -> Played:
        match variant:
            case House() | Move():
                return play(self._setting, variant, game)
            case Launched():
                return await self._visited(variant, game)
            case _:
                assert_never(variant)

    async def _visited(self, variant: Launched, game: int) -> Played:
        try:
            found = await self._visit(variant, game)
        except NoShow:
            self._absent[variant] += 1
            if self._absent[variant] == MOST_ABSENT:
                raise
            return Played(0, 0, ABSENT)
        self._absent[variant] = 0
        return found

    async def _visit(self, variant: Launched, game: int) -> Played:
        """Play one game with a program, again where it is not certain that the program was late."""
        for attempt in range(1, ATTEMPTS + 1):
            trial = Trial(self._playground, self._script(variant.seat, game), self._clocks)
            async with self._doors[variant].visit(variant.seat) as visit:
                tried = await trial.play(visit.connection, visit.peer)
            if not tried.doubted or attempt == ATTEMPTS:
                break
        if tried.outcome is None:
            assert tried.unseated is not None, "nothing was played"
            return Played(0, 0, tried.unseated.reason.value)
        return played(tried.outcome, tried.name)

    def _script(self, seat: str, game: int) -> Script:
        setting = self._setting
        others = {
            player.name: partial(setting.player, setting.others[player.name], player.name, game)
            for player in setting.position.players
            if player.name != seat
        }
        return Script(
            setting.rulebook,
            setting.names,
            seat,
            (Segment(setting.deal(seat, game), None),),
            others,
            seed=setting.seed,
            game=game,
        )


def _in_turn(games: Games) -> Iterator[tuple[Variant, int]]:
    """Yield every variant and game: the first game of all, the second of all, and so on."""
    variants: Sequence[Variant] = list(games)
    for game in range(1, max(games.values(), default=0) + 1):
        for variant in variants:
            if game <= games[variant]:
                yield variant, game
