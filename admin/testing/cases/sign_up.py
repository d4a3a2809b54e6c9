"""Signing up: who sends first, the given name, and the wait until the game begins."""

from collections.abc import Iterator

from ....game.rulebook import Rulebook
from ....game.state import State
from ...refereeing.play.referee import Segment
from ..case_parts.case import Case, CaseSource, section
from ..case_parts.lone_tiles import (
    FIRST_LONE,
    LONE,
    LOOSE_TILES,
    SECOND_LONE,
    lone_tiles,
)
from ..case_parts.position_text import make_script, parse_position
from ..trial.wire import Delivery

SIGN_UP = section("sign-up")
SIGNING_UP = frozenset({"signup"})
BEGUN = frozenset({"setup"})
WHOSE_TURN = frozenset({"setup", "turn"})

GIVEN = CaseSource(
    "The conversation", "the one you asked for, or with a suffix (`alice-2`) if it is taken"
)
ASKED_FOR = "ann"
"""A name that an opponent already has."""


def after_namesakes(rulebook: Rulebook) -> State:
    """Return a position in which the owners of the taken names move first.

    No two tiles are adjacent, so no hotel is founded.
    """
    first, second = f"{ASKED_FOR} {FIRST_LONE}", f"{ASKED_FOR}-2 {SECOND_LONE}"
    return parse_position(rulebook, LOOSE_TILES, first, second, LONE, "bob")


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this section."""
    yield Case(
        section=SIGN_UP,
        slug="speaks-first",
        title="The player speaks first",
        source=CaseSource("In one minute", "speaks first: it signs up"),
        expected="Send <signup> with the name that was given to the program, as soon as it is "
        "connected.",
        hint="waiting for a greeting, or not flushing the output.",
        tested=SIGNING_UP,
        turns=0,
        script=make_script(rulebook, lone_tiles(rulebook)),
    )
    yield Case(
        section=SIGN_UP,
        slug="suffix",
        title="The name is taken, and the player is given a suffix",
        source=GIVEN,
        expected=f"A move by {ASKED_FOR}-2, with a tile from the hand of {ASKED_FOR}-2.",
        hint="looking for the requested name in positions, not for the one in the answer.",
        tested=WHOSE_TURN,
        script=make_script(rulebook, lone_tiles(rulebook, ASKED_FOR, "bob")),
        name=ASKED_FOR,
    )
    yield Case(
        section=SIGN_UP,
        slug="another-suffix",
        title="The name is taken twice, and its two owners move first",
        source=GIVEN,
        expected=f"Wait until {ASKED_FOR}-3 is asked to move, then place a tile from its own hand.",
        hint="cutting off or guessing the suffix, and not reading the name in the answer.",
        tested=WHOSE_TURN,
        script=make_script(rulebook, Segment(after_namesakes(rulebook), 3)),
        name=ASKED_FOR,
    )
    yield Case(
        section=SIGN_UP,
        slug="silence",
        title="Silence until the game begins",
        source=CaseSource("The conversation", "Send nothing until then."),
        expected="Send nothing in the 1.5 seconds between the answer to the sign-up and the game.",
        hint="answering the answer to the sign-up with <void/>.",
        tested=SIGNING_UP,
        must_answer=BEGUN,
        script=make_script(rulebook, lone_tiles(rulebook)),
        pause=1.5,
    )
    yield Case(
        section=SIGN_UP,
        slug="glued",
        title="The answer to the sign-up and the first position in one piece",
        source=CaseSource("On the socket", "with no length prefix and no separator"),
        expected="Answer <void/> to the position, which arrived together with the answer to "
        "the sign-up.",
        hint="discarding what follows the first element that was read.",
        tested=BEGUN,
        script=make_script(rulebook, lone_tiles(rulebook)),
        delivery=Delivery(join_sign_up=True),
    )
