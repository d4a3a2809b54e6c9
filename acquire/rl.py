"""Acquire as an environment for reinforcement learning, of PettingZoo (AEC) and of Gymnasium.

It needs the extra ``rl``, see docs/start/install.md. A game is played by the referee
of `acquire serve`. Every question is taken apart into steps (:mod:`acquire.decisions`), and only
legal actions are in the mask, so nobody is ever ejected.

>>> environment = env("classic", players=3)
>>> environment.reset(seed=7)
>>> for agent in environment.agent_iter():
...     observation, reward, terminated, truncated, info = environment.last()
...     action = None if terminated else observation["action_mask"].argmax()
...     environment.step(action)
"""

from abc import abstractmethod
from collections.abc import Sequence
from copy import deepcopy
from typing import Any, Literal, Self, TypeAlias

from .admin.refereeing.play.dealer import SEEDS, new_seed
from .admin.refereeing.play.outcome import Outcome
from .game.rulebook import Rulebook
from .game.rulebooks import RULEBOOKS
from .played_games import PlayerMaker, built_in
from .player.strategies.guess import guess
from .player.strategies.strategy import InformedPlayer
from .protocol.messages import PlayerMessage
from .protocol.plugins import why_missing
from .protocol.question import Question

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

    from .decisions import (
        PER_DOLLAR,
        Actions,
        Encoder,
        IllegalAction,
        Observation,
        Phase,
        decide,
        observe,
    )
    from .stepped_game import SteppedGame
except ImportError as error:  # pragma: no cover
    raise ImportError(f"acquire.rl: {why_missing(error, 'rl') or error}") from error

__all__ = [
    "Actions",
    "Agent",
    "Encoder",
    "Observation",
    "Phase",
    "Reward",
    "SeatEnv",
    "env",
    "raw_env",
]

Reward: TypeAlias = Literal["place", "money"]

LARGEST = 1000.0
"""No number of an observation is larger: all the money of a game is less than $10,000,000."""


def env(
    rulebook: Rulebook | str = "revised",
    players: int = 4,
    reward: Reward = "place",
    render_mode: str | None = None,
) -> Any:
    """Return the environment, in PettingZoo's usual wrappers.

    An illegal action ends the game for all, with -1 for whoever took it. See :class:`raw_env`.
    """
    inner = raw_env(rulebook, players, reward, render_mode)
    inner = wrappers.TerminateIllegalWrapper(inner, illegal_reward=-1)
    inner = wrappers.AssertOutOfBoundsWrapper(inner)
    return wrappers.OrderEnforcingWrapper(inner)


