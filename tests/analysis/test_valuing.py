"""Costs of decisions: a planted blunder is costly, and what is shown is right on average."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from statistics import mean, stdev

import pytest

from acquire.admin.refereeing.log.reader import read, read_bytes
from acquire.admin.studying.analysis.decision_log import Decision, DecisionLog, What
from acquire.admin.studying.analysis.playing import AnalysedTable, Result, results
from acquire.admin.studying.analysis.valuing import (
    ANALYST,
    MOST_OPTIONS,
    OTHERS,
    Compared,
    Cost,
    Value,
    Valued,
    candidates,
    compare,
    value,
)
from acquire.admin.studying.statistics.intervals import Estimate
from acquire.admin.studying.whatif.single_game import WIN
from acquire.game.tiles import mask_of
from analysis.blunders import short_game

GAMES = 6


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
def value_of_the_blunder() -> Compared:
    return value(table(), planted(), GAMES)


def test_planted_blunder_is_costly_and_the_best_option_is_not() -> None:
    found = value_of_the_blunder()
    assert found.is_costly
    best = found.order[0]
    assert best != planted().recorded
    assert not value(table(), chosen_instead(planted(), best), GAMES).is_costly


def test_figures_are_those_of_games_that_chose_nothing() -> None:
    found, decision = value_of_the_blunder(), planted()
    cost = found.cost
    assert cost is not None
    options = found.order[0], decision.recorded
    leads = [
        [results(table()._replace(analyst=kind), decision, each, game).lead for each in options]
        for kind, first in ((ANALYST, 3 * GAMES), (OTHERS, 4 * GAMES))
        for game in range(first, first + cost.games // 2)
    ]
    assert cost.lead.value == pytest.approx(mean(best - own for best, own in leads))
    assert (cost.better.option, cost.recorded.option) == options
    assert cost.lead.value == pytest.approx(cost.better.lead - cost.recorded.lead)


def test_best_option_of_one_seed_is_not_costly_by_another() -> None:
    for decision in log().decisions[:4]:
        best = value(table(), decision, GAMES).order[0]
        again = value(table(seed=4), chosen_instead(decision, best), GAMES)
        assert not again.is_costly, (decision.turn, decision.what)


# -- a decision whose truth is known ------------------------------------------------------------


class Known:
    """Options that are worth so much on average; a deal changes them together, and each alone."""

    def __init__(self, *worth: int, seed: int) -> None:
        self.played: list[tuple[str, int, int]] = []
        self._worth = worth
        self._seed = seed

    def __call__(self, kind: str, option: int, game: int) -> Result:
        """Return a result that depends on nothing but the arguments."""
        self.played.append((kind, option, game))
        deal = Random(f"{self._seed} {kind} {game}")
        common, own = deal.gauss(0, 6000), Random(f"{self._seed} {kind} {option} {game}")
        lead = round(self._worth[option] + common + own.gauss(0, 3000))
        return Result(lead, WIN if lead > 0 else 0)


def costs(*worth: int, analyses: int) -> list[tuple[float, bool, bool]]:
    """How far costs are from the truth, whether their intervals have it, and who is costly."""
    found = []
    for seed in range(analyses):
        compared = compare(Known(*worth, seed=seed), range(len(worth)), 0, 16)
        if compared.cost is not None:
            true = worth[compared.cost.better.option] - worth[0]
            value, low, high = compared.cost.lead
            assert low is not None
            assert high is not None
            found.append((value - true, low <= true <= high, compared.is_costly))
    return found


@pytest.mark.parametrize(
    "worth", [(0, 0, 0, 0, 0, 0, 0), (0, 1500, 3000, 0, -2000), (0, 2500, 2500), (0, -500, 400)]
)
def test_cost_is_right_on_average_whatever_was_chosen_and_its_interval_holds(
    worth: tuple[int, ...],
) -> None:
    found = costs(*worth, analyses=200)
    costly = [each for each in found if each[2]]
    for some in (found, costly, [each for each in found if not each[2]]):
        if len(some) > 30:
            wrong = [each[0] for each in some]
            assert abs(mean(wrong)) < 3 * stdev(wrong) / len(wrong) ** 0.5
            assert mean(each[1] for each in some) == pytest.approx(
                0.95, abs=3 * (0.95 * 0.05 / len(some)) ** 0.5
            )
    assert len(found) > 30


def test_options_that_are_worth_the_same_are_not_costly() -> None:
    assert sum(costly for _, _, costly in costs(0, 0, 0, 0, 0, 0, 0, analyses=200)) <= 2


def test_stages_share_no_deal_and_options_of_a_stage_share_all() -> None:
    play = Known(0, 9000, 0, seed=1)
    assert compare(play, range(3), 0, 16).is_costly
    deals: dict[tuple[str, int], set[int]] = {}
    for kind, option, game in play.played:
        deals.setdefault((kind, game // 16), set()).add(option)
    assert deals.pop((ANALYST, 0)) == {0, 1, 2}
    assert len(deals) == 4
    assert all(options == {0, 1} for options in deals.values())
    assert len(play.played) == len({*play.played})


def test_clear_decision_plays_few_games() -> None:
    play = Known(9000, 0, 0, 0, 0, 0, 0, seed=1)
    assert compare(play, range(7), 0, 16).cost is None
    assert len(play.played) <= 7 * 4 + 4 * 4


def test_costly_is_what_the_check_finds_and_the_figures_confirm() -> None:
    figure = Cost(Value(0, 9.0, 0.5), Value(1, 0.0, 0.5), Estimate(9.0), Estimate(0.0), 8)
    unsure, sure = Estimate(900.0, -1.0, 1801.0), Estimate(900.0, 1.0, 1799.0)
    win = Estimate(0.2, 0.1, 0.3)

    def is_costly(lead: Estimate, *, win: Estimate = figure.win, check: bool = True) -> bool:
        cost = figure._replace(lead=lead, win=win)
        return Valued(planted(), Compared((0, 1), cost, check)).is_costly

    assert is_costly(sure)
    assert not is_costly(unsure)
    assert not is_costly(sure, check=False)
    assert is_costly(unsure, win=win)
    assert is_costly(Estimate(5500.0))  # without an interval, as all games cost the same


# -- what is played -----------------------------------------------------------------------------


def test_recorded_option_is_valued_beside_the_most_promising_ones() -> None:
    for decision in log().decisions:
        chosen = candidates(table(), decision)
        assert decision.recorded in chosen
        assert len(chosen) == len({*chosen}) == min(len(decision.options), MOST_OPTIONS + 1)


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
