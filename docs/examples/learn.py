"""Learn to play in a minute, against players that choose at random.

    python docs/examples/learn.py [--seconds 60] [--rulebook revised] [--seed 0]

The policy values every legal action by a few features, and prefers the better ones (softmax). After
each batch of games its weights move in the direction that makes good games more likely (REINFORCE).
Prints the mean reward of each batch, from -1 (always last) to 1 (always first): the learning curve.
It needs the extra ``rl``.
"""

import argparse
import time
from collections.abc import Iterator
from itertools import count
from typing import Any

import numpy as np

from acquire.rl import Phase, raw_env

PLAYERS = 4
OF_PURCHASE = ("buy no more", "my certificates", "a rival's certificates", "size", "price")
FEATURES = (*OF_PURCHASE, "keep", "sell", "trade", "end")
BATCH = 40
"""Games between two changes of the weights."""
RATE = 0.5
"""How far the weights move at once."""

Array = Any


def features(env: raw_env, observation: Array, actions: Array) -> Array:
    """Return a row of features for each action."""
    found = np.zeros((len(actions), len(FEATURES)))
    part = {name: observation[where] for name, where in env.parts.items()}
    phase = [*Phase][part["phase"].argmax()]
    if phase in (Phase.BUY, Phase.HOTEL):
        hotels = actions - env.actions.hotel(0)
        named = hotels < len(part["sizes"])
        found[~named, 0] = 1
        mine, *others = part["shares"].reshape(PLAYERS, -1)
        values = np.array([mine, np.max(others, axis=0), part["sizes"], part["prices"]])
        found[named, 1:5] = values[:, hotels[named]].T
    elif phase is Phase.KEEP:
        found[:, 5] = actions == env.actions.yes
    elif phase in (Phase.SELL, Phase.TRADE):
        found[:, 6 if phase is Phase.SELL else 7] = (actions - env.actions.number(0)) / 10
    elif phase is Phase.END:
        found[:, 8] = actions == env.actions.yes
    return found  # tiles have no features: all are equally good


def play(env: raw_env, weights: Array, learner: str, seed: int) -> tuple[float, Array]:
    """Play a game; return the learner's reward, and the gradient of its choices."""
    random = np.random.default_rng(seed)
    gradient, reward = np.zeros(len(FEATURES)), 0.0
    env.reset(seed=seed)
    for agent in env.agent_iter():
        _, earned, terminated, _, _ = env.last(observe=False)
        if terminated:
            reward = earned if agent == learner else reward
            env.step(None)
            continue
        observed = env.observe(agent)
        actions = observed["action_mask"].nonzero()[0]
        if agent != learner:
            env.step(random.choice(actions))
            continue
        rows = features(env, observed["observation"], actions)
        likelihood = np.exp(rows @ weights - (rows @ weights).max())
        likelihood /= likelihood.sum()
        chosen = random.choice(len(actions), p=likelihood)
        gradient += rows[chosen] - likelihood @ rows
        env.step(actions[chosen])
    return reward, gradient


def learn(rulebook: str, seed: int) -> Iterator[tuple[float, Array]]:
    """Learn without end; yield the mean reward of each batch, and the weights after it."""
    env = raw_env(rulebook, PLAYERS)
    weights = np.zeros(len(FEATURES))
    for batch in count():
        games = []
        for number in range(BATCH):
            seat = env.possible_agents[number % PLAYERS]
            games.append(play(env, weights, seat, seed + BATCH * batch + number))
        rewards = np.array([reward for reward, _ in games])
        gradients = np.array([gradient for _, gradient in games])
        advantage = (rewards - rewards.mean()) / (rewards.std() + 1e-9)
        step = (advantage[:, None] * gradients).mean(axis=0)
        weights = weights + RATE * step / (np.linalg.norm(step) + 1e-9)
        yield float(rewards.mean()), weights


def main() -> None:
    """Learn for some seconds, and print the learning curve and the weights."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rulebook", default="revised")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    end = time.monotonic() + options.seconds
    for batch, result in enumerate(learn(options.rulebook, options.seed), start=1):
        reward, weights = result
        bar = "#" * round(20 * (1 + reward))
        print(f"{BATCH * batch:5} games  {reward:+.2f}  {bar}", flush=True)
        if time.monotonic() > end:
            break
    for name, weight in zip(FEATURES, weights, strict=True):
        print(f"{weight:+6.2f}  {name}")


if __name__ == "__main__":
    main()
