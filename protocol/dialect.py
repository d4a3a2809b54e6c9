"""Which words a table speaks: the course's of 2013, or the dialect that contains them.

Under ``revised``, and under whatever else the course's words can say, nothing beyond them is ever
said. The other rulebooks hide hands, ask about disposals, and let a player declare the end.
"""

from collections.abc import Mapping
from enum import Enum

from game.rulebook import (
    Assets,
    DeadTiles,
    DisposalRule,
    EmptyBag,
    End,
    EqualAcquired,
    Hands,
    Rulebook,
    Start,
    StuckHand,
)
from protocol.schema_errors import COURSE_FORMS, dialect_forms


class Dialect(Enum):
    """The two sets of words."""

    COURSE = "course"
    FULL = "full"

    @classmethod
    def of(cls, rulebook: Rulebook) -> "Dialect":
        """Return the plainest words in which a game by this rulebook can be played."""
        plain = (
            rulebook.start is Start.SIGN_UP
            and rulebook.edition == "hotels"
            and rulebook.hands is Hands.OPEN
            and rulebook.assets is Assets.OPEN
            and rulebook.equal_acquired is EqualAcquired.ALPHABETICAL
            and rulebook.disposal is DisposalRule.KEEP_OR_RETURN
            and rulebook.dead_tiles is DeadTiles.KEPT
            and rulebook.stuck_hand is StuckHand.ENDS_GAME
            and rulebook.empty_bag is EmptyBag.ENDS_GAME
            and rulebook.end is End.ADMINISTRATOR
            and rulebook.order_limit <= 2
            and not rulebook.market_for_two
        )
        return cls.COURSE if plain else cls.FULL

    def schema(self, name: str, rulebook: Rulebook) -> str:
        """Return the file of ``player``, ``administrator`` or ``match-log`` under a rulebook."""
        return name if self is Dialect.COURSE else f"{name}-{rulebook.edition}"

    def forms(self, rulebook: Rulebook) -> Mapping[str, str]:
        """Return how a player writes each element under a rulebook."""
        if self is Dialect.COURSE:
            return COURSE_FORMS
        return dialect_forms([hotel.name for hotel in rulebook.hotels])
