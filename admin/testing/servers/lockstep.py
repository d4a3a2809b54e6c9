"""Judges a match by the referee, in step with what the administrator sent.

The referee is given the answers that our players gave, and the tiles that the administrator drew.
Whatever it asks is compared with what was sent. After a difference, which is a finding, the game
goes on from the position that the administrator sent, which the log has as a ``<position>``.

The whole match is known when it is judged, so the bag is known as far as it was drawn. Messages to
different players have no order but what the protocol forces.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from ....game.state import State
from ....game.tiles import Tile
from ....game.turn import ending
from ....protocol import messages
from ....protocol.faults import Fault, Reason
from ....protocol.messages import VOID, PlayerMessage, RefereeMessage
from ....protocol.position_messages import PositionMessages
from ....protocol.question import as_played
from ...refereeing.log.recorder import Header, SeatRecord
from ...refereeing.log.writer import GameLog, MemoryFile
from ...refereeing.play.events import Event
from ...refereeing.play.questions import Ask, Asks, Replies, Reply
from ...refereeing.play.referee import Referee, Segment
from .breaches import Breaches
from .exchanges import Exchanged, MatchTrace
from .game_moment import GameMoment
from .sent_messages import (
    SCORES,
    STATES,
    TURNS,
    CannotGoOn,
    SentMessages,
    differences,
    parts,
    shown,
    twice,
)

LOG_NAME = Path("match.xml")
SET_UP = ("state", "cash", "tiles", "board", "order")  # the cases of the first position


class Lockstep:
    """Judges one match: ``judge`` it once. ``log`` is a game log, empty if no game came about.

    ``moment`` is where the game stands, at last where it has ended.
    """

    def __init__(self, trace: MatchTrace) -> None:
        self._sent = SentMessages(trace)
        cheats = {seat.name: seat.cheat.name for seat in trace.seats if seat.cheat}
        self.moment = GameMoment(trace.rulebook, len(trace.seats), cheats)
        self.breaches = Breaches(self._sent, self.moment)
        self.log = b""
        # who was asked the question that was answered last: the next cannot come before
        self._latest: tuple[str, Exchanged] | None = None
        self._adopted: State | None = None  # the wrong position from which the next turn begins
        self._laid = False  # whether the position due to all was taken from what was sent
        self._unsent = False  # whether the position sent to all was not due by the protocol
        self._lost = False  # whether another kind came than was due, until the next position
        self._jumbled = False  # whether holders of the hotel are asked in another order
        self._known: set[object] = set()  # differences found in this turn: they show repeatedly

    def judge(self) -> None:
        """Judge the match."""
        sent = self._sent.coming(self._sent.seats).items()
        states = {name: each for name, each in sent if isinstance(each.message, STATES)}
        if len(states) < len(self._sent.trace.seats):
            self.breaches.not_begun()
            return
        seats = parts(next(iter(states.values())).message)[3]
        book = self._sent.rulebook = self.moment.rulebook = as_played(self._sent.rulebook, seats)
        names, log = [*self._sent.seats], MemoryFile()
        try:
            bag = self._sent.first_bag(self._sent.position(states))
            records = tuple(SeatRecord(name, "remote") for name in names)
            self._writer = GameLog(LOG_NAME, log, Header(book, 0, 1, bag, records, given=True))
            self._referee = Referee(book, names, bag, self._shuffle, self._emit)
        except ValueError as error:
            self.breaches.note("set-up/tiles", f"The first position is impossible: {error}.")
            return
        except CannotGoOn:
            words = f"The players are {', '.join(each.name for each in seats)}, not {names}."
            self.breaches.note("set-up/order", words)
            return
        self.moment.before = self.moment.last = self._referee.state
        stopped = self._drive()
        self._writer.close(self._referee.turns if stopped else None)
        self.log = log.data()

    def _drive(self) -> bool:
        """Play the game in step; return whether it could not be judged to its end."""
        questions = self._referee.play_segments(self._segments())
        try:
            asks = next(questions)
            while True:
                asks = questions.send(self._replies(asks))
        except StopIteration:
            self._finished()
            return False
        except CannotGoOn:
            pass
        except ValueError as error:
            self.breaches.note("conversation/position", f"The position is impossible: {error}.")
        questions.close()
        return True

    def _segments(self) -> Iterator[Segment]:
        yield Segment(self._referee.state, 1)
        while True:
            yield Segment(self._between_turns(), 1)

    # -- what the referee does ------------------------------------------------------------------

    def _emit(self, event: Event) -> None:
        self._writer(event)
        self.moment.take(event)

    def _shuffle(self, tiles: Sequence[Tile]) -> tuple[Tile, ...]:
        return self._sent.bag(tiles, self._sent.since)

    # -- questions ------------------------------------------------------------------------------

    def _replies(self, asks: Asks) -> Replies:
        self._lost = self.breaches.ejects_honest(self.moment.last) or self._lost
        if self._lost and self.moment.over is not None:
            raise CannotGoOn
        if all(isinstance(ask.message, STATES) for ask in asks.values()):
            replies = self._positions(asks)
        else:
            replies = {name: self._answer(name, ask) for name, ask in asks.items()}
        taken = [(name, each) for name in asks if (each := self._sent.taken(name)) is not None]
        answered = [each for each in taken if not isinstance(each[1].answer, Fault)]
        answered += [self._latest] if self._latest else []
        self._latest = max(answered, key=lambda each: each[1].answered, default=None)
        return replies

    def _answer(self, name: str, ask: Ask) -> Reply | Fault:
        """Compare one question with what was sent, and return the player's answer."""
        exchange = self._sent.peek(name)
        if exchange is None or type(exchange.message) is not type(ask.message):
            return self._not_sent(name, ask, exchange)
        self._take(name, exchange)
        due, hotel = (getattr(each, "hotel", None) for each in (ask.message, exchange.message))
        coming = self._sent.coming(self._sent.seats).values()
        before = {type(each.message) for each in coming if each.at < exchange.at}
        asked = isinstance(ask.message, messages.Dispose)  # who was asked too soon is noted later
        self._jumbled = asked and (self._jumbled or (due == hotel and messages.Dispose in before))
        if not self._jumbled:
            self._compare(name, ask, exchange)
        self._lost = self._lost or due != hotel  # the answer is about another one
        return _reply(exchange)

    def _take(self, name: str, exchange: Exchanged) -> None:
        self._sent.take(name, exchange)
        if self._latest is not None and exchange.at < self._latest[1].answered:
            self.breaches.too_soon(name, exchange, *self._latest)
            self._latest = None
        if (again := self._sent.repeated(name, exchange)) is not None:
            self.breaches.note("conversation/one-at-a-time", twice(again, name), name, again)
            raise CannotGoOn  # the answers are out of step

    def _compare(self, name: str, ask: Ask, exchange: Exchanged) -> bool:
        assert exchange.message is not None
        found = differences(ask.message, exchange.message, self._sent.rulebook)
        new = [each for each in found if each.key not in self._known]
        seats = parts(ask.message)[-1]
        if new and not self._lost:
            self.breaches.differ(name, ask, exchange, new)
        elif not found and seats and not self._lost:
            self.breaches.reached.update(self.moment.cases)
        if seats and (new or not found) and not self._lost:
            self.moment.settle()  # a message without players, as <keep>, shows nothing of it
        self._known |= {each.key for each in found}
        return not found

    def _not_sent(self, name: str, ask: Ask, exchange: Exchanged | None) -> Reply | Fault:
        """Note that a question was not put, and return an answer with which to go on."""
        if not self._lost:
            if exchange is None:
                self.breaches.left_out(name, ask)
            else:
                self.breaches.other_sent(name, ask, exchange)
        self._lost = True
        if isinstance(ask.message, (*TURNS, *SCORES, messages.MarketMerger)):
            raise CannotGoOn
        if isinstance(ask.message, messages.Replace):
            return Reply(messages.ReplaceAnswer(replaces=False))
        question = ask.question(name)
        return Reply(VOID if question is None else question.simplest())

    # -- positions to all -----------------------------------------------------------------------

    def _positions(self, asks: Asks) -> Replies:
        """Compare the position that is due to everybody with what everybody was sent."""
        if self._unsent:
            self._unsent = False
            return dict.fromkeys(asks, Reply(VOID))
        sent = self._sent.coming(asks)
        shown_to = {n: each for n, each in sent.items() if isinstance(each.message, STATES)}
        due = _names(next(iter(asks.values())).message)
        # whoever is left out is sent the position of a later turn next
        right = {name: each for name, each in shown_to.items() if _names(each.message) == due}
        if self._lost and not right:  # the next player was sent the turn at once
            return dict.fromkeys(asks, Reply(VOID))
        found = right or shown_to
        if not self._laid:
            compared = [self._compare(name, asks[name], each) for name, each in found.items()]
            if not all(compared) or len(found) < len(asks):
                return self._differ(asks, sent, found)
            if not self.moment.number:
                self.breaches.reached.update(f"set-up/{each}" for each in SET_UP)
            self.breaches.reached["conversation/state-to-all"] += 1
            self.breaches.reached["conversation/turn-order"] += 1
        self._laid = False
        self._known.clear()
        for name, each in found.items():
            self._take(name, each)
        gone = Fault(Reason.DISCONNECTED, "It was sent nothing more.")
        left = {name: Reply(VOID) if name in shown_to else gone for name in asks}
        return left | {name: _reply(each) for name, each in found.items()}

    def _differ(
        self, asks: Asks, sent: dict[str, Exchanged], found: dict[str, Exchanged]
    ) -> Replies:
        """Note who was not sent the position; the next turn begins from what was sent."""
        for name in [name for name in asks if name not in found and not self._lost]:
            if name in sent:
                self.breaches.other_sent(name, asks[name], sent[name])
            else:
                self.breaches.left_out(name, asks[name])
        if found:
            self._adopted = self._sent.position(found, self._referee.state)
        self._laid, self._lost = bool(found), not found
        return dict.fromkeys(asks, Reply(VOID))

    # -- between two turns ----------------------------------------------------------------------

    def _between_turns(self) -> State:
        """Return the position from which the next turn begins: as sent, after a difference."""
        state, moment = self._referee.state, self.moment
        moment.turn = []
        if self._adopted is not None:
            state, self._adopted, self._lost = self._adopted, None, False
            moment.last = state
            return state
        coming = self._sent.coming(self._sent.seats)
        if self._lost or self.breaches.ejects_honest(state):
            return self._found_again(state)
        if ending(state) is not None or not coming:
            return state
        name, exchange = min(coming.items(), key=lambda each: each[1].at)
        kind, mine = exchange.message, name == state.mover.name
        if name not in self.moment.out and isinstance(kind, TURNS):
            if not mine:
                self.breaches.wrong_mover(name, exchange, state)
            due = Ask(PositionMessages(self._sent.rulebook).turn(state), state)
            if not mine or not self._compare(name, due, exchange):
                # nobody else was sent a ``turn``, which lays out the position
                shown_so = self._sent.position({name: exchange}, state)
                self._unsent = _visible(shown_so) != _visible(state)
                moment.last = state = shown_so
        elif name in self.moment.out or not isinstance(kind, (messages.Replace, *SCORES)):
            self.breaches.unexpected(name, exchange, state)
            return self._found_again(state)
        return state

    def _found_again(self, state: State) -> State:
        """Go on from the next position that was sent to everybody."""
        sent = self._sent.skip_to_position()
        found = self._sent.position(sent, self._referee.state)
        self._lost, self._latest = False, None
        self._known.clear()
        self.moment.settle()
        self.moment.last = found
        for player in found.players:
            self.moment.out.pop(player.name, None)
        self._laid = _visible(found) != _visible(state)
        if not self._laid:
            for name, exchange in sent.items():
                self._take(name, exchange)
        return found

    # -- the end --------------------------------------------------------------------------------

    def _finished(self) -> None:
        """Look at what came after the scores."""
        breaches, reached = self.breaches, self.breaches.reached
        played = {n: s for n, s in self._sent.seats.items() if n not in self.moment.out}
        for name, seat in played.items():
            if (exchange := self._sent.peek(name)) is not None:
                words = f"{shown(exchange)} was sent to {name} after the scores."
                breaches.note("end/moment", words, name, exchange)
                return
            if not seat.end and not breaches.findings:
                words = f"The connection of {name} was not closed after the scores."
                breaches.note("end/closes", words, name)
                return
        reached.update([*self.moment.cases, "end/closes", "end/scores", "robustness/answers"])
        reached.update(["ejection/honest", *(["end/ejected"] if self.moment.out else [])])


def _reply(exchange: Exchanged) -> Reply | Fault:
    """Return the player's answer; ``CannotGoOn`` if it gave none."""
    answer = exchange.answer
    if answer is None:
        raise CannotGoOn
    if isinstance(answer, PlayerMessage):
        return Reply(answer, round(1_000_000 * max(exchange.answered - exchange.at, 0)))
    return answer


def _names(message: RefereeMessage | None) -> list[str]:
    return [seat.name for seat in parts(message)[3]]


def _visible(state: State) -> State:
    return state._replace(bag=(), idle=0)
