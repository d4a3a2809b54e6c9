"""``planner`` looks beyond the next turn, and so beats `investor`."""

from collections.abc import Sequence
from statistics import fmean

import pytest
from loops import for_each
from positions import by_initials, hotels, scene
from quick_players import greeted
from quiet_games import play_quietly

from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, REVISED, RULEBOOKS, WIKIPEDIA
from acquire.player.strategies.investor import Investor
from acquire.player.strategies.planner import Planner
from acquire.player.strategies.simulator import Simulator
from acquire.player.strategies.strategy import Strategy
from acquire.protocol import messages
from acquire.protocol.player_view import view_for

SEATINGS = ("AABB", "BBAA", "ABAB", "BABA", "ABBA", "BAAB")
DIALECT = (CORPORATIONS, CLASSIC, WIKIPEDIA, DIGEST)


def share_won(
    rulebook: Rulebook, mine: type[Strategy], theirs: type[Strategy], bags: Sequence[int]
) -> float:
    """Play bags in all six seatings; return the share of comparisons that ``mine`` wins."""
    won = []
    for seed in bags:
        for seating in SEATINGS:
            players = {
                f"{side}{seat}": (mine if side == "A" else theirs)(rulebook, seed + seat)
                for seat, side in enumerate(seating)
            }
            outcome = play_quietly(rulebook, players, seed)
            assert not outcome.ejected
            money = {place.name: place.score for place in outcome.standings}
            own, other = ([money[name] for name in money if name[0] == side] for side in "AB")
            won += [(a > b) + (a == b) / 2 for a in own for b in other]
    return fmean(won)


@pytest.mark.parametrize(
    ("rulebook", "bags"),
    [
        pytest.param(REVISED, 2, id="revised"),
        *(
            pytest.param(rulebook, 10, id=f"{rulebook.id}-soak", marks=pytest.mark.soak)
            for rulebook in RULEBOOKS.values()
        ),
    ],
)
def test_planner_beats_investor(rulebook: Rulebook, bags: int) -> None:
    assert share_won(rulebook, Planner, Investor, range(40, 40 + bags)) > 0.55


@pytest.mark.soak
@pytest.mark.parametrize("rulebook", RULEBOOKS.values(), ids=lambda rulebook: rulebook.id)
def test_simulator_beats_investor(rulebook: Rulebook) -> None:
    assert share_won(rulebook, Simulator, Investor, range(40, 45)) > 0.6


# -- acquired certificates ----------------------------------------------------------------------

EARLY = "SSSS\n....\nAA.."
LATE = "\n".join(["SSSSSSSSSSSS"] * 6 + ["............", "AAAAA"])


@for_each(
    ("drawing", "kept"),
    [
        pytest.param(EARLY, True, id="it can be founded again"),
        pytest.param(LATE, False, id="the board is nearly full"),
    ],
)
def test_it_keeps_what_can_be_founded_again(drawing: str, kept: bool) -> None:
    state = scene(REVISED, drawing, "ann 12I $3000 A4", "bob $3000 A3", "cyd $3000 S5")
    planner = greeted(Planner, REVISED)
    planner(messages.State(state.board, state.players))
    assert planner(messages.Keep(hotels("American"))) == messages.KeepAnswer((kept,))


@for_each("rulebook", DIALECT, ids=lambda rulebook: rulebook.id)
@for_each(
    ("drawing", "price", "disposal"),
    [
        pytest.param("SSSSSS", 300, (0, 0), id="it can be founded again"),
        pytest.param(LATE, 300, (0, 6), id="a survivor's is worth more than two"),
        pytest.param(LATE, 700, (6, 0), id="two bring more than a survivor's"),
    ],
)
def test_what_it_holds_trades_and_sells(
    drawing: str, price: int, disposal: tuple[int, int], rulebook: Rulebook
) -> None:
    state = scene(rulebook, drawing, "bob 12I $6000 F6", "ann 11I $6000 F6 S7", "cyd $6000 S3 F1")
    acquired, survivor = by_initials("FS", rulebook)
    planner = greeted(Planner, rulebook)
    question = messages.Dispose(acquired, price, survivor, view_for(state, "ann"))
    assert planner(question) == messages.DisposeAnswer(*disposal)


# -- placing and buying -------------------------------------------------------------------------


def test_it_buys_a_hotel_before_it_is_founded_where_the_rulebook_allows_it() -> None:
    """Investor, which counts what would be paid out now, buys what is on the board."""
    state = scene(REVISED, "SSSS", "ann 12I $6000", "bob $6000 S8", "cyd $6000 S9")
    on_board = {REVISED.hotel_index("Sackson")}
    assert {*Investor(REVISED, 0).order(state)} == on_board
    planned = Planner(REVISED, 0).order(state)
    assert len(planned) == 2 and not {*planned} & on_board


@for_each("rulebook", DIALECT, ids=lambda rulebook: rulebook.id)
def test_it_merges_the_hotel_in_which_it_has_the_majority(rulebook: Rulebook) -> None:
    state = scene(rulebook, EARLY, "ann 1B 12I $300 A8", "bob $3000 S8 A3", "cyd $3000 S3")
    planner = greeted(Planner, rulebook)
    answer = planner(messages.TurnView(view_for(state, "ann")))
    assert isinstance(answer, messages.Merge)


@for_each("rulebook", DIALECT, ids=lambda rulebook: rulebook.id)
@for_each(
    ("seats", "declared"),
    [
        pytest.param(("ann 12I $20000", "bob $6000"), True, id="ahead"),
        pytest.param(("ann 12I $6000", "bob $20000"), False, id="behind"),
    ],
)
def test_it_declares_the_end_unless_another_player_would_have_more(
    seats: tuple[str, ...], declared: bool, rulebook: Rulebook
) -> None:
    planner = greeted(Planner, rulebook)
    state = scene(rulebook, "SSSSSSSSSSSS", *seats)
    answer = planner(messages.PlayersView(view_for(state, "ann")))
    assert isinstance(answer, messages.Order) and answer.end is declared
