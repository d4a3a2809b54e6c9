"""The cases of signing up and of the first position: names, and what is shown.

Players that fail them are among the mistakes of ``mistakes.py``.
"""

from loops import for_each

from acquire.admin.testing.cases.case import Case
from acquire.admin.testing.cases.position_text import hotels
from acquire.game.placement import Placement, place
from acquire.game.purchase import verify_order
from acquire.game.rulebook import Assets, DeadTiles, Hands, Rulebook, with_hidden_assets
from acquire.game.rulebooks import REVISED
from acquire.game.tiles import tiles_in
from acquire.game.violation import Violation
from acquire.protocol.player_names import MAX_NAME, free_name
from check.rehearsal import EVERY, case_of, every_rulebook, first_position, section_of


def opponents(case: Case) -> list[str]:
    return [name for name in case.script.seats if name != case.script.subject]


def given_name(case: Case) -> str:
    """The name that the player is given."""
    return free_name(case.name, opponents(case))


TAKEN = {"suffix": "ann-2", "another-suffix": "ann-3"}


@every_rulebook
@for_each(("slug", "given"), TAKEN.items())
def test_suffix_is_given_because_opponents_have_the_name(
    rulebook: Rulebook, slug: str, given: str
) -> None:
    case = case_of(rulebook, f"sign-up/{slug}")
    assert case.name == "ann" and given_name(case) == given


HIDING = [with_hidden_assets(each) for each in EVERY if each.assets is Assets.OPTIONAL]


@for_each("rulebook", [*EVERY, *HIDING], ids=lambda each: f"{each.id}-{each.assets.value}")
def test_each_rulebook_has_the_cases_of_what_it_shows_and_hides(rulebook: Rulebook) -> None:
    slugs = section_of(rulebook, "set-up")
    assert ("open-hands" in slugs) == (rulebook.hands is Hands.OPEN)
    assert ("hidden-hands" in slugs) == (rulebook.hands is Hands.HIDDEN)
    assert ("hidden-assets" in slugs) == bool(rulebook.assets.hidden)
    assert ("set-aside" in slugs) == (rulebook.dead_tiles is DeadTiles.REPLACED)


@every_rulebook
def test_names_have_an_allowed_length_and_differ(rulebook: Rulebook) -> None:
    for slug, case in section_of(rulebook, "names").items():
        names = [given_name(case), *opponents(case)]
        assert all(0 < len(name) <= MAX_NAME for name in names), slug
        assert len(set(names)) == len(names), slug


def test_longest_names_have_the_greatest_length() -> None:
    section = section_of(REVISED, "names")
    alone, taken = section["longest"], section["longest-and-taken"]
    assert len(given_name(alone)) == MAX_NAME and given_name(alone) == alone.name
    assert len(given_name(taken)) == MAX_NAME and given_name(taken).endswith("-2")


@every_rulebook
def test_player_named_like_a_hotel_cannot_be_bought(rulebook: Rulebook) -> None:
    case = section_of(rulebook, "names")["hotels"]
    position = first_position(case)
    cheap = hotels(rulebook)["S"]
    assert rulebook.hotel_name(cheap) in opponents(case)
    for tile in tiles_in(position.mover.hand):
        illegal = verify_order(place(position, Placement(tile)), (cheap,))
        assert illegal is not None and illegal.violation is Violation.NO_PRICE
