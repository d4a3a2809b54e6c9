"""The environment for reinforcement learning: PettingZoo's own tests, and what it must not show."""

import importlib.util
import pickle
import random
from copy import deepcopy
from itertools import islice
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from loops import for_each
from pettingzoo.test import api_test, seed_test

import acquire
from acquire.decisions import Encoder, decide, observe
from acquire.game.rulebook import with_hidden_assets
from acquire.protocol.player_view import view_for
from acquire.protocol.question import Known, Question
from acquire.rl import Agent, Observation, Phase, SeatEnv, env, raw_env

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
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
    [illegal] = {environment.actions.no} - {*environment.game.step.actions}
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
    steps = decide(actions, Question(question, "ann", Known(state)))
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
    steps = decide(actions, Question(turn, "ann", Known(state)))
    step = next(steps)
    assert step.phase is Phase.HOTEL and step.tile == acquire.parse_tile("3A")
    encoder = Encoder(state.rulebook, len(state.players))
    placing = observe(encoder, step, "ann")["observation"][encoder.parts["placing"]]
    assert placing.nonzero()[0].tolist() == [2]
    assert [actions.name(action) for action in step.actions] == ["American", "Tower"]
    with pytest.raises(StopIteration) as decided:
        steps.send(actions.hotel(5))
    assert decided.value.value.placement.equals == (5, 0)


# -- copies -------------------------------------------------------------------------------------


def random_steps(environment: raw_env, seed: int) -> list[int]:
    """Begin a game and play it to its end by random legal actions; return these."""
    choices = random.Random(seed)
    environment.reset(seed=seed)
    taken = []
    while environment.outcome is None:
        taken.append(choices.choice([*environment.game.step.actions]))
        environment.step(taken[-1])
    return taken


def everything(environment: raw_env) -> str:
    """Return all that an environment shows of a game, and the whole position."""
    seen = [environment.observe(each) for each in environment.possible_agents]
    shown = [(each["observation"].tobytes(), each["action_mask"].tobytes()) for each in seen]
    game = environment.game
    return repr((environment.agent_selection, shown, game.state, game.turn, environment.rewards))


@for_each("rulebook", [acquire.REVISED, acquire.CLASSIC, HIDING])
def test_copies_play_on_as_the_original(rulebook: acquire.Rulebook, soak: bool) -> None:
    """In mid-turn, in mid-merger and in the midst of an order; and the original is not touched."""
    environment = raw_env(rulebook, 3)
    met = set()
    for seed in range(20 if soak else 1):
        actions = random_steps(environment, seed)
        outcome = environment.outcome
        environment.reset(seed=seed)
        copies: list[tuple[int, raw_env]] = []
        phases = set()
        for number, action in enumerate(actions):
            phase = environment.game.step.phase
            if phase not in phases or number % 80 == 79:  # so each has been copied
                pickled = pickle.loads(pickle.dumps(environment))
                copies += [(number, deepcopy(environment)), (number, pickled)]
                assert everything(copies[-1][1]) == everything(copies[-2][1])
                assert everything(environment) == everything(copies[-1][1])
            phases.add(phase)
            environment.step(action)
        assert environment.outcome == outcome
        met |= phases
        for number, copy in copies:
            for action in actions[number:]:
                copy.step(action)
            assert copy.outcome == outcome
            assert everything(copy) == everything(environment)
    assert Phase.BUY in met and met & {Phase.KEEP, Phase.SELL}


def test_copy_of_a_game_that_is_over_has_its_outcome() -> None:
    environment = env("classic", 3)
    environment.reset(seed=3)
    for _ in environment.agent_iter():
        observation, _, terminated, _, _ = environment.last()
        environment.step(None if terminated else observation["action_mask"].argmax())
    for copy in (deepcopy(environment), pickle.loads(pickle.dumps(environment))):
        assert copy.unwrapped.outcome == environment.unwrapped.outcome
        assert str(copy.unwrapped.game.state) == str(environment.unwrapped.game.state)
        copy.reset(seed=4)
        assert copy.unwrapped.outcome is None and environment.unwrapped.outcome is not None


@for_each("rulebook", acquire.RULEBOOKS.values())
def test_redealt_copy_differs_only_in_what_the_agent_does_not_see(
    rulebook: acquire.Rulebook,
) -> None:
    environment = raw_env(rulebook, 3)
    actions = random_steps(environment, 5)
    environment.reset(seed=5)
    changed = 0
    for number, action in enumerate(actions):
        agent = environment.agent_selection
        if number % 20 == 0:
            copy = deepcopy(environment)
            copy.redeal(number)
            seen, dealt = environment.observe(agent), copy.observe(agent)
            assert all((seen[part] == dealt[part]).all() for part in seen)
            before, after = environment.game.state, copy.game.state
            assert sorted(after.bag) != list(after.bag) or len(after.bag) < 2
            hands = [(player.name, player.hand.bit_count()) for player in before.players]
            assert hands == [(player.name, player.hand.bit_count()) for player in after.players]
            own = [state.player(agent).hand for state in (before, after)]
            assert own[0] == own[1]
            tiles = [all_tiles(state) for state in (before, after)]
            assert tiles[0] == tiles[1]
            changed += before != after
            again = deepcopy(environment)
            again.redeal(number)
            assert again.game.state == after
            choices = random.Random(number)
            while copy.outcome is None:
                copy.step(choices.choice([*copy.game.step.actions]))
        environment.step(action)
    assert changed > 5


