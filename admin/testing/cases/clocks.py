"""The clocks: waiting for others, and answering in time."""

from collections.abc import Iterator

from ....game.rulebook import DisposalRule, Rulebook
from ...refereeing.play.referee import Segment
from ..case_parts.case import Case, CaseSource, section
from ..case_parts.lone_tiles import (
    FIRST_LONE,
    LONE,
    LOOSE_TILES,
    SECOND_LONE,
    with_lone_draws,
)
from ..case_parts.position_text import make_script, parse_position
from .framing import PARALLEL, all_merge

CLOCKS = section("clocks")
OTHERS_THINK = 2.5
"""Seconds that an opponent takes for a turn, while the player waits."""
TURNS = 30
"""Turns without a pause; a third of them are the player's."""

REPLY = CaseSource("The clocks", "the answer to `state`, `keep`, `tile` and `score`")
TURN = CaseSource(
    "The clocks",
    "all the mover's thinking in one turn: the answers to `turn` and to `players` together",
)

MUCH_TO_CHOOSE = """
    AAA.SSS.....
    ............
    .o.FFF.III..
    ............
    o...WW.....o
    ............
    ..o......o..
"""


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this section."""
    yield from _waiting(rulebook)
    yield from _answering(rulebook)


def _waiting(rulebook: Rulebook) -> Iterator[Case]:
    yield Case(
        section=CLOCKS,
        slug="before-the-match",
        title="Three seconds until the game begins",
        source=CaseSource("The conversation", "Then wait, possibly for minutes"),
        expected="Send nothing until the first position arrives, then <void/>.",
        hint="giving up reading after a second or two. Read without a time limit.",
        tested=frozenset({"signup", "setup"}),
        must_answer=frozenset({"setup"}),
        script=make_script(rulebook, parse_position(rulebook, LOOSE_TILES, LONE, "ann", "bob")),
        pause=3.0,
    )
    seats = f"ann {FIRST_LONE}", LONE, "bob"
    yield Case(
        section=CLOCKS,
        slug="others-think",
        title=f"Another player thinks for {OTHERS_THINK:g} seconds",
        source=TURN,
        expected="Send nothing until the next question arrives, then answer it.",
        hint="giving up reading after a second or two. Read without a time limit.",
        tested=frozenset({"state", "turn"}),
        script=make_script(
            rulebook,
            Segment(parse_position(rulebook, LOOSE_TILES, *seats), 2),
            think_time=OTHERS_THINK,
        ),
    )
    yield _anothers_merger(rulebook)


def _anothers_merger(rulebook: Rulebook) -> Case:
    """Make the case of a question in another player's turn."""
    tag, source = "keep", REPLY
    if rulebook.disposal is DisposalRule.HOLD_SELL_TRADE:
        tag, source = "dispose", CaseSource("The conversation as one picture", "`--reply-timeout`")
    seats = "ann 1B 2B 3B 4B 5B 6B S2 C2", "player S3 A1", "bob A2"
    return Case(
        section=CLOCKS,
        slug="asked-in-anothers-turn",
        title="Another player thinks and merges, and you are asked",
        source=source,
        expected=f"Answer <{tag}> within a second.",
        hint="expecting questions only on your turn.",
        tested=frozenset({tag}),
        script=make_script(rulebook, parse_position(rulebook, PARALLEL, *seats), think_time=0.5),
    )


def _answering(rulebook: Rulebook) -> Iterator[Case]:
    seats = "player 4A 7C 1D 2D 11E 10F S2 A3 I2 W1", "ann S3 F2 I2", "bob A3 F2 W4"
    yield Case(
        section=CLOCKS,
        slug="much-to-choose",
        title="Many legal moves",
        source=TURN,
        expected="Answer <turn> well within the limit; you can found, merge and buy.",
        hint="searching all moves to the end. Search fewer, or stop after some time.",
        tested=frozenset({"turn"}),
        script=make_script(rulebook, parse_position(rulebook, MUCH_TO_CHOOSE, *seats)),
    )
    yield Case(
        section=CLOCKS,
        slug="merger",
        title="One clock for the merger and the order after it",
        source=TURN,
        expected="Send the placement, and afterwards the order, both within the time of one turn.",
        hint="using the time of a whole turn for each answer.",
        tested=frozenset({"turn", "players"}),
        script=make_script(rulebook, all_merge(rulebook)),
    )
    seats = LONE, f"ann {FIRST_LONE}", f"bob {SECOND_LONE}"
    state = with_lone_draws(parse_position(rulebook, LOOSE_TILES, *seats))
    yield Case(
        section=CLOCKS,
        slug="quick-turns",
        title="Thirty turns without a pause",
        source=CaseSource("In one minute", "From then on the referee asks"),
        expected="Answer every question as fast as it comes.",
        hint="letting something pile up, such as stored positions, nested calls or unread output.",
        tested=frozenset({"turn", "tile", "state"}),
        script=make_script(rulebook, Segment(state, TURNS)),
    )