class _Table:
    """What the environments have in common: the rulebook, the spaces, what is seen and earned."""

    def __init__(
        self,
        rulebook: Rulebook | str = "revised",
        players: int = 4,
        reward: Reward = "place",
        render_mode: str | None = None,
    ) -> None:
        """``ValueError`` for a number of players that the rulebook does not have."""
        self.rulebook = RULEBOOKS[rulebook] if isinstance(rulebook, str) else rulebook
        if not self.rulebook.min_players <= players <= self.rulebook.max_players:
            raise ValueError(
                f"{self.rulebook.id} is for {self.rulebook.min_players} to "
                f"{self.rulebook.max_players} players, not {players}"
            )
        if reward not in ("place", "money"):
            raise ValueError(f'the reward is "place" or "money", not {reward!r}')
        self.render_mode = render_mode
        self.actions = Actions(self.rulebook)
        self._reward = reward
        self._encoder = Encoder(self.rulebook, players)
        self.possible_agents = [f"player_{number}" for number in range(players)]
        self._game: SteppedGame | None = None
        self._actions = spaces.Discrete(self.actions.count)
        self._observations = spaces.Dict(
            {
                "observation": spaces.Box(
                    -LARGEST, LARGEST, (self._encoder.size,), dtype=np.float32
                ),
                "action_mask": spaces.Box(0, 1, (self.actions.count,), dtype=np.int8),
            }
        )

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Copy the environment and its game, which may be in any step."""
        constant = (self.actions, self._encoder, self._observations)
        memo |= {id(each): each for each in constant}
        memo[id(self)] = new = object.__new__(type(self))
        vars(new).update({name: deepcopy(value, memo) for name, value in vars(self).items()})
        return new

    @property
    def game(self) -> SteppedGame:
        """The game; ``ValueError`` before the first ``reset``."""
        if self._game is None:
            raise ValueError("call reset() first")
        return self._game

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, with the scores; ``None`` before."""
        return None if self._game is None else self._game.outcome

    @property
    def parts(self) -> dict[str, slice]:
        """Where in an observation to find what; see :class:`Encoder`."""
        return self._encoder.parts

    def redeal(self, seed: int) -> None:
        """Deal anew, at random, what the agent that is to act does not see.

        For a search that does not know more than a player: do this to a copy, before playing on.
        """
        self.game.redeal(self.game.agent, seed)

    def observe(self, agent: str) -> Observation:
        """Return what an agent knows, and which actions are legal if it is to act."""
        game = self.game
        if agent == game.agent and game.outcome is None:
            return observe(self._encoder, game.step, agent)
        known = game.known(agent)
        vector = self._encoder.encode(None if known is None else guess(known), agent, None)
        return {"observation": vector, "action_mask": np.zeros(self.actions.count, np.int8)}

    def _rewards(self, outcome: Outcome) -> dict[str, float]:
        ranked = outcome.standings
        others = len(ranked) - 1
        if self._reward == "money":
            whole = sum(one.score for one in ranked)
            return {
                one.name: (one.score - (whole - one.score) / others) * PER_DOLLAR for one in ranked
            }
        return {
            one.name: sum((one.rank < other.rank) - (one.rank > other.rank) for other in ranked)
            / others
            for one in ranked
        }

    def render(self) -> str | None:
        """Print the whole position, all hands included, or return it (``"ansi"``)."""
        text = str(self.game.state)
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None

    def close(self) -> None:
        """Do nothing: nothing is open."""


class raw_env(_Table, AECEnv):  # type: ignore[misc]  # noqa: N801  # PettingZoo has no types, but names
    """A game between the agents ``player_0``, ``player_1``, ..., which sign up in this order.

    The action space is the same for all: :class:`acquire.decisions.Actions` says what each number
    means. An observation has

    observation     float32: what the agent knows of the position, itself first, then the others in
                    turn order; see :class:`Encoder`. What its rulebook hides is guessed as for
                    every player: others' tiles as none, money as the starting money
    action_mask     int8: 1 for each legal action; all 0 for an agent that is not to act

    The reward comes at the end. ``"place"``: from 1 for the first to -1 for the last, the mean for
    players who tie. ``"money"``: the lead over the mean of the others, in units of $10,000. Both
    sum to zero. The same seed deals the same tiles; without one every game is another.

    ``copy.deepcopy`` and ``pickle`` copy a game at any step; the copy plays on as the original.
    """

    metadata = {  # noqa: RUF012  # PettingZoo's type
        "name": "acquire_v0",
        "is_parallelizable": False,
        "render_modes": ["human", "ansi"],
    }

    agents: Sequence[str] = ()

    def observation_space(self, agent: str) -> Any:
        """Return the observation space, the same for all agents."""
        return self._observations

    def action_space(self, agent: str) -> Any:
        """Return the action space, the same for all agents."""
        return self._actions

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game; ``options`` has no meaning here."""
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._game = SteppedGame(self.rulebook, self.agents, new_seed() if seed is None else seed)
        self._select()

    def _select(self) -> None:
        self.agent_selection = self.game.agent
        self.infos[self.agent_selection] = {"deciding": self.game.step.phase.value}

    def step(self, action: int | None) -> None:
        """Take the selected agent's action; ``ValueError`` if it is not legal."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self.game.act(int(action))
        if self.game.outcome is None:
            self._select()
        else:
            self.rewards = self._rewards(self.game.outcome)
            self.terminations = dict.fromkeys(self.agents, True)
            for one in self.game.outcome.standings:
                self.infos[one.name] = {"score": one.score, "rank": one.rank}
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()


