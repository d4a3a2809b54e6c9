"""Certificates of acquired hotels, kept or returned: where mergers ask <keep>."""

from functools import partial

from ....game.rulebook import DisposalRule
from ..case_parts.acquisitions import (
    CONVERSATION,
    MOVER_LEAVES,
    ONE,
    OPPONENT_LEAVES,
    THREE,
    TWO,
    TWO_TURNS,
    UNDONE,
    merger_turn,
)
from ..case_parts.case import CaseSource
from ..case_parts.case_row import CaseRow

ALL_ASKED = CaseSource(
    CONVERSATION,
    "is asked about the acquired hotels, including players who hold none of their certificates",
)
ONE_FOR_EACH = CaseSource(
    CONVERSATION,
    "The answer has one `<true/>` (keep all) or `<false/>` (return all at the price before the "
    "merger) for each hotel, in the same order",
)
IN_ORDER = CaseSource(CONVERSATION, "The hotels are listed by falling size, equals by name.")
GOES_ON = CaseSource(CONVERSATION, "the merger goes on without it")
AT_MOST_TWO = "assuming that at most two hotels can be acquired at once."

_row = partial(CaseRow, tested="keep", when=DisposalRule.KEEP_OR_RETURN)

AS_MOVER = (
    _row(
        "mover-one",
        "Your own merger: one hotel is acquired",
        ONE_FOR_EACH,
        merger_turn(ONE, "player S4 A1 $2000 | ann S2 A3 | bob A2 T3"),
        expected="Answer <keep> with one <true/> or <false/>, for {S}.",
        hint="answering <void/>, or repeating the hotel in the answer.",
    ),
    _row(
        "mover-none",
        "Your own merger, without certificates of the acquired hotel",
        ALL_ASKED,
        merger_turn(ONE, "player A4 $2000 | ann S2 A3 | bob A2 T3"),
        expected="Answer <keep> with one <true/> or <false/>, for {S}, though you hold none.",
        hint="waiting for <players>, since there is nothing to keep.",
    ),
    _row(
        "mover-two",
        "Your own merger: two hotels are acquired",
        IN_ORDER,
        merger_turn(TWO, "player A3 F2 W1 I2 $2000 | ann A3 T3 S2 | bob F4 I3 W2"),
        expected="Answer <keep> with two elements, in the order of the question.",
        hint="giving one answer for all hotels together.",
    ),
    _row(
        "mover-three",
        "Your own merger: three hotels are acquired",
        IN_ORDER,
        merger_turn(THREE, "player A3 C2 W1 I2 $2000 | ann A1 T3 S2 | bob F4 I3 W2"),
        expected="Answer <keep> with three elements, in the order of the question.",
        hint=AT_MOST_TWO,
    ),
    _row(
        "all-certificates",
        "All 25 certificates of the acquired hotel",
        ONE_FOR_EACH,
        merger_turn(ONE, "player S25 A1 $400 | ann A3 | bob A2 T3"),
        expected="Answer <keep> with one <true/> or <false/>, for all 25 of {S}.",
        hint="looking for a second holder to get the minority bonus.",
    ),
)

AS_BYSTANDER = (
    _row(
        "bystander",
        "Another player's merger",
        ALL_ASKED,
        merger_turn(ONE, "ann S2 A3 | player S4 A1 $2000 | bob A2 T3"),
        expected="Answer <keep> with one <true/> or <false/>, for {S}.",
        hint="answering <keep> only in your own mergers.",
    ),
    _row(
        "bystander-none",
        "Another player's merger, without certificates of the acquired hotel",
        ALL_ASKED,
        merger_turn(ONE, "ann S2 A3 | player T2 $2000 | bob A2 T3"),
        expected="Answer <keep> with one <true/> or <false/>, for {S}, though you hold none.",
        hint="expecting the question only if you hold certificates.",
    ),
    _row(
        "bystander-last",
        "Two hotels, and you are the last of six to be asked",
        IN_ORDER,
        merger_turn(
            TWO, "ann A3 T3 | bob F4 I3 | cyd W2 S2 | dan A1 W4 | eve S3 | player F2 A2 $900"
        ),
        expected="Answer <keep> with two elements: {F} comes first, as it is larger than {A}.",
        hint="answering late, or giving one answer for all hotels together.",
    ),
    _row(
        "bystander-three",
        "Another player's merger: three hotels are acquired",
        IN_ORDER,
        merger_turn(THREE, "ann A3 T3 S2 | bob F4 C3 W2 | player A2 C1 S5 $900"),
        expected="Answer <keep> with three elements: for {S}, then for {A} and {C}, which are "
        "smaller.",
        hint=AT_MOST_TWO,
    ),
)

AMONG_UNUSUAL_EVENTS = (
    _row(
        "twice",
        "Two mergers of other players in a row",
        ONE_FOR_EACH,
        TWO_TURNS,
        expected="Answer <keep> with one element in each turn: for {S}, then for {I}.",
        hint="remembering the first merger, and answering that question again.",
    ),
    _row(
        "mover-leaves",
        "The mover is ejected after you have answered",
        UNDONE,
        MOVER_LEAVES,
        expected="<turn> follows your answer to <keep>: send a bare placement that names {A}, "
        "because {S} is back.",
        hint="not removing the undone merger from a board of your own.",
        tested="keep turn",
    ),
    _row(
        "bystander-leaves",
        "Another player is ejected when asked before you",
        GOES_ON,
        OPPONENT_LEAVES,
        expected="Answer <keep> with one element for {S}, and <void/> to a <state> with two "
        "players.",
        hint="expecting the same number of players in every position.",
        tested="keep state",
    ),
)

CASES = AS_MOVER + AS_BYSTANDER + AMONG_UNUSUAL_EVENTS
