"""What all trials under one rulebook share."""

import math

from ....game.rulebook import Rulebook
from ....protocol.writing import Writer
from ...refereeing.table.lag import Lag
from ...refereeing.table.reception import Reception


class TrialEnvironment:
    """What all trials under one rulebook share; the caller runs ``lag``."""

    def __init__(self, rulebook: Rulebook, lag: Lag) -> None:
        self.rulebook = rulebook
        self.reception = Reception(rulebook, math.inf)
        """A trial has a clock of its own, and waits again when this process was late."""
        self.player_writer = Writer(rulebook)
        self.lag = lag
