"""What a position promises: more than today while the board is free, exactly today at its end."""

from loops import for_each
from positions import by_initials, scene

from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import RULEBOOKS
from acquire.game.state import State
from acquire.game.turn import pay_out
from acquire.player.strategies.outlook import RELUCTANT, WILLING, Outlook

every_rulebook = for_each("rulebook", RULEBOOKS.values(), ids=lambda rulebook: rulebook.id)
FULL = "\n".join(["SSSSSSSSSSSS"] * 6 + ["............", "AAAAA"])
EARLY = "SSSS\n....\nAA.."


def lead(state: State) -> float:
    """What ann's lead is."""
    outlook = Outlook(state)
    return outlook.lead(state, "ann", outlook.chances(state))


@every_rulebook
def test_on_a_full_board_the_lead_is_what_would_be_paid_out(rulebook: Rulebook) -> None:
    state = scene(rulebook, FULL, "ann $900 S3 A4", "bob $2000 S2 A1", "cyd $0 A2")
    scores = dict(pay_out(state).scores)
    assert Outlook(state).rest == 0
    assert lead(state) == scores["ann"] - (scores["bob"] + scores["cyd"]) / 2


@every_rulebook
@for_each(
    ("more", "less"),
    [("$2000 S2", "$2000 S1"), ("$2000", "$1900"), ("$9000 A1", "$9000 S1")],
    ids=["certificates", "cash", "one of a dearer hotel"],
)
def test_more_promises_more(more: str, less: str, rulebook: Rulebook) -> None:
    one, other = (
        scene(rulebook, EARLY, f"ann {assets}", "bob A3 S3", "cyd A3 S3") for assets in (more, less)
    )
    assert lead(one) > lead(other)


@every_rulebook
def test_first_dollars_promise_more_than_further_ones(rulebook: Rulebook) -> None:
    outlook = Outlook(scene(rulebook, EARLY, "ann", "bob"))
    further = outlook.cash(9000) - outlook.cash(8000)
    assert outlook.cash(1000) > further > 1000


@every_rulebook
@for_each(("holder", "chance"), [("ann", WILLING), ("bob", RELUCTANT)])
def test_merger_is_likelier_if_who_gets_the_bonus_has_the_tile(
    holder: str, chance: float, rulebook: Rulebook
) -> None:
    """1B joins S and A; ann holds A alone."""
    seats = [f"{name} 12I{' 1B' * (name == holder)} A2" for name in ("ann", "bob", "cyd")]
    seats = [seat if seat[0] == "a" else seat.replace(" A2", "") for seat in seats]
    state = scene(rulebook, EARLY, *seats)
    outlook = Outlook(state)
    (acquired,) = by_initials("A", rulebook)
    held, chances = (2, 0, 0), outlook.chances(state)
    stays, goes, found = (
        outlook.values(state.board, acquired, held, each)[0]
        for each in (None, {acquired: chances[acquired]._replace(holders=(), unseen=1.0)}, chances)
    )
    assert abs(found - (stays + chance * (goes - stays))) < 1e-6
    assert goes != stays


@every_rulebook
def test_no_merger_is_expected_by_a_tile_that_nobody_has(rulebook: Rulebook) -> None:
    hands = ["12I 11I 10I 9I 8I 7I", "12H 11H 10H 9H 8H 7H"]
    seats = [f"{name} {hand} A2" for name, hand in zip(("ann", "bob"), hands, strict=True)]
    state = scene(rulebook, EARLY, *seats)
    assert Outlook(state).chances(state) == {}
    hidden = scene(rulebook, EARLY, seats[0], "bob A2")
    (acquired,) = by_initials("A", rulebook)
    (chance,) = Outlook(hidden).chances(hidden).items()
    assert chance[0] == acquired and not chance[1].holders and 0 < chance[1].unseen < 0.1
