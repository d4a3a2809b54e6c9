"""A rulebook is data: whatever closed choices are put together, the referee plays by them.

The five rulebooks are five of these mixtures; a sixth needs no new code.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from ledger import Ledger

from admin.match import in_process as local
from admin.match.dealer import Dealer
from admin.match.referee import Referee
from game.rulebook import (
    Assets,
    DeadTiles,
    DisposalRule,
    Draw,
    EighthHotel,
    EmptyBag,
    End,
    EqualAcquired,
    ForbiddenMerger,
    Hands,
    LooseNeighbours,
    Rulebook,
    SoleHolder,
    Start,
    StuckHand,
)
from game.rulebooks import CLASSIC, CORPORATIONS, REVISED
from game.turn import Ending
from player.strategies.simple import Random
from protocol.dialect import Dialect

CHOICES: dict[str, type[Enum]] = {
    "start": Start,
    "hands": Hands,
    "assets": Assets,
    "forbidden_merger": ForbiddenMerger,
    "loose_neighbours": LooseNeighbours,
    "eighth_hotel": EighthHotel,
    "equal_acquired": EqualAcquired,
    "sole_holder": SoleHolder,
    "disposal": DisposalRule,
    "draw": Draw,
    "dead_tiles": DeadTiles,
    "stuck_hand": StuckHand,
    "empty_bag": EmptyBag,
    "end": End,
}
MIXTURES = st.builds(
    lambda base, market, chosen: replace(base, id="mixed", market_for_two=market, **chosen),
    st.sampled_from([REVISED, CLASSIC, CORPORATIONS]),
    st.booleans(),
    st.fixed_dictionaries({name: st.sampled_from(choice) for name, choice in CHOICES.items()}),
)


@given(rulebook=MIXTURES, seed=st.integers(0, 10**6), seats=st.integers(2, 6))
@settings(max_examples=200, deadline=None, phases=[Phase.reuse, Phase.generate])
def test_every_mixture_of_choices_is_played_to_its_end_with_the_books_right(
    rulebook: Rulebook, seed: int, seats: int
) -> None:
    names = "abcdef"[: max(seats, rulebook.min_players)]
    dealer, ledger = Dealer(seed), Ledger(rulebook, names)
    players = {name: Random(rulebook, seed + seat) for seat, name in enumerate(names)}
    referee = Referee(rulebook, names, dealer.bag, dealer.shuffle, ledger)
    outcome = local.play(referee.play(), players, Dialect.of(rulebook))
    assert not outcome.ejected
    assert outcome.ending not in (Ending.INTERRUPTED, Ending.NOBODY_LEFT)
    if outcome.ending is Ending.BAG_EMPTY:
        assert rulebook.empty_bag is EmptyBag.ENDS_GAME and not referee.state.bag


def test_every_closed_choice_of_a_rulebook_is_mixed_here() -> None:
    fields = {name for name, value in vars_of(CLASSIC).items() if isinstance(value, Enum)}
    assert fields == CHOICES.keys()


def vars_of(rulebook: Rulebook) -> dict[str, object]:
    """The fields of a rulebook by name."""
    return {name: getattr(rulebook, name) for name in rulebook.__dataclass_fields__}
