"""Whether the answers to <keep> are in the order of the question: a reversed list is legal too.

The player is asked about two hotels one by one, then about both. A player that decides by hotel
gives the same answers each time.
"""

from collections.abc import Iterator, Sequence

from ....game.rulebook import DisposalRule, Rulebook
from ....protocol.messages import KeepAnswer, PlayerMessage
from ..case_parts.case import Case, section
from ..case_parts.position_text import hotel_name, make_script, parse_position
from .keeping import ONE_FOR_EACH

ROUNDS = 3
"""How often the three are repeated, so that a player that decides at random is not suspected."""

MOVER = "ann 6A 9H 10H 11H 12H 12I S1 I1"
SEATS = (MOVER, "player S5 I1 $2000", "bob A3")

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


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the case if mergers ask <keep>."""
    if rulebook.disposal is not DisposalRule.KEEP_OR_RETURN:
        return
    parts = [
        parse_position(rulebook, drawing, *SEATS) for drawing in (FIRST_ALONE, SECOND_ALONE, BOTH)
    ]
    names = [hotel_name(rulebook, letter) for letter in "SI"]
    asked = sorted(names)  # of equal size
    yield Case(
        section=section("disposal"),
        slug="order-of-answers",
        title="Two hotels one by one, then both",
        source=ONE_FOR_EACH,
        expected=f"Answer for {asked[0]} and {asked[1]} in the order of the question, as when "
        "each was asked alone.",
        hint="building the list of answers from its end, or sorting it.",
        tested=frozenset({"keep"}),
        script=make_script(rulebook, *parts * ROUNDS),
        inspect=lambda answers: looks_reversed(answers, swapped=asked != names),
    )


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
