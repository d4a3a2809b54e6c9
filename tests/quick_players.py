"""The built-in players for tests of what all of them must do: `simulator` thinks less."""

from acquire.game.rulebook import Rulebook
from acquire.player.strategies.simulator import Simulator
from acquire.player.strategies.strategy import Strategy
from acquire.protocol.messages import SignUp
from acquire.protocol.plugins import STRATEGIES, plugins


class QuickSimulator(Simulator):
    """Plays as few games as it can."""

    playouts = 1


BUILT_IN: dict[str, type[Strategy]] = {
    name: point.load() for name, point in plugins(STRATEGIES).items()
}
QUICK = BUILT_IN | {"simulator": QuickSimulator}


def greeted(strategy: type[Strategy], rulebook: Rulebook) -> Strategy:
    """A player that has been told that it is ann."""
    one = strategy(rulebook, 0)
    one(SignUp("ann", rulebook.id))
    return one
