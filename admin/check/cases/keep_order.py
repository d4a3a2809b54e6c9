"""Whether the answers of a *keep* are in the order asked: a reversed list is legal as well.

A player is asked about two hotels one by one, then about both. Who decides by the hotel says the
same each time.
"""

from collections.abc import Iterator, Sequence

from admin.check.case import Case, section
from admin.check.cases.keeping import ONE_FOR_EACH
from admin.check.scene import hotel_name, scene, script
from game.rulebook import DisposalRule, Rulebook
from protocol.messages import KeepAnswer, PlayerMessage

ROUNDS = 3
"""How often all three are asked: who decides by chance does not look reversed each time."""

MOVER = "ann 6A 9H 10H 11H 12H 12I S1 I1"
SEATS = (MOVER, "player S5 I1 $2000", "bob A3")

FIRST_ALONE = """
    SSSSS.......
    .....A......
    .....A.IIII.
    .....A.I....
    .....A......
    .....A......
    .....A......
    .....A......
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
    """


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the case, where a merger asks what is kept."""
    if rulebook.disposal is not DisposalRule.KEEP_OR_RETURN:
        return
    parts = [scene(rulebook, drawing, *SEATS) for drawing in (FIRST_ALONE, SECOND_ALONE, BOTH)]
    names = [hotel_name(rulebook, letter) for letter in "SI"]
    asked = sorted(names)  # they are of one size
    yield Case(
        section=section("disposal"),
        slug="order-of-answers",
        title="Two hotels one by one, then both",
        source=ONE_FOR_EACH,
        expected=f"The answers for {asked[0]} and {asked[1]} in the order of the question, as when "
        "each was asked about alone.",
        hint="Often the list of answers is built from its end, or sorted in another way.",
        about=frozenset({"keep"}),
        script=script(rulebook, *parts * ROUNDS),
        look=lambda answers: looks_reversed(answers, swapped=asked != names),
    )


def looks_reversed(answers: Sequence[PlayerMessage], *, swapped: bool) -> str:
    """Say when each answer for both hotels is the reverse of those for one.

    ``swapped`` says that both are asked about in the other order than one by one.
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
        "It kept one of two hotels when it was asked about each, and the other one when it was "
        "asked about both: is the list of answers reversed?"
    )
