"""Acquire as an environment for reinforcement learning: PettingZoo's AEC interface.

It needs the extra ``rl``: ``pip install 'acquire-referee[rl]'``. A game is played by the referee
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
from collections.abc import Generator
from typing import Any, Literal, TypeAlias

from .admin.refereeing.play.dealer import Dealer, new_seed
from .admin.refereeing.play.outcome import Outcome
from .admin.refereeing.play.questions import Ask, Replies, Reply
from .admin.refereeing.play.referee import Referee
from .answers import guessed
from .decisions import Actions, DecisionStep, Phase, decide
from .game.rulebook import Rulebook
from .game.rulebooks import RULEBOOKS
from .player.strategies.guess import guess
from .player.strategies.strategy import InformedPlayer
from .protocol.knowledge import Knowledge
from .protocol.messages import VOID, PlayerMessage
from .protocol.plugins import why_missing
from .protocol.question import Question

try:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

    from .observations import PER_DOLLAR, Encoder, Observation, observe
except ImportError as error:  # pragma: no cover
    raise ImportError(f"acquire.rl: {why_missing(error, 'rl') or error}") from error

__all__ = ["Actions", "Agent", "Encoder", "Observation", "Phase", "Reward", "env", "raw_env"]

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


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801  # PettingZoo has no types, but names
    """A game between the agents ``player_0``, ``player_1``, ..., which sign up in this order.

    The action space is the same for all: :class:`acquire.decisions.Actions` says what each number
    means. An observation has

    observation     float32: what the agent knows of the position, itself first, then the others in
                    turn order; see :meth:`observe`. What its rulebook hides is guessed as for every
                    player: others' tiles as none, money as the starting money
    action_mask     int8: 1 for each legal action; all 0 for an agent that is not to act

    The reward comes at the end. ``"place"``: from 1 for the first to -1 for the last, the mean for
    players who tie. ``"money"``: the lead over the mean of the others, in units of $10,000. Both
    sum to zero. The same seed deals the same tiles; without one every game is another.
    """

    metadata = {  # noqa: RUF012  # PettingZoo's type
        "name": "acquire_v0",
        "is_parallelizable": False,
        "render_modes": ["human", "ansi"],
    }

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
        self.possible_agents = [f"player_{number}" for number in range(players)]
        self.agents: list[str] = []
        self.outcome: Outcome | None = None
        """How the game ended, with the scores; ``None`` before."""
        self._reward = reward
        self._encoder = Encoder(self.rulebook, players)
        self._action_space = spaces.Discrete(self.actions.count)
        self._observation_space = spaces.Dict(
            {
                "observation": spaces.Box(
                    -LARGEST, LARGEST, (self._encoder.size,), dtype=np.float32
                ),
                "action_mask": spaces.Box(0, 1, (self.actions.count,), dtype=np.int8),
            }
        )

    @property
    def parts(self) -> dict[str, slice]:
        """Where in an observation to find what; see :class:`Encoder`."""
        return self._encoder.parts

    def observation_space(self, agent: str) -> Any:
        """Return the observation space, the same for all agents."""
        return self._observation_space

    def action_space(self, agent: str) -> Any:
        """Return the action space, the same for all agents."""
        return self._action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game; ``options`` has no meaning here."""
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.outcome = None
        self._skip_agent_selection = None
        self._knowledge = {agent: Knowledge(self.rulebook, agent) for agent in self.agents}
        dealer = Dealer(new_seed() if seed is None else seed)
        self._referee = Referee(
            self.rulebook, self.agents, dealer.bag, dealer.shuffle, lambda event: None
        )
        self._game = self._play()
        self._show(next(self._game))

    def _play(self) -> "Generator[tuple[str, DecisionStep], int, Outcome]":
        """Play the game: yield who decides what, and be sent the actions."""
        questions = self._referee.play()
        asks = next(questions)
        while True:
            replies: Replies = {}
            for agent, ask in asks.items():
                replies[agent] = yield from self._answer(agent, ask)
            try:
                asks = questions.send(replies)
            except StopIteration as stop:
                outcome: Outcome = stop.value
                return outcome

    def _answer(self, agent: str, ask: Ask) -> "Generator[tuple[str, DecisionStep], int, Reply]":
        knowledge = self._knowledge[agent]
        question = knowledge.hear(ask.message)
        if question is None:
            return Reply(VOID)
        steps = decide(self.actions, guessed(question))
        action = None
        while True:
            try:
                step = next(steps) if action is None else steps.send(action)
            except StopIteration as stop:
                knowledge.answered(stop.value)
                return Reply(stop.value)
            action = yield agent, step

    def _show(self, decision: tuple[str, DecisionStep]) -> None:
        self.agent_selection, self._step = decision
        self.infos[self.agent_selection] = {"deciding": self._step.phase.value}

    def step(self, action: int | None) -> None:
        """Take the selected agent's action; ``ValueError`` if it is not legal."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        try:
            self._show(self._game.send(int(action)))
        except StopIteration as stop:
            self._end(stop.value)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _end(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.rewards = self._rewards(outcome)
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {agent: {} for agent in self.agents}
        for one in outcome.standings:
            self.infos[one.name] = {"score": one.score, "rank": one.rank}

    def _rewards(self, outcome: Outcome) -> dict[str, float]:
        scores = {one.name: one.score for one in outcome.standings}
        others = len(scores) - 1
        if self._reward == "money":
            whole = sum(scores.values())
            return {
                name: (score - (whole - score) / others) * PER_DOLLAR
                for name, score in scores.items()
            }
        return {
            name: sum((score > other) - (score < other) for other in scores.values()) / others
            for name, score in scores.items()
        }

    def observe(self, agent: str) -> Observation:
        """Return what an agent knows, and which actions are legal if it is to act."""
        if agent == self.agent_selection and self.outcome is None:
            return observe(self._encoder, self._step, agent)
        known = self._knowledge[agent].known
        state = None if known is None else guess(known)
        vector = self._encoder.encode(state, agent, None)
        return {"observation": vector, "action_mask": np.zeros(self.actions.count, np.int8)}

    def render(self) -> str | None:
        """Print the whole position, all hands included, or return it (``"ansi"``)."""
        text = str(self._referee.state)
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None

    def close(self) -> None:
        """Do nothing: nothing is open."""


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
        steps = decide(self.actions, guessed(question))
        action = None
        while True:
            try:
                step = next(steps) if action is None else steps.send(action)
            except StopIteration as stop:
                answer: PlayerMessage = stop.value
                return answer
            action = int(self.act(observe(self._encoder, step, question.name)))
