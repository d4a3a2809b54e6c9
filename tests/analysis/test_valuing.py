"""Values of decisions: a planted blunder is costly, and a second look decides."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from statistics import mean

import pytest

from acquire.admin.refereeing.log.reader import read, read_bytes
from acquire.admin.studying.analysis.decision import Decision, What
from acquire.admin.studying.analysis.decision_log import DecisionLog
from acquire.admin.studying.analysis.playing import AnalysedTable, results
from acquire.admin.studying.analysis.valuing import (
    CONFIRMED_BY,
    MOST_OPTIONS,
    Cost,
    Mean,
    Valued,
    candidates,
    valued,
)
from acquire.game.tiles import mask_of
from analysis.blunders import short_game

GAMES = 5


@cache
def log() -> DecisionLog:
    return DecisionLog(read_bytes(Path("log"), short_game().log))


def table(seed: int = 3) -> AnalysedTable:
    return AnalysedTable(short_game().players, seed, "quick")


def planted() -> Decision:
    """The first order of the game."""
    return next(each for each in log().decisions if each.what is What.ORDER)


def chosen_instead(decision: Decision, option: int) -> Decision:
    """The decision as if another option had been chosen."""
    return replace(decision, recorded=option)


@cache
def value_of_the_blunder() -> Valued:
    return valued(table(), planted(), GAMES)


def test_planted_blunder_is_costly_and_the_best_option_is_not() -> None:
    found = value_of_the_blunder()
    assert found.is_costly
    assert found.cost is not None
    assert found.cost.games == 2 * GAMES
    best = found.values[0].option
    assert best != planted().recorded
    assert not valued(table(), chosen_instead(planted(), best), GAMES).is_costly


def test_suspicion_is_looked_at_again_on_other_deals_each_time() -> None:
    found, decision = value_of_the_blunder(), planted()
    chosen = [decision.options[each] for each in (found.values[0].option, decision.recorded)]
    leads = [
        [results(table()._replace(analyst=kind), decision, option, game).lead for option in chosen]
        for kind, first in (("quick", GAMES), (CONFIRMED_BY, 2 * GAMES))
        for game in range(first, first + GAMES)
    ]
    assert found.cost is not None
    assert found.cost.lead.value == pytest.approx(mean(best - own for best, own in leads))


def test_best_option_of_one_seed_is_not_costly_by_another() -> None:
    for decision in log().decisions[:4]:
        best = valued(table(), decision, GAMES).values[0].option
        again = valued(table(seed=4), chosen_instead(decision, best), GAMES)
        assert not again.is_costly, (decision.turn, decision.what)


def test_recorded_option_is_valued_beside_the_most_promising_ones() -> None:
    for decision in log().decisions:
        chosen = candidates(table(), decision)
        assert decision.recorded in chosen
        assert len(chosen) == len({*chosen}) == min(len(decision.options), MOST_OPTIONS + 1)
    found = value_of_the_blunder()
    assert found.left_out == len(planted().options) - len(found.values) > 0


def test_hands_that_a_player_cannot_see_decide_nothing_about_what_is_valued() -> None:
    golden = Path(__file__).parents[1] / "golden" / "classic-large-hotel.xml"
    many = [one for one in DecisionLog(read(golden)).decisions if len(one.options) > MOST_OPTIONS]
    compared = 0
    for decision in many:
        unseen = [*decision.state.bag]
        players = [
            player
            if player.name == decision.name
            else player._replace(
                hand=mask_of(unseen.pop() for _ in range(min(len(unseen), player.hand.bit_count())))
            )
            for player in decision.state.players
        ]
        other = replace(decision, state=decision.state._replace(players=tuple(players)))
        assert candidates(table(), other) == candidates(table(), decision)
        compared += other.state != decision.state
    assert compared > 10


def test_options_are_compared_with_the_recorded_one_on_the_same_deals() -> None:
    found = value_of_the_blunder()
    recorded = next(each for each in found.values if each.option == planted().recorded)
    assert recorded.more_lead == Mean(0.0, 0.0)
    for each in found.values:
        assert each.lead == pytest.approx(recorded.lead + each.more_lead.value)
        assert 0 <= each.win <= 1
    leads = [each.lead for each in found.values]
    assert leads == sorted(leads, reverse=True)


@pytest.mark.parametrize(
    ("lead", "win", "costly"),
    [
        (Mean(2000, 600), Mean(0, 0.1), True),
        (Mean(1999, 600), Mean(0, 0.1), False),
        (Mean(2000, 700), Mean(0, 0.1), False),
        (Mean(500, 600), Mean(0.1, 0.03), True),
        (Mean(500, 600), Mean(0.1, 0.04), False),
        (Mean(-9000, 100), Mean(0, 0), False),
    ],
)
def test_cost_has_to_be_more_than_a_trifle_and_more_than_noise(
    lead: Mean, win: Mean, costly: bool
) -> None:
    assert Cost(lead, win, 1000, True).is_costly == costly
    assert not Cost(lead, win, 1000, False).is_costly
    assert not Cost(lead, win, 4, True).is_costly  # too few to tell
