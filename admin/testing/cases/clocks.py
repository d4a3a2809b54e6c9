"""The clocks: waiting for others, and answering in time."""

from functools import partial

from ....game.rulebook import DisposalRule
from ..case_parts.case import CaseSource
from ..case_parts.case_row import CaseRow
from ..case_parts.lone_tiles import (
    FIRST_LONE,
    LONE,
    LONE_DRAWS,
    LOOSE_TILES,
    SECOND_LONE,
    lone_tiles,
)
from ..case_parts.scenario import Scenario
from .framing import ALL_MERGE, MERGING_BOARD

OTHERS_THINK = 2.5
"""Seconds that an opponent takes for a turn, while the player waits."""
TURNS = 30
"""Turns without a pause; a third of them are the player's."""

REPLY = CaseSource("The clocks", "the answer to `state`, `keep`, `tile` and `score`")
TURN = CaseSource(
    "The clocks",
    "all the mover's thinking in one turn: the answers to `turn` and to `players` together",
)

_in_anothers_turn = partial(
    CaseRow,
    "asked-in-anothers-turn",
    "Another player thinks and merges, and you are asked",
    scenario=Scenario(
        MERGING_BOARD + "ann 1B 2B 3B 4B 5B 6B S2 C2 | player S3 A1 | bob A2", think_time=0.5
    ),
    hint="expecting questions only on your turn.",
)

CASES = (
    CaseRow(
        "before-the-match",
        "Three seconds until the game begins",
        CaseSource("The conversation", "Then wait, possibly for minutes"),
        lone_tiles(),
        expected="Send nothing until the first position arrives, then <void/>.",
        hint="giving up reading after a second or two. Read without a time limit.",
        tested="signup setup",
        must_answer="setup",
        pause=3.0,
    ),
    CaseRow(
        "others-think",
        f"Another player thinks for {OTHERS_THINK:g} seconds",
        TURN,
        Scenario(
            LOOSE_TILES + f"ann {FIRST_LONE} | {LONE} | bob", turns=2, think_time=OTHERS_THINK
        ),
        expected="Send nothing until the next question arrives, then answer it.",
        hint="giving up reading after a second or two. Read without a time limit.",
        tested="state turn",
    ),
    _in_anothers_turn(
        source=REPLY,
        expected="Answer <keep> within a second.",
        tested="keep",
        when=DisposalRule.KEEP_OR_RETURN,
    ),
    _in_anothers_turn(
        source=CaseSource("The conversation as one picture", "`--reply-timeout`"),
        expected="Answer <dispose> within a second.",
        tested="dispose",
        when=DisposalRule.HOLD_SELL_TRADE,
    ),
    CaseRow(
        "much-to-choose",
        "Many legal moves",
        TURN,
        """
        AAA.SSS.....
        ............
        .o.FFF.III..
        ............
        o...WW.....o
        ............
        ..o......o..
        player 4A 7C 1D 2D 11E 10F S2 A3 I2 W1 | ann S3 F2 I2 | bob A3 F2 W4
        """,
        expected="Answer <turn> well within the limit; you can found, merge and buy.",
        hint="searching all moves to the end. Search fewer, or stop after some time.",
    ),
    CaseRow(
        "merger",
        "One clock for the merger and the order after it",
        TURN,
        ALL_MERGE,
        expected="Send the placement, and afterwards the order, both within the time of one turn.",
        hint="using the time of a whole turn for each answer.",
        tested="turn players",
    ),
    CaseRow(
        "quick-turns",
        "Thirty turns without a pause",
        CaseSource("In one minute", "From then on the referee asks"),
        Scenario(
            LOOSE_TILES + f"{LONE} | ann {FIRST_LONE} | bob {SECOND_LONE}",
            bag_top=LONE_DRAWS,
            turns=TURNS,
        ),
        expected="Answer every question as fast as it comes.",
        hint="letting something pile up, such as stored positions, nested calls or unread output.",
        tested="turn tile state",
    ),
)
