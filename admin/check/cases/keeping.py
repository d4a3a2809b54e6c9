"""Certificates of acquired hotels, kept or returned."""

from collections.abc import Iterator

from admin.check.acquisitions import (
    CONVERSATION,
    ONE,
    THREE,
    TWO,
    UNDONE,
    bystander_leaves,
    case,
    mover_leaves,
    names,
    turn,
    two_turns,
)
from admin.check.case import Case, Source
from game.rulebook import DisposalRule, Rulebook

EVERYBODY = Source(
    CONVERSATION,
    "is asked about the acquired hotels, including players who hold none of their certificates",
)
ONE_FOR_EACH = Source(
    CONVERSATION,
    "The answer has one `<true/>` (keep all) or `<false/>` (return all at the price before the "
    "merger) for each hotel, in the same order",
)
IN_ORDER = Source(CONVERSATION, "The hotels are listed by falling size, equals by name.")
GOES_ON = Source(CONVERSATION, "the merger goes on without it")


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of rulebooks whose mergers ask what is kept."""
    if rulebook.disposal is DisposalRule.KEEP_OR_RETURN:
        yield from _as_mover(rulebook)
        yield from _as_bystander(rulebook)
        yield from _in_odd_company(rulebook)


def _as_mover(rulebook: Rulebook) -> Iterator[Case]:
    tell = names(rulebook)
    yield case(
        turn(rulebook, ONE, "player S4 A1 $2000", "ann S2 A3", "bob A2 T3"),
        "mover-one",
        "Your own merger: one hotel is acquired",
        ONE_FOR_EACH,
        tell("A <keep> with one <true/> or <false/>, for {S}."),
        "Often <void/> is answered, or the answer names the hotel again.",
        "keep",
    )
    yield case(
        turn(rulebook, ONE, "player A4 $2000", "ann S2 A3", "bob A2 T3"),
        "mover-none",
        "Your own merger, and no certificates of the hotel",
        EVERYBODY,
        tell("A <keep> with one <true/> or <false/>, for {S}, though none is held."),
        "Often <players> is waited for, since there is nothing to keep.",
        "keep",
    )
    yield case(
        turn(rulebook, TWO, "player A3 F2 W1 I2 $2000", "ann A3 T3 S2", "bob F4 I3 W2"),
        "mover-two",
        "Your own merger: two hotels are acquired",
        IN_ORDER,
        "A <keep> with two answers, in the order of the question.",
        "Often one answer is given for all hotels together.",
        "keep",
    )
    yield case(
        turn(rulebook, THREE, "player A3 C2 W1 I2 $2000", "ann A1 T3 S2", "bob F4 I3 W2"),
        "mover-three",
        "Your own merger: three hotels are acquired",
        IN_ORDER,
        "A <keep> with three answers, in the order of the question.",
        "Often two hotels are thought to be the most that can be acquired at once.",
        "keep",
    )
    yield case(
        turn(rulebook, ONE, "player S25 A1 $400", "ann A3", "bob A2 T3"),
        "all-certificates",
        "All 25 certificates of the hotel",
        ONE_FOR_EACH,
        tell("A <keep> with one <true/> or <false/>, for all 25 of {S}."),
        "Often the second holder of a bonus is looked for, and there is none.",
        "keep",
    )


def _as_bystander(rulebook: Rulebook) -> Iterator[Case]:
    tell = names(rulebook)
    yield case(
        turn(rulebook, ONE, "ann S2 A3", "player S4 A1 $2000", "bob A2 T3"),
        "bystander",
        "Another's merger",
        EVERYBODY,
        tell("A <keep> with one <true/> or <false/>, for {S}."),
        "Often <keep> is answered only after a merger of one's own.",
        "keep",
    )
    yield case(
        turn(rulebook, ONE, "ann S2 A3", "player T2 $2000", "bob A2 T3"),
        "bystander-none",
        "Another's merger, and no certificates of the hotels",
        EVERYBODY,
        tell("A <keep> with one <true/> or <false/>, for {S}, though none is held."),
        "Often only those who hold certificates are expected to be asked.",
        "keep",
    )
    yield case(
        turn(
            rulebook,
            TWO,
            *("ann A3 T3", "bob F4 I3", "cyd W2 S2", "dan A1 W4", "eve S3", "player F2 A2 $900"),
        ),
        "bystander-last",
        "Two hotels, and the last of six to be asked",
        IN_ORDER,
        tell("A <keep> with two answers: {F} stands first, which is larger than {A}."),
        "Often the reply is late, or one answer is given for all hotels together.",
        "keep",
    )
    yield case(
        turn(rulebook, THREE, "ann A3 T3 S2", "bob F4 C3 W2", "player A2 C1 S5 $900"),
        "bystander-three",
        "Another's merger: three hotels are acquired",
        IN_ORDER,
        tell("A <keep> with three answers: for {S}, and for {A} and {C}, which are smaller."),
        "Often two hotels are thought to be the most that can be acquired at once.",
        "keep",
    )


def _in_odd_company(rulebook: Rulebook) -> Iterator[Case]:
    tell = names(rulebook)
    yield case(
        two_turns(rulebook),
        "twice",
        "Two mergers of others, one after the other",
        ONE_FOR_EACH,
        tell("A <keep> with one answer in each turn: for {S}, then for {I}."),
        "Often what was asked in the first merger is kept in mind, and answered again.",
        "keep",
    )
    yield case(
        mover_leaves(rulebook),
        "mover-leaves",
        "The mover is ejected after you have answered",
        UNDONE,
        tell(
            "After <keep> comes <turn>: a placement alone that names {A}, for {S} is there again."
        ),
        "Often the merger that was undone is still on the program's own board.",
        *("keep", "turn"),
    )
    yield case(
        bystander_leaves(rulebook, "keep"),
        "bystander-leaves",
        "Another is ejected when asked before you",
        GOES_ON,
        tell("A <keep> with one answer for {S}, and <void/> to a <state> of two players."),
        "Often as many players are expected in each position as in the first.",
        *("keep", "state"),
    )
