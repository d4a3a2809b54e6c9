"""Games of random legal answers, question by question, each of which can be answered again."""

import random
from collections.abc import Iterator
from typing import NamedTuple

from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.events import Event
from acquire.admin.refereeing.play.questions import Asks, Replies, Reply
from acquire.admin.refereeing.play.referee import Referee, Segment
from acquire.game.rulebook import Rulebook
from acquire.game.state import State
from acquire.protocol import messages
from acquire.protocol.knowledge import Knowledge
from acquire.protocol.messages import PlayerMessage
from acquire.protocol.question import Question


class Asked(NamedTuple):
    """A question in a game: as the referee knows it, and as the player does.

    ``begun`` is the position at the start of its turn, ``before`` what was answered since.
    """

    names: tuple[str, ...]
    begun: State
    before: tuple[PlayerMessage, ...]
    question: Question
    known: Question

    def is_accepted(self, answer: PlayerMessage) -> bool:
        """Play the turn again up to this question, and give this answer to it."""
        happened: list[Event] = []
        dealer = Dealer(1)
        referee = Referee(
            self.begun.rulebook, self.names, dealer.bag, dealer.shuffle, happened.append
        )
        questions = referee.play_segments([Segment(self.begun, 1)])
        asks, given = next(questions), [*self.before, answer]
        while given:
            [(name, ask), *_] = asks.items()
            if ask.question(name) is None:
                asks = questions.send({each: Reply(messages.VOID) for each in asks})
                continue
            reply = Reply(given.pop(0))
            try:
                asks = questions.send({name: reply})
            except StopIteration:
                break
        questions.close()
        return not any(isinstance(event, events.Ejected) for event in happened)


def asked_in(rulebook: Rulebook, names: tuple[str, ...], seed: int) -> Iterator[Asked]:
    """Play a game of random legal answers, and yield its questions."""
    chance, dealer = random.Random(seed), Dealer(seed)
    begun: list[State] = []
    knowledge = {name: Knowledge(rulebook, name) for name in names}

    def emit(event: Event) -> None:
        if isinstance(event, events.TurnBegan):
            begun.append(event.state)

    questions = Referee(rulebook, names, dealer.bag, dealer.shuffle, emit).play()
    asks: Asks = next(questions)
    before: tuple[PlayerMessage, ...] = ()
    turn = 0
    while True:
        replies: Replies = {}
        for name, ask in asks.items():
            known, question = knowledge[name].hear(ask.message), ask.question(name)
            answer: PlayerMessage = messages.VOID
            if question is not None and known is not None:
                before, turn = (before if turn == len(begun) else ()), len(begun)
                yield Asked(names, begun[-1], before, question, known)
                answer = chance.choice(question.answers)
                before = (*before, answer)
            knowledge[name].answered(answer)
            replies[name] = Reply(answer)
        try:
            asks = questions.send(replies)
        except StopIteration:
            return
