"""The environment for reinforcement learning: PettingZoo's own tests, and what it must not show."""

from __future__ import annotations

import importlib.util
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from loops import for_each
from pettingzoo.test import api_test, seed_test

import acquire
from acquire.decisions import decide
from acquire.game.rulebook import with_hidden_assets
from acquire.protocol.known import whole_position
from acquire.protocol.player_view import view_for
from acquire.protocol.question import Question
from acquire.rl import Agent, Observation, Phase, env, raw_env

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "learn.py"
TABLES = [("revised", 4), ("classic", 2), ("corporations", 3), ("wikipedia", 5), ("digest", 6)]
HIDING = with_hidden_assets(acquire.CORPORATIONS, "both")

pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
]


class Fixed(Agent):
    """Decides by the observation alone: another observation, another action."""

    def act(self, observation: Observation) -> int:
        legal = observation["action_mask"].nonzero()[0]
        weights = np.arange(1, len(observation["observation"]) + 1) % 97
        return int(legal[int(observation["observation"] @ weights * 1000) % len(legal)])


class Three(Fixed):
    players = 3


def play(environment: raw_env, seed: int) -> dict[str, int]:
    """Play a game in the environment with fixed decisions; return the scores."""
    agent = Fixed(environment.rulebook, 0)
    environment.reset(seed=seed)
    for name in environment.agent_iter():
        observation, _, terminated, _, _ = environment.last()
        assert name == environment.agent_selection
        environment.step(None if terminated else agent.act(observation))
    assert environment.outcome is not None
    return {one.name: one.score for one in environment.outcome.standings}


@pytest.mark.parametrize(("rulebook", "players"), TABLES[:2])
def test_pettingzoo_approves(rulebook: str, players: int) -> None:
    api_test(env(rulebook, players), num_cycles=60)
    seed_test(lambda: env(rulebook, players), num_cycles=60)


@pytest.mark.soak
@pytest.mark.parametrize(("rulebook", "players"), TABLES)
def test_pettingzoo_approves_of_every_rulebook(rulebook: str, players: int) -> None:
    for reward in ("place", "money"):
        api_test(env(rulebook, players, reward), num_cycles=1000)
        seed_test(lambda: env(rulebook, players), num_cycles=1000)


@for_each("rulebook", [*acquire.RULEBOOKS.values(), HIDING])
def test_game_is_that_of_the_referee(rulebook: acquire.Rulebook) -> None:
    """An agent decides alike in the environment and at the table: it is shown the same."""
    environment = raw_env(rulebook, 3)
    players = dict.fromkeys(environment.possible_agents, Three)
    game = acquire.play_game(players, rulebook, seed=5)
    assert not game.ejected
    assert play(environment, seed=5) == game.scores


@for_each("rulebook", [*acquire.RULEBOOKS.values(), HIDING])
def test_what_is_hidden_is_not_observed(rulebook: acquire.Rulebook) -> None:
    environment = raw_env(rulebook, 3)
    environment.reset(seed=3)
    parts, agent, steps = environment.parts, Three(rulebook, 0), 0
    shown = rulebook is acquire.REVISED
    others_money = set()
    for name in islice(environment.agent_iter(), 150):
        for each in environment.possible_agents:
            observation = environment.observe(each)
            hands = observation["observation"][parts["other hands"]]
            assert bool(hands.any()) is shown
            others_money |= {*observation["observation"][parts["cash"]][1:].tolist()}
            steps += each == name
        environment.step(agent.act(environment.observe(name)))
    assert steps == 150
    assert (len(others_money) == 1) is rulebook.assets.hides_cash


def test_own_tiles_and_money_are_observed() -> None:
    environment = raw_env("classic", 3)
    environment.reset(seed=3)
    seen = environment.observe(environment.agent_selection)
    parts = environment.parts
    tiles = seen["observation"][parts["hand"]].nonzero()[0]
    assert {*tiles} == {*seen["action_mask"].nonzero()[0]}, "on an empty board all can be placed"
    assert seen["observation"][parts["cash"]].tolist() == pytest.approx([0.6] * 3)
    assert seen["observation"][parts["mover"]].tolist() == [1, 0, 0]
    assert seen["observation"][parts["phase"]].argmax() == [*Phase].index(Phase.TILE)


