"""Signing up: who speaks first, the name that is given, and the time until the match begins."""

from collections.abc import Iterator

from admin.check.case import Case, Source, section
from admin.check.lone_tiles import (
    FIRST_LONE,
    LONE,
    LOOSE_TILES,
    SECOND_LONE,
    lone_tiles,
)
from admin.check.scene import scene, script
from admin.match.referee import Segment
from admin.trial.wire import Manner
from game.rulebook import Rulebook
from game.state import State

SIGN_UP = section("sign-up")
SIGNING_UP = frozenset({"signup"})
BEGUN = frozenset({"setup"})
WHOSE_TURN = frozenset({"setup", "turn"})

GIVEN = Source(
    "The conversation", "the one you asked for, or with a suffix (`alice-2`) if it is taken"
)
ASKED_FOR = "ann"
"""A name that somebody else at the table has already."""


def after_namesakes(rulebook: Rulebook) -> State:
    """Lay out a position in which those move first who have the names that were taken.

    No tile in hand is beside another, so that nothing is founded.
    """
    first, second = f"{ASKED_FOR} {FIRST_LONE}", f"{ASKED_FOR}-2 {SECOND_LONE}"
    return scene(rulebook, LOOSE_TILES, first, second, LONE, "bob")


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this section."""
    yield Case(
        section=SIGN_UP,
        slug="speaks-first",
        title="The player speaks first, and at once",
        source=Source("In one minute", "speaks first: it signs up"),
        expected="A <signup> with the name that it was told, as soon as it has connected.",
        hint="Often the player waits to be greeted first, or what it writes is never flushed.",
        about=SIGNING_UP,
        turns=0,
        script=script(rulebook, lone_tiles(rulebook)),
    )
    yield Case(
        section=SIGN_UP,
        slug="suffix",
        title="The name is taken: another with a suffix is given",
        source=GIVEN,
        expected=f"The move of {ASKED_FOR}-2, with a tile of {ASKED_FOR}-2's own hand.",
        hint="Often the player goes on to look for itself by the name that it asked for.",
        about=WHOSE_TURN,
        script=script(rulebook, lone_tiles(rulebook, ASKED_FOR, "bob")),
        name=ASKED_FOR,
    )
    yield Case(
        section=SIGN_UP,
        slug="another-suffix",
        title="The name is taken twice, and those who have it move first",
        source=GIVEN,
        expected=f"No move before {ASKED_FOR}-3 is asked for one; then a tile of its own hand.",
        hint="Often a name's suffix is cut off, or made up, and not taken from the answer.",
        about=WHOSE_TURN,
        script=script(rulebook, Segment(after_namesakes(rulebook), 3)),
        name=ASKED_FOR,
    )
    yield Case(
        section=SIGN_UP,
        slug="silence",
        title="Nothing is said until the match begins",
        source=Source("The conversation", "Send nothing until then."),
        expected="Nothing in the 1.5 seconds between the answer to the sign-up and the match.",
        hint="Often the answer to the sign-up is itself answered, by <void/>; none is due.",
        about=SIGNING_UP,
        reaches=BEGUN,
        script=script(rulebook, lone_tiles(rulebook)),
        pause=1.5,
    )
    yield Case(
        section=SIGN_UP,
        slug="glued",
        title="The answer to the sign-up and the first position in one piece",
        source=Source("On the socket", "with no length prefix and no separator"),
        expected="A <void/> to the position, which has come with the answer to the sign-up.",
        hint="Often what stands behind the first element that was read is thrown away.",
        about=BEGUN,
        script=script(rulebook, lone_tiles(rulebook)),
        manner=Manner(glued=True),
    )
