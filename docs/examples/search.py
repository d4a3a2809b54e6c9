"""Choose by trying: copies of the environment are played on from every legal action.

    python docs/examples/search.py [--games 10] [--rulebook revised] [--opponents random,ordered]

For each legal action some copies are made. In each of them what the agent cannot see is dealt anew,
so that it does not know more than a player; then the action is taken, and everybody plays on until
the agent's next turn is over, the agent at random. The action after which it is furthest ahead on
average is taken. Prints the rank and the score of each game. It needs the extra ``rl``.
"""

import argparse
from copy import deepcopy
from typing import Any

import numpy as np

import acquire
from acquire.rl import SeatEnv

DEALS = 4
"""Copies for each action."""

Random = Any


def lead(env: SeatEnv) -> float:
    """Return how many dollars the agent would have more than the mean of the others by now."""
    money = acquire.worth(env.game.state)
    own = money.pop(env.agent)
    return own - sum(money.values()) / len(money)


def played_on(env: SeatEnv, action: int, seed: int) -> float:
    """Take an action in a copy, play on for a round, and return the lead there."""
    random = np.random.default_rng(seed)
    copy = deepcopy(env)
    copy.redeal(seed)
    last = copy.game.turn + len(copy.game.state.players)
    observation, _, terminated, _, _ = copy.step(action)
    while not terminated and copy.game.turn <= last:
        legal = observation["action_mask"].nonzero()[0]
        observation, _, terminated, _, _ = copy.step(random.choice(legal))
    return lead(copy)


def chosen(env: SeatEnv, mask: Any) -> int:
    """Return the action after which the agent is furthest ahead, in the same deals for all."""
    leads = {
        int(action): sum(played_on(env, int(action), seed) for seed in range(DEALS))
        for action in mask.nonzero()[0]
    }
    return max(leads, key=leads.__getitem__)


def play(env: SeatEnv, seed: int) -> tuple[int, int]:
    """Play a game; return the agent's rank and score."""
    observation, info = env.reset(seed=seed)
    terminated = False
    while not terminated:
        action = chosen(env, observation["action_mask"])
        observation, _, terminated, _, info = env.step(action)
    return info["rank"], info["score"]


def main() -> None:
    """Play some games, and print how they ended."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rulebook", default="revised")
    parser.add_argument("--opponents", default="random,ordered,smallest-anti")
    parser.add_argument("--games", type=int, default=10)
    options = parser.parse_args()
    env = SeatEnv(options.rulebook, options.opponents.split(","))
    for seed in range(options.games):
        rank, score = play(env, seed)
        print(f"seed {seed}: rank {rank}, ${score:,}", flush=True)


if __name__ == "__main__":
    main()
