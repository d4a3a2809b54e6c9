"""The built-in players for tests of what all of them must do: `simulator` thinks less."""

from acquire.player.program.registry import BUILT_IN
from acquire.player.strategies.simulator import Simulator
from acquire.player.strategies.strategy import Strategy


class QuickSimulator(Simulator):
    """Plays as few games as it can."""

    playouts = 1


QUICK: dict[str, type[Strategy]] = BUILT_IN | {"simulator": QuickSimulator}