class SeatEnv(_Table, gymnasium.Env):
    """A game for one agent, against built-in players or your own: Gymnasium's interface.

    Actions, observations and rewards are those of :class:`raw_env`, and so are copies. ``info`` has
    the mask again as ``action_mask``, as samplers like it, and at the end ``score`` and ``rank``.
    An illegal action ends the game with a reward of -1. ``gymnasium.make("Acquire-v0")`` makes one,
    too, once this module is imported.

    >>> environment = SeatEnv("classic", ["investor", "random"])
    >>> observation, info = environment.reset(seed=7)
    >>> terminated = False
    >>> while not terminated:
    ...     action = observation["action_mask"].argmax()
    ...     observation, reward, terminated, truncated, info = environment.step(action)
    >>> info["rank"]
    2
    """

    metadata = {"render_modes": ["human", "ansi"]}  # noqa: RUF012  # Gymnasium's type

    def __init__(
        self,
        rulebook: Rulebook | str = "revised",
        opponents: Sequence[str | PlayerMaker] = ("investor", "ordered", "random"),
        seat: int = 0,
        reward: Reward = "place",
        render_mode: str | None = None,
    ) -> None:
        """``opponents`` sign up in this order, and the agent before that of number ``seat``.

        ``ValueError`` for a number of players or a seat that is not at the table, ``KeyError`` for
        an unknown player.
        """
        super().__init__(rulebook, len(opponents) + 1, reward, render_mode)
        if not 0 <= seat <= len(opponents):
            raise ValueError(f"seat {seat} is not one of 0 to {len(opponents)}")
        self.agent = self.possible_agents[seat]
        self._makers = [built_in(each) if isinstance(each, str) else each for each in opponents]
        self.observation_space, self.action_space = self._observations, self._actions

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a new game; the same seed deals the same tiles. ``options`` has no meaning here."""
        super().reset(seed=seed)
        dealt = int(self.np_random.integers(SEEDS)) if seed is None else seed
        others = [number for number, name in enumerate(self.possible_agents) if name != self.agent]
        players = {
            self.possible_agents[number]: make(self.rulebook, dealt + number)
            for number, make in zip(others, self._makers, strict=True)
        }
        self._game = SteppedGame(self.rulebook, self.possible_agents, dealt, players)
        return self._seen()

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        observation = self.observe(self.agent)
        info: dict[str, Any] = {"action_mask": observation["action_mask"]}
        if (outcome := self.game.outcome) is None:
            return observation, {**info, "deciding": self.game.step.phase.value}
        (own,) = (one for one in outcome.standings if one.name == self.agent)
        return observation, {**info, "score": own.score, "rank": own.rank}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take an action, and let the others play until the agent is to decide again."""
        try:
            self.game.act(int(action))
        except IllegalAction as error:
            observation, info = self._seen()
            return observation, -1.0, True, False, {**info, "illegal": str(error)}
        observation, info = self._seen()
        if self.render_mode == "human":
            self.render()
        if (outcome := self.game.outcome) is None:
            return observation, 0.0, False, False, info
        return observation, self._rewards(outcome)[self.agent], True, False, info


gymnasium.register("Acquire-v0", "acquire.rl:SeatEnv")


class Agent(InformedPlayer):
    """A player that decides step by step, as in the environment: what was learnt, at a real table.

    A subclass chooses among actions. It is used like a :class:`acquire.Strategy`: in a game in
    this process, in a tournament, over TCP. ``players`` is the size of the table at its beginning.
    """

    players = 4

    def __init__(self, rulebook: Rulebook, seed: int) -> None:
        super().__init__(rulebook, seed)
        self.actions = Actions(rulebook)
        self._encoder = Encoder(rulebook, self.players)

    @property
    def parts(self) -> dict[str, slice]:
        """Where in an observation to find what; see :class:`Encoder`."""
        return self._encoder.parts

    @abstractmethod
    def act(self, observation: Observation) -> int:
        """Return one of the actions of ``observation["action_mask"]``."""

    def answer(self, question: Question) -> PlayerMessage:
        """Decide step by step, in the position as the player imagines it."""
        steps = decide(self.actions, question)
        action = None
        while True:
            try:
                step = steps.send(action)  # type: ignore[arg-type]  # None begins
            except StopIteration as stop:
                answer: PlayerMessage = stop.value
                return answer
            action = int(self.act(observe(self._encoder, step, question.name)))
