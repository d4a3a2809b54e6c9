"""The one story of a match, as a generator: it yields questions and is sent what came back.

    asks = next(story)                      {name: Ask}
    asks = story.send({name: Reply | Fault})

A turn is a batch of one question; informing the table is a batch of all; a merger asks seat by
seat. No clock, socket or shuffle is in here: the bag's order, the seats and a way to shuffle come
in. Strategies in this process, connections, a recorded log and tests all drive this same story.

Drivers observe faults; the judgement is here. A turn commits whole or not at all: ``state`` is
the committed position, and a turn works on one of its own until the mover has drawn.
"""

from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple, TypeAlias

from admin import events
from admin.events import Event
from admin.outcome import Outcome, standings
from game.merger import Bonus, Merger, keep, merge, verify_keep
from game.placement import Kind, Placement, kind_of, place, verify_placement
from game.purchase import Order, buy, cost, verify_order
from game.rulebook import Rulebook
from game.state import State, deal
from game.tiles import Tile, tile_name
from game.turn import Ending, draw, eject, ending, pass_turn, pay_out, returned_bag
from game.violation import Illegal, Violation
from protocol import messages
from protocol.faults import Fault, Misspoken, Reason
from protocol.messages import TAGS, AdministratorMessage, PlayerMessage


class Ask(NamedTuple):
    """One question: the message, and whether it is answered on the mover's own clock."""

    message: AdministratorMessage
    thinking: bool = False


class Reply(NamedTuple):
    """What a player answered, and the times in microseconds that the log keeps."""

    message: PlayerMessage
    latency: int = 0
    lag: int = 0


Asks: TypeAlias = dict[str, Ask]
Replies: TypeAlias = dict[str, Reply | Fault]
Story: TypeAlias = Generator[Asks, Replies, Outcome]
Emit: TypeAlias = Callable[[Event], None]
Shuffle: TypeAlias = Callable[[Sequence[Tile]], tuple[Tile, ...]]


