"""Plays all games that were asked for, one after the other, also with programs."""

from collections import Counter
from collections.abc import Callable, Mapping
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

MAX_NOT_CONNECTED = 3  # games in a row that a program misses before no more are played
MAX_ATTEMPTS = 3  # times that a game is played if both the player and this process were late


async def play_games(
    setup: GameSetup,
    counts: Mapping[Variant, int],
    sources: Mapping[Variant, PlayerSource],
    clocks: Clocks,
    on_result: Callable[[Variant, SeatOutcome], None],
) -> None:
    """Play these numbers of games of the variants: game 1 of each, then game 2, and so on.

    So what is played is comparable whenever it stops. ``sources`` connect the programs,
    ``on_result`` is called after every game.

    Raises ``PlayerNotConnected`` when a program missed several games in a row.
    """
    lag, missed = Lag(), Counter[Variant]()
    rounds = range(1, max(counts.values(), default=0) + 1)
    due = [(each, game) for game in rounds for each, count in counts.items() if game <= count]
    async with beside(lag.run):
        for variant, game in due:
            try:
                if variant.words:
                    source = sources[variant]
                    result = await _play_trial(setup, variant.seat, game, source, clocks, lag)
                else:
                    result = play(setup, variant, game)
                missed[variant] = 0
            except PlayerNotConnected:
                missed[variant] += 1
                if missed[variant] == MAX_NOT_CONNECTED:
                    raise
                result = SeatOutcome(0, 0, ABSENT)
            on_result(variant, result)
            await trio.lowlevel.checkpoint()


async def _play_trial(
    setup: GameSetup, seat: str, game: int, source: PlayerSource, clocks: Clocks, lag: Lag
) -> SeatOutcome:
    """Play one game, and repeat it if the program may not be to blame for being late."""

    def opponent(name: str, _rulebook: Rulebook) -> Answerer:
        return setup.opponent(name, game)

    others = [each.name for each in setup.position.players if each.name != seat]
    for attempt in range(1, MAX_ATTEMPTS + 1):
        script = Script(
            *(setup.rulebook, setup.names, seat, (Segment(setup.deal(seat, game), None),)),
            {name: partial(opponent, name) for name in others},
            seed=setup.seed,
            game=game,
        )
        result = await Trial(script, clocks, lag).play_against(source, seat)
        if not result.referee_was_late or attempt == MAX_ATTEMPTS:
            break
    if result.outcome is None:
        assert result.sign_up_fault is not None, "nothing was played"
        return SeatOutcome(0, 0, result.sign_up_fault.reason.value)
    return seat_result(result.outcome, result.name)
