"""Whether the answers to <keep> are in the order of the question: a reversed list is legal too.

Choices are not judged, for any legal choice is right. This is the one exception: what is legal, but
hardly meant. The player is asked about two hotels one by one, then about both; a player that
decides by hotel gives the same answers each time.
"""

from collections.abc import Sequence
from functools import partial

from ....game.rulebook import DisposalRule, Rulebook
from ....protocol.messages import KeepAnswer, PlayerMessage
from ..case_parts.case_row import CaseRow
from ..case_parts.position_text import Words
from ..case_parts.scenario import Scenario
from .keeping import ONE_FOR_EACH

ROUNDS = 3
"""How often the three are repeated, so that a player that decides at random is not suspected."""

SEATS = "ann 6A 9H 10H 11H 12H 12I S1 I1 | player S5 I1 $2000 | bob A3"

# Tower is never safe, so that nobody can declare the end, whatever the rulebook.
FIRST_ALONE = """
    SSSSS.......
    .....A......
    .....A.IIII.
    .....A.I....
    .....A......
    .....A......
    .....A......
    .....A......
    TT..........
    """
SECOND_ALONE = """
    ......IIIII.
    .....A......
    SSSS.A......
    S....A......
    .....A......
    .....A......
    .....A......
    .....A......
    TT..........
    """
BOTH = """
    SSSSS.IIIII.
    .....A......
    .....A......
    .....A......
    .....A......
    .....A......
    .....A......
    .....A......
    TT..........
    """


def looks_reversed(answers: Sequence[PlayerMessage], *, swapped: bool) -> str:
    """Return a warning if each answer for both hotels is the reverse of those for one.

    ``swapped``: the question about both has them in the other order than one by one.
    """
    kept = [answer.decisions for answer in answers if isinstance(answer, KeepAnswer)]
    rounds = [kept[start : start + 3] for start in range(0, len(kept), 3)]
    if len(rounds) < ROUNDS:
        return ""
    for (first,), (second,), both in rounds:
        right = (second, first) if swapped else (first, second)
        if first == second or both != right[::-1]:
            return ""
    return (
        "It kept one of two hotels when asked about each, but the other one when asked about "
        "both. Is the list of answers reversed?"
    )


def _is_asked(rulebook: Rulebook, *, swapped: bool) -> bool:
    """Whether mergers ask <keep>, and list the two hotels, of equal size, in this order."""
    words = Words(rulebook)
    asks = rulebook.disposal is DisposalRule.KEEP_OR_RETURN
    return asks and swapped is (str(words["I"]) < str(words["S"]))


_PARTS = [board + SEATS for board in (FIRST_ALONE, SECOND_ALONE, BOTH)] * ROUNDS

CASES = tuple(
    CaseRow(
        "order-of-answers",
        "Two hotels one by one, then both",
        ONE_FOR_EACH,
        Scenario(_PARTS[0], later=tuple(map(Scenario, _PARTS[1:]))),
        expected=f"Answer for {asked} in the order of the question, as when each was asked alone.",
        hint="building the list of answers from its end, or sorting it.",
        tested="keep",
        inspect=partial(looks_reversed, swapped=swapped),
        when=partial(_is_asked, swapped=swapped),
    )
    for asked, swapped in (("{S} and {I}", False), ("{I} and {S}", True))
)