def all_tiles(state: acquire.State) -> list[int]:
    return sorted(
        [*state.bag, *(tile for player in state.players for tile in acquire.tiles_in(player.hand))]
    )


def test_what_is_redealt_does_not_depend_on_what_is_hidden() -> None:
    """Otherwise the seeds of a search would tell of the bag."""
    environment = raw_env("classic", 3)
    environment.reset(seed=5)
    once, other = deepcopy(environment), deepcopy(environment)
    other.redeal(99)
    assert other.game.state != once.game.state
    once.redeal(1)
    other.redeal(1)
    assert other.game.state == once.game.state


# -- one seat -----------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:.*:UserWarning")
def test_gymnasium_approves() -> None:
    check_env(gymnasium.make("Acquire-v0").unwrapped)
    check_env(SeatEnv("classic", ["random"], 1, "money", "ansi"))


def play_seat(environment: SeatEnv, seed: int | None, choices: random.Random) -> dict[str, Any]:
    """Play a game by random legal actions; return the last ``info`` and the reward."""
    observation, info = environment.reset(seed=seed)
    terminated, reward = False, 0.0
    while not terminated:
        assert (observation["action_mask"] == info["action_mask"]).all()
        assert reward == 0 and info["deciding"] in {phase.value for phase in Phase}
        action = choices.choice([*observation["action_mask"].nonzero()[0]])
        observation, reward, terminated, truncated, info = environment.step(action)
        assert not truncated
    assert not observation["action_mask"].any()
    return {**info, "reward": reward}


@for_each("rulebook", [acquire.REVISED, HIDING])
def test_seat_plays_the_game_of_the_referee(rulebook: acquire.Rulebook) -> None:
    """The opponents are those of ``play_game``, in the same seats and with the same seeds."""
    environment = SeatEnv(rulebook, ["random", "investor"], 1)
    agent, seed = Three(rulebook, 0), 6
    observation, _ = environment.reset(seed=seed)
    terminated = False
    while not terminated:
        action = agent.act(observation)
        observation, reward, terminated, _, info = environment.step(action)
    players = {"player_0": "random", "player_1": Three, "player_2": "investor"}
    game = acquire.play_game(players, rulebook, seed=seed)  # type: ignore[arg-type]  # a class
    outcome = environment.outcome
    assert outcome is not None
    assert {one.name: one.score for one in outcome.standings} == game.scores
    assert info["score"] == game.scores["player_1"]
    assert reward in (-1, 0, 1) and [-1, 0, 1].index(int(reward)) == 3 - info["rank"]


def test_seat_is_copied_with_its_opponents() -> None:
    environment = SeatEnv("wikipedia", ["random", "planner", "random"])
    environment.reset(seed=2)
    choices = random.Random(2)
    for _ in range(25):
        environment.step(choices.choice([*environment.game.step.actions]))
    copies = [environment, deepcopy(environment), pickle.loads(pickle.dumps(environment))]
    outcomes = []
    for copy in copies:
        own, terminated = random.Random(3), False
        while not terminated:
            _, _, terminated, _, _ = copy.step(own.choice([*copy.game.step.actions]))
        outcomes.append(copy.outcome)
    assert outcomes[0] == outcomes[1] == outcomes[2]


def test_seeds_of_a_seat() -> None:
    """A seed is followed by the same games, and without one every game is another."""
    first, second = SeatEnv(), SeatEnv()
    for environment in (first, second):
        environment.reset(seed=8)
        environment.reset()
    assert first.game.state == second.game.state
    assert SeatEnv().reset()[0]["observation"].tobytes() != (
        SeatEnv().reset()[0]["observation"].tobytes()
    )


def test_illegal_action_of_a_seat_ends_its_game() -> None:
    environment = SeatEnv()
    with pytest.raises(ValueError, match="call reset"):
        environment.step(0)
    environment.reset(seed=1)
    _, reward, terminated, _, info = environment.step(environment.actions.no)
    assert (reward, terminated) == (-1, True)
    assert info["illegal"].startswith("action 115 is not legal here; these are: [")


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("revised", ["random"]), ValueError, "3 to 6 players, not 2"),
        (("revised", ["random"] * 3, 4), ValueError, "seat 4 is not one of 0 to 3"),
        (("revised", ["best"] * 3), KeyError, "no built-in player 'best'"),
    ],
)
def test_impossible_seat_is_refused(arguments: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        SeatEnv(*arguments)


def test_opponent_that_breaks_a_rule_is_named() -> None:
    class Mixed(acquire.Strategy):
        def place(self, state: acquire.State) -> acquire.Placement:
            return acquire.legal_placements(state)[0]

        def order(self, state: acquire.State) -> tuple[int, ...]:
            return (0, 1)

    environment = SeatEnv("revised", [Mixed, "random"])
    with pytest.raises(ValueError, match="player_1 was ejected: "):
        play_seat(environment, 1, random.Random(1))


# -- the examples -------------------------------------------------------------------------------


def example(name: str) -> Any:
    """Import one of the examples of the documentation."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.soak
def test_example_learns() -> None:
    learn = example("learn")
    learn.BATCH = 20
    curve = [reward for reward, _ in islice(learn.learn("revised", 0), 3)]
    assert curve[0] < 0.2 and curve[-1] > 0.3


def test_example_searches() -> None:
    search = example("search")
    search.DEALS = 1
    assert search.play(SeatEnv("classic", ["random", "random"]), 0)[0] == 1