@for_each("reward", ["place", "money"])
def test_rewards_sum_to_zero_and_follow_the_scores(reward: str) -> None:
    environment = raw_env("revised", 3, reward)  # type: ignore[arg-type]  # one of the two
    agent = Fixed(environment.rulebook, 0)
    environment.reset(seed=9)
    earned: dict[str, float] = {}
    for name in environment.agent_iter():
        observation, paid, terminated, _, info = environment.last()
        if terminated:
            earned[name] = paid
            assert info["rank"] >= 1
        else:
            assert paid == 0
        environment.step(None if terminated else agent.act(observation))
    assert environment.outcome is not None
    scores = {one.name: one.score for one in environment.outcome.standings}
    assert sum(earned.values()) == pytest.approx(0)
    assert sorted(earned, key=earned.__getitem__) == sorted(scores, key=scores.__getitem__)
    if reward == "money":
        best, *others = sorted(scores.values(), reverse=True)
        assert max(earned.values()) == pytest.approx((best - sum(others) / 2) / 10_000)
    else:
        assert {*earned.values()} == {1, 0, -1}


def test_illegal_action_is_refused() -> None:
    environment = raw_env("revised", 3)
    environment.reset(seed=1)
    [illegal] = {environment.actions.no} - {*environment._step.actions}
    with pytest.raises(ValueError, match=f"action {illegal} is not legal"):
        environment.step(illegal)
    wrapped = env("revised", 3)
    wrapped.reset(seed=1)
    agent = wrapped.agent_selection
    wrapped.step(illegal)
    assert wrapped.terminations[agent] and wrapped.rewards[agent] == -1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(("revised", 2), "3 to 6 players, not 2"), (("revised", 4, "cash"), "not 'cash'")],
)
def test_impossible_environment_is_refused(arguments: tuple[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        raw_env(*arguments)


def test_agent_plays_on_when_another_is_ejected() -> None:
    def silly(rulebook: acquire.Rulebook, seed: int) -> object:
        return lambda message: acquire.messages.KeepAnswer(())

    players = {"ann": Three, "bob": silly, "cyd": Three}
    game = acquire.play_game(players, "revised", seed=2)  # type: ignore[arg-type]  # silly
    assert [*game.ejected] == ["bob"]
    assert game.scores["ann"] > 0


def test_agent_of_another_table_is_refused() -> None:
    with pytest.raises(ValueError, match=r"made for 3: set Agent\.players"):
        acquire.play_game({**dict.fromkeys(("a", "b", "c"), "ordered"), "ann": Three}, seed=2)


def test_certificates_to_sell_and_to_trade_are_decided_one_after_the_other() -> None:
    state = acquire.parse_position(acquire.CLASSIC, "AA.CCC", ["ann 3A A3", "bob"])
    actions = raw_env("classic", 2).actions
    question = acquire.messages.Dispose(0, 300, 1, view_for(state, "ann"))
    steps = decide(actions, Question(question, "ann", whole_position(state)))
    assert [actions.name(action) for action in next(steps).actions] == ["0", "1", "2", "3"]
    assert [actions.name(action) for action in steps.send(actions.number(1)).actions] == ["0", "2"]
    with pytest.raises(StopIteration) as decided:
        steps.send(actions.number(2))
    assert decided.value.value == acquire.messages.DisposeAnswer(1, 2)


def test_order_of_equal_hotels_is_decided() -> None:
    board = "AA.CCC\n..T\n..T"
    state = acquire.parse_position(acquire.CLASSIC, board, ["ann 3A", "bob"])
    actions = raw_env("classic", 2).actions
    turn = acquire.messages.Turn(state.board, state.players)
    steps = decide(actions, Question(turn, "ann", whole_position(state)))
    step = next(steps)
    assert step.phase is Phase.HOTEL and step.tile == acquire.parse_tile("3A")
    assert [actions.name(action) for action in step.actions] == ["American", "Tower"]
    with pytest.raises(StopIteration) as decided:
        steps.send(actions.hotel(5))
    assert decided.value.value.placement.equals == (5, 0)


def test_example_learns() -> None:
    spec = importlib.util.spec_from_file_location("learn", EXAMPLE)
    assert spec is not None and spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    example.BATCH = 20  # type: ignore[attr-defined]  # a module of its own
    curve = [reward for reward, _ in islice(example.learn("revised", 0), 3)]
    assert curve[0] < 0.2 and curve[-1] > 0.3
