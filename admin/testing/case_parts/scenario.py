"""A scenario: positions, and how the players at the table behave.

It says nothing of who is under test, what that player is asked, and what it should answer.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ....game.rulebook import Rulebook, with_hidden_assets
from ....game.state import State
from ....game.tiles import mask_of
from ...refereeing.play.referee import Segment
from ..trial.script import MakePlayer, Script, renamed
from .case import PLAYER
from .position_text import OPPONENTS, Words, parse_position, parse_tiles
from .special_opponents import plays

ORDERED = plays("ordered")
"""How opponents play: legally, and the same each time."""
ABSENT = "gone"


@dataclass(frozen=True, slots=True)
class Scenario:
    """A position as text, and what follows it.

    The text has the rows of the board, then the players with bars between them, the mover first:
    ``"AA.TT \\n ann 3A | bob"``. Instead there may be a function that makes the position. All
    tiles that are not elsewhere are in the bag, unless ``bag`` lists those that are left; the tiles
    ``bag_top`` come first, and those set ``aside`` never. ``names`` replace those of the opponents,
    in their order.

    ``turns`` are played from the position, ``None`` for the whole game; then those of the scenarios
    ``later`` are. Opponents play as ``ordered`` unless ``others`` has another player for a name,
    and take ``think_time`` seconds for a turn. Of the ``at_table`` players at sign-up, those that
    the position lacks have left.
    """

    position: str | Callable[[Rulebook], State]
    bag: str | None = None
    bag_top: str = ""
    aside: str = ""
    names: tuple[str, ...] = ()
    turns: int | None = 1
    later: "tuple[Scenario, ...]" = ()
    others: Mapping[str, MakePlayer] = field(default_factory=dict)
    think_time: float = 0.0
    at_table: int = 0
    hides_assets: bool = False
    """Whether the table hides cash and certificates, where the rulebook leaves that open."""

    def laid_out(self, rulebook: Rulebook) -> State:
        """Return the position under a rulebook."""
        if callable(self.position):
            return self.position(rulebook)
        words = Words(rulebook)
        state = parse_position(rulebook, self.position.format_map(words), bag=self.bag)
        top, aside = parse_tiles(self.bag_top), parse_tiles(self.aside)
        first = [tile for tile in top if tile in state.bag]
        rest = [tile for tile in state.bag if tile not in (*top, *aside)]
        names = zip(OPPONENTS, self.names, strict=False)
        return renamed(
            state._replace(bag=(*first, *rest), aside=mask_of(aside)),
            {old: new.format_map(words) for old, new in names},
        )

    def script(self, rulebook: Rulebook, subject: str = PLAYER) -> Script:
        """Return the script in which the player with this name is the one under test."""
        if self.hides_assets and not rulebook.assets.hides_certificates:
            rulebook = with_hidden_assets(rulebook)
        segments = tuple(
            Segment(each.laid_out(rulebook), each.turns) for each in (self, *self.later)
        )
        names = [player.name for player in segments[0].position.players]
        if subject not in names:
            raise ValueError(f"no seat for {subject!r}")
        absent = range(1, max(self.at_table, rulebook.min_players) - len(names) + 1)
        return Script(
            rulebook,
            (*names, *(f"{ABSENT}-{number}" for number in absent)),
            subject,
            segments,
            {name: self.others.get(name, ORDERED) for name in names if name != subject},
            self.think_time,
        )
