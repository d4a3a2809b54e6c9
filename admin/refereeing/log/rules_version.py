"""Which version of the referee's rules a log was written by.

Version 1, of logs without the attribute ``rules``, judged declarations by the position after the
placement alone, and replaced a hand without a playable tile without asking the player. Such a log
is still played again by the rules that it was written by.
"""

from dataclasses import replace

from ....game.rulebook import End, Rulebook, StuckHand

VERSION = "2"
"""The present version; only logs by rulebooks in which it differs from the first one have it."""


def first_version(rulebook: Rulebook) -> Rulebook:
    """Return a rulebook as version 1 played it: the same object where nothing has changed.

    >>> from acquire.game.rulebooks import CLASSIC, REVISED
    >>> first_version(REVISED) is REVISED, first_version(CLASSIC).end
    (True, <End.DECLARED_AFTER_PLACING: 'a player who declares it after the placement'>)
    """
    end, stuck_hand = rulebook.end, rulebook.stuck_hand
    if end is End.DECLARED:
        end = End.DECLARED_AFTER_PLACING
    if stuck_hand is StuckHand.MAY_REPLACE:
        stuck_hand = StuckHand.REPLACED
    if (end, stuck_hand) == (rulebook.end, rulebook.stuck_hand):
        return rulebook
    return replace(rulebook, end=end, stuck_hand=stuck_hand)
