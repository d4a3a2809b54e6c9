"""What all games of a tournament have in common, as plain values that any process can be sent."""

from typing import TYPE_CHECKING, NamedTuple

from game.rulebook import Rulebook
from protocol.rulebook_file import from_json
from protocol.rulebook_json import to_json

if TYPE_CHECKING:
    from admin.tournament.planning.plan import Plan


class GameSettings(NamedTuple):
    """The settings of all games; ``strategies`` are the built-in players by name and strategy."""

    rulebook_json: str
    duplicate: bool
    strategies: tuple[tuple[str, str], ...]

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook, always the same value."""
        return from_json(self.rulebook_json)


def game_settings(plan: "Plan") -> GameSettings:
    """Return the settings of a plan's games."""
    general = plan.tournament
    strategies = tuple((player.name, player.strategy) for player in plan.players if player.strategy)
    return GameSettings(to_json(general.rulebook_value()), plan.duplicate, strategies)
