"""What all games of a tournament have in common, as plain values that any process can be sent."""

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from game.rulebook import Rulebook, with_hidden_assets
from game.rulebooks import RULEBOOKS

if TYPE_CHECKING:
    from admin.tournament.planning.plan import Plan


class GameSettings(NamedTuple):
    """The settings of all games; ``strategies`` are the built-in players by name and strategy."""

    rulebook_name: str
    hide_assets: bool
    duplicate: bool
    strategies: tuple[tuple[str, str], ...]

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook, always the same value."""
        return _rulebook(self.rulebook_name, self.hide_assets)


@cache
def _rulebook(name: str, hide_assets: bool) -> Rulebook:
    return with_hidden_assets(RULEBOOKS[name]) if hide_assets else RULEBOOKS[name]


def game_settings(plan: "Plan") -> GameSettings:
    """Return the settings of a plan's games."""
    general = plan.tournament
    strategies = tuple((player.name, player.strategy) for player in plan.players if player.strategy)
    return GameSettings(general.rulebook, general.hide_assets, general.duplicate, strategies)
