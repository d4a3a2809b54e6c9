"""What all games of a tournament have in common, as plain values that any process can be sent."""

from typing import TYPE_CHECKING, NamedTuple

from ....game.rulebook import Rulebook
from ....protocol.rulebook_file import from_json, to_json

if TYPE_CHECKING:
    from ..planning.plan import Plan


class GameSettings(NamedTuple):
    """The settings of all games; ``strategies`` are the built-in players by name and strategy.

    ``folder`` has the files of strategies that are in files, ``versions`` are theirs by player.
    """

    rulebook_json: str
    duplicate: bool
    strategies: tuple[tuple[str, str], ...]
    folder: str = ""
    versions: tuple[tuple[str, str], ...] = ()

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook, always the same value."""
        return from_json(self.rulebook_json)


def game_settings(plan: "Plan") -> GameSettings:
    """Return the settings of a plan's games."""
    general = plan.tournament
    strategies = tuple((player.name, player.strategy) for player in plan.players if player.strategy)
    versions = tuple(
        (player.name, player.version)
        for player in plan.players
        if player.strategy is not None and player.version
    )
    folder = str(plan.folder) if versions else ""
    rulebook = to_json(general.rulebook_value())
    return GameSettings(rulebook, plan.duplicate, strategies, folder, versions)
