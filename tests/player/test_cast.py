"""The misbehaving cast as data: who is in it, under which rulebooks, and what for.

``cast.txt`` has them all; ``python tests/player/test_cast.py`` writes it again. What each of them
does is judged elsewhere, by the protocol and the rules; here a member can only come or go.
"""

from pathlib import Path

from loops import for_each

from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, REVISED, RULEBOOKS, WIKIPEDIA
from acquire.game.violation import Violation
from acquire.player.misbehaving.cast import all_members, cast_for, steps_for
from acquire.player.misbehaving.wire_faults import broken_answers
from acquire.protocol.faults import Reason

FILE = Path(__file__).with_name("cast.txt")
V = Violation
every_rulebook = for_each("rulebook", RULEBOOKS.values(), ids=lambda r: r.id)

_NO_RULE_OF_THE_DIALECT = {
    V.TOO_MANY,  # the schema refuses four certificates
    *(V.SAFE_MERGER, V.BESIDE_LOOSE, V.KEEP_COUNT, V.MIXED_ORDER),
}
CANNOT_BE_BROKEN = {
    REVISED: {
        V.TOO_MANY,  # the schema refuses three certificates
        V.EIGHTH_HOTEL,  # it is not founded, but nothing is refused
        *(V.TWO_SAFE, V.WRONG_EQUALS, V.PLACEMENT_DUE, V.OTHER_TILE, V.ODD_TRADE, V.NOT_OWNED),
        *(V.TRADE_TOO_LARGE, V.NOT_OVER),
    },
    CLASSIC: _NO_RULE_OF_THE_DIALECT,
    **dict.fromkeys((CORPORATIONS, WIKIPEDIA, DIGEST), _NO_RULE_OF_THE_DIALECT | {V.OTHER_TILE}),
}
"""The rules that no answer of a player can break, by rulebook."""


def listed() -> str:
    """Every member in a line: its rulebooks, why it has to be ejected, and what it does."""
    lines = []
    for name, member in all_members().items():
        under = [rulebook.id for rulebook in RULEBOOKS.values() if name in cast_for(rulebook)]
        books = "all" if len(under) == len(RULEBOOKS) else " ".join(under)
        broken = "" if member.violation is None else f", {member.violation.value}"
        lines.append(f"{name} ({books}): {member.reason.value}{broken}. {member.description}")
    return "\n".join([*lines, ""])


def test_cast_is_as_listed() -> None:
    assert listed() == FILE.read_text()


@every_rulebook
def test_every_fault_is_in_the_cast_of_some_rulebook_and_every_rule_in_its_own(
    rulebook: Rulebook,
) -> None:
    ways = {member.way for member in all_members().values()}
    assert {way.name for way in broken_answers(lambda _: True)} <= ways
    broken = {member.violation for member in cast_for(rulebook).values()} - {None}
    assert broken == {*Violation} - CANNOT_BE_BROKEN[rulebook]
    reasons = {member.reason for member in cast_for(rulebook).values()}
    assert reasons == {*Reason} - {Reason.NO_SEAT, Reason.INTERRUPTED}, "no fault of a player"


@every_rulebook
def test_a_name_says_step_and_way_and_means_the_same_under_every_rulebook(
    rulebook: Rulebook,
) -> None:
    """So a name tells what to expect, and ``--cast`` has one line for it."""
    for name, member in cast_for(rulebook).items():
        assert name == member.name == f"{member.step.name}-{member.way}"
        assert member.step in steps_for(rulebook)
        assert (member.reason is Reason.ILLEGAL) is (member.violation is not None), name
        first = all_members()[name]
        same = (first.reason, first.violation, first.description)
        assert (member.reason, member.violation, member.description) == same, name


if __name__ == "__main__":
    FILE.write_text(listed())
