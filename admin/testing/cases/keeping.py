"""Certificates of acquired hotels, kept or returned."""

from collections.abc import Iterator

from ....game.rulebook import DisposalRule, Rulebook
from ..case_parts.acquisitions import (
    CONVERSATION,
    ONE,
    THREE,
    TWO,
    UNDONE,
    disposal_case,
    hotel_names,
    merger_turn,
    mover_leaves,
    opponent_leaves,
    two_turns,
)
from ..case_parts.case import Case, CaseSource

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


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases if mergers ask <keep>."""
    if rulebook.disposal is DisposalRule.KEEP_OR_RETURN:
        yield from _as_mover(rulebook)
        yield from _as_bystander(rulebook)
        yield from _among_unusual_events(rulebook)


def _as_mover(rulebook: Rulebook) -> Iterator[Case]:
    with_names = hotel_names(rulebook)
    yield disposal_case(
        merger_turn(rulebook, ONE, "player S4 A1 $2000", "ann S2 A3", "bob A2 T3"),
        "mover-one",
        "Your own merger: one hotel is acquired",
        ONE_FOR_EACH,
        with_names("Answer <keep> with one <true/> or <false/>, for {S}."),
        "answering <void/>, or repeating the hotel in the answer.",
        "keep",
    )
    yield disposal_case(
        merger_turn(rulebook, ONE, "player A4 $2000", "ann S2 A3", "bob A2 T3"),
        "mover-none",
        "Your own merger, without certificates of the acquired hotel",
        ALL_ASKED,
        with_names("Answer <keep> with one <true/> or <false/>, for {S}, though you hold none."),
        "waiting for <players>, since there is nothing to keep.",
        "keep",
    )
    yield disposal_case(
        merger_turn(rulebook, TWO, "player A3 F2 W1 I2 $2000", "ann A3 T3 S2", "bob F4 I3 W2"),
        "mover-two",
        "Your own merger: two hotels are acquired",
        IN_ORDER,
        "Answer <keep> with two elements, in the order of the question.",
        "giving one answer for all hotels together.",
        "keep",
    )
    yield disposal_case(
        merger_turn(rulebook, THREE, "player A3 C2 W1 I2 $2000", "ann A1 T3 S2", "bob F4 I3 W2"),
        "mover-three",
        "Your own merger: three hotels are acquired",
        IN_ORDER,
        "Answer <keep> with three elements, in the order of the question.",
        "assuming that at most two hotels can be acquired at once.",
        "keep",
    )
    yield disposal_case(
        merger_turn(rulebook, ONE, "player S25 A1 $400", "ann A3", "bob A2 T3"),
        "all-certificates",
        "All 25 certificates of the acquired hotel",
        ONE_FOR_EACH,
        with_names("Answer <keep> with one <true/> or <false/>, for all 25 of {S}."),
        "looking for a second holder to get the minority bonus.",
        "keep",
    )


def _as_bystander(rulebook: Rulebook) -> Iterator[Case]:
    with_names = hotel_names(rulebook)
    yield disposal_case(
        merger_turn(rulebook, ONE, "ann S2 A3", "player S4 A1 $2000", "bob A2 T3"),
        "bystander",
        "Another player's merger",
        ALL_ASKED,
        with_names("Answer <keep> with one <true/> or <false/>, for {S}."),
        "answering <keep> only in your own mergers.",
        "keep",
    )
    yield disposal_case(
        merger_turn(rulebook, ONE, "ann S2 A3", "player T2 $2000", "bob A2 T3"),
        "bystander-none",
        "Another player's merger, without certificates of the acquired hotel",
        ALL_ASKED,
        with_names("Answer <keep> with one <true/> or <false/>, for {S}, though you hold none."),
        "expecting the question only if you hold certificates.",
        "keep",
    )
    yield disposal_case(
        merger_turn(
            rulebook,
            TWO,
            *("ann A3 T3", "bob F4 I3", "cyd W2 S2", "dan A1 W4", "eve S3", "player F2 A2 $900"),
        ),
        "bystander-last",
        "Two hotels, and you are the last of six to be asked",
        IN_ORDER,
        with_names("Answer <keep> with two elements: {F} comes first, as it is larger than {A}."),
        "answering late, or giving one answer for all hotels together.",
        "keep",
    )
    yield disposal_case(
        merger_turn(rulebook, THREE, "ann A3 T3 S2", "bob F4 C3 W2", "player A2 C1 S5 $900"),
        "bystander-three",
        "Another player's merger: three hotels are acquired",
        IN_ORDER,
        with_names(
            "Answer <keep> with three elements: for {S}, then for {A} and {C}, which are smaller."
        ),
        "assuming that at most two hotels can be acquired at once.",
        "keep",
    )


def _among_unusual_events(rulebook: Rulebook) -> Iterator[Case]:
    with_names = hotel_names(rulebook)
    yield disposal_case(
        two_turns(rulebook),
        "twice",
        "Two mergers of other players in a row",
        ONE_FOR_EACH,
        with_names("Answer <keep> with one element in each turn: for {S}, then for {I}."),
        "remembering the first merger, and answering that question again.",
        "keep",
    )
    yield disposal_case(
        mover_leaves(rulebook),
        "mover-leaves",
        "The mover is ejected after you have answered",
        UNDONE,
        with_names(
            "<turn> follows your answer to <keep>: send a bare placement that names {A}, "
            "because {S} is back."
        ),
        "not removing the undone merger from a board of your own.",
        *("keep", "turn"),
    )
    yield disposal_case(
        opponent_leaves(rulebook, "keep"),
        "bystander-leaves",
        "Another player is ejected when asked before you",
        GOES_ON,
        with_names(
            "Answer <keep> with one element for {S}, and <void/> to a <state> with two players."
        ),
        "expecting the same number of players in every position.",
        *("keep", "state"),
    )
