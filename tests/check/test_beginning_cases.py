"""The cases of signing up and of the first position: names, and what is shown.

Players that fail at sign-up are among the mistakes of ``mistakes.py``.
"""

from loops import for_each

from acquire.admin.testing.judging.case_judge import judge
from acquire.admin.testing.judging.check_result import CaseVerdict
from acquire.game.placement import Placement
from acquire.game.rulebook import Assets, DeadTiles, Hands, Rulebook, with_hidden_assets
from acquire.game.rulebooks import CLASSIC, REVISED
from acquire.game.tiles import tiles_in
from acquire.player.strategies.simple import Ordered
from acquire.protocol import messages
from acquire.protocol.faults import Reason
from acquire.protocol.player_names import free_name
from check.rehearsal import EVERY, case_of, every_rulebook, rehearse, section_of, under

TAKEN = {"suffix": "ann-2", "another-suffix": "ann-3"}


@every_rulebook
@for_each(("slug", "given"), TAKEN.items())
def test_suffix_is_given_because_opponents_have_the_name(
    rulebook: Rulebook, slug: str, given: str
) -> None:
    case = case_of(rulebook, f"sign-up/{slug}")
    opponents = [name for name in case.script.seats if name != case.script.subject]
    assert case.name == "ann"
    assert free_name(case.name, opponents) == given


HIDING = [with_hidden_assets(each) for each in EVERY if each.assets is Assets.OPTIONAL]


class WithOwnBoard(Ordered):
    """Has a bug: believes that every game begins with an empty board."""

    def __call__(self, message: messages.RefereeMessage) -> messages.PlayerMessage:
        if isinstance(message, messages.Turn):
            return messages.Pbuy(Placement(tiles_in(message.players[0].hand)[0]), ())
        if isinstance(message, messages.TurnView):
            return messages.Pbuy(Placement(tiles_in(message.view.players[0].hand)[0]), ())
        return super().__call__(message)


@under([REVISED, CLASSIC])
def test_player_with_its_own_board_fails_in_the_middle(rulebook: Rulebook) -> None:
    found = {}
    for slug in ("in-the-middle", "alone"):
        case = case_of(rulebook, f"set-up/{slug}")
        played = rehearse(case.script, WithOwnBoard(rulebook, 0))
        result = judge(case, played.trial(case.name), strict=False)
        found[slug] = result.verdict, result.ended_by
    assert found == {
        "in-the-middle": (CaseVerdict.FAIL, Reason.ILLEGAL.value),
        "alone": (CaseVerdict.PASS, ""),
    }


@for_each("rulebook", [*EVERY, *HIDING], ids=lambda each: f"{each.id}-{each.assets.value}")
def test_each_rulebook_has_the_cases_of_what_it_shows_and_hides(rulebook: Rulebook) -> None:
    slugs = section_of(rulebook, "set-up")
    assert ("open-hands" in slugs) == (rulebook.hands is Hands.OPEN)
    assert ("hidden-hands" in slugs) == (rulebook.hands is Hands.HIDDEN)
    assert ("hidden-assets" in slugs) == bool(rulebook.assets.hidden)
    assert ("set-aside" in slugs) == (rulebook.dead_tiles is DeadTiles.REPLACED)
