"""Signing up: who sends first, the given name, and the wait until the game begins."""

from ..case_parts.case import CaseSource
from ..case_parts.case_row import CaseRow
from ..case_parts.lone_tiles import FIRST_LONE, LONE, LOOSE_TILES, SECOND_LONE, lone_tiles
from ..case_parts.scenario import Scenario
from ..trial.wire import Delivery

GIVEN = CaseSource(
    "The conversation", "the one you asked for, or with a suffix (`alice-2`) if it is taken"
)
ASKED_FOR = "ann"
"""A name that an opponent already has."""

CASES = (
    CaseRow(
        "speaks-first",
        "The player speaks first",
        CaseSource("In one minute", "speaks first: it signs up"),
        lone_tiles(),
        expected="Send <signup> with the name that was given to the program, as soon as it is "
        "connected.",
        hint="waiting for a greeting, or not flushing the output.",
        tested="signup",
        turns=0,
    ),
    CaseRow(
        "suffix",
        "The name is taken, and the player is given a suffix",
        GIVEN,
        lone_tiles(ASKED_FOR, "bob"),
        expected=f"A move by {ASKED_FOR}-2, with a tile from the hand of {ASKED_FOR}-2.",
        hint="looking for the requested name in positions, not for the one in the answer.",
        tested="setup turn",
        name=ASKED_FOR,
    ),
    CaseRow(
        "another-suffix",
        "The name is taken twice, and its two owners move first",
        GIVEN,
        Scenario(
            LOOSE_TILES + f"{ASKED_FOR} {FIRST_LONE} | {ASKED_FOR}-2 {SECOND_LONE} | {LONE} | bob",
            turns=3,
        ),
        expected=f"Wait until {ASKED_FOR}-3 is asked to move, then place a tile from its own hand.",
        hint="cutting off or guessing the suffix, and not reading the name in the answer.",
        tested="setup turn",
        name=ASKED_FOR,
    ),
    CaseRow(
        "silence",
        "Silence until the game begins",
        CaseSource("The conversation", "Send nothing until then."),
        lone_tiles(),
        expected="Send nothing in the 1.5 seconds between the answer to the sign-up and the game.",
        hint="answering the answer to the sign-up with <void/>.",
        tested="signup",
        must_answer="setup",
        pause=1.5,
    ),
    CaseRow(
        "glued",
        "The answer to the sign-up and the first position in one piece",
        CaseSource("On the socket", "with no length prefix and no separator"),
        lone_tiles(),
        expected="Answer <void/> to the position, which arrived together with the answer to "
        "the sign-up.",
        hint="discarding what follows the first element that was read.",
        tested="setup",
        delivery=Delivery(join_sign_up=True),
    ),
)
