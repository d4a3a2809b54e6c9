"""Which messages a table uses: those of the course of 2013, or a dialect that contains them.

A game by ``revised``, or by any other rulebook that the course's messages suffice for, uses nothing
else. The other rulebooks hide hands, ask about disposals, and let a player declare the end.
"""

from enum import Enum
from functools import lru_cache

from lxml import etree

from ..game import rulebook as rules
from ..game.rulebook import Rulebook
from ..schemas import SchemaLimits, document


class Dialect(Enum):
    """The two sets of messages."""

    COURSE = "course"
    FULL = "full"

    @classmethod
    def of(cls, rulebook: Rulebook) -> "Dialect":
        """Return the smaller set of messages that suffices for a game by this rulebook.

        >>> from acquire import CLASSIC, REVISED
        >>> Dialect.of(REVISED), Dialect.of(CLASSIC)
        (<Dialect.COURSE: 'course'>, <Dialect.FULL: 'full'>)
        """
        plain = (
            rulebook.start is rules.Start.SIGN_UP
            and rulebook.hands is rules.Hands.OPEN
            and rulebook.assets is rules.Assets.OPEN
            and rulebook.equal_acquired is rules.EqualAcquired.ALPHABETICAL
            and rulebook.disposal is rules.DisposalRule.KEEP_OR_RETURN
            and rulebook.dead_tiles is rules.DeadTiles.KEPT
            and rulebook.stuck_hand is rules.StuckHand.ENDS_GAME
            and rulebook.empty_bag is rules.EmptyBag.ENDS_GAME
            and rulebook.end is rules.End.ADMINISTRATOR
            and not rulebook.market_for_two
        )
        return cls.COURSE if plain else cls.FULL

    def schema(self, role: str, rulebook: Rulebook) -> etree.XMLSchema:
        """Return the schema of ``player``, ``administrator`` or ``match-log`` under a rulebook."""
        return etree.XMLSchema(self.schema_document(role, rulebook))

    @lru_cache(64)
    def schema_document(self, role: str, rulebook: Rulebook) -> etree._Element:
        """Return such a schema as one XML document, which must not be changed."""
        name = role if self is Dialect.COURSE else f"{role}-hotels"
        names = [hotel.name for hotel in rulebook.hotels]
        limits = SchemaLimits(
            names, rulebook.certificates, rulebook.hand_size, rulebook.order_limit
        )
        return document(name, limits)
