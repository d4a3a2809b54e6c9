"""A game decided step by step, for learning and for search: it can be copied at every step.

The referee is a generator, which cannot be copied. A copy gives the turn in progress to a referee
of its own: the position at its beginning, and the replies that were given since. Nobody is ever
ejected here, so that position says all that there is to know, and a copy costs about as much as the
turn so far, however long the game was.
"""

import random
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, Self

from .admin.refereeing.play.dealer import Dealer
from .admin.refereeing.play.events import Ejected, Event, TurnBegan
from .admin.refereeing.play.in_process import Strategy
from .admin.refereeing.play.outcome import Outcome
from .admin.refereeing.play.questions import ACKNOWLEDGED, Replies, Reply
from .admin.refereeing.play.referee import Referee, Segment
from .decisions import Actions, DecisionStep, IllegalAction, decide
from .game.drawing import redeal
from .game.rulebook import Rulebook
from .game.state import State
from .game.tiles import TILES
from .protocol.knowledge import Knowledge
from .protocol.messages import PlayerMessage, RefereeMessage, SignUp
from .protocol.question import Known, Question
from .protocol.sayable import unsayable

_NOT_KEPT = ("_referee", "_questions", "_steps", "step")
"""What a copy makes anew."""


class SteppedGame:
    """A game in which some seats are decided step by step, and players answer for the others.

    ``agent`` is whose step is to be decided, and ``step`` what it decides; ``outcome`` is ``None``
    until the game is over.
    """

    step: DecisionStep

    def __init__(
        self,
        rulebook: Rulebook,
        names: Sequence[str],
        seed: int,
        players: Mapping[str, Strategy] | None = None,
    ) -> None:
        """Deal, and play up to the first step; the same seed deals the same tiles.

        ``ValueError``, here and later, if one of ``players`` gives an illegal answer.
        """
        self.rulebook = rulebook
        self.actions = Actions(rulebook)
        self.agent = ""
        self.outcome: Outcome | None = None
        self._names = tuple(names)
        self._players = dict(players or {})
        self._knowledge = {name: Knowledge(rulebook, name) for name in names}
        self._begun: TurnBegan | None = None
        self._replies: list[Replies] = []
        """Those of the turn in progress."""
        self._chosen: list[int] = []
        """The actions for the question that is being answered."""
        for name, player in self._players.items():
            player(SignUp(name))
        self._referee = Referee(rulebook, names, Dealer(seed).bag, tuple, self._note)
        self._questions = self._referee.play()
        self._go_on(None)

    @property
    def state(self) -> State:
        """The whole position at the beginning of the turn, bag and hands included."""
        return self._referee.state

    @property
    def turn(self) -> int:
        """The number of the turn, from 1."""
        return self._referee.turns

    def known(self, name: str) -> Known | None:
        """Return what somebody was last told of the position; ``None`` before anything."""
        return self._knowledge[name].known

    def act(self, action: int) -> None:
        """Decide the step; ``IllegalAction`` if that is not legal, and then nothing has changed."""
        if self.outcome is not None:
            raise IllegalAction("the game is over")
        if action not in self.step.actions:
            legal = self.step.actions
            raise IllegalAction(f"action {action} is not legal here; these are: {legal}")
        self._chosen.append(action)
        answer = self._next_step(action)
        if answer is not None:
            self._knowledge[self.agent].answered(answer)
            self._go_on({self.agent: Reply(answer)})

    def redeal(self, name: str, seed: int) -> None:
        """Deal anew what the player called ``name`` does not see, at random: for a fair search.

        That is the bag and, where they are hidden, the others' tiles; who moves keeps those that it
        had at the beginning of its turn. Nothing else changes; do it to a copy.
        """
        assert self._begun is not None, "a turn has begun"
        if self.outcome is not None:
            return
        state = self._begun.state
        drawn = len(state.bag) - len(self._asked_in.bag)  # in place of a hand without a move
        viewers = {name, state.mover.name}
        shuffle = random.Random(f"acquire redeal {seed}").shuffle
        dealt = redeal(state, viewers, shuffle, drawn=state.bag[:drawn])
        self._begun = self._begun._replace(state=dealt)
        self._resume()

    # -- the referee's questions ----------------------------------------------------------------

    def _note(self, event: Event) -> None:
        """Note where the turn began, from which a copy goes on."""
        if isinstance(event, TurnBegan):
            self._begun = event
            self._replies = []
        elif isinstance(event, Ejected):
            raise ValueError(f"{event.name} was ejected: {event.with_hint}")

    def _go_on(self, replies: Replies | None) -> None:
        """Send replies, and answer what has one answer, until there is a step to decide."""
        while True:
            if replies is not None:
                self._replies.append(replies)
            try:
                asks = self._questions.send(replies)  # type: ignore[arg-type]  # None begins
            except StopIteration as stop:
                self.outcome = stop.value
                return
            replies = {}
            for name, ask in asks.items():
                reply = self._reply(name, ask.message)
                if reply is None:  # only one is asked then
                    self._asked_in = ask.state
                    return
                replies[name] = reply

    def _reply(self, name: str, message: RefereeMessage) -> Reply | None:
        """Return somebody's reply to a message; ``None`` if that is to be decided."""
        if (player := self._players.get(name)) is not None:
            reply = Reply(player(message))
            if (what := unsayable(reply.message, self.rulebook)) is not None:
                raise ValueError(f"{name} answered with {what}, which no message can say")
            return reply
        question = self._knowledge[name].hear(message)
        if question is None:
            return ACKNOWLEDGED
        self.agent, self._chosen = name, []
        answer = self._ask(question)
        return None if answer is None else Reply(answer)

    def _ask(self, question: Question) -> PlayerMessage | None:
        """Take a question apart; return the answer if nothing is to be decided."""
        self._steps = decide(self.actions, question)
        answer = self._next_step(None)
        if answer is not None:
            self._knowledge[self.agent].answered(answer)
        return answer

    def _next_step(self, action: int | None) -> PlayerMessage | None:
        """Go to the next step of a question; return the answer once it is decided."""
        try:
            self.step = self._steps.send(action)  # type: ignore[arg-type]  # None begins
        except StopIteration as stop:
            answer: PlayerMessage = stop.value
            return answer
        return None

    # -- copies ---------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        kept = {name: value for name, value in vars(self).items() if name not in _NOT_KEPT}
        return {**kept, "final": self._referee.state}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        final = kept.pop("final")
        vars(self).update(kept)
        self._resume(final)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        new = object.__new__(type(self))
        kept = self.__getstate__()
        kept["_players"] = deepcopy(self._players, memo)
        kept["_knowledge"] = deepcopy(self._knowledge, memo)
        new.__setstate__({**kept, "_replies": [*self._replies], "_chosen": [*self._chosen]})
        return new

    def _resume(self, final: State | None = None) -> None:
        """Play the turn in progress again, up to the step that is to be decided."""
        assert self._begun is not None, "a turn has begun"
        begun, replies, chosen = self._begun, self._replies, self._chosen
        self._referee = Referee(self.rulebook, self._names, TILES, tuple, self._note)
        if self.outcome is not None and final is not None:
            self._referee.state = final
            return
        self._referee.turns = begun.number - 1
        self._questions = self._referee.play_segments([Segment(begun.state, None)])
        asks = next(self._questions)  # all are told the position, as they were at the time
        asks = self._questions.send(dict.fromkeys(asks, ACKNOWLEDGED))
        for each in replies:
            asks = self._questions.send(each)
        self._begun, self._replies, self._chosen = begun, replies, chosen
        ((name, ask),) = asks.items()
        self._asked_in = ask.state
        question = self._knowledge[name].hear(ask.message)
        assert question is not None, "it is to be decided"
        self._ask(question)
        for action in chosen:
            self._next_step(action)