class Referee:
    """Judges one match. ``story()`` is to be driven once."""

    def __init__(
        self,
        rulebook: Rulebook,
        names: Sequence[str],
        bag: Sequence[Tile],
        shuffle: Shuffle,
        emit: Emit,
    ) -> None:
        """Deal the first position; ``ValueError`` as :func:`game.state.deal`."""
        self.state = deal(rulebook, names, bag)
        self.turns = 0
        self._shuffle = shuffle
        self._emit = emit
        self._ejected: list[events.Ejected] = []

    def story(self) -> Story:
        """Tell the match from the set-up to the scores."""
        yield from self._inform(self.state)
        while (over := ending(self.state)) is None:
            over = yield from self._turn()
            if over is not None:
                break
        return (yield from self._end(over))

    # -- asking ---------------------------------------------------------------------------------

    def _ask(
        self, name: str, message: AdministratorMessage, *, thinking: bool = False
    ) -> Generator[Asks, Replies, PlayerMessage | Fault]:
        """Ask one player, and return what is answered or what is at fault."""
        replies = yield {name: Ask(message, thinking)}
        return self._heard(name, TAGS[type(message)], replies[name])

    def _heard(self, name: str, question: str, reply: Reply | Fault) -> PlayerMessage | Fault:
        if isinstance(reply, Fault):
            return reply
        self._emit(events.Answered(name, question, *reply))
        return reply.message

    def _inform(self, state: State) -> Generator[Asks, Replies, None]:
        """Tell all the position at once; whoever is at fault leaves, in turn order."""
        if not state.players:
            return
        ask = Ask(messages.State(state.board, state.players))
        replies = yield {player.name: ask for player in state.players}
        for player in state.players:
            answer = self._heard(player.name, "state", replies[player.name])
            if isinstance(answer, Fault):
                self._eject(player.name, "state", answer)

    # -- leaving --------------------------------------------------------------------------------

    def _eject(
        self, name: str, question: str, fault: Fault, illegal: Illegal | None = None
    ) -> None:
        """Take a player out of the committed position."""
        bag = self._shuffle(returned_bag(self.state, name))
        self.state = eject(self.state, name, bag)
        self._leave(name, question, fault, illegal, bag)

    def _leave(
        self,
        name: str,
        question: str,
        fault: Fault,
        illegal: Illegal | None,
        bag: tuple[Tile, ...] | None,
    ) -> None:
        violation = illegal.violation if illegal else None
        left = events.Ejected(
            name, fault.reason, violation, question, fault.detail, fault.data, bag
        )
        self._ejected.append(left)
        self._emit(left)

    def _eject_mover(self, question: str, fault: Fault | Illegal, *, undo: bool = False) -> None:
        """Eject the mover; with ``undo`` the turn had begun to show on the board."""
        name = self.state.mover.name
        illegal = fault if isinstance(fault, Illegal) else None
        if isinstance(fault, Illegal):
            fault = Fault(Reason.ILLEGAL, str(fault))
        if undo:
            self._emit(events.TurnUndone(name))
        self._eject(name, question, fault, illegal)

    # -- a turn ---------------------------------------------------------------------------------

    def _turn(self) -> Generator[Asks, Replies, Ending | None]:
        """Play one turn; return the ending when no tile was left to hand back."""
        self.turns += 1
        state, mover = self.state, self.state.mover.name
        self._emit(events.TurnBegan(self.turns, mover, state))
        answer = yield from self._ask(
            mover, messages.Turn(state.board, state.players), thinking=True
        )
        match answer:
            case messages.Pbuy(placement, order):
                done = self._place_and_buy(placement, order)
            case messages.Merge(placement):
                done = yield from self._merge_and_buy(placement)
            case _:
                self._eject_mover("turn", _fault_of(answer))
                return None
        if done is None:
            return None
        return (yield from self._hand_back(done))

    def _place_and_buy(self, placement: Placement, order: Order) -> State | None:
        """Judge and do a turn without a merger; ``None`` when the mover is ejected for it."""
        state = self.state
        illegal = verify_placement(state, placement)
        kind = kind_of(state.board, placement.tile)
        if illegal is None and kind is Kind.MERGING:
            name = tile_name(placement.tile)
            illegal = Illegal(Violation.MERGER_WITH_ORDER, f"Tile {name} merges hotels.")
        if illegal is not None:
            self._eject_mover("turn", illegal)
            return None
        placed = place(state, placement)
        illegal = verify_order(placed, order)
        if illegal is not None:
            self._eject_mover("turn", illegal)
            return None
        self._tell_placement(state, placed, placement, kind)
        return self._buy(placed, order)

    def _tell_placement(
        self, before: State, after: State, placement: Placement, kind: Kind
    ) -> None:
        name, (tile, hotel) = before.mover.name, placement
        if kind is Kind.GROWING:
            (hotel,) = before.board.touched(tile)
        self._emit(events.Placed(name, tile, kind, hotel))
        if hotel is not None and after.bank[hotel] < before.bank[hotel]:
            self._emit(events.FoundersShare(name, hotel))

    def _buy(self, state: State, order: Order) -> State:
        for hotel in sorted(set(order)):
            count = order.count(hotel)
            amount = cost(state, (hotel,) * count)
            self._emit(events.Bought(state.mover.name, hotel, count, amount))
        return buy(state, order)

    def _merge_and_buy(self, placement: Placement) -> Generator[Asks, Replies, State | None]:
        """Judge and do a turn with a merger; ``None`` when the mover is ejected for it."""
        state, mover = self.state, self.state.mover.name
        illegal = verify_placement(state, placement)
        if illegal is None and kind_of(state.board, placement.tile) is not Kind.MERGING:
            name = tile_name(placement.tile)
            illegal = Illegal(Violation.NOT_A_MERGER, f"Tile {name} merges nothing.")
        if illegal is not None:
            self._eject_mover("turn", illegal)
            return None
        merger = merge(state, placement)
        self._tell_merger(state, merger)
        settled = yield from self._settle(merger)
        if settled is None:
            return None
        answer = yield from self._ask(mover, messages.Players(settled.players), thinking=True)
        if not isinstance(answer, messages.Order):
            self._eject_mover("players", _fault_of(answer), undo=True)
            return None
        if (illegal := verify_order(settled, answer.hotels)) is not None:
            self._eject_mover("players", illegal, undo=True)
            return None
        return self._buy(settled, answer.hotels)

    def _tell_merger(self, before: State, merger: Merger) -> None:
        tile, survivor = merger.placement
        assert survivor is not None
        self._emit(events.Placed(before.mover.name, tile, Kind.MERGING, survivor))
        for hotel, price in zip(merger.acquired, merger.prices, strict=True):
            self._emit(events.Acquired(survivor, hotel, before.board.size(hotel), price))
        self._tell_bonuses(merger.bonuses)

    def _tell_bonuses(self, bonuses: Sequence[Bonus]) -> None:
        for hotel, name, amount in bonuses:
            self._emit(events.BonusPaid(name, hotel, amount))

    def _settle(self, merger: Merger) -> Generator[Asks, Replies, State | None]:
        """Ask everybody in turn order what becomes of the acquired hotels' certificates.

        One of the others who is at fault leaves both the committed position and this one; what
        the merger has paid stays paid. ``None`` when the mover is ejected.
        """
        question = messages.Keep(merger.acquired)
        mover, *others = [player.name for player in merger.state.players]
        for name in (mover, *others):
            answer = yield from self._ask(name, question)
            if isinstance(answer, messages.Kept):
                illegal = verify_keep(merger, answer.decisions)
                if illegal is None:
                    merger = self._return_shares(merger, name, answer.decisions)
                    continue
                fault = Fault(Reason.ILLEGAL, str(illegal))
            else:
                illegal, fault = None, _fault_of(answer)
            if name == mover:
                self._eject_mover("keep", illegal or fault, undo=True)
                return None
            self._eject(name, "keep", fault, illegal)
            merger = merger._replace(state=eject(merger.state, name, self.state.bag))
        return merger.state

    def _return_shares(self, merger: Merger, name: str, decisions: Sequence[bool]) -> Merger:
        shares = merger.state.player(name).shares
        for hotel, price, kept in zip(merger.acquired, merger.prices, decisions, strict=True):
            if shares[hotel] and not kept:
                amount = price * shares[hotel]
                self._emit(events.Returned(name, hotel, shares[hotel], amount))
        return keep(merger, name, decisions)

    def _hand_back(self, state: State) -> Generator[Asks, Replies, Ending | None]:
        """Commit the turn: the mover draws, and all are told the new position."""
        mover = state.mover.name
        drawn, tile = draw(state)
        self.state = pass_turn(drawn)
        if tile is None:
            over = ending(self.state)
            return over if over is not None and over.regular else Ending.BAG_EMPTY
        self._emit(events.Drew(mover, tile))
        answer = yield from self._ask(mover, messages.NewTile(tile))
        if isinstance(answer, Fault):
            self._eject(mover, "tile", answer)
        yield from self._inform(self.state)
        return None

    # -- the end --------------------------------------------------------------------------------

    def _end(self, over: Ending) -> Generator[Asks, Replies, Outcome]:
        """Pay out, tell those who are left, and rank all.

        Whoever is at fault here has lost the connection, not the score: the others know it.
        """
        state = self.state
        self._emit(events.Ended(over, self.turns, state))
        final = pay_out(state)
        self._tell_bonuses(final.bonuses)
        ranking = standings(final.scores, [left.name for left in self._ejected])
        for standing in ranking:
            self._emit(events.Ranked(*standing))
        results = tuple((place.name, place.score) for place in ranking if place.finished)
        if results:
            score = Ask(messages.Score(results, state.board, state.players))
            replies = yield {player.name: score for player in state.players}
            for player in state.players:
                answer = self._heard(player.name, "score", replies[player.name])
                if isinstance(answer, Fault):
                    self._leave(player.name, "score", answer, None, None)
        return Outcome(over, self.turns, ranking, tuple(self._ejected))


def _fault_of(answer: PlayerMessage | Fault) -> Fault:
    """Narrow an answer that is none of those the question allows: drivers let only faults by."""
    if isinstance(answer, Fault):
        return answer
    raise Misspoken(f"a driver passed on <{TAGS[type(answer)]}>, which answers another question")
